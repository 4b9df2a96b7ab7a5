"""Terminals: a payout, or a round of seven seats, stored; against a bare view that does one INSERT.

One server, the site's own with four workers; eight clients ask it in turn for the one and for the
others, and again when five million checks are stored. Only the ratios mean anything: they are of
one run, one server and one machine, whatever else that does meanwhile.
"""

from __future__ import annotations

import http.client
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import count
from statistics import quantiles
from time import perf_counter
from typing import Any
from uuid import uuid4

import psycopg

from bench import floor
from bench.databases import PROJECT, database_url, own_database
from bench.measuring import Measure
from bench.serving import served

DATABASE = "pitboss_bench_terminals"
CLIENTS = 8
# So many that none of them is held back for asking too often.
TERMINALS = 40
ACTS_TO_OPEN = 7
WORKERS = 4
ROUNDS = 5
ROUND_SECONDS = 3.0
STORED = int(os.environ.get("PITBOSS_BENCH_CHECKS", 5_000_000))
ANSWERS_OF_A_WEEK = 500_000
LEAST_RATE = 0.6
LEAST_ROUND_RATE = 0.3
MOST_P99 = 2.5
# As dealers key them: most are the main bet, most are right, one of four is far too much.
PAYOUTS: tuple[dict[str, Any], ...] = (
    {
        "wager": "blackjack",
        "stake_cents": 5_000,
        "player_cards": ["Ah", "Kd"],
        "dealer_cards": ["9c", "8d"],
        "paid_cents": 7_500,
        "bet": {"2500": 2},
        "seat": 3,
    },
    {
        "wager": "trilux",
        "stake_cents": 1_000,
        "player_cards": ["9c", "9d"],
        "dealer_up": "9s",
        "paid_cents": 9_000,
        "bet": {"500": 2},
        "seat": 5,
    },
    {
        "wager": "super_3",
        "stake_cents": 500,
        "player_cards": ["9c", "9d"],
        "dealer_up": "9s",
        "paid_cents": 90_000,
        "seat": 5,
    },
    {
        "wager": "blackjack",
        "stake_cents": 2_500,
        "player_cards": ["Th", "9d"],
        "dealer_cards": ["Tc", "8d"],
        "paid_cents": 2_500,
        "bet": {"2500": 1},
        "seat": 1,
    },
)
# Seven seats as a smart shoe sends them: two side bets, a double and a blackjack.
ROUND: dict[str, Any] = {
    "dealer_cards": ["Ts", "8c"],
    "seats": [
        {
            "seat": 1,
            "bets": [{"wager": "blackjack", "stake_cents": 2_500}],
            "cards": ["9c", "Tc"],
        },
        {
            "seat": 2,
            "bets": [
                {"wager": "blackjack", "stake_cents": 5_000},
                {"wager": "trilux", "stake_cents": 500},
            ],
            "cards": ["9d", "9h"],
        },
        {
            "seat": 3,
            "bets": [{"wager": "blackjack", "stake_cents": 2_500}],
            "cards": ["5d", "6h"],
            "hands": [{"cards": ["5d", "6h", "9s"], "doubles": {"main": 2_500}}],
        },
        {
            "seat": 4,
            "bets": [{"wager": "blackjack", "stake_cents": 10_000}],
            "cards": ["Ad", "Kd"],
        },
        {
            "seat": 5,
            "bets": [
                {"wager": "blackjack", "stake_cents": 2_500},
                {"wager": "trilux", "stake_cents": 1_000},
            ],
            "cards": ["Qd", "Jh"],
        },
        {
            "seat": 6,
            "bets": [{"wager": "blackjack", "stake_cents": 2_500}],
            "cards": ["7d", "Th"],
        },
        {
            "seat": 7,
            "bets": [{"wager": "blackjack", "stake_cents": 5_000}],
            "cards": ["2d", "3h"],
            "hands": [{"cards": ["2d", "3h", "4c", "Td"]}],
        },
    ],
    "payouts": [
        {"seat": 1, "wager": "blackjack", "paid_cents": 2_500},
        {"seat": 3, "wager": "blackjack", "paid_cents": 5_000},
        {"seat": 4, "wager": "blackjack", "paid_cents": 15_000},
        {"seat": 5, "wager": "blackjack", "paid_cents": 2_500},
        {"seat": 7, "wager": "blackjack", "paid_cents": 5_000},
    ],
}
_DEALT = count()


