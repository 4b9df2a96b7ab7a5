"""Where a slip stands, and whom it waits for."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from pitboss.models import Slip, Waiting
from pitboss.rules.flows.flows import SlipStatus, due_steps

# Who has signed what: (track, step) -> person.
Signed = Mapping[tuple[str, str], int]


def set_status(slip: Slip, status: SlipStatus) -> None:
    """Move a slip on. Only `sign` and the effects it runs call this, under the slip's lock."""
    slip.status = status.value
    slip.save(update_fields=["status"])


def begin_wait(slip: Slip, signed: Signed, now: datetime, *, limit_seconds: int) -> None:
    """Let a slip on which nothing waits yet wait for its due steps, if it has any."""
    for due in _due(slip, signed):
        _wait_for(slip, due, now, limit_seconds)


def _wait_for(slip: Slip, due: Mapping[str, Any], now: datetime, limit_seconds: int) -> None:
    Waiting.objects.create(
        slip=slip,
        step=due["name"],
        by=due["by"],
        place=due["at"] or "",
        pit_id=slip.table.pit_id if slip.table else None,
        table=slip.table,
        since=now,
        limit_seconds=limit_seconds,
    )


def move_wait(slip: Slip, signed: Signed, now: datetime, *, limit_seconds: int) -> None:
    """End what waited on this slip and begin what waits next; a step still due goes on waiting."""
    due = _due(slip, signed)
    waits = Waiting.objects.filter(slip=slip, until=None)
    ended = waits.exclude(step__in=[each["name"] for each in due]).update(until=now)
    standing: set[str] = set()
    # What waited is mostly one step, and then what has ended is all that waited.
    if not ended or any(step.get("beside") for step in slip.plan):
        standing = set(waits.values_list("step", flat=True))
    for each in due:
        if each["name"] not in standing:
            _wait_for(slip, each, now, limit_seconds)


def end_waits(slip: Slip, now: datetime) -> None:
    """End what waited on a slip that nobody signs any more."""
    Waiting.objects.filter(slip=slip, until=None).update(until=now)


def _due(slip: Slip, signed: Signed) -> list[Mapping[str, Any]]:
    return due_steps(slip.plan, signed) if slip.status == SlipStatus.OPEN.value else []
