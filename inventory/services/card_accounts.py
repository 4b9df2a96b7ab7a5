"""A table opens and closes only when its cards are accounted for, or a shift manager waives it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from inventory.models import CardMove, CardPlace
from inventory.services.cards import facts_of
from pitboss.models import Slip, Table
from pitboss.rules.cards.judging import closing_refusals, opening_refusals
from pitboss.rules.cards.sets import AT_TABLE, ON_THE_GAME, CardAct
from pitboss.rules.flows.flows import SlipStatus
from pitboss.rules.games.table_setup import CardProfile
from pitboss.rules.refusal import Refusal, Refused

# What a waiver is for: each word is also what the table cannot do without it.
OPENING = "opening"
CLOSING = "closing"


def cards_refusals(table: Table, door: str) -> list[Refusal]:
    """Return why the cards of a table do not let it open or close.

    Two managers say in a table's setup how its cards are shuffled; only such a table is kept shut
    for want of cards. What lies on a table must be accounted for wherever it lies.
    """
    states = ON_THE_GAME if door == OPENING else AT_TABLE
    sets = facts_of(
        CardPlace.objects.filter(table=table, state__in=[state.value for state in states])
        .select_related("card_set", "table", "pit")
        .order_by("card_set_id")
    )
    profile = CardProfile(table.cards)
    if door == CLOSING:
        return closing_refusals(table.name, profile, sets)
    if not table.setup:
        return []
    on_seal = placed_on_seal([set_facts.number for set_facts in sets if not set_facts.is_inspected])
    sets = [replace(set_facts, is_on_seal=set_facts.number in on_seal) for set_facts in sets]
    return opening_refusals(table.name, profile, sets)


def placed_on_seal(numbers: Collection[str]) -> set[str]:
    """Return the sets that a supervisor placed on their seal, on a slip that asked no dealer."""
    placed = (
        CardMove.objects.filter(act=CardAct.TO_TABLE.value, card_set__number__in=numbers)
        .select_related("slip", "card_set")
        .order_by("card_set_id", "-sequence")
        .distinct("card_set_id")
    )
    return {
        move.card_set.number
        for move in placed
        if all(step["name"] != "inspected" for step in move.slip.plan)
    }


def demand_cards(table: Table, door: str) -> None:
    """Let a table open or close only when its cards are right, or that was waived.

    Its lock is held. Raises Refused.
    """
    refusals = cards_refusals(table, door)
    if refusals and not is_waived(table, door):
        raise Refused(refusals)


def is_waived(table: Table, door: str) -> bool:
    """Tell whether a shift manager lets this table go on, once: until it is next counted for it."""
    waivers = Slip.objects.filter(
        table=table,
        kind="card_waiver",
        status=SlipStatus.DONE.value,
        details__for=door,
    )
    last = table.counts.filter(slip__kind__in=("opener", "closer")).order_by("-id").first()
    if last is not None:
        waivers = waivers.filter(raised_at__gt=last.at)
    return waivers.exists()
