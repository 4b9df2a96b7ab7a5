"""Production refuses a demo's database: its PINs and passwords are printed on the door."""

from __future__ import annotations

from typing import Any

from django.db import Error, connections
from django.db.backends.signals import connection_created

SENTENCE = (
    "This database has the demo property, whose PINs are public. Production won’t run "
    "on it. Set DATABASE_URL to your house’s database."
)


class DemoDatabase(SystemExit):
    """A process in production met a demo's database, and ends with a sentence."""

    def __init__(self) -> None:
        super().__init__(SENTENCE)


def refuse_demo() -> None:
    """Look at every database that this process connects to, and at the first one now.

    A server that cannot reach its database starts all the same and says so; it is looked at when it
    is reached.
    """
    connection_created.connect(_look, dispatch_uid="own_database")
    try:
        with connections["default"].cursor() as cursor:
            cursor.execute("SELECT 1")
    except Error:
        return
    finally:
        connections["default"].close()


def _look(connection: Any, **_: Any) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT EXISTS (SELECT FROM information_schema.columns"
            " WHERE table_name = 'pitboss_property' AND column_name = 'is_demo')"
        )
        if not cursor.fetchone()[0]:
            return
        cursor.execute("SELECT EXISTS (SELECT FROM pitboss_property WHERE is_demo)")
        if cursor.fetchone()[0]:
            raise DemoDatabase
