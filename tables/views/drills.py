"""Practice: a hand of one of the house's tables, what is owed, and how it is worked out."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from pitboss.access import page
from pitboss.api import http_status
from pitboss.middleware import PitRequest
from pitboss.models import Table
from pitboss.rules.book.teaching import cards_for
from pitboss.rules.games.games import spoken
from pitboss.rules.games.tracked import TABLE_GAMES, TRACKED_GAMES
from pitboss.rules.refusal import Refused
from pitboss.rules.rounds.drills import Drill
from pitboss.selectors.card_faces import faces_of
from pitboss.selectors.teaching import taught_at
from pitboss.views.forms import dollars_of, text
from tables.selectors.drills import newest_of, this_week
from tables.services.drills import answer_drill, new_drill


@require_http_methods(["GET", "POST"])
@page("drills")
def drills(request: PitRequest) -> HttpResponse:
    """Deal a hand to practice on; with an answer, say whether it is right, and deal the next."""
    # No one practices on a game whose payouts are not settled here.
    settled = Table.objects.exclude(game__in=TRACKED_GAMES)
    tables = list(settled.select_related("pit").order_by("pit__name", "name"))
    asked = request.POST if request.method == "POST" else request.GET
    table = next((item for item in tables if item.name == asked.get("table")), None)
    table = table or next(iter(tables), None)
    context: dict[str, Any] = {
        "heading": "Drills",
        "url": reverse("drills"),
        "tables": [
            {"name": item.name, "game": TABLE_GAMES[item.game].name, "is_chosen": item == table}
            for item in tables
        ],
        "table": table,
        "jobs": cards_for(taught_at(table)) if table else (),
    }
    refused: Refused | None = None
    try:
        if request.method == "POST":
            cents = dollars_of(request.POST, "answer")
            ticket = text(request.POST, "ticket")
            kept, drill = answer_drill(person=request.user, ticket=ticket, answered_cents=cents)
            context |= {"said": kept, "was": _shown(drill)}
        if table is not None:
            dealt, ticket = new_drill(table)
            context |= {"drill": _shown(dealt), "ticket": ticket}
    except Refused as error:
        refused = error
    context |= {
        "refusals": refused.refusals if refused else (),
        "newest": [
            {"answer": drill_answer, "bet": spoken(drill_answer.wager)}
            for drill_answer in newest_of(request.user)
        ],
        "week": this_week(request.user, request.period.gaming_day),
    }
    status = http_status(refused) if refused else 200
    return render(request, "tables/drills.html", context, status=status)


def _shown(drill: Drill) -> dict[str, Any]:
    return {
        "question": drill.question,
        "player": faces_of(drill.player),
        "dealer": faces_of(drill.dealer),
        "owed_cents": drill.owed_cents,
        "working": drill.working,
    }
