"""Cards off a table's game for good: counted, canceled and bagged; or held, when the count is off.

Manual, "Cancelling cards" and "Closing" 7: the dealer signs slip and bag, then the supervisor.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Final

from django.db import models

from inventory.kinds.of_cards import (
    CARD_READERS,
    SLOT_WORDS,
    WholeNumber,
    card_paper,
    locked_places,
    of_set,
    place_given,
    places_of,
    table_of,
    to_cards_of_table,
    voided_cards,
)
from inventory.models import CardMove, CardPlace
from inventory.selectors.cards import slots_of
from inventory.services.cards import (
    OUT_OF,
    facts_of,
    hand_refusals,
    hold_short,
    judge_again,
    lock_sets,
    move_set,
    sets_on_the_game,
    take_off,
)
from inventory.services.cards import CardStep as CardStep
from pitboss.middleware import PitRequest
from pitboss.models import Signature, Slip
from pitboss.paper.forms import Part
from pitboss.rules.cards.judging import Cancelling, cancelling_refusals, is_off
from pitboss.rules.cards.sets import CardAct, CardState, cards_of, clean_mark
from pitboss.rules.day.late_papers import LATE_CANCELLATION
from pitboss.rules.floor.fields import Words
from pitboss.rules.flows.flows import PlanFacts, Promise, SlipStatus, Step
from pitboss.rules.refusal import Refusal, Refused
from pitboss.rules.roles import SUPERVISING, Place, Role
from pitboss.services import house
from pitboss.services.drafts import NewSlip
from pitboss.services.journal import CARDS
from pitboss.services.locks import lock_desk
from pitboss.slips.addresses import own_url
from pitboss.slips.kind import Kind, Look, Raising
from pitboss.views.forms import new_request_id

# What decides its steps: the count is off, or the house cancels at the table.
_SHORT: Final = "short"
_AT_THE_TABLE: Final = "cancelled_at_table"


def _is_short(facts: PlanFacts) -> bool:
    return _SHORT in facts.marks


def _is_canceled_here(facts: PlanFacts) -> bool:
    return _AT_THE_TABLE in facts.marks and not _is_short(facts)


def _is_canceled_later(facts: PlanFacts) -> bool:
    return _AT_THE_TABLE not in facts.marks and not _is_short(facts)


def _taken_from(place: CardPlace) -> CardState | None:
    """Return from where a set came off the game, as was said then; none while it is on."""
    move = (
        CardMove.objects.filter(card_set=place.card_set, act=CardAct.REMOVED.value)
        .select_related("slip")
        .order_by("-sequence")
        .first()
    )
    if place.state != CardState.REMOVED.value or move is None:
        return None
    details = move.slip.details
    is_said = move.slip.kind == CARD_CANCELLATION.kind or (
        details.get("takes_out") == place.card_set.number
    )
    return CardState(details["taken_from"]) if is_said else CardState(move.source)


def _drafted(raising: Raising) -> NewSlip:
    place, given = place_given(raising), raising.given
    card_set, bag = place.card_set, clean_mark(given.get("bag", ""))
    entered = given.get("taken_from", "")
    taken_from = _taken_from(place) or (CardState(entered) if entered in SLOT_WORDS else None)
    counted, shows = given.get("counted"), given.get("shuffler_shows")
    says = [
        ["Set", f"{card_set}, {card_set.colour}, {cards_of(card_set.decks)} cards"],
        ["Bag", bag],
    ]
    if taken_from is not None:
        says.append(["Came", OUT_OF[taken_from]])
    if counted is not None:
        says.append(["Counted", f"{counted} of {card_set.cards}"])
    elif shows is not None:
        says.append(["Counted", f"no: the shuffler shows {shows}"])
    return NewSlip(
        raising.kind.kind,
        table_of(raising).pk,
        {},
        details={
            "about": card_set.number,
            "says": says,
            "set": card_set.number,
            "bag": bag,
            "taken_from": taken_from.value if taken_from else None,
            "counted": counted,
            "shuffler_shows": shows,
        },
    )


def _numbers(raising: Raising) -> list[str]:
    """Return the set that leaves, and those on the game beside it."""
    others = [place.card_set.number for place in sets_on_the_game(table_of(raising))]
    return [raising.new().details["set"], *others]


def _locked(raising: Raising) -> Raising:
    # One bag at a time: two tables may hold the same number in their hands.
    lock_desk(CARDS)
    return replace(raising, given={**raising.given, **locked_places(_numbers(raising))})


def _refusals(raising: Raising) -> list[Refusal]:
    table, said = table_of(raising), raising.new().details
    leaving, *others = _numbers(raising)
    by_number = {facts.number: facts for facts in facts_of(places_of(raising, [leaving, *others]))}
    return hand_refusals(table) + cancelling_refusals(
        Cancelling(
            table=table.name,
            table_id=table.pk,
            leaving=by_number[leaving],
            taken_from=CardState(said["taken_from"]) if said["taken_from"] else None,
            on_the_game=[by_number[number] for number in others],
            bag=said["bag"],
            counted=said["counted"],
            shuffler_shows=said["shuffler_shows"],
            bags_used=bags_used(said["bag"]),
        )
    )


def bags_used(bag: str, own: Slip | None = None) -> set[str]:
    """Return the bag's number if it was used, or is on an open slip."""
    waiting = Slip.objects.filter(
        kind__in=(CARD_CANCELLATION.kind, LATE_CANCELLATION),
        status=SlipStatus.OPEN.value,
        details__bag=bag,
    )
    if own is not None:
        waiting = waiting.exclude(pk=own.pk)
    is_used = CardMove.objects.filter(bag=bag).exists() or waiting.exists()
    return {bag} if is_used else set()


