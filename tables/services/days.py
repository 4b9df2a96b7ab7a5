"""Gaming days: which are open."""

from __future__ import annotations

from datetime import date, timedelta

from django.db.models import Max, Min

from pitboss.models import ClosedDay, Slip
from pitboss.services import house


def oldest_open_day() -> date | None:
    """Return the first gaming day with slips in it that is not closed."""
    return min(_unclosed_days(), default=None)


def _unclosed_days() -> set[date]:
    """Return the gaming days with slips in them that are not closed.

    Days are looked through, and the slips of those that are not closed: never the slips of years.
    """
    ends = Slip.objects.aggregate(first=Min("gaming_day"), last=Max("gaming_day"))
    if ends["first"] is None:
        return set()
    closed = set(ClosedDay.objects.values_list("gaming_day", flat=True))
    days = (ends["first"] + timedelta(n) for n in range((ends["last"] - ends["first"]).days + 1))
    left = [day for day in days if day not in closed]
    slips = Slip.objects.filter(gaming_day__in=left).order_by()
    return set(slips.values_list("gaming_day", flat=True).distinct())


def open_days() -> list[date]:
    """Return the gaming days that are over or under way and not closed, oldest first."""
    return sorted(_unclosed_days() | {house.period_at(house.now()).gaming_day})
