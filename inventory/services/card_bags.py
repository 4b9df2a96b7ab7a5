"""Cards off a table's game: counted, cancelled and bagged; or held, when the count is off."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import models

from inventory.models import CardMove, CardPlace
from inventory.services.cards import (
    OUT_OF,
    Step,
    demand,
    facts_of,
    hand_refusals,
    hold_short,
    lock_sets,
    move_set,
    place_of,
    sets_on_the_game,
    take_off,
)
from pitboss.models import Signature, Slip, Table
from pitboss.rules.card_flows import CANCELLED_AT_TABLE, CARD_CANCELLATION, SHORT
from pitboss.rules.card_judging import Cancelling, cancelling_refusals, is_off
from pitboss.rules.card_sets import CardAct, CardState, cards_of, clean_mark
from pitboss.rules.flows import PlanFacts, SlipStatus
from pitboss.services import house
from pitboss.services.effects import effect
from pitboss.services.journal import CARDS
from pitboss.services.locks import lock_desk
from pitboss.services.signing import Judgement, NewSlip, Pen, raise_slip


@dataclass(frozen=True, slots=True)
class Bagging:
    """A set that comes off the game for good, as the dealer signs for it."""

    number: str
    bag: str
    # Where it was; of a set that is off the game already its own record says so.
    taken_from: CardState | None = None
    counted: int | None = None
    shuffler_shows: int | None = None


def taken_from_of(place: CardPlace) -> CardState | None:
    """Return from where a set came off the game, as was said then."""
    move = (
        CardMove.objects.filter(card_set=place.card_set, act=CardAct.REMOVED.value)
        .select_related("slip")
        .order_by("-sequence")
        .first()
    )
    if place.state != CardState.REMOVED.value or move is None:
        return None
    said = move.slip.details
    is_said = move.slip.kind == CARD_CANCELLATION.kind or (
        said.get("takes_out") == place.card_set.number
    )
    return CardState(said["taken_from"]) if is_said else CardState(move.source)


def new_bagging(table: Table, bagging: Bagging) -> NewSlip:
    """Return a cancellation about to be raised. Raises Refused for an unknown set."""
    place = place_of(bagging.number)
    card_set = place.card_set
    taken_from = taken_from_of(place) or bagging.taken_from
    said = [
        ["Set", f"{card_set}, {card_set.colour}, {cards_of(card_set.decks)} cards"],
        ["Bag", clean_mark(bagging.bag)],
    ]
    if taken_from is not None:
        said.append(["Came", OUT_OF[taken_from]])
    if bagging.counted is not None:
        said.append(["Counted", f"{bagging.counted} of {card_set.cards}"])
    elif bagging.shuffler_shows is not None:
        said.append(["Counted", f"no: the shuffler shows {bagging.shuffler_shows}"])
    return NewSlip(
        CARD_CANCELLATION.kind,
        table.pk,
        {},
        details={
            "about": card_set.number,
            "says": said,
            "set": card_set.number,
            "bag": clean_mark(bagging.bag),
            "taken_from": taken_from.value if taken_from else None,
            "counted": bagging.counted,
            "shuffler_shows": bagging.shuffler_shows,
        },
    )


def bag_set(table: Table, bagging: Bagging, *, pen: Pen, shown: str) -> Slip:
    """Take a set off a game for good, signed by the dealer; the supervisor is next.

    Raises Refused.
    """
    new = new_bagging(table, bagging)

    def judge(locked: Table | None, _: object) -> Judgement:
        assert locked is not None, "cards come off a table's game"
        return _judge_bagging(locked, new.details)

    return raise_slip(new, pen=pen, shown=shown, judge=judge)


def _judge_bagging(table: Table, said: Any) -> Judgement:
    # One bag at a time: two tables may hold the same number in their hands.
    lock_desk(CARDS)
    others = [place.card_set.number for place in sets_on_the_game(table)]
    places = lock_sets([said["set"], *others])
    by_number = {facts.number: facts for facts in facts_of(places.values())}
    leaving = by_number[said["set"]]
    refusals = hand_refusals(table) + cancelling_refusals(
        Cancelling(
            table=table.name,
            table_id=table.pk,
            leaving=leaving,
            taken_from=CardState(said["taken_from"]) if said["taken_from"] else None,
            on_the_game=[by_number[number] for number in others],
            bag=said["bag"],
            counted=said["counted"],
            shuffler_shows=said["shuffler_shows"],
            bags_used=_bags_used(said["bag"]),
        )
    )
    marks = set()
    if is_off(said["counted"], leaving.decks):
        marks.add(SHORT)
    if house.settings_at(house.now())["signing.card_cancellation"] == "at_table":
        marks.add(CANCELLED_AT_TABLE)
    return Judgement(refusals, PlanFacts({}, marks=frozenset(marks)))


def _bags_used(bag: str) -> set[str]:
    """Return the bag's number if it was used, or is on an open slip."""
    waiting = Slip.objects.filter(
        kind=CARD_CANCELLATION.kind, status=SlipStatus.OPEN.value, details__bag=bag
    )
    is_used = CardMove.objects.filter(bag=bag).exists() or waiting.exists()
    return {bag} if is_used else set()


@effect("card_set_off_the_game")
def _card_set_off_the_game(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    said = slip.details
    (place,) = lock_sets([said["set"]]).values()
    if place.state == CardState.REMOVED.value:
        return []
    return take_off(place, CardState(said["taken_from"]), said["counted"], slip, at)


@effect("card_set_cancelled")
def _card_set_cancelled(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    said = slip.details
    (place,) = lock_sets([said["set"]]).values()
    demand(CardAct.BAGGED, [place], own=slip)
    step = Step(counted=said["counted"])
    return [
        move_set(place, CardAct.CANCELLED, CardState.CANCELLED, slip=slip, at=at, step=step),
        move_set(
            place, CardAct.BAGGED, CardState.BAGGED, slip=slip, at=at, step=Step(bag=said["bag"])
        ),
    ]


@effect("card_set_bagged")
def _card_set_bagged(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    said = slip.details
    (place,) = lock_sets([said["set"]]).values()
    demand(CardAct.BAGGED, [place], own=slip)
    step = Step(bag=said["bag"], counted=said["counted"])
    return [
        move_set(place, CardAct.BAGGED, CardState.BAGGED_UNCANCELLED, slip=slip, at=at, step=step)
    ]


@effect("card_set_short")
def _card_set_short(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    said = slip.details
    (place,) = lock_sets([said["set"]]).values()
    demand(CardAct.HELD, [place], own=slip)
    return [hold_short(place, said["counted"], said["bag"], slip, signature, at)]
