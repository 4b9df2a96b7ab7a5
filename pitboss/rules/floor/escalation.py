"""Whom to tell next when something has waited too long."""

from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta

from pitboss.rules.roles import Role, department, rank


def next_in_rank(roles: Collection[Role]) -> list[Role]:
    """Return whom to tell besides those asked already: the next above on each of their ladders.

    >>> next_in_rank([Role.SUPERVISOR]), next_in_rank([Role.SUPERVISOR, Role.PIT_MANAGER])
    ([<Role.PIT_MANAGER: 'pit_manager'>], [<Role.SHIFT_MANAGER: 'shift_manager'>])
    >>> next_in_rank([Role.SHIFT_MANAGER])
    []

    What compliance looks into is no one else's to know.

    >>> next_in_rank([Role.COMPLIANCE])
    []

    A desk whose ladder ends tells the shift manager, who answers for the whole floor.

    >>> next_in_rank([Role.CASHIER, Role.CAGE_MANAGER]), next_in_rank([Role.SURVEILLANCE_MANAGER])
    ([<Role.SHIFT_MANAGER: 'shift_manager'>], [<Role.SHIFT_MANAGER: 'shift_manager'>])
    """
    if Role.COMPLIANCE in roles:
        return []
    told = []
    for ladder in {department(role) for role in roles}:
        highest = max(rank(role) for role in roles if role in ladder)
        above = ladder[highest] if highest < len(ladder) else Role.SHIFT_MANAGER
        if above not in roles and above not in told:
            told.append(above)
    return sorted(told)


def told_of_approval(
    waited: timedelta, roles: Collection[Role], after: tuple[timedelta, timedelta]
) -> list[Role]:
    """Return whom a payout's request goes to next: the pit's supervisors, then its pit manager.

    >>> first, second = timedelta(seconds=60), timedelta(seconds=120)
    >>> told_of_approval(timedelta(seconds=59), [], (first, second))
    []
    >>> told_of_approval(timedelta(seconds=60), [], (first, second))
    [<Role.SUPERVISOR: 'supervisor'>]
    >>> told_of_approval(timedelta(seconds=130), [Role.SUPERVISOR], (first, second))
    [<Role.PIT_MANAGER: 'pit_manager'>]
    """
    stages = zip((Role.SUPERVISOR, Role.PIT_MANAGER), after, strict=True)
    return [role for role, least in stages if waited >= least and role not in roles]
