"""Sets of cheques, and the one number that names a cheque: its set and its denomination.

A key is the set's number times 100,000,000 plus the denomination in cents, so a cheque of *main*,
set 0, is named by its cents alone, as it always was. Keys travel where cents did: through forms,
JSON, counts and the ledger. The number of a set says its kind, so that the database knows what is
money without reading a register.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum, unique
from types import MappingProxyType
from typing import Final

SET_STEP: Final = 100_000_000
"""More than any cheque is worth in cents."""

MAIN: Final = 0


@unique
class SetKind(StrEnum):
    """What the cheques of a set are good for, and so where they may be."""

    VALUE = "value"
    PROMOTIONAL = "promotional"
    TOURNAMENT = "tournament"
    NON_VALUE = "non_value"


@unique
class Rank(StrEnum):
    """Which of a house's sets of value cheques one is."""

    PRIMARY = "primary"
    SECONDARY = "secondary"
    RESERVE = "reserve"


# The ledger's column ends within set 21. Numbers are given once, and never again.
NUMBERS: Final[Mapping[SetKind, range]] = {
    SetKind.VALUE: range(5),
    SetKind.PROMOTIONAL: range(5, 8),
    SetKind.TOURNAMENT: range(8, 11),
    SetKind.NON_VALUE: range(11, 21),
}
_KINDS: Final = {number: kind for kind, numbers in NUMBERS.items() for number in numbers}

MONEY_BELOW: Final = NUMBERS[SetKind.VALUE].stop * SET_STEP
"""Every key below this is of value cheques; none above it is money."""


@dataclass(frozen=True, slots=True)
class ChequeSet:
    """One set: what it is called, how its cheques are told from others, and where it may be."""

    number: int
    name: str
    # Stands behind the letter of each of its cheques; main has none.
    letter: str = ""
    # The color of the spots on its edges, where they are not those of main.
    spots: str = ""
    rank: Rank = Rank.PRIMARY
    # The tables that play with it, where it is not for all.
    tables: tuple[str, ...] = ()

    @property
    def kind(self) -> SetKind:
        return _KINDS[self.number]

    def may_be_at(self, table: str) -> bool:
        """Say whether its cheques may lie in the tray of a table.

        >>> ChequeSet(5, "Promo").may_be_at("BJ-1"), ChequeSet(1, "Second").may_be_at("BJ-1")
        (False, True)
        >>> ChequeSet(8, "Friday", tables=("BJ-1",)).may_be_at("BJ-2")
        False
        """
        if self.kind is SetKind.PROMOTIONAL:
            return False
        return self.kind is SetKind.VALUE or table in self.tables


_MAIN_SET: Final = ChequeSet(MAIN, "Main")
# Main, and those that this process has read. What a set is was signed in once, and stays.
_sets: Final = {MAIN: _MAIN_SET}
SETS: Final[Mapping[int, ChequeSet]] = MappingProxyType(_sets)
"""Every set that is known, in play or not, by its number."""


def learn_set(known: ChequeSet) -> None:
    """Know a set from now on."""
    _sets.setdefault(known.number, known)


def forget_sets() -> None:
    """Know only main: for what moves to another house, as tests do."""
    _sets.clear()
    _sets[MAIN] = _MAIN_SET


def cheque_key(number: int, cents: int) -> int:
    """Return the key of a cheque.

    >>> cheque_key(MAIN, 2_500), cheque_key(5, 2_500)
    (2500, 500002500)
    """
    return number * SET_STEP + cents


def set_of(key: int) -> int:
    """Return the number of the set that a cheque is of."""
    return key // SET_STEP


def face_of(key: int) -> int:
    """Return what is written on a cheque, in cents.

    >>> set_of(500_002_500), face_of(500_002_500), face_of(2_500)
    (5, 2500, 2500)
    """
    return key % SET_STEP


def kind_of(key: int) -> SetKind:
    """Return the kind of the set that a cheque is of."""
    return _KINDS[set_of(key)]


def worth_of(key: int) -> int:
    """Return what a cheque is worth in money: its face, or nothing unless it is of value.

    >>> worth_of(2_500), worth_of(100_002_500), worth_of(500_002_500)
    (2500, 2500, 0)
    """
    return key % SET_STEP if key < MONEY_BELOW else 0


def stake_of(key: int) -> int:
    """Return what a cheque stands for on a bet: a promotional one is bet at its face."""
    return face_of(key) if kind_of(key) in (SetKind.VALUE, SetKind.PROMOTIONAL) else 0
