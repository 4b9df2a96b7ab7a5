"""The property and its clock, read where an act begins and handed on as arguments."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from functools import cache
from typing import Any, TypeGuard

from django.db import models
from django.db.models import Count
from django.utils import timezone

from pitboss.models import ActingRole, ClosedDay, Device, Person, PersonLimit, Property, Slip
from pitboss.models.plain import Statement, attnames, columns, in_one_trip, read_row
from pitboss.rules.cheques.sets import HouseCheques
from pitboss.rules.cheques.tray_counts import OPENER
from pitboss.rules.day.gaming_day import Period, day_start
from pitboss.rules.flows.flows import SlipStatus
from pitboss.rules.flows.limits import LIMITED_KINDS, own_limit_cents
from pitboss.rules.refusal import CONFLICT, Refusal
from pitboss.rules.roles import Role
from pitboss.rules.settings.in_force import SettingsInForce


def the_property() -> Property:
    """Return the one property of this installation."""
    return Property.objects.the_one()


def has_begun() -> bool:
    """Tell whether this installation has its property yet."""
    return Property._base_manager.filter(pk=1).exists()


def period_at(now: datetime) -> Period:
    """Return the gaming day and shift of an instant, by the property's clock."""
    return the_property().period_at(now)


def day_span(day: date) -> tuple[datetime, datetime]:
    """Return the instants at which a gaming day and the one after it begin."""
    here = the_property()
    starts = [
        day_start(here.clock_at(datetime.combine(item, time(12), here.zone)), item)
        for item in (day, day + timedelta(days=1))
    ]
    return starts[0], starts[1]


def settings_at(now: datetime) -> SettingsInForce:
    """Return what the house has set for an instant. One query."""
    return the_property().settings_at(now)


def cheques_now() -> HouseCheques:
    """Return the cheques that the house has now. One query."""
    return settings_at(now()).cheques


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
        f"The gaming day {gaming_day:%b %-d, %Y} is closed. Only a correction can restate it.",
        CONFLICT,
    )


def acting_now(when: Period) -> models.QuerySet[ActingRole]:
    """Return the acting roles that hold now, in the shift that is now."""
    at = now()
    held = ActingRole.objects.filter(gaming_day=when.gaming_day, shift=when.shift, ended_at=None)
    return held.filter(models.Q(until=None) | models.Q(until__gt=at))


@cache
def _asking_who_acts() -> str:
    """Return the question of `role_in`, by the terms of `acting_now`: every request asks it."""
    return f"""
        SELECT {columns(ActingRole, "acting")} FROM pitboss_actingrole AS acting
        WHERE acting.person_id = %s AND acting.gaming_day = %s AND acting.shift = %s
          AND acting.ended_at IS NULL AND (acting.until IS NULL OR acting.until > %s)
        ORDER BY acting.id LIMIT 1
    """


def role_in(person: Person, when: Period) -> Role:
    """Return the one role that a person has now: what was granted, else their own."""
    person.require_seal()
    asked = [person.pk, when.gaming_day, when.shift, now()]
    (rows,) = in_one_trip((_asking_who_acts(), asked))
    acting = read_row(ActingRole, rows[0]) if rows else None
    if acting is None:
        return Role(person.role)
    acting.require_seal()
    return Role(acting.role)


@cache
def _asking_who_works() -> str:
    """Return the query of `at_work`: a person, and beside it whole rows that carry seals too."""
    return f"""
        SELECT {columns(Person, "person")}, {columns(ActingRole, "acting")},
            {columns(Device, "device")}
        FROM pitboss_person person
        LEFT JOIN pitboss_actingrole acting
            ON acting.person_id = person.id AND acting.gaming_day = %s AND acting.shift = %s
            AND acting.ended_at IS NULL AND (acting.until IS NULL OR acting.until > %s)
        LEFT JOIN pitboss_device device ON device.id = %s AND device.revoked_at IS NULL
        WHERE person.id = %s
    """


def asking_who_works(person_id: int, device: Device | None, when: Period) -> Statement:
    """Return the question for a person as they are now, their role in a shift, and the device.

    Asked at every signature, so in plain SQL: what puts such a query together costs more than the
    answer.
    """
    device_id = device.pk if device else None
    return _asking_who_works(), [when.gaming_day, when.shift, now(), device_id, person_id]


def who_works(
    rows: Sequence[tuple[Any, ...]], device: Device | None
) -> tuple[Person, Role, Device | None]:
    """Return what was answered, every seal checked; no device where it is not enrolled or is out.

    Raises RecordAltered.
    """
    row = rows[0]
    beside = len(attnames(Person))
    person = read_row(Person, row)
    acting = read_row(ActingRole, row[beside:])
    usable = read_row(Device, row[beside + len(attnames(ActingRole)) :])
    assert person is not None, "nobody is ever deleted"
    for item in (person, acting, usable):
        if item is not None:
            item.require_seal()
    role = Role(acting.role if acting is not None else person.role)
    return person, role, device if usable is not None else None


def at_work(
    person_id: int, device: Device | None, when: Period
) -> tuple[Person, Role, Device | None]:
    """Return a person as they are now, the one role that they have in a shift, and the device."""
    (rows,) = in_one_trip(asking_who_works(person_id, device, when))
    return who_works(rows, device)


def is_usable(device: Device | None) -> TypeGuard[Device]:
    """Tell whether a device is enrolled and not put out, asked of the database each time."""
    if device is None:
        return False
    standing = Device.objects.filter(pk=device.pk, revoked_at=None).first()
    if standing is not None:
        standing.require_seal()
    return standing is not None


def may_work(person: Person, when: Period) -> bool:
    """Tell whether a person may act now: still employed, licensed to the end of this gaming day."""
    licensed = person.licence_ends is None or when.gaming_day <= person.licence_ends
    return person.is_active and licensed


def able_people() -> dict[Role, int]:
    """Return how many of each role work here and have a PIN to sign with."""
    people = Person.objects.filter(is_active=True).exclude(pin_hash="")
    counted = people.order_by().values_list("role").annotate(number=Count("pk"))
    return {Role(role): number for role, number in counted}


def has_opened() -> bool:
    """Tell whether any table of this property was ever opened."""
    return Slip.objects.filter(kind=OPENER, status=SlipStatus.DONE.value).exists()


def own_limit_of(person: Person, kind: str, now: datetime) -> int | None:
    """Return how much a person may sign for in one slip; None where only the rank limits them."""
    if kind not in LIMITED_KINDS:
        return None
    rows = PersonLimit.objects.filter(person=person, kind=kind)
    return own_limit_cents([row.as_rule() for row in rows], kind, now)
