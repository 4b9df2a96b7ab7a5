"""Hold: each game's band, its dot, and the way to write an investigation."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET

from pitboss.access import may_open, page
from pitboss.middleware import PitRequest
from pitboss.slips.addresses import new_url
from tables.selectors.holds import (
    KIND,
    GameHold,
    game_holds,
    investigation_of,
    month_before,
    percent,
)

_WHOLE = 10_000


@require_GET
@page("hold")
def hold(request: PitRequest) -> HttpResponse:
    """Show the games of this month and of the last."""
    month = request.period.gaming_day.replace(day=1)
    context = {
        "heading": "Hold",
        "months": [
            {
                "month": item,
                "rows": [_row(request, found) for found in game_holds(item, request.house)],
            }
            for item in (month, month_before(month))
        ],
        "statistics_url": reverse("report", args=["statistics"]),
    }
    return render(request, "tables/hold.html", context)


def _row(request: PitRequest, found: GameHold) -> dict[str, Any]:
    slip = investigation_of(found.game, found.month)
    is_outside = found.is_outside
    may = slip is None and is_outside and may_open(request.role, KIND)
    return {
        "title": found.title,
        "hold": percent(found.hold),
        "low": percent(found.band.low) if found.band else "",
        "high": percent(found.band.high) if found.band else "",
        "not_final": found.not_final,
        "is_outside": is_outside,
        "plot": _plot(found),
        "slip": slip,
        "url": new_url(KIND, game=found.game, month=found.month.isoformat()) if may else "",
    }


def _plot(found: GameHold) -> dict[str, int] | None:
    """Return where band and dot lie on a line of 200, from no hold to all."""
    band, held = found.band, found.hold
    if band is None or held is None:
        return None

    def place(basis_points: int) -> int:
        return max(0, min(200, basis_points * 200 // _WHOLE))

    low = place(band.low)
    return {
        "low": low,
        "width": max(2, place(band.high) - low),
        "dot": max(4, min(196, place(held))),
    }
