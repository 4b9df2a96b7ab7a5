"""Hold, and the band in which it lies by chance: 19 times in 20 while a game is dealt as before.

A game's experience is its days at all tables. What it is expected to hold is all that it won over
all that was dropped, credit at the table included. How far it strays is measured per dollar of
drop: the variance of win grows with the drop, so each day counts as its squared distance from what
was expected, over its drop.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt

from pitboss.rules.money import BASIS_POINTS

# A normal value lies within 1.96 deviations 95 times in 100.
DEVIATIONS_HUNDREDTHS = 196


def statistical_drop(drop_cents: int, markers_cents: int, marker_cash_cents: int) -> int:
    """Return what players exchanged for cheques at a table (R92).

    What the box held, less cash that paid markers, and the markers issued. Payments in cheques
    bought nothing and lie in the tray, so they are not taken off.

    >>> statistical_drop(1_200_000, 300_000, 0), statistical_drop(1_200_000, 300_000, 100_000)
    (1500000, 1400000)
    """
    return drop_cents + markers_cents - marker_cash_cents


def hold_basis_points(win_cents: int, drop_cents: int) -> int | None:
    """Return win over drop in hundredths of a percent, half rounding up; None without a drop.

    >>> hold_basis_points(750_000, 1_500_000), hold_basis_points(-1, 3), hold_basis_points(5, 0)
    (5000, -3333, None)
    """
    if drop_cents <= 0:
        return None
    return (2 * win_cents * BASIS_POINTS + drop_cents) // (2 * drop_cents)


@dataclass(frozen=True, slots=True)
class Experience:
    """What a game did in the past: days of tables, win, drop, and the sum of win² over drop."""

    days: int
    win_cents: int
    drop_cents: int
    # Each day's win squared, over its drop, summed and rounded down to a cent.
    squares_cents: int

    def __post_init__(self) -> None:
        if self.days < 2 or self.drop_cents <= 0:
            raise ValueError("two days with a drop are the least that can stray")

    @property
    def expected(self) -> Fraction:
        """What of the drop the game is expected to hold."""
        return Fraction(self.win_cents, self.drop_cents)

    @property
    def variance_cents(self) -> Fraction:
        """How far win strays, squared, for each cent of drop."""
        strayed = self.squares_cents - Fraction(self.win_cents**2, self.drop_cents)
        # The squares were rounded down: a game that never strays must not stray below nothing.
        return max(Fraction(0), strayed) / (self.days - 1)


@dataclass(frozen=True, slots=True)
class Band:
    """Between what hold a game lies by chance, in hundredths of a percent of the drop."""

    expected: int
    low: int
    high: int

    def holds(self, hold: int) -> bool:
        return self.low <= hold <= self.high


def band_of(experience: Experience, drop_cents: int) -> Band | None:
    """Return the band for a drop: expected ± 1.96 · √(variance / drop); None without a drop.

    Two days of $10,000 that held 10% and 30%: 20% is expected, and on another $10,000 it strays
    by 10% · √2 = 14.14%, which 1.96 times is 27.71%.

    >>> past = Experience(days=2, win_cents=400_000, drop_cents=2_000_000, squares_cents=100_000)
    >>> band_of(past, 1_000_000)
    Band(expected=2000, low=-771, high=4771)
    >>> band_of(past, 100_000_000)
    Band(expected=2000, low=1723, high=2277)
    """
    expected = hold_basis_points(experience.win_cents, experience.drop_cents)
    if drop_cents <= 0 or expected is None:
        return None
    reach = Fraction(DEVIATIONS_HUNDREDTHS * BASIS_POINTS, 100)
    strays = isqrt(int(reach**2 * experience.variance_cents / drop_cents))
    return Band(expected, expected - strays, expected + strays)


def band_of_games(games: Iterable[tuple[Experience, int]]) -> Band | None:
    """Return the band of several games together, each with its own drop; None without a drop.

    What is expected of each is summed, and so is how far each strays, squared: they stray apart.

    >>> past = Experience(days=2, win_cents=400_000, drop_cents=2_000_000, squares_cents=100_000)
    >>> band_of_games([(past, 1_000_000)]) == band_of(past, 1_000_000)
    True
    >>> band_of_games([(past, 500_000), (past, 500_000)])
    Band(expected=2000, low=-771, high=4771)
    """
    dropped = [(past, cents) for past, cents in games if cents > 0]
    drop_cents = sum(cents for _, cents in dropped)
    if drop_cents <= 0:
        return None
    win = sum((past.expected * cents for past, cents in dropped), Fraction(0))
    variance = sum((past.variance_cents * cents for past, cents in dropped), Fraction(0))
    expected = (2 * win * BASIS_POINTS + drop_cents) // (2 * drop_cents)
    reach = Fraction(DEVIATIONS_HUNDREDTHS * BASIS_POINTS, 100)
    strays = isqrt(int(reach**2 * variance / drop_cents**2))
    return Band(expected, expected - strays, expected + strays)
