"""The cast: one small property, its people and devices, as most tests need them.

Everyone's PIN is their badge written twice; nobody on a real floor may choose such a one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.apps import apps
from django.db import connection, transaction
from django.utils import timezone

from inventory.kinds.fill import FILL, FILL_RETURN
from pitboss.hashers import FloorArgon2Hasher
from pitboss.models import Device, JournalEntry, Person, Pit, Property, Signature, Slip, Table
from pitboss.models.sealed import next_ids
from pitboss.rules.canonical import digest
from pitboss.rules.flows.flows import Track
from pitboss.rules.refusal import Refused
from pitboss.rules.roles import Place, Role
from pitboss.rules.settings.in_force import in_force
from pitboss.services import house, journal
from pitboss.services.devices import NewDevice, let_in, offer_device, offer_token
from pitboss.services.floor import add_table
from pitboss.services.pins import BOUND, peppered
from pitboss.services.shown import slip_shown
from pitboss.services.signing import NOTHING_MORE, Entry, Pen, sign
from pitboss.slips.kind import the_kind
from pitboss.slips.raising import raise_kind, shown_before

PAR = {500_000: 0, 100_000: 20, 10_000: 100, 2_500: 200, 500: 200, 250: 40, 100: 60}
SOME_CHEQUES = {10_000: 20, 2_500: 20}

PASSWORD = "a long pass phrase"


class CheapArgon2Hasher(FloorArgon2Hasher):
    """The same algorithm as the floor's, at the least cost it takes; a check reads the cost."""

    time_cost = 1
    memory_cost = 8


# One hash of each for a whole run.
_HASHES: dict[str, str] = {}


def _hash(secret: str) -> str:
    if secret not in _HASHES:
        hasher = CheapArgon2Hasher()
        _HASHES[secret] = hasher.encode(secret, hasher.salt())
    return _HASHES[secret]


def pin_of(badge: str) -> str:
    return badge * 2


# A house that has set nothing itself.
LOCKOUT = in_force([], datetime.min.replace(tzinfo=UTC)).lockout


# What is kept of a refused attempt: the attempt itself and the journal.
EVIDENCE = frozenset(
    {
        "pitboss.Attempt",
        "pitboss.StrayAttempt",
        "pitboss.JournalChain",
        "pitboss.JournalEntry",
    }
)


def everything(ignoring: Collection[str] = EVIDENCE) -> dict[str, list[str]]:
    """Return every row of every table but some, to show that something changed nothing."""
    tables = {
        model._meta.label: model._meta.db_table
        for model in apps.get_models(include_auto_created=True)
        if model._meta.label not in ignoring
    }
    # One question instead of a hundred: what is refused is looked at twice in every other test.
    each = [f"SELECT '{label}', kept::text FROM {name} kept" for label, name in tables.items()]
    rows: dict[str, list[str]] = {label: [] for label in tables}
    # The server plans it once a connection: to plan it takes longer than to read the rows.
    of_this_site: Any = connection
    with of_this_site.prepared_cursor() as cursor:
        cursor.execute(" UNION ALL ".join(each))
        for label, row in cursor.fetchall():
            rows[label].append(row)
    return {label: sorted(found) for label, found in rows.items()}


@contextmanager
def refused(
    *codes: str,
    journal: Sequence[str] = ("sign_refused",),
    ignoring: Collection[str] = (),
) -> Iterator[None]:
    """Demand that something is refused for these reasons and leaves nothing but journal entries."""
    before = everything(EVIDENCE.union(ignoring))
    last = JournalEntry.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
    with pytest.raises(Refused) as caught:
        yield
    assert sorted(set(caught.value.codes)) == sorted(codes), f"refused by {caught.value.codes}"
    assert all(refusal.message.endswith((".", "?")) for refusal in caught.value.refusals)
    after = everything(EVIDENCE.union(ignoring))
    changed = {label: after[label] for label, rows in before.items() if after[label] != rows}
    assert not changed, f"more than the journal was written: {changed}"
    written = JournalEntry.objects.filter(pk__gt=last).order_by("pk")
    kinds = [entry.kind for entry in written]
    assert kinds == list(journal), f"the journal has {kinds}"


@dataclass
class ServerClock:
    """The server's time in a test; it stands still unless moved."""

    now: datetime

    def move(self, **by: float) -> None:
        self.now += timedelta(**by)


