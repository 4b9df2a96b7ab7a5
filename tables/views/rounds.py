"""The open round of a table on a tablet: what was told, undone or aborted by a supervisor's tap."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from pitboss.access import page
from pitboss.api import http_status
from pitboss.middleware import PitRequest
from pitboss.models import Table
from pitboss.rules.refusal import Refused
from pitboss.rules.rounds.ending import Abort
from pitboss.rules.rounds.parts import in_force
from pitboss.selectors.card_faces import faces_of
from pitboss.views.forms import pen_of, request_id_after
from pitboss.views.raising import table_named
from tables.models import Round
from tables.services.floor_log import Tap
from tables.services.round_corrections import abort_by_supervisor, undo_by_supervisor

_PART_WORDS = {
    "earlier": "Entered earlier",
    "seats": "Seats",
    "wagers": "Bets",
    "cards": "Cards",
    "decisions": "Decision",
    "payouts": "Payouts",
}


@require_http_methods(["GET", "POST"])
@page("round")
def open_round(request: PitRequest, name: str) -> HttpResponse:
    """Show the round that is on at a table, and take a supervisor's tap on it."""
    table = table_named(name)
    round_ = _asked_for(request, table)
    if request.method == "GET" or round_ is None:
        return _show(request, table, round_)
    tap = Tap(request.user, request.device, pen_of(request).request_id)
    try:
        if request.POST.get("act") == "abort":
            abort_by_supervisor(round_=round_, tap=tap, told=_abort_of(request))
            messages.success(request, f"Round {round_.pk} is aborted.")
        else:
            undo_by_supervisor(round_=round_, tap=tap)
            messages.success(request, "The last entry is undone.")
    except Refused as refused:
        return _show(request, table, round_, refused)
    return redirect("round", name=name)


def _asked_for(request: PitRequest, table: Table) -> Round | None:
    """Return the round that a form is about, else the one that is open. Raises Http404."""
    rounds = Round.objects.filter(table=table).select_related("table", "dealer")
    if request.method == "GET":
        return rounds.filter(ended_at=None).first()
    asked = request.POST.get("round", "")
    if not (asked.isascii() and asked.isdigit() and len(asked) < 19):
        raise Http404("Round not found.")
    found = rounds.filter(pk=int(asked)).first()
    if found is None:
        raise Http404("Round not found.")
    return found


def _abort_of(request: PitRequest) -> Mapping[str, Any]:
    return {
        "reason": request.POST.get("reason"),
        "stakes_returned": request.POST.get("stakes") == "returned",
    }


def _show(
    request: PitRequest, table: Table, round_: Round | None, refused: Refused | None = None
) -> HttpResponse:
    context = {
        "heading": f"Round at {table}",
        "back": {"url": reverse("table", args=[table.name]), "label": table.name},
        "url": reverse("round", args=[table.name]),
        "round": round_,
        "is_open": round_ is not None and round_.ended_at is None,
        "parts": [_part(part) for part in in_force(round_.parts)] if round_ else [],
        "reasons": list(Abort),
        "request_id": request_id_after(refused, request.POST),
        "refusals": refused.refusals if refused else (),
    }
    return render(
        request, "tables/round.html", context, status=http_status(refused) if refused else 200
    )


def _part(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Return one part as it is read: what it was, and its cards."""
    body = entry["told"]
    fallen = body.get("cards", []) if entry["part"] == "cards" else []
    return {
        "number": entry["number"],
        "words": _PART_WORDS[entry["part"]],
        "seat": body.get("seat"),
        "decision": body.get("decision", ""),
        "cards": faces_of(item["card"] for item in fallen),
    }
