"""The shift screen: what was won by the hour, hold on its band, who was waited for, who deals."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET

from pitboss.access import may_open, page
from pitboss.build import this_build
from pitboss.middleware import PitRequest
from pitboss.models import Pit
from pitboss.patience import patient_view
from pitboss.reports.plots import Columns, Curve, columns_of, curve_of, short_dollars
from pitboss.rules.day.gaming_day import Period, day_start, period
from pitboss.rules.day.win_estimate import EstimateBasis, edges_of
from pitboss.rules.floor.urgency import in_order
from pitboss.rules.flows.book import FLOWS
from pitboss.rules.roles import Role
from pitboss.selectors.waiting import waiting_in
from pitboss.services import house
from pitboss.templatetags.floor import percent
from pitboss.views.forms import day_or_404
from tables.reports.win import TableWin, tables_report
from tables.reports.win_by_hour import BASES, error_words
from tables.selectors.board import tables_now
from tables.selectors.board_items import item_of
from tables.selectors.relief import PitString, pit_string
from tables.selectors.shift_numbers import (
    ShiftNumbers,
    Staffed,
    WaitedFor,
    shift_numbers,
    staffing_of,
    waited_for,
)

OPEN_MAX = 5
ALL_PITS = "All pits"

# Basis points of hold that the plot goes up and down to.
_DRAWN_MAX = 10_000


@require_GET
@page("shift")
def shift(request: PitRequest) -> HttpResponse:
    """Go to the shift of this device's pit, or of the house."""
    pit_id = request.device.pit_id if request.device else None
    if pit_id is None:
        return redirect("house-shift")
    return redirect("pit-shift", pit_id=pit_id)


@require_GET
@page("shift")
@patient_view
def pit_shift(request: PitRequest, pit_id: int) -> HttpResponse:
    """Show how a shift goes in one pit."""
    pits = list(Pit.objects.all())
    pit = next((item for item in pits if item.pk == pit_id), None)
    if pit is None:
        raise Http404("Pit not found.")
    return render(request, "tables/shift.html", _shift(request, pits, [pit]))


@require_GET
@page("shift")
@patient_view
def house_shift(request: PitRequest) -> HttpResponse:
    """Show how a shift goes in the whole house."""
    pits = list(Pit.objects.all())
    return render(request, "tables/shift.html", _shift(request, pits, pits))


def _shift(request: PitRequest, pits: Sequence[Pit], shown: Sequence[Pit]) -> dict[str, Any]:
    now, when = house.now(), _asked(request)
    is_now = when == request.period
    until = min(now, when.ends)
    zone = timezone.get_current_timezone()
    assert isinstance(zone, ZoneInfo), "the property's own zone is active on every page"
    clock = request.house.clock(zone)
    tables = [table for pit in shown for table in tables_now(pit.tables.select_related("pit"))]
    numbers = shift_numbers(tables, clock, request.house, when.gaming_day, when.began, until)
    finals = tables_report(tables, when.gaming_day, when.shift)
    waited = waited_for(shown, when.gaming_day, when.shift, now)
    staffed = staffing_of(shown, numbers, request.house)
    slots = len(edges_of(when.began, when.ends)) - 1
    name = shown[0].name if len(shown) == 1 and len(pits) > 1 else ALL_PITS
    own = _address(shown, pits)
    return {
        "program": this_build().words,
        "heading": f"{when.shift} shift, {name} · {when.gaming_day:%a, %b %-d, %Y}",
        "shift_name": when.shift,
        "pits": _pit_links(pits, shown),
        "tabs": _tabs(request, own, when),
        "is_now": is_now,
        "until": until,
        "numbers": numbers,
        "final": _final(finals),
        "hold": numbers.holds[-1] if numbers.holds else None,
        "open_tables": sum(table.is_open for table in tables),
        "players": sum(table.seats_taken or 0 for table in tables if table.is_open),
        "waited_minutes": sum(item.seconds for item in waited) // 60,
        "waited": _waited(waited),
        "win_plot": _win_plot(numbers, slots, is_now=is_now),
        "hold_plot": _hold_plot(numbers, slots),
        "items": _items(shown, request.role) if is_now else None,
        "items_max": OPEN_MAX,
        "staff_plot": _staff_plot(staffed, numbers, slots),
        "staff_says": "Dealers against needed, by hour: "
        + ", ".join(
            f"{_hour(hour.began)} h {item.dealers} of {item.needed}"
            for item, hour in zip(staffed, numbers.hours, strict=True)
        ),
        "staff": _staff([pit_string(pit, when, request.house, now) for pit in shown])
        if is_now
        else None,
        "basis": _basis(numbers),
        "rows": _rows(request, numbers, finals, when),
        "pdf_url": f"{reverse('report-pdf', args=['win-by-hour'])}?{_query(when, shown, pits)}",
        "report_url": f"{reverse('report', args=['win-by-hour'])}?{_query(when, shown, pits)}",
    }


