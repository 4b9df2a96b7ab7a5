"""What became of a form whose answer was lost: asked for by its page until it is known."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from pitboss.access import page
from pitboss.api import http_status
from pitboss.middleware import PitRequest
from pitboss.rules.refusal import Refused
from pitboss.selectors.slips import step_title
from pitboss.services import house
from pitboss.services.outcomes import FormOutcome, State, outcome_of


@require_POST
@never_cache
@page("own")
def request_outcome(request: PitRequest, sent_id: UUID) -> HttpResponse:
    """Say what became of a form that this device has sent. One that was not done is given up."""
    try:
        outcome = outcome_of(sent_id, device=request.device, now=house.now())
    except Refused as refused:
        fields = {"state": "unknown", "wrong": "Not known here.", "to_do": str(refused), "url": ""}
        return _answer(request, fields, http_status(refused))
    return _answer(request, _words(outcome), 200)


# A tablet that has locked meanwhile still learns what became of it.
request_outcome.open_when_locked = True  # type: ignore[attr-defined]


def _answer(request: PitRequest, told: dict[str, Any], status: int) -> HttpResponse:
    if "text/html" not in request.headers.get("Accept", ""):
        return JsonResponse(told, status=status)
    context = {**told, "home_url": told["url"], "home_label": told.get("label")}
    if told["state"] == State.UNDER_WAY:
        context["ask_url"] = request.path
    return render(request, "pitboss/error.html", context, status=status)


def _words(outcome: FormOutcome) -> dict[str, Any]:
    if outcome.state == State.UNDER_WAY:
        return {
            "state": outcome.state,
            "wrong": "We don’t know yet if this was saved.",
            "to_do": "The database is still working. This page checks again automatically.",
            "url": "",
        }
    if outcome.state == State.NOT_DONE:
        return {
            "state": outcome.state,
            "wrong": "Not signed. Nothing was stored.",
            "to_do": "Do it again.",
            "url": "",
        }
    assert outcome.at is not None, "what was done has no time"
    at = f"{outcome.at.astimezone(house.the_property().zone):%H:%M:%S}"
    if outcome.signature is None:
        return {
            "state": outcome.state,
            "wrong": f"It was stored at {at}.",
            "to_do": "Don’t do it again.",
            "url": "",
        }
    slip = outcome.signature.slip
    step = step_title(slip.kind, outcome.signature.step)
    return {
        "state": outcome.state,
        "wrong": f"Signed at {at}.",
        "to_do": f"{slip.title} {slip.serial}: {step}, {outcome.signature.signed_as}.",
        "url": reverse("slip", args=[slip.serial]),
        "label": f"Open {slip.serial}",
    }
