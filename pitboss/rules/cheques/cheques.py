"""Gaming cheques: denominations, colors, counts, and how a dealer cuts them out.

Cheques are held as plain dicts, denomination in cents to count (`{2500: 7}` is seven green), since
that is what travels through forms, JSON and the ledger. Money is whole cents. Beyond the main set
a cheque is named by set and cents in one number (`keys`); what is called cents here is that key.

Ten cheques are the manual's; a house adds its own (`sets`). Which of them are in play is a fact of
an instant and comes as an argument. How one looks never changes once it is signed in, so a process
that has read it knows it for good: `BY_CENTS`.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, TypeVar

from pitboss.rules.cheques.keys import (
    MAIN,
    SET_STEP,
    SETS,
    SetKind,
    cheque_key,
    face_of,
    kind_of,
    set_of,
    stake_of,
    worth_of,
)
from pitboss.rules.money import format_money as format_money
from pitboss.rules.quoting import quoted
from pitboss.rules.refusal import Refusal, Refused
from pitboss.rules.said import Said, joined

_MONEY: Final = re.compile(
    r"\$?([0-9]{1,3}(?:,[0-9]{3}){0,3}|[0-9]{1,9})(?:\.([0-9]{1,2}))?", re.ASCII
)

T = TypeVar("T")

STACK_CHEQUES = 20
"""A full stack, and the most that may lie in one row when cut out."""

TUBE_CHEQUES = 3 * STACK_CHEQUES
"""What one tube of a tray is drawn to hold."""

COUNT_MAX = 1_000_000
"""More cheques of one denomination than any house owns: a slip of the finger, not a count."""

TOP_SIGN_FROM_CENTS = 500_000
"A fill or credit with a cheque of this value or higher needs the pit manager."

# House cheques from here on are too valuable to be sent by the stack.
BY_THE_UNIT_FROM_CENTS = 50_000
# A suggested fill may pass par by one part in this many, so that 39 short asks for two stacks.
PAR_TOLERANCE = 20
# A tray is low on a color below this share of its par.
_LOW_PERCENT = 60


@dataclass(frozen=True, slots=True)
class Denomination:
    """One color of cheque: what it is worth, what it is called, how it is cut and proven."""

    cents: int
    colour: str
    letter: str
    unit: int
    proof: tuple[int, ...] = ()
    pushed_apart: bool = False
    # The number of its set. A cheque of no value has the number of its color instead of cents.
    of_set: int = MAIN

    @property
    def key(self) -> int:
        return cheque_key(self.of_set, self.cents)

    @property
    def worth(self) -> int:
        """What it is worth in money, in cents."""
        return worth_of(self.key)

    @property
    def value(self) -> str:
        return "No value" if kind_of(self.key) is SetKind.NON_VALUE else format_money(self.cents)

    @property
    def name(self) -> str:
        """What a slip calls it; beyond the main set, with the name of its set."""
        own = f"{self.value} {self.colour}"
        return f"{own} ({SETS[self.of_set].name})" if self.of_set else own

    @property
    def mark(self) -> str:
        """The letters that tell it from every other cheque without its color."""
        return f"{self.letter}{SETS[self.of_set].letter}"

    @property
    def spots(self) -> str:
        """The color of its edge spots, where they are not those of its own color."""
        return SETS[self.of_set].spots

    @property
    def label(self) -> str:
        """What stands on a cheque that is drawn small.

        >>> [BY_CENTS[cents].label for cents in (2_000_000, 2_500, 250, 25)]
        ['20K', '25', '2½', '¼']
        """
        if kind_of(self.key) is SetKind.NON_VALUE:
            return self.letter
        dollars, cents = divmod(self.cents, 100)
        if dollars >= 1_000 and dollars % 1_000 == 0:
            return f"{dollars // 1_000}K"
        return f"{dollars or ''}{_PARTS_OF_A_DOLLAR[cents]}"

    @property
    def stack_cents(self) -> int:
        return self.cents * STACK_CHEQUES


_PARTS_OF_A_DOLLAR: Final = {0: "", 25: "¼", 50: "½", 75: "¾"}

# Manual, "Cheque handling": which colors are cut in fives and which in fours, and the proof of the
# last stack of the three highest. Gray and teal rows are pushed apart after they are broken down.
DENOMINATIONS: tuple[Denomination, ...] = (
    Denomination(2_000_000, "teal", "T", 5, (2, 2, 1), pushed_apart=True),
    Denomination(500_000, "gray", "Y", 4, (2, 2), pushed_apart=True),
    Denomination(100_000, "orange", "O", 5, (2, 2, 1)),
    Denomination(50_000, "purple", "V", 4),
    Denomination(10_000, "black", "K", 5),
    Denomination(2_500, "green", "G", 4),
    Denomination(500, "red", "R", 5),
    Denomination(250, "pink", "P", 4),
    Denomination(100, "white", "W", 5),
    Denomination(25, "blue", "B", 4),
)
"""The manual's cheques, highest first, as a tray is counted and a slip is read."""

