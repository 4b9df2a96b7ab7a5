"""Access reviews: who is on one, and how far the departments are with theirs."""

from __future__ import annotations

from collections import defaultdict
from datetime import date, timedelta
from typing import Any, Final

from pitboss.models import ActingRole, Person, Slip, Visit
from pitboss.rules.flows.flows import SlipStatus
from pitboss.rules.flows.limits import limit_words
from pitboss.rules.people.access_review import DEPARTMENTS, Department, Quarter, ReviewLine
from pitboss.rules.roles import Role
from pitboss.selectors.accounts import last_use, with_last_use

KIND: Final = "access_review"
# How far back acting ranks and devices are listed.
_LOOKS_BACK: Final = timedelta(days=92)


def people_reviewed(department: Department, today: date) -> list[tuple[ReviewLine, dict[str, str]]]:
    """Return everyone of a department who has access, with what they can do. Four queries."""
    roles = [role.value for role in department.roles]
    people = list(with_last_use(Person.objects.filter(is_active=True, role__in=roles)))
    ids = [person.pk for person in people]
    acting, limits, devices = defaultdict(set), defaultdict(list), defaultdict(set)
    since = today - _LOOKS_BACK
    for row in ActingRole.objects.filter(person__in=ids, gaming_day__gte=since):
        acting[row.person_id].add(Role(row.role).label)
    for person in Person.objects.filter(pk__in=ids).prefetch_related("limits"):
        own = {limit.kind: limit.most_cents for limit in person.limits.all()}
        limits[person.pk] = [f"{kind} {limit_words(cents)}" for kind, cents in own.items()]
    visits = Visit.objects.filter(person__in=ids, began_at__date__gte=since, device__isnull=False)
    for person_id, name in visits.values_list("person_id", "device__name").distinct():
        devices[person_id].add(name)
    return [
        (
            ReviewLine(person.pk, str(person), Role(person.role)),
            {
                "badge": person.badge,
                "role": Role(person.role).label,
                "acting": ", ".join(sorted(acting[person.pk])),
                "limits": ", ".join(limits[person.pk]),
                "devices": ", ".join(sorted(devices[person.pk])),
                "used": _day_words(last_use(person)),
                "licence": f"{person.licence_number} to {person.licence_ends:%b %-d, %Y}"
                if person.licence_ends
                else person.licence_number or "none",
            },
        )
        for person in people
    ]


def _day_words(at: Any) -> str:
    return f"{at:%b %-d, %Y}" if at else "never"


def review_of(department: str, quarter: Quarter) -> Slip | None:
    """Return the review of a department for a quarter that is signed or being signed."""
    return (
        Slip.objects.filter(
            kind=KIND, details__department=department, details__quarter=str(quarter)
        )
        .exclude(status=SlipStatus.VOIDED.value)
        .first()
    )


def unfinished(quarter: Quarter) -> list[str]:
    """Return the departments whose review of a quarter not both have signed."""
    done = Slip.objects.filter(
        kind=KIND, status=SlipStatus.DONE.value, details__quarter=str(quarter)
    )
    finished = set(done.values_list("details__department", flat=True))
    staffed = set(Person.objects.filter(is_active=True).values_list("role", flat=True))
    return [
        name
        for name, department in DEPARTMENTS.items()
        if name not in finished and staffed & {role.value for role in department.roles}
    ]
