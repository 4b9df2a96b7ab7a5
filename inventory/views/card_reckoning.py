"""The reckoning of cards on the screen: a day by colour, and the count of every set."""

from __future__ import annotations

from datetime import date, timedelta

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from inventory.selectors.card_stock import inventory_of, last_inventory, reckoning_of
from inventory.selectors.cards import stock, too_long_in_use
from inventory.services.card_inventory import count_cards, inventory_refusals, new_inventory
from inventory.views.card_store import back_to_cards, whole_number
from pitboss.access import may_open, page
from pitboss.api import http_status
from pitboss.middleware import PitRequest
from pitboss.rules.card_reckoning import Back
from pitboss.rules.card_sets import DECKS, BackColour
from pitboss.rules.refusal import Refused
from pitboss.services import house
from pitboss.views.forms import pen_of, text
from pitboss.views.raising import raise_page


@require_GET
@page("cards")
def card_reckoning(request: PitRequest) -> HttpResponse:
    """Show what came and went in a gaming day, by back and size, and what is on hand."""
    now = house.now()
    today = request.period.gaming_day
    try:
        day = min(date.fromisoformat(request.GET.get("day", "")), today)
    except ValueError:
        day = today
    rows = reckoning_of(day, now)
    context = {
        "heading": "Reckoning of cards",
        "back": back_to_cards(),
        "day": day,
        "earlier": (day - timedelta(days=1)).isoformat(),
        "later": (day + timedelta(days=1)).isoformat() if day < today else "",
        "rows": rows,
        "is_wrong": any(row.difference for row in rows),
        "counted": inventory_of(day),
        "last": last_inventory(),
        "too_long": too_long_in_use(now) if day == today else [],
        "count_url": reverse("card-count") if may_open(request.role, "card_desk") else "",
    }
    return render(request, "inventory/cards/reckoning.html", context)


@require_http_methods(["GET", "POST"])
@page("card_desk")
def card_count(request: PitRequest) -> HttpResponse:
    """Count every set, blind; then sign for it."""
    refused: Refused | None = None
    if request.method == "POST":
        try:
            found = _found(request.POST)
            refusals = inventory_refusals(found)
            if refusals:
                raise Refused(refusals)
        except Refused as error:
            refused = error
        else:
            return _pad(request, found)
    context = {
        "heading": "Count the cards",
        "back": {"url": reverse("card-reckoning"), "label": "Reckoning"},
        "url": reverse("card-count"),
        # Which backs there are is no secret, how many is.
        "backs": [
            {
                "name": _field(row.colour, row.decks),
                "colour": row.colour,
                "decks": row.decks,
                "value": request.POST.get(_field(row.colour, row.decks), ""),
            }
            for row in stock()
        ],
        "refusals": refused.refusals if refused else (),
    }
    status = http_status(refused) if refused else 200
    return render(request, "inventory/cards/count.html", context, status=status)


def _field(colour: str, decks: int) -> str:
    return f"sets_{colour}_{decks}"


def _found(post: QueryDict) -> dict[Back, int]:
    """Return what was keyed for each back and size; an empty field is refused."""
    found = {}
    for colour in BackColour:
        for decks in DECKS:
            name = _field(colour.value, decks)
            if name in post:
                sets = whole_number(post, name)
                found[colour.value, decks] = -1 if sets is None else sets
    return found


@require_POST
@page("card_desk")
def card_count_sign(request: PitRequest) -> HttpResponse:
    """Raise the inventory with a supervisor's badge and PIN."""
    found: dict[Back, int] = {}
    try:
        found = _found(request.POST)
        slip = count_cards(found, pen=pen_of(request), shown=text(request.POST, "shown"))
    except Refused as refused:
        return _pad(request, found, refused)
    messages.success(request, f"{slip.serial} signed. A second person counts them too.")
    return redirect("slip", serial=slip.serial)


def _pad(
    request: PitRequest, found: dict[Back, int], refused: Refused | None = None
) -> HttpResponse:
    return raise_page(
        request,
        new_inventory(found),
        None,
        heading="Count the cards",
        url=reverse("card-count-sign"),
        fields={_field(colour, decks): sets for (colour, decks), sets in found.items()},
        back={"url": reverse("card-count"), "label": "Count"},
        refused=refused,
        badge=request.user.badge,
    )
