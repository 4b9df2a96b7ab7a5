"""What corrections and voids of ratings share: which rating, and what it comes to now."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.shortcuts import get_object_or_404
from django.urls import reverse

from pitboss.middleware import PitRequest
from pitboss.models import Person, Slip
from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.flows.flows import Readers, SlipStatus
from pitboss.rules.refusal import Refusal
from pitboss.rules.roles import KEEPING_BOOKS, SUPERVISING, WATCHING, Role
from pitboss.services import house
from pitboss.slips.addresses import id_of
from pitboss.slips.kind import Raising
from tables.models import PlayRating, RatingDraw
from tables.services.rating_changes import newest_figures, relation_refusals

RATING_READERS = Readers(SUPERVISING | WATCHING | KEEPING_BOOKS, names_patron=True)
KINDS = ("rating_correction", "rating_void")


def hides(slip: Slip, role: Role) -> bool:
    """Tell whether a slip would say of a rating what surveillance has still to see on video."""
    if role not in WATCHING:
        return False
    return RatingDraw.objects.filter(rating=slip.details["rating"], seen=None).exists()


def rating_of(raising: Raising) -> PlayRating:
    """Return the rating that a slip is about."""
    rating: PlayRating = raising.given["rating"]
    return rating


def begins(request: PitRequest, raising: Raising) -> Raising:
    """Return a slip about the rating that the address names."""
    ratings = PlayRating.objects.select_related("patron", "stranger", "table")
    rating = get_object_or_404(ratings, pk=id_of(request.GET, "rating"))
    given = {**raising.given, "rating": rating}
    return replace(raising, given=given, named={"rating": rating.pk})


def pending_refusals(rating: PlayRating) -> list[Refusal]:
    """Return why another change has to wait: one is pending."""
    waiting = Slip.objects.filter(
        kind__in=KINDS, status=SlipStatus.OPEN.value, details__rating=rating.pk
    ).first()
    if waiting is None:
        return []
    words = f"{waiting} is pending. Approve or decline it first."
    return [Refusal("already_proposed", words)]


def proposer_refusals(raising: Raising) -> list[Refusal]:
    """Return that the person who proposes is related to the patron."""
    person = Person.objects.filter(badge=raising.badge).first()
    return relation_refusals(rating_of(raising), person) if person is not None else []


def told_of(rating: PlayRating) -> list[list[str]]:
    """Return what a slip says of the rating that it is about."""
    zone = house.the_property().zone
    figures = newest_figures(rating)
    ended = f"{rating.ended_at.astimezone(zone):%H:%M}" if rating.ended_at else "now"
    says = [
        ["Whose", str(rating.patron or rating.stranger)],
        ["Rating", f"{rating.table}, {rating.began_at.astimezone(zone):%a, %b %-d, %H:%M}–{ended}"],
    ]
    if figures is not None and figures.theo_cents is not None:
        says.append(["Theo", format_money(figures.theo_cents)])
    return says


def back(raising: Raising) -> dict[str, Any]:
    """Return the way back: to the rating."""
    return {"url": reverse("rating", args=[rating_of(raising).pk]), "label": "Rating"}


def locked(raising: Raising) -> Raising:
    """Lock the rating: one change of it is raised at a time."""
    PlayRating.objects.select_for_update(no_key=True).get(pk=rating_of(raising).pk)
    return raising
