"""Jackpots and big wins that were paid on paper in an outage are entered afterwards."""

from __future__ import annotations

import re
from datetime import date, datetime
from typing import Any

import pytest
from django.db import DatabaseError, transaction
from django.urls import reverse

from inventory.models import CashEntry, CurrencyReport
from inventory.selectors.cheques import balances, counts_off_the_ledger, tray_holding
from inventory.selectors.patrons import identity_documents
from jackpots.kinds.late_tax import LATE_TAX_KIND
from jackpots.kinds.late_win import LATE_BIG_WIN_KIND, LATE_JACKPOT_KIND
from jackpots.models import (
    Jackpot,
    JackpotFigure,
    JackpotPayment,
    Meter,
    MeterEntry,
    MeterReading,
    TaxForm,
)
from jackpots.selectors.jackpots import envy_between
from jackpots.services.figures import balance_of
from jackpots.services.late_wins import read_cards
from pitboss.models import FloorException, PaperFormEnd, Slip, Table
from pitboss.rules.cheques.cheques import total_cents
from pitboss.rules.flows.flows import Track
from pitboss.rules.refusal import Refused
from pitboss.rules.roles import Place
from pitboss.services import house
from pitboss.services.signing import Entry
from pitboss.services.verification import verify
from pitboss.slips.addresses import new_url
from pitboss.slips.kind import Kind
from pitboss.slips.raising import raise_kind, shown_before
from tables.reports.win import TableWin, table_report
from tests.floor.big_wins import TRAY, roof
from tests.floor.cast import Cast, ServerClock, refused
from tests.floor.corrections import approve, propose
from tests.floor.drop_box import count_and_post, count_tray, pull
from tests.floor.jackpots import hit, open_tables, released
from tests.floor.outages import declare, ready
from tests.floor.tablets import words
from tests.floor.tax_papers import make_winner, name_payer
from tests.test_access import signed_in

pytestmark = pytest.mark.django_db(transaction=True)
ROOF: dict[str, Any] = {
    "seat": 3,
    "wager": "raise_the_roof",
    "stake": 100,
    "raise": 100,
    "dealer": "6♥ 4h 5h 7h",
    "award": 100_000,
    "source": "tray",
}
GRAND = {100_000: 1}
SEVENS: dict[str, Any] = {
    "seat": 3,
    "wager": "blazing_7s",
    "stake": 500,
    "player": "7h 7h",
    "dealer": "7h",
    "showed": 2_431_055,
    "award": 2_431_055,
    "source": "cage",
}


def late(
    cast: Cast,
    kind: Kind,
    at: datetime,
    cheques: dict[int, int] | None = None,
    *,
    number: str = "",
    **given: Any,
) -> Slip:
    """Enter a form of a win as Alice."""
    assert kind.on_paper is not None
    number = number or ready(cast, kind.on_paper.code, at)
    paper = kind.at(
        Table.objects.get(pk=cast.table.pk),
        cheques or {},
        paper_number=number,
        true_time=at.isoformat(),
        signers="D. Danson, A. Aliceson",
        **given,
    )
    return raise_kind(paper, pen=cast.pen(cast.alice), shown=shown_before(paper))


def compared(cast: Cast, slip: Slip) -> Slip:
    cast.sign(slip, "approved", cast.carol)
    slip.refresh_from_db()
    return slip


def big_win(cast: Cast, at: datetime, cheques: dict[int, int] | None = None, **given: Any) -> Slip:
    return late(cast, LATE_BIG_WIN_KIND, at, GRAND if cheques is None else cheques, **ROOF | given)


def jackpot(cast: Cast, at: datetime, **given: Any) -> Slip:
    return late(cast, LATE_JACKPOT_KIND, at, **SEVENS | given)


def report(cast: Cast) -> TableWin:
    return table_report(cast.table, house.period_at(house.now()).gaming_day)


def amount(cast: Cast, key: str) -> int:
    return next(line.amount_cents for line in report(cast).lines if line.key == key)


@pytest.fixture
def down(cast: Cast, server_clock: ServerClock) -> datetime:
    """A time in an outage at an open table of Raise the Roof."""
    roof(cast)
    server_clock.move(minutes=10)
    declare(cast)
    server_clock.move(minutes=10)
    at = house.now()
    server_clock.move(minutes=20)
    return at


