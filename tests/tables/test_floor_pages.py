"""The floor log on a tablet: two taps from the table, a pad where it is signed, the log read."""

from __future__ import annotations

import re
from io import BytesIO

import pytest
from django.test import Client
from django.urls import reverse
from pypdf import PdfReader

from inventory.models import CashEntry, CurrencyReport
from pitboss.models import JournalEntry, JournalSeal
from pitboss.services import house
from pitboss.services.verification import verify
from tables.models import FloorEntry, FloorRequest
from tables.services.floor_log import answer
from tests.floor.cast import Cast
from tests.floor.markers import make_patron
from tests.floor.tablets import fields_of, signed_in, signing, words
from tests.floor.terminals import TerminalClient
from tests.tables.test_floor_log import BUY_IN, ask, note, tap
from tests.tables.test_floor_log import floor as floor
from tests.tables.test_floor_log import terminal as terminal

pytestmark = pytest.mark.django_db


@pytest.fixture
def tablet(floor: Cast) -> Client:
    return signed_in(floor.alice, floor)


def page(client: Client, url: str) -> str:
    return words(client.get(url))


def text_of(pdf: bytes) -> str:
    """Return the words on a paper, without its line breaks."""
    pages = (page_object.extract_text() for page_object in PdfReader(BytesIO(pdf)).pages)
    return " ".join(" ".join(pages).split())


def form(floor: Cast, code: str) -> str:
    return reverse("floor-enter", args=[floor.table.name, code])


def keyed(client: Client, url: str, **more: str) -> dict[str, str]:
    return {**fields_of(words(client.get(url))), **more}


def test_a_nod_is_two_taps_from_the_table(floor: Cast, tablet: Client) -> None:
    table, choose = (reverse(name, args=[floor.table.name]) for name in ("table", "floor-choose"))
    assert f'href="{choose}"' in page(tablet, table)
    assert f'href="{form(floor, "buy_in")}"' in page(tablet, choose)
    url = form(floor, "buy_in")
    answer = tablet.post(url, keyed(tablet, url, amount_cents="1,000"), follow=True)
    assert "Granted: Buy-in or change of $1,000." in words(answer)
    assert FloorEntry.objects.get().sends == {"10000": 5, "2500": 20}
    assert "Buy-in or change of $1,000. Granted by A. Aliceson" in page(tablet, table)


def test_the_cheques_to_send_are_shown_as_the_amount_is_keyed(floor: Cast, tablet: Client) -> None:
    send = reverse("floor-send", args=[floor.table.name, "buy_in"])
    assert "Send $1,000" in page(tablet, f"{send}?amount_cents=1000")
    assert "Send" not in page(tablet, f"{send}?amount_cents=lots")
    assert tablet.get(reverse("floor-send", args=[floor.table.name, "x"])).status_code == 404
    assert tablet.get(form(floor, "x")).status_code == 404


def test_cheques_are_keyed_in_two_columns_and_kept_after_a_refusal(
    floor: Cast, tablet: Client
) -> None:
    url = form(floor, "cheque_change")
    sent = keyed(tablet, url, taken_10000="2", sent_2500="4")
    answer = tablet.post(url, sent)
    assert answer.status_code == 422
    assert 'name="taken_10000" value="2"' in words(answer)
    answer = tablet.post(url, {**sent, "sent_2500": "8"})
    assert answer.status_code == 302
    assert FloorEntry.objects.get().facts == {"taken": {"10000": 2}, "sent": {"2500": 8}}


def test_from_the_second_amount_the_pad_comes_up(floor: Cast, tablet: Client) -> None:
    url = form(floor, "buy_in")
    looks = "Man of about 50, tall, gray hair, blue suit"
    pad = tablet.post(url, keyed(tablet, url, amount_cents="5000", description=looks))
    assert (pad.status_code, FloorEntry.objects.count()) == (200, 0)
    shown = words(pad)
    assert "Sign as supervisor" in shown
    wrong = tablet.post(url, {**signing(shown, floor.alice), "pin": "000000"})
    assert wrong.status_code == 422
    assert "Wrong PIN" in words(wrong)
    assert tablet.post(url, signing(words(wrong), floor.bob)).status_code == 302
    entry = FloorEntry.objects.get()
    assert (entry.by, entry.amount_cents, entry.is_signed) == (floor.bob, 500_000, True)


