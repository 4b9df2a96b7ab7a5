"""Cards at a table: a spare put back, a bad card replaced, and a table that goes on without."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any

from django.db import models
from django.http import Http404

from inventory.kinds.of_cards import (
    CARD_READERS,
    PIT_LOG,
    card_paper,
    locked_places,
    of_set,
    place_given,
    table_of,
    to_cards_of_table,
    voided_cards,
)
from inventory.services.card_accounts import CLOSING, OPENING, cards_refusals
from inventory.services.cards import facts_of, judge_again, lock_sets, move_set, where_is
from pitboss.middleware import PitRequest
from pitboss.models import Signature, Slip
from pitboss.paper.forms import Part
from pitboss.rules.cards.judging import act_refusals
from pitboss.rules.cards.playing_cards import RANKS, SUITS
from pitboss.rules.cards.playing_cards import card as card_named
from pitboss.rules.cards.sets import CardAct, CardState, spoken_card
from pitboss.rules.floor.fields import Words
from pitboss.rules.flows.flows import Promise, Step
from pitboss.rules.refusal import Refusal, Refused
from pitboss.rules.roles import SUPERVISING, Place, Role
from pitboss.services import house
from pitboss.services.drafts import NewSlip
from pitboss.services.journal import CARDS
from pitboss.slips.addresses import own_url
from pitboss.slips.kind import Kind, Look, Raising
from pitboss.views.forms import new_request_id

_SUIT_WORDS = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}


def _locked(raising: Raising) -> Raising:
    return replace(
        raising, given={**raising.given, **locked_places([raising.new().details["set"]])}
    )


def _here_refusals(raising: Raising, act: CardAct) -> list[Refusal]:
    """Return why an act is not for this set at this table."""
    (facts,) = facts_of([place_given(raising)])
    refusals = act_refusals(act, facts)
    if facts.table_id != table_of(raising).pk and not refusals:
        refusals.append(
            Refusal("card_elsewhere", f"Set {facts.number} is {facts.where}. Check the label.")
        )
    return refusals


def _drafted(raising: Raising, about: str, **details: Any) -> NewSlip:
    return NewSlip(raising.kind.kind, table_of(raising).pk, {}, details={"about": about, **details})


def _drafted_unused(raising: Raising) -> NewSlip:
    place = place_given(raising)
    number = place.card_set.number
    says = [["Set", number], ["Seal", place.seal]]
    return _drafted(raising, number, says=says, set=number)


def _unused(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    (place,) = lock_sets([slip.details["set"]]).values()
    return [move_set(place, CardAct.UNUSED, CardState.IN_PIT, slip=slip, at=at)]


CARD_UNUSED = Kind(
    "card_unused",
    title="Spare back to the cabinet",
    series="KU",
    desk=CARDS,
    open_to=SUPERVISING,
    lit_by="cards",
    begins=of_set,
    locks=_locked,
    refusals=lambda raising: _here_refusals(raising, CardAct.UNUSED),
    drafted=_drafted_unused,
    steps=(
        Step(
            "put_back",
            done="Put back",
            do="Put back",
            by=Role.SUPERVISOR,
            at=Place.PIT,
            attests="I certify that this spare was not opened, that its seal is intact, and "
            "that it is in the cabinet.",
            then="card_set_unused",
        ),
    ),
    effects={"card_set_unused": _unused},
    readers=CARD_READERS,
    # A spare whose seal is whole is one person's word.
    promises=(Promise(1, 1),),
    paper=card_paper(PIT_LOG),
    heading=lambda raising: f"Spare {raising.given['set']} back",
    back=to_cards_of_table,
)


def _named(raising: Raising) -> Raising:
    """Return the replacement of the card that was named. Raises Refused for what is no card."""
    entered = f"{raising.given.get('rank', '')}{raising.given.get('suit', '')}"
    return replace(raising, given={**raising.given, "card": card_named(entered).name})


def _drafted_replacement(raising: Raising) -> NewSlip:
    """Draft the replacement of a bad card; the house decides whether its whole deck goes."""
    place = place_given(raising)
    bad = card_named(raising.given["card"])
    words = spoken_card(bad)
    what = house.settings_at(house.now())["cards.replacement"]
    back = f"with the same {place.colour} back"
    says = [
        ["Set", f"{place.card_set}, {where_is(place)}"],
        ["Bad card", words],
        ["Put in", f"one {words} {back}" if what == "one_card" else f"a whole new deck {back}"],
    ]
    number = place.card_set.number
    return _drafted(
        raising, f"{words} of {place.card_set}", says=says, set=number, card=bad.name, what=what
    )


def _replaced(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    (place,) = lock_sets([slip.details["set"]]).values()
    judge_again(CardAct.CARD_REPLACED, [place], own=slip)
    return [move_set(place, CardAct.CARD_REPLACED, CardState(place.state), slip=slip, at=at)]


def _which_card(request: PitRequest, raising: Raising, refused: Refused | None) -> Look:
    return "inventory/cards/replace.html", {
        "url": own_url(raising),
        "request_id": new_request_id(),
        "set": place_given(raising).card_set,
        "ranks": [(rank, "10" if rank == "T" else rank) for rank in RANKS],
        "suits": [(suit, _SUIT_WORDS[suit]) for suit in SUITS],
        "whole_deck": request.house["cards.replacement"] == "whole_deck",
    }


CARD_REPLACEMENT = Kind(
    "card_replacement",
    title="Card replaced",
    series="KP",
    desk=CARDS,
    open_to=SUPERVISING,
    lit_by="cards",
    begins=of_set,
    locks=_locked,
    asked=(
        Words(name="rank", label="Value", is_needed=False),
        Words(name="suit", label="Suit", is_needed=False),
    ),
    becomes=_named,
    refusals=lambda raising: _here_refusals(raising, CardAct.CARD_REPLACED),
    drafted=_drafted_replacement,
    steps=(
        Step(
            "replaced",
            done="Replaced",
            do="Replace",
            by=Role.SUPERVISOR,
            at=Place.PIT,
            needs_reason=True,
            attests="I certify that I removed the bad card from the table and replaced it with "
            "one of the same value, suit, and color.",
        ),
        Step(
            "agreed",
            done="Agreed",
            do="Agree",
            by=Role.DEALER,
            at=Place.PIT,
            attests="I certify that I saw the replacement and inspected what came in.",
            then="card_replaced",
        ),
    ),
    void=voided_cards(
        "replaced",
        "I void this slip. I certify that no card of this table was replaced on it.",
        Place.PIT,
    ),
    effects={"card_replaced": _replaced},
    readers=CARD_READERS,
    promises=(Promise(2, 1),),
    paper=card_paper(
        Part("Original", "Into the clear bag with the bad card, to the pit manager."),
        Part("Duplicate", "Kept in the card log of the pit."),
    ),
    look=_which_card,
    heading=lambda raising: f"Replace a card of {raising.given['set']}",
    back=to_cards_of_table,
)


def _at_the_door(request: PitRequest, raising: Raising) -> Raising:
    door = request.GET.get("door", "")
    if door not in (OPENING, CLOSING):
        raise Http404("A table’s cards are checked when it opens or closes.")
    return replace(raising, given={"door": door}, named={"door": door})


def _drafted_waiver(raising: Raising) -> NewSlip:
    """Draft a waiver, with what it passes over."""
    table, door = table_of(raising), raising.given["door"]
    says = [["Not accounted for", refusal.message] for refusal in cards_refusals(table, door)]
    return _drafted(raising, f"{door} of {table}", says=says, **{"for": door})


def _waiver_refusals(raising: Raising) -> list[Refusal]:
    table = table_of(raising)
    if cards_refusals(table, raising.given["door"]):
        return []
    return [Refusal("nothing_to_waive", f"The cards of {table} are complete. No waiver is needed.")]


CARD_WAIVER = Kind(
    "card_waiver",
    title="Opened or closed without cards",
    series="KW",
    desk=CARDS,
    open_to=frozenset({Role.SHIFT_MANAGER}),
    lit_by="cards",
    begins=_at_the_door,
    refusals=_waiver_refusals,
    drafted=_drafted_waiver,
    steps=(
        Step(
            "waived",
            done="Waived",
            do="Waive",
            by=Role.SHIFT_MANAGER,
            at=None,
            needs_reason=True,
            attests="I certify that this table’s cards are not fully accounted for and authorize "
            "it to proceed this one time.",
        ),
        Step(
            "witnessed",
            done="Witnessed",
            do="Witness",
            by=(Role.PIT_MANAGER, Role.SECURITY, Role.SURVEILLANCE),
            at=None,
            attests="I certify that I was told what is missing and why the table proceeds.",
        ),
    ),
    void=(
        Step(
            "refused",
            done="Refused",
            do="Refuse",
            by=(Role.SHIFT_MANAGER, Role.PIT_MANAGER, Role.SECURITY, Role.SURVEILLANCE),
            at=None,
            may_repeat="waived",
            needs_reason=True,
            attests="I decline this waiver. The table stays closed until its cards are "
            "accounted for.",
            then="slip_voided",
        ),
    ),
    readers=CARD_READERS,
    promises=(Promise(2, 1),),
    paper=card_paper(
        Part("Original", "To the shift manager's slips of the day."),
        Part("Duplicate", "To the pit manager."),
    ),
    heading=lambda raising: f"{raising.given['door'].capitalize()} of {raising.table}",
    back=to_cards_of_table,
)
