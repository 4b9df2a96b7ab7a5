"""The tables of the house, and the exact edge of each side bet while one is set up."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET

from pitboss.access import page
from pitboss.middleware import PitRequest
from pitboss.models import Table
from pitboss.rules.flows.house_flows import TABLE_CHANGE
from pitboss.rules.games.tracked import TABLE_GAMES
from pitboss.rules.roles import Role, may_act_as
from pitboss.selectors.setup_fields import bets_of, edges_said, setup_keyed, stops_of
from pitboss.selectors.table_rules import setup_coming, setup_now
from pitboss.slips.addresses import new_url


@require_GET
@page("house")
def tables(request: PitRequest) -> HttpResponse:
    """List every table as it is set up, with what was approved for its next opening."""
    rows = []
    for table in Table.objects.select_related("pit"):
        now = setup_now(table, request.house)
        rows.append(
            {
                "table": table,
                "minimum_cents": now["minimum_cents"],
                "maximum_cents": now["maximum_cents"],
                "game": TABLE_GAMES[table.game].name,
                "url": new_url(TABLE_CHANGE, table=table.name),
                "is_coming": setup_coming(table) is not None,
            }
        )
    context = {
        "heading": "Tables",
        "back": {"url": reverse("house"), "label": "House"},
        "rows": rows,
        "add_url": new_url(TABLE_CHANGE),
        "may_propose": may_act_as(request.role, Role.PIT_MANAGER),
    }
    return render(request, "pitboss/house_tables.html", context)


@require_GET
@page("house")
def table_edges(request: PitRequest) -> HttpResponse:
    """Say the exact edge of each side bet while its pay table is chosen or typed."""
    keyed = setup_keyed(request.GET)
    game = TABLE_GAMES.get(keyed.get("game", ""))
    edges = edges_said(keyed, request.house)
    context = {
        "bets": bets_of(game, keyed, edges) if game else [],
        "stops": stops_of(edges),
        "is_news": True,
    }
    return render(request, "pitboss/_edges.html", context)
