"""One moment of the database, read with flat memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.utils import CursorWrapper

FETCH_ROWS = 2_000


class Snapshot:
    """Reads that all see the same moment, on a connection of their own."""

    def __init__(self, connection: BaseDatabaseWrapper) -> None:
        self._connection = connection

    def stream(self, sql: str, parameters: Sequence[Any] = ()) -> Iterator[tuple[Any, ...]]:
        """Yield rows from a cursor on the server.

        The next rows are asked for before these are looked at, so that PostgreSQL and Python
        work at the same time.
        """
        with self._connection.chunked_cursor() as cursor, ThreadPoolExecutor(1) as ahead:
            cursor.execute(sql, parameters)
            fetched = ahead.submit(cursor.fetchmany, FETCH_ROWS)
            while rows := fetched.result():
                fetched = ahead.submit(cursor.fetchmany, FETCH_ROWS)
                yield from rows

    def cursor(self) -> CursorWrapper:
        return self._connection.cursor()

    def name(self) -> str:
        """Return the name under which this moment can be opened once more, by another thread."""
        with self._connection.cursor() as cursor:
            cursor.execute("SELECT pg_export_snapshot()")
            (name,) = cursor.fetchone()
        return str(name)

    def count(self, sql: str, parameters: Sequence[Any] = ()) -> int:
        with self._connection.cursor() as cursor:
            cursor.execute(sql, parameters)
            (number,) = cursor.fetchone()
        return int(number)


@contextmanager
def open_snapshot(name: str | None = None) -> Iterator[Snapshot]:
    """Open a read-only look at one moment: now, or one that is open elsewhere.

    It holds no lock, so the floor goes on meanwhile.
    """
    connection = connections.create_connection("default")
    try:
        connection.set_autocommit(False)
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            if name is not None:
                # Before any query: the first one would take a moment of its own.
                cursor.execute("SET TRANSACTION SNAPSHOT %s", [name])
            _take_time(cursor)
        yield Snapshot(connection)
    finally:
        connection.close()


def _take_time(cursor: CursorWrapper) -> None:
    """Let a look at years of a record last: no one waits for it, and it holds no lock."""
    # PostgreSQL before 17 does not know the last of them.
    cursor.execute(
        "SELECT set_config(name, '0', true) FROM pg_settings WHERE name IN "
        "('statement_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')"
    )
    cursor.connection.answer_seconds = None
