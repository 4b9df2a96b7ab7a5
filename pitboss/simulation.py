"""Play on in the demo: scenes that wait for each other, people who sign, terminals that call.

Every act is a request to the API or a call of a service, whole in its own transaction. So it can
be stopped between any two of them, and nothing is left half done.
"""

from __future__ import annotations

import heapq
import http.client
import json
import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import count
from threading import Event
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

from pitboss.demo import PIN, code_for, demo_crew, demo_device, demo_pen, demo_signer
from pitboss.models import Device, Person, Pit, Slip, Table
from pitboss.rules.refusal import Refusal, Refused, refuse
from pitboss.rules.roles import Place, Role
from pitboss.selectors.slips import due_step
from pitboss.services.devices import NewDevice
from pitboss.services.shown import slip_shown
from pitboss.services.signing import Entry, sign
from pitboss.slips.plan import PlannedStep

# A scene does something, then yields for how many minutes it lets the others go on.
Scene = Iterator[float]
Say = Callable[[str], object]
# What a step that asks for more is answered with, by the name of what it asks.
EntryOf = Callable[[Slip, PlannedStep], Entry]

_LINE_SECONDS = 20


class SimulatedTerminal:
    """The terminal of a table: enrolled by a manager's code, it knows its token and nothing else.

    What the API refuses is raised as Refused, like what a service refuses.
    """

    def __init__(self, address: str, table: Table) -> None:
        self.table = table
        self._host = urlsplit(address).netloc
        self._token = ""
        code = _code_for(f"Simulated {table.name}", table)
        self._token = self.post("enrol", {"code": code})["token"]

    def get(self, path: str) -> Any:
        return self._ask("GET", path, None, {})

    def post(self, path: str, body: Mapping[str, Any]) -> Any:
        return self._ask("POST", path, json.dumps(body), {"Idempotency-Key": str(uuid4())})

    def tap_in(self, dealer: Person) -> None:
        """Let a dealer tap in here."""
        self.post("dealer/in", {"badge": dealer.badge, "pin": PIN})

    def _ask(
        self, method: str, path: str, body: str | None, headers: Mapping[str, str]
    ) -> dict[str, Any]:
        line = http.client.HTTPConnection(self._host, timeout=_LINE_SECONDS)
        try:
            line.request(
                method,
                f"/api/v1/{path}",
                body,
                {
                    "Content-Type": "application/json",
                    **({"Authorization": f"Device {self._token}"} if self._token else {}),
                    **headers,
                },
            )
            answer = line.getresponse()
            told: dict[str, Any] = json.loads(answer.read())
        except OSError as error:
            raise refuse("no_line", f"The site does not answer at {self._host}: {error}.") from None
        finally:
            line.close()
        if answer.status >= 400:
            raise Refused([Refusal(**refusal) for refusal in told["refusals"]])
        return told


def _code_for(name: str, table: Table) -> str:
    device = Device.objects.filter(name=name, revoked_at=None).first()
    return code_for(device or NewDevice(name, Place.PIT, table=table))


def nothing_more(slip: Slip, due: PlannedStep) -> Entry:
    """Enter what every step asks: what was counted, and who stands by with the cheques."""
    if not due.counts:
        return Entry()
    carried = slip.signatures.filter(step="carried").select_related("person").first()
    badge = carried.person.badge if carried else ""
    return Entry(counted=slip.cheques_by_cents, present_badge=badge)


def sign_next(slip: Slip, entry_of: EntryOf = nothing_more) -> str:
    """Let someone sign the step that a slip waits for; return who did, or nothing at its end.

    Raises Refused.
    """
    slip = Slip.objects.select_related("table__pit").get(pk=slip.pk)
    due = due_step(slip)
    if due is None:
        return ""
    assert slip.table is not None, "the simulation signs what is about a table"
    person = somebody_new(slip, due.by[0])
    place = due.at or Place.PIT
    sign(
        slip_id=slip.pk,
        step=due.name,
        pen=demo_pen(person, device_at(place, slip.table.pit)),
        shown=slip_shown(slip),
        entry=entry_of(slip, due),
    )
    return f"{person} {due.name.replace('_', ' ')} {slip.serial}"


def signed_to_the_end(
    slip: Slip, say: Say, dice: random.Random, entry_of: EntryOf = nothing_more
) -> Scene:
    """Let a slip go from hand to hand, a few minutes each."""
    while words := sign_next(slip, entry_of):
        say(f"{slip.table}: {words}")
        yield dice.uniform(0.3, 2.5)


def device_at(place: Place, pit: Pit) -> Device:
    """Return the demo's device of a place, of this pit where it is one of the pit."""
    return demo_device(place, pit if place == Place.PIT else None)


def somebody_new(slip: Slip, role: Role) -> Person:
    """Return someone of a role who has not signed a slip yet, or whoever is left to do it."""
    assert slip.table is not None
    signed = set(slip.signatures.values_list("person_id", flat=True))
    crew = demo_crew(slip.table.pit)
    people = [demo_signer(role, slip.table, crew + step) for step in range(6)]
    return next((person for person in people if person.pk not in signed), people[0])


class Stage:
    """The scenes under way, each with its minute. Stopped, it lets the act under way end."""

    def __init__(self, say: Say, *, speed: float, stop: Event) -> None:
        self._say = say
        self._speed = speed
        self._stop = stop
        self._order = count()
        self._due: list[tuple[float, int, Scene]] = []
        self.minute = 0.0
        self.acts = 0

    def begin(self, scenes: Iterable[Scene], *, after_minutes: float = 0) -> None:
        """Let scenes begin, after so many minutes."""
        for scene in scenes:
            heapq.heappush(self._due, (self.minute + after_minutes, next(self._order), scene))

    def play(self, minutes: float) -> None:
        """Play for so many minutes of the floor, or until nothing is left or someone stops it."""
        while self._due and self._due[0][0] <= minutes and not self._stop.is_set():
            due, _, scene = heapq.heappop(self._due)
            self._stop.wait(max(0.0, due - self.minute) * 60 / self._speed)
            self.minute = max(self.minute, due)
            if self._stop.is_set():
                return
            try:
                pause = next(scene, None)
            except Refused as refused:
                # Someone was quicker, or a rule says no: the scene ends, the floor goes on.
                self._say(f"refused: {refused}")
                continue
            self.acts += 1
            if pause is not None:
                self.begin([scene], after_minutes=pause)
