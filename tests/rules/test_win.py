"""Win to the cent: the identity, what stands beside it, and what is no part of it."""

from __future__ import annotations

from pitboss.rules.day.win import (
    Drop,
    ExtraPayout,
    Paid,
    PayoutSource,
    WinFigures,
    WinOfTable,
    paid_cents,
    table_win,
    together,
)

WORKED = WinFigures(
    opening_cents=5_000_000,
    closing_cents=4_850_000,
    fills_cents=1_000_000,
    credits_cents=500_000,
    markers_issued_cents=300_000,
    marker_payments_cents=100_000,
)


def test_a57_the_worked_check_of_the_house_gives_7_500_dollars() -> None:
    win = table_win(WORKED, Drop(cash_cents=1_200_000))
    assert win == WinOfTable(750_000, 750_000, 750_000)


def test_each_figure_moves_win_its_own_way_by_the_cent() -> None:
    drop = Drop(0)
    base = WinFigures(opening_cents=100, closing_cents=100)
    assert table_win(base, drop).win_cents == 0
    assert table_win(WinFigures(101, 100), drop).win_cents == -1
    assert table_win(WinFigures(100, 101), drop).win_cents == 1
    assert table_win(WinFigures(100, 100, fills_cents=1), drop).win_cents == -1
    assert table_win(WinFigures(100, 100, credits_cents=1), drop).win_cents == 1
    assert table_win(WinFigures(100, 100, markers_issued_cents=1), drop).win_cents == 1
    assert table_win(WinFigures(100, 100, marker_payments_cents=1), drop).win_cents == -1
    assert table_win(base, Drop(1)).win_cents == 1
    assert table_win(base, Drop(0, foreign_cheques_cents=1)).win_cents == 1


def test_payouts_are_read_before_and_after_by_where_they_were_paid_from() -> None:
    payouts = (
        ExtraPayout(Paid.JACKPOT, PayoutSource.CAGE, 243_106),
        ExtraPayout(Paid.ENVY, PayoutSource.TRAY, 2_500),
        ExtraPayout(Paid.COUPON, PayoutSource.TRAY, 5_000),
    )
    figures = WinFigures(opening_cents=0, closing_cents=0, payouts=payouts)
    win = table_win(figures, Drop(100_000))
    # What left the tray is in its counts already; what the cage paid is not.
    assert win.win_cents == 100_000
    assert win.before_payouts_cents == 107_500
    assert win.after_payouts_cents == 107_500 - 250_606
    assert paid_cents(payouts) == 250_606
    assert paid_cents(payouts, paid=Paid.ENVY) == 2_500
    assert paid_cents(payouts, source=PayoutSource.TRAY) == 7_500
    assert paid_cents(payouts, paid=Paid.JACKPOT, source=PayoutSource.TRAY) == 0


def test_tables_together_win_what_they_won_apart() -> None:
    coupon = ExtraPayout(Paid.COUPON, PayoutSource.TRAY, 500)
    other = WinFigures(opening_cents=700, closing_cents=900, payouts=(coupon,))
    both = table_win(together([WORKED, other]), Drop(1_200_300))
    apart = [table_win(WORKED, Drop(1_200_000)), table_win(other, Drop(300))]
    assert both.win_cents == sum(win_of_table.win_cents for win_of_table in apart)
    assert both.before_payouts_cents == sum(
        win_of_table.before_payouts_cents for win_of_table in apart
    )
    assert both.after_payouts_cents == sum(
        win_of_table.after_payouts_cents for win_of_table in apart
    )
