"""What a row of each table that grows takes on disk, with its indexes."""

from __future__ import annotations

import psycopg

from bench.databases import database_url

# Rows fewer than these say nothing of their size.
_ROWS_LEAST = 1_000
_SQL = """
    SELECT grown.relname, grown.n_live_tup, pg_table_size(grown.relid), pg_indexes_size(grown.relid)
    FROM pg_stat_user_tables AS grown WHERE grown.n_live_tup >= %s
    ORDER BY pg_total_relation_size(grown.relid) DESC
"""


def print_sizes(name: str) -> None:
    """Print the bytes of a row, of what its indexes take, and of both, for each table.

    History is vacuumed when it is written, so that its rows are counted.
    """
    with psycopg.connect(database_url("SUPERUSER_", name), autocommit=True) as superuser:
        rows = superuser.execute(_SQL, [_ROWS_LEAST]).fetchall()
    print(f"  {'table':<32} {'rows':>10} {'row':>7} {'indexes':>8} {'both':>7}")
    for table, count, heap, indexes in rows:
        each = (heap / count, indexes / count, (heap + indexes) / count)
        print(f"  {table:<32} {count:>10,} {each[0]:>7.0f} {each[1]:>8.0f} {each[2]:>7.0f}")
