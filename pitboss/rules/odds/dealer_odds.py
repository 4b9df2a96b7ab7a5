"""How a dealer's hand ends, exactly, on a full shoe of so many decks.

The dealer's cards are drawn without replacement, one sequence of values after another. Suits are
left out: only a bust of 4, 5, 6 and 7 is ever asked for its suits, and those are settled by hand.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from math import perm
from typing import NamedTuple

from pitboss.rules.games.dealer import must_draw

Values = tuple[int, ...]
FOUR_TO_SEVEN = frozenset({4, 5, 6, 7})


class DealerEnding(NamedTuple):
    """One way a dealer's hand ends: the up card's value and, after a bust, an example of it.

    `bust` is empty unless the dealer bust. It holds all the values drawn when 4, 5, 6 and 7 are
    among them, in their order; otherwise only the last, which is all that a pay table looks at.
    """

    up: int
    is_blackjack: bool
    bust: Values


@lru_cache(maxsize=32)
def dealer_endings(decks: int, soft_17: str) -> Mapping[DealerEnding, Fraction]:
    """Return the probability of each ending before any card is known; they sum to 1.

    >>> endings = dealer_endings(6, "stand")
    >>> sum(endings.values())
    Fraction(1, 1)
    >>> blackjack = sum(p for ending, p in endings.items() if ending.is_blackjack)
    >>> blackjack == Fraction(2 * 24 * 96, 312 * 311)
    True
    """
    counts = [0, *[4 * decks] * 9, 16 * decks]
    # Ways are added up by the number of cards drawn, since each number has its own denominator.
    ways: defaultdict[DealerEnding, defaultdict[int, int]] = defaultdict(lambda: defaultdict(int))
    drawn: list[int] = []

    def draw(hard: int, aces: int, sequences: int) -> None:
        for value in range(1, 11):
            copies = counts[value]
            if not copies:
                continue
            drawn.append(value)
            total = hard + value
            is_soft = (aces or value == 1) and total <= 11
            best = total + 10 if is_soft else total
            if len(drawn) == 1 or must_draw(best, bool(is_soft), soft_17):
                counts[value] -= 1
                draw(total, aces + (value == 1), sequences * copies)
                counts[value] += 1
            else:
                ways[_ending(drawn, best)][len(drawn)] += sequences * copies
            drawn.pop()

    draw(0, 0, 1)
    cards = 52 * decks
    return {
        ending: sum(
            (Fraction(count, perm(cards, length)) for length, count in by_length.items()),
            Fraction(0),
        )
        for ending, by_length in ways.items()
    }


def _ending(drawn: list[int], total: int) -> DealerEnding:
    up = drawn[0]
    if total <= 21:
        return DealerEnding(up, total == 21 and len(drawn) == 2, ())
    if FOUR_TO_SEVEN.issubset(drawn):
        return DealerEnding(up, False, tuple(drawn))
    return DealerEnding(up, False, (drawn[-1],))
