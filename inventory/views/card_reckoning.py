"""The reckoning of cards on the screen: a day by color, and the count of every set."""

from __future__ import annotations

from datetime import timedelta

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from inventory.selectors.card_stock import inventory_of, last_inventory, reckoning_of
from inventory.selectors.cards import too_long_in_use
from pitboss.access import may_open, page
from pitboss.context import rail_place
from pitboss.middleware import PitRequest
from pitboss.services import house
from pitboss.slips.addresses import new_url
from pitboss.views.forms import day_of


@require_GET
@page("cards")
def card_reckoning(request: PitRequest) -> HttpResponse:
    """Show what came and went in a gaming day, by back and size, and what is on hand."""
    now = house.now()
    today = request.period.gaming_day
    day = min(day_of(request.GET, "day") or today, today)
    rows = reckoning_of(day, now)
    context = {
        "heading": "Card reconciliation",
        "back": rail_place("cards"),
        "day": day,
        "earlier": (day - timedelta(days=1)).isoformat(),
        "later": (day + timedelta(days=1)).isoformat() if day < today else "",
        "rows": rows,
        "is_wrong": any(row.difference for row in rows),
        "counted": inventory_of(day),
        "last": last_inventory(),
        "too_long": too_long_in_use(now) if day == today else [],
        "count_url": new_url("card_inventory") if may_open(request.role, "card_inventory") else "",
    }
    return render(request, "inventory/cards/reckoning.html", context)
