"""Boxes with compartments as they stand on their tables, and what each compartment holds."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from pitboss.models import Slip, Table
from pitboss.rules.drop.compartments import LETTERS, BoxStanding, Segment, Turn
from pitboss.rules.drop.runs import BoxKind
from tables.models import CompartmentTurn, DropBox


def turns_since_on(box: DropBox) -> list[CompartmentTurn]:
    """Return what happened to the compartments of a box since it was put on its table."""
    turns: list[CompartmentTurn] = []
    for turn in box.turns.select_related("count", "person").order_by("-id"):
        turns.insert(0, turn)
        if (turn.letter, turn.turn) == (LETTERS[0], Turn.ENABLED.value):
            return turns
    return []


def standing_on(table: Table) -> tuple[BoxStanding | None, list[Segment]]:
    """Return how the compartments of a table's box stand, and those that are locked.

    A box that was on its table before it was put on file is counted as a whole.
    """
    box = DropBox.objects.filter(table=table, kind=BoxKind.MULTI.value).first()
    turns = turns_since_on(box) if box is not None else []
    if box is None or not turns:
        return None, []
    last = turns[-1]
    standing = BoxStanding(
        table.name, box.tag, box.compartments, last.letter, last.turn == Turn.LOCKED.value
    )
    locked = [Segment(turn.letter, turn.count.serial, turn.at) for turn in turns if turn.count]
    return standing, locked


def left_at(pull: Slip) -> datetime:
    """Return until when something was dropped into a box, or into a compartment of it."""
    return left_at_of(pull.details.get("locked_at"), pull.raised_at)


def left_at_of(locked_at: Any, raised_at: datetime) -> datetime:
    """Return the same of what was read as plain values."""
    return datetime.fromisoformat(locked_at) if locked_at else raised_at
