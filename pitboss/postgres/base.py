"""A connection that gives up on a server that hangs.

The server's own limits end what is slow. They end nothing when the server itself stands still, and
no TCP limit does either while its kernel goes on to acknowledge: then the wait is ended here.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from django.conf import settings
from django.db.backends.postgresql import base
from psycopg.abc import PQGen
from psycopg.rows import TupleRow

from pitboss.timeouts import STILL_THERE_SECONDS


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


class _Driver:
    """psycopg, but for how it connects."""

    def __getattr__(self, name: str) -> Any:
        return getattr(psycopg, name)

    def connect(self, **parameters: Any) -> BoundedConnection:
        connection = BoundedConnection.connect(**parameters)
        connection.answer_seconds = settings.DATABASE_PATIENCE.answer
        return connection


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's own, with connections that give up."""

    Database = _Driver()  # type: ignore[assignment]

    def is_usable(self) -> bool:
        """Tell soon whether a connection that was kept still answers."""
        if self.connection is None:
            return False
        with self.connection.answering_within(STILL_THERE_SECONDS):
            return bool(super().is_usable())
