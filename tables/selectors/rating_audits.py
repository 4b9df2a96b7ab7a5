"""Read drawn ratings: blind before they are watched, both sides after."""

from __future__ import annotations

from typing import Any

from django.db.models import Count, Q, QuerySet
from django.urls import reverse

from tables.models import Agreement, PlayRating, RatingDraw, RatingSeen

_LISTED = 50


def draws_waiting() -> QuerySet[RatingDraw]:
    """Return the draws that no one has watched yet, oldest first."""
    draws = RatingDraw.objects.filter(seen=None).order_by("id")
    return draws.select_related("rating__table", "rating__patron", "rating__stranger")


def drawn_waiting() -> list[dict[str, Any]]:
    """Return the ratings to watch, as a list shows them: nothing that was rated."""
    return [drawn_line(draw) for draw in draws_waiting()[:_LISTED]]


def drawn_line(draw: RatingDraw) -> dict[str, Any]:
    """Return whom to look for, and where: no time, no bet, no rater."""
    rating = draw.rating
    seats = sorted({held.seat for held in rating.seats.all()})
    stay = ""
    place, count = _place_of(rating)
    if count > 1:
        stay = f"stay {place} of {count} at this table"
    return {
        "url": reverse("rating-audit", args=[draw.pk]),
        "who": str(rating.patron or rating.stranger),
        "table": rating.table.name,
        "seats": " and ".join(map(str, seats)),
        "seats_count": len(seats),
        "gaming_day": rating.gaming_day,
        "stay": stay,
    }


def _place_of(rating: PlayRating) -> tuple[int, int]:
    """Return which stay of the same player at this table and day it is, and of how many."""
    same = PlayRating.objects.filter(
        table=rating.table_id,
        gaming_day=rating.gaming_day,
        patron=rating.patron_id,
        stranger=rating.stranger_id,
    )
    earlier = Q(began_at__lt=rating.began_at) | Q(began_at=rating.began_at, pk__lte=rating.pk)
    found = same.aggregate(count=Count("pk"), place=Count("pk", filter=earlier))
    return found["place"], found["count"]


def seen_last() -> list[dict[str, Any]]:
    """Return how the last ratings compared with video."""
    seen = RatingSeen.objects.select_related(
        "draw__rating__table", "draw__rating__patron", "draw__rating__stranger", "officer"
    )
    return [
        {
            "url": reverse("rating-audit", args=[rating_seen.draw_id]),
            "who": str(rating_seen.draw.rating.patron or rating_seen.draw.rating.stranger),
            "table": rating_seen.draw.rating.table.name,
            "gaming_day": rating_seen.draw.rating.gaming_day,
            "officer": str(rating_seen.officer),
            "state": Agreement(rating_seen.state).label,
            "agrees": rating_seen.state == Agreement.AGREES,
        }
        for rating_seen in seen.order_by("-id")[:_LISTED]
    ]


def is_blind(rating: PlayRating) -> bool:
    """Tell whether a rating is drawn and not watched yet: surveillance is not shown it."""
    return RatingDraw.objects.filter(rating=rating, seen=None).exists()
