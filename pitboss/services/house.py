"""The property and its clock, read where an act begins and handed on as arguments."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from functools import cache
from typing import Any, TypeGuard, TypeVar

from django.db import models
from django.db.models import Count
from django.utils import timezone

from pitboss.models import ActingRole, ClosedDay, Device, Person, PersonLimit, Property, Slip
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
        f"The gaming day {gaming_day:%b %-d, %Y} is closed. Only a correction can restate it.",
        CONFLICT,
    )


def acting_now(when: Period) -> models.QuerySet[ActingRole]:
    """Return the acting roles that hold now, in the shift that is now."""
    at = now()
    held = ActingRole.objects.filter(gaming_day=when.gaming_day, shift=when.shift, ended_at=None)
    return held.filter(models.Q(until=None) | models.Q(until__gt=at))


def role_in(person: Person, when: Period) -> Role:
    """Return the one role that a person has now: what was granted, else their own."""
    person.require_seal()
    acting = acting_now(when).filter(person=person).first()
    if acting is None:
        return Role(person.role)
    acting.require_seal()
    return Role(acting.role)


@cache
def _at_work_sql() -> str:
    """Return the query of `at_work`: a person, and beside it whole rows that carry seals too."""
    columns = ", ".join(
        f'{name}."{field.column}" AS "{name}_{field.attname}"'
        for name, model in (("acting", ActingRole), ("device", Device))
        for field in model._meta.concrete_fields
    )
    return f"""
        SELECT person.*, {columns}
        FROM pitboss_person person
        LEFT JOIN pitboss_actingrole acting
            ON acting.person_id = person.id AND acting.gaming_day = %s AND acting.shift = %s
            AND acting.ended_at IS NULL AND (acting.until IS NULL OR acting.until > %s)
        LEFT JOIN pitboss_device device ON device.id = %s AND device.revoked_at IS NULL
        WHERE person.id = %s
    """


_Beside = TypeVar("_Beside", ActingRole, Device)


def _beside(name: str, model: type[_Beside], read: dict[str, Any]) -> _Beside | None:
    """Return a row that `at_work` read beside the person, its seal checked."""
    names = [field.attname for field in model._meta.concrete_fields]
    values = [read[f"{name}_{each}"] for each in names]
    row = model.from_db("default", names, values)
    if row.pk is None:
        return None
    row.require_seal()
    return row


def at_work(
    person_id: int, device: Device | None, when: Period
) -> tuple[Person, Role, Device | None]:
    """Return a person as they are now, the one role that they have in a shift, and the device.

    One query; no device where it is not enrolled or was put out. Asked at every signature, so in
    plain SQL: what puts such a query together costs more than the answer.
    """
    asked = [when.gaming_day, when.shift, now(), device.pk if device else None, person_id]
    person = Person.objects.raw(_at_work_sql(), asked)[0]
    person.require_seal()
    acting = _beside("acting", ActingRole, vars(person))
    usable = _beside("device", Device, vars(person))
    role = Role(acting.role if acting is not None else person.role)
    return person, role, device if usable is not None else None


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
