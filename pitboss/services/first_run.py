"""The first run of a new property: its name, its first two managers, and the device they stand at.

From then on nothing is set by one person: shifts, people, pits and tables are proposed and approved
by these two, as by anyone after them. It is done once, with a code that only the server can print.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from zoneinfo import ZoneInfo, available_timezones

from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.db import connection, transaction

from pitboss.models import Device, Person, Property
from pitboss.rules.canonical import digest, is_plain
from pitboss.rules.people.staffing import COLUMNS, PersonFields, read_person
from pitboss.rules.refusal import Refusal, Refused, refuse
from pitboss.rules.roles import Place, Role
from pitboss.services import house, journal
from pitboss.services.people import password_refusals
from pitboss.services.pins import hash_pin, pin_refusals

FIRST_PEOPLE = 2
_NAME_MAX = 80


@dataclass(frozen=True, slots=True)
class FirstPerson:
    """One of the first two managers, with the secrets that they key themselves."""

    keyed: Mapping[str, str]
    pin: str = field(repr=False)
    password: str = field(repr=False)


def first_run_code() -> str:
    """Return the code that opens the first run: made from the secret key, so nothing stores it."""
    key = settings.SECRET_KEY.encode()
    return hmac.new(key, b"pitboss first run", hashlib.sha256).hexdigest()[:12].upper()


def is_due() -> bool:
    """Tell whether this installation has no property yet."""
    return not Property.objects.exists()


@transaction.atomic(durable=True)
def begin_property(
    *, code: str, name: str, time_zone: str, people: Sequence[FirstPerson], device_name: str
) -> tuple[Device, str]:
    """Begin the property; return the first device and its token. Raises Refused, every reason."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended('first run', 0))")
    if not is_due():
        raise refuse("property_exists", "This property has begun. Sign in.")
    # Nothing else is judged before the code: a stranger learns nothing by trying.
    given = code.strip().upper() if is_plain(code) else ""
    if not hmac.compare_digest(given.encode(), first_run_code().encode()):
        raise refuse("code_unknown", "This isn’t the code that the server printed. Enter that one.")
    now = house.now()
    name, device_name = name.strip(), device_name.strip()
    refusals = _property_refusals(name, time_zone, device_name)
    managers = []
    for number, first in enumerate(people, 1):
        try:
            managers.append((_manager(first), first))
        except Refused as refused:
            refusals += [
                Refusal(r.code, f"Manager {number}: {r.message}") for r in refused.refusals
            ]
    refusals += _pair_refusals([fields for fields, _ in managers], len(people))
    if refusals:
        raise Refused(refusals)
    Property.objects.create(pk=1, name=name, time_zone=time_zone)
    for fields, first in managers:
        person = _unsaved(fields)
        person.pin_hash = hash_pin(first.pin, person)
        person.pin_set_at = now
        person.password = make_password(first.password)
        person.save(force_insert=True)
    token = secrets.token_urlsafe(32)
    device = Device.objects.create(
        name=device_name,
        place=Place.OFFICE.value,
        token_hash=digest(token),
        token_made_at=now,
        token_ends_at=now + house.settings_at(now).tokens.holds,
        enrolled_at=now,
    )
    journal.write(
        chain=journal.PEOPLE,
        kind="property_begun",
        body={
            "name": name,
            "time_zone": time_zone,
            "managers": [fields.stored() for fields, _ in managers],
        },
        at=now,
        device=device,
    )
    return device, token


def _property_refusals(name: str, time_zone: str, device_name: str) -> list[Refusal]:
    refusals = []
    if not name or len(name) > _NAME_MAX or not name.isprintable():
        message = f"Enter a property name of {_NAME_MAX} characters or fewer."
        refusals.append(Refusal("name_malformed", message))
    if time_zone not in available_timezones() or not ZoneInfo(time_zone).key:
        refusals.append(Refusal("time_zone_unknown", "Choose the time zone of the house."))
    if not device_name or len(device_name) > 40 or not device_name.isprintable():
        refusals.append(
            Refusal("device_name_malformed", "Enter a device name of 40 characters or fewer.")
        )
    return refusals


def _manager(first: FirstPerson) -> PersonFields:
    """Return one of the first managers. Raises Refused with what is wrong about them."""
    keyed = {column: first.keyed.get(column, "") for column in COLUMNS}
    refusals: list[Refusal] = []
    try:
        fields = replace(
            read_person({**keyed, "role": Role.SHIFT_MANAGER.value}), role=Role.SHIFT_MANAGER
        )
    except Refused as refused:
        raise Refused([*refused.refusals, *_secret_refusals(first, Person())]) from None
    refusals += _secret_refusals(first, _unsaved(fields))
    if refusals:
        raise Refused(refusals)
    return fields


def _secret_refusals(first: FirstPerson, person: Person) -> list[Refusal]:
    return [*pin_refusals(first.pin, person), *password_refusals(first.password, person)]


def _pair_refusals(managers: Sequence[PersonFields], keyed: int) -> list[Refusal]:
    """Two different people begin a property: four eyes from the first day on."""
    refusals = []
    if keyed != FIRST_PEOPLE:
        refusals.append(Refusal("two_managers", "Two managers must sign to set up a property."))
    for column in ("badge", "employee_number"):
        values = [getattr(manager, column) for manager in managers]
        if len(values) != len(set(values)):
            said = column.replace("_", " ")
            refusals.append(
                Refusal(
                    "two_managers", f"Both managers have the same {said}. Each needs their own."
                )
            )
    return refusals


def _unsaved(fields: PersonFields) -> Person:
    return Person(
        badge=fields.badge,
        first_name=fields.first_name,
        last_name=fields.last_name,
        role=fields.role.value,
        employee_number=fields.employee_number,
        licence_number=fields.licence_number,
        licence_ends=fields.licence_ends,
    )
