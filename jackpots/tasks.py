"""What jackpots do in the background. A task takes ids and calls a service, nothing else."""

from __future__ import annotations

from celery import shared_task

from jackpots.services import contributions, tax_pdfs
from jackpots.services.tax_forms import DRAW


@shared_task(name="jackpots.roll_up_meters")
def roll_up_meters() -> None:
    """Write what wagers added to every meter. What one run misses the next one finds."""
    contributions.roll_up_all()


@shared_task(name=DRAW)
def draw_tax_form(form_id: int) -> None:
    """Draw one tax form. A second message about it draws nothing."""
    tax_pdfs.draw_form(form_id)


@shared_task(name="jackpots.draw_tax_forms")
def draw_tax_forms() -> None:
    """Draw the tax forms that no worker has drawn."""
    tax_pdfs.draw_undrawn()