def test_a_known_patrons_cash_goes_into_the_days_sum(floor: Cast, tablet: Client) -> None:
    patron = make_patron(floor)
    url = form(floor, "buy_in")
    sent = keyed(tablet, url, amount_cents="1000", find=patron.last_name)
    assert tablet.post(url, sent).status_code == 302
    cash = CashEntry.objects.get()
    assert (cash.patron, cash.amount_cents, cash.table) == (patron, 100_000, floor.table)
    assert cash.day_sum_cents == 100_000
    journal_entry = JournalEntry.objects.get(kind="floor_logged")
    assert f'"inventory.CashEntry",{cash.pk}' in journal_entry.text.replace(" ", "")
    unknown = tablet.post(url, keyed(tablet, url, amount_cents="1000", find="Nobody"))
    assert (unknown.status_code, FloorEntry.objects.count()) == (422, 1)


def test_cash_over_the_limit_is_read_and_signed_before_the_nod(floor: Cast, tablet: Client) -> None:
    patron = make_patron(floor)
    url = form(floor, "buy_in")
    for _ in range(5):
        sent = keyed(tablet, url, amount_cents="2000", find=patron.last_name)
        tablet.post(url, sent)
    sent = keyed(tablet, url, amount_cents="500", find=patron.last_name)
    pad = tablet.post(url, sent)
    shown = words(pad)
    assert "over $10,000" in shown
    assert "I reviewed the warning" in shown
    assert FloorEntry.objects.count() == 5
    unread = signing(words(pad), floor.alice)
    del unread["seen"]
    again = tablet.post(url, unread)
    assert again.status_code == 422
    assert tablet.post(url, signing(words(again), floor.alice)).status_code == 302
    assert CurrencyReport.objects.get().sum_cents == 1_050_000
    assert CashEntry.objects.latest("pk").was_warned


def test_more_cash_than_the_limit_is_taken_from_nobody_unknown(floor: Cast, tablet: Client) -> None:
    url = form(floor, "buy_in")
    for described, said in (("", "or describe them"), ("A man.", "so others can recognize them")):
        sent = keyed(tablet, url, amount_cents="12000", description=described)
        again = tablet.post(url, sent)
        assert again.status_code == 422
        assert said in words(again)
    sent["description"] = "Man of about 50, tall, gray hair, blue suit"
    pad = words(tablet.post(url, sent))
    warned = words(tablet.post(url, signing(pad, floor.alice)))
    assert "I reviewed the warning" in warned
    assert not FloorEntry.objects.exists()
    assert tablet.post(url, signing(warned, floor.alice)).status_code == 302
    cash, report = CashEntry.objects.get(), CurrencyReport.objects.get()
    assert cash.stranger is not None
    assert (cash.stranger.description, report.sum_cents) == (sent["description"], 1_200_000)
    assert verify().is_sound


def test_a_request_is_on_the_table_the_board_and_the_inbox_and_is_answered(
    floor: Cast, tablet: Client, terminal: TerminalClient
) -> None:
    number = ask(terminal).json()["request"]
    url = reverse("floor-request", args=[number])
    assert f'href="{url}"' in page(tablet, reverse("table", args=[floor.table.name]))
    assert f'href="{url}"' in page(tablet, reverse("inbox"))
    board = page(tablet, reverse("pit-board", args=[floor.pit.pk]))
    assert "Request" in board
    assert "tile--wait" in board
    shown = page(tablet, url)
    assert "Send $1,000" in shown
    refused = tablet.post(url, keyed(tablet, url, act="decline", why=""))
    assert refused.status_code == 422
    assert tablet.post(url, keyed(tablet, url, act="grant")).status_code == 302
    assert terminal.get(f"requests/{number}").json()["state"] == "granted"
    assert "Granted by A. Aliceson" in page(tablet, url).replace("</b>", "").replace("<b>", "")
    late = tablet.post(url, keyed(tablet, url, act="grant") | {"request_id": "0" * 32})
    assert late.status_code == 409


def test_a_request_of_the_second_amount_is_granted_on_the_pad(
    floor: Cast, tablet: Client, terminal: TerminalClient
) -> None:
    facts = {"taken": {"10000": 40}, "sent": {"100000": 4}}
    url = reverse("floor-request", args=[ask(terminal, "cheque_change", facts).json()["request"]])
    shown = words(tablet.get(url))
    assert "Grant, sign as supervisor" in shown
    sent = {**fields_of(shown), "act": "grant", "badge": "101", "pin": "101101"}
    assert tablet.post(url, sent).status_code == 302
    assert FloorEntry.objects.get().is_signed


