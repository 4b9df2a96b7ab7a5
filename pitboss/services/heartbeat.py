"""The heartbeat of background workers: a row that says when each was last seen alive."""

from __future__ import annotations

from datetime import datetime

from pitboss.models import WorkerHeartbeat

NAME_MAX = 40


def beat_heart(*, worker: str, now: datetime) -> None:
    """Note that a worker is alive."""
    WorkerHeartbeat.objects.bulk_create(
        [WorkerHeartbeat(name=worker[:NAME_MAX], beat_at=now)],
        update_conflicts=True,
        unique_fields=["name"],
        update_fields=["beat_at"],
    )
