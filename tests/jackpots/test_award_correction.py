"""A finished win is corrected: where it was paid from, how much, and the envy beside it."""

from __future__ import annotations

from typing import Any

import pytest

from inventory.selectors.cheques import balances, counts_off_the_ledger, tray_holding
from jackpots.models import JackpotPayment
from pitboss.models import FloorException, Slip
from pitboss.rules.cheques.cheques import total_cents
from pitboss.rules.roles import Place
from pitboss.services import house
from tables.reports.win import TableWin, table_report
from tests.floor.big_wins import F09, TRAY, count_out, released, roof, see_paid, won
from tests.floor.cast import Cast, ServerClock, refused
from tests.floor.corrections import approve, propose
from tests.floor.drop_box import count_and_post, pull
from tests.floor.tablets import signed_in, words

pytestmark = pytest.mark.django_db(transaction=True)
PAID = {100_000: 1}


@pytest.fixture
def win(cast: Cast, server_clock: ServerClock) -> Slip:
    """A big win of $1,000, recorded as paid from the tray."""
    slip = released(cast, won(cast, roof(cast), F09))
    server_clock.move(minutes=1)
    count_out(cast, slip, PAID)
    see_paid(cast, slip)
    server_clock.move(minutes=1)
    slip.refresh_from_db()
    assert slip.status == "done"
    return slip


def is_sound() -> bool:
    return all(balance.adds_up for balance in balances()) and not counts_off_the_ledger()


def report(cast: Cast) -> TableWin:
    return table_report(cast.table, house.period_at(house.now()).gaming_day)


def corrected(cast: Cast, win: Slip, cheques: dict[int, int] | None = None, **given: Any) -> Slip:
    return approve(
        cast,
        propose(cast, "award_correction", win, cheques, **given),
        cast.trent,
        place=Place.CAGE,
    )


def test_a125_a_win_paid_at_the_cage_goes_back_into_the_tray_that_was_not_counted(
    cast: Cast, win: Slip
) -> None:
    held = total_cents(tray_holding(cast.table))
    correction = corrected(cast, win, source="cage")
    assert correction.status == "done"
    assert total_cents(tray_holding(cast.table)) == held + 100_000
    assert JackpotPayment.objects.get().source == "tray", "the payment stays as it was signed"
    assert ["Paid from", "the tray", "the cage"] in correction.details["lines"]
    assert is_sound()


def test_a125_counted_since_the_payout_line_changes_source_and_win_before_payouts_falls(
    cast: Cast, win: Slip, server_clock: ServerClock
) -> None:
    server_clock.move(hours=1)
    counted = {**TRAY, 100_000: TRAY[100_000] - 1}
    cast.close_table(counted)
    count_and_post(cast, pull(cast), {"cash_10000": 800_000})
    before = report(cast).final
    assert before is not None
    corrected(cast, win, source="cage")
    after = report(cast).final
    assert after is not None
    assert after.win_cents == before.win_cents
    assert after.before_payouts_cents == before.before_payouts_cents - 100_000
    amounts = {line.key: line.amount_cents for line in report(cast).lines}
    assert (amounts["jackpots"], amounts["jackpots_cage"]) == (0, 100_000)
    assert tray_holding(cast.table) == {c: n for c, n in counted.items() if n}
    assert is_sound()


def test_paid_too_much_is_a_receivable_and_too_little_a_liability(cast: Cast, win: Slip) -> None:
    held = total_cents(tray_holding(cast.table))
    first = corrected(cast, win, {100_000: 1, 10_000: 5}, source="tray", paid=150_000)
    assert total_cents(tray_holding(cast.table)) == held - 50_000
    owing = FloorException.objects.get(slip=first)
    assert (owing.code, owing.details["amount_cents"]) == ("award_receivable", 50_000)
    assert "$500 more" in owing.sentence


def test_a_win_short_paid_is_owed_and_envy_is_restated(cast: Cast, win: Slip) -> None:
    correction = corrected(cast, win, PAID, owed=120_000, envy=2_500)
    owing = FloorException.objects.get(slip=correction)
    assert (owing.code, owing.details["amount_cents"]) == ("award_liability", -20_000)
    cast.close_table(dict(tray_holding(cast.table)))
    envy = next(line for line in report(cast).lines if line.key == "envy")
    assert envy.amount_cents == 2_500


def test_what_the_tray_paid_is_entered_in_cheques_and_signers_stay_apart(
    cast: Cast, win: Slip
) -> None:
    with refused("payment_differs"):
        propose(cast, "award_correction", win, {100_000: 2}, source="tray")
    with refused("nothing_changes"):
        propose(cast, "award_correction", win, PAID, source="tray")
    with refused("signed_original"):
        propose(cast, "award_correction", win, by=cast.alice, source="cage")
    correction = propose(
        cast, "award_correction", win, by=cast.ruth, place=Place.OFFICE, source="cage"
    )
    with refused("wrong_role"):
        cast.sign(correction, "approved", cast.heidi)
    approve(cast, correction, cast.trent, place=Place.CAGE)


def test_correct_on_a_paid_win_shows_before_and_after(cast: Cast, win: Slip) -> None:
    pit = signed_in(cast.bob, cast, Place.PIT)
    page = words(pit.get(f"/slips/{win.serial}/"))
    address = f"/slips/new/award_correction/?of={win.serial}"
    assert address in page
    asked = words(pit.get(address))
    assert "Paid from" in asked
    sent = {"source": "cage", "paid": "1,000", "owed": "1,000", "envy": "0"}
    review = words(pit.post(address, sent))
    assert "the cage" in review
