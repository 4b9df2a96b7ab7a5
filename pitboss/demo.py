"""The demo property: a small casino with its people, devices and tables, for `make run`.

Everything that moves cheques goes through the same services as on a real floor, signed by the
demo's own people, so the demo's journal verifies like any other.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime, timedelta
from enum import StrEnum
from uuid import uuid4

from django.db import transaction
from django.utils.crypto import salted_hmac

from pitboss.demo_clock import evening_zone, let_time_pass
from pitboss.hashers import FloorArgon2Hasher
from pitboss.models import Device, Person, Pit, Property, Slip, Table
from pitboss.rules.canonical import digest
from pitboss.rules.day.handovers import DAY_CLOSE
from pitboss.rules.roles import Place, Role
from pitboss.services import house, journal
from pitboss.services.audits import ask_audit, run_audit
from pitboss.services.devices import NewDevice, let_in, offer_device, offer_token
from pitboss.services.pads import signed_by_program
from pitboss.services.pins import BOUND, peppered
from pitboss.services.signing import Pen

_PROPERTY = "Northgate Casino"
# The house was opened so many days before this evening, and hands each of them over.
DAYS = 2
PASSWORD = "pit-demo-house"
PIN = "271828"


SANDBOX_WORDS = """
This is a sandbox for terminals (docs/api.md). Under the address below,
  POST /api/v1/sandbox/code         gives a code to enroll a terminal with
  GET  /api/v1/sandbox/hands        lists test hands with the answers to expect
  GET  /api/v1/sandbox/certificate  says what your terminal has yet to show"""


class _QuickHasher(FloorArgon2Hasher):
    time_cost = 1
    memory_cost = 8


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
    (Role.SURVEILLANCE_MANAGER, "Irene Castellano"),
    (Role.HOST_MANAGER, "Grace Whitfield"),
    (Role.HOST, "Lena Moreno"),
    (Role.CONTROLLER, "Amara Obi"),
    (Role.COLLECTOR, "Theo Brandt"),
    # The relief of both pits: every table has a dealer of its own before them.
    (
        Role.DEALER,
        "Ruth Castle",
        "Emil Hansen",
        "Naomi Clarke",
        "Paulo Ribeiro",
        "Greer Malloy",
        "Stefan Kraus",
        "Imani Brooks",
        "Yusuf Demir",
    ),
)
# So many dealers relieve each pit.
RELIEF_A_PIT = 4


# Read once: whoever loads the demo asks for them at every signature.
_staff: dict[Role, list[Person]] = {}
_devices: dict[str, Device] = {}


@contextmanager
def vouched(table: Table | None = None) -> Iterator[None]:
    """Let the journal vouch for what the demo writes by itself, as it does for what is signed."""
    with transaction.atomic():
        yield
        chain = journal.chain_of(table, journal.HOUSE)
        journal.write(chain=chain, kind="demo_loaded", body={}, at=house.now())


class Loaded(StrEnum):
    """How much of the demo a database has."""

    NOTHING = "nothing"
    HALF = "half"
    WHOLE = "whole"


def loaded() -> Loaded:
    """Tell how much of the demo this database has, by the last thing that loading it leaves.

    A property that is not the demo's is as whole as its house left it.
    """
    property_ = Property.objects.first()
    if property_ is None:
        return Loaded.NOTHING
    handed_over = Slip.objects.filter(kind=DAY_CLOSE).count()
    is_whole = not property_.is_demo or handed_over >= DAYS
    return Loaded.WHOLE if is_whole else Loaded.HALF


@transaction.atomic(durable=True)
def make_property() -> None:
    """Make the demo's property and its people. Its tables they set up themselves."""
    _staff.clear()
    _devices.clear()
    Property.objects.create(pk=1, name=_PROPERTY, time_zone=evening_zone(house.now()), is_demo=True)
    password = _quick_hash(PASSWORD)
    people = [
        Person(
            badge=str(2001 + index),
            first_name=name.split()[0],
            last_name=name.split()[1],
            licence_number=f"TG-{20_311 + 37 * index}",
            licence_ends=house.now().date() + timedelta(days=90 + 29 * index),
            employee_number=f"E{5001 + index}",
            role=role.value,
            password=password,
        )
        for index, (role, name) in enumerate(_people())
    ]
    for person in people:
        person.take_id()
        person.pin_hash = BOUND + _quick_hash(peppered(PIN, person.pk))
    Person.objects.bulk_create(people)
    journal.write(chain=journal.HOUSE, kind="demo_loaded", body={}, at=house.now())


