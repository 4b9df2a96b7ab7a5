"""Shifts: which one to hand over, what it leaves open, and how far that is."""

from __future__ import annotations

from datetime import datetime, timedelta

from pitboss.models import ClosedShift, Slip
from pitboss.rules.day.gaming_day import Period
from pitboss.rules.day.handovers import SHIFT_CLOSE
from pitboss.rules.flows.flows import SlipStatus
from pitboss.services import house
from tables.services.open_items import (
    OpenItem,
    open_items,
)


def shift_before(now: datetime) -> Period:
    """Return the shift that ended last: the one to hand over now."""
    return house.period_at(house.period_at(now).began - timedelta(microseconds=1))


def is_handed_over(shift: Period) -> bool:
    """Tell whether a shift was taken on by the person who came after it."""
    return ClosedShift.objects.filter(gaming_day=shift.gaming_day, shift=shift.shift).exists()


def open_in(shift: Period) -> list[OpenItem]:
    """Return everything that this shift, or one before it, leaves open."""
    return open_items(shift.gaming_day, up_to(shift))


def up_to(shift: Period) -> list[str]:
    """Return the names of the day's shifts up to this one, as the clock had them then."""
    names = [shift.shift]
    while shift.shift_index > 0:
        shift = house.period_at(shift.began - timedelta(microseconds=1))
        names.append(shift.shift)
    return names


def handover_under_way(shift: Period) -> Slip | None:
    """Return the hand-over of a shift that waits for its second signature."""
    return Slip.objects.filter(
        kind=SHIFT_CLOSE,
        status=SlipStatus.OPEN,
        details__gaming_day=shift.gaming_day.isoformat(),
        details__shift=shift.shift,
    ).first()
