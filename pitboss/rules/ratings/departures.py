"""What a told hand says of its player: every move, and what a move off the chart cost.

A hit is a third card, a stand none. Of a pair that was split only the split itself is looked at:
its hands are played from a shoe in which others have drawn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final

from pitboss.rules.games.strategy import Move
from pitboss.rules.ratings.main_odds import (
    ACE,
    NONE_GONE,
    TEN,
    MainRules,
    OddsPlay,
    held,
    without,
)
from pitboss.rules.ratings.reckoning import Unreckoned

RANKS: Final = tuple("A23456789TJQK")


@dataclass(frozen=True, slots=True)
class Made:
    """A move on cards of these values."""

    values: tuple[int, ...]
    move: Move


@dataclass(frozen=True, slots=True)
class Departure:
    """A move that was not the chart's, and what it cost of a unit staked; below zero it gained."""

    made: Made
    chart: Move
    cost: Fraction


def value_of(rank: str) -> int:
    """Return the value of a rank: 1 for an ace, 10 for tens and faces.

    >>> value_of("A"), value_of("9"), value_of("Q")
    (1, 9, 10)
    """
    return min(RANKS.index(rank) + 1, TEN)


def moves_of(
    values: Sequence[int], *, is_doubled: bool = False, is_split: bool = False
) -> list[Made]:
    """Return the moves that led to a hand: one for each card, and the stand that ended it.

    >>> [(made.values, made.move.value) for made in moves_of([10, 2, 5])]
    [((10, 2), 'hit'), ((10, 2, 5), 'stand')]
    """
    first = tuple(values[:2])
    if len(first) < 2 or sorted(first) == [ACE, TEN]:
        return []
    if is_split:
        return [Made(first, Move.SPLIT)]
    if is_doubled:
        return [Made(first, Move.DOUBLE)]
    moves = [Made(tuple(values[:size]), Move.HIT) for size in range(2, len(values))]
    # On 21 no one decides, and a bust has ended by itself.
    if held(values).total < 21:
        moves.append(Made(tuple(values), Move.STAND))
    return [made for made in moves if held(made.values).total < 21]


@lru_cache(maxsize=2_048)
def departure(rules: MainRules, up: int, made: Made) -> Departure | None:
    """Return what a move cost against the chart's; none where it is the chart's.

    Raises Unreckoned for cards that cannot lie like this, and for a move that they do not allow.
    """
    values, hand = made.values, held(made.values)
    if hand.cards < 2 or hand.total > 21 or sorted(values) == [ACE, TEN]:
        raise Unreckoned("bad_hand")
    is_pair = hand.cards == 2 and values[0] == values[1]
    if (made.move is Move.SPLIT and not is_pair) or (made.move is Move.DOUBLE and hand.cards > 2):
        raise Unreckoned("bad_move")
    gone = without(NONE_GONE, up, *values)
    if any(count > of for count, of in zip(gone, rules.shoe, strict=True)):
        raise Unreckoned("bad_hand")
    play = OddsPlay(rules, up)
    chart = play.chart_says(hand, values[0] if is_pair else None)
    if chart is made.move:
        return None
    cost = play.worth(hand, gone, chart) - play.worth(hand, gone, made.move)
    return Departure(made, chart, cost / play.no_blackjack(gone))
