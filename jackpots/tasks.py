"""What jackpots do in the background. A task takes ids and calls a service, nothing else."""

from __future__ import annotations

from celery import shared_task

from jackpots.services import contributions


@shared_task(name="jackpots.roll_up_meters")
def roll_up_meters() -> None:
    """Write what wagers added to every meter. What one run misses the next one finds."""
    contributions.roll_up_all()