def test_a_big_win_on_paper_left_the_tray_at_its_time(cast: Cast, down: datetime) -> None:
    held = tray_holding(cast.table)
    slip = big_win(cast, down)
    assert tray_holding(cast.table) == held, "nothing moves before it is compared"
    assert not Jackpot.objects.exists()
    compared(cast, slip)
    assert tray_holding(cast.table)[100_000] == held[100_000] - 1
    paid = JackpotPayment.objects.get()
    assert (paid.source, paid.award_cents, paid.at) == ("tray", 100_000, down)
    assert Jackpot.objects.get().category != "in_words"
    assert PaperFormEnd.objects.get(slip=slip).how == "entered"
    assert not FloorException.objects.filter(slip=slip, code__startswith="award_").exists()
    assert verify().is_sound


def test_a_win_of_the_tray_that_was_counted_since_is_won_back_by_that_count(
    cast: Cast, down: datetime, server_clock: ServerClock
) -> None:
    counted = {**TRAY, 100_000: TRAY[100_000] - 1}
    count_tray(cast, counted)
    before = sum(line.sign * line.amount_cents for line in report(cast).lines)
    compared(cast, big_win(cast, down))
    assert tray_holding(Table.objects.get(pk=cast.table.pk)) == counted
    assert sum(line.sign * line.amount_cents for line in report(cast).lines) == before
    assert amount(cast, "jackpots") == 100_000
    assert all(balance.adds_up for balance in balances())
    assert not counts_off_the_ledger()


def test_a_win_paid_at_the_cage_is_a_line_beside_the_tray(
    cast: Cast, down: datetime, server_clock: ServerClock
) -> None:
    held = total_cents(tray_holding(cast.table))
    compared(cast, big_win(cast, down, {}, source="cage"))
    assert total_cents(tray_holding(cast.table)) == held
    server_clock.move(hours=1)
    cast.close_table(TRAY)
    count_and_post(cast, pull(cast), {"cash_10000": 800_000})
    assert (amount(cast, "jackpots"), amount(cast, "jackpots_cage")) == (0, 100_000)
    final = report(cast).final
    assert final is not None
    assert final.after_payouts_cents == final.before_payouts_cents - 100_000


@pytest.mark.parametrize(
    ("given", "code", "cents"),
    [
        ({"award": 150_000}, "award_receivable", 50_000),
        ({"award": 90_000}, "award_liability", -10_000),
        ({"dealer": "6h 4c 5h 7h", "award": 100_000}, "award_receivable", 90_000),
    ],
)
def test_what_the_rules_find_otherwise_is_an_item_for_the_cage_manager(
    cast: Cast, down: datetime, given: dict[str, Any], code: str, cents: int
) -> None:
    slip = compared(cast, big_win(cast, down, {}, source="cage", **given))
    item = FloorException.objects.get(slip=slip, code=code)
    assert item.details["amount_cents"] == cents


def test_what_a_form_cannot_say_is_refused_with_every_reason(cast: Cast, down: datetime) -> None:
    number = ready(cast, "BW", down)
    for given, cheques, code in (
        ({}, {100_000: 2}, "payment_differs"),
        ({"source": "cage"}, GRAND, "cheques_not_of_the_tray"),
        ({"withheld": 100_001, "source": "cage"}, {}, "withheld_above_win"),
    ):
        with refused(code):
            big_win(cast, down, cheques, number=number, **given)
    with pytest.raises(Refused, match="not a card"):
        big_win(cast, down, number=number, dealer="6h 4h 5h 7x")
    assert not Slip.objects.filter(kind="late_big_win").exists()


def test_a_late_win_is_corrected_as_any_other(cast: Cast, down: datetime) -> None:
    slip = compared(cast, big_win(cast, down))
    held = total_cents(tray_holding(cast.table))
    correction = propose(cast, "award_correction", slip, None, by=cast.bob, source="cage")
    approve(cast, correction, cast.trent, place=Place.CAGE)
    assert total_cents(tray_holding(cast.table)) == held + 100_000
    assert all(balance.adds_up for balance in balances())


