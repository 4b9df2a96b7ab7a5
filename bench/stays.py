"""Stays: years of ratings, looks and hours, against an empty floor.

What a card, a host, a sit-down and the worker's minute take must not grow with the years, and the
yield of a year may take little more than that of a month. A database of its own is made and
dropped; PITBOSS_BENCH_RATINGS sets how many ratings there are, with three looks each.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import timedelta
from time import perf_counter
from typing import Any

from bench.databases import PROJECT, database_url, own_database
from bench.measuring import Measure

DATABASE = "pitboss_bench_stays"
RATINGS = int(os.environ.get("PITBOSS_BENCH_RATINGS", "2000000"))
DAYS, TABLES, ROUNDS = 1_826, 50, 600
REPEATS = 15
# How many times as long as on an empty floor.
YEARS_RATIO, YIELD_RATIO, ROUNDS_RATIO = 1.3, 1.5, 3.0


def run() -> Iterator[Measure]:
    """Measure a floor before its years and after them."""
    with own_database(DATABASE) as environ:
        command = [sys.executable, "-m", "bench.stays", database_url("SUPERUSER_", DATABASE)]
        done = subprocess.run(command, cwd=PROJECT, env=environ, check=True, stdout=subprocess.PIPE)
    seconds = json.loads(done.stdout.splitlines()[-1])
    limits: tuple[tuple[str, str, str, float | None], ...] = (
        ("patron card", "card", "card_years", YEARS_RATIO),
        ("host view", "host", "host_years", YEARS_RATIO),
        ("a player sits down", "sit", "sit_years", YEARS_RATIO),
        ("the worker’s minute", "minute", "minute_years", YEARS_RATIO),
        ("yield of a month, and of a year", "month", "year", YIELD_RATIO),
        # They are summed from twelve times the rows; what a manager waits for is the page.
        ("its figures alone", "month_figures", "year_figures", None),
        (f"a rating ends, and over {ROUNDS} rounds", "end", "end_rounds", ROUNDS_RATIO),
    )
    for name, before, after, limit in limits:
        bare = Measure(f"{name}: bare", seconds[before])
        yield bare
        yield Measure(
            f"{name}: {after.replace('_', ' ')}",
            seconds[after],
            baseline=bare,
            limit_seconds=None if limit is None else seconds[before] * limit,
        )


# ------------------------------------------------------------------ in a process of its own


def measured(superuser: str) -> dict[str, float]:
    """Return what each thing takes, on an empty floor and with years of it."""
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pitboss.settings")
    django.setup()
    from pitboss.models import Table
    from pitboss.rules.roles import Role
    from pitboss.services import house
    from pitboss.services.floor import add_table
    from tables.selectors.hosts import host_view
    from tables.selectors.rating_card import card_of
    from tables.services.rating_ends import end_due, write_due_figures
    from tests.floor.cast import make_cast
    from tests.floor.comps import assign_host
    from tests.floor.ratings import add_patron, know_edge, left, look, open_tables, seat, tell_round
    from tests.floor.terminals import make_terminal

    cast = make_cast()
    for number in range(TABLES - 2):
        add_table(
            name=f"YT-{number}",
            pit=cast.pit,
            game="classic",
            minimum_cents=2_500,
            maximum_cents=300_000,
            par={},
        )
    open_tables(*Table.objects.all())
    know_edge(cast.table)
    ana, others = add_patron(cast), [add_patron(cast, f"Player{n}") for n in range(200)]
    assign_host(cast, ana, cast.hugo)
    for _ in range(3):
        rating = seat(cast, ana)
        look(cast, rating, 2_500)
        left(cast, rating, walked_cents=0)
    now = house.now()
    in_force, today = house.settings_at(now), house.period_at(now).gaming_day
    terminal = make_terminal(cast.other_table)

    def sit() -> None:
        seat(cast, others.pop(), 3)
        _end_all(cast)

    def every() -> dict[str, float]:
        return {
            "card": _best(lambda: card_of(ana, now, Role.PIT_MANAGER, in_force)),
            "host": _best(lambda: host_view(cast.hugo, Role.HOST, "", now, today)),
            "sit": _best(sit),
            "minute": _best(lambda: (end_due(), write_due_figures())),
        }

    def ended(rounds: int) -> float:
        rating = seat(cast, others.pop(), 2, table=cast.other_table)
        look(cast, rating, 2_500)
        for number in range(rounds):
            at = rating.began_at + timedelta(milliseconds=number)
            tell_round(terminal, cast.other_table, at, {2: {"blackjack": 2_500}})
        began = perf_counter()
        left(cast, rating)
        return perf_counter() - began

    found = every()
    found |= {"end": min(ended(0) for _ in range(5))}
    found |= {"end_rounds": min(ended(ROUNDS) for _ in range(3))}
    _write_years(superuser, ana.pk)
    found |= {f"{name}_years": seconds for name, seconds in every().items()}
    _write_hours(superuser)
    return found | _yields()


def _end_all(cast: Any) -> None:
    from tables.models import PlayRating
    from tests.floor.ratings import left

    for rating in PlayRating.objects.filter(ended_at=None):
        left(cast, rating)


def _best(work: Callable[[], object]) -> float:
    """Return the shortest of several runs on the wall: the database does most of the work."""
    times = []
    for _ in range(REPEATS):
        began = perf_counter()
        work()
        times.append(perf_counter() - began)
    return min(times)


def _yields() -> dict[str, float]:
    """Return what the report of a month and of a year takes: its page, and its figures alone."""
    from django.test import Client

    from pitboss.middleware import DEVICE_COOKIE
    from pitboss.models import Person
    from pitboss.reports.book import BOOK
    from pitboss.reports.report import ReportChoice
    from pitboss.rules.roles import Place, Role
    from pitboss.services import house

    last = house.period_at(house.now()).gaming_day - timedelta(days=2)
    page = Client(SERVER_NAME="localhost")
    page.cookies[DEVICE_COOKIE] = Place.OFFICE.value
    page.force_login(Person.objects.filter(role=Role.AUDITOR.value)[0])

    def shown(choice: ReportChoice) -> None:
        found = page.get(f"/reports/yield/?from={choice.first}&to={choice.last}")
        if found.status_code != 200:
            sys.exit(f"The report was answered with {found.status_code}.")

    make = BOOK["yield"].make
    month, year = (
        ReportChoice(last - timedelta(days=31), last),
        ReportChoice(last - timedelta(days=365), last),
    )
    return {
        "month": _best(lambda: shown(month)),
        "year": _best(lambda: shown(year)),
        "month_figures": _best(lambda: make(month)),
        "year_figures": _best(lambda: make(year)),
    }


def _write_years(superuser: str, patron_id: int) -> None:
    """Write five years of others' ratings, past triggers, each row like the one of a real stay."""
    import psycopg

    from tables.models import Look, PlayRating, RatingFigures, SeatHeld

    share = f"(n * {DAYS} / {RATINGS} + 3)"
    began = f"now() - {share} * interval '1 day'"
    rating = f"(SELECT max(id) FROM {PlayRating._meta.db_table} WHERE patron_id = {patron_id})"
    own = {
        "id": "n + 1000000",
        "table_id": f"1 + n % {TABLES}",
        "patron_id": "1000000 + n % 20000",
        "began_at": began,
        "ended_at": f"{began} + interval '1 hour'",
        "gaming_day": f"current_date - {share}::int",
        "continues_id": "NULL",
    }
    of_it = {"rating_id": "n + 1000000"}
    with psycopg.connect(superuser, autocommit=True) as connection:
        connection.execute("SET session_replication_role = replica")
        for model, rows, changed in (
            (PlayRating, RATINGS, own),
            (
                SeatHeld,
                RATINGS,
                of_it
                | {
                    "id": "n + 1000000",
                    "table_id": f"1 + n % {TABLES}",
                    "from_at": began,
                    "until": f"{began} + interval '1 hour'",
                    "request_id": "gen_random_uuid()",
                },
            ),
            (RatingFigures, RATINGS, of_it | {"id": "n + 1000000", "slip_id": "NULL"}),
            (
                Look,
                3 * RATINGS,
                {
                    "id": "n + 1000000",
                    "rating_id": f"1000000 + n % {RATINGS}",
                    "at": began.replace(str(RATINGS), str(3 * RATINGS)),
                    "request_id": "gen_random_uuid()",
                },
            ),
        ):
            table, columns = (
                model._meta.db_table,
                [str(f.column) for f in model._meta.concrete_fields],
            )
            chosen = ", ".join(changed.get(column, f'row."{column}"') for column in columns)
            names = ", ".join(f'"{column}"' for column in columns)
            which = "id" if model is PlayRating else "rating_id"
            connection.execute(
                f"INSERT INTO {table} ({names}) SELECT {chosen} FROM"
                f" (SELECT * FROM {table} WHERE {which} = {rating} LIMIT 1) AS row,"
                f" generate_series(1, {rows}) AS n"
            )
            connection.execute(f"ANALYZE {table}")


