"""The book of flows as the database reads it: which steps a slip of each kind may and must have.

Written by the owner after each migration. The site's role only reads it, so that whoever writes SQL
as the site can give a slip no plan of their own.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.db import connections, transaction

from pitboss.rules.flows.book import FLOWS
from pitboss.rules.flows.flows import Flow, Track

TABLE = "pitboss_flowstep"
# What may differ from slip to slip, and what is only words.
_LOOSE = ("attests", "blind", "then")

Row = tuple[str, int, str, bool, list[str | None]]


def book_rows() -> list[Row]:
    """Return every step of every flow: kind, position, the step, whether always, what follows."""
    return [row for flow in FLOWS.values() for row in rows_of(flow)]


def rows_of(flow: Flow) -> Iterator[Row]:
    """Yield every step of a flow as the book has it."""
    tracks = ((Track.MAIN, flow.steps), (Track.VOID, flow.void), (Track.RELIEF, flow.relief))
    position = 0
    for track, steps in tracks:
        for step in steps:
            planned: dict[str, Any] = step.as_plan(track)
            # The last step of the main track may have what the flow does at its end.
            then = [
                planned["then"],
                *([flow.at_end] if flow.at_end and track is Track.MAIN else []),
            ]
            firm = {key: value for key, value in planned.items() if key not in _LOOSE}
            always = track is not Track.MAIN or step.when is None
            yield flow.kind, position, json.dumps(firm), always, then
            position += 1


def write_flow_book(*, sender: AppConfig, using: str, **_: Any) -> None:
    """Write the book into the database, as the owner, once migrations are through."""
    if sender.label != "pitboss":
        return
    connection = connections[using]
    quote = connection.ops.quote_name
    with transaction.atomic(using=using), connection.cursor() as cursor:
        if TABLE not in connection.introspection.table_names(cursor):
            return
        cursor.execute(f"DELETE FROM {TABLE}")
        cursor.executemany(
            f"INSERT INTO {TABLE} (kind, position, step, is_always, follows)"
            " VALUES (%s, %s, %s, %s, %s)",
            book_rows(),
        )
        cursor.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [settings.SITE_DATABASE_ROLE])
        if cursor.fetchone() is not None:
            role = quote(settings.SITE_DATABASE_ROLE)
            cursor.execute(f"REVOKE ALL ON {TABLE} FROM {role}")
            cursor.execute(f"GRANT SELECT ON {TABLE} TO {role}")
