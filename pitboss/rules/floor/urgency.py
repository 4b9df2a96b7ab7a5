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

from pitboss.rules.cheques.tray_counts import VARIANCE_STEPS
from pitboss.rules.payouts.big_wins import BIG_WIN
from pitboss.rules.payouts.jackpot_flows import JACKPOT
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


_OF_EXCEPTIONS: Final = {
    "supervisor_called": Urgency.CALL,
    "payout_differs": Urgency.PAYOUT,
    "paid_twice": Urgency.PAYOUT,
    "paid_without_approval": Urgency.PAYOUT,
    "floor_request": Urgency.APPROVAL,
    "part_offered": Urgency.APPROVAL,
    "sign_to_change": Urgency.APPROVAL,
    "tax_papers": Urgency.FORM,
    "currency_report": Urgency.FORM,
    "access_change": Urgency.FORM,
    "access_review_late": Urgency.FORM,
    "account_dormant": Urgency.FORM,
    "hold_outside": Urgency.FORM,
    "incident_unwritten": Urgency.FORM,
    "key_inventory_due": Urgency.FORM,
}
_OF_SLIPS: Final = {
    BIG_WIN: Urgency.PAYOUT,
    JACKPOT: Urgency.JACKPOT,
    # No one at a table waits for these.
    "setting_change": Urgency.FORM,
    "person_change": Urgency.FORM,
    "person_leaves": Urgency.FORM,
    "limit_change": Urgency.FORM,
    "table_change": Urgency.FORM,
    "tax_papers": Urgency.FORM,
    "tax_correction": Urgency.FORM,
    "access_review": Urgency.FORM,
    "build_approval": Urgency.FORM,
    "hold_investigation": Urgency.FORM,
    "key_inventory": Urgency.FORM,
    "leave_of_absence": Urgency.FORM,
    "person_returns": Urgency.FORM,
    "tax_line": Urgency.FORM,
}
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


def urgency_of(*, code: str = "", kind: str = "", step: str = "") -> Urgency:
    """Return the rank of an exception by its code, or of a slip by its kind and the step it is at.

    >>> urgency_of(code="supervisor_called").name, urgency_of(kind="fill", step="issued").name
    ('CALL', 'SLIP')
    >>> urgency_of(code="count_differs").name, urgency_of(kind="closer", step="accepted").name
    ('TROUBLE', 'TROUBLE')
    """
    if code:
        return _OF_EXCEPTIONS.get(code, Urgency.TROUBLE)
    if step in VARIANCE_STEPS:
        return Urgency.TROUBLE
    return _OF_SLIPS.get(kind, Urgency.SLIP)


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
    if here.place is None or not any(may_act_as(here.role, each) for each in asks.by):
        return False
    if asks.place is not None and asks.place != here.place:
        return False
    is_of_a_pit = not asks.code or asks.code in _AT_THE_TABLE
    return not is_of_a_pit or here.pit_id is None or asks.pit_id in (None, here.pit_id)
