"""The floor log read: by gaming day, shift, pit and table."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_GET

from pitboss.access import page
from pitboss.middleware import PitRequest
from pitboss.models import Pit, Table
from pitboss.reports.report import ReportChoice
from pitboss.services import house
from tables.reports.floor import KEY
from tables.selectors.floor_log import LogScope, entries_in, line_of


@require_GET
@page("floor_log")
def floor_log(request: PitRequest) -> HttpResponse:
    """Show what was approved and noted in a shift, at a table, in a pit or on the whole floor."""
    scope = scope_of(request)
    shifts = [shift.name for shift in house.the_property().clock_at(house.now()).shifts]
    pits = list(Pit.objects.all())
    before, after = (scope.last + timedelta(days=by) for by in (-1, 1))
    context = {
        "heading": "Floor log",
        "back": {"url": reverse("board"), "label": "Board"}
        if scope.table is None
        else {"url": reverse("table", args=[scope.table.name]), "label": scope.table.name},
        "scope": scope,
        "of": scope_words(scope),
        "days": {
            "before": _url(scope, first=before, last=before),
            "after": _url(scope, first=after, last=after)
            if after <= request.period.gaming_day
            else None,
        },
        "shifts": [
            {"label": name or "Whole day", "url": _url(scope, shift=name)}
            | {"is_current": name == scope.shift}
            for name in ("", *shifts)
        ],
        "pits": [
            {"label": "All pits", "url": _url(scope, pit=None, table=None)}
            | {"is_current": scope.pit is None and scope.table is None},
            *(
                {"label": pit.name, "url": _url(scope, pit=pit, table=None)}
                | {"is_current": pit == scope.pit}
                for pit in pits
            ),
        ],
        "print_url": f"{reverse('report-pdf', args=[KEY])}?{_choice(scope).query()}",
        "lines": [line_of(entry) for entry in entries_in(scope).reverse()],
    }
    return render(request, "tables/floor_log.html", context)


def scope_of(request: PitRequest) -> LogScope:
    """Return which lines a page was asked for; this shift's unless told otherwise."""
    asked = request.POST if request.method == "POST" else request.GET
    table = pit = None
    if name := asked.get("table", ""):
        table = get_object_or_404(Table.objects.select_related("pit"), name=name)
    elif (number := asked.get("pit", "")) and number.isascii() and number.isdigit():
        pit = get_object_or_404(Pit, pk=int(number[:18]))
    day = request.period.gaming_day
    if keyed := asked.get("day", ""):
        try:
            day = date.fromisoformat(keyed)
        except ValueError:
            raise Http404("Day not found.") from None
    shift = asked.get("shift", request.period.shift if not keyed else "")
    return LogScope(day, day, shift[:20].replace("\x00", ""), pit, table)


def _choice(scope: LogScope) -> ReportChoice:
    """Return what the desk of reports prints for a scope."""
    return ReportChoice(
        first=scope.first,
        last=scope.last,
        shift=scope.shift or None,
        pit=scope.pit,
        of=scope.table.name if scope.table else "",
    )


def scope_words(scope: LogScope) -> str:
    """Say whose lines these are."""
    shift = [f"{scope.shift} shift"] if scope.shift else []
    return ", ".join(
        [str(scope.table or scope.pit or "All pits"), *shift, f"{scope.last:%b %-d, %Y}"]
    )


def _url(scope: LogScope, **instead: Any) -> str:
    """Return the address of the log with some part of its scope in place of another."""
    wanted = replace(scope, **instead)
    query = {
        "day": wanted.last.isoformat(),
        "shift": wanted.shift,
        **({"pit": wanted.pit.pk} if wanted.pit else {}),
        **({"table": wanted.table.name} if wanted.table else {}),
    }
    return f"{reverse('floor-log')}?{urlencode(query)}"
