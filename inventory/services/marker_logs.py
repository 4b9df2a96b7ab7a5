"""The day's markers checked: a log that does not balance is someone's to explain."""

from __future__ import annotations

from datetime import date, timedelta

from django.db import transaction

from inventory.selectors.marker_log import log_differences
from pitboss.models import FloorException
from pitboss.services import house
from pitboss.services.exceptions import open_exception


@transaction.atomic(durable=True)
def check_marker_log(*, day: date) -> FloorException | None:
    """Open an exception when the log of a gaming day does not balance; the same one once."""
    said = log_differences(day)
    if not said:
        return None
    return open_exception(
        code="marker_log_differs",
        sentence=f"The log of markers of {day:%b %-d, %Y} does not balance. {' '.join(said)}"[:500],
        details={"gaming_day": day.isoformat(), "differs": said},
        at=house.now(),
        person=None,
    )


def check_last_marker_log() -> FloorException | None:
    """Check the gaming day that ended last."""
    return check_marker_log(day=house.period_at(house.now()).gaming_day - timedelta(days=1))
