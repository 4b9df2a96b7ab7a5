"""What waits for whom, since when. One query for the inbox, the board's badges and escalation."""

from __future__ import annotations

from django.db.models import Q, QuerySet

from pitboss.models import Person, Waiting
from pitboss.rules.flows import repeatable
from pitboss.rules.roles import Place, Role


def waiting_now() -> QuerySet[Waiting]:
    """Return everything that waits, longest first."""
    return Waiting.objects.filter(until=None).order_by("since", "id")


def waiting_for(person: Person, role: Role) -> list[Waiting]:
    """Return what waits for a person: steps that name their role, and that they may still sign.

    Whoever signed a slip before is not asked again, unless the step says so. What has waited too
    long for others shows here too.
    """
    waits = (
        waiting_now()
        .filter(Q(by__contains=[role.value]) | Q(escalated_to__contains=[role.value]))
        .select_related("slip__table__pit", "exception__table", "exception__slip", "table")
        .prefetch_related("slip__signatures")
    )
    return [wait for wait in waits if not _is_barred(person, wait)]


def _is_barred(person: Person, wait: Waiting) -> bool:
    if wait.slip is None:
        return wait.exception is not None and wait.exception.opened_by_id == person.pk
    planned = next(step for step in wait.slip.plan if step["name"] == wait.step)
    own = {s.step for s in wait.slip.signatures.all() if s.person_id == person.pk}
    return bool(own - repeatable(planned))


def count_waiting_for(person: Person, role: Role) -> int:
    """Return the number on the inbox's badge."""
    return len(waiting_for(person, role))


def waiting_at(place: Place) -> QuerySet[Waiting]:
    """Return what waits for a signature at a place: the queue of the cage, of security."""
    return waiting_now().filter(place=place.value)
