"""What a table won, to the cent: an identity over counts, slips and the drop.

Win is what the tray ended with, what it gave to the cage, what fell into the box and what patrons
owe, less what it began with, what it got from the cage and what was paid back on markers. What was
won by patrons beyond the game (jackpots, envy, coupons) stands on lines of its own, each with the
place that it was paid from, so that win can be read before and after it. The difference that an
opener finds is no part of any of it: a stretch of play begins with what its opener counted.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum, unique


@unique
class Paid(StrEnum):
    """What was paid out beyond the game."""

    JACKPOT = "jackpot"
    ENVY = "envy"
    COUPON = "coupon"


@unique
class PayoutSource(StrEnum):
    """Where a payout came from. Only what left the tray is in the tray's own figures."""

    TRAY = "tray"
    CAGE = "cage"
    BANK_CHEQUE = "bank_cheque"


@dataclass(frozen=True, slots=True)
class ExtraPayout:
    """Something paid out beyond the game, and from where."""

    paid: Paid
    source: PayoutSource
    amount_cents: int


@dataclass(frozen=True, slots=True)
class WinFigures:
    """What the win of a table is made of, without the cash in its box."""

    opening_cents: int
    closing_cents: int
    fills_cents: int = 0
    credits_cents: int = 0
    markers_issued_cents: int = 0
    # Taken at the table, in cheques or in cash: either way it was no wager that was lost.
    marker_payments_cents: int = 0
    # Of that, what was paid in cash: it lies in the box, and bought no cheques.
    marker_cash_cents: int = 0
    payouts: tuple[ExtraPayout, ...] = ()


@dataclass(frozen=True, slots=True)
class Drop:
    """What a box held that is worth money to the house. Coupons are not: they are paid out."""

    cash_cents: int
    foreign_cheques_cents: int = 0

    @property
    def total_cents(self) -> int:
        return self.cash_cents + self.foreign_cheques_cents


@dataclass(frozen=True, slots=True)
class WinOfTable:
    """What a table won: before payouts, by the identity, and after every payout of any source."""

    before_payouts_cents: int
    win_cents: int
    after_payouts_cents: int


def table_win(figures: WinFigures, drop: Drop) -> WinOfTable:
    """Return what a table won.

    >>> figures = WinFigures(opening_cents=5_000_000, closing_cents=4_850_000,
    ...     fills_cents=1_000_000, credits_cents=500_000,
    ...     markers_issued_cents=300_000, marker_payments_cents=100_000)
    >>> table_win(figures, Drop(cash_cents=1_200_000)).win_cents
    750000
    """
    win_cents = (
        figures.closing_cents
        + figures.credits_cents
        + drop.total_cents
        + figures.markers_issued_cents
        - figures.opening_cents
        - figures.fills_cents
        - figures.marker_payments_cents
    )
    before = win_cents + paid_cents(figures.payouts, source=PayoutSource.TRAY)
    return WinOfTable(before, win_cents, before - paid_cents(figures.payouts))


def paid_cents(
    payouts: Iterable[ExtraPayout], *, paid: Paid | None = None, source: PayoutSource | None = None
) -> int:
    """Return the sum of payouts, of one kind or from one source if told."""
    return sum(
        payout.amount_cents
        for payout in payouts
        if paid in (None, payout.paid) and source in (None, payout.source)
    )


def together(parts: Iterable[WinFigures]) -> WinFigures:
    """Return the figures of several tables, or of several stretches of play, as one."""
    parts = list(parts)
    return WinFigures(
        opening_cents=sum(part.opening_cents for part in parts),
        closing_cents=sum(part.closing_cents for part in parts),
        fills_cents=sum(part.fills_cents for part in parts),
        credits_cents=sum(part.credits_cents for part in parts),
        markers_issued_cents=sum(part.markers_issued_cents for part in parts),
        marker_payments_cents=sum(part.marker_payments_cents for part in parts),
        marker_cash_cents=sum(part.marker_cash_cents for part in parts),
        payouts=tuple(payout for part in parts for payout in part.payouts),
    )
