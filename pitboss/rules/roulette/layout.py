"""The layout of roulette: which numbers each bet covers, on a wheel with one zero or two."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum, unique
from functools import cache
from typing import Final

ZEROS: Final = ("0", "00")
REDS: Final = frozenset(
    str(n) for n in (1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36)
)
PLAIN: Final = tuple(str(n) for n in range(1, 37))
Numbers = frozenset[str]


@unique
class Wheel(StrEnum):
    """How many zeros a wheel has."""

    SINGLE = "single"
    DOUBLE = "double"

    @property
    def pockets(self) -> tuple[str, ...]:
        zeros = ZEROS if self is Wheel.DOUBLE else ZEROS[:1]
        return (*zeros, *PLAIN)


def _row(street: int) -> list[int]:
    return [3 * street + 1, 3 * street + 2, 3 * street + 3]


def _named(numbers: Sequence[int | str]) -> Numbers:
    return frozenset(str(number) for number in numbers)


_BY_ZERO: Final[Mapping[Wheel, Mapping[str, tuple[tuple[str, ...], ...]]]] = {
    Wheel.SINGLE: {
        "split": (("0", "1"), ("0", "2"), ("0", "3")),
        "street": (("0", "1", "2"), ("0", "2", "3")),
        "first_four": (("0", "1", "2", "3"),),
    },
    Wheel.DOUBLE: {
        "split": (("0", "00"), ("0", "1"), ("0", "2"), ("00", "2"), ("00", "3")),
        "street": (("0", "1", "2"), ("0", "00", "2"), ("00", "2", "3")),
        "five_number": (("0", "00", "1", "2", "3"),),
    },
}


@cache
def inside(wheel: Wheel) -> Mapping[str, frozenset[Numbers]]:
    """Return every set of numbers that each inside bet may cover.

    >>> {bet: len(sets) for bet, sets in inside(Wheel.SINGLE).items()}
    {'straight': 37, 'split': 60, 'street': 14, 'corner': 22, 'six_line': 11, 'first_four': 1}
    """
    across = [(n, n + 1) for n in range(1, 36) if n % 3]
    along = [(n, n + 3) for n in range(1, 34)]
    plain: dict[str, list[Numbers]] = {
        "straight": [_named([pocket]) for pocket in wheel.pockets],
        "split": [_named(pair) for pair in (*across, *along)],
        "street": [_named(_row(street)) for street in range(12)],
        "corner": [_named([n, n + 1, n + 3, n + 4]) for n in range(1, 33) if n % 3],
        "six_line": [_named([*_row(street), *_row(street + 1)]) for street in range(11)],
    }
    for bet, sets in _BY_ZERO[wheel].items():
        plain.setdefault(bet, []).extend(frozenset(pair) for pair in sets)
    return {bet: frozenset(sets) for bet, sets in plain.items()}


def _where(holds: Sequence[str]) -> Numbers:
    return frozenset(holds)


# Bets that name no numbers; a dozen and a column say which one.
OUTSIDE: Final[Mapping[str, tuple[Numbers, ...]]] = {
    "column": tuple(_where(PLAIN[column::3]) for column in range(3)),
    "dozen": tuple(_where(PLAIN[start : start + 12]) for start in (0, 12, 24)),
    "red": (REDS,),
    "black": (frozenset(PLAIN) - REDS,),
    "odd": (_where(PLAIN[::2]),),
    "even": (_where(PLAIN[1::2]),),
    "low": (_where(PLAIN[:18]),),
    "high": (_where(PLAIN[18:]),),
}


def spoken_number(pocket: str) -> str:
    """Say a number as a dealer calls it.

    >>> spoken_number("17"), spoken_number("00")
    ('17 black, odd, 1 to 18, second dozen, second column', '00 green')
    """
    if pocket in ZEROS:
        return f"{pocket} green"
    number = int(pocket)
    words = ("first", "second", "third")
    return ", ".join(
        [
            f"{pocket} {'red' if pocket in REDS else 'black'}",
            "odd" if number % 2 else "even",
            "1 to 18" if number < 19 else "19 to 36",
            f"{words[(number - 1) // 12]} dozen",
            f"{words[(number - 1) % 3]} column",
        ]
    )
