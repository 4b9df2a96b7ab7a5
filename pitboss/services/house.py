"""The property and its clock, read where an act begins and handed on as arguments."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from typing import TypeGuard

from django.utils import timezone

from pitboss.models import ActingRole, ClosedDay, Device, Person, PersonLimit, Property
from pitboss.rules.gaming_day import Period, day_start
from pitboss.rules.limits import LIMITED_KINDS, own_limit_cents
from pitboss.rules.refusal import Refusal
from pitboss.rules.roles import Role
from pitboss.rules.settings_in_force import SettingsInForce


def the_property() -> Property:
    """Return the one property of this installation."""
    return Property.objects.the_one()


def period_at(now: datetime) -> Period:
    """Return the gaming day and shift of an instant, by the property's clock."""
    return the_property().period_at(now)


def day_span(day: date) -> tuple[datetime, datetime]:
    """Return the instants at which a gaming day and the one after it begin."""
    here = the_property()
    starts = [
        day_start(here.clock_at(datetime.combine(each, time(12), here.zone)), each)
        for each in (day, day + timedelta(days=1))
    ]
    return starts[0], starts[1]


def settings_at(now: datetime) -> SettingsInForce:
    """Return what the house has set for an instant. One query."""
    return the_property().settings_at(now)


def now() -> datetime:
    """Return the server's time, the only one that counts."""
    return timezone.now()


def is_closed(gaming_day: date) -> bool:
    """Tell whether a gaming day was closed. Ask it while the day is shared or held."""
    return ClosedDay.objects.filter(gaming_day=gaming_day).exists()


def day_closed_refusal(gaming_day: date) -> Refusal:
    """Return why nothing more is written into a gaming day."""
    return Refusal(
        "day_closed",
        f"The gaming day {gaming_day:%d %b %Y} is closed. Only a correction can restate it.",
    )


def role_in(person: Person, when: Period) -> Role:
    """Return the one role that a person has in a shift: what was granted, else their own."""
    acting = ActingRole.objects.filter(
        person=person, gaming_day=when.gaming_day, shift=when.shift
    ).first()
    return Role(acting.role if acting else person.role)


_AT_WORK = """
    SELECT person.*, acting.role AS acting_as, device.id IS NOT NULL AS is_usable
    FROM pitboss_person person
    LEFT JOIN pitboss_actingrole acting
        ON acting.person_id = person.id AND acting.gaming_day = %s AND acting.shift = %s
    LEFT JOIN pitboss_device device ON device.id = %s AND device.revoked_at IS NULL
    WHERE person.id = %s
"""


def at_work(
    person_id: int, device: Device | None, when: Period
) -> tuple[Person, Role, Device | None]:
    """Return a person as they are now, the one role that they have in a shift, and the device.

    One query; no device where it is not enrolled or was put out. Asked at every signature, so in
    plain SQL: what puts such a query together costs more than the answer.
    """
    asked = [when.gaming_day, when.shift, device.pk if device else None, person_id]
    person = Person.objects.raw(_AT_WORK, asked)[0]
    read = vars(person)
    return person, Role(read["acting_as"] or person.role), device if read["is_usable"] else None


def is_usable(device: Device | None) -> TypeGuard[Device]:
    """Tell whether a device is enrolled and not put out, asked of the database each time."""
    return device is not None and Device.objects.filter(pk=device.pk, revoked_at=None).exists()


def may_work(person: Person, when: Period) -> bool:
    """Tell whether a person may act now: still employed, licensed to the end of this gaming day."""
    licensed = person.licence_ends is None or when.gaming_day <= person.licence_ends
    return person.is_active and licensed


def own_limit_of(person: Person, kind: str, now: datetime) -> int | None:
    """Return how much a person may sign for in one slip; None where only the rank limits them."""
    if kind not in LIMITED_KINDS:
        return None
    rows = PersonLimit.objects.filter(person=person, kind=kind)
    return own_limit_cents([row.as_rule() for row in rows], kind, now)
