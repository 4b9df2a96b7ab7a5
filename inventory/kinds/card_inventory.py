"""A count of all cards: each day and each quarter, by two people, against what the books say.

The first counts without being told what the book says; it is compared when both have signed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Final

from django.db import models
from django.urls import reverse

from inventory.kinds.of_cards import (
    CARD_LEDGER,
    CARD_READERS,
    WholeNumber,
    card_paper,
    many,
    voided_cards,
)
from inventory.selectors.card_stock import bounds_of, found_in, in_stock_at, reckoning_until
from inventory.selectors.cards import stock
from pitboss.middleware import PitRequest
from pitboss.models import Signature, Slip
from pitboss.paper.forms import Part
from pitboss.rules.cards.sets import DECKS, BackColour
from pitboss.rules.cards.stock import Back
from pitboss.rules.floor.fields import Each
from pitboss.rules.flows.flows import Promise, SlipStatus, Step
from pitboss.rules.refusal import CONFLICT, Refusal, Refused
from pitboss.rules.roles import SUPERVISING, Role
from pitboss.services.drafts import NewSlip
from pitboss.services.exceptions import open_exception
from pitboss.services.journal import CARDS
from pitboss.slips.addresses import own_url
from pitboss.slips.kind import Kind, Look, Raising
from pitboss.views.forms import new_request_id

SETS_MAX: Final = 9_999
_BACKS: Final[Mapping[str, Back]] = {
    f"{colour.value}_{decks}": (colour.value, decks) for colour in BackColour for decks in DECKS
}
_SETS: Final = WholeNumber(name="sets", label="Sets")


def _entered(raising: Raising) -> Raising:
    """Return an inventory of what was entered for each back and size; an empty field is refused."""
    found = {
        _BACKS[back]: _SETS.read(sets) if sets.strip() else -1
        for back, sets in raising.given.get("sets", {}).items()
        if back in _BACKS
    }
    return replace(raising, given={"found": found})


def _drafted(raising: Raising) -> NewSlip:
    found: Mapping[Back, int] = raising.given["found"]
    lines = [(colour, decks, sets) for (colour, decks), sets in sorted(found.items())]
    return NewSlip(
        raising.kind.kind,
        None,
        {},
        details={
            "about": f"{sum(found.values())} sets",
            "says": [
                [f"{colour.capitalize()}, {many(decks, 'deck')}", f"{sets} sets"]
                for colour, decks, sets in lines
            ],
            "found": [list(line) for line in lines],
        },
    )


def _refusals(raising: Raising) -> list[Refusal]:
    found, refusals = raising.given["found"], []
    if not found or not all(0 <= sets <= SETS_MAX for sets in found.values()):
        refusals.append(
            Refusal("sets_out_of_range", "Enter how many sets of each back there are, 0 for none.")
        )
    under_way = Slip.objects.filter(kind=raising.kind.kind, status=SlipStatus.OPEN.value).first()
    if under_way is not None:
        words = f"{under_way.serial} counts the cards. A second person verifies or voids it."
        refusals.append(Refusal("count_under_way", words, CONFLICT))
    return refusals


def _counted(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Hold what two people found against the books of when they counted. What differs is told."""
    start, _ = bounds_of(slip.gaming_day)
    found = {**dict.fromkeys(in_stock_at(slip.raised_at), 0), **found_in(slip)}
    wrong = [
        reckoning
        for reckoning in reckoning_until(start, slip.raised_at, found)
        if reckoning.difference
    ]
    if wrong:
        open_exception(
            code="card_stock",
            sentence=f"{slip.serial}: the card count doesn’t balance. "
            f"{'; '.join(reckoning.words for reckoning in wrong)}."[:450],
            details={
                "lines": [
                    [reckoning.colour, reckoning.decks, reckoning.book, reckoning.on_hand]
                    for reckoning in wrong
                ]
            },
            at=at,
            person=signature.person,
            slip=slip,
        )
    return []


def _look(request: PitRequest, raising: Raising, refused: Refused | None) -> Look:
    given = request.POST or request.GET
    names = {f"sets_{row.colour}_{row.decks}": row for row in stock()}
    return "inventory/cards/count.html", {
        "url": own_url(raising),
        "request_id": new_request_id(),
        # Which backs there are is no secret, how many is.
        "backs": [
            {
                "name": name,
                "colour": row.colour,
                "decks": row.decks,
                "value": given.get(name, ""),
            }
            for name, row in names.items()
        ],
    }


CARD_INVENTORY = Kind(
    "card_inventory",
    title="Inventory of cards",
    series="KN",
    desk=CARDS,
    open_to=SUPERVISING,
    lit_by="cards",
    at_a_table=False,
    asked=(Each(name="sets", label="Sets", is_needed=False),),
    becomes=_entered,
    refusals=_refusals,
    drafted=_drafted,
    steps=(
        Step(
            "counted",
            done="Counted",
            do="Count",
            by=Role.SUPERVISOR,
            at=None,
            attests="I certify that I counted every set that is not canceled, in the store, in "
            "the cabinets, and at the tables.",
        ),
        Step(
            "verified",
            done="Verified",
            do="Verify",
            by=(Role.SECURITY, Role.ACCOUNTING),
            at=None,
            attests="I certify that I also counted these sets and found the same.",
            then="card_stock_counted",
        ),
    ),
    void=voided_cards(
        "counted", "I void this count. The sets are to be counted again on a new slip."
    ),
    effects={"card_stock_counted": _counted},
    readers=CARD_READERS,
    promises=(Promise(2, 2),),
    paper=card_paper(Part("Original", "To accounting."), CARD_LEDGER),
    look=_look,
    heading=lambda raising: "Count the cards",
    back=lambda raising: {"url": reverse("card-reckoning"), "label": "Reconciliation"},
    raised=lambda slip: f"{slip.serial} signed. A second person counts them too.",
)
