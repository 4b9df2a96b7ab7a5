"""Cards on the screen: the stock, what needs someone, a set's passport, and labels to print."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET

from inventory.models import CardPlace, CardSet
from inventory.selectors.card_stock import stock_against_par
from inventory.selectors.cards import (
    STOCK_COLUMNS,
    Trouble,
    needs_somebody,
    passport_of,
    sets_at,
    stock,
)
from inventory.services.cards import where_is
from pitboss.access import may_open, page
from pitboss.middleware import PitRequest
from pitboss.models import Table
from pitboss.paper.labels import Label, draw_labels
from pitboss.rules.cards.sets import ALIVE, SETS_A_RECEIPT_MAX, CardState, clean_mark
from pitboss.rules.roles import Role
from pitboss.services import house
from pitboss.slips.addresses import new_url
from pitboss.slips.kind import the_kind


@require_GET
@page("cards")
def cards(request: PitRequest) -> HttpResponse:
    """Show where all the cards are, and what about them needs someone."""
    asked_for = clean_mark(request.GET.get("set", ""))
    if CardSet.objects.filter(number=asked_for).exists():
        return redirect("card-set", mark=asked_for)
    now = house.now()
    rows = stock()
    context = {
        "columns": [name for name, _ in STOCK_COLUMNS],
        "rows": rows,
        "totals": [sum(column) for column in zip(*(row.counts for row in rows), strict=True)],
        "total": sum(row.total for row in rows),
        "troubles": [_trouble(trouble) for trouble in needs_somebody(now)],
        "pars": [line for line in stock_against_par(now) if line.short],
        "acts": _acts(request),
        "found": asked_for,
        "is_missing": bool(asked_for),
        "tables": Table.objects.order_by("name"),
        **_asked(request),
    }
    return render(request, "inventory/cards/cards.html", context)


def _trouble(trouble: Trouble) -> dict[str, Any]:
    return {
        "tone": trouble.tone,
        "bold": trouble.bold,
        "text": trouble.text,
        "url": reverse(trouble.url_name, args=[*filter(None, [trouble.url_argument])]),
        "label": trouble.label,
    }


def _asked(request: PitRequest) -> dict[str, Any]:
    """Return which sets were at the table that was asked about, at that minute."""
    table = Table.objects.filter(name=request.GET.get("table", "")).first()
    keyed = request.GET.get("at", "")
    zone = house.the_property().zone
    try:
        wall = datetime.fromisoformat(keyed)
    except ValueError:
        wall = house.now().astimezone(zone).replace(second=0, microsecond=0)
    at = wall if wall.tzinfo else wall.replace(tzinfo=zone)
    fields = None
    if table is not None:
        # Whatever happened within that minute counts as there.
        until = at.replace(second=59, microsecond=999_999)
        fields = {
            "table": table.name,
            "sets": [
                {
                    "number": move.card_set.number,
                    "colour": move.card_set.colour,
                    "words": CardState(move.target).label.lower(),
                    "since": move.at,
                }
                for move in sets_at(table, until)
            ],
        }
    return {"asked": fields, "asked_at": f"{at.astimezone(zone):%Y-%m-%dT%H:%M}"}


# Label, icon, kind of slip, words.
_ACTS = (
    ("Receive", "fill", "card_receipt", "from the maker"),
    ("Vault", "lock", "card_vaulting", "inspect and seal"),
    ("To a pit", "cards", "card_issue", "with security"),
    ("To the store", "left", "card_put_back", "unused, sealed"),
    ("Collect", "box", "card_collection", "bags, by security"),
    ("Cancel", "erase", "card_late_cancellation", "what was collected"),
    ("Reconcile", "audit", "", "day and inventory"),
    ("Destroy", "credit", "card_destruction", "after their days"),
)


def _acts(request: PitRequest) -> list[dict[str, Any]]:
    return [
        {
            "label": label,
            "icon": icon,
            "url": new_url(kind) if kind else reverse("card-reckoning"),
            "words": words,
            "refusal": "" if may_open(request.role, kind or "cards") else _whose(kind),
        }
        for label, icon, kind, words in _ACTS
    ]


def _whose(kind: str) -> str:
    is_securitys = Role.SECURITY in the_kind(kind).open_to
    return "Security does this." if is_securitys else "For supervisors."


@require_GET
@page("cards")
def card_set(request: PitRequest, mark: str) -> HttpResponse:
    """Show one set: what it is, where it is, and everything that happened to it."""
    place = get_object_or_404(
        CardPlace.objects.select_related("card_set", "table", "pit"),
        card_set__number=clean_mark(mark),
    )
    state = CardState(place.state)
    number = place.card_set.number
    context = {
        "heading": f"Set {number}",
        "back": {"url": reverse("cards"), "label": "Cards"},
        "place": place,
        "set": place.card_set,
        "state": state.label,
        "where": where_is(place),
        "tone": "bad" if state == CardState.HELD else "off" if state not in ALIVE else "open",
        "lines": passport_of(place.card_set),
        "acts": [
            item
            for item in (
                {
                    "label": "Hold it…",
                    "url": new_url("card_hold", set=number),
                    "may": state in ALIVE - {CardState.HELD}
                    and may_open(request.role, "card_hold"),
                },
                {
                    "label": "Release…",
                    "url": new_url("card_release", set=number),
                    "may": state == CardState.HELD and may_open(request.role, "card_release"),
                },
                {
                    "label": "Cards of its table",
                    "url": reverse("table-cards", args=[place.table.name]) if place.table else "",
                    "may": place.table is not None,
                },
            )
            if item["may"]
        ],
        "label_url": f"{reverse('card-labels')}?set={number}",
    }
    return render(request, "inventory/cards/set.html", context)


@require_GET
@page("cards")
def card_labels(request: PitRequest) -> HttpResponse:
    """Send labels with codes to scan: of some sets, or of all that one receipt brought in."""
    sets = CardSet.objects.order_by("number")
    receipt = request.GET.get("receipt")
    numbers = [clean_mark(item) for item in request.GET.getlist("set")]
    sets = sets.filter(receipt__serial=receipt) if receipt else sets.filter(number__in=numbers)
    labels = [
        Label(item.number, item.colour, item.decks, item.cards, item.lot)
        for item in sets[:SETS_A_RECEIPT_MAX]
    ]
    if not labels:
        raise Http404("Sets not found.")
    answer = HttpResponse(draw_labels(labels), content_type="application/pdf")
    answer["Content-Disposition"] = 'inline; filename="labels.pdf"'
    return answer
