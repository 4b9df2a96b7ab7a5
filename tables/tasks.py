"""What tables do in the background. A task calls a service, nothing else."""

from __future__ import annotations

from celery import shared_task

from tables.services import settling


@shared_task(name="tables.settle_win")
def settle_win() -> None:
    """Settle the win of closed days whose boxes are counted, and of days that were corrected."""
    settling.settle_due_days()