def _quick_hash(secret: str) -> str:
    """Return a secret as it is stored, at the least cost that the algorithm takes.

    The door tells everyone these secrets, and the demo's past takes hundreds of signatures: each is
    proven as any other, by what its stored hash says of itself.
    """
    hasher = _QuickHasher()
    return hasher.encode(secret, hasher.salt())


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
    """Return one of the demo's people by role, as if they stood in a ring."""
    if role not in _staff:
        _staff[role] = list(Person.objects.filter(role=role.value).order_by("badge"))
    people = _staff[role]
    return people[which % len(people)]


def demo_dealer(table: Table) -> Person:
    """Return a table's own dealer: every table of the demo has one."""
    return demo_person(Role.DEALER, Table.objects.filter(name__lt=table.name).count())


def demo_signer(role: Role, table: Table, which: int = 0) -> Person:
    """Return who of a role signs at a table; as dealer who deals there, or deals nowhere.

    Of those who deal nowhere the table's own comes first: the pits are loaded side by side, and
    anyone else may have come to another table by the time of the signature.
    """
    if role != Role.DEALER:
        return demo_person(role, which)
    dealers = Person.objects.filter(role=role.value).order_by("badge")
    here = dealers.filter(dealings__table=table, dealings__ended_at=None).first()
    if here is not None:
        return here
    at_work = dealers.filter(dealings__isnull=False, dealings__ended_at=None)
    free = dealers.exclude(pk__in=at_work.values("pk"))
    return free.filter(pk=demo_dealer(table).pk).first() or free[0]


def demo_crew(pit: Pit) -> int:
    """Return which of each role's people works in a pit: each pit has its own."""
    return Pit.objects.filter(name__lt=pit.name).count()


def demo_device(place: Place, pit: Pit | None = None) -> Device:
    """Return the demo's own device of a place, on which it signs while it is loaded."""
    name = f"Demo {pit.name if pit else place.value}"
    if name not in _devices:
        with vouched():
            _devices[name], _ = Device.objects.get_or_create(
                name=name,
                defaults={
                    "place": place.value,
                    "pit": pit,
                    "token_hash": digest(_token(name)),
                    "token_ends_at": token_end(),
                    "enrolled_at": house.now(),
                },
            )
    return _devices[name]


def token_end() -> datetime:
    """Return when the tokens of the demo's devices end: its browsers share them, for years."""
    return house.now() + timedelta(days=3_650)


def code_for(new: NewDevice | Device) -> str:
    """Return a code for a new device, or for a new token, by two of the demo's managers."""
    device = demo_device(Place.OFFICE)
    badge = demo_person(Role.PIT_MANAGER).badge
    with signed_by_program():
        if isinstance(new, Device):
            offer = offer_token(device_id=new.pk, badge=badge, pin=PIN, device=device)
        else:
            offer = offer_device(new=new, badge=badge, pin=PIN, device=device)
        # One of the two works where the device will stand.
        of_place = Role.SHIFT_MANAGER if new.place == Place.OFFICE.value else Role.SUPERVISOR
        second = demo_person(of_place)
        return let_in(offer_id=offer.pk, badge=second.badge, pin=PIN, device=device)


def demo_token(device: Device) -> str:
    """Return the token of one of the demo's own devices, which any browser of the demo may be."""
    return _token(device.name)


def _token(name: str) -> str:
    return salted_hmac("pitboss.demo", name, algorithm="sha256").hexdigest()


def demo_pen(person: Person, device: Device) -> Pen:
    """Return the pen of one of the demo's people. It takes them a while to take it up."""
    let_time_pass()
    return Pen(person.badge, PIN, device, uuid4())


def verify_record() -> None:
    """Let the auditor have the record verified, as every morning."""
    run_audit(ask_audit(person=demo_person(Role.AUDITOR)).pk)


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
