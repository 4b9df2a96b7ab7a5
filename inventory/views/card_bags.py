"""Bagging on the screen: how a set was counted, into which bag it goes, and the dealer's pad."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from inventory.selectors.cards import slots_of
from inventory.services.card_bags import Bagging, bag_set, new_bagging, taken_from_of
from inventory.services.cards import place_of
from inventory.views.card_store import whole_number
from inventory.views.card_table import SLOT_WORDS, place_or_404, refused_page
from pitboss.access import page
from pitboss.api import http_status
from pitboss.middleware import PitRequest
from pitboss.models import Table
from pitboss.rules.card_sets import CardState, clean_mark
from pitboss.rules.refusal import Refused
from pitboss.views.forms import pen_of, text
from pitboss.views.raising import raise_page, table_named


@require_http_methods(["GET", "POST"])
@page("card_table")
def table_cards_bag(request: PitRequest, name: str) -> HttpResponse:
    """Say how a set was counted and into which bag it goes; then the dealer signs."""
    table = table_named(name)
    refused: Refused | None = None
    if request.method == "POST":
        try:
            return _bag_pad(request, table, _bagging(request))
        except Refused as error:
            refused = error
    return _bag_form(request, table, refused)


def _bag_form(request: PitRequest, table: Table, refused: Refused | None) -> HttpResponse:
    asked = request.POST if request.method == "POST" else request.GET
    place = place_or_404(asked.get("set", ""))
    was = taken_from_of(place)
    default = was.value if was else place.state
    context = {
        "heading": f"Count off {place.card_set}",
        "back": {"url": reverse("table-cards", args=[table.name]), "label": "Cards"},
        "table": table,
        "place": place,
        "set": place.card_set,
        "url": reverse("table-cards-bag", args=[table.name]),
        "was": was,
        "taken_from": asked.get("taken_from", default),
        "slots": [(each.value, SLOT_WORDS[each]) for each in slots_of(table)],
        "bag": asked.get("bag", ""),
        "counted": asked.get("counted", ""),
        "shows": asked.get("shuffler_shows", ""),
        "is_shuffler": asked.get("taken_from", default) == CardState.SHUFFLER.value,
        "refusals": refused.refusals if refused else (),
    }
    status = http_status(refused) if refused else 200
    return render(request, "inventory/cards/bag.html", context, status=status)


def _bagging(request: PitRequest) -> Bagging:
    post = request.POST
    keyed = text(post, "taken_from")
    return Bagging(
        number=clean_mark(text(post, "set")),
        bag=text(post, "bag"),
        taken_from=CardState(keyed) if keyed in list(SLOT_WORDS) else None,
        counted=whole_number(post, "counted"),
        shuffler_shows=whole_number(post, "shuffler_shows"),
    )


@require_POST
@page("card_table")
def table_cards_bag_sign(request: PitRequest, name: str) -> HttpResponse:
    """Raise the cancellation with the dealer's badge and PIN."""
    table = table_named(name)
    try:
        bagging = _bagging(request)
        place_of(bagging.number)
    except Refused as refused:
        return refused_page(request, table, refused)
    try:
        slip = bag_set(table, bagging, pen=pen_of(request), shown=text(request.POST, "shown"))
    except Refused as refused:
        return _bag_pad(request, table_named(name), bagging, refused)
    messages.success(request, f"{slip.serial}: bag {slip.details['bag']}. The supervisor is next.")
    return redirect("slip", serial=slip.serial)


def _bag_pad(
    request: PitRequest, table: Table, bagging: Bagging, refused: Refused | None = None
) -> HttpResponse:
    return raise_page(
        request,
        new_bagging(table, bagging),
        table,
        heading=f"Bag {bagging.number}",
        url=reverse("table-cards-bag-sign", args=[table.name]),
        fields={
            "set": bagging.number,
            "bag": bagging.bag,
            "taken_from": bagging.taken_from.value if bagging.taken_from else "",
            "counted": "" if bagging.counted is None else bagging.counted,
            "shuffler_shows": "" if bagging.shuffler_shows is None else bagging.shuffler_shows,
        },
        back={"url": reverse("table-cards", args=[table.name]), "label": "Cards"},
        refused=refused,
    )
