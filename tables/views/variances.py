"""The variance report on the screen and on paper: every opener beside the closer before it."""

from __future__ import annotations

from datetime import timedelta

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET

from pitboss.access import may_open, page
from pitboss.middleware import PitRequest
from pitboss.views.forms import day_of
from tables.selectors.variances import pairs_between

# A week unless asked for more; a quarter is as much as one page is asked for.
_DAYS = 7
_DAYS_MAX = 92


@require_GET
@page("variances")
def variances(request: PitRequest) -> HttpResponse:
    """Show what openers and recounts of some gaming days found, and who was told when."""
    last = day_of(request.GET, "to") or request.period.gaming_day
    first = day_of(request.GET, "from") or last - timedelta(days=_DAYS - 1)
    first = max(min(first, last), last - timedelta(days=_DAYS_MAX - 1))
    pairs = pairs_between(first, last)
    found = [pair for pair in pairs if pair.variance is not None]
    context = {
        "heading": "Variances",
        "back": {"url": reverse("days"), "label": "Days"}
        if may_open(request.role, "days")
        else {"url": reverse("inbox"), "label": "Inbox"},
        "first": first,
        "last": last,
        "pairs": pairs,
        "found": found,
        "open_count": sum(pair.is_open for pair in found),
        "sum_cents": sum(pair.variance_cents for pair in found if pair.state != "void"),
    }
    return render(request, "tables/variances.html", context)