def _query(when: Period, shown: Sequence[Pit], pits: Sequence[Pit]) -> str:
    day = when.gaming_day.isoformat()
    pit = f"&pit={shown[0].pk}" if len(shown) < len(pits) else ""
    return f"from={day}&to={day}&shift={when.shift}{pit}"


def _address(shown: Sequence[Pit], pits: Sequence[Pit]) -> str:
    if len(shown) == 1 and len(pits) > 1:
        return reverse("pit-shift", args=[shown[0].pk])
    return reverse("house-shift")


def _pit_links(pits: Sequence[Pit], shown: Sequence[Pit]) -> list[dict[str, Any]]:
    is_house = len(shown) == len(pits)
    if len(pits) == 1:
        return [{"label": pits[0].name, "url": reverse("house-shift"), "is_current": True}]
    return [
        {"label": ALL_PITS, "url": reverse("house-shift"), "is_current": is_house},
        *(
            {
                "label": pit.name,
                "url": reverse("pit-shift", args=[pit.pk]),
                "is_current": not is_house and pit in shown,
            }
            for pit in pits
        ),
    ]


def _asked(request: PitRequest) -> Period:
    """Return the shift that was asked for; what is not over yet is the one that is under way."""
    if "day" not in request.GET:
        return request.period
    day, name = day_or_404(request.GET["day"]), request.GET.get("shift", "")
    here = house.the_property()
    clock = here.settings_of(day).clock(here.zone)
    found = day_start(clock, day)
    while (when := period(clock, found)).gaming_day == day:
        if when.shift == name and when.began <= house.now():
            return request.period if when.began == request.period.began else when
        found = when.ends
    raise Http404("Shift not found.")


def _tabs(request: PitRequest, own: str, when: Period) -> list[dict[str, Any]]:
    """Return the shifts of the day up to now."""
    here = house.the_property()
    clock = here.settings_of(when.gaming_day).clock(here.zone)
    each, tabs = period(clock, day_start(clock, when.gaming_day)), []
    while each.gaming_day == when.gaming_day and each.began <= house.now():
        tabs.append(
            {
                "label": each.shift,
                "url": f"{own}?day={each.gaming_day.isoformat()}&shift={each.shift}",
                "is_current": each.shift == when.shift,
            }
        )
        each = period(clock, each.ends)
    return tabs


def _hour(at: datetime) -> str:
    return f"{timezone.localtime(at):%H}"


def _win_plot(numbers: ShiftNumbers, slots: int, *, is_now: bool) -> dict[str, Any]:
    drawn: Columns = columns_of([hour.win_cents for hour in numbers.hours], slots)
    last = len(numbers.hours) - 1
    columns = [
        {
            "box": box,
            "hour": _hour(hour.began) + (" now" if is_now and index == last else ""),
            "words": short_dollars(hour.win_cents),
        }
        for index, (box, hour) in enumerate(zip(drawn.boxes, numbers.hours, strict=True))
    ]
    said = ", ".join(f"{column['hour']} h {column['words']}" for column in columns)
    return {
        "zero_y": drawn.zero_y,
        "lines": [{"y": line.y, "words": short_dollars(line.value)} for line in drawn.lines],
        "columns": columns,
        "says": f"Estimated win by hour, in dollars: {said or 'none yet'}",
    }


def _hold_plot(numbers: ShiftNumbers, slots: int) -> dict[str, Any] | None:
    known = [
        (hour, number)
        for hour, number in zip(numbers.hours, numbers.holds, strict=True)
        if number.hold is not None
    ]
    if not known:
        return None
    first = next(index for index, number in enumerate(numbers.holds) if number.hold is not None)
    holds = numbers.holds[first:]
    values = [hold_at.hold or 0 for hold_at in holds]
    # After an hour the band is hundreds of percent wide: drawn whole it would flatten all the rest.
    bands = [
        (max(b.low, -_DRAWN_MAX), b.expected, min(b.high, _DRAWN_MAX))
        if (b := hold_at.band)
        else None
        for hold_at in holds
    ]
    drawn = [max(-_DRAWN_MAX, min(value, _DRAWN_MAX)) for value in values]
    curve: Curve = curve_of(drawn, bands, slots)
    last = holds[-1]
    is_within = None if last.band is None else last.band.holds(values[-1])
    said = ", ".join(
        f"{_hour(hour.began)} h {percent(hold_at.hold or 0)}" for hour, hold_at in known
    )
    band = (
        f" Expected {percent(last.band.expected)}, 95% band {percent(last.band.low)} to "
        f"{percent(last.band.high)}: {'within' if is_within else 'outside'}."
        if last.band
        else " No band: too few settled days of a game."
    )
    return {
        "curve": curve,
        "lines": [{"y": line.y, "words": _whole_percent(line.value)} for line in curve.lines],
        "hours": [
            {"x": point.x, "hour": _hour(hour.began)}
            for point, hour in zip(curve.points, numbers.hours[first:], strict=True)
        ],
        "band": last.band,
        "is_within": is_within,
        "now": percent(values[-1]),
        "says": f"Hold to date at the end of each hour: {said}.{band}",
    }