def _write_hours(superuser: str) -> None:
    """Write the settled hours of every table of five years, as wide as real ones."""
    import psycopg

    with psycopg.connect(superuser, autocommit=True) as connection:
        connection.execute("SET session_replication_role = replica")
        # What has not reached the disk is not marked as seen by all.
        connection.execute("SET synchronous_commit = on")
        connection.execute(
            """
            INSERT INTO tables_settledhours (gaming_day, table_id, revision, corrections, pit,
                hours, open_seconds, seat_seconds, rated_seconds, rounds, action_cents, theo,
                theo_cents, labor_cents, settled_at)
            SELECT current_date - day, id, 0, 0, 'Pit 1', hours, 14 * 3600, 14 * 9000, 14 * 5000,
                14 * 60, 14 * 400000, '{"blackjack": 56000, "trilux": 4200}', 60200, 14 * 4150,
                now()
            FROM pitboss_table, generate_series(1, %s) AS day, LATERAL (
                SELECT jsonb_object_agg(to_char(current_date - day + hour * interval '1 hour',
                    'YYYY-MM-DD"T"HH24:MI:SS"+00:00"'), jsonb_build_object(
                    'open', 3600, 'seats', 9000 + (id * 7 + day * 31 + hour * 97) %% 8000,
                    'rated', 5000 + (id * 13 + day * 17 + hour * 89) %% 4000,
                    'rounds', 60 + (id + day + hour) %% 30,
                    'action', 400000 + (id * 71 + day * 113 + hour * 997) %% 90000,
                    'theo', jsonb_build_object('blackjack', 4000 + (day * hour) %% 900,
                        'trilux', 300 + (id * hour) %% 80), 'labor', 4150)) AS hours
                FROM generate_series(10, 23) AS hour) AS made
            ORDER BY day DESC, id
            """,
            [DAYS],
        )
        connection.execute(
            "INSERT INTO pitboss_closedday (gaming_day, slip_id, closed_at)"
            " SELECT current_date - day, day, now() FROM generate_series(1, %s) AS day",
            [DAYS],
        )
        connection.execute("ANALYZE pitboss_closedday")
        # As the server does by itself after every few hundred of them.
        connection.execute("VACUUM (ANALYZE) tables_settledhours")


if __name__ == "__main__":
    print(json.dumps(measured(sys.argv[1])))
