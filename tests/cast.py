"""The cast: one small property, its people and devices, as most tests need them.

Everyone's PIN is their badge written twice; nobody on a real floor may choose such a one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from uuid import uuid4

import pytest
from django.contrib.auth.hashers import make_password

from inventory.services.fills import new_fill, new_return, request_fill, send_back
from pitboss.models import Device, Person, Pit, Property, Signature, Slip, Table
from pitboss.rules.canonical import digest
from pitboss.rules.flows import Track
from pitboss.rules.roles import Place, Role
from pitboss.services import house
from pitboss.services.floor import add_table
from pitboss.services.pins import hash_pin
from pitboss.services.signing import Entry, Pen, request_shown, sign, slip_shown

PAR = {500_000: 0, 100_000: 20, 10_000: 100, 2_500: 200, 500: 200, 250: 40, 100: 60}
SOME_CHEQUES = {10_000: 20, 2_500: 20}

PASSWORD = "a long pass phrase"
# One hash of each for a whole run: argon2 is slow by design.
_PASSWORD_HASH = ""
_PIN_HASHES: dict[str, str] = {}


def pin_of(badge: str) -> str:
    return badge * 2


@dataclass
class Cast:
    """Who is on the floor in a test."""

    pit: Pit
    table: Table
    other_table: Table
    alice: Person  # supervisor
    bob: Person  # supervisor
    carol: Person  # pit manager
    dan: Person  # dealer
    erin: Person  # cashier
    frank: Person  # security
    grace: Person  # security
    heidi: Person  # shift manager
    ivan: Person  # surveillance
    judy: Person  # administrator
    olga: Person  # auditor
    sybil: Person  # security manager
    trent: Person  # cage manager
    dora: Person  # dealer
    devices: dict[Place, Device] = field(default_factory=dict)
    other_pit_tablet: Device | None = None

    @property
    def people(self) -> list[Person]:
        return [value for value in vars(self).values() if isinstance(value, Person)]

    def pen(self, person: Person, place: Place = Place.PIT) -> Pen:
        return Pen(person.badge, pin_of(person.badge), self.devices[place], uuid4())

    def ask(self, cheques: Mapping[int, int] = SOME_CHEQUES, by: Person | None = None) -> Slip:
        """Ask for a fill as Alice, or as somebody else."""
        table = Table.objects.get(pk=self.table.pk)
        return request_fill(
            table=table,
            cheques=cheques,
            pen=self.pen(by or self.alice),
            shown=request_shown(new_fill(table, cheques), table),
        )

    def sign(
        self,
        slip: Slip,
        step: str,
        person: Person,
        place: Place = Place.PIT,
        *,
        entry: Entry = Entry(),
        track: Track = Track.MAIN,
    ) -> Signature:
        slip.refresh_from_db()
        return sign(
            slip_id=slip.pk,
            step=step,
            pen=self.pen(person, place),
            shown=slip_shown(slip),
            entry=entry,
            track=track,
        )

    def issue(self, slip: Slip) -> None:
        if any(step["name"] == "top_signed" for step in slip.plan):
            self.sign(slip, "top_signed", self.carol)
        self.sign(slip, "issued", self.erin, Place.CAGE)

    def carry(self, slip: Slip) -> None:
        self.issue(slip)
        self.sign(slip, "carried", self.frank, Place.CAGE)

    def agreement(self, slip: Slip, counted: Mapping[int, int] | None = None) -> Entry:
        return Entry(
            counted=slip.cheques_by_cents if counted is None else counted,
            present_badge=self.frank.badge,
        )

    def deliver(self, slip: Slip) -> None:
        self.carry(slip)
        self.sign(slip, "agreed", self.dan, entry=self.agreement(slip))
        self.sign(slip, "received", self.alice)

    def send_back(self, slip: Slip, reason: str = "Greens are short.") -> Slip:
        slip.refresh_from_db()
        table = Table.objects.get(pk=self.table.pk)
        return send_back(
            fill=slip,
            reason=reason,
            pen=self.pen(self.alice),
            shown=request_shown(new_return(slip), table),
        )


_PEOPLE = {
    "alice": ("101", Role.SUPERVISOR),
    "bob": ("102", Role.SUPERVISOR),
    "carol": ("103", Role.PIT_MANAGER),
    "dan": ("104", Role.DEALER),
    "erin": ("105", Role.CASHIER),
    "frank": ("106", Role.SECURITY),
    "grace": ("107", Role.SECURITY),
    "heidi": ("108", Role.SHIFT_MANAGER),
    "ivan": ("109", Role.SURVEILLANCE),
    "judy": ("110", Role.ADMINISTRATOR),
    "olga": ("111", Role.AUDITOR),
    "sybil": ("112", Role.SECURITY_MANAGER),
    "trent": ("113", Role.CAGE_MANAGER),
    "dora": ("114", Role.DEALER),
}


def _person(name: str, badge: str, role: Role) -> Person:
    global _PASSWORD_HASH
    _PASSWORD_HASH = _PASSWORD_HASH or make_password(PASSWORD)
    if badge not in _PIN_HASHES:
        _PIN_HASHES[badge] = hash_pin(pin_of(badge))
    return Person.objects.create(
        badge=badge,
        first_name=name.capitalize(),
        last_name=f"{name.capitalize()}son",
        licence_number=f"TG-{badge}",
        licence_ends=date(2099, 12, 31),
        employee_number=f"E{badge}",
        role=role.value,
        password=_PASSWORD_HASH,
        pin_hash=_PIN_HASHES[badge],
    )


@pytest.fixture
def cast(db: None) -> Cast:
    """Return a property with two tables in one pit, an empty second pit, and a device at each place."""
    Property.objects.create(pk=1, name="The Test House")
    pit = Pit.objects.create(name="Pit 1")
    other_pit = Pit.objects.create(name="Pit 2")
    tables = [
        add_table(
            name=name,
            pit=pit,
            game="classic_6",
            minimum_cents=2_500,
            maximum_cents=300_000,
            par=PAR,
        )
        for name in ("BJ-11", "BJ-12")
    ]
    people = {name: _person(name, *rest) for name, rest in _PEOPLE.items()}

    def device(name: str, place: Place, pit: Pit | None = None) -> Device:
        return Device.objects.create(
            name=name,
            place=place.value,
            pit=pit,
            token_hash=digest(name),
            enrolled_at=house.now(),
        )

    devices = {
        Place.PIT: device("Pit 1 tablet", Place.PIT, pit),
        **{place: device(place.value, place) for place in Place if place != Place.PIT},
    }
    return Cast(
        pit=pit,
        table=tables[0],
        other_table=tables[1],
        devices=devices,
        other_pit_tablet=device("Pit 2 tablet", Place.PIT, other_pit),
        **people,
    )
