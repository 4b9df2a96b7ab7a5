"""Count all cards: each day and each quarter, by two people, against what the books say."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from django.db import models

from inventory.selectors.card_stock import (
    bounds_of,
    found_in,
    in_stock_at,
    reckoning_until,
)
from pitboss.models import Signature, Slip
from pitboss.rules.card_flows import CARD_INVENTORY
from pitboss.rules.card_reckoning import Back
from pitboss.rules.flows import SlipStatus
from pitboss.rules.refusal import Refusal
from pitboss.services.effects import effect
from pitboss.services.exceptions import open_exception
from pitboss.services.journal import CARDS
from pitboss.services.locks import lock_desk
from pitboss.services.signing import Judgement, NewSlip, Pen, raise_slip

SETS_MAX = 9_999


def new_inventory(found: Mapping[Back, int]) -> NewSlip:
    """Return an inventory about to be raised: what was found of each back and size."""
    lines = [(colour, decks, sets) for (colour, decks), sets in sorted(found.items())]
    return NewSlip(
        CARD_INVENTORY.kind,
        None,
        {},
        details={
            "about": f"{sum(found.values())} sets",
            "says": [
                [f"{colour.capitalize()}, {decks} deck{'' if decks == 1 else 's'}", f"{sets} sets"]
                for colour, decks, sets in lines
            ],
            "found": [list(line) for line in lines],
        },
    )


def count_cards(found: Mapping[Back, int], *, pen: Pen, shown: str) -> Slip:
    """Count every set that is not cancelled, blind, signed by the first of two. Raises Refused."""

    def judge(_: object, __: object) -> Judgement:
        lock_desk(CARDS)
        return Judgement(inventory_refusals(found))

    return raise_slip(new_inventory(found), pen=pen, shown=shown, judge=judge)


def inventory_refusals(found: Mapping[Back, int]) -> list[Refusal]:
    """Return why an inventory may not be raised so."""
    refusals = []
    if not found or not all(0 <= sets <= SETS_MAX for sets in found.values()):
        refusals.append(
            Refusal("sets_out_of_range", "Key how many sets of each back there are, 0 for none.")
        )
    under_way = Slip.objects.filter(kind=CARD_INVENTORY.kind, status=SlipStatus.OPEN.value).first()
    if under_way is not None:
        refusals.append(
            Refusal(
                "count_under_way",
                f"{under_way.serial} counts the cards. A second person verifies or voids it.",
            )
        )
    return refusals


@effect("card_stock_counted")
def _card_stock_counted(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Hold what two people found against the books of when they counted. What differs is told."""
    start, _ = bounds_of(slip.gaming_day)
    found = {**dict.fromkeys(in_stock_at(slip.raised_at), 0), **found_in(slip)}
    wrong = [each for each in reckoning_until(start, slip.raised_at, found) if each.difference]
    if wrong:
        open_exception(
            code="card_stock",
            sentence=f"{slip.serial}: the cards do not come out. "
            f"{'; '.join(each.words for each in wrong)}."[:450],
            details={
                "lines": [[each.colour, each.decks, each.book, each.on_hand] for each in wrong]
            },
            at=at,
            person=signature.person,
            slip=slip,
        )
    return []
