"""Sessions in the database, read in plain SQL: every poll of every tablet reads one."""

from __future__ import annotations

from typing import Any

from django.contrib.sessions.backends.base import UpdateError
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.db import OperationalError
from django.utils import timezone

from pitboss.models.plain import read_prepared

_HELD = 'SELECT session_data FROM "django_session" WHERE session_key = %s AND expire_date > %s'


class SessionStore(DatabaseStore):
    """The database's own store, whose reading costs a quarter: nothing is put together for it."""

    def load(self) -> dict[str, Any]:
        """Return what a session holds; nothing, under a new key, when it is gone or over."""
        row = read_prepared(_HELD, [self.session_key, timezone.now()])
        if row is None:
            self._session_key = None
            return {}
        held: dict[str, Any] = self.decode(row[0])
        return held

    def save(self, must_create: bool = False) -> None:
        """Store the session. A database that is away has not deleted it.

        Otherwise who has just signed something would read that nothing was changed.
        """
        try:
            super().save(must_create)
        except UpdateError as error:
            if isinstance(error.__context__, OperationalError):
                raise error.__context__ from None
            raise
