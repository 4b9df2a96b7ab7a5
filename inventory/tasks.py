"""What the inventory does in the background. A task calls a service, nothing else."""

from __future__ import annotations

from celery import shared_task

from inventory.services import exclusion_lists, marker_logs


@shared_task(name="inventory.check_marker_log")
def check_marker_log() -> None:
    """Look whether the log of markers of the gaming day that ended last balances."""
    marker_logs.check_last_marker_log()


@shared_task(name="inventory.find_stale_lists")
def find_stale_lists() -> None:
    """Look whether every list in use was imported lately."""
    exclusion_lists.find_stale_lists()
