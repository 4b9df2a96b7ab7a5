"""The sign of an open table on the supervisor's tablet: changed with a tap, with who sits there."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from pitboss.access import page
from pitboss.api import http_status
from pitboss.middleware import PitRequest
from pitboss.models import Slip, Table
from pitboss.rules.floor.fields import SeatNumber, Seats
from pitboss.rules.floor.irregularities import SEATS_AT_A_TABLE
from pitboss.rules.games.live_changes import LIVE_CHANGE, PRESETS, Until, When
from pitboss.rules.refusal import Refused
from pitboss.services import house
from pitboss.views.forms import new_request_id, pen_of, text
from tables.models import Round, SignChange
from tables.selectors.live_changes import coming_words
from tables.services.floor_log import Tap
from tables.services.live_changes import change_sign, coming_at, seat_left

_SEATS = Seats(name="seats", label="Seats")
_SEAT = SeatNumber(name="seat", label="Seat")


@require_http_methods(["GET", "POST"])
@page("sign_changed")
def sign_changed(request: PitRequest, serial: str) -> HttpResponse:
    """Show what the sign must say, and take the tap that it does."""
    slips = Slip.objects.select_related("table__pit").filter(kind=LIVE_CHANGE)
    slip = get_object_or_404(slips, serial=serial)
    table = slip.table
    assert table is not None, "a change of an open table is of a table"
    refused: Refused | None = None
    if request.method == "POST":
        try:
            change_sign(
                slip=slip,
                seats=_SEATS.read(request.POST.getlist("seats")),
                hand=Tap(request.user, request.device, pen_of(request).request_id),
            )
        except Refused as error:
            refused = error
        else:
            coming = coming_at(table, house.now())
            begins = coming_words(coming) if coming else "Now"
            messages.success(request, f"Sign of {table} changed. New limits: {begins}.")
            return redirect("table", name=table.name)
    details = slip.details
    until = PRESETS[details["preset"]].keeps(When(details["when"]))
    context = {
        "heading": f"Sign of {table}",
        "back": {"url": reverse("table", args=[table.name]), "label": table.name},
        "url": reverse("sign-changed", args=[slip.serial]),
        "request_id": new_request_id(),
        "slip": slip,
        "changes": details["changes"],
        "keeps": _KEEPS.get(until, "") if until else "",
        "seats": _seats(table),
        "is_changed": SignChange.objects.filter(slip=slip).exists(),
        "refusals": refused.refusals if refused else (),
    }
    status = http_status(refused) if refused else 200
    return render(request, "tables/sign_changed.html", context, status=status)


_KEEPS = {
    Until.SHOE_ENDS: "Players who are seated keep the old minimum until the shoe ends.",
    Until.THEY_LEAVE: "Players who are seated keep their limits until they leave.",
}


def _seats(table: Table) -> list[dict[str, object]]:
    """Return the seats to tap, those of the last round ticked."""
    last = Round.objects.filter(table=table).order_by("-started_at").first()
    taken = {seat["seat"] for seat in last.log["seats"]} if last else set()
    return [{"number": seat, "is_taken": seat in taken} for seat in range(1, SEATS_AT_A_TABLE + 1)]


@require_POST
@page("sign_changed")
def seat_leaves(request: PitRequest, name: str) -> HttpResponse:
    """Take the tap that a player left who kept older limits."""
    table = get_object_or_404(Table, name=name)
    try:
        seat = _SEAT.read(text(request.POST, "seat"))
        hand = Tap(request.user, request.device, pen_of(request).request_id)
        seat_left(table_id=table.pk, seat=seat, hand=hand)
    except Refused as refused:
        for refusal in refused.refusals:
            messages.error(request, refusal.message)
    else:
        messages.success(request, f"Seat {seat} has the limits on the sign.")
    return redirect("table", name=name)
