"""Where a slip stands, and whom it waits for."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from pitboss.models import Slip, Waiting
from pitboss.models.plain import Statement, in_one_statement, in_one_trip
from pitboss.rules.flows.flows import SlipStatus, due_steps

# Who has signed what: (track, step) -> person.
Signed = Mapping[tuple[str, str], int]


def set_status(slip: Slip, status: SlipStatus) -> None:
    """Move a slip on. Only `sign` and the effects it runs call this, under the slip's lock."""
    slip.status = status.value
    slip.save(update_fields=["status"])


def moving_waits(
    slip: Slip, signed: Signed, now: datetime, *, limit_seconds: int, new_id: str = ""
) -> list[Statement]:
    """Return what ends that waited on this slip and what begins to wait, for one statement.

    A step that is still due goes on waiting. `new_id` is SQL for the id of a slip that the same
    statement stores: nothing waits on it yet.
    """
    due = _due(slip, signed)
    parts: list[Statement] = []
    if not new_id:
        text = (
            "UPDATE pitboss_waiting SET until = %s"
            " WHERE slip_id = %s AND until IS NULL AND step <> ALL(%s::varchar[])"
        )
        parts.append((text, [now, slip.pk, [fields["name"] for fields in due]]))
    if due:
        rows = ", ".join(["(%s, %s::varchar[], %s)"] * len(due))
        standing = (
            ""
            if new_id
            else " WHERE NOT EXISTS (SELECT FROM pitboss_waiting AS standing"
            " WHERE standing.slip_id = %s AND standing.until IS NULL AND standing.step = due.step)"
        )
        begun = (
            "INSERT INTO pitboss_waiting"
            " (slip_id, step, by, place, pit_id, table_id, since, limit_seconds, escalated_to)"
            f" SELECT {new_id or '%s'}, due.step, due.by, due.place,"
            " %s::bigint, %s::bigint, %s::timestamptz, %s, '{}'::varchar[]"
            f" FROM (VALUES {rows}) AS due(step, by, place){standing}"
        )
        table = slip.table
        values = [
            *([] if new_id else [slip.pk]),
            *(table.pit_id if table else None, slip.table_id, now, limit_seconds),
            *(
                value
                for fields in due
                for value in (fields["name"], fields["by"], fields["at"] or "")
            ),
            *([] if new_id else [slip.pk]),
        ]
        parts.append((begun, values))
    return parts


def move_wait(slip: Slip, signed: Signed, now: datetime, *, limit_seconds: int) -> None:
    """End what waited on this slip and begin what waits next; a step still due goes on waiting."""
    parts = moving_waits(slip, signed, now, limit_seconds=limit_seconds)
    in_one_trip(in_one_statement(parts, "SELECT"))


def end_waits(slip: Slip, now: datetime) -> None:
    """End what waited on a slip that no one signs any more."""
    Waiting.objects.filter(slip=slip, until=None).update(until=now)


def _due(slip: Slip, signed: Signed) -> list[Mapping[str, Any]]:
    return due_steps(slip.plan, signed) if slip.status == SlipStatus.OPEN.value else []
