"""Cards of one table on the screen: its slots, the change of its day, bags and waivers."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET

from inventory.kinds.of_cards import SLOT_WORDS
from inventory.models import CardPlace
from inventory.selectors.cards import (
    DayChangeGuide,
    GuideStep,
    cards_at_table,
    change_guide,
    is_closing,
    is_on_the_game,
    open_card_slips,
    slots_of,
)
from inventory.services.card_accounts import (
    CLOSING,
    OPENING,
    cards_refusals,
    is_waived,
    placed_on_seal,
)
from pitboss.access import may_open, page
from pitboss.middleware import PitRequest
from pitboss.models import Slip, Table
from pitboss.rules.cards.change_days import CHANGE_DAYS
from pitboss.rules.cards.sets import CardState
from pitboss.rules.games.table_setup import CardProfile
from pitboss.selectors.slips import due_step, heading_of, role_words
from pitboss.slips.addresses import new_url
from pitboss.views.raising import table_named


@require_GET
@page("cards")
def table_cards(request: PitRequest, name: str) -> HttpResponse:
    """Show what lies in a table's slots, and the next step of its change of day."""
    table = table_named(name)
    places = cards_at_table(table)
    here = {CardState(place.state): place for place in places}
    guide = change_guide(table)
    may_act = may_open(request.role, "card_to_table")
    door = CLOSING if table.is_open else OPENING
    waived = is_waived(table, door)
    # On a game that goes on, cards at the table are nothing to speak of.
    at_the_door = not table.is_open or is_closing(table)
    context = {
        "heading": f"Cards of {table.name}",
        "back": {"url": reverse("table", args=[table.name]), "label": table.name},
        "table": table,
        "profile": CardProfile(table.cards).label,
        "on_seal": placed_on_seal(
            [place.card_set.number for place in here.values() if not place.is_inspected]
        ),
        "change_day": CHANGE_DAYS[request.house["cards.change_day"]],
        "slots": [
            {
                "name": SLOT_WORDS[slot],
                "place": here.get(slot),
                "acts": _slot_acts(table, slot, here.get(slot)) if may_act else [],
            }
            for slot in slots_of(table)
        ],
        "off": [
            {
                "place": place,
                "url": new_url("card_cancellation", table=table.name, set=place.card_set.number),
            }
            for place in places
            if not is_on_the_game(place)
        ],
        "slips": [_slip_row(slip) for slip in open_card_slips(table)],
        "guide": _guide(table, guide) if table.is_open and may_act and places else None,
        "door": door,
        "door_refusals": [] if waived or not at_the_door else cards_refusals(table, door),
        "is_waived": waived,
        "waive_url": new_url("card_waiver", table=table.name, door=door)
        if may_open(request.role, "card_waiver")
        else "",
        "may_act": may_act,
    }
    return render(request, "inventory/cards/table.html", context)


def _slot_acts(table: Table, slot: CardState, place: CardPlace | None) -> list[dict[str, str]]:
    """Return what can be done with one slot."""
    if place is None:
        return [
            {
                "label": "Bring a set",
                "url": new_url("card_to_table", table=table.name, slot=slot.value),
            }
        ]
    number = place.card_set.number
    if slot == CardState.SPARE:
        opened = CardState.IN_PLAY if CardState.IN_PLAY in slots_of(table) else CardState.SHUFFLER
        return [
            {
                "label": "Open it",
                "url": new_url("card_to_table", table=table.name, slot=opened.value, set=number),
            },
            {
                "label": "Back to the cabinet",
                "url": new_url("card_unused", table=table.name, set=number),
            },
        ]
    return [
        {
            "label": "Count off, bag…",
            "url": new_url("card_cancellation", table=table.name, set=number),
        },
        {
            "label": "Replace a card…",
            "url": new_url("card_replacement", table=table.name, set=number),
        },
        {"label": "Hold it…", "url": new_url("card_hold", set=number)},
    ]


def _slip_row(slip: Slip) -> dict[str, str]:
    due = due_step(slip)
    return {
        "serial": slip.serial,
        "title": heading_of(slip),
        "waits": f"Waiting for {role_words(due)}" if due else "",
    }


def _guide(table: Table, guide: DayChangeGuide) -> dict[str, Any]:
    now = guide.now
    return {
        "steps": guide.steps,
        "is_begun": guide.is_begun,
        "is_done": now is None,
        "act": _guide_act(table, now) if now else None,
        "again": new_url("card_to_table", table=table.name, half=1),
    }


def _guide_act(table: Table, step: GuideStep) -> dict[str, str]:
    """Return the one thing to do next: sign what waits, bring a set, or bag one."""
    if step.slip:
        return {"label": f"Sign {step.slip}", "url": reverse("slip", args=[step.slip])}
    if step.half:
        return {
            "label": step.title,
            "url": new_url("card_to_table", table=table.name, half=step.half),
        }
    return {
        "label": f"Bag {step.number}",
        "url": new_url("card_cancellation", table=table.name, set=step.number),
    }