# The manual's, and those of the house that this process has read. Nothing is ever taken out of it.
_known: Final = {item.key: item for item in DENOMINATIONS}
BY_CENTS: Final[Mapping[int, Denomination]] = MappingProxyType(_known)
"""Every cheque that is known, in play or not, by its key."""


def learn(denomination: Denomination) -> None:
    """Know a cheque from now on. What was signed in once keeps its look for good."""
    _known.setdefault(denomination.key, denomination)


def read_money(text: str) -> int | None:
    """Return what an amount as a person keys it is in cents, or None when it is no amount.

    >>> read_money("$1,250.50"), read_money(" 300 "), read_money("7.5")
    (125050, 30000, 750)
    >>> [read_money(text) for text in ("", "-5", "1,25", ".50", "3.505")]
    [None, None, None, None, None]
    """
    found = _MONEY.fullmatch(text.strip())
    if found is None:
        return None
    dollars, cents = found[1].replace(",", ""), (found[2] or "").ljust(2, "0")
    return int(dollars) * 100 + int(cents)


def format_cheques(cheques: Mapping[int, int]) -> str:
    """Write cheques out, highest first.

    >>> format_cheques({500: 1, 2500: 100})
    '100 × $25 green, 1 × $5 red'
    >>> format_cheques({})
    'no cheques'
    """
    held = ordered(cents for cents, count in cheques.items() if count)
    return ", ".join(f"{cheques[cents]:,} × {BY_CENTS[cents].name}" for cents in held) or (
        "no cheques"
    )


def cheques_said(cheques: Mapping[int, int]) -> Said:
    """Write cheques out as `format_cheques` does, for a sentence that is read in other languages.

    >>> cheques_said({500: 1, 2500: 100}) == format_cheques({500: 1, 2500: 100})
    True
    >>> str(cheques_said({500: 0}))
    'no cheques'
    """
    held = ordered(cents for cents, count in cheques.items() if count)
    if not held:
        return Said("no cheques")
    return joined([_counted(cheques[cents], cents) for cents in held], ", ")


def _counted(count: int, cents: int) -> Said:
    return Said("{count} × {cheque}", count=f"{count:,}", cheque=Said(BY_CENTS[cents].name))


def outward(tubes: Iterable[T]) -> list[T]:
    """Lay tubes out as they stand before the dealer: the first, the highest, in the middle.

    Outward on the shorter side, right first: the manual works high colors on the right.

    >>> outward(["$500", "$100", "$25", "$5"])
    ['$5', '$100', '$500', '$25']
    """
    laid: deque[T] = deque()
    for place, tube in enumerate(tubes):
        if place % 2:
            laid.appendleft(tube)
        else:
            laid.append(tube)
    return list(laid)