@pytest.fixture
def server_clock(monkeypatch: pytest.MonkeyPatch) -> ServerClock:
    """Stop the clock at nine in the morning of a quiet Friday in New York."""
    clock = ServerClock(datetime(2026, 5, 1, 13, tzinfo=UTC))
    monkeypatch.setattr(timezone, "now", lambda: clock.now)
    return clock


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
    mike: Person  # shift manager
    paul: Person  # count team
    quinn: Person  # count team
    ruth: Person  # accounting
    petra: Person  # compliance
    vera: Person  # surveillance manager
    hugo: Person  # host
    hanna: Person  # host manager
    nora: Person  # controller
    colin: Person  # collector
    other_pit_tablet: Device
    devices: dict[Place, Device] = field(default_factory=dict)

    @property
    def people(self) -> list[Person]:
        return [value for value in vars(self).values() if isinstance(value, Person)]

    def pen(self, person: Person, place: Place = Place.PIT) -> Pen:
        return Pen(person.badge, pin_of(person.badge), self.devices[place], uuid4())

    def shown_to_ask(
        self, cheques: Mapping[int, int] = SOME_CHEQUES, replaces: Slip | None = None
    ) -> str:
        """Return what the screen shows to whoever is about to ask for a fill."""
        table = Table.objects.get(pk=self.table.pk)
        return shown_before(FILL.at(table, cheques, replaces))

    def ask(
        self,
        cheques: Mapping[int, int] = SOME_CHEQUES,
        by: Person | None = None,
        *,
        replaces: Slip | None = None,
        pen: Pen | None = None,
        shown: str | None = None,
    ) -> Slip:
        """Ask for a fill as Alice, or as somebody else."""
        return raise_kind(
            FILL.at(self.table, cheques, replaces),
            pen=pen or self.pen(by or self.alice),
            shown=self.shown_to_ask(cheques, replaces) if shown is None else shown,
        )

    def sign(
        self,
        slip: Slip,
        step: str,
        person: Person,
        place: Place = Place.PIT,
        *,
        entry: Entry = NOTHING_MORE,
        track: Track = Track.MAIN,
        pen: Pen | None = None,
        shown: str | None = None,
    ) -> Signature:
        slip = Slip.objects.get(pk=slip.pk)
        return sign(
            slip_id=slip.pk,
            step=step,
            pen=pen or self.pen(person, place),
            shown=slip_shown(slip) if shown is None else shown,
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

    def agreement(
        self,
        slip: Slip,
        counted: Mapping[int, int] | None = None,
        present: Person | None = None,
    ) -> Entry:
        return Entry(
            counted=slip.cheques_by_cents if counted is None else counted,
            present_badge=(present or self.frank).badge,
        )

    def count(self, kind: str, counted: Mapping[int, int], by: Person | None = None) -> Slip:
        """Raise a count of the first table's tray as Dan, or as somebody else."""
        table = Table.objects.get(pk=self.table.pk)
        count = the_kind(kind).at(table, counted)
        return raise_kind(count, pen=self.pen(by or self.dan), shown=shown_before(count))

    def open_table(self, counted: Mapping[int, int]) -> Slip:
        """Open the first table on a tray that holds what it should."""
        opener = self.count("opener", counted)
        self.sign(opener, "verified", self.alice, entry=Entry(counted=counted))
        opener.refresh_from_db()
        return opener

    def open_other_table(self) -> None:
        """Open the second table on an empty tray, counted by Dora."""
        table = Table.objects.get(pk=self.other_table.pk)
        count = the_kind("opener").at(table)
        opener = raise_kind(count, pen=self.pen(self.dora), shown=shown_before(count))
        self.sign(opener, "verified", self.bob, entry=Entry(counted={}))

    def close_table(self, counted: Mapping[int, int]) -> Slip:
        """Close the first table and lock its tray."""
        closer = self.count("closer", counted)
        self.sign(closer, "verified", self.alice, entry=Entry(counted=counted))
        self.sign(closer, "top_signed", self.carol)
        self.sign(closer, "locked", self.alice)
        closer.refresh_from_db()
        return closer

    def deliver(self, slip: Slip) -> None:
        self.carry(slip)
        self.sign(slip, "agreed", self.dan, entry=self.agreement(slip))
        self.sign(slip, "received", self.alice)

    def send_back(
        self,
        slip: Slip,
        reason: str = "Greens are short.",
        *,
        by: Person | None = None,
        shown: str | None = None,
    ) -> Slip:
        fill = Slip.objects.get(pk=slip.pk)
        table = Table.objects.get(pk=self.table.pk)
        back = FILL_RETURN.at(table, original=fill)
        return raise_kind(
            back,
            pen=self.pen(by or self.alice),
            shown=shown_before(back) if shown is None else shown,
            reason=reason,
        )

    def void(self, slip: Slip, reason: str = "Asked for twice.") -> None:
        """Void a slip at the cage: Erin, before Ivan's eyes."""
        entry = Entry(reason=reason)
        self.sign(slip, "voided", self.erin, Place.CAGE, entry=entry, track=Track.VOID)
        self.sign(slip, "void_witnessed", self.ivan, Place.SURVEILLANCE, track=Track.VOID)

    def relieve(self, slip: Slip) -> None:
        """Let Grace take the cheques of a slip over from Frank, by Heidi's leave."""
        entry = Entry(reason="Frank fell ill.")
        self.sign(slip, "relieved", self.heidi, entry=entry, track=Track.RELIEF)
        counted = Entry(counted=slip.cheques_by_cents)
        self.sign(slip, "taken_over", self.grace, entry=counted, track=Track.RELIEF)


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
    "mike": ("115", Role.SHIFT_MANAGER),
    "paul": ("116", Role.COUNT_TEAM),
    "quinn": ("117", Role.COUNT_TEAM),
    "ruth": ("118", Role.ACCOUNTING),
    "petra": ("119", Role.COMPLIANCE),
    "vera": ("120", Role.SURVEILLANCE_MANAGER),
    "hugo": ("171", Role.HOST),
    "hanna": ("172", Role.HOST_MANAGER),
    "nora": ("175", Role.CONTROLLER),
    "colin": ("176", Role.COLLECTOR),
}


