"""Amounts that are not a whole cent, rounded the way the house chose."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor


def to_cents(exact: Fraction, how: str) -> int:
    """Round an exact, never negative, number of cents: "down", "nearest" (a half up) or "up".

    >>> [to_cents(Fraction(75, 2), how) for how in ("down", "nearest", "up")]
    [37, 38, 38]
    """
    if how == "down":
        return floor(exact)
    return ceil(exact) if how == "up" else floor(exact + Fraction(1, 2))
