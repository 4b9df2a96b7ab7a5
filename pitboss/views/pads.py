"""The sign pad's context, one way for every screen that has one."""

from __future__ import annotations

from typing import Any

from django.urls import reverse

from pitboss.middleware import PitRequest
from pitboss.rules.refusal import Refused
from pitboss.selectors.people import named
from pitboss.views.forms import request_id_after


def pad_of(
    request: PitRequest,
    *,
    url: str,
    sentence: str,
    button: str,
    refused: Refused | None = None,
    badge: str = "",
    inputs: tuple[dict[str, str], ...] = (),
    **more: Any,
) -> dict[str, Any]:
    """Return a pad. After a refusal it keeps the badge and what was keyed, never the PIN.

    The request id stays too: a resend of the same form must be recognised as one.
    """
    posted = request.POST
    if refused is not None:
        badge = posted.get("badge", "")[:12].replace("\x00", "")
    return {
        "url": url,
        "request_id": request_id_after(refused, posted),
        "sentence": sentence,
        "button": button,
        "badge": badge,
        "badge_url": reverse("badge-name"),
        "person": named(badge, request.period, request.house),
        "inputs": [{**each, "value": posted.get(each["name"], "")} for each in inputs],
        **more,
    }