@dataclass
class Times:
    """How long each request took, and how long the rounds did that they came in."""

    seconds: list[float] = field(default_factory=list)
    rounds_seconds: float = 0

    @property
    def p99(self) -> float:
        return quantiles(self.seconds, n=100)[98]

    @property
    def each_seconds(self) -> float:
        """The time that the server took for one, all clients together."""
        return self.rounds_seconds / len(self.seconds)


def run() -> Iterator[Measure]:
    """Serve a floor of terminals, and ask it; store five million checks, and ask it again."""
    with own_database(DATABASE) as environ:
        environ = environ | {"DJANGO_SETTINGS_MODULE": "bench.bare_settings"}
        command = [sys.executable, "-m", "bench.terminals"]
        subprocess.run(command, cwd=PROJECT, env=environ, check=True)
        with served(environ, WORKERS) as server:
            yield from _compare(server.port, "few checks stored")
            _store(STORED, ANSWERS_OF_A_WEEK)
            yield from _compare(server.port, f"{STORED:,} checks stored")


def _compare(port: int, when: str) -> Iterator[Measure]:
    bare, checks, rounds = in_turn(port, [ask_bare, _ask_check, _ask_round])
    first = Measure(f"a bare view with one INSERT, {when}", bare.rounds_seconds, len(bare.seconds))
    yield first
    rate = bare.each_seconds / checks.each_seconds
    yield Measure(
        f"a payout checked and stored, at {rate:.2f} of its rate",
        checks.rounds_seconds,
        len(checks.seconds),
        baseline=first,
        limit_seconds=bare.each_seconds / LEAST_RATE,
        limit_each=True,
    )
    slowest = Measure("p99 of the bare view", bare.p99)
    yield slowest
    yield Measure(
        "p99 of a payout checked",
        checks.p99,
        baseline=slowest,
        limit_seconds=MOST_P99 * bare.p99,
    )
    rate = bare.each_seconds / rounds.each_seconds
    yield Measure(
        f"a round of seven seats judged and stored, at {rate:.2f}",
        rounds.rounds_seconds,
        len(rounds.seconds),
        baseline=first,
        limit_seconds=bare.each_seconds / LEAST_ROUND_RATE,
        limit_each=True,
    )


Ask = Callable[[http.client.HTTPConnection, int, int], None]


def in_turn(port: int, asks: list[Ask]) -> list[Times]:
    """Let all clients ask for one thing and then for the other, again and again."""
    told = [Times() for _ in asks]
    lines = [http.client.HTTPConnection("127.0.0.1", port) for _ in range(CLIENTS)]
    with ThreadPoolExecutor(CLIENTS) as pool:
        for turn in range(ROUNDS + 1):
            for ask, times in zip(asks, told, strict=True):
                began = perf_counter()
                rounds = [
                    pool.submit(_round, lines[client], client, ask, began + ROUND_SECONDS)
                    for client in range(CLIENTS)
                ]
                seconds = [item for one in rounds for item in one.result()]
                # The first turn opens connections and fills what a process keeps.
                if turn:
                    times.seconds += seconds
                    times.rounds_seconds += perf_counter() - began
    for line in lines:
        line.close()
    return told


def _round(line: http.client.HTTPConnection, client: int, ask: Ask, until: float) -> list[float]:
    seconds: list[float] = []
    while perf_counter() < until:
        began = perf_counter()
        ask(line, client, len(seconds))
        seconds.append(perf_counter() - began)
    return seconds


def ask_bare(line: http.client.HTTPConnection, client: int, turn: int) -> None:
    """Ask for what all others are held against."""
    post(line, "/bare", {"badge": str(client)}, {})


