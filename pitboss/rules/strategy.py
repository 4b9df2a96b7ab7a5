"""The basic strategy of the house manual, as a chart: what to do with a hand against an up card.

Dealers answer players who ask, and supervisors who watch for counting know what is usual.
"""

from __future__ import annotations

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
    """One kind of hand, and the move against each up card, in the order of UP_CARDS."""

    hand: str
    moves: tuple[Move, ...]

    def against(self, up_card: str) -> Move:
        """Return the move against an up card."""
        return self.moves[UP_CARDS.index(up_card)]


@dataclass(frozen=True, slots=True)
class ChartPart:
    """The lines of pairs, of soft or of hard totals."""

    title: str
    lines: tuple[ChartLine, ...]


def _line(hand: str, otherwise: Move, *exceptions: tuple[str, Move]) -> ChartLine:
    """Write a line as the manual does: against these up cards so, otherwise so."""
    moves = dict.fromkeys(UP_CARDS, otherwise)
    for ups, move in exceptions:
        moves |= dict.fromkeys(ups.split(), move)
    return ChartLine(hand, tuple(moves.values()))


_TWO_TO_SEVEN: Final = "2 3 4 5 6 7"
PAIRS: Final = ChartPart(
    "Pairs",
    (
        _line("A A, 8 8", Move.SPLIT),
        _line("9 9", Move.SPLIT, ("7 10 A", Move.STAND)),
        _line("7 7", Move.HIT, (_TWO_TO_SEVEN, Move.SPLIT)),
        _line("6 6", Move.HIT, ("2 3 4 5 6", Move.SPLIT)),
        _line("4 4", Move.HIT, ("5 6", Move.SPLIT)),
        _line("3 3, 2 2", Move.HIT, (_TWO_TO_SEVEN, Move.SPLIT)),
    ),
)
SOFT: Final = ChartPart(
    "Soft totals",
    (
        _line("19 to 21", Move.STAND),
        _line("18", Move.STAND, ("3 4 5 6", Move.DOUBLE), ("9 10 A", Move.HIT)),
        _line("17", Move.HIT, ("3 4 5 6", Move.DOUBLE)),
        _line("15, 16", Move.HIT, ("4 5 6", Move.DOUBLE)),
        _line("13, 14", Move.HIT, ("5 6", Move.DOUBLE)),
    ),
)
# Fives are never split and tens stand, so that both are played by their totals.
HARD: Final = ChartPart(
    "Hard totals",
    (
        _line("17 and more", Move.STAND),
        _line("13 to 16", Move.STAND, ("7 8 9 10 A", Move.HIT)),
        _line("12", Move.HIT, ("4 5 6", Move.STAND)),
        _line("11", Move.DOUBLE, ("A", Move.HIT)),
        _line("10", Move.DOUBLE, ("10 A", Move.HIT)),
        _line("9", Move.HIT, ("3 4 5 6", Move.DOUBLE)),
        _line("8 and less", Move.HIT),
    ),
)
CHART: Final = (HARD, SOFT, PAIRS)
