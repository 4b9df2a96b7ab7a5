"""Markers that are out: by place, patron and age; the day's log; and originals on their way."""

from __future__ import annotations

from datetime import timedelta

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET

from inventory.selectors.credit import outstanding, piles
from inventory.selectors.marker_log import day_logs, log_differences
from pitboss.access import may_open, page
from pitboss.middleware import PitRequest
from pitboss.views.forms import day_of

_BACK = {"label": "Markers"}


@require_GET
@page("markers")
def markers_out(request: PitRequest) -> HttpResponse:
    """Show every marker that is owed on, and what that is by place, patron and age."""
    markers = outstanding(request.period.gaming_day)
    context = {
        "heading": "Markers outstanding",
        "markers": markers,
        "total_cents": sum(marker.balance_cents for marker in markers),
        "piles": piles(markers),
        "may_transfer": may_open(request.role, "marker_transfer"),
        "may_recall": may_open(request.role, "marker_recall"),
        "may_look_up": may_open(request.role, "patrons"),
        "may_collect": may_open(request.role, "credit_desk"),
    }
    return render(request, "inventory/markers.html", context)


@require_GET
@page("markers")
def marker_log(request: PitRequest) -> HttpResponse:
    """Show the log of a gaming day, pit by pit, and whether it balances."""
    today = request.period.gaming_day
    day = min(day_of(request.GET, "day") or today, today)
    context = {
        "heading": f"Marker log, {day:%a, %b %-d, %Y}",
        "back": {**_BACK, "url": reverse("markers")},
        "logs": day_logs(day),
        "differences": log_differences(day),
        "earlier": day - timedelta(days=1),
        "later": day + timedelta(days=1) if day < today else None,
        "is_over": day < today,
    }
    return render(request, "inventory/marker_log.html", context)
