"""The floor: any act stored with fifty tables busy, and the board of two hundred.

A table is busy when something is signed at it every ten seconds: a fill is carried through its
signatures in a minute, then the tray is counted, and the next begins. Four server processes share
the tables, as on a machine of two cores. Each act is posted as a tablet posts it and timed from the
request to the answer: the session, the device, the PIN's hash, the act and its commit. What it
computed is told apart, since the clock on the wall also counts what other programs do. A database
of its own is made and dropped.
"""

from __future__ import annotations

import heapq
import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from itertools import count
from random import Random
from statistics import median, quantiles
from time import monotonic, perf_counter, sleep, thread_time
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from bench.databases import PROJECT, own_database
from bench.measuring import Measure

if TYPE_CHECKING:
    from django.test import Client

    from pitboss.models import Person, Table
    from pitboss.rules.roles import Place
    from pitboss.services.pads import Attests

DATABASE = "pitboss_bench_floor"
PROMISED_SECONDS = 0.150
BOARD_QUERIES_MAX = 8
BUSY_TABLES = 50
BOARD_TABLES = 200
PROCESSES = 4
THREADS = 2
SECONDS_BETWEEN_ACTS = 10.0
# Some six hundred acts: the slowest hundredth should be more than two of them.
RUN_SECONDS = 120.0
BASELINE_TIMES = 200
BOARD_TIMES = 20
# Whole rounds of seven acts, so that the table stands as it stood.
ALONE_TIMES = 28
SEED = 50
PIN = "482915"
COUNTED = {10_000: 40, 2_500: 80, 500: 100}


def run() -> Iterator[Measure]:
    """Make a floor, work on it in four processes, and read the board."""
    with own_database(DATABASE) as environ:
        yield from _measures(environ)


def _measures(environ: dict[str, str]) -> Iterator[Measure]:
    _collect(_start(environ, "make"))
    bare_times = _collect(_start(environ, "bare"))["times"]
    alone_times = _collect(_start(environ, "alone"))["times"]
    workers = [_start(environ, "work", str(number)) for number in range(PROCESSES)]
    told = [_collect(worker) for worker in workers]
    times = [seconds for item in told for seconds in item["times"]]
    computed = [seconds for item in told for seconds in item["computed"]]
    board = _collect(_start(environ, "board"))
    bare = Measure("one bare INSERT and its commit", sum(bare_times), len(bare_times))
    yield bare
    yield Measure("an act stored, alone on the floor", median(alone_times), baseline=bare)
    cuts = quantiles(times, n=100)
    for name, at in (("p50", 49), ("p95", 94), ("p99", 98)):
        yield Measure(
            f"an act stored, {len(times)} acts on {BUSY_TABLES} tables, {name}",
            cuts[at],
            baseline=bare,
            limit_seconds=PROMISED_SECONDS,
        )
    yield Measure("what one of them computes, p50", median(computed), baseline=bare)
    empty = Measure("the board of no table", board["empty_seconds"])
    yield empty
    queries = board["queries"]
    if queries > BOARD_QUERIES_MAX:
        sys.exit(f"The board of {BOARD_TABLES} tables asks {queries} queries.")
    yield Measure(
        f"the board of {BOARD_TABLES} tables, {queries} queries",
        board["full_seconds"],
        baseline=empty,
    )


def _start(environ: dict[str, str], *arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "bench.floor", *arguments]
    return subprocess.Popen(command, cwd=PROJECT, env=environ, stdout=subprocess.PIPE, text=True)


def _collect(process: subprocess.Popen[str]) -> Any:
    told, _ = process.communicate()
    if process.returncode:
        sys.exit(f"A part of the bench ended with {process.returncode}.")
    return json.loads(told)


# ------------------------------------------------------------------ in processes of their own


