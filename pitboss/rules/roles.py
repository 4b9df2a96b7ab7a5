"""Who people are on the floor: roles, their departments and their rank."""

from __future__ import annotations

from enum import StrEnum, unique


@unique
class Role(StrEnum):
    """What a person does in a shift. The values are stored and returned by the API."""

    DEALER = "dealer"
    SUPERVISOR = "supervisor"
    PIT_MANAGER = "pit_manager"
    SHIFT_MANAGER = "shift_manager"
    CASHIER = "cashier"
    CAGE_MANAGER = "cage_manager"
    SECURITY = "security"
    SECURITY_MANAGER = "security_manager"
    SURVEILLANCE = "surveillance"
    SURVEILLANCE_MANAGER = "surveillance_manager"
    COUNT_TEAM = "count_team"
    ACCOUNTING = "accounting"
    COMPLIANCE = "compliance"
    AUDITOR = "auditor"
    ADMINISTRATOR = "administrator"

    @property
    def label(self) -> str:
        return _LABELS.get(self, self.value.replace("_", " "))


_LABELS = {
    Role.SECURITY: "security officer",
    Role.SURVEILLANCE: "surveillance officer",
    Role.COUNT_TEAM: "count team member",
    Role.ACCOUNTING: "accountant",
    Role.COMPLIANCE: "compliance officer",
}


@unique
class Place(StrEnum):
    """Where a device is bound. A signature is taken only where its step belongs."""

    PIT = "pit"
    CAGE = "cage"
    SECURITY = "security"
    SURVEILLANCE = "surveillance"
    OFFICE = "office"


_LADDERS: tuple[tuple[Role, ...], ...] = (
    (Role.DEALER, Role.SUPERVISOR, Role.PIT_MANAGER, Role.SHIFT_MANAGER),
    (Role.CASHIER, Role.CAGE_MANAGER),
    (Role.SECURITY, Role.SECURITY_MANAGER),
    (Role.SURVEILLANCE, Role.SURVEILLANCE_MANAGER),
    (Role.COUNT_TEAM,),
    (Role.ACCOUNTING,),
    (Role.COMPLIANCE,),
    (Role.AUDITOR,),
    (Role.ADMINISTRATOR,),
)

# Whoever deals signs as the dealer: a supervisor who counts their own table is one pair of eyes.
_NOT_LIFTED_BY_RANK = frozenset({Role.DEALER})


def department(role: Role) -> tuple[Role, ...]:
    """Return the ladder that a role stands on, lowest first."""
    return next(ladder for ladder in _LADDERS if role in ladder)


def rank(role: Role) -> int:
    """Return how high a role stands on its own ladder, from 1."""
    return department(role).index(role) + 1


def may_act_as(role: Role, required: Role) -> bool:
    """Tell whether someone with a role may sign where another is asked for.

    >>> may_act_as(Role.SHIFT_MANAGER, Role.SUPERVISOR)
    True
    >>> may_act_as(Role.SUPERVISOR, Role.DEALER), may_act_as(Role.SUPERVISOR, Role.CASHIER)
    (False, False)
    """
    if role == required:
        return True
    if required in _NOT_LIFTED_BY_RANK or role not in department(required):
        return False
    return rank(role) > rank(required)


def roles_that_may_act_as(required: Role) -> tuple[Role, ...]:
    """Return every role that may sign where one is asked for, lowest first."""
    return tuple(role for role in department(required) if may_act_as(role, required))


def may_witness(witness: Role, person: Role) -> bool:
    """Tell whether a role outranks another so far that it may witness a PIN being set.

    Above on the same ladder, or a shift manager, who stands above every department of the shift.
    A shift manager's own PIN is witnessed by security's manager.

    >>> may_witness(Role.SUPERVISOR, Role.DEALER), may_witness(Role.DEALER, Role.SUPERVISOR)
    (True, False)
    """
    if person == Role.SHIFT_MANAGER:
        return witness == Role.SECURITY_MANAGER
    if witness == Role.SHIFT_MANAGER:
        return True
    return witness in department(person) and rank(witness) > rank(person)
