"""The one way cards move: a step of a set's life, on a signed slip, under the set's lock.

Sets are locked by their numbers after the table and the slip, and before the series counter. Where
a set is afterwards the database writes itself, from the step.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import models, transaction

from inventory.models import CardMove, CardPlace
from pitboss.models import FloorException, Pit, Signature, Slip, Table
from pitboss.rules.cards.judging import SetFacts, act_refusals
from pitboss.rules.cards.sets import (
    AT_TABLE,
    ON_THE_GAME,
    BackColour,
    CardAct,
    CardState,
    clean_mark,
    place_words,
)
from pitboss.rules.flows.book import kinds_of_desk
from pitboss.rules.flows.flows import SlipStatus
from pitboss.rules.refusal import Refusal, Refused, refuse
from pitboss.selectors.pending import holding_the_table
from pitboss.services.exceptions import open_exception, standing
from pitboss.services.journal import CARDS

# Someone read another number off a seal than the set was sealed with, or found it broken.
SEAL_EXCEPTION = "card_seal"
COUNT_EXCEPTION = "card_count"


def lock_sets(numbers: Iterable[str]) -> dict[str, CardPlace]:
    """Lock sets by their numbers, in one order, and return where each one is. Raises Refused."""
    wanted = {clean_mark(number) for number in numbers}
    places = {
        place.card_set.number: place
        for place in CardPlace.objects.filter(card_set__number__in=wanted)
        .select_related("card_set", "table", "pit")
        .select_for_update(no_key=True, of=("self",))
        .order_by("card_set_id")
    }
    missing = sorted(wanted - places.keys())
    if missing:
        raise Refused(
            Refusal("unknown_set", f"Set {number[:20]} not found. Scan its label again.")
            for number in missing
        )
    return places


def place_of(number: str) -> CardPlace:
    """Return where a set is, as a screen reads it. Raises Refused."""
    place = (
        CardPlace.objects.filter(card_set__number=clean_mark(number))
        .select_related("card_set", "table", "pit")
        .first()
    )
    if place is None:
        raise refuse("unknown_set", f"Set {number[:20]} not found. Scan its label again.")
    return place


def where_is(place: CardPlace) -> str:
    """Say where a set is, as a sentence goes on after “is”."""
    return place_words(
        CardState(place.state),
        table=str(place.table) if place.table else "",
        pit=str(place.pit) if place.pit else "",
        bag=place.bag,
    )


def facts_of(places: Iterable[CardPlace], own: Slip | None = None) -> list[SetFacts]:
    """Return sets as the rules judge them. `own` is the open slip that may name them."""
    places = list(places)
    named = _named_on([place.card_set.number for place in places], own)
    in_question = _in_question()
    return [
        SetFacts(
            number=place.card_set.number,
            colour=BackColour(place.colour),
            decks=place.card_set.decks,
            state=CardState(place.state),
            where=where_is(place),
            seal=place.seal,
            bag=place.bag,
            table_id=place.table_id,
            pit_id=place.pit_id,
            is_inspected=place.is_inspected,
            named_on=named.get(place.card_set.number, ""),
            is_in_question=place.card_set.number in in_question,
            collected_at=place.since
            if place.state in (CardState.COLLECTED, CardState.COLLECTED_UNCANCELLED)
            else None,
        )
        for place in places
    ]


def _named_on(numbers: Collection[str], own: Slip | None) -> dict[str, str]:
    """Return the open slip of cards, by its serial, that names each of these sets."""
    wanted = set(numbers)
    named = {}
    open_slips = Slip.objects.filter(kind__in=kinds_of_desk(CARDS), status=SlipStatus.OPEN.value)
    for slip in open_slips.exclude(pk=own.pk if own else 0).only("serial", "details"):
        for number in sets_named(slip.details):
            if number in wanted:
                named[number] = slip.serial
    return named


def sets_named(details: Mapping[str, Any]) -> list[str]:
    """Return the sets that a slip of cards is about."""
    return [*details.get("sets", []), *([details["set"]] if "set" in details else [])]


def _in_question() -> set[str]:
    return {
        exception.details.get("set", "")
        for exception in standing(FloorException.objects.filter(code=SEAL_EXCEPTION))
    }


def judge_again(act: CardAct, places: Iterable[CardPlace], own: Slip) -> None:
    """Judge an act once more where it takes effect: others may have signed meanwhile.

    Raises Refused.
    """
    refusals = [refusal for facts in facts_of(places, own) for refusal in act_refusals(act, facts)]
    if refusals:
        raise Refused(refusals)


@dataclass(frozen=True, slots=True)
class CardStep:
    """What a step says besides its act and where it leads."""

    table: Table | None = None
    pit: Pit | None = None
    seal: str = ""
    bag: str = ""
    counted: int | None = None


NOTHING_ELSE = CardStep()


@transaction.atomic(savepoint=False)
def move_set(
    place: CardPlace,
    act: CardAct,
    target: CardState,
    *,
    slip: Slip,
    at: datetime,
    step: CardStep = NOTHING_ELSE,
) -> CardMove:
    """Take a set one step further in its life. It is locked; `place` is read anew afterwards."""
    is_at_table = target in AT_TABLE
    in_pit = is_at_table or target in (
        CardState.IN_PIT,
        CardState.BAGGED,
        CardState.BAGGED_UNCANCELLED,
    )
    move = CardMove.objects.create(
        card_set=place.card_set,
        sequence=place.sequence + 1,
        act=act.value,
        source=place.state,
        target=target.value,
        table=(step.table or place.table) if is_at_table else None,
        # A table may be given to another pit while its cards lie on it; they stay of the first.
        pit=(place.pit or step.pit) if in_pit else None,
        seal=step.seal,
        bag=step.bag,
        counted=step.counted,
        slip=slip,
        at=at,
    )
    place.refresh_from_db()
    return move


def sets_on_the_game(table: Table) -> list[CardPlace]:
    """Return where each set on a table's game is."""
    return list(
        CardPlace.objects.filter(table=table, state__in=[state.value for state in ON_THE_GAME])
        .select_related("card_set", "table", "pit")
        .order_by("state")
    )