def test_a_closing_notice_is_on_the_board_the_table_and_the_terminal_until_it_closes(
    floor: Cast, tablet: Client, terminal: TerminalClient
) -> None:
    table, board = (
        reverse("table", args=[floor.table.name]),
        reverse("pit-board", args=[floor.pit.pk]),
    )
    assert terminal.get("table").json()["closing_after_shoe_since"] is None
    entry = note(floor, "closing_notice")
    assert "Last shoe" in page(tablet, table)
    assert "Closing after this shoe" in page(tablet, board)
    assert terminal.get("table").json()["closing_after_shoe_since"] == entry.at.isoformat()
    again = form(floor, "closing_notice")
    assert tablet.post(again, {"request_id": "1" * 32}).status_code == 409
    note(floor, "closing_withdrawn")
    assert "Last shoe" not in page(tablet, table)
    assert (
        tablet.post(form(floor, "closing_withdrawn"), {"request_id": "2" * 32}).status_code == 409
    )
    note(floor, "closing_notice")
    counted = {10_000: 40, 2_500: 80, 500: 100, 100: 40}
    floor.close_table(counted)
    floor.open_table(counted)
    assert "Last shoe" not in page(tablet, table)


def test_the_log_is_read_by_shift_pit_and_table(floor: Cast, tablet: Client) -> None:
    note(floor, "buy_in", BUY_IN)
    note(floor, "dealer_cut")
    log = reverse("floor-log")
    shown = page(tablet, log)
    assert shown.index("the dealer cuts") < shown.index("Buy-in or change of $1,000.")
    assert "Nothing logged" in page(tablet, f"{log}?table={floor.other_table.name}")
    assert "the dealer cuts" in page(tablet, f"{log}?table={floor.table.name}")
    assert "the dealer cuts" in page(tablet, f"{log}?pit={floor.pit.pk}")
    assert "Nothing logged" in page(tablet, f"{log}?day=2026-01-01")
    assert tablet.get(f"{log}?day=soon").status_code == 404
    assert tablet.get(f"{log}?table=none").status_code == 404


def test_a_shifts_log_prints_with_the_newest_seal_and_what_nobody_answered(
    floor: Cast, tablet: Client, terminal: TerminalClient
) -> None:
    JournalSeal.objects.create(
        number=412, at=house.now(), text="{}", key_name="journal-1", link="ab12" * 16
    )
    note(floor, "buy_in", BUY_IN)
    row = FloorRequest.objects.get(pk=ask(terminal, "dealer_cut", {}).json()["request"])
    answer(asked=row, is_granted=False, hand=tap(floor), reason="Offer it to seat 3.")
    ask(terminal, "dead_spread", {})
    log = page(tablet, reverse("floor-log"))
    (link,) = re.findall(r'href="([^"]+/pdf[^"]*)"', log)
    printed = tablet.get(link)
    assert (printed.status_code, printed.headers["Content-Type"]) == (200, "application/pdf")
    paper = text_of(printed.content)
    for line in (
        "Floor log",
        "Buy-in or change of $1,000.",
        "5 × $100 black",
        "declined: Offer it to seat 3.",
        "Dead game: the shoe is broken down",
        "A. Aliceson TG-101",
        "412 of",
        "ab12" * 16,
    ):
        assert line in paper, line
    other = page(tablet, f"{reverse('floor-log')}?table={floor.other_table.name}")
    (link,) = re.findall(r'href="([^"]+/pdf[^"]*)"', other)
    assert "Buy-in" not in text_of(tablet.get(link).content)


def test_the_reference_cards_are_made_from_the_rules(floor: Cast, tablet: Client) -> None:
    url = reverse("reference", args=[floor.table.name])
    assert f'href="{url}"' in page(tablet, reverse("floor-choose", args=[floor.table.name]))
    shown = page(tablet, url)
    assert shown.count('class="strategy__move strategy__move--split"') == 36
    assert "4-4-2" in shown, "ten green"
    assert "3:2" in shown or "3 to 2" in shown
    dealer = page(signed_in(floor.dan, floor), url)
    assert reverse("table", args=[floor.table.name]) + '"' not in dealer
