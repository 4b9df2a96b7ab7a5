"""Win and serials on the screen: every number opens to the papers behind it."""

from __future__ import annotations

import csv
from datetime import date
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods

from pitboss.access import may_open, page
from pitboss.api import http_status
from pitboss.middleware import PitRequest
from pitboss.patience import patient_view
from pitboss.reports.wording import harmless
from pitboss.rules.refusal import Refused
from pitboss.services import house
from pitboss.services.numbering import SlipNumber
from pitboss.services.pads import attested_by
from pitboss.standby import reads_standby
from pitboss.views.forms import YEARS, day_or_404, pen_of, text
from pitboss.views.pads import pad_of
from pitboss.views.raising import table_named
from tables.reports.win import TableGroup, TableWin, day_report, table_report
from tables.reports.win_by_hour import BASES, error_words, span_of
from tables.selectors.shift_numbers import shift_numbers
from tables.services.serials import explain_gap, serial_report


@require_GET
@page("win")
@reads_standby
def table_win(request: PitRequest, name: str) -> HttpResponse:
    """Show what a table won in a gaming day, or a shift, line by line."""
    table = table_named(name)
    day, shift = _asked(request, request.GET.get("day", ""))
    win = table_report(table, day, shift)
    own = reverse("table-win", args=[name])
    since, until = span_of(day, shift)
    here = house.the_property()
    by_hour = shift_numbers(
        [table], here.clock_at(since), request.house, day, since, min(house.now(), until)
    )
    context = {
        "heading": f"Win of {table.name}",
        "by_hour": by_hour if by_hour.known else None,
        "rests_on": [BASES[basis] for basis in by_hour.bases],
        "error": error_words(by_hour),
        "back": {"url": reverse("table", args=[name]), "label": table.name}
        if may_open(request.role, "table")
        else {"url": reverse("day-win", args=[day.isoformat()]), "label": "Day"},
        "win": win,
        "groups": _grouped(win),
        "opened": request.GET.get("line", ""),
        "day": day,
        "day_url": reverse("day-win", args=[day.isoformat()]),
        "tabs": _tabs(own, day, shift),
        "estimate_url": reverse("drop-estimate", args=[name])
        if may_open(request.role, "estimate")
        else None,
        "is_closed": house.is_closed(day),
    }
    return render(request, "tables/win.html", context)


_HEADINGS = {1: "Adds to win", -1: "Takes from win", 0: "On lines of its own"}


def _grouped(win: TableWin) -> list[dict[str, Any]]:
    return [
        {"heading": heading, "lines": [line for line in win.lines if line.sign == sign]}
        for sign, heading in _HEADINGS.items()
        if win.lines
    ]


@require_GET
@page("win")
@reads_standby
@patient_view
def day_win(request: PitRequest, day: str) -> HttpResponse:
    """Show what every table won in a gaming day, by pit, and the house."""
    gaming_day, shift = _asked(request, day)
    pits, whole = day_report(gaming_day, shift)
    own = reverse("day-win", args=[gaming_day.isoformat()])
    query = f"?day={gaming_day.isoformat()}" + (f"&shift={shift}" if shift else "")
    context = {
        "heading": f"Win of {gaming_day:%a, %b %-d, %Y}",
        "back": {"url": reverse("days"), "label": "Days"}
        if may_open(request.role, "days")
        else {"url": reverse("board"), "label": "Board"},
        "pits": [_rows(group, query) for group in pits],
        "whole": whole,
        "tabs": _tabs(own, gaming_day, shift, has_day=True),
        "is_closed": house.is_closed(gaming_day),
    }
    return render(request, "tables/day_win.html", context)


def _rows(group: TableGroup, query: str) -> dict[str, Any]:
    return {
        "group": group,
        "rows": [
            {"win": table, "url": reverse("table-win", args=[table.table.name]) + query}
            for table in group.tables
        ],
    }


def _asked(request: PitRequest, day: str) -> tuple[date, str | None]:
    gaming_day = day_or_404(day) if day else request.period.gaming_day
    shift = request.GET.get("shift")
    return gaming_day, shift if shift in house.the_property().shifts_on(gaming_day) else None


def _tabs(
    own: str, day: date, current: str | None, *, has_day: bool = False
) -> list[dict[str, Any]]:
    first = own if has_day else f"{own}?day={day.isoformat()}"
    joined = "?" if has_day else "&"
    return [
        {"label": "Day", "url": first, "is_current": current is None},
        *(
            {
                "label": f"{shift} shift",
                "url": f"{first}{joined}shift={shift}",
                "is_current": shift == current,
            }
            for shift in house.the_property().shifts_on(day)
        ),
    ]


@require_GET
@page("serials")
def serials(request: PitRequest) -> HttpResponse:
    """Show every series of a year: first, last, used, void, missing, duplicate."""
    year = _year(request)
    lines = serial_report(year)
    context = {
        "heading": "Serial numbers",
        "back": {"url": reverse("days"), "label": "Days"},
        "year": year,
        "lines": lines,
        "open_count": sum(len(line.unexplained) for line in lines),
        "csv_url": f"{reverse('serials-csv')}?year={year}",
    }
    return render(request, "tables/serials.html", context)


@require_GET
@page("serials")
def serials_csv(request: PitRequest) -> HttpResponse:
    """Send the serial report as a table, one line a series, then one a missing number."""
    year = _year(request)
    response = HttpResponse(
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="serials-{year}.csv"'},
    )
    out = csv.writer(response)
    out.writerow(["series", "year", "first", "last", "given", "used", "void", "missing", "why"])
    for line in serial_report(year):
        numbers = (line.first, line.last, line.given, line.used, line.void, len(line.missing))
        out.writerow([line.series, line.year, *numbers, ""])
        for number in line.missing:
            why = line.explanations.get(number.number)
            out.writerow(
                [str(number), year, "", "", "", "", "", 1, harmless(why.reason if why else "")]
            )
    return response


def _year(request: PitRequest) -> int:
    asked = request.GET.get("year", "")
    is_year = asked.isascii() and asked.isdigit() and len(asked) == 4
    return int(asked) if is_year else request.period.gaming_day.year


@require_http_methods(["GET", "POST"])
@page("serials")
def serial_explain(request: PitRequest, series: str, year: int, number: int) -> HttpResponse:
    """Say why a number is missing, with badge and PIN."""
    if year not in YEARS:
        raise Http404("No slip was numbered in that year. Choose another.")
    missing = SlipNumber(series, year, number)
    known = next(
        (line for line in serial_report(year) if line.series == series and missing in line.missing),
        None,
    )
    if known is None:
        raise Http404("This number is not missing.")
    refused: Refused | None = None
    if request.method == "POST":
        try:
            explain_gap(number=missing, reason=text(request.POST, "reason"), pen=pen_of(request))
        except Refused as error:
            refused = error
        else:
            messages.success(request, f"{missing} explained.")
            return redirect(f"{reverse('serials')}?year={year}")
    context = {
        "heading": f"{missing}",
        "back": {"url": reverse("serials"), "label": "Serials"},
        "pad": pad_of(
            request,
            url=reverse("serial-explain", args=[series, year, number]),
            attested=attested_by("serial_explained", number=missing),
            button="Sign the explanation",
            refused=refused,
            badge=request.user.badge,
            inputs=({"name": "reason", "label": "Why it is missing"},),
        ),
        "refusals": refused.refusals if refused else (),
    }
    return render(
        request, "pitboss/signed_act.html", context, status=http_status(refused) if refused else 200
    )
