"""The cash log through its pages: keyed, looked at, signed, printed, and what each role sees."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from inventory.models import (
    CashEntry,
    CurrencyReport,
    CurrencyReportClosing,
    Patron,
    Stranger,
    StrangerMatch,
    SuspicionNote,
)
from inventory.services.compliance import write_note
from pitboss.models import JournalEntry, Slip
from pitboss.rules.patrons.cash_log import CashKind
from pitboss.rules.roles import Place
from tests.floor.cash_log import (
    RED_JACKET,
    log,
    log_elsewhere,
    make_patron,
    match,
    take_back,
    today,
)
from tests.floor.cast import Cast, ServerClock
from tests.floor.currency_reports import BSA_ID, file_whole
from tests.floor.tablets import signed_in, signing, words

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def ana(cast: Cast) -> Patron:
    return make_patron(cast)


@pytest.fixture
def pit(cast: Cast) -> Client:
    return signed_in(cast.alice, cast)


@pytest.fixture
def office(cast: Cast) -> Client:
    return signed_in(cast.petra, cast, Place.OFFICE)


def look(client: Client, **keyed: Any) -> Any:
    """Post the form, which stores nothing and answers with the day and the pad."""
    return client.post("/tables/BJ-11/cash/", {"kind": "buy_in", "amount": "500", **keyed})


def sign(client: Client, page: Any, cast: Cast, **more: Any) -> Any:
    posted = signing(words(page), cast.alice, **more)
    return client.post("/tables/BJ-11/cash/sign", posted)


def test_cash_is_logged_from_the_table_in_three_choices(
    cast: Cast, pit: Client, ana: Patron
) -> None:
    table = words(pit.get("/tables/BJ-11/"))
    assert 'href="/tables/BJ-11/cash/"' in table
    looked = look(pit, find="ruiz", amount="6,000")
    assert (looked.status_code, CashEntry.objects.count()) == (200, 0)
    assert "Cash of $3,000 or more" in words(looked)
    answer = sign(pit, looked, cast)
    assert (answer.status_code, answer["Location"]) == (302, "/tables/BJ-11/")
    assert CashEntry.objects.get().amount_cents == 600_000
    timeline = words(pit.get("/tables/BJ-11/"))
    assert "Buy-in $6,000 logged. Ana Ruiz: $6,000 in today." in timeline
    assert "<b>Buy-in $6,000</b>" in timeline


def test_the_crossing_transaction_is_stored_only_once_its_warning_was_ticked(
    cast: Cast, pit: Client, ana: Patron
) -> None:
    log_elsewhere(cast, ana, 6_000)
    looked = look(pit, who=f"p{ana.pk}", amount="5,000")
    page = words(looked)
    assert "This brings the day’s cash in to $11,000, over $10,000." in page
    posted = signing(page, cast.alice)
    assert posted.pop("seen") == "yes"
    posted["behalf"] = "own"
    refused = pit.post("/tables/BJ-11/cash/sign", posted)
    assert refused.status_code == 422
    assert "Read the warning" in words(refused)
    assert CashEntry.objects.count() == 1
    assert sign(pit, looked, cast, behalf="own").status_code == 302
    assert CurrencyReport.objects.count() == 1


def test_a_sum_that_changed_meanwhile_is_shown_again(cast: Cast, pit: Client, ana: Patron) -> None:
    looked = look(pit, who=f"p{ana.pk}", amount="5,000")
    log_elsewhere(cast, ana, 6_000)
    stale = sign(pit, looked, cast)
    assert stale.status_code == 409
    assert "$11,000" in words(stale)
    assert sign(pit, stale, cast, behalf="own").status_code == 302
    assert CurrencyReport.objects.count() == 1


@pytest.mark.parametrize(
    ("keyed", "said"),
    [
        ({}, "Choose a patron on file"),
        ({"find": "nobody"}, "No patron on file is called nobody."),
        ({"find": "r"}, "Several patrons are called r."),
        ({"find": "ruiz", "description": RED_JACKET}, "not both"),
        ({"description": "A man"}, "so others can recognize them"),
        ({"who": "p999"}, "Choose a patron on file"),
        ({"who": "x"}, "Choose a patron on file"),
        ({"find": "ana ruiz", "amount": "-5"}, "Cash isn’t valid."),
        ({"find": "ana ruiz", "amount": "0"}, "Cash isn’t valid."),
        ({"find": "ana ruiz", "amount": "lots"}, "Cash isn’t valid."),
        ({"find": "ana ruiz", "kind": "marker_payment"}, "Choose what the cash is for"),
        ({"find": "ana ruiz", "kind": ""}, "Choose what the cash is for"),
    ],
)
def test_what_cannot_be_logged_is_said_on_the_form(
    cast: Cast, pit: Client, ana: Patron, keyed: dict[str, str], said: str
) -> None:
    make_patron(cast, "Rosa", "Ruiz")
    answer = look(pit, **keyed)
    assert answer.status_code == 422
    assert said in words(answer)
    assert not CashEntry.objects.exists()


def test_of_several_with_one_name_one_is_chosen(cast: Cast, pit: Client, ana: Patron) -> None:
    rosa = make_patron(cast, "Rosa")
    page = words(look(pit, find="ruiz"))
    assert "Ana Ruiz" in page
    assert "Rosa Ruiz" in page
    answer = look(pit, find="ruiz", who=f"p{rosa.pk}")
    assert answer.status_code == 200
    assert "Rosa Ruiz" in words(answer)
    assert "I certify this cash transaction of $500 with the person shown" in words(answer)


def test_a_stranger_is_described_once_and_offered_again(cast: Cast, pit: Client) -> None:
    assert sign(pit, look(pit, description=RED_JACKET), cast).status_code == 302
    stranger = Stranger.objects.get()
    form = words(pit.get("/tables/BJ-11/cash/"))
    assert f'value="s{stranger.pk}"' in form
    assert sign(pit, look(pit, who=f"s{stranger.pk}"), cast).status_code == 302
    assert [cash_entry.day_sum_cents for cash_entry in CashEntry.objects.order_by("id")] == [
        50_000,
        100_000,
    ]
    assert Stranger.objects.count() == 1


def test_the_cage_logs_at_its_window(cast: Cast, ana: Patron) -> None:
    cage = signed_in(cast.erin, cast, Place.CAGE)
    assert 'href="/cage/cash/"' in words(cage.get("/cage/"))
    keyed = {"kind": "marker_advance", "amount": "700", "who": f"p{ana.pk}"}
    looked = cage.post("/cage/cash/", keyed)
    posted = signing(words(looked), cast.erin)
    assert cage.post("/cage/cash/sign", posted)["Location"] == "/cage/"
    entry = CashEntry.objects.get()
    assert (entry.direction, entry.place) == ("out", "cage")


# Reading.


def test_the_days_log_is_read_by_pit(cast: Cast, pit: Client, ana: Patron) -> None:
    log(cast, ana, 500)
    log_elsewhere(cast, make_patron(cast, "Ben"), 600)
    log(cast, ana, 700, table=None, kind=CashKind.CASH_OUT)
    day = f"/cash/{today().isoformat()}/"
    assert pit.get("/cash/")["Location"] == day
    whole = words(pit.get(day))
    assert "$1,100" in whole
    here = words(pit.get(f"{day}?at={cast.pit.pk}"))
    assert "Ana Ruiz" in here
    assert "Ben Ruiz" not in here
    at_the_cage = words(pit.get(f"{day}?at=cage"))
    assert "Cash-out" in at_the_cage
    assert "Buy-in" not in at_the_cage
    assert pit.get("/cash/yesterday/").status_code == 404


def test_the_multiple_transaction_log_has_whoever_reached_its_amount(
    cast: Cast, pit: Client, ana: Patron
) -> None:
    log(cast, ana, 1_500)
    log_elsewhere(cast, ana, 1_500)
    log(cast, make_patron(cast, "Ben"), 2_999)
    page = words(pit.get(f"/cash/{today().isoformat()}/multiple/"))
    assert "Ana Ruiz" in page
    assert "Ben Ruiz" not in page
    assert "A. Aliceson TG-101" in page
    assert "B. Bobson TG-102" in page
    sheet = pit.get(f"/cash/{today().isoformat()}/multiple.csv")
    lines = sheet.content.decode().splitlines()
    assert len(lines) == 3
    assert "Ana Ruiz,yes,buy_in,in,1500.00,3000.00,BJ-21,B. Bobson TG-102,," in lines[2]


def test_a_name_in_the_sheet_is_no_formula(cast: Cast, pit: Client) -> None:
    log(cast, "=HYPERLINK(1) man in a red jacket", 3_000)
    sheet = pit.get(f"/cash/{today().isoformat()}/multiple.csv").content.decode()
    assert "'=HYPERLINK" in sheet


def test_an_entry_is_taken_back_from_the_persons_day(cast: Cast, pit: Client, ana: Patron) -> None:
    entry = log(cast, ana, 6_000)
    day = f"/cash/{today().isoformat()}/people/p{ana.pk}/"
    url = f"/slips/new/cash_correction/?entry={entry.pk}"
    assert url in words(pit.get(day))
    assert pit.get(f"/cash-entries/{entry.pk}/back/").headers["Location"] == url
    page = words(pit.get(url))
    assert "buy-in, $6,000" in page
    posted = signing(page, cast.alice, reason="Keyed twice.")
    answer = pit.post(url, posted)
    slip = Slip.objects.get(kind="cash_correction")
    assert answer["Location"] == f"/slips/{slip.serial}/"
    own = words(pit.get(answer["Location"]))
    assert "buy-in, $6,000" in own
    assert "Refuse…" in own
    cast.sign(slip, "approved", cast.carol)
    after = words(pit.get(day))
    assert "reversed" in after
    assert "−$6,000" in after
    again = pit.get(url)
    assert again.status_code == 409
    assert "already reversed" in words(again)


def test_a_stranger_is_known_again_from_their_day(cast: Cast, pit: Client, ana: Patron) -> None:
    stranger = log(cast, RED_JACKET, 6_000).stranger
    assert stranger is not None
    own = f"/cash-strangers/{stranger.pk}/"
    person = words(pit.get(f"/cash/{today().isoformat()}/people/s{stranger.pk}/"))
    assert own in person
    assert "Ana Ruiz" in words(pit.get(f"{own}?find=ana"))
    page = words(pit.get(f"{own}?who=p{ana.pk}"))
    assert "Patron: <b>Ana Ruiz</b>" in page
    assert "I certify that I know this person and that this is the patron shown." in page
    posted = signing(page, cast.alice, reason="Showed a driving licence.")
    assert pit.post(own, posted).status_code == 302
    assert StrangerMatch.objects.get().patron == ana
    named = words(pit.get(f"/cash/{today().isoformat()}/people/p{ana.pk}/"))
    assert RED_JACKET in named
    assert pit.post(own, {**posted, "who": ""}).status_code == 422
    assert pit.get(f"/cash/{today().isoformat()}/people/x1/").status_code == 404


def test_compliance_parts_a_match_on_the_same_page(cast: Cast, office: Client, ana: Patron) -> None:
    stranger = log(cast, RED_JACKET, 6_000).stranger
    assert stranger is not None
    match(cast, stranger, ana)
    own = f"/cash-strangers/{stranger.pk}/"
    assert f"{own}?who=none" in words(office.get(own))
    page = words(office.get(f"{own}?who=none"))
    assert "Ana Ruiz" in page
    assert "I certify that this person was not the patron shown." in page
    posted = signing(page, cast.petra, reason="Another on the tape.")
    assert office.post(own, posted).status_code == 302
    assert StrangerMatch.objects.latest("id").patron is None


# The desk.


def test_the_desk_leads_from_the_inbox_to_a_closed_report(
    cast: Cast, office: Client, ana: Patron, server_clock: ServerClock
) -> None:
    log(cast, ana, 11_000)
    report = CurrencyReport.objects.get()
    own = f"/compliance/reports/{report.pk}/"
    assert own in words(office.get("/inbox/"))
    desk = words(office.get("/compliance/"))
    assert "Due in 15 days" in desk
    assert "address, date of birth, tax ID, ID document" in desk
    assert "The gaming day is not over." in words(office.get(own))
    server_clock.move(days=1)
    office = signed_in(cast.petra, cast, Place.OFFICE)
    page = words(office.get(own))
    assert "Complete the report…" in " ".join(page.split())
    file_whole(cast, report)
    assert BSA_ID in words(office.get("/compliance/"))
    assert f"as {BSA_ID}." in words(office.get(own))
    assert "Report on cash in filed" in words(office.get("/cash/2026-05-01/multiple/"))


def test_a_report_that_is_no_longer_due_is_closed_with_a_reason(
    cast: Cast, office: Client, ana: Patron, server_clock: ServerClock
) -> None:
    entry = log(cast, ana, 11_000)
    report = CurrencyReport.objects.get()
    server_clock.move(days=1)
    office = signed_in(cast.petra, cast, Place.OFFICE)
    own = f"/compliance/reports/{report.pk}/?ends=not_due"
    page = words(office.get(own))
    posted = signing(page, cast.petra, reason="Keyed twice.")
    assert "File the report." in words(office.post(own, posted))
    take_back(cast, entry)
    assert "No longer due." in words(office.get(own))
    assert office.post(own, posted).status_code == 302
    assert CurrencyReportClosing.objects.get().outcome == "not_due"


def test_an_exception_of_a_report_leads_to_its_own_page(
    cast: Cast, office: Client, pit: Client, ana: Patron
) -> None:
    log(cast, ana, 11_000)
    report = CurrencyReport.objects.get()
    answer = office.get("/exceptions/1/")
    assert answer["Location"] == f"/compliance/reports/{report.pk}/"
    assert pit.get(answer["Location"]).status_code == 403


# Notes that nobody else sees.


def test_a_dealers_note_is_written_on_the_supervisors_tablet_and_read_at_the_desk(
    cast: Cast, pit: Client, office: Client
) -> None:
    page = words(pit.get("/compliance/notes/new/?table=BJ-11"))
    posted = signing(page, cast.dan, reason="Asked how to stay under the limit.")
    assert pit.post("/compliance/notes/new/", posted)["Location"] == "/tables/BJ-11/"
    note = SuspicionNote.objects.get()
    assert (note.written_by, note.table) == (cast.dan, cast.table)
    own = f"/compliance/notes/{note.pk}/"
    assert pit.get(own).status_code == 403
    assert "Unread" in words(office.get("/compliance/"))
    assert "Asked how to stay under the limit." in words(office.get(own))
    assert JournalEntry.objects.filter(kind="compliance_note_read").count() == 1
    assert "Unread" not in words(office.get("/compliance/"))
    again = words(pit.get("/compliance/notes/new/"))
    refused = pit.post("/compliance/notes/new/", signing(again, cast.dan, reason=" "))
    assert refused.status_code == 422


@pytest.mark.parametrize("who", ["alice", "carol", "heidi", "erin", "ruth", "olga"])
def test_no_page_of_a_person_tells_that_there_is_a_note(
    cast: Cast, ana: Patron, who: str, server_clock: ServerClock
) -> None:
    stranger = log(cast, RED_JACKET, 6_000).stranger
    log(cast, ana, 6_000)
    person = getattr(cast, who)
    day = f"/cash/{today().isoformat()}"
    pages = (
        f"{day}/",
        f"{day}/multiple/",
        f"{day}/people/p{ana.pk}/",
        f"{day}/people/s{stranger.pk}/",  # type: ignore[union-attr]
        "/tables/BJ-11/",
    )

    client = signed_in(person, cast)

    def seen() -> list[list[str]]:
        return [without_tokens(words(client.get(page))) for page in pages]

    before = seen()
    for about in ({"patron": ana}, {"stranger": stranger}, {}):
        write_note(
            text="The same bills came back.",
            pen=cast.pen(cast.dan),
            table=cast.table,
            **about,
        )
    assert seen() == before


def without_tokens(page: str) -> list[str]:
    """Return the lines of a page without what differs at each look: the tokens of its forms."""
    return re.sub(r"[A-Za-z0-9]{64}", "", page).splitlines()
