"""The cheques of a house as data: what it adds to the manual's ten, and what is in play when.

Each change is a row that holds from the start of a gaming day on, under a key such as
`cheques.main.1000`; what it says stands on the slip that three people signed. How a cheque looks
is said with its first row and stays so for good: another look is another set.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from pitboss.rules.cheques.cheques import (
    BY_CENTS,
    DENOMINATIONS,
    Denomination,
    format_cheques,
    format_money,
    learn,
    ordered,
)
from pitboss.rules.refusal import CONFLICT, Refusal

CHEQUE_CHANGE: Final = "cheque_change"
KEY: Final = "cheques."
_MAIN: Final = f"{KEY}main."
# Every cheque is a number of quarters, so that what no cheque pays is less than one.
LEAST_CENTS: Final = 25
MOST_CENTS: Final = 50_000_000
# A house with nothing of $5 or more in play could not pay whatever its smallest cheque is set to.
ALWAYS_FROM_CENTS: Final = 500

COLOURS: Final = (
    *(each.colour for each in DENOMINATIONS),
    *("brown", "yellow", "sky", "maroon", "lime", "navy"),
    *("gold", "coral", "peach", "lavender", "olive", "silver"),
)
"""Every color that cheques are drawn in."""

PROOFS: Final[Mapping[int, tuple[int, ...]]] = {4: (2, 2), 5: (2, 2, 1)}
"""How the last unit of a high color is proven, by how many it is cut in."""

_LETTER: Final = re.compile(r"[A-Z]", re.ASCII)


@dataclass(frozen=True, slots=True)
class HouseCheques:
    """Which cheques a house has at one instant, each highest first."""

    # All that are or were in play: what may lie in a tray, and what a count can find.
    begun: tuple[int, ...]
    in_play: tuple[int, ...]

    def refusals(self, cheques: Iterable[int], *, ships: bool) -> list[Refusal]:
        """Return why these cheques may not be on a slip of a table.

        A tray may hold what is out of play until it is counted and sent to the cage; what ships
        cheques to a tray or a patron ships only those in play.
        """
        listed = ordered(cheques)
        coming = [cents for cents in listed if cents not in self.begun]
        out = [cents for cents in listed if cents in self.begun and cents not in self.in_play]
        refusals = [
            Refusal(
                "not_yet_in_play",
                f"{BY_CENTS[cents].name} isn’t in play yet. Leave it out until its gaming day.",
            )
            for cents in coming
        ]
        if ships:
            refusals += [
                Refusal(
                    "out_of_play",
                    f"{BY_CENTS[cents].name} is out of play. Use another denomination.",
                )
                for cents in out
            ]
        return refusals


MANUAL: Final = HouseCheques(
    tuple(each.cents for each in DENOMINATIONS), tuple(each.cents for each in DENOMINATIONS)
)
"""A house that has changed nothing."""


def is_of_cheques(key: str) -> bool:
    """Tell whether a row of the settings is about a cheque."""
    return key.startswith(_MAIN)


def key_of(cents: int) -> str:
    """Return under which key a cheque is changed.

    >>> key_of(1_000), cents_of(key_of(1_000))
    ('cheques.main.1000', 1000)
    """
    return f"{_MAIN}{cents}"


def cents_of(key: str) -> int:
    """Return which cheque a key is about."""
    return int(key.removeprefix(_MAIN))


def learn_cheque(key: str, value: Mapping[str, Any]) -> None:
    """Know how a cheque looks, also before it is in play: the maker delivers it earlier."""
    learn(denomination_of(cents_of(key), value))


def denomination_of(cents: int, value: Mapping[str, Any]) -> Denomination:
    """Return a cheque as its slip describes it."""
    return Denomination(
        cents,
        value["colour"],
        value["letter"],
        value["unit"],
        tuple(value["proof"]),
        pushed_apart=value["pushed_apart"],
    )


def described(denomination: Denomination, *, in_play: bool) -> dict[str, Any]:
    """Return what a slip keeps of a cheque, and whether it is in play from then on.

    >>> green = BY_CENTS[2_500]
    >>> denomination_of(2_500, described(green, in_play=True)) == green
    True
    """
    return {
        "colour": denomination.colour,
        "letter": denomination.letter,
        "unit": denomination.unit,
        "proof": list(denomination.proof),
        "pushed_apart": denomination.pushed_apart,
        "in_play": in_play,
    }


def house_cheques(rows: Iterable[tuple[str, Mapping[str, Any]]]) -> HouseCheques:
    """Return the cheques of a house by the changes that hold, in their order.

    >>> brown = described(Denomination(1_000, "brown", "N", 5), in_play=True)
    >>> pink = described(BY_CENTS[250], in_play=False)
    >>> now = house_cheques([(key_of(1_000), brown), (key_of(250), pink)])
    >>> 1_000 in now.in_play, 250 in now.in_play, 250 in now.begun
    (True, False, True)
    """
    state = dict.fromkeys(MANUAL.in_play, True)
    for key, value in rows:
        state[cents_of(key)] = value["in_play"]
    begun = ordered(state)
    return HouseCheques(tuple(begun), tuple(cents for cents in begun if state[cents]))


def words_of(denomination: Denomination) -> list[tuple[str, str]]:
    """Say how a cheque looks and how it is cut, line by line."""
    return [
        ("Denomination", denomination.value),
        ("Color", denomination.colour),
        ("Letter", denomination.letter),
        ("Cut", cutting_words(denomination)),
    ]


def cutting_words(denomination: Denomination) -> str:
    """Say how a cheque is cut.

    >>> cutting_words(BY_CENTS[500_000]), cutting_words(BY_CENTS[500])
    ('in fours, the last proven 2-2, rows pushed apart', 'in fives')
    """
    words = ["in fours" if denomination.unit == 4 else "in fives"]
    if denomination.proof:
        words.append(f"the last proven {'-'.join(map(str, denomination.proof))}")
    if denomination.pushed_apart:
        words.append("rows pushed apart")
    return ", ".join(words)


def look_refusals(wanted: Denomination) -> list[Refusal]:
    """Return why no cheque of a house can be like this, whatever else it has."""
    refusals = []
    cents = wanted.cents
    if not LEAST_CENTS <= cents <= MOST_CENTS or cents % LEAST_CENTS:
        refusals.append(
            Refusal(
                "bad_denomination",
                f"A cheque is worth a number of quarters up to {format_money(MOST_CENTS)}. "
                "Enter another amount.",
            )
        )
    if wanted.colour not in COLOURS:
        refusals.append(Refusal("bad_colour", f"Choose a color: {', '.join(COLOURS)}."))
    if not _LETTER.fullmatch(wanted.letter):
        refusals.append(Refusal("bad_letter", "Choose one letter from A to Z."))
    if wanted.unit not in PROOFS:
        refusals.append(Refusal("bad_unit", "Cheques are cut in fours or fives. Choose one."))
    elif wanted.proof not in ((), PROOFS[wanted.unit]):
        refusals.append(
            Refusal("bad_proof", "The last unit is proven as the manual does, or not at all.")
        )
    return refusals


def adding_refusals(wanted: Denomination, then: HouseCheques) -> list[Refusal]:
    """Return why a cheque may not come into play beside those that will be there by then."""
    known = BY_CENTS.get(wanted.cents)
    if wanted.cents in then.in_play:
        return [
            Refusal(
                "nothing_changes",
                f"{wanted.value} cheques are already in play by then. Choose another amount.",
            )
        ]
    refusals = look_refusals(wanted)
    if known is not None and known != wanted:
        refusals.append(
            Refusal(
                "look_differs",
                f"The {known.value} cheque was {known.colour}, {known.letter}, cut in "
                f"{known.unit}s. Bring it back as it was.",
                CONFLICT,
            )
        )
    others = [each for cents, each in BY_CENTS.items() if cents != wanted.cents]
    if any(each.colour == wanted.colour for each in others):
        refusals.append(
            Refusal("colour_taken", f"Another cheque is {wanted.colour}. Choose another color.")
        )
    if any(each.letter == wanted.letter for each in others):
        refusals.append(
            Refusal("letter_taken", f"Another cheque has the letter {wanted.letter}. Choose one.")
        )
    return refusals


def retiring_refusals(cents: int, then: HouseCheques, held: Mapping[str, int]) -> list[Refusal]:
    """Return why a cheque may not be taken out of play: `held` says who has how many of it."""
    if cents not in then.in_play:
        return [
            Refusal(
                "nothing_changes",
                f"The house has no {format_money(cents)} cheque in play by then. Choose another.",
            )
        ]
    refusals = []
    if sum(each >= ALWAYS_FROM_CENTS for each in then.in_play if each != cents) == 0:
        refusals.append(
            Refusal(
                "last_denomination",
                f"{BY_CENTS[cents].name} is the last cheque of "
                f"{format_money(ALWAYS_FROM_CENTS)} or more. Add another first.",
            )
        )
    holders = [f"{who} ({format_cheques({cents: count})})" for who, count in held.items()]
    if holders:
        refusals.append(
            Refusal(
                "denomination_held",
                f"{', '.join(holders)} still held. Bring every one to the cage and destroy it, "
                "then retire it.",
                CONFLICT,
            )
        )
    return refusals
