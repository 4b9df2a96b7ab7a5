"""Whose badge it is, as a pad says it, what someone signed while acting, and all employees."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from pitboss.models import ActingRole, Person, Signature, Table
from pitboss.rules.day.gaming_day import Period
from pitboss.rules.roles import Role
from pitboss.rules.settings.in_force import SettingsInForce
from pitboss.selectors.licences import ending_of
from pitboss.services import house
from pitboss.services.visits import late_visits


def named(badge: str, when: Period, in_force: SettingsInForce) -> dict[str, str] | None:
    """Return name, role and license of a badge, or None when no one has it."""
    person = Person.objects.filter(badge=badge.strip()[:12]).first() if badge.strip() else None
    if person is None:
        return None
    ending = ending_of(person, when.gaming_day, in_force["people.licence_reminder"])
    return {
        "name": str(person),
        "role": house.role_in(person, when).label,
        "licence": person.licence_number,
        "licence_words": ending.words if ending else "",
    }


# Whose badge a table's dealer has: the tables know that, and say it here.
_DEALERS_BADGE: list[Callable[[Table], str]] = []


def tells_whose_table_it_is(answer: Callable[[Table], str]) -> None:
    """Register what says which badge the dealer of a table has, or nothing."""
    _DEALERS_BADGE.append(answer)


def dealers_badge(table: Table) -> str:
    """Return the badge of who deals at a table now, or nothing."""
    return next(filter(None, (answer(table) for answer in _DEALERS_BADGE)), "")


# More names than these are no quicker than a badge.
_NAMES_MAX = 6


def lately_signed_in(roles: Collection[Role]) -> list[dict[str, str]]:
    """Return who of some roles signed in of late: a pad offers their names.

    Several officers may share one device, so those whose visit has ended are meant too. Who
    came last stands first; no one where there are too many to choose from.
    """
    visits = late_visits(house.now()).filter(
        person__role__in=[role.value for role in roles], person__is_active=True
    )
    people = {visit.person_id: visit.person for visit in visits}
    if len(people) > _NAMES_MAX:
        return []
    return [{"badge": person.badge, "name": str(person)} for person in people.values()]


def signed_while_acting(acting_id: int) -> list[Signature]:
    """Return what someone signed as acting shift manager, oldest first."""
    acting = ActingRole.objects.get(pk=acting_id)
    signed = Signature.objects.filter(
        person=acting.person_id,
        role=acting.role,
        signed_at__gte=acting.granted_at,
        slip__gaming_day__gte=acting.gaming_day,
    )
    if acting.ended_at is not None:
        signed = signed.filter(signed_at__lt=acting.ended_at)
    following = (
        ActingRole.objects.filter(person=acting.person_id, granted_at__gt=acting.granted_at)
        .order_by("granted_at")
        .first()
    )
    if following is not None:
        signed = signed.filter(signed_at__lt=following.granted_at)
    return list(signed.select_related("slip").order_by("id"))


def employees() -> list[dict[str, Any]]:
    """Return everyone whom the house knows as an HR system compares them, by employee number."""
    return [
        {
            "employee_number": person.employee_number,
            "badge": person.badge,
            "first_name": person.first_name,
            "last_name": person.last_name,
            "role": person.role,
            "has_access": person.is_active,
            "licence_number": person.licence_number,
            "licence_ends": person.licence_ends.isoformat() if person.licence_ends else None,
        }
        for person in Person.objects.order_by("employee_number")
    ]
