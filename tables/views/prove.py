"""Prove a hand: a stored round laid out as its cards come off the discard rack."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET

from pitboss.access import may_open, page
from pitboss.api import http_status
from pitboss.middleware import PitRequest
from pitboss.models import Table
from pitboss.rules.floor.incidents import DISPUTE
from pitboss.rules.games.games import spoken
from pitboss.rules.refusal import Refused
from pitboss.rules.rounds.hand_proof import PickedUp, proof_of
from pitboss.selectors.card_faces import faces_of
from pitboss.views.raising import table_named
from tables.models import Round

_ROUNDS = 8


@require_GET
@page("prove")
def prove(request: PitRequest, name: str) -> HttpResponse:
    """Show the last rounds of a table, and one of them from the top of the rack down."""
    table = table_named(name)
    rounds = list(
        Round.objects.filter(table=table).select_related("dealer").order_by("-started_at")[:_ROUNDS]
    )
    chosen = _chosen(request, table, rounds)
    refused: Refused | None = None
    hands: list[dict[str, Any]] = []
    if chosen is not None:
        try:
            proof = proof_of(chosen.log, chosen.verdict)
            hands = [_hand(picked_up, chosen) for picked_up in proof]
        except Refused as error:
            refused = error
    context = {
        "heading": f"Prove a hand at {table}",
        "back": {"url": reverse("table", args=[name]), "label": table.name},
        "rounds": [
            {"round": item, "url": f"{reverse('prove', args=[name])}?round={item.pk}"}
            | {"is_current": item == chosen}
            for item in rounds
        ],
        "chosen": chosen,
        "hands": hands,
        "dispute_url": _dispute_url(name, chosen) if may_open(request.role, "floor_note") else None,
        "refusals": refused.refusals if refused else (),
    }
    return render(
        request, "tables/prove.html", context, status=http_status(refused) if refused else 200
    )


def _dispute_url(name: str, chosen: Round | None) -> str:
    url = reverse("floor-enter", args=[name, DISPUTE])
    return f"{url}?round={chosen.pk}" if chosen else url


def _chosen(request: PitRequest, table: Table, rounds: list[Round]) -> Round | None:
    """Return the round that was asked for, else the newest. Raises Http404."""
    asked = request.GET.get("round", "")
    if not asked:
        return rounds[0] if rounds else None
    if not (asked.isascii() and asked.isdigit() and len(asked) < 19):
        raise Http404("Round not found.")
    found = Round.objects.filter(pk=int(asked), table=table).select_related("dealer").first()
    if found is None:
        raise Http404("Round not found.")
    return found


def _hand(picked: PickedUp, round_: Round) -> dict[str, Any]:
    lines = (round_.verdict or {}).get("lines", [])
    return {
        "picked": picked,
        "cards": faces_of(card.name for card in picked.cards),
        "lines": [
            {**line, "wager": spoken(line["wager"])}
            for line in lines
            if line["seat"] == picked.seat and (picked.hand or 1) == 1
        ],
    }