def let_device_in(cast: Cast, new: NewDevice | Device, *, by: Person, second: Person) -> str:
    """Return the code of a device that one person asked for and another let in, at the office."""
    office = cast.devices[Place.OFFICE]
    if isinstance(new, Device):
        offer = offer_token(device_id=new.pk, badge=by.badge, pin=pin_of(by.badge), device=office)
    else:
        offer = offer_device(new=new, badge=by.badge, pin=pin_of(by.badge), device=office)
    return let_in(offer_id=offer.pk, badge=second.badge, pin=pin_of(second.badge), device=office)


def add_person(name: str, badge: str, role: Role) -> Person:
    """Put one more person on the floor, with the PIN that their badge makes."""
    (person,) = _add_people({name: (badge, role)}).values()
    return person


def _add_people(people: Mapping[str, tuple[str, Role]]) -> dict[str, Person]:
    """Put people on the floor in one go: most tests begin with the whole cast."""
    ids = next_ids(Person, len(people))
    made = [
        _person(person_id, name, badge, role)
        for person_id, (name, (badge, role)) in zip(ids, people.items(), strict=True)
    ]
    Person.objects.bulk_create(made)
    return dict(zip(people, made, strict=True))


def _person(person_id: int, name: str, badge: str, role: Role) -> Person:
    return Person(
        pk=person_id,
        badge=badge,
        first_name=name.capitalize(),
        last_name=f"{name.capitalize()}son",
        licence_number=f"TG-{badge}",
        licence_ends=date(2099, 12, 31),
        employee_number=f"E{badge}",
        role=role.value,
        password=_hash(PASSWORD),
        pin_hash=BOUND + _hash(peppered(pin_of(badge), person_id)),
    )


@pytest.fixture
def cast(request: pytest.FixtureRequest, db: None) -> Cast:
    """Return the floor, as most tests need it, by the clock that the test lives by."""
    if "server_clock" in request.fixturenames:
        request.getfixturevalue("server_clock")
    return make_cast()


@transaction.atomic
def make_cast() -> Cast:
    """Make two tables in one pit, an empty second pit, the people, and a device at each place."""
    Property.objects.create(pk=1, name="The Test House")
    pit = Pit.objects.create(name="Pit 1")
    other_pit = Pit.objects.create(name="Pit 2")
    tables = [
        add_table(
            name=name,
            pit=pit,
            game="classic",
            minimum_cents=2_500,
            maximum_cents=300_000,
            par=PAR,
        )
        for name in ("BJ-11", "BJ-12")
    ]
    people = _add_people(_PEOPLE)

    def device(name: str, place: Place, pit: Pit | None = None) -> Device:
        return Device(
            name=name,
            place=place.value,
            pit=pit,
            token_hash=digest(name),
            token_ends_at=house.now() + timedelta(days=3_650),
            enrolled_at=house.now(),
        )

    devices: dict[Place, Device] = {
        Place.PIT: device("Pit 1 tablet", Place.PIT, pit),
        **{place: device(place.value, place) for place in Place if place != Place.PIT},
    }
    other_pit_tablet = device("Pit 2 tablet", Place.PIT, other_pit)
    Device.objects.bulk_create([*devices.values(), other_pit_tablet])
    # Vouches for all of them.
    journal.write(chain=journal.HOUSE, kind="cast", body={}, at=house.now())
    return Cast(
        pit=pit,
        table=tables[0],
        other_table=tables[1],
        devices=devices,
        other_pit_tablet=other_pit_tablet,
        **people,
    )
