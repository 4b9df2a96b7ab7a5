"""Boxes with a compartment for each shift: one is locked before the next one is enabled.

A compartment belongs to the count of the tray on which it was locked, the last one to the count on
which its box is pulled. So the cash of each shift is known apart, and its win is final.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum, unique
from typing import Final

from pitboss.rules.refusal import CONFLICT, NOT_YOURS, Refusal

LETTERS: Final = "ABCDEF"
COMPARTMENTS_MAX: Final = len(LETTERS)


@unique
class Turn(StrEnum):
    """What happens to a compartment."""

    ENABLED = "enabled"
    LOCKED = "locked"


@dataclass(frozen=True, slots=True)
class BoxStanding:
    """A box with compartments as it stands on its table."""

    table: str
    tag: str
    most: int
    # The compartment that was last enabled, and whether it is locked since.
    letter: str
    is_locked: bool

    @property
    def following(self) -> str:
        """Return the compartment after this one; nothing after the last.

        >>> BoxStanding("BJ-11", "4011", 3, "A", False).following
        'B'
        """
        place = LETTERS.index(self.letter) + 1
        return LETTERS[place] if place < self.most else ""


@dataclass(frozen=True, slots=True)
class Actor:
    """Who locks or enables, and whether anything at the table is in the way."""

    is_supervisor: bool
    is_here: bool
    # The serial of a pull that is under way.
    pull: str = ""


def _actor_refusals(standing: BoxStanding | None, actor: Actor) -> list[Refusal]:
    refusals = []
    if not actor.is_supervisor:
        refusals.append(
            Refusal("wrong_role", "Only a supervisor can lock and enable compartments.", NOT_YOURS)
        )
    if not actor.is_here:
        refusals.append(Refusal("wrong_place", "Use a tablet in the pit.", NOT_YOURS))
    if actor.pull:
        refusals.append(
            Refusal(
                "pull_under_way", f"{actor.pull} pulls this box. Finish it or void it.", CONFLICT
            )
        )
    if standing is None:
        refusals.append(
            Refusal(
                "no_compartments",
                "The box of this table has no compartments to change. Pull the box instead.",
            )
        )
    return refusals


def lock_refusals(
    standing: BoxStanding | None, letter: str, actor: Actor, *, is_counted: bool, minutes: int
) -> list[Refusal]:
    """Return why a compartment may not be locked now."""
    refusals = _actor_refusals(standing, actor)
    if standing is None:
        return refusals
    if letter != standing.letter or standing.is_locked:
        refusals.append(
            Refusal(
                "not_in_use",
                f"Compartment {letter or 'none'} isn’t in use. Open the page again.",
                CONFLICT,
            )
        )
    elif not standing.following:
        refusals.append(
            Refusal("last_compartment", f"Compartment {letter} is the last. Pull the box.")
        )
    elif not is_counted:
        refusals.append(
            Refusal(
                "count_first",
                f"Count the tray of {standing.table} first. The compartment is locked within "
                f"{minutes} minutes of the count.",
                CONFLICT,
            )
        )
    return refusals


def enable_refusals(standing: BoxStanding | None, letter: str, actor: Actor) -> list[Refusal]:
    """Return why a compartment may not be enabled now: the one before it is locked first."""
    refusals = _actor_refusals(standing, actor)
    if standing is None:
        return refusals
    if not standing.following:
        refusals.append(
            Refusal("last_compartment", f"Compartment {standing.letter} is the last. Pull the box.")
        )
    elif letter != standing.following:
        refusals.append(
            Refusal(
                "not_the_next",
                f"Compartment {standing.following} is next. Enable that one.",
                CONFLICT,
            )
        )
    elif not standing.is_locked:
        refusals.append(
            Refusal(
                "not_locked",
                f"Compartment {standing.letter} isn’t locked. Lock it, then enable {letter}.",
            )
        )
    return refusals


@dataclass(frozen=True, slots=True)
class Segment:
    """What one compartment holds: up to which count, and when it was locked."""

    letter: str
    count: str | None
    # None for the one that is in use until the pull.
    locked_at: datetime | None = None


def segments(
    standing: BoxStanding, locked: Sequence[Segment], count: str | None, *, is_open: bool
) -> list[Segment]:
    """Return the compartments that have something in them when a box is pulled, first to last.

    The one in use ends with the last count. At a closed table that count may have locked the one
    before it: nothing was dropped since.
    """
    used = {segment.count for segment in locked}
    if standing.is_locked or (not is_open and count in used):
        return list(locked)
    return [*locked, Segment(standing.letter, None if count in used else count)]


def compartment_refusals(
    standing: BoxStanding,
    locked: Collection[Segment],
    count: str | None,
    *,
    is_open: bool,
    needs_count: bool,
) -> list[Refusal]:
    """Return why a box with compartments may not leave an open table now."""
    if not is_open:
        return []
    if standing.is_locked:
        return [
            Refusal(
                "compartment_locked",
                f"Compartment {standing.letter} is locked. Enable {standing.following}, then pull "
                "the box.",
                CONFLICT,
            )
        ]
    if needs_count and count in {segment.count for segment in locked}:
        return [
            Refusal(
                "count_first",
                f"{standing.table} was counted for the compartment before. Count the tray again.",
                CONFLICT,
            )
        ]
    return []
