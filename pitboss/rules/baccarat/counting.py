"""Every coup that a shoe can deal, counted: exact by enumeration, once for a number of decks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Final

from pitboss.rules.baccarat.drawing import Coup, banker_draws, player_draws

RANKS: Final = 13
_TENS: Final = 4


@lru_cache(maxsize=8)
def outcomes(decks: int) -> Mapping[Coup, Fraction]:
    """Return how likely each outcome is, off a full shoe.

    >>> round(float(sum(p for o, p in outcomes(8).items() if o.banker > o.player)), 6)
    0.458597
    """
    left = [4 * decks * _TENS, *[4 * decks] * 9]
    cards = sum(left)
    ways: dict[Coup, int] = defaultdict(int)
    for player, here in _pairs(left):
        for banker, there in _pairs(left):
            _finish(ways, left, player, banker, here * there, cards - 4)
    everything = cards * (cards - 1) * (cards - 2) * (cards - 3) * (cards - 4) * (cards - 5)
    return {coup: Fraction(number, everything) for coup, number in ways.items()}


def _pairs(left: list[int]) -> Iterator[tuple[int, int]]:
    """Yield the total of every two cards and in how many orders they come, while they are out."""
    for one in range(10):
        for other in range(one, 10):
            once = left[one] * (left[one] - 1) if one == other else left[one] * left[other]
            number = once if one == other else 2 * once
            left[one] -= 1
            left[other] -= 1
            yield (one + other) % 10, number
            left[one] += 1
            left[other] += 1


def _finish(
    ways: dict[Coup, int], left: list[int], player: int, banker: int, number: int, cards: int
) -> None:
    """Add what follows from two cards on each side, as ways to lay out six cards."""
    if not player_draws(player, banker):
        if banker_draws(player, banker, None):
            for second in range(10):
                made = Coup(player, (banker + second) % 10, 2, 3)
                ways[made] += number * left[second] * (cards - 1)
        else:
            ways[Coup(player, banker, 2, 2)] += number * cards * (cards - 1)
        return
    for third in range(10):
        drawn = number * left[third]
        total = (player + third) % 10
        if not banker_draws(player, banker, third):
            ways[Coup(total, banker, 3, 2)] += drawn * (cards - 1)
            continue
        left[third] -= 1
        for second in range(10):
            ways[Coup(total, (banker + second) % 10, 3, 3)] += drawn * left[second]
        left[third] += 1


def pair_chance(decks: int) -> Fraction:
    """Return how likely the first two cards of one side are of one rank."""
    return Fraction(4 * decks - 1, 52 * decks - 1)


def both_pairs_chance(decks: int) -> Fraction:
    """Return how likely both sides have a pair."""
    rank, cards = 4 * decks, 52 * decks
    same = (rank - 2) * (rank - 3)
    others = (RANKS - 1) * rank * (rank - 1)
    return pair_chance(decks) * Fraction(same + others, (cards - 2) * (cards - 3))