def _facts(raising: Raising) -> PlanFacts:
    marks = set()
    if is_off(raising.new().details["counted"], place_given(raising).card_set.decks):
        marks.add(_SHORT)
    if house.settings_at(house.now())["signing.card_cancellation"] == "at_table":
        marks.add(_AT_THE_TABLE)
    return PlanFacts({}, marks=frozenset(marks))


def _off_the_game(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    details = slip.details
    (place,) = lock_sets([details["set"]]).values()
    if place.state == CardState.REMOVED.value:
        return []
    return take_off(place, CardState(details["taken_from"]), details["counted"], slip, at)


def _canceled(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    details = slip.details
    (place,) = lock_sets([details["set"]]).values()
    judge_again(CardAct.BAGGED, [place], own=slip)
    counted, bagged = CardStep(counted=details["counted"]), CardStep(bag=details["bag"])
    return [
        move_set(place, CardAct.CANCELLED, CardState.CANCELLED, slip=slip, at=at, step=counted),
        move_set(place, CardAct.BAGGED, CardState.BAGGED, slip=slip, at=at, step=bagged),
    ]


def _bagged(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    details = slip.details
    (place,) = lock_sets([details["set"]]).values()
    judge_again(CardAct.BAGGED, [place], own=slip)
    step = CardStep(bag=details["bag"], counted=details["counted"])
    return [
        move_set(place, CardAct.BAGGED, CardState.BAGGED_UNCANCELLED, slip=slip, at=at, step=step)
    ]


def _held_short(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    details = slip.details
    (place,) = lock_sets([details["set"]]).values()
    judge_again(CardAct.HELD, [place], own=slip)
    return [hold_short(place, details["counted"], details["bag"], slip, signature, at)]


def _look(request: PitRequest, raising: Raising, refused: Refused | None) -> Look:
    """Return the page that asks how a set was counted, and into which bag it goes."""
    given = request.POST or request.GET
    place = place_given(raising)
    was = _taken_from(place)
    return "inventory/cards/bag.html", {
        "url": own_url(raising),
        "request_id": new_request_id(),
        "set": place.card_set,
        "was": was,
        "taken_from": given.get("taken_from", was.value if was else place.state),
        "slots": [(slot.value, SLOT_WORDS[slot]) for slot in slots_of(table_of(raising))],
        "bag": given.get("bag", ""),
        "counted": given.get("counted", ""),
        "shows": given.get("shuffler_shows", ""),
    }


CARD_CANCELLATION = Kind(
    "card_cancellation",
    title="Card cancellation",
    series="KX",
    desk=CARDS,
    open_to=SUPERVISING,
    lit_by="cards",
    begins=of_set,
    locks=_locked,
    asked=(
        Words(name="taken_from", label="It came out of", is_needed=False),
        WholeNumber(name="counted", label="Cards counted"),
        WholeNumber(name="shuffler_shows", label="The shuffler shows"),
        Words(name="bag", label="Bag", is_needed=False),
    ),
    refusals=_refusals,
    facts=_facts,
    drafted=_drafted,
    steps=(
        Step(
            "bag_signed",
            done="Bag signed",
            do="Sign the bag",
            by=Role.DEALER,
            at=Place.PIT,
            attests="I certify that this set came off the game, that I counted it as listed on "
            "this slip, and that I signed the bag.",
            then="card_set_off_the_game",
        ),
        Step(
            "cancelled",
            done="Canceled",
            do="Cancel",
            by=Role.SUPERVISOR,
            at=Place.PIT,
            when=_is_canceled_here,
            attests="I certify that I canceled these cards and sealed them in this bag with "
            "the slip.",
            then="card_set_cancelled",
        ),
        Step(
            "bagged",
            done="Bagged",
            do="Bag",
            by=Role.SUPERVISOR,
            at=Place.PIT,
            when=_is_canceled_later,
            attests="I certify that I sealed these cards in this bag with the slip. They are "
            "to be canceled later.",
            then="card_set_bagged",
        ),
        Step(
            "held",
            done="Held",
            do="Hold",
            by=Role.SUPERVISOR,
            at=Place.PIT,
            when=_is_short,
            attests="I certify that I counted again and found the same. The set is sealed in "
            "this bag, not canceled, and on hold as evidence.",
            then="card_set_short",
        ),
    ),
    void=voided_cards(
        None, "I void this slip. I certify that no card was canceled on it.", Place.PIT
    ),
    effects={
        "card_set_off_the_game": _off_the_game,
        "card_set_cancelled": _canceled,
        "card_set_bagged": _bagged,
        "card_set_short": _held_short,
    },
    readers=CARD_READERS,
    promises=(Promise(2, 1),),
    paper=card_paper(
        Part("Original", "Into the bag with the cards."),
        Part("Duplicate", "Kept in the card log of the pit."),
    ),
    look=_look,
    heading=lambda raising: f"Count off {raising.given['set']}",
    back=to_cards_of_table,
    # The dealer signs first, on the tablet of the supervisor.
    review=lambda raising, new: {"badge": ""},
    raised=lambda slip: f"{slip.serial}: bag {slip.details['bag']}. The supervisor is next.",
)
