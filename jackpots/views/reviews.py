"""Review a jackpot again, when its last review is too old to release it."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from jackpots.selectors.jackpots import hit_now, jackpots
from jackpots.services.jackpots import new_review, review_again
from pitboss.access import page
from pitboss.api import http_status
from pitboss.middleware import PitRequest
from pitboss.rules.asks import ASKS
from pitboss.rules.jackpot_flows import JACKPOT_REVIEW
from pitboss.rules.refusal import Refused
from pitboss.services.shown import request_shown
from pitboss.views.forms import pen_of, said_of, text
from pitboss.views.pads import pad_of


@require_http_methods(["GET", "POST"])
@page("jackpot_review")
def jackpot_review(request: PitRequest, serial: str) -> HttpResponse:
    """Show a jackpot and take another review of it."""
    jackpot = get_object_or_404(jackpots(), slip__serial=serial)
    slip = jackpot.slip
    refused: Refused | None = None
    if request.method == "POST":
        try:
            review_again(
                jackpot=slip,
                said=said_of(request.POST),
                pen=pen_of(request),
                shown=text(request.POST, "shown"),
            )
        except Refused as error:
            refused = error
        else:
            messages.success(request, f"{slip.serial} was reviewed again.")
            return redirect("slip", serial=slip.serial)
    step = JACKPOT_REVIEW.steps[0]
    context = {
        "heading": f"Review of {slip.serial}",
        "back": {"url": reverse("jackpots"), "label": "Jackpots"},
        "hit": hit_now(jackpot),
        "pad": pad_of(
            request,
            url=reverse("jackpot-review", args=[serial]),
            sentence=step.attests,
            button="Sign the review",
            refused=refused,
            inputs=tuple(
                {"name": f"said_{name}", "label": ASKS[name].label, "type": "text"}
                for name in step.asks
            ),
            shown=request_shown(new_review(slip), slip.table),
        ),
        "refusals": refused.refusals if refused else (),
    }
    return render(
        request,
        "jackpots/review.html",
        context,
        status=http_status(refused) if refused else 200,
    )
