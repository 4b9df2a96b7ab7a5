"""Who people are on the floor: roles, their departments and their rank."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum, unique
from typing import Final

from pitboss.rules.refusal import NOT_YOURS, Refusal


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
    HOST = "host"
    HOST_MANAGER = "host_manager"
    ACCOUNTING = "accounting"
    CONTROLLER = "controller"
    # Collects what is owed, and has no other function.
    COLLECTOR = "collector"
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


# Who works where: pages, readers and kinds of slip name these.
SUPERVISING: Final = frozenset({Role.SUPERVISOR, Role.PIT_MANAGER, Role.SHIFT_MANAGER})
AT_THE_CAGE: Final = frozenset({Role.CASHIER, Role.CAGE_MANAGER})
GUARDING: Final = frozenset({Role.SECURITY, Role.SECURITY_MANAGER})
WATCHING: Final = frozenset({Role.SURVEILLANCE, Role.SURVEILLANCE_MANAGER})
HOSTING: Final = frozenset({Role.HOST, Role.HOST_MANAGER})
KEEPING_BOOKS: Final = frozenset({Role.AUDITOR, Role.ACCOUNTING, Role.CONTROLLER})


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
    (Role.HOST, Role.HOST_MANAGER),
    (Role.ACCOUNTING, Role.CONTROLLER),
    (Role.COLLECTOR,),
    (Role.COMPLIANCE,),
    (Role.AUDITOR,),
    (Role.ADMINISTRATOR,),
)

# Anyone who deals signs as the dealer: a supervisor who counts their own table is one pair of eyes.
_NOT_LIFTED_BY_RANK = frozenset({Role.DEALER})


def department(role: Role) -> tuple[Role, ...]:
    """Return the ladder that a role stands on, lowest first."""
    return next(ladder for ladder in _LADDERS if role in ladder)


def rank(role: Role) -> int:
    """Return how high a role stands on its own ladder, from 1."""
    return department(role).index(role) + 1


_DEPARTMENTS = {
    Role.DEALER: "pit",
    Role.CASHIER: "cage",
    Role.SECURITY: "security",
    Role.SURVEILLANCE: "surveillance",
    Role.COUNT_TEAM: "count room",
    Role.HOST: "hosts",
}


def department_name(role: Role) -> str:
    """Say which department a role belongs to.

    >>> department_name(Role.SHIFT_MANAGER), department_name(Role.AUDITOR)
    ('pit', 'auditor')
    """
    lowest = department(role)[0]
    return _DEPARTMENTS.get(lowest, lowest.value)


def acting_roles(role: Role) -> tuple[Role, ...]:
    """Return the roles that someone may be let act in for a shift.

    Those of the own department below a shift manager: no one is made one for an evening.

    >>> [each.value for each in acting_roles(Role.SUPERVISOR)], acting_roles(Role.AUDITOR)
    (['dealer', 'pit_manager'], ())
    """
    return tuple(
        item for item in department(role) if item != role and rank(item) < rank(Role.SHIFT_MANAGER)
    )


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


# Who watches what the floor does. No rank of operations reaches them; they look after each other.
INDEPENDENT: Final = frozenset(
    {
        Role.SURVEILLANCE,
        Role.SURVEILLANCE_MANAGER,
        Role.ACCOUNTING,
        Role.CONTROLLER,
        Role.COMPLIANCE,
        Role.AUDITOR,
        Role.ADMINISTRATOR,
    }
)
# Those of them who sign about people. An auditor writes nothing; an administrator signs no slip.
WATCHERS: Final = (Role.SURVEILLANCE_MANAGER, Role.ACCOUNTING, Role.COMPLIANCE)

# Who may offer someone of a role a new PIN, and so is shown one half of its code.
MAY_OFFER: Final[Mapping[Role, tuple[Role, ...]]] = {
    Role.DEALER: (Role.SUPERVISOR, Role.PIT_MANAGER, Role.SHIFT_MANAGER, Role.ADMINISTRATOR),
    Role.SUPERVISOR: (Role.PIT_MANAGER, Role.SHIFT_MANAGER, Role.ADMINISTRATOR),
    Role.PIT_MANAGER: (Role.SHIFT_MANAGER, Role.ADMINISTRATOR),
    Role.SHIFT_MANAGER: (Role.SHIFT_MANAGER, Role.SECURITY_MANAGER, Role.ADMINISTRATOR),
    Role.CASHIER: (Role.CAGE_MANAGER, Role.SHIFT_MANAGER, Role.ADMINISTRATOR),
    Role.CAGE_MANAGER: (Role.SHIFT_MANAGER, Role.ADMINISTRATOR),
    Role.SECURITY: (Role.SECURITY_MANAGER, Role.SHIFT_MANAGER, Role.ADMINISTRATOR),
    Role.SECURITY_MANAGER: (Role.SHIFT_MANAGER, Role.ADMINISTRATOR),
    Role.SURVEILLANCE: (*WATCHERS, Role.ADMINISTRATOR),
    Role.SURVEILLANCE_MANAGER: (Role.ACCOUNTING, Role.COMPLIANCE, Role.ADMINISTRATOR),
    Role.COUNT_TEAM: (Role.ACCOUNTING, Role.SHIFT_MANAGER, Role.ADMINISTRATOR),
    Role.HOST: (Role.HOST_MANAGER, Role.SHIFT_MANAGER, Role.ADMINISTRATOR),
    Role.HOST_MANAGER: (Role.SHIFT_MANAGER, Role.ADMINISTRATOR),
    Role.ACCOUNTING: (Role.SURVEILLANCE_MANAGER, Role.COMPLIANCE, Role.ADMINISTRATOR),
    Role.CONTROLLER: (Role.SURVEILLANCE_MANAGER, Role.COMPLIANCE, Role.ADMINISTRATOR),
    Role.COLLECTOR: (Role.ACCOUNTING, Role.SHIFT_MANAGER, Role.ADMINISTRATOR),
    Role.COMPLIANCE: (Role.SURVEILLANCE_MANAGER, Role.ACCOUNTING, Role.ADMINISTRATOR),
    Role.AUDITOR: (*WATCHERS, Role.ADMINISTRATOR),
    Role.ADMINISTRATOR: WATCHERS,
}
# Who may stand by, and so is shown the other half: another person than the one who offered it, and
# of another department unless the PIN is of someone of the pit.
MAY_WITNESS: Final[Mapping[Role, tuple[Role, ...]]] = {
    Role.DEALER: (
        Role.SUPERVISOR,
        Role.PIT_MANAGER,
        Role.SHIFT_MANAGER,
        Role.SECURITY_MANAGER,
    ),
    Role.SUPERVISOR: (Role.PIT_MANAGER, Role.SHIFT_MANAGER, Role.SECURITY_MANAGER),
    Role.PIT_MANAGER: (Role.SHIFT_MANAGER, Role.SECURITY_MANAGER),
    Role.SHIFT_MANAGER: (Role.SECURITY_MANAGER, Role.CAGE_MANAGER),
    Role.CASHIER: (Role.SHIFT_MANAGER, Role.SECURITY_MANAGER),
    Role.CAGE_MANAGER: (Role.SHIFT_MANAGER, Role.SECURITY_MANAGER),
    Role.SECURITY: (Role.SHIFT_MANAGER, Role.CAGE_MANAGER),
    Role.SECURITY_MANAGER: (Role.SHIFT_MANAGER, Role.CAGE_MANAGER),
    Role.SURVEILLANCE: (Role.ACCOUNTING, Role.COMPLIANCE),
    Role.SURVEILLANCE_MANAGER: (Role.ACCOUNTING, Role.COMPLIANCE),
    Role.COUNT_TEAM: (Role.ACCOUNTING, Role.SHIFT_MANAGER, Role.SECURITY_MANAGER),
    Role.HOST: (Role.SHIFT_MANAGER, Role.SECURITY_MANAGER),
    Role.HOST_MANAGER: (Role.SHIFT_MANAGER, Role.SECURITY_MANAGER),
    Role.ACCOUNTING: (Role.SURVEILLANCE_MANAGER, Role.COMPLIANCE),
    Role.CONTROLLER: (Role.SURVEILLANCE_MANAGER, Role.COMPLIANCE),
    Role.COLLECTOR: (Role.ACCOUNTING, Role.SHIFT_MANAGER, Role.SECURITY_MANAGER),
    Role.COMPLIANCE: (Role.SURVEILLANCE_MANAGER, Role.ACCOUNTING),
    Role.AUDITOR: WATCHERS,
    Role.ADMINISTRATOR: WATCHERS,
}
# Who may propose and approve changes about people of a role. Always two, never about oneself.
MAY_MANAGE: Final[Mapping[Role, tuple[Role, ...]]] = {
    Role.DEALER: (Role.PIT_MANAGER, Role.SHIFT_MANAGER),
    Role.SUPERVISOR: (Role.PIT_MANAGER, Role.SHIFT_MANAGER),
    Role.PIT_MANAGER: (Role.SHIFT_MANAGER,),
    # The managers of cage and security too: a house that lost its shift managers gets new ones.
    Role.SHIFT_MANAGER: (Role.SHIFT_MANAGER, Role.SECURITY_MANAGER, Role.CAGE_MANAGER),
    Role.CASHIER: (Role.CAGE_MANAGER, Role.SHIFT_MANAGER),
    Role.CAGE_MANAGER: (Role.SHIFT_MANAGER,),
    Role.SECURITY: (Role.SECURITY_MANAGER, Role.SHIFT_MANAGER),
    Role.SECURITY_MANAGER: (Role.SHIFT_MANAGER,),
    Role.COUNT_TEAM: (Role.ACCOUNTING, Role.SHIFT_MANAGER),
    Role.COLLECTOR: (Role.ACCOUNTING, Role.SHIFT_MANAGER),
    Role.HOST: (Role.HOST_MANAGER, Role.SHIFT_MANAGER),
    Role.HOST_MANAGER: (Role.SHIFT_MANAGER,),
    **dict.fromkeys(INDEPENDENT, WATCHERS),
}

# Who reviews the access of everyone, and so adds no one and raises no one.
GRANTS_NO_ACCESS: Final = frozenset({Role.COMPLIANCE})


def granting_refusals(manager: Role) -> list[Refusal]:
    """Return why a role may not add someone, give them another role, or bring them back.

    >>> granting_refusals(Role.SHIFT_MANAGER)
    []
    >>> [each.code for each in granting_refusals(Role.COMPLIANCE)]
    ['grants_no_access']
    """
    if manager not in GRANTS_NO_ACCESS:
        return []
    return [
        Refusal(
            "grants_no_access",
            "Compliance reviews access and can’t give it. Ask a manager.",
            NOT_YOURS,
        )
    ]


def may_offer(offerer: Role, person: Role, *, founding: bool = False) -> bool:
    """Tell whether a role may offer a PIN to someone of another.

    `founding`: the house has not yet the people who look after the independent departments, so
    shift managers give the first of them their first PIN.

    >>> may_offer(Role.SHIFT_MANAGER, Role.CASHIER), may_offer(Role.SHIFT_MANAGER, Role.AUDITOR)
    (True, False)
    """
    return offerer in MAY_OFFER[person] or _founds(offerer, person, founding)


def may_witness(witness: Role, person: Role, *, founding: bool = False) -> bool:
    """Tell whether a role may stand by while someone of another sets their PIN.

    >>> may_witness(Role.SUPERVISOR, Role.DEALER), may_witness(Role.CAGE_MANAGER, Role.CASHIER)
    (True, False)
    """
    return witness in MAY_WITNESS[person] or _founds(witness, person, founding)


def may_manage(manager: Role, role: Role, *, founding: bool = False) -> bool:
    """Tell whether a role may propose and approve changes about people of another.

    >>> may_manage(Role.CAGE_MANAGER, Role.CASHIER), may_manage(Role.SHIFT_MANAGER, Role.AUDITOR)
    (True, False)
    """
    return manager in MAY_MANAGE[role] or _founds(manager, role, founding)


def may_grant(granter: Role, person: Role, role: Role) -> bool:
    """Tell whether someone of a role may let someone of another act in a rank for a time.

    A shift manager does, and a pit manager up to supervisor; in surveillance its own manager.

    >>> may_grant(Role.SHIFT_MANAGER, Role.DEALER, Role.PIT_MANAGER)
    True
    >>> may_grant(Role.PIT_MANAGER, Role.DEALER, Role.SUPERVISOR)
    True
    >>> may_grant(Role.PIT_MANAGER, Role.DEALER, Role.PIT_MANAGER)
    False
    """
    if person in INDEPENDENT:
        return granter == Role.SURVEILLANCE_MANAGER
    if granter == Role.PIT_MANAGER:
        return person in DUAL_RATES and role in DUAL_RATES
    return granter == Role.SHIFT_MANAGER


# Who deals one part of a shift and supervises another.
DUAL_RATES: Final = (Role.DEALER, Role.SUPERVISOR)
# Who may name an acting shift manager where there is none, and of whom one must be.
NAMING_MANAGERS: Final = (Role.CAGE_MANAGER, Role.SECURITY_MANAGER, Role.SURVEILLANCE_MANAGER)
NAMING_FIRST: Final = (Role.SECURITY_MANAGER, Role.SURVEILLANCE_MANAGER)


def naming_refusals(first: Role, second: Role) -> list[Refusal]:
    """Return why these two may not name an acting shift manager together.

    >>> naming_refusals(Role.SECURITY_MANAGER, Role.CAGE_MANAGER)
    []
    >>> [r.code for r in naming_refusals(Role.SECURITY_MANAGER, Role.SECURITY_MANAGER)]
    ['same_department']
    """
    if department(first) != department(second):
        return []
    return [
        Refusal(
            "same_department",
            "Two managers of two departments name an acting shift manager. "
            "Ask a manager of another department.",
        )
    ]


def may_unlock(role: Role, person: Role) -> bool:
    """Tell whether a role may forgive the wrong attempts at the badge of someone of another.

    >>> may_unlock(Role.SHIFT_MANAGER, Role.DEALER), may_unlock(Role.SHIFT_MANAGER, Role.AUDITOR)
    (True, False)
    """
    own = WATCHERS if person in INDEPENDENT else (Role.SHIFT_MANAGER,)
    return role in own or may_act_as(role, Role.SECURITY)


def _founds(role: Role, person: Role, founding: bool) -> bool:
    return founding and role == Role.SHIFT_MANAGER and person in INDEPENDENT


def can_get_a_pin(role: Role, able: Mapping[Role, int]) -> bool:
    """Tell whether someone of a role who has lost their PIN can get another.

    `able` counts, by role, who works here and has a PIN. It takes one who offers and another who
    witnesses, and neither is the person.

    >>> can_get_a_pin(Role.CASHIER, {Role.CASHIER: 3, Role.SHIFT_MANAGER: 1})
    False
    >>> can_get_a_pin(Role.CASHIER, {Role.SHIFT_MANAGER: 2})
    True
    """
    others = {item: count - (item == role) for item, count in able.items()}

    def count(roles: Iterable[Role]) -> int:
        return sum(max(0, others.get(role, 0)) for role in roles)

    offering, standing_by = MAY_OFFER[role], MAY_WITNESS[role]
    return min(count(offering), count(standing_by)) >= 1 and count({*offering, *standing_by}) >= 2


def can_be_managed(role: Role, able: Mapping[Role, int]) -> bool:
    """Tell whether the house has two people who may add someone of a role.

    >>> can_be_managed(Role.AUDITOR, {Role.ACCOUNTING: 1, Role.COMPLIANCE: 3})
    False
    """
    granting = (item for item in MAY_MANAGE[role] if item not in GRANTS_NO_ACCESS)
    return sum(able.get(item, 0) for item in granting) >= 2


# Fewer than two could not close a day, and the one could not get a PIN from the other.
LEAST_SHIFT_MANAGERS: Final = 2


def staffing_refusals(before: Mapping[Role, int], after: Mapping[Role, int]) -> list[Refusal]:
    """Return why a house may not go on with the people it would have left.

    Both count, by role, who works here and has a PIN. What was already so is no reason.

    >>> [r.code for r in staffing_refusals({Role.SHIFT_MANAGER: 2}, {Role.SHIFT_MANAGER: 1})]
    ['too_few_shift_managers']
    """
    refusals = []
    managers = after.get(Role.SHIFT_MANAGER, 0)
    if managers < min(LEAST_SHIFT_MANAGERS, before.get(Role.SHIFT_MANAGER, 0)):
        refusals.append(
            Refusal(
                "too_few_shift_managers",
                "This would leave fewer than two shift managers with a PIN. "
                "Add another shift manager and set their PIN first.",
            )
        )
    stranded = [
        role
        for role in Role
        if after.get(role, 0) and can_get_a_pin(role, before) and not can_get_a_pin(role, after)
    ]
    if stranded:
        names = ", ".join(role.label for role in stranded)
        refusals.append(
            Refusal(
                "no_one_to_witness",
                f"After this, two people could no longer give these roles a new PIN: {names}. "
                "Add someone who can offer or witness it first.",
            )
        )
    return refusals
