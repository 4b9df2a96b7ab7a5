"""New cards from the maker, counted by two departments: every set gets its number."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.db import models

from inventory.kinds.of_cards import (
    CARD_LEDGER,
    CARD_READERS,
    WholeNumber,
    card_paper,
    many,
    voided_cards,
)
from inventory.models import CardMove, CardSet
from pitboss.middleware import PitRequest
from pitboss.models import Signature, Slip
from pitboss.paper.forms import Part
from pitboss.rules.canonical import is_plain
from pitboss.rules.cards.sets import (
    DECKS,
    SETS_A_RECEIPT_MAX,
    BackColour,
    CardAct,
    CardState,
    cards_of,
    set_number,
)
from pitboss.rules.floor.fields import Words
from pitboss.rules.flows.flows import Promise, Step
from pitboss.rules.refusal import Refusal, Refused
from pitboss.rules.roles import SUPERVISING, Role
from pitboss.services.drafts import NewSlip
from pitboss.services.exceptions import open_exception
from pitboss.services.journal import CARDS
from pitboss.services.locks import lock_desk
from pitboss.slips.addresses import own_url
from pitboss.slips.kind import Kind, Look, Raising
from pitboss.views.forms import TEXT_MAX, new_request_id

_TEXTS: Final = {"manufacturer": ("Maker", 60), "design": ("Design", 60), "lot": ("Lot", 30)}
_NUMBERS: Final = {
    "decks": "Decks in a set",
    "invoiced": "Sets on the invoice",
    "found": "Sets found whole",
    "damaged": "Sets damaged",
}


def _drafted(raising: Raising) -> NewSlip:
    given = raising.given
    texts = {name: given.get(name, "").strip() for name in _TEXTS}
    numbers = {name: given.get(name, 0) for name in _NUMBERS}
    colour, decks = given.get("colour", ""), numbers["decks"]
    return NewSlip(
        raising.kind.kind,
        None,
        {},
        details={
            "about": f"{many(numbers['found'], 'set')}, {colour}, {many(decks, 'deck')}",
            "says": [
                *([label, texts[name]] for name, (label, _) in _TEXTS.items()),
                ["Backs", colour],
                ["Decks a set", f"{decks}, {cards_of(decks)} cards"],
                ["Sets on the invoice", str(numbers["invoiced"])],
                ["Sets found whole", str(numbers["found"])],
                ["Sets damaged", str(numbers["damaged"])],
            ],
            "colour": colour,
            **texts,
            **numbers,
        },
    )


def _refusals(raising: Raising) -> list[Refusal]:
    """Return what is wrong with a delivery as it was entered."""
    fields, refusals = raising.new().details, []
    for name, (label, most) in _TEXTS.items():
        if not fields[name] or len(fields[name]) > most or not is_plain(fields[name]):
            refusals.append(Refusal("text_missing", f"{label}: enter 1 to {most} characters."))
    if fields["colour"] not in {colour.value for colour in BackColour}:
        refusals.append(Refusal("colour_unknown", "Choose the color of the backs."))
    if fields["decks"] not in DECKS:
        refusals.append(
            Refusal("decks_unknown", f"A set has {', '.join(map(str, DECKS))} decks. Choose one.")
        )
    numbers = [fields[name] for name in ("invoiced", "found", "damaged")]
    if not all(0 <= number <= SETS_A_RECEIPT_MAX for number in numbers) or fields["found"] == 0:
        refusals.append(
            Refusal(
                "sets_out_of_range",
                f"Enter how many sets came, 1 to {SETS_A_RECEIPT_MAX}. Enter "
                "damaged sets separately.",
            )
        )
    return refusals


def _received(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Number every set that came, and report what the maker's papers say otherwise."""
    # One receipt at a time gives numbers.
    lock_desk(CARDS)
    details = slip.details
    colour = BackColour(details["colour"])
    before = CardSet.objects.filter(colour=colour.value, decks=details["decks"]).count()
    rows: list[models.Model] = []
    for serial in range(before + 1, before + details["found"] + 1):
        card_set = CardSet.objects.create(
            number=set_number(details["decks"], colour, serial),
            manufacturer=details["manufacturer"],
            design=details["design"],
            lot=details["lot"],
            colour=colour.value,
            decks=details["decks"],
            receipt=slip,
        )
        move = CardMove.objects.create(
            card_set=card_set,
            sequence=1,
            act=CardAct.RECEIVED.value,
            target=CardState.RECEIVED.value,
            slip=slip,
            at=at,
        )
        rows += [card_set, move]
    if details["found"] + details["damaged"] != details["invoiced"] or details["damaged"]:
        open_exception(
            code="card_receipt",
            sentence=f"{slip.serial}: the invoice says {many(details['invoiced'], 'set')}, "
            f"{details['found']} came whole and {details['damaged']} damaged. Notify the "
            "manufacturer, and the regulator within 24 hours.",
            details={key: details[key] for key in ("invoiced", "found", "damaged")},
            at=at,
            person=signature.person,
            slip=slip,
        )
    return rows


def _look(request: PitRequest, raising: Raising, refused: Refused | None) -> Look:
    return "inventory/cards/receive.html", {
        "url": own_url(raising),
        "request_id": new_request_id(),
        "colours": [colour.value for colour in BackColour],
        "decks": DECKS,
        "keyed": request.POST or request.GET,
    }


CARD_RECEIPT = Kind(
    "card_receipt",
    title="Receipt of cards",
    series="KR",
    desk=CARDS,
    open_to=SUPERVISING,
    lit_by="cards",
    at_a_table=False,
    asked=(
        *(
            Words(name=name, label=label, is_needed=False, most=TEXT_MAX)
            for name, (label, _) in _TEXTS.items()
        ),
        Words(name="colour", label="Backs", is_needed=False),
        *(WholeNumber(name=name, label=label) for name, label in _NUMBERS.items()),
    ),
    refusals=_refusals,
    drafted=_drafted,
    steps=(
        Step(
            "received",
            done="Received",
            do="Receive",
            by=Role.SUPERVISOR,
            at=None,
            attests="I certify that I opened the manufacturer's cartons, checked for damage, "
            "and counted these sets.",
        ),
        Step(
            "taken_in",
            done="Accepted",
            do="Accept",
            by=(Role.SECURITY, Role.ACCOUNTING),
            at=None,
            attests="I certify that I also counted these sets, found the same, and saw them "
            "locked in the store.",
            then="card_sets_received",
        ),
    ),
    void=voided_cards(
        "received", "I void this slip. I certify that no set was accepted into the store on it."
    ),
    effects={"card_sets_received": _received},
    readers=CARD_READERS,
    promises=(Promise(2, 2),),
    paper=card_paper(Part("Original", "To accounting with the maker's invoice."), CARD_LEDGER),
    look=_look,
    heading=lambda raising: "Receive cards",
    raised=lambda slip: f"{slip.serial} signed. Security or accounting counts them too.",
)
