"""The parts of a round in the order they were told: undone, replaced, and played again.

Nothing that was told is lost. A part that was undone or replaced stays, with the time when it was
struck; what counts is played again from the top, so that every part is judged in its turn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any, Final

from pitboss.rules.cards.playing_cards import card
from pitboss.rules.games.games import TableRules
from pitboss.rules.refusal import CONFLICT, refuse
from pitboss.rules.rounds.log import Log, RoundPart, add_part, has_fallen, new_log
from pitboss.rules.said import Said

Entry = dict[str, Any]

# What a round was told before its parts were kept one by one.
EARLIER: Final = "earlier"
_BETS: Final = (RoundPart.SEATS.value, RoundPart.WAGERS.value)


def with_part(parts: Sequence[Entry], part: RoundPart, told: object, at: str) -> list[Entry]:
    """Return the parts with one more."""
    return [*parts, {"number": len(parts) + 1, "part": part.value, "told": told, "at": at}]


def in_force(parts: Sequence[Entry]) -> list[Entry]:
    """Return what counts in the order of play: a replacement stands where the first one stood."""
    by_number = {entry["number"]: entry for entry in parts}
    standing = []
    for entry in parts:
        if "instead_of" in entry:
            continue
        while "replaced_by" in entry:
            entry = by_number[entry["replaced_by"]]
        if "struck_at" not in entry:
            standing.append(entry)
    return standing


def played(table: TableRules, parts: Sequence[Entry]) -> Log:
    """Play what counts again from the top. Raises Refused where a part no longer fits."""
    log = new_log()
    for entry in in_force(parts):
        if entry["part"] == EARLIER:
            log = deepcopy(entry["told"])
        else:
            log = add_part(table, log, RoundPart(entry["part"]), entry["told"])
    return log


def was_dealt(parts: Sequence[Entry]) -> bool:
    """Tell whether a card was ever told, struck since or not: the meters have counted by then."""
    return any(
        entry["part"] == RoundPart.CARDS or (entry["part"] == EARLIER and has_fallen(entry["told"]))
        for entry in parts
    )


def undone(parts: Sequence[Entry], *, at: str, by: str, is_supervisor: bool) -> list[Entry]:
    """Return the parts with the last one struck. Raises Refused."""
    standing = in_force(parts)
    if not standing or standing[-1]["part"] == EARLIER:
        raise refuse(
            "nothing_to_undo",
            "There is nothing left to undo in this round. Continue it, or call the supervisor.",
            CONFLICT,
        )
    _may_correct(standing, is_supervisor=is_supervisor)
    last = standing[-1]
    if last["part"] in _BETS and was_dealt(parts):
        raise refuse(
            "bets_counted",
            "Cards are out, so the bets can’t change. Ask to abort the round instead.",
            CONFLICT,
        )
    return _struck(parts, last, at=at, by=by)


def replaced(
    parts: Sequence[Entry], fields: Mapping[str, Any], *, at: str, by: str, is_supervisor: bool
) -> list[Entry]:
    """Return the parts with one card for another. Raises Refused.

    `told` names the part by its number, the place of the card in it from 1, and the right card.
    """
    standing = in_force(parts)
    _may_correct(standing, is_supervisor=is_supervisor)
    wrong = next((entry for entry in standing if entry["number"] == fields.get("part")), None)
    if wrong is None or wrong["part"] != RoundPart.CARDS:
        raise refuse("no_such_part", "part must be the number of cards entered that still count.")
    right = card(fields.get("card")).name
    fallen = deepcopy(wrong["told"])
    place = fields.get("place")
    if type(place) is not int or not 1 <= place <= len(fallen["cards"]):
        raise refuse(
            "no_such_card",
            Said("That part has {cards} cards, from place 1.", cards=len(fallen["cards"])),
        )
    fallen["cards"][place - 1]["card"] = right
    number = len(parts) + 1
    new = {
        "number": number,
        "part": RoundPart.CARDS.value,
        "told": fallen,
        "at": at,
        "instead_of": wrong["number"],
    }
    return [*_struck(parts, wrong, at=at, by=by, replaced_by=number), new]


def _struck(parts: Sequence[Entry], one: Entry, *, at: str, by: str, **more: int) -> list[Entry]:
    mark = {"struck_at": at, "struck_by": by, **more}
    return [{**entry, **mark} if entry is one else entry for entry in parts]


def _may_correct(standing: Sequence[Entry], *, is_supervisor: bool) -> None:
    if not is_supervisor and any(entry["part"] == RoundPart.PAYOUTS for entry in standing):
        raise refuse(
            "payouts_told",
            "Payouts were already entered. Ask the supervisor to change this round.",
            CONFLICT,
        )
