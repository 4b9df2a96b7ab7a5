"""Why a change of the house's cheques may not be: of one cheque, or of a whole set."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from pitboss.rules.cheques.cheques import BY_CENTS, Denomination, format_cheques, format_money
from pitboss.rules.cheques.keys import (
    NUMBERS,
    SETS,
    ChequeSet,
    Rank,
    SetKind,
    kind_of,
    set_of,
    worth_of,
)
from pitboss.rules.cheques.sets import COLOURS, PROOFS, HouseCheques
from pitboss.rules.refusal import CONFLICT, Refusal

# Every cheque is a number of quarters, so that what no cheque pays is less than one.
LEAST_CENTS: Final = 25
MOST_CENTS: Final = 50_000_000
# A house with nothing of $5 or more in play could not pay whatever its smallest cheque is set to.
ALWAYS_FROM_CENTS: Final = 500
NAME_MAX: Final = 20
_LETTER: Final = re.compile(r"[A-Z]", re.ASCII)


def look_refusals(wanted: Denomination) -> list[Refusal]:
    """Return why no cheque of a house can be like this, whatever else it has."""
    refusals = []
    cents, is_piece = wanted.cents, kind_of(wanted.key) is SetKind.NON_VALUE
    if not is_piece and (not LEAST_CENTS <= cents <= MOST_CENTS or cents % LEAST_CENTS):
        refusals.append(
            Refusal(
                "bad_denomination",
                f"A cheque’s value is a multiple of $0.25, up to {format_money(MOST_CENTS)}. "
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
            Refusal("bad_proof", "Choose one of the manual’s ways to prove the last unit, or none.")
        )
    return refusals


def adding_refusals(
    wanted: Denomination, then: HouseCheques, *, secondary_from_cents: int
) -> list[Refusal]:
    """Return why a cheque may not come into play beside those that will be there by then."""
    known = BY_CENTS.get(wanted.key)
    if wanted.key in then.in_play:
        return [
            Refusal(
                "nothing_changes",
                f"{wanted.name} cheques are already in play by then. Choose another amount.",
            )
        ]
    refusals = look_refusals(wanted)
    known_set = SETS[wanted.of_set]
    is_secondary = known_set.kind is SetKind.VALUE and known_set.rank is Rank.SECONDARY
    if is_secondary and wanted.cents < secondary_from_cents:
        refusals.append(
            Refusal(
                "below_secondary",
                f"A secondary set begins at {format_money(secondary_from_cents)}. Choose a higher "
                "denomination.",
            )
        )
    if wanted.of_set and worth_of(wanted.key) and wanted.cents not in BY_CENTS:
        refusals.append(
            Refusal(
                "not_in_main", f"The main set has no {wanted.value} cheque. Add it there first."
            )
        )
    if known is not None and known != wanted:
        refusals.append(
            Refusal(
                "look_differs",
                f"The {known.value} cheque was {known.colour}, {known.letter}, cut in "
                f"{known.unit}s. Bring it back as it was.",
                CONFLICT,
            )
        )
    # Sets are told apart by their own letter and spots, so each has the colors to itself.
    others = [
        denomination
        for key, denomination in BY_CENTS.items()
        if key != wanted.key and denomination.of_set == wanted.of_set
    ]
    if wanted.spots and wanted.colour == wanted.spots:
        refusals.append(
            Refusal("colour_taken", f"The set’s spots are {wanted.spots}. Choose another color.")
        )
    if any(other.colour == wanted.colour for other in others):
        refusals.append(
            Refusal("colour_taken", f"Another cheque is {wanted.colour}. Choose another color.")
        )
    if any(other.letter == wanted.letter for other in others):
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
                f"{BY_CENTS[cents].name} isn’t in play by then. Choose another.",
            )
        ]
    refusals = []
    if worth_of(cents) and not _can_pay(key for key in then.in_play if key != cents):
        refusals.append(_last(BY_CENTS[cents].name))
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


def _can_pay(cheques: Iterable[int]) -> bool:
    return any(worth_of(key) >= ALWAYS_FROM_CENTS for key in cheques)


def _last(name: str) -> Refusal:
    return Refusal(
        "last_denomination",
        f"{name} has the last cheques of {format_money(ALWAYS_FROM_CENTS)} or more. Put others "
        "into play first.",
    )


def next_number(kind: SetKind) -> int | None:
    """Return the number of a new set of a kind; none where all of them are given."""
    return next((number for number in NUMBERS[kind] if number not in SETS), None)


def new_set_refusals(wanted: ChequeSet, known_tables: Iterable[str]) -> list[Refusal]:
    """Return why a house may not have such a set beside those it has."""
    refusals = []
    others = [cheque_set for cheque_set in SETS.values() if cheque_set != wanted]
    if not wanted.name or len(wanted.name) > NAME_MAX:
        refusals.append(Refusal("bad_set_name", f"Enter a name of at most {NAME_MAX} letters."))
    if wanted.number in {other.number for other in others}:
        refusals.append(
            Refusal(
                "set_taken",
                "Another set was given this number first. Decline this and propose it again.",
                CONFLICT,
            )
        )
    if wanted.name.casefold() in {other.name.casefold() for other in others}:
        refusals.append(
            Refusal("set_name_taken", f"Another set is called {wanted.name}. Choose another name.")
        )
    if not _LETTER.fullmatch(wanted.letter):
        refusals.append(Refusal("bad_letter", "Choose one letter from A to Z."))
    elif wanted.letter in {other.letter for other in others}:
        refusals.append(
            Refusal("letter_taken", f"Another set has the letter {wanted.letter}. Choose one.")
        )
    if wanted.spots not in COLOURS:
        refusals.append(Refusal("bad_colour", f"Choose a color: {', '.join(COLOURS)}."))
    elif wanted.spots in {other.spots for other in others}:
        refusals.append(
            Refusal("colour_taken", f"Another set has {wanted.spots} spots. Choose another color.")
        )
    return refusals + _table_refusals(wanted, frozenset(known_tables))


def _table_refusals(wanted: ChequeSet, known_tables: frozenset[str]) -> list[Refusal]:
    has_tables = wanted.kind in (SetKind.TOURNAMENT, SetKind.NON_VALUE)
    if has_tables != bool(wanted.tables):
        asked = "Enter its tables." if has_tables else "This kind of set is for all tables."
        return [Refusal("bad_tables", asked)]
    if wanted.kind is SetKind.NON_VALUE and len(wanted.tables) > 1:
        return [Refusal("bad_tables", "A non-value set belongs to one table. Enter that table.")]
    unknown = [name for name in wanted.tables if name not in known_tables]
    return [Refusal("bad_tables", f"Table {name} not found. Check its name.") for name in unknown]


def set_refusals(known: ChequeSet, then: HouseCheques, *, in_play: bool) -> list[Refusal]:
    """Return why a known set may not go out of play, or come back, beside what is there by then.

    A whole set is withdrawn though trays hold it: each such tray is an exception until it has none.
    """
    if in_play == (known.number in then.sets):
        words = "in" if in_play else "out of"
        return [
            Refusal("nothing_changes", f"{known.name} is already {words} play by then. Choose one.")
        ]
    left = (key for key in then.in_play if set_of(key) != known.number)
    if not in_play and known.kind is SetKind.VALUE and not _can_pay(left):
        return [_last(known.name)]
    return []
