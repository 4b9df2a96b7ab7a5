"""The basic strategy of the house manual, as a chart: what to do with a hand against an up card.

Dealers answer players who ask, and supervisors who watch for counting know what is usual.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum, unique
from typing import Final


@unique
class Move(StrEnum):
    """What a player does."""

    HIT = "hit"
    STAND = "stand"
    DOUBLE = "double"
    SPLIT = "split"

    @property
    def letter(self) -> str:
        """The letter in the chart: a split is a P, for a pair.

        >>> [move.letter for move in Move]
        ['H', 'S', 'D', 'P']
        """
        return "P" if self is Move.SPLIT else self.value[0].upper()


UP_CARDS: Final = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "A")


@dataclass(frozen=True, slots=True)
class ChartLine:
    """One kind of hand, and the move against each up card, in the order of UP_CARDS.

    `covers` are its totals; of a line of pairs, the value of one of the two cards.
    """

    hand: str
    covers: tuple[int, ...]
    moves: tuple[Move, ...]

    def against(self, up_card: str) -> Move:
        """Return the move against an up card."""
        return self.moves[UP_CARDS.index(up_card)]


@dataclass(frozen=True, slots=True)
class ChartPart:
    """The lines of pairs, of soft or of hard totals."""

    title: str
    lines: tuple[ChartLine, ...]


def _line(
    hand: str, covers: Iterable[int], otherwise: Move, *exceptions: tuple[str, Move]
) -> ChartLine:
    """Write a line as the manual does: against these up cards so, otherwise so."""
    moves = dict.fromkeys(UP_CARDS, otherwise)
    for ups, move in exceptions:
        moves |= dict.fromkeys(ups.split(), move)
    return ChartLine(hand, tuple(covers), tuple(moves.values()))


_TWO_TO_SEVEN: Final = "2 3 4 5 6 7"
PAIRS: Final = ChartPart(
    "Pairs",
    (
        _line("A A, 8 8", (1, 8), Move.SPLIT),
        _line("9 9", (9,), Move.SPLIT, ("7 10 A", Move.STAND)),
        _line("7 7", (7,), Move.HIT, (_TWO_TO_SEVEN, Move.SPLIT)),
        _line("6 6", (6,), Move.HIT, ("2 3 4 5 6", Move.SPLIT)),
        _line("4 4", (4,), Move.HIT, ("5 6", Move.SPLIT)),
        _line("3 3, 2 2", (3, 2), Move.HIT, (_TWO_TO_SEVEN, Move.SPLIT)),
    ),
)
SOFT: Final = ChartPart(
    "Soft totals",
    (
        _line("19 to 21", range(19, 22), Move.STAND),
        _line("18", (18,), Move.STAND, ("3 4 5 6", Move.DOUBLE), ("9 10 A", Move.HIT)),
        _line("17", (17,), Move.HIT, ("3 4 5 6", Move.DOUBLE)),
        _line("15, 16", (15, 16), Move.HIT, ("4 5 6", Move.DOUBLE)),
        _line("13, 14", (13, 14), Move.HIT, ("5 6", Move.DOUBLE)),
    ),
)
# Fives are never split and tens stand, so that both are played by their totals.
HARD: Final = ChartPart(
    "Hard totals",
    (
        _line("17 and more", range(17, 22), Move.STAND),
        _line("13 to 16", range(13, 17), Move.STAND, ("7 8 9 10 A", Move.HIT)),
        _line("12", (12,), Move.HIT, ("4 5 6", Move.STAND)),
        _line("11", (11,), Move.DOUBLE, ("A", Move.HIT)),
        _line("10", (10,), Move.DOUBLE, ("10 A", Move.HIT)),
        _line("9", (9,), Move.HIT, ("3 4 5 6", Move.DOUBLE)),
        _line("8 and less", range(4, 9), Move.HIT),
    ),
)
CHART: Final = (HARD, SOFT, PAIRS)


def chart_move(total: int, *, soft: bool, pair_of: int | None, up: int) -> Move:
    """Return what the chart says: of a hand's total, or of a pair that may be split.

    Values run from 1, the ace, to 10.

    >>> chart_move(16, soft=False, pair_of=8, up=10)
    <Move.SPLIT: 'split'>
    >>> chart_move(16, soft=False, pair_of=None, up=10)
    <Move.HIT: 'hit'>
    """
    up_card = "A" if up == 1 else str(up)
    if pair_of is not None and (PAIRS.title, pair_of) in _COVERED:
        return _COVERED[PAIRS.title, pair_of].against(up_card)
    part = SOFT if soft else HARD
    return _COVERED[part.title, total].against(up_card)


_COVERED: Final = {
    (part.title, number): line for part in CHART for line in part.lines for number in line.covers
}
