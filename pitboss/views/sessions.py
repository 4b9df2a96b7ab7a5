"""Sessions: who is signed in where, and a way to end it."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth import logout
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from pitboss.access import page
from pitboss.api import http_status
from pitboss.middleware import PitRequest
from pitboss.rules.canonical import digest
from pitboss.rules.refusal import Refused
from pitboss.services import house
from pitboss.services.visits import ENDING, end_visits, open_visits
from pitboss.views.forms import text


@never_cache
@require_GET
@page("own")
def sessions(request: PitRequest) -> HttpResponse:
    """List one's own sessions; everyone's for those who may end them."""
    return _listed(request)


@require_POST
@page("own")
def session_end(request: PitRequest) -> HttpResponse:
    """End one session, or all of one's own, or all of the house."""
    number, all_of = text(request.POST, "visit"), text(request.POST, "all")
    try:
        ended = end_visits(
            visit_id=int(number) if number.isdecimal() and len(number) < 19 else None,
            of=None if number or all_of == "house" else request.user,
            actor=request.user,
            device=request.device,
        )
    except Refused as refused:
        return _listed(request, refused)
    if not request.session.exists(request.session.session_key or ""):
        # One's own was among them.
        logout(request)
        return redirect("login")
    messages.success(request, f"{ended} {'session' if ended == 1 else 'sessions'} ended.")
    return redirect("sessions")


def _listed(request: PitRequest, refused: Refused | None = None) -> HttpResponse:
    sees_all = request.role in ENDING
    visits = open_visits(house.now())
    if not sees_all:
        visits = visits.filter(person=request.user)
    own = digest(request.session.session_key or "")
    context = {
        "heading": "Sessions",
        "sees_all": sees_all,
        "rows": [{"visit": visit, "is_this": visit.session_hash == own} for visit in visits],
        "refusals": refused.refusals if refused else (),
    }
    return render(
        request, "pitboss/sessions.html", context, status=http_status(refused) if refused else 200
    )
