"""Amounts that are not a whole cent, rounded the way the house chose."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor

from pitboss.rules.paytables.pays import Odds


def to_cents(exact: Fraction, how: str) -> int:
    """Round an exact, never negative, number of cents: "down", "nearest" (a half up) or "up".

    >>> [to_cents(Fraction(75, 2), how) for how in ("down", "nearest", "up")]
    [37, 38, 38]
    """
    if how == "down":
        return floor(exact)
    return ceil(exact) if how == "up" else floor(exact + Fraction(1, 2))


def odds_cents(odds: Odds, stake_cents: int, how: str) -> tuple[int, bool]:
    """Return what odds pay on a stake, and whether that had to be rounded.

    >>> odds_cents(Odds(3, 2), 25, "down"), odds_cents(Odds(3, 2), 50, "down")
    ((37, True), (75, False))
    """
    cents, rest = divmod(stake_cents * odds.to, odds.per)
    if not rest:
        return cents, False
    return to_cents(odds.award(stake_cents), how), True
