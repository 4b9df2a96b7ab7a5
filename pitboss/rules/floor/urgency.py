"""What comes first of all that waits, and whether someone can do it where they stand.

One order for the board, its strip and the inbox: a player who waits comes before a paper. Within a
rank the newest is first, since what is older has been seen, and its own clock says how old it is.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from enum import IntEnum, unique
from typing import Final

from pitboss.rules.roles import Place, Role, may_act_as


@unique
class Urgency(IntEnum):
    """The ranks, most urgent first."""

    CALL = 1
    PAYOUT = 2
    JACKPOT = 3
    NO_DEALER = 4
    APPROVAL = 5
    TROUBLE = 6
    SLIP = 7
    RELIEF = 8
    FORM = 9


# Answered where the table stands: from another pit no one sees the layout.
_AT_THE_TABLE: Final = frozenset(
    {
        "supervisor_called",
        "floor_request",
        "part_offered",
        "payout_differs",
        "sign_to_change",
        "tray_may_be_short",
    }
)


def in_order(urgency: Urgency, since: datetime) -> tuple[int, float]:
    """Return what things that wait are sorted by: the rank, then the newest."""
    return int(urgency), -since.timestamp()


@dataclass(frozen=True, slots=True)
class Asks:
    """What waits: the roles that it names, and where it is signed or answered."""

    by: Collection[Role]
    place: Place | None = None
    pit_id: int | None = None
    code: str = ""


@dataclass(frozen=True, slots=True)
class Here:
    """Who is at a device, and where the device belongs; no place where none is enrolled."""

    role: Role
    place: Place | None
    pit_id: int | None = None


def can_do(asks: Asks, here: Here) -> bool:
    """Tell whether someone can do what waits on the device before them.

    >>> fill = Asks([Role.SUPERVISOR], Place.PIT, pit_id=1)
    >>> can_do(fill, Here(Role.SUPERVISOR, Place.PIT, 1)), can_do(fill, Here(Role.CASHIER, None))
    (True, False)
    """
    if here.place is None or not any(may_act_as(here.role, role) for role in asks.by):
        return False
    if asks.place is not None and asks.place != here.place:
        return False
    is_of_a_pit = not asks.code or asks.code in _AT_THE_TABLE
    return not is_of_a_pit or here.pit_id is None or asks.pit_id in (None, here.pit_id)
