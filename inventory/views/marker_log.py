"""Markers that are out: by place, patron and age; the day's log; and originals on their way."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from datetime import date, timedelta

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods

from inventory.selectors.credit import Outstanding, outstanding, piles
from inventory.selectors.marker_log import day_logs, log_differences
from inventory.services.marker_transfers import (
    markers_at_cage,
    markers_in,
    new_recall,
    new_transfer,
    transfer_markers,
)
from pitboss.access import may_open, page
from pitboss.middleware import PitRequest
from pitboss.models import Pit
from pitboss.rules.refusal import Refused
from pitboss.services.signing import NewSlip
from pitboss.views.forms import pen_of, text
from pitboss.views.raising import raise_page

_BACK = {"label": "Markers"}


@require_GET
@page("markers")
def markers_out(request: PitRequest) -> HttpResponse:
    """Show every marker that is owed on, and what that is by place, patron and age."""
    markers = outstanding(request.period.gaming_day)
    context = {
        "heading": "Markers outstanding",
        "markers": markers,
        "total_cents": sum(each.balance_cents for each in markers),
        "piles": piles(markers),
        "may_transfer": may_open(request.role, "marker_transfer"),
        "may_recall": may_open(request.role, "marker_recall"),
        "may_look_up": may_open(request.role, "patrons"),
    }
    return render(request, "inventory/markers.html", context)


@require_GET
@page("markers")
def marker_log(request: PitRequest) -> HttpResponse:
    """Show the log of a gaming day, pit by pit, and whether it balances."""
    today = request.period.gaming_day
    day = _day(request.GET.get("day", ""), today)
    context = {
        "heading": f"Marker log, {day:%a %d %b %Y}",
        "back": {**_BACK, "url": reverse("markers")},
        "logs": day_logs(day),
        "differences": log_differences(day),
        "earlier": day - timedelta(days=1),
        "later": day + timedelta(days=1) if day < today else None,
        "is_over": day < today,
    }
    return render(request, "inventory/marker_log.html", context)


def _day(keyed: str, today: date) -> date:
    try:
        return min(date.fromisoformat(keyed), today)
    except ValueError:
        return today


@require_http_methods(["GET", "POST"])
@page("marker_transfer")
def marker_transfer(request: PitRequest) -> HttpResponse:
    """Choose which of a pit's markers go to the cage, one or all, then sign."""
    pit = _pit(request)
    return _transfer(
        request,
        pit,
        "marker-transfer",
        f"{pit}: markers to the cage",
        markers_in(pit),
        lambda serials: new_transfer(pit, serials),
    )


@require_http_methods(["GET", "POST"])
@page("marker_recall")
def marker_recall(request: PitRequest) -> HttpResponse:
    """Choose which markers go from the cage back to a pit, then sign."""
    pit = _pit(request)
    return _transfer(
        request,
        pit,
        "marker-recall",
        f"Markers to {pit}",
        markers_at_cage(),
        lambda serials: new_recall(pit, serials),
    )


def _pit(request: PitRequest) -> Pit:
    """Return the pit that the address names, else the device's own, else the first."""
    given = request.POST.get("pit") or request.GET.get("pit", "")
    if given.isascii() and given.isdigit() and len(given) < 10:
        return get_object_or_404(Pit, pk=int(given))
    device = request.device
    own = Pit.objects.filter(pk=device.pit_id).first() if device and device.pit_id else None
    return own or get_object_or_404(Pit, pk=Pit.objects.order_by("name").values("pk")[:1])


def _transfer(
    request: PitRequest,
    pit: Pit,
    address: str,
    heading: str,
    markers: Sequence[Outstanding],
    make: Callable[[Collection[str]], NewSlip],
) -> HttpResponse:
    refused: Refused | None = None
    # Ticked one by one on the list; carried together to the signature.
    chosen = [*request.POST.getlist("marker"), *request.POST.get("markers", "").split()]
    if request.method == "POST" and chosen:
        new = make(chosen)
        if "pin" in request.POST:
            try:
                slip = transfer_markers(new, pen=pen_of(request), shown=text(request.POST, "shown"))
            except Refused as error:
                refused = error
            else:
                messages.success(request, f"{slip.serial} signed. The other side takes them.")
                return redirect("slip", serial=slip.serial)
        return raise_page(
            request,
            new,
            None,
            heading=heading,
            url=reverse(address),
            fields={"pit": pit.pk, "markers": " ".join(chosen)},
            back={"url": f"{reverse(address)}?pit={pit.pk}", "label": "Choose"},
            refused=refused,
            badge=request.user.badge,
        )
    context = {
        "heading": heading,
        "back": {**_BACK, "url": reverse("markers")},
        "url": reverse(address),
        "pit": pit,
        "pits": [
            {
                "label": str(each),
                "url": f"{reverse(address)}?pit={each.pk}",
                "is_current": each == pit,
            }
            for each in Pit.objects.order_by("name")
        ],
        "markers": markers,
    }
    return render(request, "inventory/marker_transfer.html", context)