def make() -> dict[str, Any]:
    """Put up two hundred tables in one pit, none in another, and the people of fifty."""
    from datetime import date, timedelta

    from pitboss.models import Device, Person, Pit, Property
    from pitboss.rules.canonical import digest
    from pitboss.rules.roles import Place, Role
    from pitboss.services import house
    from pitboss.services.floor import add_table
    from pitboss.services.pins import hash_pin

    Property.objects.create(pk=1, name="The Bench")
    pit, _ = (Pit.objects.create(name=name) for name in ("Pit 1", "Pit 2"))
    for number in range(BOARD_TABLES):
        add_table(
            name=f"BJ-{number + 1:03}",
            pit=pit,
            game="classic",
            minimum_cents=2_500,
            maximum_cents=300_000,
            par=COUNTED,
        )
    for place in (Place.PIT, Place.CAGE):
        Device.objects.create(
            name=place.value,
            place=place.value,
            pit=pit if place is Place.PIT else None,
            token_hash=digest(place.value),
            token_ends_at=house.now() + timedelta(days=3_650),
            enrolled_at=house.now(),
        )
    # A dealer a table, a supervisor for five, and a cashier and an officer for ten.
    for letter, role, tables in (
        ("D", Role.DEALER, 1),
        ("S", Role.SUPERVISOR, 5),
        ("C", Role.CASHIER, 10),
        ("G", Role.SECURITY, 10),
    ):
        for number in range(BUSY_TABLES // tables):
            person = Person(
                badge=f"{letter}{number}",
                first_name=letter,
                last_name=str(number),
                licence_number=f"TG-{letter}{number}",
                licence_ends=date(2099, 12, 31),
                employee_number=f"E{letter}{number}",
                role=role.value,
            )
            person.pin_hash = hash_pin(PIN, person)
            person.save()
    return {}


def bare() -> dict[str, Any]:
    """Store one row and commit it, again and again: what no act can do without."""
    from django.db import transaction

    from pitboss.models import Attempt
    from pitboss.services import house

    times = []
    for _ in range(BASELINE_TIMES):
        began = perf_counter()
        with transaction.atomic():
            Attempt.objects.create(badge="bench", kind=Attempt.Kind.PIN, at=house.now())
        times.append(perf_counter() - began)
    return {"times": times}


class Busy:
    """One table that goes through fills and counts for ever, one signature at a time."""

    def __init__(self, number: int) -> None:
        from pitboss.models import Person, Table

        def person(letter: str, tables: int) -> Person:
            return Person.objects.get(badge=f"{letter}{number // tables}")

        self.table = Table.objects.get(name=f"BJ-{number + 1:03}")
        self.dealer, self.supervisor = person("D", 1), person("S", 5)
        self.cashier, self.officer = person("C", 10), person("G", 10)
        self._tablets: dict[Place, Client] = {}
        self.acts = self._acts()
        self.computed: list[float] = []

    def next_act(self) -> float:
        """Do what comes next, and return how long the server took to store and answer it."""
        act = next(self.acts)
        began, computed = perf_counter(), thread_time()
        act()
        self.computed.append(thread_time() - computed)
        return perf_counter() - began

    def open(self) -> None:
        """Sign until the table is open; one that has played before has its tray already."""
        while not self._fresh().is_open:
            self.next_act()

    def _acts(self) -> Iterator[Callable[[], object]]:
        """Give each act when what the signer would be shown has been read, as a screen does."""
        from inventory.selectors.cheques import tray_holding

        if not self._fresh().is_open:
            if not tray_holding(self._fresh()):
                yield from self._fill(COUNTED)
            yield from self._count("opener")
        while True:
            yield from self._fill({2_500: 20})
            yield from self._count("count")

    def _fill(self, cheques: dict[int, int]) -> Iterator[Callable[[], object]]:
        from inventory.kinds.fill import FILL
        from pitboss.rules.roles import Place
        from pitboss.services.pads import attested_first
        from pitboss.slips.addresses import own_url
        from pitboss.slips.raising import shown_before

        fill = FILL.at(self._fresh(), cheques)
        shown, address = shown_before(fill), own_url(fill)
        keyed = _fields("cheques", cheques)
        pad = sealed_pad(attested_first(FILL), address, shown)
        yield self._posting(address, self.supervisor, Place.PIT, shown, {**keyed, **pad})
        agreed = {**_fields("agree", cheques), "officer_badge": self.officer.badge}
        yield self._signing("issued", self.cashier, Place.CAGE)
        yield self._signing("carried", self.officer, Place.CAGE)
        yield self._signing("agreed", self.dealer, Place.PIT, agreed)
        yield self._signing("received", self.supervisor, Place.PIT)

    def _count(self, kind: str) -> Iterator[Callable[[], object]]:
        from inventory.selectors.cheques import tray_holding
        from pitboss.rules.roles import Place
        from pitboss.services.pads import attested_first
        from pitboss.slips.addresses import own_url
        from pitboss.slips.kind import the_kind
        from pitboss.slips.raising import shown_before

        table = self._fresh()
        # Between counts the table lost what it was filled with.
        counted = COUNTED if kind == "count" else tray_holding(table)
        count = the_kind(kind).at(table, counted)
        shown, address = shown_before(count), own_url(count)
        keyed = _fields("cheques", counted)
        pad = sealed_pad(attested_first(the_kind(kind)), address, shown)
        yield self._posting(address, self.dealer, Place.PIT, shown, {**keyed, **pad})
        yield self._signing("verified", self.supervisor, Place.PIT, _fields("counted", counted))

    def _fresh(self) -> Table:
        from pitboss.models import Table

        return Table.objects.get(pk=self.table.pk)

    def _signing(
        self, step: str, person: Person, place: Place, keyed: Mapping[str, object] | None = None
    ) -> Callable[[], object]:
        """Return the signature of one step of the slip that was raised last at this table."""
        from django.urls import reverse

        from pitboss.services.pads import attested_at
        from pitboss.services.shown import slip_shown

        slip = self.table.slips.latest("id")
        address = reverse("slip-sign", args=[slip.serial, "main", step])
        shown = slip_shown(slip)
        (planned,) = (item for item in slip.plan if (item["track"], item["name"]) == ("main", step))
        attested = attested_at(slip.kind, "main", step, planned["attests"])
        pad = sealed_pad(attested, address, shown)
        return self._posting(address, person, place, shown, {**(keyed or {}), **pad})

    def _posting(
        self,
        address: str,
        person: Person,
        place: Place,
        shown: str,
        keyed: Mapping[str, object],
    ) -> Callable[[], object]:
        tablet = self._tablet(place)
        form = {
            **keyed,
            "badge": person.badge,
            "pin": PIN,
            "request_id": str(uuid4()),
            "shown": shown,
        }

        def post() -> None:
            answer = tablet.post(address, form)
            # Stored, and the tablet is sent on; a refusal would come as a page.
            if answer.status_code != HTTPStatus.FOUND:
                sys.exit(f"{address} was answered with {answer.status_code}.")

        return post

    def _tablet(self, place: Place) -> Client:
        """Return the tablet of the pit or the cage: who works there is signed in, others sign."""
        from django.test import Client

        from pitboss.middleware import DEVICE_COOKIE
        from pitboss.rules.roles import Place

        if place not in self._tablets:
            tablet = Client(SERVER_NAME="localhost")
            tablet.cookies[DEVICE_COOKIE] = place.value
            tablet.force_login(self.supervisor if place is Place.PIT else self.cashier)
            self._tablets[place] = tablet
        return self._tablets[place]


def sealed_pad(attests: Attests, address: str, shown: str) -> dict[str, str]:
    """Return the pad that the page would have carried, sealed."""
    from pitboss.services.pads import PAD, Pad

    return {PAD: Pad(attests.read_in(), address, shown=shown).sealed()}


def _fields(name: str, cheques: Mapping[int, int]) -> dict[str, object]:
    """Return cheques as the fields of a form."""
    return {f"{name}_{cents}": count for cents, count in cheques.items()}


def alone() -> dict[str, Any]:
    """Let one table sign as fast as it can while all others are shut."""
    table = Busy(BUSY_TABLES - 1)
    return {"times": [table.next_act() for _ in range(ALONE_TIMES)]}


def work(process: int) -> dict[str, Any]:
    """Let every table of this process sign at random moments, on average every ten seconds."""
    from django.db import connection

    random = Random(SEED + process)
    order = count()
    tables = [Busy(number) for number in range(process, BUSY_TABLES, PROCESSES)]
    due: list[tuple[float, int, Busy]] = []
    lock, times = threading.Lock(), list[float]()

    def serve() -> None:
        while True:
            with lock:
                at, _, table = heapq.heappop(due)
            if at > began + RUN_SECONDS:
                break
            sleep(max(0.0, at - monotonic()))
            seconds = table.next_act()
            with lock:
                times.append(seconds)
                after = random.expovariate(1 / SECONDS_BETWEEN_ACTS)
                heapq.heappush(due, (at + after, next(order), table))
        connection.close()

    with ThreadPoolExecutor(THREADS) as pool:
        # A server has long been up when fifty tables are busy: each thread signs once unmeasured.
        for warmed in [pool.submit(table.next_act) for table in tables[:THREADS]]:
            warmed.result()
        for table in tables:
            table.computed.clear()
        began = monotonic()
        due.extend(
            (began + random.uniform(0, SECONDS_BETWEEN_ACTS), next(order), table)
            for table in tables
        )
        heapq.heapify(due)
        for served in [pool.submit(serve) for _ in range(THREADS)]:
            served.result()
    return {"times": times, "computed": [item for table in tables for item in table.computed]}


def board() -> dict[str, Any]:
    """Read the tiles of the full pit and of the empty one, and count what that asks."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    from pitboss.models import Pit
    from pitboss.services import house
    from tables.selectors.board import tiles_of

    when = house.period_at(house.now())
    seconds = {}
    for name in ("Pit 1", "Pit 2"):
        pit = Pit.objects.get(name=name)
        tiles_of(pit, when)
        times = []
        for _ in range(BOARD_TIMES):
            began = perf_counter()
            tiles_of(pit, when)
            times.append(perf_counter() - began)
        seconds[name] = min(times)
    with CaptureQueriesContext(connection) as captured:
        tiles = tiles_of(Pit.objects.get(name="Pit 1"), when)
    assert len(tiles) == BOARD_TABLES
    return {
        "queries": len(captured),
        "full_seconds": seconds["Pit 1"],
        "empty_seconds": seconds["Pit 2"],
    }


def main(arguments: list[str]) -> None:
    """Do one part of the bench and tell what came of it."""
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pitboss.settings")
    django.setup()
    part, *rest = arguments
    parts: dict[str, Callable[..., dict[str, Any]]] = {
        "make": make,
        "bare": bare,
        "alone": alone,
        "work": work,
        "board": board,
    }
    print(json.dumps(parts[part](*map(int, rest))))


if __name__ == "__main__":
    main(sys.argv[1:])
