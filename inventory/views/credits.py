"""Credits on the screen: sent from the table, and refused by the cage."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods, require_POST

from inventory.services.credits import (
    credit_refusals,
    new_credit,
    new_credit_return,
    request_credit,
    send_credit_back,
)
from inventory.views.asking import Asking, GoingBack, choose, go_back, raise_asked
from pitboss.access import page
from pitboss.middleware import PitRequest
from pitboss.models import Slip
from pitboss.rules.cheques import suggest_credit_to_par
from pitboss.rules.credit_flows import CREDIT

_ASKING = Asking(
    flow=CREDIT,
    new_url="credit-new",
    sign_url="credit-sign",
    sign=-1,
    verb="Send to the cage",
    button="Send {}",
    starts=(("par", "Down to par"), ("empty", "Empty")),
    new=new_credit,
    refusals=credit_refusals,
    raised=request_credit,
    suggested=suggest_credit_to_par,
)
_GOING_BACK = GoingBack(
    flow=CREDIT,
    url="credit-return",
    back_label="Credit",
    new=new_credit_return,
    sent_back=lambda credit, reason, pen, shown: send_credit_back(
        credit=credit, reason=reason, pen=pen, shown=shown
    ),
)


@require_http_methods(["GET", "POST"])
@page("credit")
def credit_new(request: PitRequest, name: str) -> HttpResponse:
    """Choose the cheques of a credit, suggested down to par; then sign for it."""
    return choose(request, _ASKING, name)


@require_POST
@page("credit")
def credit_sign(request: PitRequest, name: str) -> HttpResponse:
    """Raise the credit with the supervisor's badge and PIN."""
    credit = raise_asked(request, _ASKING, name)
    if not isinstance(credit, Slip):
        return credit
    top = any(step["name"] == "top_signed" for step in credit.plan)
    waits = "Waits for the pit manager." if top else "The dealer proves it next."
    messages.success(request, f"Credit {credit.serial} asked. {waits}")
    # The dealer signs on the same tablet, so the slip comes up for them at once.
    return redirect("slip", serial=credit.serial)


@require_http_methods(["GET", "POST"])
@page("credit_return")
def credit_return(request: PitRequest, serial: str) -> HttpResponse:
    """Send a credit that differs back to its table with the officer who brought it."""
    return go_back(request, _GOING_BACK, serial)
