"""The demo property: a small casino with its people, devices and tables, for `make run`.

Everything that moves cheques goes through the same services as on a real floor, signed by the
demo's own people, so the demo's journal verifies like any other.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from typing import NamedTuple
from uuid import uuid4

from django.contrib.auth.hashers import make_password
from django.db import transaction

from pitboss.models import Device, Person, Pit, Property
from pitboss.rules.canonical import digest
from pitboss.rules.roles import Place, Role
from pitboss.services import house
from pitboss.services.floor import add_table
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

# A tray's cheques by the table's minimum, in cents: what the tray should hold.
_PAR = {
    1_000: {100_000: 10, 50_000: 20, 10_000: 60, 2_500: 160, 500: 240, 250: 40, 100: 100},
    2_500: {100_000: 20, 50_000: 40, 10_000: 100, 2_500: 240, 500: 200, 250: 40, 100: 40},
    10_000: {500_000: 8, 100_000: 60, 50_000: 60, 10_000: 200, 2_500: 160, 500: 60},
}


class _Table(NamedTuple):
    name: str
    game: str
    decks: int
    minimum_cents: int
    maximum_cents: int


_PITS = {
    "Pit 1": (
        _Table("BJ-11", "classic", 6, 1_500, 100_000),
        _Table("BJ-12", "classic", 6, 1_500, 100_000),
        _Table("BJ-13", "classic", 8, 2_500, 200_000),
        _Table("BJ-14", "double_deck", 2, 5_000, 500_000),
        _Table("BJ-15", "blazing_7s", 6, 1_500, 100_000),
        _Table("BJ-16", "blazing_7s", 6, 1_500, 100_000),
        _Table("BJ-17", "bet_bigger", 6, 1_000, 50_000),
        _Table("BJ-18", "bet_bigger", 6, 1_000, 50_000),
        _Table("BJ-19", "raise_the_roof", 6, 1_500, 100_000),
        _Table("BJ-20", "raise_the_roof", 8, 2_500, 100_000),
        _Table("BJ-21", "face_up", 6, 2_500, 100_000),
        _Table("BJ-22", "stadium", 8, 1_000, 50_000),
    ),
    "Pit 2": (
        _Table("BJ-31", "classic", 6, 2_500, 300_000),
        _Table("BJ-32", "classic", 6, 2_500, 300_000),
        _Table("BJ-33", "classic", 8, 2_500, 200_000),
        _Table("BJ-34", "classic", 8, 10_000, 1_000_000),
        _Table("BJ-35", "double_deck", 2, 5_000, 500_000),
        _Table("BJ-36", "double_deck", 2, 10_000, 1_000_000),
        _Table("BJ-37", "blazing_7s", 6, 2_500, 200_000),
        _Table("BJ-38", "raise_the_roof", 2, 2_500, 100_000),
        _Table("BJ-39", "face_up", 6, 2_500, 100_000),
        _Table("BJ-40", "bet_bigger", 6, 1_500, 50_000),
        _Table("BJ-41", "classic", 6, 2_500, 300_000),
        _Table("BJ-42", "stadium", 8, 1_000, 50_000),
    ),
}


def is_loaded() -> bool:
    """Tell whether this database already has a property."""
    return Property.objects.exists()


@transaction.atomic(durable=True)
def make_property() -> None:
    """Make the demo's property, pits, tables, people and devices."""
    Property.objects.create(pk=1, name="Northgate Casino")
    for pit_name, tables in _PITS.items():
        pit = Pit.objects.create(name=pit_name)
        for table in tables:
            add_table(
                name=table.name,
                pit=pit,
                game=table.game,
                decks=table.decks,
                minimum_cents=table.minimum_cents,
                maximum_cents=table.maximum_cents,
                par=_par(table.minimum_cents),
            )
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


def _par(minimum_cents: int) -> dict[int, int]:
    return next(par for least, par in sorted(_PAR.items(), reverse=True) if minimum_cents >= least)


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
