"""Visits: who is signed in where, and sessions that end before their time."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import connection, models, transaction

from pitboss.models import Device, Person, Visit
from pitboss.rules.refusal import NOT_YOURS, refuse
from pitboss.rules.roles import Role
from pitboss.services import house, journal

# No session is older: signing in sets its end.
SESSION_LASTS = timedelta(hours=12)
# Who sees and ends the sessions of others.
ENDING = frozenset({Role.SECURITY, Role.SECURITY_MANAGER, Role.SHIFT_MANAGER, Role.ADMINISTRATOR})


def late_visits(now: datetime) -> models.QuerySet[Visit]:
    """Return the visits that began no longer ago than a session lasts, the latest first."""
    return (
        Visit.objects.filter(began_at__gt=now - SESSION_LASTS)
        .select_related("person", "device")
        .order_by("-began_at", "-pk")
    )


def open_visits(now: datetime) -> models.QuerySet[Visit]:
    """Return the visits whose sessions may be open, the latest first."""
    return late_visits(now).filter(ended_at=None)


@transaction.atomic(durable=True)
def end_visits(
    *, visit_id: int | None, of: Person | None, actor: Person, device: Device | None
) -> int:
    """End one session, or all of a person, or of everyone; return how many. Raises Refused."""
    now = house.now()
    visits = open_visits(now)
    if visit_id is not None:
        visits = visits.filter(pk=visit_id)
    if of is not None:
        visits = visits.filter(person=of)
    role = house.role_in(actor, house.period_at(now))
    if role not in ENDING and visits.exclude(person=actor).exists():
        raise refuse(
            "wrong_role", "You may end your own sessions. Security ends those of others.", NOT_YOURS
        )
    ended = list(visits)
    end_sessions(visits, now)
    for visit in ended:
        where = visit.device.name if visit.device else visit.source
        journal.write(
            chain=journal.PEOPLE,
            kind="session_ended",
            body={"of": visit.person.badge, "on": where},
            at=now,
            person=actor,
            device=device,
        )
    return len(ended)


def end_sessions(visits: models.QuerySet[Visit], now: datetime) -> None:
    """End sessions at once: their next request is no one's."""
    hashes = [visit for visit in visits.values_list("session_hash", flat=True) if visit]
    with connection.cursor() as cursor:
        cursor.execute(
            "DELETE FROM django_session"
            " WHERE encode(sha256(convert_to(session_key, 'UTF8')), 'hex') = ANY(%s)",
            [hashes],
        )
    Visit.objects.filter(pk__in=list(visits.values_list("pk", flat=True))).update(ended_at=now)
