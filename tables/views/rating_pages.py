"""A patron's card and one rating, each figure opened to what it is made of."""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_GET

from inventory.models import Patron
from inventory.selectors.patrons import photos_of
from inventory.services.patrons import read_content
from pitboss.access import may_open, page
from pitboss.middleware import PitRequest
from pitboss.rules.roles import HOSTING, WATCHING, Role
from pitboss.services import house
from pitboss.slips.addresses import new_url
from tables.models import PlayRating
from tables.selectors.rating_audits import is_blind
from tables.selectors.rating_card import card_of, rating_page_of
from tables.services.hosts import host_of
from tables.services.rating_reading import note_reading

# What can be raised from a patron's card.
_ACTS = (
    ("comp", "Comp…"),
    ("cash_comp", "Cash comp…"),
    ("rebate", "Rebate…"),
    ("points_by_hand", "Points…"),
    ("patron_host", "Host…"),
    ("relation", "Relation…"),
    ("loss_limit", "Loss limit…"),
    ("same_patron", "On file twice…"),
)


@require_GET
@page("rating")
def patron_card(request: PitRequest, patron_id: int) -> HttpResponse:
    """Show how a patron plays: this trip, its theo and result, and the ratings."""
    patron = get_object_or_404(Patron, pk=patron_id)
    demand_own(request, patron)
    now = house.now()
    with transaction.atomic():
        note_reading(patron, request.user, request.device, now)
    card = card_of(patron, now, request.role, request.house)
    context = {
        "heading": "Patron card",
        "back": _back(request, patron),
        "card": card,
        # That there is one is asked here: the picture itself is read where it is shown.
        "photo_url": reverse("patron-photo", args=[patron.pk])
        if photos_of(patron).exists()
        else "",
        "file_url": reverse("patron", args=[patron.pk])
        if may_open(request.role, "patrons")
        else "",
        "note_url": reverse("note-new") if may_open(request.role, "note_new") else "",
        "acts": [
            {"label": label, "url": new_url(kind, patron=patron.pk)}
            for kind, label in _ACTS
            if may_open(request.role, kind)
        ],
    }
    return render(request, "tables/patron_card.html", context)


@require_GET
@page("rating")
def patron_photo(request: PitRequest, patron_id: int) -> HttpResponse:
    """Show the photo on file to the person who reads the card; the journal keeps who looked."""
    patron = get_object_or_404(Patron, pk=patron_id)
    demand_own(request, patron)
    photo = photos_of(patron).first()
    if photo is None:
        raise Http404("No photo is on file.")
    content = read_content(document=photo, person=request.user, device=request.device)
    response = HttpResponse(content, content_type=photo.media_type)
    response["Cache-Control"] = "no-store"
    response["Content-Disposition"] = "inline"
    return response


def demand_own(request: PitRequest, patron: Patron | None) -> None:
    """Let a host read of their own patrons alone. Raises PermissionDenied."""
    if request.role is Role.HOST and (patron is None or host_of(patron) != request.user):
        raise PermissionDenied("This patron has another host. Ask the host manager.")


def _back(request: PitRequest, patron: Patron) -> dict[str, str]:
    if request.role in HOSTING:
        return {"url": reverse("hosts"), "label": "Patrons"}
    playing = PlayRating.objects.filter(patron=patron, ended_at=None).select_related("table")
    rating = playing.first()
    if rating is not None:
        return {"url": reverse("table", args=[rating.table.name]), "label": rating.table.name}
    return {"url": reverse("board"), "label": "Board"}


@require_GET
@page("rating")
def rating(request: PitRequest, rating_id: int) -> HttpResponse:
    """Show one rating: who sat where, what was seen, and how its theo comes about."""
    found = get_object_or_404(
        PlayRating.objects.select_related("table", "patron", "stranger", "began_by", "ended_by"),
        pk=rating_id,
    )
    patron, now = found.patron, house.now()
    demand_own(request, patron)
    if request.role in WATCHING and is_blind(found):
        raise PermissionDenied("This rating is drawn for the audit. Watch it on video first.")
    if patron is not None:
        with transaction.atomic():
            note_reading(patron, request.user, request.device, now)
        back = {"url": reverse("patron-card", args=[patron.pk]), "label": str(patron)}
    else:
        back = {"url": reverse("table", args=[found.table.name]), "label": found.table.name}
    shown = rating_page_of(found, now, request.role, request.house)
    figures = shown["figures"]
    acts = []
    if found.ended_at is not None and figures is not None and not figures.is_void:
        acts = [
            {"label": label, "url": new_url(kind, rating=found.pk)}
            for kind, label in (("rating_correction", "Correct…"), ("rating_void", "Void…"))
            if may_open(request.role, kind)
        ]
    context = {"heading": f"Rating at {found.table}", "back": back, "acts": acts, **shown}
    return render(request, "tables/rating.html", context)
