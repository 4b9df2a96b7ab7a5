"""Reference cards of a table, to look at and to print."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_GET

from pitboss.access import may_open, page
from pitboss.middleware import PitRequest
from pitboss.models import Table
from pitboss.rules.book.teaching import cards_for, has_strategy
from pitboss.rules.games.tracked import TABLE_GAMES, is_tracked
from pitboss.selectors.teaching import taught_at
from tables.selectors.board import game_words, limits_words
from tables.selectors.live_changes import with_limits
from tables.selectors.reference import (
    cutting_card,
    pay_card,
    posted_rules,
    strategy_card,
)


@require_GET
@page("reference")
def reference(request: PitRequest, name: str) -> HttpResponse:
    """Show how jobs are done here, what the wagers pay, and how cheques are cut."""
    tables = with_limits(Table.objects.select_related("pit"))
    table = get_object_or_404(tables, name=name)
    game = TABLE_GAMES[table.game]
    context = {
        "heading": f"Reference cards of {table}",
        "back": {"url": reverse("table", args=[name]), "label": name}
        if may_open(request.role, "table")
        else {"url": reverse("home"), "label": "Home"},
        "game": game_words(table),
        "limits": limits_words(table),
        "cutting": cutting_card(table),
        "pays": pay_card(table, request.house),
        "strategy": strategy_card() if has_strategy(game) else None,
        "is_tracked": is_tracked(game),
        "jobs": cards_for(taught_at(table)),
        "posted": posted_rules(table),
    }
    return render(request, "tables/reference.html", context)
