"""Looks: a bet noted at a terminal, and a round where seven are rated, against what they cost bare.

One server with four workers, asked by eight clients in turn, as in `terminals`. A look may take
twice as long as a bare view that does one INSERT; a round reads nothing of ratings and writes
nothing for them, so it takes as long with seven rated seats as with none.
"""

from __future__ import annotations

import http.client
import os
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from itertools import count
from typing import Any
from uuid import uuid4

from bench import terminals
from bench.databases import PROJECT, own_database
from bench.measuring import Measure
from bench.serving import served
from bench.terminals import Ask, ask_bare, in_turn, next_round, post, send

DATABASE = "pitboss_bench_looks"
SEATS = 7
# Each client asks for tables of its own: looks at one table wait for each other.
TABLES_A_CLIENT = 2
GROUP = terminals.CLIENTS * TABLES_A_CLIENT
# The first tables have no rated player, the last seven each.
RATED_FROM = terminals.TERMINALS - GROUP
LEAST_RATE, MOST_P99, MOST_ROUND = 0.5, 3.0, 1.05
_LOOKED = count()


def run() -> Iterator[Measure]:
    """Seat players at a floor of terminals, and ask its server."""
    with own_database(DATABASE) as environ:
        environ = environ | {"DJANGO_SETTINGS_MODULE": "bench.bare_settings"}
        command = [sys.executable, "-m", "bench.looks"]
        subprocess.run(command, cwd=PROJECT, env=environ, check=True)
        with served(environ, terminals.WORKERS) as server:
            yield from _compare(server.port)


def _compare(port: int) -> Iterator[Measure]:
    look = _ask_look(port)
    bare, looks, free, rated = in_turn(
        port, [ask_bare, look, _round_from(0), _round_from(RATED_FROM)]
    )
    first = Measure("a bare view with one INSERT", bare.rounds_seconds, len(bare.seconds))
    yield first
    rate = bare.each_seconds / looks.each_seconds
    yield Measure(
        f"a look stored, at {rate:.2f} of its rate",
        looks.rounds_seconds,
        len(looks.seconds),
        baseline=first,
        limit_seconds=bare.each_seconds / LEAST_RATE,
        limit_each=True,
    )
    slowest = Measure("p99 of the bare view", bare.p99)
    yield slowest
    yield Measure("p99 of a look", looks.p99, baseline=slowest, limit_seconds=MOST_P99 * bare.p99)
    alone = Measure("a round at a table with no one rated", free.rounds_seconds, len(free.seconds))
    yield alone
    yield Measure(
        f"a round at a table with {SEATS} rated seats",
        rated.rounds_seconds,
        len(rated.seconds),
        baseline=alone,
        limit_seconds=free.each_seconds * MOST_ROUND,
        limit_each=True,
    )


def _number(first: int, client: int, turn: int) -> int:
    return first + client + terminals.CLIENTS * (turn % TABLES_A_CLIENT)


def _as(number: int) -> dict[str, str]:
    return {"Authorization": f"Device terminal {number}"}


def _ask_look(port: int) -> Ask:
    """Return what notes a bet at the next of the rated players, each at their own terminal."""
    line = http.client.HTTPConnection("127.0.0.1", port)
    rated: dict[int, list[int]] = {}
    for number in range(RATED_FROM, terminals.TERMINALS):
        found: Any = send(line, "GET", "/api/v1/ratings", {}, _as(number))
        rated[number] = [item["rating"] for item in found]
        assert len(rated[number]) == SEATS, "a table of the bench has seven rated players"
    line.close()

    def ask(line: http.client.HTTPConnection, client: int, turn: int) -> None:
        number = _number(RATED_FROM, client, turn)
        rating = rated[number][turn // TABLES_A_CLIENT % SEATS]
        headers = _as(number) | {"Idempotency-Key": str(uuid4())}
        bet = 2_500 * (1 + next(_LOOKED) % 4)
        post(line, f"/api/v1/ratings/{rating}/looks", {"bet_cents": bet}, headers)

    return ask


def _round_from(first: int) -> Ask:
    return partial(_ask_round, first)


def _ask_round(first: int, line: http.client.HTTPConnection, client: int, turn: int) -> None:
    number = _number(first, client, turn)
    send(line, "PUT", f"/api/v1/rounds/{uuid4()}", next_round(), _as(number))


# ----------------------------------------------------------------------- in a process of its own


def make() -> None:
    """Put up a floor of terminals, and rate seven players at each of the last tables."""
    from django.db import transaction

    from inventory.models import Patron
    from pitboss.models import Device
    from pitboss.services import house
    from tables.services.ratings import Who
    from tables.services.terminal_ratings import sit_down

    terminals.make()
    for number in range(RATED_FROM, terminals.TERMINALS):
        device = Device.objects.get(name=f"terminal {number}")
        for seat in range(1, SEATS + 1):
            patron = Patron.objects.create(
                first_name="Ana",
                last_name=f"Ruiz {number}-{seat}",
                added_at=house.now(),
                request_id=uuid4(),
            )
            with transaction.atomic():
                sit_down(device, seat, Who(patron_id=patron.pk, by_card=True))


if __name__ == "__main__":
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pitboss.settings")
    django.setup()
    make()
