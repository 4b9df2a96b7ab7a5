"""The book of flows: every kind of slip that the house knows.

Kinds are entered by `pitboss.slips.kind.find_kinds`. Read it when something is asked, never at
import.
"""

from __future__ import annotations

from typing import Final

from pitboss.rules.flows.flows import Flow
from pitboss.rules.people.proofs import Proved

FLOWS: Final[dict[str, Flow]] = {}


def late_kinds() -> frozenset[str]:
    """Return the kinds of slip that were done on paper and are entered afterwards."""
    return frozenset(flow.kind for flow in FLOWS.values() if flow.is_late)


def kinds_of_change() -> frozenset[str]:
    """Return the kinds of slip that change what the house goes by."""
    return frozenset(flow.kind for flow in FLOWS.values() if flow.is_change)


def house_kinds() -> frozenset[str]:
    """Return the kinds of slip that change the house itself or its people."""
    return frozenset(flow.kind for flow in FLOWS.values() if flow.changes_house)


def kinds_of_desk(desk: str) -> frozenset[str]:
    """Return the kinds of slip that a desk keeps: all that is signed about cards, for one."""
    return frozenset(flow.kind for flow in FLOWS.values() if flow.desk == desk)


def proved_by_signing(kind: str) -> Proved | None:
    """Return what it is to sign a slip of a kind, if a passkey may be asked for it.

    >>> proved_by_signing("setting_change"), proved_by_signing("fill")
    (<Proved.SETTINGS: 'settings'>, None)
    """
    return FLOWS[kind].proves if kind in FLOWS else None
