"""The one clock that sends periodic tasks, however many nodes run `celery beat`."""

from __future__ import annotations

import os
import socket
import uuid
from typing import Any

from celery.beat import PersistentScheduler
from django.db import Error, connections
from django.db.backends.base.base import BaseDatabaseWrapper

RETRY_SECONDS = 5
# A beat says every few seconds that it is there; one that has not for so long is passed over.
LEASE_SECONDS = 30

# One statement, so that no transaction stays open while a beat is frozen, and a pooler between
# here and the database may hand each statement to another connection.
_TAKE = """
    INSERT INTO pitboss_beatlease AS lease (id, holder, until)
    VALUES (1, %s, clock_timestamp() + %s * interval '1 second')
    ON CONFLICT (id) DO UPDATE SET holder = excluded.holder, until = excluded.until
        WHERE lease.holder = excluded.holder OR lease.until < clock_timestamp()
    RETURNING holder
"""
_GIVE_BACK = "UPDATE pitboss_beatlease SET until = clock_timestamp() WHERE holder = %s"


class OneBeat(PersistentScheduler):
    """Send tasks only while this process holds the lease in the database; otherwise wait for it.

    A lease and no lock: a beat that is frozen, or whose machine hangs, keeps its connection and
    with it every lock, but says nothing more, and so loses the lease to the next.
    """

    _connection: BaseDatabaseWrapper | None = None

    def __init__(self, *arguments: Any, **options: Any) -> None:
        self.holder = f"{socket.gethostname()[:30]}:{os.getpid()}:{uuid.uuid4().hex[:12]}"
        super().__init__(*arguments, **options)

    def tick(self, *arguments: Any, **options: Any) -> float:
        """Send what is due; return the seconds until the next look."""
        if not self._holds_lease():
            return RETRY_SECONDS
        return min(RETRY_SECONDS, super().tick(*arguments, **options))

    def close(self) -> None:
        """Give the lease back with the schedule, so that the next need not wait for its end."""
        try:
            if self._connection is not None:
                with self._connection.cursor() as cursor:
                    cursor.execute(_GIVE_BACK, [self.holder])
        except Error:
            pass
        self._let_go()
        super().close()

    def _holds_lease(self) -> bool:
        try:
            if self._connection is None:
                self._connection = connections.create_connection("default")
            with self._connection.cursor() as cursor:
                cursor.execute(_TAKE, [self.holder, LEASE_SECONDS])
                return cursor.fetchone() is not None
        except Error:
            self._let_go()
            return False

    def _let_go(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None
