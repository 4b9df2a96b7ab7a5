"""Gaming days on the screen: which are open, what stops the close, and the close itself."""

from __future__ import annotations

from datetime import date

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods

from pitboss.access import may_open, page
from pitboss.api import http_status
from pitboss.middleware import PitRequest
from pitboss.models import ClosedDay, Slip
from pitboss.rules.flows import SlipStatus
from pitboss.rules.late_flows import DAY_CLOSE
from pitboss.rules.refusal import Refused
from pitboss.services.shown import request_shown
from pitboss.views.forms import pen_of, text
from pitboss.views.pads import pad_of
from tables.services.days import close_day, day_refusals, new_close, open_days, open_items


@require_GET
@page("days")
def days(request: PitRequest) -> HttpResponse:
    """Show the gaming days that are open, and those that were closed last."""
    closing = {
        slip.details["gaming_day"]: slip
        for slip in Slip.objects.filter(kind=DAY_CLOSE.kind, status=SlipStatus.OPEN)
    }
    context = {
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
        "may_close": may_open(request.role, "day_close"),
        "serials_url": reverse("serials"),
    }
    return render(request, "tables/days.html", context)


@require_http_methods(["GET", "POST"])
@page("day_close")
def day_close(request: PitRequest, day: str) -> HttpResponse:
    """Name what is open, tick what is carried over, and hand the day over."""
    try:
        gaming_day = date.fromisoformat(day)
    except ValueError:
        raise Http404("There is no such day.") from None
    items = open_items(gaming_day)
    # Each is ticked by hand before the pad signs; what is shown is what is signed.
    carry = [item.key for item in items if item.can_be_carried]
    refused: Refused | None = None
    if request.method == "POST":
        carry = request.POST.getlist("carry")
        try:
            slip = close_day(
                day=gaming_day,
                carry=carry,
                pen=pen_of(request),
                shown=text(request.POST, "shown"),
            )
        except Refused as error:
            refused = error
            items = open_items(gaming_day)
            carry = [item.key for item in items if item.can_be_carried]
        else:
            messages.success(request, f"{slip.serial} handed over. The next shift manager signs.")
            return redirect("slip", serial=slip.serial)
    stops = [item for item in items if not item.can_be_carried]
    refusals = refused.refusals if refused else tuple(day_refusals(gaming_day))
    context = {
        "heading": f"Close {gaming_day:%a %d %b %Y}",
        "back": {"url": reverse("days"), "label": "Days"},
        "items": [item for item in items if item.can_be_carried],
        "stops": stops,
        "serials_url": reverse("serials"),
        "pad": pad_of(
            request,
            url=reverse("day-close", args=[gaming_day.isoformat()]),
            sentence=DAY_CLOSE.steps[0].attests,
            button="Sign as shift manager",
            refused=refused,
            badge=request.user.badge,
            shown=request_shown(new_close(gaming_day, carry), None),
        ),
        "refusals": refusals,
    }
    return render(
        request, "tables/day_close.html", context, status=http_status(refused) if refused else 200
    )
