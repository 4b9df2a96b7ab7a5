"""The dealers of a pit: who deals where, who rests, and who relieves whom next."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from pitboss.access import may_open, page
from pitboss.api import http_status
from pitboss.live import poll_url, polled, whole_floor
from pitboss.middleware import PitRequest
from pitboss.models import Pit, Table
from pitboss.rules.refusal import Refused, refuse
from pitboss.services import house
from pitboss.views.forms import text
from tables.models import Call
from tables.selectors.relief import PitString, pit_string
from tables.services.relief import call_dealer

_SAID = {
    Call.JOIN: "{} is in the string of {}.",
    Call.RELIEVE: "{} is sent to {}.",
    Call.LEAVE: "{} has left the string of {}.",
}


@require_GET
@page("dealers")
def dealers(request: PitRequest) -> HttpResponse:
    """Go to the dealers of this device's pit, or of the first."""
    pit_id = request.device.pit_id if request.device else None
    if pit_id is None:
        pit_id = get_object_or_404(Pit.objects.all()[:1]).pk
    return redirect("pit-dealers", pit_id=pit_id)


@require_GET
@page("dealers")
def pit_dealers(request: PitRequest, pit_id: int) -> HttpResponse:
    """Show a pit's string."""
    pit = get_object_or_404(Pit, pk=pit_id)
    return render(request, "tables/dealers.html", _context(request, pit))


@require_GET
@polled(whole_floor)
@page("dealers")
def pit_dealers_poll(request: PitRequest, pit_id: int) -> HttpResponse:
    """Send the string again when something happened."""
    pit = get_object_or_404(Pit, pk=pit_id)
    return render(request, "tables/_dealers_poll.html", _context(request, pit))


@require_POST
@page("dealer")
def string_call(request: PitRequest, pit_id: int) -> HttpResponse:
    """Call a dealer in, send one to a table, or send one home."""
    pit = get_object_or_404(Pit, pk=pit_id)
    try:
        call = _call_of(request)
        table = None
        if call is Call.RELIEVE:
            table = get_object_or_404(Table, name=text(request.POST, "table"))
        said = call_dealer(
            call,
            pit=pit,
            badge=text(request.POST, "badge"),
            by=request.user,
            device=request.device,
            table=table,
        )
    except Refused as refused:
        context = {**_context(request, pit), "refusals": refused.refusals}
        return render(request, "tables/dealers.html", context, status=http_status(refused))
    messages.success(request, _SAID[call].format(said.dealer, table or pit))
    return redirect("pit-dealers", pit_id=pit.pk)


def _call_of(request: PitRequest) -> Call:
    given = text(request.POST, "call")
    try:
        return Call(given)
    except ValueError:
        raise refuse("unknown_call", "Choose what the dealer is to do.") from None


def _context(request: PitRequest, pit: Pit) -> dict[str, Any]:
    # The version is read before the string: an act in between is news at the next poll.
    poll = poll_url(reverse("pit-dealers-poll", args=[pit.pk]), whole_floor({}))
    now = house.now()
    string = pit_string(pit, request.period, request.house, now)
    return {
        "pit": pit,
        "pits": [
            {
                "label": item.name,
                "url": reverse("pit-dealers", args=[item.pk]),
                "is_current": item.pk == pit.pk,
            }
            for item in Pit.objects.all()
        ],
        "rows": _rows(string, now),
        "resting": [
            {
                "rest": rests,
                "is_free": rests.free_at <= now,
                "goes_to": _goes_to(string, rests.dealer.pk),
            }
            for rests in string.resting
        ],
        "may_call": may_open(request.role, "dealer"),
        "call_url": reverse("string-call", args=[pit.pk]),
        "relief_minutes": request.house["dealers.relief_after"],
        "break_minutes": request.house["dealers.break"],
        "poll_url": poll,
    }


def _rows(string: PitString, now: datetime) -> list[dict[str, Any]]:
    """Return the tables in the order in which their relief comes."""
    since = {table.table: table.since for table in string.tables}
    return [
        {
            "table": relief.table,
            "url": reverse("dealer", args=[relief.table]),
            "dealer": string.people.get(relief.relieved) if relief.relieved else None,
            "since": since[relief.table],
            "relief": relief,
            "is_due": relief.due_at <= now,
            "by": string.people.get(relief.by) if relief.by else None,
        }
        for relief in string.reliefs
    ]


def _goes_to(string: PitString, dealer_id: int) -> str:
    return next((relief.table for relief in string.reliefs if relief.by == dealer_id), "")
