"""What someone has under way with others, and what they did this shift."""

from __future__ import annotations

from typing import Any

from django.urls import reverse

from pitboss.models import FloorException, Person, Signature
from pitboss.rules.day.gaming_day import Period
from pitboss.rules.flows.reading import kinds_for
from pitboss.rules.roles import Role
from pitboss.selectors.slips import headline_of, step_title
from pitboss.selectors.waiting import waiting_now

# More than a shift's work is a matter of the reports.
DONE_MAX = 100


def own_open(person: Person, role: Role) -> list[dict[str, Any]]:
    """Return the slips that a person has signed and that now wait for others, newest first."""
    waits = (
        waiting_now()
        .filter(slip__signatures__person=person, slip__kind__in=kinds_for(role))
        .exclude(by__contains=[role.value])
        .select_related("slip__table")
        .distinct()
    )
    return [
        {
            "title": f"{wait.slip.table or 'House'} · {headline_of(wait.slip)}",
            "words": f"Waiting for {' or '.join(Role(item).label for item in wait.by)}",
            "serial": wait.slip.serial,
            "url": reverse("slip", args=[wait.slip.serial]),
            "since": wait.since,
            "limit_seconds": wait.limit_seconds,
        }
        for wait in sorted(waits, key=lambda wait: wait.since, reverse=True)
        if wait.slip is not None
    ]


def done_in(person: Person, role: Role, when: Period) -> list[dict[str, Any]]:
    """Return what a person signed and answered in this shift, newest first."""
    signed = (
        Signature.objects.filter(
            person=person, signed_at__gte=when.began, slip__kind__in=kinds_for(role)
        )
        .select_related("slip__table")
        .order_by("-id")[:DONE_MAX]
    )
    rows: list[dict[str, Any]] = [
        {
            "title": f"{signature.slip.table or 'House'} · {headline_of(signature.slip)}",
            "words": step_title(signature.slip.kind, signature.step),
            "serial": signature.slip.serial,
            "url": reverse("slip", args=[signature.slip.serial]),
            "at": signature.signed_at,
        }
        for signature in signed
    ]
    answered = FloorException.objects.filter(resolved_by=person, resolved_at__gte=when.began)
    rows += [
        {
            "title": exception.sentence,
            "words": exception.resolution,
            "serial": "",
            "url": reverse("exception", args=[exception.pk]),
            "at": exception.resolved_at,
        }
        for exception in answered.order_by("-resolved_at")[:DONE_MAX]
    ]
    return sorted(rows, key=lambda row: row["at"], reverse=True)[:DONE_MAX]
