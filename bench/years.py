"""Years: pages and acts with five years of history, against the same floor without a past.

Two databases with the same floor and the same morning: twenty tables open, twenty fills under way.
One of them has 500,000 slips and 5,000,000 checks behind it. A process each asks for the same pages
in turn, so that a machine that slows down slows both. What an act reads is counted in rows: time
would hide a scan that memory makes cheap.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from time import perf_counter
from typing import TYPE_CHECKING, Any

from bench import floor, history
from bench.databases import PROJECT, own_database
from bench.measuring import Measure
from bench.sizes import print_sizes

if TYPE_CHECKING:
    from django.test import Client

NEW, OLD = "pitboss_bench_new", "pitboss_bench_old"
OPEN_TABLES = 20
ROUNDS = 25
PROMISED_RATIO = 1.3
PROMISED_REPORT_SECONDS = 2.0
# A round of seven acts: a fill through its five signatures, and a count through its two.
ACTS = ("ask", "issue", "carry", "agree", "receive", "count", "verify")
# Rows that an act may read beyond those it reads on a floor without a past.
ROWS_MORE = 40
PAGES = ("board", "table", "inbox", "poll")


def run() -> Iterator[Measure]:
    """Make both floors, and ask them in turn."""
    sizes = history.Sizes(
        slips=int(os.environ.get("PITBOSS_BENCH_SLIPS", history.SLIPS)),
        checks=int(os.environ.get("PITBOSS_BENCH_CHECKS", history.CHECKS)),
    )
    with ExitStack() as stack:
        new, old = (stack.enter_context(own_database(name)) for name in (NEW, OLD))
        for environ in (new, old):
            _part(environ, "make")
        began = perf_counter()
        _history(old, sizes)
        yield Measure(
            f"{sizes.slips:,} slips and {sizes.checks:,} checks written", perf_counter() - began
        )
        print_sizes(OLD)
        for environ in (new, old):
            _part(environ, "morning")
        yield from _pages(new, old)
        _rows(new, old)
        for name, seconds in _part(old, "reports").items():
            yield Measure(name, seconds, limit_seconds=PROMISED_REPORT_SECONDS)


def _history(environ: dict[str, str], sizes: history.Sizes) -> None:
    command = [sys.executable, "-m", "bench.history", "--days", str(sizes.days)]
    command += ["--slips", str(sizes.slips), "--checks", str(sizes.checks)]
    subprocess.run(command, cwd=PROJECT, env=environ, check=True)


def _pages(new: dict[str, str], old: dict[str, str]) -> Iterator[Measure]:
    times: dict[str, dict[str, list[float]]] = {NEW: defaultdict(list), OLD: defaultdict(list)}
    asked = {NEW: _start(new, "pages"), OLD: _start(old, "pages")}
    for _ in range(ROUNDS):
        for name, process in asked.items():
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write("again\n")
            process.stdin.flush()
            for page, seconds in json.loads(process.stdout.readline()).items():
                times[name][page].append(seconds)
    for process in asked.values():
        process.communicate()
    for page in PAGES:
        empty = Measure(f"{page}, no history", min(times[NEW][page]))
        yield empty
        yield Measure(
            f"{page}, with the years",
            min(times[OLD][page]),
            baseline=empty,
            limit_seconds=empty.seconds * PROMISED_RATIO,
        )


def _rows(new: dict[str, str], old: dict[str, str]) -> None:
    """Demand that no act reads more rows for the years behind it."""
    without, with_years = _part(new, "rows"), _part(old, "rows")
    for act in ACTS:
        print(f"  {act:<10} reads {without[act]:>5} rows, with the years {with_years[act]:>5}")
    grown = [act for act in ACTS if with_years[act] > without[act] + ROWS_MORE]
    if grown:
        sys.exit(f"The years are read by: {', '.join(grown)}.")


def _start(environ: dict[str, str], part: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "bench.years", part],
        cwd=PROJECT,
        env=environ,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def _part(environ: dict[str, str], part: str) -> Any:
    process = _start(environ, part)
    told, _ = process.communicate()
    if process.returncode:
        sys.exit(f"A part of the bench ended with {process.returncode}.")
    return json.loads(told)


# ------------------------------------------------------------------ in processes of their own


def make() -> dict[str, Any]:
    """Put up the floor of two hundred tables, and whoever else signs in its history."""
    from datetime import date, timedelta

    from pitboss.models import Device, Person
    from pitboss.rules.canonical import digest
    from pitboss.rules.roles import Place, Role
    from pitboss.services import house

    floor.make()
    Device.objects.create(
        name="office",
        place=Place.OFFICE.value,
        token_hash=digest("office"),
        token_ends_at=house.now() + timedelta(days=3_650),
        enrolled_at=house.now(),
    )
    for letter, role in (
        ("P", Role.PIT_MANAGER),
        ("M", Role.SHIFT_MANAGER),
        ("N", Role.COUNT_TEAM),
        ("A", Role.ACCOUNTING),
    ):
        for number in range(3):
            Person.objects.create(
                badge=f"{letter}{number}",
                first_name=letter,
                last_name=str(number),
                licence_number=f"TG-{letter}{number}",
                licence_ends=date(2099, 12, 31),
                employee_number=f"E{letter}{number}",
                role=role.value,
            )
    return {}


def morning() -> dict[str, Any]:
    """Open tables, and let a fill be under way at each."""
    from django.db import connection

    for number in range(OPEN_TABLES):
        table = floor.Busy(number)
        table.open()
        table.next_act()
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    return {}


def pages() -> None:
    """Ask for every page once a line that comes in, and tell how long each took."""
    addresses = _addresses()
    for _ in sys.stdin:
        print(json.dumps({name: _ask(who, url) for name, (who, url) in addresses.items()}))
        sys.stdout.flush()


def _addresses() -> dict[str, tuple[Client, str]]:
    from pitboss.models import Pit

    pit = Pit.objects.order_by("pk").values_list("pk", flat=True)[0]
    supervisor, manager = _signed_in("S0"), _signed_in("M0")
    return {
        "board": (supervisor, f"/board/{pit}/"),
        "table": (supervisor, "/tables/BJ-001/"),
        "inbox": (manager, "/inbox/"),
        "poll": (supervisor, f"/board/{pit}/poll?v=0"),
    }


def _signed_in(badge: str) -> Client:
    from django.test import Client

    from pitboss.middleware import DEVICE_COOKIE
    from pitboss.models import Person
    from pitboss.rules.roles import Place

    client = Client(SERVER_NAME="localhost")
    client.cookies[DEVICE_COOKIE] = Place.PIT.value
    client.force_login(Person.objects.get(badge=badge))
    return client


def _ask(client: Client, url: str) -> float:
    began = perf_counter()
    answer = client.get(url)
    seconds = perf_counter() - began
    if answer.status_code != 200:
        sys.exit(f"{url} was answered with {answer.status_code}.")
    return seconds


def rows() -> dict[str, int]:
    """Let one table go through a round of acts, and count the rows that PostgreSQL reads for each.

    The table is one that has played for years and opens today.
    """
    table = floor.Busy(OPEN_TABLES)
    table.open()
    read = {}
    for act in ACTS:
        before = _rows_so_far()
        table.next_act()
        read[act] = _rows_so_far() - before
    return read


def _rows_so_far() -> int:
    from django.db import connection

    with connection.cursor() as cursor:
        # What this connection read is told only when it is made to tell.
        cursor.execute("SELECT pg_stat_force_next_flush()")
        cursor.execute("SELECT pg_stat_clear_snapshot()")
        cursor.execute(
            "SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) FROM pg_stat_user_tables"
            # People and tablets are few, and are read whole where that is cheaper.
            " WHERE relname = ANY(%s)",
            [list(history.GROWING)],
        )
        (read,) = cursor.fetchone()
    return int(read)


def reports() -> dict[str, float]:
    """Ask for what all tables won on a day on which all of them played."""
    from datetime import timedelta

    from pitboss.services import house

    day = house.period_at(house.now()).gaming_day - timedelta(days=1)
    manager = _signed_in("M0")
    tables = f"{floor.BOARD_TABLES} tables"
    asked = {
        f"a day's win of {tables}": f"/days/{day.isoformat()}/win/",
        f"the master game report of {tables}": f"/reports/game/?from={day}&to={day}",
    }
    return {name: min(_ask(manager, url) for _ in range(3)) for name, url in asked.items()}


def main(arguments: list[str]) -> None:
    """Do one part of the bench and tell what came of it."""
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pitboss.settings")
    django.setup()
    (part,) = arguments
    if part == "pages":
        pages()
        return
    parts: dict[str, Callable[[], Any]] = {
        "make": make,
        "morning": morning,
        "rows": rows,
        "reports": reports,
    }
    print(json.dumps(parts[part]()))


if __name__ == "__main__":
    main(sys.argv[1:])
