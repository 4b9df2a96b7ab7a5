"""Events: five hundred terminals listen while nothing happens, then hear of what does.

What the server computes meanwhile is taken from the processor's own account. An event's time is
from the end of its commit, in a process that acts, until a terminal has read it, in this one; both
read the one clock of the machine.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from statistics import quantiles
from time import monotonic, sleep

from bench import floor
from bench.databases import PROJECT, own_database
from bench.measuring import Measure
from bench.serving import Served, served_events

DATABASE = "pitboss_bench_events"
STREAMS = 500
QUIET_SECONDS = 15.0
PROMISED_SHARE = 0.10
ACTS = 100
ACT_EVERY_SECONDS = 0.07
PROMISED_SECONDS = 0.300


@dataclass(slots=True)
class Ears:
    """All terminals, and when each event was heard first."""

    heard: dict[str, float] = field(default_factory=dict)
    open: int = 0

    async def listen(self, port: int, token: str) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        sentence = (
            f"GET /api/v1/events HTTP/1.1\r\nhost: x\r\nauthorization: Device {token}\r\n\r\n"
        )
        writer.write(sentence.encode())
        head = await reader.readuntil(b"\r\n\r\n")
        if b" 200 " not in head:
            sys.exit(f"A stream was answered with {head!r}.")
        self.open += 1
        event_id = ""
        while line := (await reader.readline()).decode():
            if line.startswith("id: "):
                event_id = line[4:].split(".")[0].strip()
            elif line.startswith("data: "):
                table = json.loads(line[6:])["table"]
                self.heard.setdefault(f"{table} {event_id}", monotonic())


def run() -> Iterator[Measure]:
    """Open the streams, let nothing happen, then act."""
    with own_database(DATABASE) as environ:
        tokens: list[str] = json.loads(_in_its_own_process(environ, "make"))
        with served_events(environ) as server:
            yield from asyncio.run(_measures(environ, server, tokens))


async def _measures(environ: dict[str, str], server: Served, tokens: list[str]) -> list[Measure]:
    ears = Ears()
    began = monotonic()
    listening = []
    for token in tokens:
        listening.append(asyncio.create_task(ears.listen(server.port, token)))
        # A few at once, as terminals come back after an outage.
        while len(listening) - ears.open > 20:
            await asyncio.sleep(0.001)
    while ears.open < len(tokens):
        await asyncio.sleep(0.01)
    opened = monotonic() - began
    await asyncio.sleep(1)
    computed, quiet_began = server.processor_seconds(), monotonic()
    await asyncio.sleep(QUIET_SECONDS)
    share = (server.processor_seconds() - computed) / (monotonic() - quiet_began)
    acted = json.loads(await asyncio.to_thread(_in_its_own_process, environ, "act"))
    await asyncio.sleep(2)
    for task in listening:
        task.cancel()
    missed = acted.keys() - ears.heard.keys()
    if missed:
        sys.exit(f"{len(missed)} events were not heard.")
    times = sorted(ears.heard[item] - at for item, at in acted.items())
    return [
        Measure(f"{STREAMS} streams opened", opened, STREAMS),
        Measure(
            f"of one core's second, {STREAMS} streams open and quiet",
            share,
            limit_seconds=PROMISED_SHARE,
        ),
        Measure("from commit to terminal, half of the events within", times[len(times) // 2]),
        Measure(
            "from commit to terminal, 99 of 100 within",
            quantiles(times, n=100)[98],
            limit_seconds=PROMISED_SECONDS,
        ),
    ]


def _in_its_own_process(environ: dict[str, str], what: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "bench.events", what],
        cwd=PROJECT,
        env=environ,
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    return done.stdout


# ----------------------------------------------------------------------- in a process of its own


def make() -> list[str]:
    """Put up a floor of two hundred tables with five hundred terminals; return their tokens."""
    from pitboss.models import Device, Table
    from pitboss.rules.canonical import digest
    from pitboss.services import house

    floor.make()
    tables = list(Table.objects.order_by("pk"))
    tokens = [f"listener {number}" for number in range(STREAMS)]
    now = house.now()
    for number, token in enumerate(tokens):
        Device.objects.create(
            name=token,
            place="pit",
            table=tables[number % len(tables)],
            token_hash=digest(token),
            token_ends_at=now + timedelta(days=1),
            enrolled_at=now,
        )
    return tokens


def act() -> dict[str, float]:
    """Act at one table after another; return when each entry was committed."""
    from pitboss.models import Table
    from pitboss.services import house, journal

    tables = list(Table.objects.order_by("pk"))
    acted = {}
    for number in range(ACTS):
        table = tables[number % len(tables)]
        entry = journal.write(
            chain=journal.chain_of(table, journal.HOUSE),
            kind="tapped_in",
            body={"dealer": "S0"},
            at=house.now(),
        )
        acted[f"{table.name} {entry.number}"] = monotonic()
        sleep(ACT_EVERY_SECONDS)
    return acted


if __name__ == "__main__":
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pitboss.settings")
    django.setup()
    print(json.dumps({"make": make, "act": act}[sys.argv[1]]()))