def _whole_percent(basis_points: int) -> str:
    """Write a line of the grid: as short as its room.

    >>> _whole_percent(10_000), _whole_percent(-5_000), _whole_percent(50)
    ('100%', '−50%', '0.5%')
    """
    return percent(basis_points).replace(".0%", "%")


def _waited(waited: Sequence[WaitedFor]) -> list[dict[str, Any]]:
    most = max((item.seconds for item in waited), default=0) or 1
    return [
        {
            "label": item.role.label,
            "on": ", ".join(_counted(kind, number) for kind, number in item.kinds[:2]),
            "minutes": item.seconds // 60,
            "width": max(4, item.seconds * 1_000 // most),
            "is_most": index == 0,
        }
        for index, item in enumerate(waited[:OPEN_MAX])
    ]


def _counted(kind: str, number: int) -> str:
    title = FLOWS[kind].title.lower()
    return f"{number} {title}" if number == 1 else f"{number} {title}s"


def _items(pits: Sequence[Pit], role: Role) -> list[dict[str, Any]]:
    items = [
        item_of(wait, wait.table.name, role=role) | {"table": wait.table.name}
        for pit in pits
        for wait in waiting_in(pit)
        if wait.table is not None
    ]
    return sorted(items, key=lambda item: in_order(item["urgency"], item["since"]))


def _staff_plot(
    staffed: Sequence[Staffed], numbers: ShiftNumbers, slots: int
) -> list[dict[str, Any]] | None:
    most = max((max(item.dealers, item.needed) for item in staffed), default=0)
    if not most:
        return None
    pitch = 262 // max(1, slots)
    return [
        {
            "x": pitch * index + 2,
            "width": max(8, pitch - 6),
            "middle": pitch * index + max(8, pitch - 6) // 2 + 2,
            "y": 118 - item.dealers * 100 // most,
            "height": item.dealers * 100 // most,
            "need_y": 118 - item.needed * 100 // most,
            "need_x2": pitch * index + max(8, pitch - 6) + 4,
            "dealers": item.dealers,
            "needed": item.needed,
            "is_short": item.is_short,
            "hour": _hour(hour.began),
        }
        for index, (item, hour) in enumerate(zip(staffed, numbers.hours, strict=True))
    ]


def _staff(strings: Sequence[PitString]) -> dict[str, Any]:
    now = house.now()
    resting = [rest for string in strings for rest in string.resting]
    free = [rest for rest in resting if rest.free_at <= now]
    tables = [table for string in strings for table in string.tables]
    return {
        "dealing": sum(table.dealer is not None for table in tables),
        "resting": len(resting) - len(free),
        "free": [str(rest.dealer) for rest in free],
        "missing": [table.table for table in tables if table.dealer is None],
    }


def _final(finals: Sequence[TableWin]) -> dict[str, Any]:
    played = [final for final in finals if final.has_played]
    known = [table_win.final_cents for table_win in played if table_win.final_cents is not None]
    return {"cents": sum(known), "known": len(known), "played": len(played)}


def _basis(numbers: ShiftNumbers) -> dict[str, Any]:
    """Say what the estimate rests on, and by how much it may be off."""
    rests = [
        f"{count} {'table' if count == 1 else 'tables'}: {BASES[basis]}"
        for basis, count in numbers.bases.items()
    ]
    return {"rests": rests, "error": error_words(numbers)}


def _rows(
    request: PitRequest, numbers: ShiftNumbers, finals: Sequence[TableWin], when: Period
) -> list[dict[str, Any]]:
    query = f"?day={when.gaming_day.isoformat()}&shift={when.shift}"
    return [
        {
            "won": table,
            "basis": BASES[table.basis],
            "is_known": table.basis is not EstimateBasis.UNKNOWN,
            "final_cents": final.final_cents,
            "url": reverse("table-win", args=[table.table.name]) + query
            if may_open(request.role, "win")
            else None,
        }
        for table, final in zip(numbers.tables, finals, strict=True)
        if table.basis is not None
    ]
