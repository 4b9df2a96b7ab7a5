"""Who reads what: for each kind of slip, the roles that open it and the devices that may alone.

A role that is named here opens a slip at any time, on a screen, on paper and in a list. Every other
role opens it only while one of its steps waits for them, so that no one signs what they have not
read. A device without a person before it reads a kind only where its place is named: a token is
kept by a machine, and answers for no one.
"""

from __future__ import annotations

from dataclasses import dataclass

from pitboss.rules.flows.book import FLOWS
from pitboss.rules.flows.flows import Readers
from pitboss.rules.roles import Place, Role


def readers_of(kind: str) -> Readers | None:
    """Return who reads a kind of slip; none for a kind that the house does not know."""
    flow = FLOWS.get(kind)
    return flow.readers if flow is not None else None


@dataclass(frozen=True, slots=True)
class StepAsked:
    """The step that a slip waits for: whose signature it is, and where it is taken."""

    roles: frozenset[Role]
    place: Place | None
    # Those who are told because it has waited too long; they look from wherever they are.
    told: frozenset[Role] = frozenset()


def may_read(kind: str, role: Role) -> bool:
    """Tell whether a role opens a kind of slip at any time. An unknown kind is open to no one.

    >>> may_read("fill", Role.CASHIER), may_read("marker", Role.DEALER)
    (True, False)
    >>> may_read("a kind of next year", Role.AUDITOR)
    False
    """
    readers = readers_of(kind)
    return readers is not None and role in readers.roles


def may_read_serial(serial: str, role: Role) -> bool:
    """Tell whether a role opens whatever slip has this number, for links that would lead there.

    >>> may_read_serial("F-2026-000417", Role.SECURITY), may_read_serial("M-2026-9", Role.SECURITY)
    (True, False)
    >>> may_read_serial("paper", Role.AUDITOR)
    False
    """
    series = serial.partition("-")[0]
    kinds = [flow.kind for flow in FLOWS.values() if flow.series == series]
    return bool(kinds) and all(may_read(kind, role) for kind in kinds)


def may_open_slip(kind: str, role: Role, place: Place | None, asked: StepAsked | None) -> bool:
    """Tell whether a role opens one slip on a device of a place, as it stands now.

    >>> asked = StepAsked(frozenset({Role.DEALER}), Place.PIT)
    >>> may_open_slip("marker", Role.DEALER, Place.PIT, asked)
    True
    >>> may_open_slip("marker", Role.DEALER, Place.OFFICE, asked)
    False
    """
    if may_read(kind, role):
        return True
    if asked is None or kind not in FLOWS:
        return False
    return role in asked.told or (role in asked.roles and asked.place in (None, place))


def device_may_read(kind: str, place: Place) -> bool:
    """Tell whether a device of a place reads a kind of slip with no person before it.

    >>> device_may_read("fill", Place.CAGE), device_may_read("marker", Place.CAGE)
    (True, False)
    """
    readers = readers_of(kind)
    return readers is not None and place in readers.places


def kinds_for(role: Role) -> frozenset[str]:
    """Return the kinds of slip that a role opens at any time."""
    return frozenset(kind for kind in FLOWS if may_read(kind, role))


def kinds_at(place: Place) -> frozenset[str]:
    """Return the kinds of slip that a device of a place reads by its token alone."""
    return frozenset(kind for kind in FLOWS if device_may_read(kind, place))


def kinds_at_terminals() -> frozenset[str]:
    """Return the kinds of slip of its own table that a terminal reads."""
    return frozenset(
        kind for kind in FLOWS if (readers := readers_of(kind)) is not None and readers.at_terminal
    )
