"""What slips about cards share: who reads them, their paper, the way out, and their sets."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from django.http import Http404
from django.urls import reverse

from inventory.models import CardPlace
from inventory.services.cards import lock_sets, place_of
from pitboss.middleware import PitRequest
from pitboss.models import Table
from pitboss.paper.forms import Form, Part, Shows
from pitboss.rules.cards.sets import CardState, clean_mark
from pitboss.rules.floor.fields import Field
from pitboss.rules.flows.flows import Readers, Step, void_witnessed
from pitboss.rules.refusal import Refused, refuse
from pitboss.rules.roles import GUARDING, KEEPING_BOOKS, SUPERVISING, WATCHING, Place, Role
from pitboss.slips.kind import Raising

CARD_READERS: Final = Readers(SUPERVISING | GUARDING | WATCHING | KEEPING_BOOKS)
PIT_LOG: Final = Part("Original", "Kept in the card log of the pit.")
SLOT_WORDS: Final = {
    CardState.SHUFFLER: "Shuffler",
    CardState.IN_PLAY: "In play",
    CardState.SPARE: "Spare",
}
CARD_LEDGER: Final = Part("Duplicate", "Kept in the card ledger of the store.")


def card_paper(*parts: Part) -> Form:
    """Return the paper of a slip about cards."""
    return Form(parts=parts, shows=Shows.FACTS, caption="Card control")


def voided_cards(
    may_repeat: str | None, attests: str, at: Place | None = None, then: str = "slip_voided"
) -> tuple[Step, ...]:
    """Return the way out of a slip of cards: a supervisor, before someone who had no part."""
    return (
        Step(
            "voided",
            done="Voided",
            do="Void",
            by=Role.SUPERVISOR,
            at=at,
            may_repeat=may_repeat,
            needs_reason=True,
            attests=attests,
        ),
        void_witnessed((Role.PIT_MANAGER, Role.SECURITY, Role.SURVEILLANCE), then=then),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class WholeNumber(Field):
    """A whole number. How much is judged, not read."""

    shape = "number"
    is_needed: bool = False

    def read(self, raw: object) -> int:
        keyed = raw.strip() if isinstance(raw, str) else str(raw)
        if not (keyed.isascii() and keyed.isdigit() and len(keyed) <= 6):
            raise refuse("number_malformed", f"{keyed[:12]} isn’t a whole number. Enter it again.")
        return int(keyed)


def places_of(raising: Raising, numbers: Iterable[str]) -> list[CardPlace]:
    """Return where sets are: under their locks where the slip is raised. Raises Refused."""
    if "places" in raising.given:
        return list(raising.given["places"].values())
    return [place_of(number) for number in sorted({clean_mark(number) for number in numbers})]


def of_set(request: PitRequest, raising: Raising) -> Raising:
    """Return a slip about the set that its address names."""
    try:
        number = place_of(request.GET.get("set", "")).card_set.number
    except Refused as refused:
        raise Http404(str(refused)) from None
    return replace(
        raising,
        given={**raising.given, "set": number},
        named={**raising.named, "set": number},
    )


def place_given(raising: Raising) -> CardPlace:
    """Return where the set of a slip is. Raises Refused."""
    number = clean_mark(raising.given["set"])
    places = places_of(raising, [number])
    return next(place for place in places if place.card_set.number == number)


def table_of(raising: Raising) -> Table:
    """Return the table of a slip about cards at one."""
    assert raising.table is not None, "this is done at a table"
    return raising.table


def to_cards_of_table(raising: Raising) -> dict[str, str]:
    """Return the way back to the cards of a table."""
    return {"url": reverse("table-cards", args=[table_of(raising).name]), "label": "Cards"}


def locked_places(numbers: Iterable[str]) -> dict[str, object]:
    """Lock sets, and return them as what is given to a slip about to be raised."""
    return {"places": lock_sets(numbers)}


def many(number: int, noun: str) -> str:
    """Say how many there are of something."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
