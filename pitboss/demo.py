"""The demo property: a small casino with its people, devices and tables, for `make run`.

Everything that moves cheques goes through the same services as on a real floor, signed by the
demo's own people, so the demo's journal verifies like any other.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from uuid import uuid4

from django.contrib.auth.hashers import make_password
from django.db import transaction

from pitboss.models import Device, Person, Pit, Property
from pitboss.rules.canonical import digest
from pitboss.rules.roles import Place, Role
from pitboss.services import house
from pitboss.services.pins import hash_pin
from pitboss.services.signing import Pen

PASSWORD = "pit-demo-house"
PIN = "271828"

_PEOPLE = (
    (Role.SUPERVISOR, "Renee Delacroix", "Tomas Brandt", "Amara Diallo", "Kenji Mori"),
    (Role.PIT_MANAGER, "Elena Santoro", "Viktor Hale"),
    (Role.SHIFT_MANAGER, "Helga Lindqvist", "Samuel Oyelaran"),
    (Role.CASHIER, "Carla Jimenez", "Noah Whitfield", "Ingrid Voss"),
    (Role.CAGE_MANAGER, "Beatrix Kovacs"),
    (Role.SECURITY, "Kwame Abara", "Lucia Ferrer", "Piotr Zielinski"),
    (Role.SECURITY_MANAGER, "Dermot Quill"),
    (Role.SURVEILLANCE, "Yuki Tanabe", "Omar Haddad"),
    (
        Role.DEALER,
        "Maya Okafor",
        "Tran Nguyen",
        "Sophie Hartley",
        "Jacopo Marchetti",
        "Anna Kowalski",
        "Luc Baptiste",
        "Pia Iversen",
        "Diego Reyes",
        "Clive Whitlock",
        "Gunnar Lindahl",
        "Femi Osei",
        "Rosa Almeida",
        "Hana Sato",
        "Boris Petrov",
        "Nadia Rahman",
        "Colm Byrne",
        "Ines Duarte",
        "Otto Brenner",
        "Leila Farouk",
        "Marek Novak",
        "Chloe Bennett",
        "Tariq Aziz",
        "Wanda Kruger",
        "Sven Dahl",
    ),
    (Role.COUNT_TEAM, "Greta Olsen", "Marco Bellini"),
    (Role.ACCOUNTING, "Judith Crane"),
    (Role.COMPLIANCE, "Priya Nair"),
    (Role.AUDITOR, "Walter Ames"),
    (Role.ADMINISTRATOR, "Ada Lund"),
)


def is_loaded() -> bool:
    """Tell whether this database already has a property."""
    return Property.objects.exists()


@transaction.atomic(durable=True)
def make_property() -> None:
    """Make the demo's property and its people. Its tables they set up themselves."""
    Property.objects.create(pk=1, name="Northgate Casino")
    password, pin = make_password(PASSWORD), hash_pin(PIN)
    Person.objects.bulk_create(
        Person(
            badge=str(2001 + index),
            first_name=name.split()[0],
            last_name=name.split()[1],
            licence_number=f"TG-{20_311 + 37 * index}",
            licence_ends=house.now().date() + timedelta(days=90 + 29 * index),
            employee_number=f"E{5001 + index}",
            role=role.value,
            password=password,
            pin_hash=pin,
        )
        for index, (role, name) in enumerate(_people())
    )


def _people() -> Iterator[tuple[Role, str]]:
    for role, *names in _PEOPLE:
        for name in names:
            yield role, name


def listed_people() -> list[Person]:
    """Return one or two people of each role, for the demo's door."""
    listed: dict[str, list[Person]] = {}
    for person in Person.objects.order_by("badge"):
        same = listed.setdefault(person.role, [])
        if len(same) < 2:
            same.append(person)
    return [person for people in listed.values() for person in people]


def demo_person(role: Role, which: int = 0) -> Person:
    """Return one of the demo's people by role."""
    return Person.objects.filter(role=role.value).order_by("badge")[which]


def demo_device(place: Place, pit: Pit | None = None) -> Device:
    """Return the demo's own device of a place, on which it signs while it is loaded."""
    name = f"Demo {pit.name if pit else place.value}"
    device, _ = Device.objects.get_or_create(
        name=name,
        defaults={
            "place": place.value,
            "pit": pit,
            "token_hash": digest(f"{name}:{uuid4()}"),
            "enrolled_at": house.now(),
        },
    )
    return device


def demo_pen(person: Person, device: Device) -> Pen:
    """Return the pen of one of the demo's people."""
    return Pen(person.badge, PIN, device, uuid4())


def greeting(today: date) -> str:
    """Return what `make run` prints: who can sign in, and with what."""
    lines = [
        "Demo badges. Everyone's password is "
        f"“{PASSWORD}” and everyone's PIN is {PIN}; a real property has neither.",
        "",
    ]
    lines += [
        f"  {person.badge}  {person!s:<18} {Role(person.role).label}" for person in listed_people()
    ]
    return "\n".join(lines)
