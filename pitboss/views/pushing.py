"""Notifications of the inbox: the script that shows them, and a person turning them on and off."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.contrib.staticfiles import finders
from django.http import HttpResponse, JsonResponse
from django.views.decorators.http import require_GET, require_POST

from pitboss.access import page
from pitboss.api import http_status
from pitboss.middleware import PitRequest
from pitboss.rules.refusal import Refused
from pitboss.services.pushing import turn_off, turn_on
from pitboss.views.forms import text


@require_GET
def push_worker(request: Any) -> HttpResponse:
    """Send the script that shows notifications, from the path whose pages it may open."""
    found = finders.find("pitboss/push_worker.js")
    assert isinstance(found, str), "the script is one of the site's own"
    return HttpResponse(Path(found).read_bytes(), content_type="text/javascript")


# A browser asks for it anew by itself, whether anyone is signed in or not.
push_worker.answers_for_itself = True  # type: ignore[attr-defined]


@require_POST
@page("inbox")
def push_on(request: PitRequest) -> HttpResponse:
    """Turn notifications on for this person on this device."""
    try:
        turn_on(
            endpoint=text(request.POST, "endpoint"),
            p256dh=text(request.POST, "p256dh"),
            auth=text(request.POST, "auth"),
            session_key=request.session.session_key,
            person=request.user,
            device=request.device,
        )
    except Refused as refused:
        words = " ".join(refusal.message for refusal in refused.refusals)
        return JsonResponse({"words": words}, status=http_status(refused))
    return JsonResponse({"words": "Notifications are on until you sign out."})


@require_POST
@page("inbox")
def push_off(request: PitRequest) -> HttpResponse:
    """Turn notifications off for this person on this device."""
    turn_off(session_key=request.session.session_key, person=request.user, device=request.device)
    return JsonResponse({"words": "Notifications are off."})
