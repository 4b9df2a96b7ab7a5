"""Group: 20 houses of 200 tables, their statements signed, kept, proved and shown side by side.

The houses are simulated as documents: each day is stated twice, when it is closed and when it is
final. The desk is the real one, with a database of its own. Set PITBOSS_BENCH_DAYS for more days.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from hashlib import sha256
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from bench.databases import PROJECT, own_database
from bench.measuring import Measure
from pitboss.rules.group.signing import Purpose, mark_of, public_key, sign_text
from pitboss.rules.group.statements import SealMark, Statement, TableLine, digest_of, seals_digest

DATABASE = "pitboss_bench_group"
HOUSES, TABLES = 20, 200
DAYS = int(os.environ.get("PITBOSS_BENCH_DAYS", "14"))
FIRST = date(2026, 5, 1)
SEALS_A_DAY = 1_440
_SEED = 7


def run() -> Iterator[Measure]:
    """Let the desk keep what the houses state, prove all of it, and show it."""
    with TemporaryDirectory() as data:
        more = {"PITBOSS_ENV": "group", "PITBOSS_DATA": data, "PITBOSS_HTTPS": "0"}
        with own_database(DATABASE, PROJECT, **more) as environ:
            command = [sys.executable, "-m", "bench.group"]
            done = subprocess.run(
                command, cwd=PROJECT, env=environ, check=True, capture_output=True
            )
    found = json.loads(done.stdout)
    count = found["statements"]
    signed = Measure("statements of a house written and signed", found["signed"], count)
    yield signed
    yield Measure("proved and kept by the desk", found["kept"], count, baseline=signed)
    yield Measure("proved again from the first on", found["proved"], count, baseline=signed)
    yield Measure("the page of a day, all houses", found["day"])
    yield Measure("the page of a month, all houses", found["month"])
    each, stored = found["bytes"] // count, found["stored"] // count
    year = HOUSES * 365 * 2
    print(
        f"  {HOUSES} houses of {TABLES} tables, {DAYS} days: {count:,} rows, {each:,} bytes each"
        f" over the line, {stored:,} in the database\n"
        f"  a year: {year:,} rows, {year * each / 1e9:.1f} GB over the line,"
        f" {year * stored / 1e9:.1f} GB in the database"
    )


def _line(random: Random, number: int, is_final: bool) -> TableLine:
    opening, closing = random.randrange(10**7), random.randrange(10**7)
    fills, credits_, markers = (random.randrange(10**6) for _ in range(3))
    drop = random.randrange(5 * 10**6)
    return TableLine(
        table=f"BJ-{number:03}",
        pit=f"Pit {number // 20 + 1}",
        game="blackjack",
        opening_cents=opening,
        closing_cents=closing,
        fills_cents=fills,
        credits_cents=credits_,
        markers_cents=markers,
        marker_payments_cents=0,
        marker_cash_cents=0,
        jackpots_cents=0,
        estimated_cents=random.randrange(10**6),
        drop_cents=drop if is_final else None,
        statistical_drop_cents=drop + markers if is_final else None,
        win_cents=closing + credits_ + drop + markers - opening - fills if is_final else None,
    )


def _statements(house: int) -> Iterator[tuple[Statement, str, str, float]]:
    """Yield what a house states, its text and signature, and the seconds that it took."""
    random, seed = Random(_SEED + house), f"{house + 1:064x}"
    before: Statement | None = None
    for number in range(1, 2 * DAYS + 1):
        day, version = FIRST + timedelta(days=(number - 1) // 2), 1 if number % 2 else 2
        at = datetime(day.year, day.month, day.day, 12 + version, tzinfo=UTC)
        lines = tuple(_line(random, table, version == 2) for table in range(1, TABLES + 1))
        began = perf_counter()
        seal = SealMark(number * SEALS_A_DAY, sha256(f"{house} {number}".encode()).hexdigest())
        said = Statement(
            house=f"House {house + 1}",
            number=number,
            previous=digest_of(before) if before else "",
            gaming_day=day,
            version=version,
            closed_on=f"DC-{number}",
            closed_at=at,
            stated_at=at,
            seal=seal,
            sealed_at=at,
            since=before.seal if before else None,
            seals_digest=seals_digest([seal.link] * SEALS_A_DAY),
            exceptions=random.randrange(40),
            carried_over=random.randrange(5),
            tables=lines,
        )
        text = said.text
        signature = sign_text(seed, Purpose.STATEMENT, text)
        yield said, text, signature, perf_counter() - began
        before = replace(said)


def _desk() -> dict[str, Any]:
    """Do what the desk does, in its own process; return what it took."""
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pitboss.group.settings")
    django.setup()
    from django.db import connection
    from django.template.loader import render_to_string
    from django.utils import timezone

    from pitboss.group.figures import Span, side_by_side
    from pitboss.group.keeping import Sent, keep, prove_all
    from pitboss.group.models import House, Statement
    from pitboss.group.pulling import add_key

    now = timezone.now()
    signed = kept = 0.0
    size = 0
    for number in range(HOUSES):
        house = House.objects.create(
            name=f"House {number + 1}",
            address=f"https://{number}.example",
            token_at=now,
            added_at=now,
            reached_at=now,
        )
        key = public_key(f"{number + 1:064x}")
        add_key(house=house, key=key, at=now)
        for _, text, signature, seconds in _statements(number):
            signed += seconds
            size += len(text.encode())
            began = perf_counter()
            keep(house, Sent(text, mark_of(key), signature), now)
            kept += perf_counter() - began
    houses = list(House.objects.all())
    began = perf_counter()
    assert not list(prove_all(houses)), "a statement without a proof"
    proved = perf_counter() - began
    shown = {}
    for span in (Span.DAY, Span.MONTH):
        first, last = span.days(FIRST)
        began = perf_counter()
        figures = side_by_side(houses, first, last, now)
        context = {"figures": figures, "first": first, "last": last, "before": first, "after": last}
        render_to_string("group/home.html", {**context, "heading": "Group", "of": first})
        shown[span.value] = perf_counter() - began
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_total_relation_size('group_statement')")
        (stored,) = cursor.fetchone() or (0,)
    return {
        "statements": Statement.objects.count(),
        "signed": signed,
        "kept": kept,
        "proved": proved,
        "bytes": size,
        "stored": stored,
        **shown,
    }


if __name__ == "__main__":
    print(json.dumps(_desk()))
