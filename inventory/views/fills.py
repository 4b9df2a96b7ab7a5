"""Fills on the screen: asked for at the table, and sent back from it."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods, require_POST

from inventory.services.fills import (
    fill_refusals,
    new_fill,
    new_return,
    request_fill,
    send_back,
)
from inventory.views.asking import Asking, GoingBack, choose, go_back, raise_asked
from pitboss.access import page
from pitboss.middleware import PitRequest
from pitboss.models import Slip
from pitboss.rules.cheques import suggest_to_par
from pitboss.rules.fill_flows import FILL

_ASKING = Asking(
    flow=FILL,
    new_url="fill-new",
    sign_url="fill-sign",
    sign=1,
    verb="Ask the cage for",
    button="Ask for {}",
    starts=(("par", "To par"), ("last", "Last fill"), ("empty", "Empty")),
    new=new_fill,
    refusals=fill_refusals,
    raised=request_fill,
    suggested=suggest_to_par,
)
_GOING_BACK = GoingBack(
    flow=FILL,
    url="fill-return",
    back_label="Fill",
    new=new_return,
    sent_back=lambda fill, reason, pen, shown: send_back(
        fill=fill, reason=reason, pen=pen, shown=shown
    ),
)


@require_http_methods(["GET", "POST"])
@page("fill")
def fill_new(request: PitRequest, name: str) -> HttpResponse:
    """Choose the cheques of a fill, suggested to par; then sign for it."""
    return choose(request, _ASKING, name)


@require_POST
@page("fill")
def fill_sign(request: PitRequest, name: str) -> HttpResponse:
    """Raise the fill with the supervisor's badge and PIN."""
    fill = raise_asked(request, _ASKING, name)
    if not isinstance(fill, Slip):
        return fill
    top = any(step["name"] == "top_signed" for step in fill.plan)
    waits = "Waits for the pit manager." if top else "Waits for the cage."
    messages.success(request, f"Fill {fill.serial} asked. {waits}")
    return redirect("table", name=name)


@require_http_methods(["GET", "POST"])
@page("fill")
def fill_return(request: PitRequest, serial: str) -> HttpResponse:
    """Send a wrong fill back with the officer who brought it."""
    return go_back(request, _GOING_BACK, serial)
