"""What the inventory does in the background. A task calls a service, nothing else."""

from __future__ import annotations

from celery import shared_task

from inventory.services import marker_logs


@shared_task(name="inventory.check_marker_log")
def check_marker_log() -> None:
    """Look whether the log of markers of the gaming day that ended last balances."""
    marker_logs.check_last_marker_log()
