"""Gaming days and shifts on the screen: what is open, what stops a hand-over, and the hand-over."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
from pitboss.models import ClosedDay, ClosedShift, Slip
from pitboss.reports.report import Choice
from pitboss.rules.flows import Flow, SlipStatus
from pitboss.rules.handover_flows import DAY_CLOSE, SHIFT_CLOSE
from pitboss.rules.refusal import Refusal, Refused
from pitboss.services import house
from pitboss.services.shown import request_shown
from pitboss.services.signing import NewSlip
from pitboss.views.forms import pen_of, text
from pitboss.views.pads import pad_of
from tables.services.days import close_day, day_refusals, new_close, open_days
from tables.services.open_items import OpenItem, open_items
from tables.services.shifts import (
    close_shift,
    handover_under_way,
    is_handed_over,
    new_handover,
    open_in,
    shift_before,
    shift_refusals,
)


@require_GET
@page("days")
def days(request: PitRequest) -> HttpResponse:
    """Show the shift to hand over, the gaming days that are open, and those closed last."""
    closing = {
        slip.details["gaming_day"]: slip
        for slip in Slip.objects.filter(kind=DAY_CLOSE.kind, status=SlipStatus.OPEN)
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
                "close_url": reverse("day-close", args=[day.isoformat()]),
            }
            for day in reversed(open_days())
        ],
        "closed": [
            {
                "day": each.gaming_day,
                "slip": each.slip,
                "carried": each.carried.count(),
                "win_url": reverse("day-win", args=[each.gaming_day.isoformat()]),
            }
            for each in ClosedDay.objects.select_related("slip")[:14]
        ],
        "handed_over": [
            {"shift": each, "slip": each.slip, "carried": each.carried.count()}
            for each in ClosedShift.objects.select_related("slip")[:9]
        ],
        "may_close": may_open(request.role, "day_close"),
        "serials_url": reverse("serials"),
        "variances_url": reverse("variances"),
    }
    return render(request, "tables/days.html", context)


def _shift_to_hand_over(request: PitRequest) -> dict[str, Any] | None:
    """Return the shift that ended last in this gaming day, and how far its hand-over is."""
    shift = shift_before(house.now())
    if shift.gaming_day != request.period.gaming_day:
        return None
    of_shift = Choice(shift.gaming_day, shift.gaming_day, shift=shift.shift)
    return {
        "name": shift.shift,
        "ended": shift.ends,
        "items": len(open_in(shift)),
        "is_closed": is_handed_over(shift),
        "closing": handover_under_way(shift),
        "close_url": reverse("shift-close"),
        "report_url": f"{reverse('report', args=['game'])}?{of_shift.query()}",
    }


@require_http_methods(["GET", "POST"])
@page("day_close")
def day_close(request: PitRequest, day: str) -> HttpResponse:
    """Name what is open, tick what is carried over, and hand the day over."""
    try:
        gaming_day = date.fromisoformat(day)
    except ValueError:
        raise Http404("There is no such day.") from None
    return _hand_over(
        request,
        flow=DAY_CLOSE,
        heading=f"Close {gaming_day:%a %d %b %Y}",
        url=reverse("day-close", args=[gaming_day.isoformat()]),
        items=lambda: open_items(gaming_day),
        refusals=lambda: day_refusals(gaming_day),
        new=lambda carry: new_close(gaming_day, carry),
        close=lambda carry: close_day(
            day=gaming_day, carry=carry, pen=pen_of(request), shown=text(request.POST, "shown")
        ),
    )


@require_http_methods(["GET", "POST"])
@page("day_close")
def shift_close(request: PitRequest) -> HttpResponse:
    """Name what the shift that just ended leaves open, and hand it over."""
    shift = shift_before(house.now())
    return _hand_over(
        request,
        flow=SHIFT_CLOSE,
        heading=f"Hand over {shift.shift}, {shift.gaming_day:%a %d %b %Y}",
        url=reverse("shift-close"),
        items=lambda: open_in(shift),
        refusals=lambda: shift_refusals(shift),
        new=lambda carry: new_handover(shift, carry),
        close=lambda carry: close_shift(
            shift=shift, carry=carry, pen=pen_of(request), shown=text(request.POST, "shown")
        ),
    )


def _hand_over(
    request: PitRequest,
    *,
    flow: Flow,
    heading: str,
    url: str,
    items: Callable[[], Sequence[OpenItem]],
    refusals: Callable[[], Sequence[Refusal]],
    new: Callable[[Sequence[str]], NewSlip],
    close: Callable[[Sequence[str]], Slip],
) -> HttpResponse:
    """Show what is open, or take the outgoing shift manager's signature."""
    refused: Refused | None = None
    ticked = request.POST.getlist("carry")
    if request.method == "POST":
        try:
            slip = close(ticked)
        except Refused as error:
            refused = error
        else:
            messages.success(request, f"{slip.serial} handed over. The next shift manager signs.")
            return redirect("slip", serial=slip.serial)
    listed = items()
    # Each is ticked by hand before the pad signs; what is shown is what is signed.
    carry = [item.key for item in listed if item.can_be_carried]
    context = {
        "heading": heading,
        "back": {"url": reverse("days"), "label": "Days"},
        "items": [
            {"item": item, "is_ticked": item.key in ticked, "url": _page_of(item)}
            for item in listed
            if item.can_be_carried
        ],
        "stops": [item for item in listed if not item.can_be_carried],
        "serials_url": reverse("serials"),
        "pad": pad_of(
            request,
            url=url,
            sentence=flow.steps[0].attests,
            button="Sign as shift manager",
            refused=refused,
            badge=request.user.badge,
            shown=request_shown(new(carry), None),
        ),
        "refusals": _reasons(refused, {*carry} <= {*ticked}) if refused else tuple(refusals()),
    }
    return render(
        request, "tables/day_close.html", context, status=http_status(refused) if refused else 200
    )


def _page_of(item: OpenItem) -> str:
    """Return where an open thing is finished."""
    if item.serial:
        return reverse("slip", args=[item.serial])
    return reverse("exception", args=[item.exception_id])


def _reasons(refused: Refused, is_all_ticked: bool) -> list[Refusal]:
    """Return why a hand-over is refused, in words that help.

    With a tick left out, what was signed is not what the screen offered: it is named already.
    """
    return [each for each in refused.refusals if is_all_ticked or each.code != "stale_screen"]
