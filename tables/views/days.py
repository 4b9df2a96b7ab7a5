"""Gaming days and shifts on the screen: what is open, and what was handed over."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET

from pitboss.access import may_open, page
from pitboss.middleware import PitRequest
from pitboss.models import ClosedDay, ClosedShift, Slip
from pitboss.reports.report import ReportChoice
from pitboss.rules.day.handovers import DAY_CLOSE, SHIFT_CLOSE
from pitboss.rules.flows.flows import SlipStatus
from pitboss.services import house
from pitboss.slips.addresses import new_url
from tables.services.days import open_days
from tables.services.open_items import open_items
from tables.services.shifts import (
    handover_under_way,
    is_handed_over,
    open_in,
    shift_before,
)


@require_GET
@page("days")
def days(request: PitRequest) -> HttpResponse:
    """Show the shift to hand over, the gaming days that are open, and those closed last."""
    closing = {
        slip.details["gaming_day"]: slip
        for slip in Slip.objects.filter(kind=DAY_CLOSE, status=SlipStatus.OPEN)
    }
    context = {
        "shift": _shift_to_hand_over(request),
        "open": [
            {
                "day": day,
                "is_now": day == request.period.gaming_day,
                "items": len(open_items(day)),
                "closing": closing.get(day.isoformat()),
                "win_url": reverse("day-win", args=[day.isoformat()]),
                "close_url": new_url(DAY_CLOSE, day=day.isoformat()),
            }
            for day in reversed(open_days())
        ],
        "closed": [
            {
                "day": closed_day.gaming_day,
                "slip": closed_day.slip,
                "carried": closed_day.carried.count(),
                "win_url": reverse("day-win", args=[closed_day.gaming_day.isoformat()]),
            }
            for closed_day in ClosedDay.objects.select_related("slip")[:14]
        ],
        "handed_over": [
            {
                "shift": closed_shift,
                "slip": closed_shift.slip,
                "carried": closed_shift.carried.count(),
            }
            for closed_shift in ClosedShift.objects.select_related("slip")[:9]
        ],
        "may_close": may_open(request.role, DAY_CLOSE),
        "serials_url": reverse("serials"),
        "variances_url": reverse("variances"),
    }
    return render(request, "tables/days.html", context)


def _shift_to_hand_over(request: PitRequest) -> dict[str, Any] | None:
    """Return the shift that ended last in this gaming day, and how far its hand-over is."""
    shift = shift_before(house.now())
    if shift.gaming_day != request.period.gaming_day:
        return None
    of_shift = ReportChoice(shift.gaming_day, shift.gaming_day, shift=shift.shift)
    return {
        "name": shift.shift,
        "ended": shift.ends,
        "items": len(open_in(shift)),
        "is_closed": is_handed_over(shift),
        "closing": handover_under_way(shift),
        "close_url": new_url(SHIFT_CLOSE),
        "report_url": f"{reverse('report', args=['game'])}?{of_shift.query()}",
    }