def ordered(cheques: Iterable[int]) -> list[int]:
    """Return the cheques in the order of every slip and call: from the highest to the lowest.

    Of one value, main comes first. What is not money comes last, set by set.

    >>> ordered([500, 500_002_500, 10_000, 100_010_000])
    [10000, 100010000, 500, 500002500]
    """
    keys = sorted(cheques, reverse=True)
    return keys if not keys or keys[0] < SET_STEP else sorted(keys, key=_place)


def _place(key: int) -> tuple[int, int, int]:
    number, worth = set_of(key), worth_of(key)
    return (0, -worth, number) if worth else (number, -face_of(key), 0)


def total_cents(cheques: Mapping[int, int]) -> int:
    """Return what the cheques are worth in money: promotional cheques and the like are not.

    >>> total_cents({10_000: 40, 2_500: 100, 500: 40, 500_002_500: 9})
    670000
    """
    return sum(worth_of(key) * count for key, count in cheques.items())


def staked_cents(cheques: Mapping[int, int]) -> int:
    """Return what cheques on a bet stand for: a promotional cheque is bet at its face.

    >>> staked_cents({500: 1, 500_002_500: 1})
    3000
    """
    return sum(stake_of(key) * count for key, count in cheques.items())


def parse_cheques(raw: object) -> dict[int, int]:
    """Read cheques from JSON or a form; leave out empty rows, order highest first.

    Raises Refused with every reason: unknown denominations, counts that are no whole number,
    negative, or beyond what any house owns.

    >>> parse_cheques({"500": 3, "2500": 7, "100": 0})
    {2500: 7, 500: 3}
    """
    if not isinstance(raw, Mapping):
        raise Refused(
            [Refusal("bad_cheques", "Cheques are given by denomination, such as {'2500': 7}.")]
        )
    refusals: list[Refusal] = []
    counts: dict[int, int] = {}
    for key, count in raw.items():
        cents = _denomination_cents(key)
        if cents is None:
            refusals.append(
                Refusal(
                    "unknown_denomination",
                    f"The house has no cheque of {quoted(key)} cents. Use "
                    f"{', '.join(map(str, sorted(BY_CENTS)[:-1]))}, or {max(BY_CENTS)}.",
                )
            )
            continue
        if cents in counts:
            refusals.append(
                Refusal(
                    "denomination_twice",
                    Said(
                        "{cheque} is listed twice. Combine them.", cheque=Said(BY_CENTS[cents].name)
                    ),
                )
            )
            continue
        counts[cents] = 0
        read = _read_count(BY_CENTS[cents], count)
        if isinstance(read, Refusal):
            refusals.append(read)
        else:
            counts[cents] = read
    if refusals:
        raise Refused(refusals)
    return {cents: counts[cents] for cents in ordered(counts) if counts[cents]}


def _denomination_cents(key: object) -> int | None:
    if isinstance(key, str) and key.isascii() and key.isdigit() and len(key) <= 10:
        # "0500" is refused: one denomination has one spelling.
        key = int(key) if str(int(key)) == key else None
    if isinstance(key, int) and not isinstance(key, bool) and key in BY_CENTS:
        return key
    return None


def _read_count(denomination: Denomination, count: object) -> int | Refusal:
    name = denomination.name
    if not isinstance(count, int) or isinstance(count, bool):
        return Refusal(
            "bad_count",
            Said(
                "{name}: {count} is not a whole number of cheques.", name=name, count=quoted(count)
            ),
        )
    if count < 0:
        return Refusal("negative_count", Said("{name}: a count cannot be below 0.", name=name))
    if count > COUNT_MAX:
        return Refusal(
            "count_too_large",
            Said("{name}: more than {most} cheques. Check it.", name=name, most=f"{COUNT_MAX:,}"),
        )
    return count


