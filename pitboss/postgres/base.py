"""A connection that gives up on a server that hangs.

The server's own limits end what is slow. They end nothing when the server itself stands still, and
no TCP limit does either while its kernel goes on to acknowledge: then the wait is ended here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Self

import psycopg
from django.conf import settings
from django.db import DatabaseError, InterfaceError
from django.db.backends.postgresql import base, features, operations
from psycopg.abc import PQGen
from psycopg.pq import TransactionStatus
from psycopg.rows import TupleRow

from pitboss.timeouts import STILL_THERE_SECONDS, without_limit

# The oldest PostgreSQL that every test has passed on.
OLDEST = 15
# A limit that PostgreSQL knows since 17. An older one refuses a connection that names it.
_NEW_LIMIT = "transaction_timeout"


class ServerTooOld(SystemExit):
    """A process met a PostgreSQL below the floor, and ends with a sentence."""

    def __init__(self, found: str) -> None:
        super().__init__(
            f"This database is PostgreSQL {found}. Pitboss needs PostgreSQL {OLDEST} or later: "
            "upgrade the database server, then start Pitboss again."
        )


class BoundedConnection(psycopg.Connection[TupleRow]):
    """Closes itself when an answer does not come: what it asked for may still have been done."""

    answer_seconds: float | None = None

    def wait(self, gen: PQGen[Any], interval: float = 0.1, timeout: float | None = None) -> Any:
        try:
            return super().wait(gen, interval, timeout or self.answer_seconds)
        except psycopg.errors._WaitTimeout:
            if timeout:
                raise
            self.pgconn.finish()
            sentence = f"the database did not answer in {self.answer_seconds} s"
            raise psycopg.OperationalError(sentence) from None

    @contextmanager
    def answering_within(self, seconds: float) -> Iterator[None]:
        """Wait for no answer longer than this."""
        usual = self.answer_seconds
        self.answer_seconds = min(seconds, usual) if usual else seconds
        try:
            yield
        finally:
            self.answer_seconds = usual


class PreparedCursor(psycopg.Cursor[TupleRow]):
    """Has the server keep the plan of what it is asked, for as long as the connection lasts.

    Whole numbers go as text and get their types from the statement: their sizes would otherwise
    make another plan of each mix. Behind a pooler that shares connections nothing is kept.
    """

    def execute(
        self, query: Any, params: Any = None, *, prepare: bool | None = None, binary: Any = None
    ) -> Self:
        if isinstance(params, Mapping):
            params = {name: _typed_there(value) for name, value in params.items()}
        elif params is not None:
            params = [_typed_there(value) for value in params]
        return super().execute(query, params, prepare=True, binary=binary)


def _typed_there(value: Any) -> Any:
    return str(value) if type(value) is int else value


_old_servers: set[tuple[Any, Any]] = set()


def connect(**parameters: Any) -> BoundedConnection:
    """Return a connection with an end to every wait, on a server of any age above the floor."""
    server = (parameters.get("host"), parameters.get("port"))
    if server in _old_servers:
        parameters["options"] = without_limit(parameters.get("options", ""), _NEW_LIMIT)
    try:
        return BoundedConnection.connect(**parameters)
    except psycopg.OperationalError as error:
        if f'parameter "{_NEW_LIMIT}"' not in str(error) or server in _old_servers:
            raise
        _old_servers.add(server)
        return connect(**parameters)


class _Driver:
    """psycopg, but for how it connects."""

    def __getattr__(self, name: str) -> Any:
        return getattr(psycopg, name)

    def connect(self, **parameters: Any) -> BoundedConnection:
        connection = connect(**parameters)
        connection.answer_seconds = settings.DATABASE_PATIENCE.answer
        return connection


class DatabaseFeatures(features.DatabaseFeatures):
    """Django's own, with the floor of this site."""

    minimum_database_version = (OLDEST,)


class DatabaseOperations(operations.DatabaseOperations):
    """Django's own, which finds no text of what a prepared cursor asked."""

    def last_executed_query(self, cursor: Any, sql: Any, params: Any) -> Any:
        return super().last_executed_query(cursor, sql, params) or sql


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's own, with connections that give up."""

    ops_class = DatabaseOperations

    Database = _Driver()  # type: ignore[assignment]
    features_class = DatabaseFeatures

    def check_database_version_supported(self) -> None:
        """Refuse a server below the floor by a sentence, before anything is asked of it."""
        if self.get_database_version() < (OLDEST,):
            raise ServerTooOld(".".join(map(str, self.get_database_version())))

    def prepared_cursor(self) -> Any:
        """Return a cursor for what is asked at every request: the server plans it once."""
        # As Django makes its own.
        self.close_if_health_check_failed()
        self.ensure_connection()
        with self.wrap_database_errors:
            return self._prepare_cursor(  # type: ignore[attr-defined]
                PreparedCursor(self.connection)
            )

    @contextmanager
    def begin_with_statement(self) -> Iterator[bool]:
        """Tell whether the statement that is sent within has to bring BEGIN along, and let it.

        Where a transaction was begun for Django and nothing was sent of it yet; the driver would
        send BEGIN by itself first, on a way of its own. It does again where the statement never
        got to the server, or could not be read there: what comes next is of the transaction too.
        """
        mine = self.in_atomic_block and self.commit_on_exit
        if not mine or not self._is_between_transactions() or self.connection.autocommit:
            yield False
            return
        self.connection.autocommit = True
        try:
            yield True
        finally:
            if self._is_between_transactions():
                self.connection.autocommit = False

    def _is_between_transactions(self) -> bool:
        """Tell whether the server waits for the first statement of a transaction."""
        return (
            self.connection is not None
            and self.connection.info.transaction_status == TransactionStatus.IDLE
        )

    def read_prepared(self, text: str, values: Any) -> TupleRow | None:
        """Read the first row of what is asked at every request. For reads alone.

        A connection that was kept shows by its answer that it still holds: it is not asked for that
        first. What it does not answer is asked again on a new one.
        """
        if not self._is_proved_by_a_read():
            return self._first_row(text, values)
        try:
            with self.connection.answering_within(STILL_THERE_SECONDS):
                self.health_check_done = True
                return self._first_row(text, values)
        except (DatabaseError, InterfaceError):
            self.close()
            return self._first_row(text, values)

    def _is_proved_by_a_read(self) -> bool:
        """Tell whether a read says as much of a kept connection as the question that is asked.

        Of several servers it does not: a standby reads too.
        """
        return (
            self.connection is not None
            and self.health_check_enabled  # type: ignore[attr-defined]
            and not self.health_check_done
            and not self.in_atomic_block
            and self.settings_dict["OPTIONS"].get("target_session_attrs") != "read-write"
        )

    def _first_row(self, text: str, values: Any) -> TupleRow | None:
        with self.prepared_cursor() as cursor:
            cursor.execute(text, values)
            row: TupleRow | None = cursor.fetchone()
        return row

    def is_usable(self) -> bool:
        """Tell soon whether a connection that was kept still answers, and leads where it should.

        Of several servers, the one that it leads to may have become a standby since, or the
        primary.
        """
        if self.connection is None:
            return False
        with self.connection.answering_within(STILL_THERE_SECONDS):
            wanted = self.settings_dict["OPTIONS"].get("target_session_attrs")
            if wanted not in ("read-write", "standby"):
                return bool(super().is_usable())
            try:
                row = self.connection.execute("SELECT pg_is_in_recovery()").fetchone()
            except psycopg.Error:
                return False
            return row is not None and row[0] == (wanted == "standby")
