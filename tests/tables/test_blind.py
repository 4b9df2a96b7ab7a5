"""The screens of a count: keyed three ways, and nothing of the book before both have signed."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from inventory.selectors.cheques import tray_holding
from pitboss.models import Slip, Table
from pitboss.paper.content import Issue
from pitboss.rules.roles import Place
from pitboss.selectors.slip_papers import slip_paper
from pitboss.services.signing import Entry
from pitboss.slips.addresses import new_url
from tests.floor.cast import PAR, Cast
from tests.floor.house import keep_shut
from tests.floor.tablets import fields_of, signed_in, signing, words

pytestmark = pytest.mark.django_db
# Numbers that appear nowhere else on a page, in any way they could be written.
BOOK = {10_000: 137, 2_500: 91, 500: 173}
COUNTED = BOOK | {500: 167}
TELLING = ("137", "173", "13,700", "1,550", "865", "16,8", "−$30", "-30", "−6")
BOTH = r"<td class=\"num\">173</td>\s*<td class=\"num\">167</td>"
WORDS = ("accepted", "variance", "shift manager", "security", "surveillance", "differs from")


def keyed(counted: dict[int, int], by: str = "stacks") -> dict[str, Any]:
    """Return what the pad posts for a count."""
    fields: dict[str, Any] = {"by": by}
    for cents in PAR:
        count = counted.get(cents, 0)
        ways: dict[str, dict[str, Any]] = {
            "stacks": {f"stacks_{cents}": count // 20, f"odd_{cents}": count % 20},
            "cheques": {f"cheques_{cents}": count},
            "dollars": {f"dollars_{cents}": f"{count * cents / 100:.2f}"},
        }
        fields |= ways[by]
    return fields


@pytest.fixture
def stocked(cast: Cast) -> Cast:
    """The cast, with a book on the first table that no count here finds."""
    cast.deliver(cast.ask(BOOK))
    return cast


@pytest.fixture
def client(stocked: Cast) -> Client:
    return signed_in(stocked.alice, stocked)


def flat(page: str) -> str:
    """Return a page on one line: where its template breaks a line is nothing to read."""
    return " ".join(page.split())


def main_of(page: str) -> str:
    return page[page.index("<main") :]


def assert_blind(page: str, *allowed: str) -> None:
    text = main_of(page)
    # Ids, keys and the instant of a page may hold any digits.
    text = re.sub(r'name="(request_id|csrfmiddlewaretoken)" value="[^"]*"', "", text)
    text = re.sub(r"\d{4}-\d\d-\d\dT[\d:.]+", "", text)
    found = [item for item in TELLING if item in text and item not in allowed]
    assert not found, f"the page tells {found}"
    lowered = text.lower()
    assert not [word for word in WORDS if word in lowered]


def test_a_blind_count_tells_nothing_of_the_book_until_both_have_signed(
    stocked: Cast, client: Client
) -> None:
    keep_shut(stocked)
    pad = words(client.get(new_url("opener", table="BJ-11")))
    assert_blind(pad)
    # The dealer's own blacks agree with the book, so they may be read; the reds may not.
    own = ("137", "13,700", "16,8")
    sign = words(client.post(new_url("opener", table="BJ-11"), keyed(COUNTED)))
    assert_blind(sign, *own)
    answer = client.post(new_url("opener", table="BJ-11"), signing(sign, stocked.dan))
    slip = Slip.objects.get(kind="opener")
    assert answer.headers["Location"] == reverse("slip", args=[slip.serial])
    assert slip.cheques_by_cents == COUNTED

    for person, place in ((stocked.alice, Place.PIT), (stocked.heidi, Place.OFFICE)):
        tablet = signed_in(person, stocked, place)
        assert_blind(words(tablet.get(reverse("slip", args=[slip.serial]))), *own)
        table = words(tablet.get(reverse("table", args=["BJ-11"])))
        assert "Count in progress." in table
        board = words(tablet.get(reverse("pit-board", args=[stocked.pit.pk])))
        assert "Count in progress" in flat(board)
        assert_blind(board, *own)

    page = words(client.get(reverse("slip", args=[slip.serial])))
    verify = reverse("slip-sign", args=[slip.serial, "main", "verified"])
    assert client.post(verify, signing(page, stocked.bob)).status_code == 302

    told = words(client.get(reverse("slip", args=[slip.serial])))
    assert "−$30 against the expected count" in flat(told)
    assert re.search(BOTH, told)
    assert "The shift manager is notified immediately and signs." in told
    assert "The security officer and surveillance officer sign a report." in told
    assert "Variance accepted" in told
    assert not Table.objects.get(name="BJ-11").is_open


def test_the_paper_of_a_blind_count_has_no_line_for_whom_it_does_not_say_it_needs(
    stocked: Cast,
) -> None:
    keep_shut(stocked)
    opener = stocked.count("opener", COUNTED)
    issue = Issue("A. Aliceson", opener.raised_at, copy=None)

    def lines(slip: Slip) -> list[str]:
        return [line.step for group in slip_paper(slip, issue).groups for line in group.lines]

    assert lines(opener) == ["Counted", "Verified"]
    stocked.sign(opener, "verified", stocked.alice, entry=Entry(counted=COUNTED))
    assert lines(Slip.objects.get(pk=opener.pk))[2:] == [
        "Variance accepted",
        "Security reported",
        "Surveillance reported",
    ]


def test_an_opened_table_keeps_the_comparison_on_its_opener(stocked: Cast, client: Client) -> None:
    keep_shut(stocked)
    opener = stocked.count("opener", COUNTED)
    stocked.sign(opener, "verified", stocked.alice, entry=Entry(counted=COUNTED))
    because = Entry(reason="Six red are gone.")
    stocked.sign(opener, "accepted", stocked.heidi, entry=because)
    stocked.sign(opener, "security_reported", stocked.frank, entry=because)
    stocked.sign(opener, "surveillance_reported", stocked.ivan, entry=because)
    page = words(client.get(reverse("slip", args=[opener.serial])))
    assert "−$30 against the expected count" in flat(page)
    assert re.search(BOTH, page)


def test_a_count_that_agrees_says_so_once_both_have_signed(stocked: Cast, client: Client) -> None:
    opener = stocked.open_table(BOOK)
    page = words(client.get(reverse("slip", args=[opener.serial])))
    assert "Every color agrees." in page


@pytest.mark.parametrize("by", ["stacks", "cheques", "dollars"])
def test_a_tray_is_keyed_in_three_ways(stocked: Cast, client: Client, by: str) -> None:
    page = words(client.post(new_url("opener", table="BJ-11"), keyed(BOOK, by)))
    fields = fields_of(page)
    assert {c: int(fields[f"cheques_{c}"]) for c in PAR} == {c: BOOK.get(c, 0) for c in PAR}


def test_an_untouched_cell_blocks_the_count_and_what_was_keyed_stays(
    stocked: Cast, client: Client
) -> None:
    posted = keyed(COUNTED)
    del posted["odd_250"]
    answer = client.post(new_url("opener", table="BJ-11"), posted)
    page = words(answer)
    assert answer.status_code == 422
    assert "$2.50 pink isn’t counted. Enter 0 for an empty tube." in page
    assert 'name="stacks_10000" value="6"' in page
    assert 'id="sign-pad"' not in page
    assert_blind(page, "137", "13,700")


def test_dollars_that_are_no_cheques_are_said_in_their_row(stocked: Cast, client: Client) -> None:
    posted = keyed(BOOK, "dollars") | {"dollars_2500": "30"}
    answer = client.post(new_url("opener", table="BJ-11"), posted)
    assert answer.status_code == 422
    assert "$30 isn’t an exact number of $25 cheques. Did you mean $25 or $50?" in words(answer)


def test_other_colours_can_be_counted_too(stocked: Cast, client: Client) -> None:
    url = new_url("opener", table="BJ-11")
    assert 'name="stacks_50000"' not in words(client.get(url))
    every = new_url("opener", table="BJ-11", colours="all")
    assert 'name="stacks_50000"' in words(client.get(every))
    posted = keyed(BOOK, "cheques") | {"colours": "all", "cheques_2000000": "0"}
    posted |= {"cheques_50000": "2", "cheques_25": "0", "cheques_500000": "0"}
    pad = words(client.post(url, posted))
    assert fields_of(pad)["cheques_50000"] == "2"
    # Whoever changes it finds every color again, the one that the table's par has not too.
    change = re.search(r'href="([^"]*cheques_50000=2[^"]*)"', pad)
    assert change is not None, "there is no way back to the pad"
    again = words(client.get(html.unescape(change[1])))
    assert 'name="odd_50000" value="2"' in again


def test_a_count_that_cannot_be_now_says_why_before_anything_is_keyed(
    stocked: Cast, client: Client
) -> None:
    answer = client.get(new_url("closer", table="BJ-11"))
    assert answer.status_code == 409
    page = words(answer)
    assert "BJ-11 is closed." in page
    assert 'id="count-pad"' not in page


def test_a_wrong_pin_keeps_the_count_and_the_badge(stocked: Cast, client: Client) -> None:
    sign = words(client.post(new_url("opener", table="BJ-11"), keyed(COUNTED)))
    answer = client.post(new_url("opener", table="BJ-11"), signing(sign, stocked.dan, pin="000000"))
    page = words(answer)
    assert "Wrong PIN for D. Danson." in page
    assert fields_of(page)["cheques_500"] == "167"
    assert fields_of(page)["request_id"] == fields_of(sign)["request_id"]
    assert not Slip.objects.filter(kind="opener").exists()


def test_the_supervisor_agrees_to_every_tube_the_empty_ones_too(
    stocked: Cast, client: Client
) -> None:
    opener = stocked.count("opener", BOOK)
    page = words(client.get(reverse("slip", args=[opener.serial])))
    boxes = {name for name in fields_of(page) if name.startswith("agree_")}
    assert boxes == {f"agree_{cents}" for cents in PAR}


def test_an_empty_tray_is_counted_signed_and_agreed_to(cast: Cast) -> None:
    client = signed_in(cast.alice, cast)
    sign = words(client.post(new_url("opener", table="BJ-11"), keyed({})))
    client.post(new_url("opener", table="BJ-11"), signing(sign, cast.dan))
    slip = Slip.objects.get()
    page = words(client.get(reverse("slip", args=[slip.serial])))
    url = reverse("slip-sign", args=[slip.serial, "main", "verified"])
    assert client.post(url, signing(page, cast.alice)).status_code == 302
    assert Table.objects.get(name="BJ-11").is_open


def test_a_closer_shows_its_final_check_before_the_dealer_signs(
    stocked: Cast, client: Client
) -> None:
    stocked.open_table(BOOK)
    page = words(client.post(new_url("closer", table="BJ-11"), keyed(COUNTED)))
    assert "Final check" in page
    assert "Request a fill of" in page
    assert "Request a credit of" in page
    # The pair is proposed from what was counted, and the links ask for just that.
    fill, credit = re.findall(r'href="([^"]+cheques_[^"]+)">Request a', page)
    asked = words(client.get(html.unescape(fill)))
    assert re.search(r'name="cheques_2500"[^>]* value="100"', asked)
    asked = words(client.get(html.unescape(credit)))
    assert re.search(r'name="cheques_10000"[^>]* value="40"', asked)
    client.post(new_url("closer", table="BJ-11"), signing(page, stocked.dan))
    assert tray_holding(Table.objects.get(name="BJ-11")) == BOOK
    slip = Slip.objects.get(kind="closer")
    assert slip.cheques_by_cents == COUNTED


def test_acts_that_cannot_be_now_stay_in_place_with_the_reason(
    stocked: Cast, client: Client
) -> None:
    page = words(client.get(reverse("table", args=["BJ-11"])))
    acts = page[page.index('id="acts"') :]
    assert f'href="{new_url("opener", table="BJ-11")}"' in acts
    stocked.open_table(BOOK)
    stocked.ask({2_500: 20})
    page = words(client.get(reverse("table", args=["BJ-11"])))
    acts = page[page.index('id="acts"') :]
    assert "Open slip" in acts
    assert f'href="{new_url("closer", table="BJ-11")}"' not in acts
    assert f'href="{new_url("count", table="BJ-11")}"' in acts
    watching = signed_in(stocked.ivan, stocked, Place.SURVEILLANCE)
    page = words(watching.get(reverse("table", args=["BJ-11"])))
    assert page.count("Supervisors only") >= 4


@pytest.mark.parametrize("kind", ["opener", "closer", "count", "shift_count", "recount"])
def test_only_those_who_supervise_count_on_the_screen(cast: Cast, kind: str) -> None:
    for person, place in ((cast.erin, Place.CAGE), (cast.ivan, Place.SURVEILLANCE)):
        client = signed_in(person, cast, place)
        url = new_url(kind, table="BJ-11")
        assert (client.get(url).status_code, client.post(url).status_code) == (403, 403)


@pytest.mark.parametrize("kind", ["opener", "closer", "count", "shift_count", "recount"])
@pytest.mark.parametrize("end", ["", "sign"])
def test_where_counts_were_raised_leads_to_where_all_slips_are(
    client: Client, kind: str, end: str
) -> None:
    old = f"/tables/BJ-11/{kind.replace('_', '-')}/{end}"
    for answer in (client.get(old), client.post(old, {"by": "stacks"})):
        assert answer.status_code == 308
        assert answer.headers["Location"] == new_url(kind, table="BJ-11")


def test_the_regulators_notice_asks_for_agent_and_time(stocked: Cast) -> None:
    short = BOOK | {10_000: 135}
    opener = stocked.count("opener", short)
    stocked.sign(opener, "verified", stocked.alice, entry=Entry(counted=short))
    manager = signed_in(stocked.heidi, stocked, Place.OFFICE)
    inbox = words(manager.get(reverse("inbox")))
    (number,) = re.findall(r"/exceptions/(\d+)/", inbox) or re.findall(r"exception\D+(\d+)", inbox)
    url = reverse("exception", args=[int(number)])
    page = words(manager.get(url))
    assert 'name="told_whom"' in page
    assert 'name="told_at"' in page
    assert "Notify the regulator by" in page
    answer = manager.post(url, signing(page, stocked.heidi, told_whom="Agent Ruiz", told_at="soon"))
    assert "Enter who you notified at the regulator and when." in words(answer)
    local = re.search(r'max="([^"]+)"', page)
    assert local is not None
    posted = signing(page, stocked.heidi, told_whom="Agent Ruiz", told_at=local[1])
    assert manager.post(url, posted).status_code == 302
    assert "Notified Agent Ruiz at" in words(manager.get(url))