def test_a_late_win_is_corrected_past_a_count_that_was_under_way_when_it_was_paid(
    cast: Cast, down: datetime, server_clock: ServerClock
) -> None:
    under_way = cast.count("count", TRAY)
    server_clock.move(minutes=5)
    at = house.now()
    server_clock.move(minutes=5)
    cast.sign(under_way, "verified", cast.alice, entry=Entry(counted=TRAY))
    slip = compared(cast, big_win(cast, at))
    assert total_cents(tray_holding(cast.table)) == total_cents(TRAY) - 100_000
    correction = propose(cast, "award_correction", slip, None, by=cast.bob, source="cage")
    approve(cast, correction, cast.trent, place=Place.CAGE)
    assert total_cents(tray_holding(cast.table)) == total_cents(TRAY)


def test_a_late_jackpot_empties_its_meter_at_what_it_showed(
    cast: Cast, server_clock: ServerClock
) -> None:
    meter = open_tables(cast)
    at = house.now()
    slip = compared(cast, jackpot(cast, at))
    win = Jackpot.objects.get(slip=slip)
    assert (win.percent, win.level) == (100, "JACKPOT")
    assert JackpotFigure.objects.get().frozen_cents == 2_431_055
    assert JackpotPayment.objects.get().paid_cents == 2_431_055
    assert balance_of(meter).shown_cents == 1_000_000, "it starts over at its reset"
    causes = list(MeterEntry.objects.filter(slip=slip).values_list("cause", flat=True))
    assert causes == ["won", "seeded"]
    assert MeterReading.objects.get().difference_cents == 0
    assert not FloorException.objects.filter(slip=slip).exclude(code="tax_papers").exists()
    assert verify().is_sound


def test_a_meter_that_showed_more_than_wagers_say_is_read_and_asked_after(
    cast: Cast, server_clock: ServerClock
) -> None:
    meter = open_tables(cast)
    slip = compared(cast, jackpot(cast, house.now(), showed=2_441_055, award=2_441_055))
    assert balance_of(meter).shown_cents == 1_000_000
    item = FloorException.objects.get(slip=slip, code="meter_differs")
    assert (item.details["read_cents"], item.details["expected_cents"]) == (2_441_055, 2_431_055)


def test_hits_of_one_round_were_paid_on_the_same_frozen_meter_in_any_order(
    cast: Cast, server_clock: ServerClock
) -> None:
    meter = open_tables(cast)
    at = house.now()
    tenth = compared(cast, jackpot(cast, at, seat=5, player="7h 7d", award=243_106))
    assert balance_of(meter).shown_cents == 2_431_055 - 243_106
    whole = compared(cast, jackpot(cast, at))
    freezes = {Jackpot.objects.get(slip=slip).freeze_id for slip in (tenth, whole)}
    assert len(freezes) == 1
    assert balance_of(meter).shown_cents == 1_000_000
    assert verify().is_sound


def test_a_late_jackpot_without_what_the_meter_showed_or_without_a_hit_is_refused(
    cast: Cast,
) -> None:
    open_tables(cast)
    at = house.now()
    number = ready(cast, "JP", at)
    with pytest.raises(Refused, match="what the meter showed"):
        jackpot(cast, at, number=number, showed=None)
    with pytest.raises(Refused, match="Check the"):
        jackpot(cast, at, number=number, player="7h 8h")
    assert not Slip.objects.filter(kind="late_jackpot").exists()


def test_a_late_win_waits_for_no_hit_that_is_pending_at_its_seat(cast: Cast) -> None:
    meter: Meter = open_tables(cast)
    at = house.now()
    pending = hit(cast, seat=3)
    compared(cast, jackpot(cast, at))
    assert Jackpot.objects.filter(freeze__meter=meter).count() == 2
    released(cast, pending)


def test_dealer_and_time_of_late_envy_are_as_written_on_the_form(
    cast: Cast, server_clock: ServerClock
) -> None:
    open_tables(cast)
    at = house.now()
    number = ready(cast, "JP", at)
    server_clock.move(minutes=20)
    compared(cast, jackpot(cast, at, number=number))
    day = house.period_at(at).gaming_day
    [line] = envy_between(day, day)
    assert (line["dealer"], line["at"]) == ("D. Danson, A. Aliceson", at)