def multiple_refusal(denomination_cents: int, amount_cents: int) -> Refusal | None:
    """Say why an amount cannot be paid in cheques of one color, and which amounts can.

    >>> multiple_refusal(2500, 3000).message
    '$30 isn’t an exact number of $25 cheques. Did you mean $25 or $50?'
    >>> multiple_refusal(2500, 5000) is None
    True
    """
    face_cents, value = face_of(denomination_cents), BY_CENTS[denomination_cents].value
    if amount_cents < 0:
        return Refusal("negative_amount", "Amount can’t be negative. Enter it again.")
    below_cents = amount_cents - amount_cents % face_cents
    if below_cents == amount_cents:
        return None
    above_cents = below_cents + face_cents
    return Refusal(
        "not_a_multiple",
        Said(
            "{amount_cents} isn’t an exact number of {value} cheques. Did you mean "
            "{below_cents} or {above_cents}?",
            amount_cents=amount_cents,
            value=value,
            below_cents=below_cents,
            above_cents=above_cents,
        ),
    )


def count_of(denomination_cents: int, amount_cents: int) -> int:
    """Return how many cheques of one color make an amount. Raises Refused when none do.

    >>> count_of(2500, 17_500)
    7
    """
    refusal = multiple_refusal(denomination_cents, amount_cents)
    if refusal is not None:
        raise Refused([refusal])
    return amount_cents // face_of(denomination_cents)


def difference(expected: Mapping[int, int], counted: Mapping[int, int]) -> dict[int, int]:
    """Return counted less expected by denomination, only where they differ.

    Equal value in other colors is still a difference.

    >>> difference({2500: 100, 500: 40}, {2500: 80, 500: 140})
    {2500: -20, 500: 100}
    """
    changes = {
        cents: counted.get(cents, 0) - expected.get(cents, 0)
        for cents in ordered(expected.keys() | counted.keys())
    }
    return {cents: change for cents, change in changes.items() if change}


def combined(*parts: Mapping[int, int]) -> dict[int, int]:
    """Add cheques up by denomination, highest first.

    >>> combined({500: 3}, {2500: 2, 500: 1})
    {2500: 2, 500: 4}
    """
    denominations = ordered({cents for part in parts for cents in part})
    sums = {cents: sum(part.get(cents, 0) for part in parts) for cents in denominations}
    return {cents: count for cents, count in sums.items() if count}


def needs_top_sign(cheques: Mapping[int, int], from_cents: int = TOP_SIGN_FROM_CENTS) -> bool:
    """Say whether a fill or credit waits for the pit manager (manual, "Fills" 4, "Credits" 5).

    >>> needs_top_sign({500_000: 1}), needs_top_sign({100_000: 60})
    (True, False)
    """
    return any(count > 0 and worth_of(key) >= from_cents for key, count in cheques.items())


@dataclass(frozen=True, slots=True)
class Stacks:
    """A count as it stands in the tray: full stacks of twenty and odd cheques."""

    full: int
    odd: int

    @property
    def count(self) -> int:
        return self.full * STACK_CHEQUES + self.odd

    def __str__(self) -> str:
        words = []
        if self.full:
            words.append(f"{self.full:,} stack{'s' if self.full != 1 else ''}")
        if self.odd or not self.full:
            words.append(f"{self.odd} odd" if self.full else str(self.odd))
        return " + ".join(words)


def stacks(count: int) -> Stacks:
    """Split a count into full stacks and odd cheques.

    >>> str(stacks(107)), str(stacks(100)), str(stacks(7))
    ('5 stacks + 7 odd', '5 stacks', '7')
    """
    if count < 0:
        raise ValueError(f"cannot stack {count} cheques")
    return Stacks(*divmod(count, STACK_CHEQUES))


@dataclass(frozen=True, slots=True)
class CutOut:
    """How one color is cut out in front of the rack: rows of small stacks, the last one proven."""

    rows: tuple[tuple[int, ...], ...]
    proof: tuple[int, ...]
    pushed_apart: bool

    def __str__(self) -> str:
        text = " / ".join("-".join(map(str, row)) for row in self.rows)
        return f"{text}, prove the last {'-'.join(map(str, self.proof))}" if self.proof else text