def _ask_check(line: http.client.HTTPConnection, client: int, turn: int) -> None:
    number = client + CLIENTS * (turn % (TERMINALS // CLIENTS))
    headers = {"Authorization": f"Device terminal {number}", "Idempotency-Key": str(uuid4())}
    post(line, "/api/v1/checks", PAYOUTS[turn % len(PAYOUTS)], headers)


def _ask_round(line: http.client.HTTPConnection, client: int, turn: int) -> None:
    number = client + CLIENTS * (turn % (TERMINALS // CLIENTS))
    headers = {"Authorization": f"Device terminal {number}"}
    send(line, "PUT", f"/api/v1/rounds/{uuid4()}", next_round(), headers)


def next_round() -> dict[str, Any]:
    """Return the round with other suits at its last two seats: a round is stored once."""
    dealt = next(_DEALT)
    suits = ["cdhs"[dealt // 4**place % 4] for place in range(6)]
    sixths, sevenths = (
        [rank + suit for rank, suit in zip(*item, strict=True)]
        for item in (("7T", suits[:2]), ("234T", suits[2:]))
    )
    *seats, sixth, seventh = ROUND["seats"]
    return {
        **ROUND,
        "seats": [
            *seats,
            {**sixth, "cards": sixths},
            {**seventh, "cards": sevenths[:2], "hands": [{"cards": sevenths}]},
        ],
    }


def post(
    line: http.client.HTTPConnection, path: str, body: dict[str, Any], headers: dict[str, str]
) -> None:
    """Send what is to be stored."""
    send(line, "POST", path, body, headers)


def send(
    line: http.client.HTTPConnection,
    method: str,
    path: str,
    body: dict[str, Any],
    headers: dict[str, str],
) -> Any:
    """Ask the server, and return what it answers; end the bench where it refuses."""
    line.request(method, path, json.dumps(body), {"Content-Type": "application/json", **headers})
    answer = line.getresponse()
    text = answer.read()
    if answer.status not in (200, 201):
        raise SystemExit(f"{path} answered {answer.status}: {text.decode()[:300]}")
    return json.loads(text)


def _store(checks: int, answers: int) -> None:
    """Store years of checks and a week of answers, as quickly as the database can."""
    numbers = {"checks": checks, "answers": answers, "terminals": TERMINALS}
    with psycopg.connect(database_url("SUPERUSER_", DATABASE), autocommit=True) as owner:
        # Their tables and terminals are known to be there; to look each up would take minutes.
        owner.execute("SET session_replication_role = replica")
        owner.execute(
            """
            INSERT INTO tables_payoutcheck
                (table_id, terminal_id, dealer_id, at, wager, verdict, stake_cents, paid_cents,
                 payable_cents, claim, answer)
            SELECT device.table_id, device.id, NULL, now() - make_interval(secs => %(checks)s - n),
                   'blackjack', 'right', 2500, 2500, 2500, '{}', '{}'
            FROM generate_series(1, %(checks)s) AS n
            JOIN pitboss_device AS device ON device.name = 'terminal ' || n %% %(terminals)s
            """,
            numbers,
        )
        owner.execute(
            """
            INSERT INTO pitboss_storedanswer (device_id, key, request_hash, status, answer, at)
            SELECT device.id, gen_random_uuid()::text, repeat('0', 64), 201, '{}', now()
            FROM generate_series(1, %(answers)s) AS n
            JOIN pitboss_device AS device ON device.name = 'terminal ' || n %% %(terminals)s
            """,
            numbers,
        )
        owner.execute("VACUUM ANALYZE tables_payoutcheck, pitboss_storedanswer")


# ----------------------------------------------------------------------- in a process of its own


def make() -> None:
    """Put up a floor, open a table a terminal, and put the terminals there."""
    from pitboss.models import Device
    from pitboss.rules.canonical import digest
    from pitboss.services import house

    floor.make()
    for number in range(TERMINALS):
        busy = floor.Busy(number)
        for _ in range(ACTS_TO_OPEN):
            busy.next_act()
        name = f"terminal {number}"
        Device.objects.create(
            name=name,
            place="pit",
            table=busy.table,
            token_hash=digest(name),
            token_ends_at=house.now() + timedelta(days=3_650),
            enrolled_at=house.now(),
        )


if __name__ == "__main__":
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pitboss.settings")
    django.setup()
    make()