def hand_refusals(table: Table) -> list[Refusal]:
    """Return what keeps every set on a game: a winning hand whose cards lie there to be verified.

    The slip that holds such cards, a jackpot's, names them; they stay until it is settled, or held
    for a winner who cannot be paid: then the game goes on.
    """
    holding = holding_the_table(
        Slip.objects.filter(
            table=table, status=SlipStatus.OPEN.value, details__has_key="cards_held"
        )
    ).first()
    if holding is None:
        return []
    cards = ", ".join(holding.details["cards_held"])
    return [
        Refusal(
            "cards_held",
            f"{cards} stay at {table} until {holding.serial} is settled. No set leaves this game.",
        )
    ]


# From where a set comes off a game, as a paper says it.
OUT_OF = {
    CardState.SHUFFLER: "out of the shuffler",
    CardState.IN_PLAY: "out of the discard rack",
    CardState.SPARE: "the spare",
}


def take_off(
    leaving: CardPlace,
    taken_from: CardState,
    counted: int | None,
    slip: Slip,
    at: datetime,
) -> list[models.Model]:
    """Take a set off the game, and put the records right where the two had been exchanged."""
    thought = CardState(leaving.state)
    rows: list[models.Model] = [
        move_set(
            leaving,
            CardAct.REMOVED,
            CardState.REMOVED,
            slip=slip,
            at=at,
            step=CardStep(counted=counted),
        )
    ]
    if thought != taken_from:
        other = CardPlace.objects.select_related("card_set", "table", "pit").get(
            table=leaving.table_id, state=taken_from.value
        )
        rows.append(move_set(other, CardAct.SWAPPED, thought, slip=slip, at=at))
    return rows


def hold_short(
    place: CardPlace, counted: int, bag: str, slip: Slip, signature: Signature, at: datetime
) -> CardMove:
    """Hold a set that has not the cards it should; surveillance and the shift manager are told."""
    move = move_set(
        place,
        CardAct.HELD,
        CardState.HELD,
        slip=slip,
        at=at,
        step=CardStep(bag=bag, counted=counted),
    )
    card_set = place.card_set
    off = counted - card_set.cards
    open_exception(
        code=COUNT_EXCEPTION,
        sentence=f"{slip.table}: set {card_set} was counted {counted} of {card_set.cards}, "
        f"{abs(off)} {'short' if off < 0 else 'over'}. It is on hold as evidence"
        f"{f' in bag {bag}' if bag else ''}. Review the pictures of this table.",
        details={"set": card_set.number, "counted": counted, "cards": card_set.cards},
        at=at,
        person=signature.person,
        table=slip.table,
        slip=slip,
    )
    return move