def cutting_pattern(denomination_cents: int, count: int) -> CutOut:
    """Return how the manual cuts a number of cheques of one colour.

    Six to nine cheques (six and seven of the colors cut in fours) have patterns of their own; the
    last full unit of orange, gray and teal is proven.

    >>> str(cutting_pattern(500, 7)), str(cutting_pattern(2_500, 10))
    ('3-3-1', '4-4-2')
    >>> str(cutting_pattern(500_000, 8)), str(cutting_pattern(500, 26))
    ('4-4, prove the last 2-2', '5-5-5-5 / 3-3')
    """
    denomination = BY_CENTS[denomination_cents]
    split = stacks(count)
    row_counts = [STACK_CHEQUES] * split.full + ([split.odd] if split.odd else [])
    proven = bool(count) and count % denomination.unit == 0
    return CutOut(
        rows=tuple(_row(denomination.unit, row_count) for row_count in row_counts),
        proof=denomination.proof if proven else (),
        pushed_apart=denomination.pushed_apart and count > 0,
    )


def _row(unit: int, count: int) -> tuple[int, ...]:
    # The manual's exceptions keep small rows even, so that a camera can read them at a glance.
    if count in (6, 7):
        return (3, 3, 1)[: count - 4]
    if unit == 5 and count in (8, 9):
        return (4, 4, 1)[: count - 6]
    full, rest = divmod(count, unit)
    return (unit,) * full + ((rest,) if rest else ())


def least_of_par(par: int) -> int:
    """Return the fewest cheques of a color with which a tray isn’t low on it.

    >>> least_of_par(100), least_of_par(21)
    (60, 13)
    """
    return -(-par * _LOW_PERCENT // 100)


def low_colours(tray: Mapping[int, int], par: Mapping[int, int]) -> list[int]:
    """Return what a tray has little of, against its par, highest first.

    >>> low_colours({10_000: 59, 2_500: 120, 100: 60}, {10_000: 100, 2_500: 200, 500: 20})
    [10000, 500]
    """
    return [cents for cents in ordered(par) if tray.get(cents, 0) < least_of_par(par[cents])]


def suggest_to_par(
    tray: Mapping[int, int], par: Mapping[int, int], *, half_way: bool = False
) -> dict[int, int]:
    """Return the fill that brings a tray to par, in whole stacks.

    $500 and above come in the fours or fives they are cut in: no one sends a stack of orange to a
    tray whose par is ten. A fill passes par only by a twentieth of it, so 39 short of 100 asks for
    two stacks and 16 short of 60 for none.

    >>> suggest_to_par({10_000: 61, 2_500: 96, 100: 44}, {10_000: 100, 2_500: 200, 100: 60})
    {10000: 40, 2500: 100}
    >>> suggest_to_par({100_000: 0}, {100_000: 10})
    {100000: 10}
    >>> suggest_to_par({2_500: 96}, {2_500: 200}, half_way=True)
    {2500: 40}
    """
    return _suggested(tray, par, direction=1, parts=2 if half_way else 1)


def suggest_credit_to_par(tray: Mapping[int, int], par: Mapping[int, int]) -> dict[int, int]:
    """Return the credit that brings a tray down to par: the mirror of a fill.

    A color with no par is left alone, since no one said how much of it is too much.

    >>> suggest_credit_to_par({10_000: 145, 2_500: 96}, {10_000: 100, 2_500: 200})
    {10000: 40}
    """
    return _suggested(tray, par, direction=-1, parts=1)


def _suggested(
    tray: Mapping[int, int], par: Mapping[int, int], *, direction: int, parts: int
) -> dict[int, int]:
    suggestion = {}
    for cents in ordered(par):
        missing = direction * (par[cents] - tray.get(cents, 0)) // parts
        by_the_unit = worth_of(cents) >= BY_THE_UNIT_FROM_CENTS
        step = BY_CENTS[cents].unit if by_the_unit else STACK_CHEQUES
        steps = (missing + par[cents] // (PAR_TOLERANCE * parts)) // step
        if missing > 0 and steps > 0:
            suggestion[cents] = steps * step
    return suggestion