def test_past_the_service_a_late_win_is_paid_once_as_its_form_says(
    cast: Cast, down: datetime
) -> None:
    slip = big_win(cast, down, {}, source="cage")
    win = {
        "slip": slip,
        "wager": "raise_the_roof",
        "paytable": {"id": "H17_6_8_B"},
        "seat": 3,
        "stake_cents": 100,
        "player_cards": [],
        "dealer_cards": [],
        "category": "in_words",
        "percent": 0,
        "envy_cents": 0,
        "round_key": slip.serial,
    }
    paid = {
        "source": "cage",
        "award_cents": 100_000,
        "paid_cents": 100_000,
        "gaming_day": slip.gaming_day,
        "at": down,
    }
    row = Jackpot.objects.create(**win)
    JackpotFigure.objects.create(
        jackpot=row, number=1, award_cents=100_000, because="entered", slip=slip, at=down
    )
    with pytest.raises(DatabaseError, match="nobody signed"), transaction.atomic():
        JackpotPayment.objects.create(jackpot=row, **paid)
    other = compared(cast, big_win(cast, down, {}, source="cage", seat=4))
    row = Jackpot.objects.get(slip=other)
    with pytest.raises(DatabaseError, match="final"), transaction.atomic():
        JackpotFigure.objects.create(
            jackpot=row, number=2, award_cents=1, because="entered", slip=other, at=down
        )


def test_a_late_win_that_was_entered_wrong_is_voided_and_leaves_nothing(
    cast: Cast, down: datetime
) -> None:
    slip = big_win(cast, down)
    cast.sign(slip, "voided", cast.bob, entry=Entry(reason="Wrong seat."), track=Track.VOID)
    cast.sign(slip, "void_witnessed", cast.carol, track=Track.VOID)
    assert not Jackpot.objects.exists()
    big_win(cast, down, number=slip.details["paper_number"], seat=4)


def test_the_pages_of_late_wins_ask_and_show_them(cast: Cast, down: datetime) -> None:
    pit = signed_in(cast.alice, cast.devices[Place.PIT])
    page = pit.get(new_url("late_big_win", table=cast.table.name)).content.decode()
    assert re.search('<option value="raise_the_roof"[^>]*>Bust Ante', page)
    assert 'name="cheques_100000"' in page
    slip = compared(cast, big_win(cast, down))
    for address in (f"/slips/{slip.serial}/", "/jackpots/"):
        answer = pit.get(address)
        assert answer.status_code == 200, address
    assert "LATE" in pit.get(f"/slips/{slip.serial}/").content.decode()


LARGE: dict[str, Any] = {"stake": 1_000, "raise": 5_000, "award": 3_000_000, "withheld": 720_000}


def large_win(cast: Cast, at: datetime, **given: Any) -> Slip:
    """Return F05, as it was paid at the cage on paper."""
    name_payer(cast)
    return compared(cast, big_win(cast, at, {}, **{"source": "cage"} | LARGE | given))


def tax_form(cast: Cast, win: Slip, at: datetime, *, number: str = "", **given: Any) -> Slip:
    """Enter the tax form of a win as Alice."""
    row = Jackpot.objects.select_related("slip__table").get(slip=win)
    patron = given.pop("patron", None) or make_winner(cast)
    ids = dict(
        zip(
            ("id_first", "id_second"),
            map(str, identity_documents(patron, house.now().date()).values_list("pk", flat=True)),
            strict=False,
        )
    )
    paper = LATE_TAX_KIND.at(
        row.slip.table,
        original=row.slip,
        win=row,
        patron=patron,
        paper_number=number or ready(cast, "TX", at),
        true_time=at.isoformat(),
        signers="A. Aliceson, Ana Ruiz",
        **{"federal": 720_000, **ids, **given},
    )
    return raise_kind(paper, pen=cast.pen(cast.alice), shown=shown_before(paper))


def test_the_w2g_of_a_late_win_goes_out_on_the_form_that_was_signed(
    cast: Cast, down: datetime, server_clock: ServerClock
) -> None:
    win = large_win(cast, down)
    due = FloorException.objects.filter(slip=win, code="tax_papers", resolved_at=None)
    assert due.exists()
    assert not TaxForm.objects.exists()
    server_clock.move(days=2)
    slip = compared(cast, tax_form(cast, win, down))
    form = TaxForm.objects.get()
    assert (form.form, form.federal_cents, form.jackpot.slip) == ("W-2G", 720_000, win)
    assert form.won_on == form.paid_on == date(2026, 5, 1)
    assert form.reportable_cents == 3_000_000
    assert not due.exists()
    assert not FloorException.objects.filter(code="late_tax_differs").exists()
    assert PaperFormEnd.objects.get(slip=slip).how == "entered"
    assert verify().is_sound


