"""The one clock that sends periodic tasks, however many nodes run `celery beat`."""

from __future__ import annotations

from typing import Any

from celery.beat import PersistentScheduler
from django.db import Error, connections
from django.db.backends.base.base import BaseDatabaseWrapper

# Any number, as long as nothing else in the database locks it.
BEAT_LOCK = 5_021_177
RETRY_SECONDS = 5


class OneBeat(PersistentScheduler):
    """Send tasks only while this process holds the database's lock; otherwise wait for it.

    The lock belongs to a connection of its own, so it is free again as soon as the process that
    held it, or its machine, is gone.
    """

    _connection: BaseDatabaseWrapper | None = None

    def tick(self, *arguments: Any, **options: Any) -> float:
        """Send what is due; return the seconds until the next look."""
        if not self._holds_lock():
            return RETRY_SECONDS
        return min(RETRY_SECONDS, super().tick(*arguments, **options))

    def close(self) -> None:
        """Let go of the lock with the schedule."""
        self._let_go()
        super().close()

    def _holds_lock(self) -> bool:
        try:
            if self._connection is not None:
                # A connection that answers still holds what it took.
                with self._connection.cursor() as cursor:
                    cursor.execute("SELECT 1")
                return True
            self._connection = connections.create_connection("default")
            with self._connection.cursor() as cursor:
                cursor.execute("SELECT pg_try_advisory_lock(%s)", [BEAT_LOCK])
                row = cursor.fetchone()
        except Error:
            self._let_go()
            return False
        if row is None or not row[0]:
            self._let_go()
            return False
        return True

    def _let_go(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None
