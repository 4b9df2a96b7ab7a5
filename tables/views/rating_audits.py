"""Ratings that surveillance watches on video, blind: what was rated is shown once it is entered."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from pitboss.access import page
from pitboss.api import http_status
from pitboss.middleware import PitRequest
from pitboss.rules.cheques.cheques import read_money
from pitboss.rules.ratings.rating_audit import MINUTES_MAX, SeenOnVideo
from pitboss.rules.refusal import Refused, refuse
from pitboss.services.pads import attested_by
from pitboss.views.forms import pen_of, text
from pitboss.views.pads import pad_of
from tables.models import Agreement, RatingDraw, RatingSeen
from tables.selectors.rating_audits import drawn_line, drawn_waiting, seen_last
from tables.services.rating_audit import watch_rating

_BACK = "Surveillance"


@require_GET
@page("rating_audit")
def rating_audits(request: PitRequest) -> HttpResponse:
    """Show which ratings are to be watched, and how the last ones compared."""
    context = {
        "heading": "Ratings to watch",
        "back": {"url": reverse("surveillance"), "label": _BACK},
        "waiting": drawn_waiting(),
        "seen": seen_last(),
    }
    return render(request, "tables/rating_audits.html", context)


@never_cache
@require_http_methods(["GET", "POST"])
@page("rating_audit")
def rating_audit(request: PitRequest, draw_id: int) -> HttpResponse:
    """Ask for what one drawn rating was on video; its own figures come after that."""
    draw = get_object_or_404(
        RatingDraw.objects.select_related(
            "rating__table", "rating__patron", "rating__stranger", "seen__officer"
        ),
        pk=draw_id,
    )
    refused: Refused | None = None
    if request.method == "POST":
        try:
            seen = watch_rating(draw_id=draw.pk, seen=_seen(request), pen=pen_of(request))
        except Refused as error:
            refused = error
        else:
            messages.success(request, f"Saved: {Agreement(seen.state).label}.")
            return redirect("rating-audit", draw_id=draw.pk)
    stored = RatingSeen.objects.filter(draw=draw).select_related("officer").first()
    context: dict[str, Any] = {
        "heading": "Watch on video",
        "back": {"url": reverse("rating-audits"), "label": "Ratings to watch"},
        "drawn": drawn_line(draw),
        "seen": stored,
        "refusals": refused.refusals if refused else (),
    }
    if stored is not None:
        context |= {
            "state": Agreement(stored.state).label,
            "minutes": stored.seconds // 60,
            "rated_minutes": stored.rated_seconds // 60,
            "rating_url": reverse("rating", args=[draw.rating_id]),
        }
    if stored is None:
        context["was_there"] = not _is_missing(request)
        context["pad"] = _pad(request, draw, refused)
    status = http_status(refused) if refused else 200
    return render(request, "tables/rating_audit.html", context, status=status)


def _is_missing(request: PitRequest) -> bool:
    given = request.POST if request.method == "POST" else request.GET
    return given.get("not_there") == "yes"


def _pad(request: PitRequest, draw: RatingDraw, refused: Refused | None) -> dict[str, Any]:
    missing = _is_missing(request)
    return pad_of(
        request,
        url=reverse("rating-audit", args=[draw.pk]),
        attested=attested_by("rating_not_seen" if missing else "rating_seen"),
        button="Sign: not there" if missing else "Sign what I saw",
        refused=refused,
        badge=request.user.badge,
        inputs=()
        if missing
        else (
            {"name": "minutes", "label": "Minutes played", "type": "text"},
            {"name": "average", "label": "Average bet ($)", "type": "text"},
        ),
        fields={"not_there": "yes"} if missing else {},
    )


def _seen(request: PitRequest) -> SeenOnVideo:
    """Return what was entered of a stay. Raises Refused."""
    minutes, average = text(request.POST, "minutes").strip(), text(request.POST, "average").strip()
    cents = read_money(average) if average else None
    if average and cents is None:
        raise refuse("amount_malformed", "Average bet isn’t valid. Enter dollars, like 25.")
    if minutes and not (minutes.isascii() and minutes.isdecimal() and len(minutes) < 6):
        raise refuse("minutes_malformed", f"Enter the minutes played, 1 to {MINUTES_MAX:,}.")
    return SeenOnVideo(
        minutes=int(minutes) if minutes else None,
        average_cents=cents,
        not_there=_is_missing(request),
    )
