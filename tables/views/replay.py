"""Replay: the board at any minute of the last days, and what happened at one table until then."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET

from pitboss.access import page
from pitboss.middleware import PitRequest
from pitboss.models import Pit
from pitboss.patience import patient_view
from pitboss.rules.day.replay import DAYS, ReplayMinute, moment_of
from pitboss.services import house
from pitboss.slips.addresses import row_id
from pitboss.standby import reads_standby
from pitboss.views.forms import day_or_404
from tables.selectors.replay import board_then
from tables.selectors.timeline import timeline_of


@require_GET
@page("replay")
def replay(request: PitRequest) -> HttpResponse:
    """Go to the replay of this device's pit, or of the first."""
    pit_id = request.device.pit_id if request.device else None
    if pit_id is None:
        pit_id = Pit.objects.values_list("pk", flat=True).first()
    if pit_id is None:
        raise Http404("No pit yet.")
    return redirect("pit-replay", pit_id=pit_id)


@require_GET
@page("replay")
@reads_standby
@patient_view
def pit_replay(request: PitRequest, pit_id: int) -> HttpResponse:
    """Show a pit as it was at the end of a minute. Nothing can be done here."""
    pits = list(Pit.objects.all())
    pit = next((item for item in pits if item.pk == pit_id), None)
    if pit is None:
        raise Http404("Pit not found.")
    days = [request.period.gaming_day - timedelta(days=back) for back in range(DAYS)]
    day = day_or_404(request.GET["day"]) if "day" in request.GET else request.period.gaming_day
    if day not in days:
        raise Http404(f"Replay shows the last {DAYS} gaming days. Read older ones in the audit.")
    began, ends = house.day_span(day)
    moment = moment_of(row_id(request.GET.get("minute", "")), began, ends, house.now())
    if moment is None:
        raise Http404("This gaming day hasn’t begun. Choose an earlier one.")
    table = pit.tables.filter(name=request.GET.get("table", "")).first()
    own = reverse("pit-replay", args=[pit.pk])
    first = timezone.localtime(began)

    def there(minute: int, **more: str) -> str:
        fields = {"day": day.isoformat(), "minute": str(minute)}
        if table is not None:
            fields["table"] = table.name
        return f"{own}?{urlencode(fields | more)}"

    context = {
        "heading": "Replay",
        "back": {"url": reverse("pit-board", args=[pit.pk]), "label": "Board"},
        "own_url": own,
        "pits": [
            {
                "label": item.name,
                "url": f"{reverse('pit-replay', args=[item.pk])}?"
                + urlencode({"day": day.isoformat(), "minute": str(moment.minute)}),
                "is_current": item.pk == pit.pk,
            }
            for item in pits
        ],
        "days": [
            {"value": item.isoformat(), "day": item, "is_asked": item == day} for item in days
        ],
        "moment": moment,
        "first_minute": first.hour * 60 + first.minute,
        "steps": _steps(moment, there),
        "tiles": [
            tile | {"url": there(moment.minute, table=tile["name"])}
            for tile in board_then(pit, moment.at, request.role)
        ],
        "table": table,
        "events": timeline_of(table, request.role, until=moment.at) if table is not None else [],
    }
    return render(request, "tables/replay.html", context)


def _steps(moment: ReplayMinute, there: Any) -> list[dict[str, str]]:
    return [
        {"label": f"{'−' if step < 0 else '+'}{abs(step)} min", "url": there(to)}
        for step, to in moment.steps()
    ]
