"""Sizes: what a row of each table that grows takes on disk with its indexes, and what a day is.

A floor with some history of slips and checks, vacuumed and measured. Prints bytes; promises none.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from time import perf_counter

import psycopg

from bench import history
from bench.databases import database_url, own_database
from bench.measuring import Measure
from bench.years import make_floor, write_history

NAME = "pitboss_bench_sizes"
SLIPS, CHECKS = 20_000, 100_000
# Rows fewer than these say nothing of their size.
ROWS_LEAST = 1_000
_SQL = """
    SELECT relname, n_live_tup, pg_relation_size(relid) + pg_relation_size(relid, 'fsm')
        + coalesce(pg_total_relation_size(nullif(reltoastrelid, 0)), 0), pg_indexes_size(relid)
    FROM pg_stat_user_tables JOIN pg_class ON pg_class.oid = relid
    WHERE n_live_tup >= %s ORDER BY pg_total_relation_size(relid) DESC
"""


def run() -> Iterator[Measure]:
    """Fill a floor with history and print what each table takes."""
    sizes = history.Sizes(
        slips=int(os.environ.get("PITBOSS_BENCH_SLIPS", SLIPS)),
        checks=int(os.environ.get("PITBOSS_BENCH_CHECKS", CHECKS)),
    )
    with own_database(NAME) as environ:
        make_floor(environ)
        began = perf_counter()
        write_history(environ, sizes)
        with psycopg.connect(database_url("SUPERUSER_", NAME), autocommit=True) as superuser:
            superuser.execute("VACUUM ANALYZE")
            rows = superuser.execute(_SQL, [ROWS_LEAST]).fetchall()
        print(f"  {'table':<32} {'rows':>10} {'row':>7} {'indexes':>8} {'both':>7}")
        for table, count, heap, indexes in rows:
            each = (heap / count, indexes / count, (heap + indexes) / count)
            print(f"  {table:<32} {count:>10,} {each[0]:>7.0f} {each[1]:>8.0f} {each[2]:>7.0f}")
        yield Measure("written and measured", perf_counter() - began)
