"""Find patrons and card sets, for the search that is open from every page."""

from __future__ import annotations

from collections.abc import Iterable

from django.urls import reverse

from inventory.models import CardSet
from inventory.selectors.patrons import patrons_named
from pitboss.rules.roles import Role
from pitboss.selectors.search import ASKED_MAX, FoundThing, found_as


@found_as("Patrons", icon="person", page="patrons")
def patrons(sought: str, role: Role) -> Iterable[FoundThing]:
    """Find patrons by the start of their names or by their whole card."""
    for patron in patrons_named(sought, ASKED_MAX):
        card = f"Card {patron.player_card}" if patron.player_card else "No card"
        yield FoundThing(
            patron.full_name,
            card,
            reverse("patron", args=[patron.pk]),
            is_exact=bool(patron.player_card) and patron.player_card == sought,
        )


@found_as("Cards", icon="cards", page="cards")
def card_sets(sought: str, role: Role) -> Iterable[FoundThing]:
    """Find card sets by part of their number."""
    for card_set in CardSet.objects.filter(number__icontains=sought)[:ASKED_MAX]:
        yield FoundThing(
            card_set.number,
            f"{card_set.get_colour_display()}, {card_set.decks} decks",
            reverse("card-set", args=[card_set.number]),
            is_exact=card_set.number.casefold() == sought.casefold(),
        )
