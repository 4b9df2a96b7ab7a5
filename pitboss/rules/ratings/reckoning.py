"""Small arithmetic that every figure of a rating shares, and the answer where there is none."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Final

BASIS_POINTS: Final = 10_000
MILLION: Final = 1_000_000

# Seconds since some beginning: from, until.
Span = tuple[int, int]
# Rounds an hour by the number of players at the table.
PaceTable = Mapping[int, int]


class Unreckoned(Exception):
    """There is nothing to reckon with. Carries the stable code of what is missing."""

    def __init__(self, code: str) -> None:
        self.code = code
        super().__init__(code)


def half_up(value: Fraction | int) -> int:
    """Return the nearest whole number; a half goes up, also below zero.

    >>> half_up(Fraction(5, 2)), half_up(Fraction(-5, 2))
    (3, -2)
    """
    return (2 * value.numerator + value.denominator) // (2 * value.denominator)


def in_basis_points(part: Fraction | int, whole: Fraction | int) -> int:
    """Return a share in hundredths of a percent.

    >>> in_basis_points(29_400, 100_800)
    2917
    """
    return half_up(Fraction(part) / Fraction(whole) * BASIS_POINTS)


def of_basis_points(share_bp: int) -> Fraction:
    """Return a share as a fraction."""
    return Fraction(share_bp, BASIS_POINTS)


def rate_of(pace: PaceTable, players: int) -> int:
    """Return the rounds an hour with so many players; above the last row the last row holds.

    Raises Unreckoned.
    """
    if players < 1:
        raise Unreckoned("bad_players")
    return pace[min(players, max(pace))]


def merged_spans(spans: Iterable[Span], *, gap: int = 0) -> list[Span]:
    """Return spans in order, those that touch or overlap as one, and those with less than a gap.

    >>> merged_spans([(10, 20), (0, 5), (20, 30)]), merged_spans([(0, 5), (8, 9)], gap=4)
    ([(0, 5), (10, 30)], [(0, 9)])
    """
    runs: list[Span] = []
    for begins, ends in sorted(spans):
        if runs and begins - runs[-1][1] < max(gap, 1):
            runs[-1] = (runs[-1][0], max(runs[-1][1], ends))
        else:
            runs.append((begins, ends))
    return runs


def seconds_within(spans: Iterable[Span], begins: int, ends: int) -> int:
    """Return how many seconds of spans fall between two instants; of spans apart, added up.

    >>> seconds_within([(0, 100), (50, 200)], 40, 90)
    90
    """
    return sum(max(0, min(until, ends) - max(since, begins)) for since, until in spans)