def test_cash_that_the_cage_paid_on_paper_is_in_the_sums_of_its_day_once_its_winner_is_known(
    cast: Cast, down: datetime, server_clock: ServerClock
) -> None:
    win, patron = large_win(cast, down), make_winner(cast)
    assert not CashEntry.objects.exists()
    number = ready(cast, "TX", down)
    server_clock.move(days=2)
    slip = compared(cast, tax_form(cast, win, down, number=number, patron=patron))
    entry = CashEntry.objects.get()
    assert (entry.kind, entry.amount_cents, entry.slip) == ("jackpot", 2_280_000, slip)
    day = house.period_at(down).gaming_day
    assert (entry.at, entry.gaming_day) == (down, day)
    # It is opened when it is known of, so that no entry of the journal goes back in time.
    owed = CurrencyReport.objects.get(patron=patron)
    assert (owed.gaming_day, owed.opened_at) == (day, house.now())
    assert verify().is_sound


def test_what_a_check_of_the_house_paid_on_paper_is_no_cash(cast: Cast, down: datetime) -> None:
    win = large_win(cast, down, source="bank_cheque")
    compared(cast, tax_form(cast, win, down))
    assert not CashEntry.objects.exists()


def test_a_tax_form_says_what_was_withheld_and_the_law_is_asked_after(
    cast: Cast, down: datetime
) -> None:
    win = large_win(cast, down, withheld=700_000)
    slip = compared(cast, tax_form(cast, win, down, federal=700_000))
    assert TaxForm.objects.get().federal_cents == 700_000
    item = FloorException.objects.get(slip=slip, code="late_tax_differs")
    assert item.details["off_cents"] == -20_000


def test_one_tax_form_a_win_with_what_it_withheld(cast: Cast, down: datetime) -> None:
    win, patron = large_win(cast, down), make_winner(cast)
    number = ready(cast, "TX", down)
    with refused("withheld_differs"):
        tax_form(cast, win, down, number=number, patron=patron, federal=1)
    first = tax_form(cast, win, down, number=number, patron=patron)
    other = ready(cast, "TX", down)
    with refused("already_prepared"):
        tax_form(cast, win, down, number=other, patron=patron)
    compared(cast, first)


def test_a_win_that_owes_no_form_takes_none(cast: Cast, down: datetime) -> None:
    win, patron = compared(cast, big_win(cast, down)), make_winner(cast)
    assert not FloorException.objects.filter(slip=win, code="tax_papers").exists()
    number = ready(cast, "TX", down)
    with refused("no_form_owed"):
        tax_form(cast, win, down, number=number, patron=patron, federal=0)


def test_past_the_service_a_late_tax_form_says_what_its_win_withheld(
    cast: Cast, down: datetime
) -> None:
    win = large_win(cast, down)
    slip = compared(cast, tax_form(cast, win, down))
    form = TaxForm.objects.get()
    form.pk, form.account, form.federal_cents = None, "1" * 10, 1
    form.patron = make_winner(cast, "Ben", tax_id="987-65-4321")
    with pytest.raises(DatabaseError, match="withheld on paper"), transaction.atomic():
        form.save(force_insert=True)
    assert slip.status == "done"


def test_the_item_of_a_late_win_leads_to_its_tax_form(cast: Cast, down: datetime) -> None:
    win, patron = large_win(cast, down), make_winner(cast)
    pit = signed_in(cast.alice, cast.devices[Place.PIT])
    answer = pit.get(reverse("tax-papers", args=[win.serial]))
    assert answer["Location"].startswith("/slips/new/late_tax_papers/")
    assert pit.get(answer["Location"]).status_code == 200
    page = pit.get(new_url("late_tax_papers", of=win.serial, patron=patron.pk)).content.decode()
    assert f"Patron: <b>{patron}</b>" in page
    assert 'name="federal"' in page
    slip = compared(cast, tax_form(cast, win, down, patron=patron))
    form = words(pit.get(reverse("outage-form", args=[ready(cast, "TX", down)])))
    assert "Enter the tax form…" in form
    assert "Enter late…" not in form
    assert "$7,200" in pit.get(f"/slips/{slip.serial}/").content.decode()


def test_cards_are_read_as_they_are_written() -> None:
    assert read_cards("7♣ 7d, 10H") == ["7c", "7d", "Th"]
    with pytest.raises(Refused, match="not a card"):
        read_cards("7c 1x")
