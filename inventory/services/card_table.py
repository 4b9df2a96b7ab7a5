"""Cards at a table: brought, inspected, exchanged on a live game, one of them replaced."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import models, transaction

from inventory.services.cards import (
    OUT_OF,
    SEAL_EXCEPTION,
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
    where_is,
)
from pitboss.models import Person, Signature, Slip, Table
from pitboss.rules.card_flows import (
    CARD_REPLACEMENT,
    CARD_TO_TABLE,
    CARD_UNUSED,
    OPENED,
)
from pitboss.rules.card_judging import (
    Bringing,
    SetFacts,
    act_refusals,
    bringing_refusals,
    is_off,
)
from pitboss.rules.card_sets import (
    ON_THE_GAME,
    CardAct,
    CardState,
    clean_mark,
    spoken_card,
)
from pitboss.rules.cards import card as card_named
from pitboss.rules.flows import PlanFacts, SlipStatus
from pitboss.rules.refusal import Refusal, Refused
from pitboss.rules.table_setup import CardProfile
from pitboss.services import house
from pitboss.services.effects import effect
from pitboss.services.exceptions import open_exception
from pitboss.services.signing import Entry, Judgement, NewSlip, Pen, raise_slip, set_status

_SEAL_CODES = frozenset({"seal_differs", "seal_broken"})


@dataclass(frozen=True, slots=True)
class Brought:
    """A set that a supervisor brings to a table, as keyed or scanned."""

    number: str
    seal: str
    slot: CardState
    seal_is_whole: bool = True
    counted: int | None = None
    # On a live game: what comes out for it, and from where.
    takes_out: str = ""
    taken_from: CardState | None = None
    # In the second half of a change the set that waits in the shuffler goes into play.
    brings_out: str = ""


def new_bringing(table: Table, brought: Brought) -> NewSlip:
    """Return a set about to be brought to a table. Raises Refused for an unknown set."""
    place = place_of(brought.number)
    card_set = place.card_set
    says = [
        ["Set", f"{card_set}, {card_set.colour}, {card_set.cards} cards"],
        ["Seal", f"{clean_mark(brought.seal)}{'' if brought.seal_is_whole else ', BROKEN'}"],
        ["Goes", _GOES[brought.slot]],
    ]
    if brought.counted is not None:
        says.append(["Counted", f"{brought.counted} of {card_set.cards}"])
    if brought.takes_out and brought.taken_from is not None:
        says.append(["Comes out", f"{brought.takes_out}, {OUT_OF[brought.taken_from]}"])
    if brought.brings_out:
        says.append(["Goes into play", brought.brings_out])
    return NewSlip(
        CARD_TO_TABLE.kind,
        table.pk,
        {},
        details={
            "about": card_set.number,
            "says": says,
            "set": card_set.number,
            "seal": clean_mark(brought.seal),
            "seal_is_whole": brought.seal_is_whole,
            "slot": brought.slot.value,
            "counted": brought.counted,
            "takes_out": brought.takes_out,
            "taken_from": brought.taken_from.value if brought.taken_from else None,
            "brings_out": brought.brings_out,
        },
    )


_GOES = {
    CardState.SHUFFLER: "into the shuffler",
    CardState.IN_PLAY: "into play",
    CardState.SPARE: "beside the table, sealed",
}


def bring_to_table(table: Table, brought: Brought, *, pen: Pen, shown: str) -> Slip:
    """Bring a set to a table, signed by the supervisor who inspected it; the dealer is next.

    A seal that is wrong or broken stops it, and is on the shift manager's list at once.
    Raises Refused.
    """
    new = new_bringing(table, brought)

    def judge(locked: Table | None, _: object) -> Judgement:
        assert locked is not None, "cards are brought to a table"
        return _judge_bringing(locked, brought)

    try:
        return raise_slip(new, pen=pen, shown=shown, judge=judge)
    except Refused as refused:
        if set(refused.codes) <= _SEAL_CODES:
            _seal_is_wrong(table, new.details, str(refused), pen)
        raise


@transaction.atomic(durable=True)
def _seal_is_wrong(table: Table, said: Mapping[str, Any], sentence: str, pen: Pen) -> None:
    """Keep a wrong seal on somebody's list, after everything else was rolled back."""
    open_exception(
        code=SEAL_EXCEPTION,
        sentence=f"{table}: {sentence}"[:500],
        details={
            "set": said["set"],
            "seal_read": said["seal"],
            "seal_is_whole": said["seal_is_whole"],
        },
        at=house.now(),
        person=Person.objects.filter(badge=pen.badge.strip()).first(),
        table=table,
    )


def _judge_bringing(table: Table, brought: Brought) -> Judgement:
    others = [place.card_set.number for place in sets_on_the_game(table)]
    places = lock_sets([clean_mark(brought.number), *others])
    by_number = {facts.number: facts for facts in facts_of(places.values())}
    brought_facts = by_number[clean_mark(brought.number)]
    refusals = bringing_refusals(
        Bringing(
            table=table.name,
            table_id=table.pk,
            pit_id=table.pit_id,
            decks=table.decks,
            profile=CardProfile(table.cards),
            slot=brought.slot,
            brought=brought_facts,
            seal=clean_mark(brought.seal),
            seal_is_whole=brought.seal_is_whole,
            counted=brought.counted,
            on_the_game=[by_number[number] for number in others],
            takes_out=_named(brought.takes_out, by_number),
            taken_from=brought.taken_from,
            brings_out=_named(brought.brings_out, by_number),
        )
    )
    if brought.takes_out:
        refusals += hand_refusals(table)
    short = is_off(brought.counted, brought_facts.decks)
    opened = brought.slot != CardState.SPARE and not short
    return Judgement(refusals, PlanFacts({}, marks=frozenset({OPENED}) if opened else frozenset()))


def _named(number: str, by_number: dict[str, SetFacts]) -> SetFacts | None:
    """Return one of the sets at the table by its number. Raises Refused for any other."""
    if not number:
        return None
    if number not in by_number:
        raise Refused([Refusal("not_on_the_game", f"Set {number} is not on this table's game.")])
    return by_number[number]


@effect("card_set_to_table")
def _card_set_to_table(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Put the set where the supervisor put it, and take off what came out for it.

    A set that has not the cards it should goes nowhere but to surveillance; nothing else moves.
    """
    assert slip.table is not None
    said = slip.details
    others = [said[key] for key in ("takes_out", "brings_out") if said[key]]
    places = lock_sets([said["set"], *others])
    place = places[said["set"]]
    if is_off(said["counted"], place.card_set.decks):
        return [hold_short(place, said["counted"], "", slip, signature, at)]
    rows: list[models.Model] = []
    if said["takes_out"]:
        leaving = places[said["takes_out"]]
        rows += take_off(leaving, CardState(said["taken_from"]), None, slip, at)
        # Putting the records right may have brought the other set into play already.
        for each in places.values():
            each.refresh_from_db()
    if said["brings_out"] and places[said["brings_out"]].state == CardState.SHUFFLER.value:
        rows.append(
            move_set(
                places[said["brings_out"]], CardAct.SWAPPED, CardState.IN_PLAY, slip=slip, at=at
            )
        )
    rows.append(
        move_set(
            place,
            CardAct.TO_TABLE,
            CardState(said["slot"]),
            slip=slip,
            at=at,
            step=Step(
                table=slip.table, pit=slip.table.pit, seal=said["seal"], counted=said["counted"]
            ),
        )
    )
    return rows


@effect("card_set_inspected")
def _card_set_inspected(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    (place,) = lock_sets([slip.details["set"]]).values()
    demand(CardAct.INSPECTED, [place], own=slip)
    return [move_set(place, CardAct.INSPECTED, CardState(place.state), slip=slip, at=at)]


@effect("card_set_unfit")
def _card_set_unfit(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Take a set that did not pass its inspection off the game again, to be bagged or held."""
    set_status(slip, SlipStatus.VOIDED)
    (place,) = lock_sets([slip.details["set"]]).values()
    if CardState(place.state) not in ON_THE_GAME or place.table_id != slip.table_id:
        return []
    return [move_set(place, CardAct.REMOVED, CardState.REMOVED, slip=slip, at=at)]


def new_unused(table: Table, number: str) -> NewSlip:
    """Return a spare about to go back to the cabinet. Raises Refused for an unknown set."""
    place = place_of(number)
    return NewSlip(
        CARD_UNUSED.kind,
        table.pk,
        {},
        details={
            "about": place.card_set.number,
            "says": [["Set", place.card_set.number], ["Seal", place.seal]],
            "set": place.card_set.number,
        },
    )


def put_spare_back(table: Table, number: str, *, pen: Pen, shown: str) -> Slip:
    """Put an unopened spare back into the pit's cabinet. Raises Refused."""
    new = new_unused(table, number)
    return raise_slip(
        new,
        pen=pen,
        shown=shown,
        judge=lambda locked, _: Judgement(_here_refusals(locked, new, CardAct.UNUSED)),
    )


def _here_refusals(table: Table | None, new: NewSlip, act: CardAct) -> list[Refusal]:
    """Return why an act is not for this set at this table."""
    assert table is not None, "this is done at a table"
    places = lock_sets([new.details["set"]])
    (facts,) = facts_of(places.values())
    refusals = act_refusals(act, facts)
    if facts.table_id != table.pk and not refusals:
        refusals.append(Refusal("card_elsewhere", f"Set {facts.number} is {facts.where}."))
    return refusals


@effect("card_set_unused")
def _card_set_unused(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    (place,) = lock_sets([slip.details["set"]]).values()
    return [move_set(place, CardAct.UNUSED, CardState.IN_PIT, slip=slip, at=at)]


def new_replacement(table: Table, number: str, card: str) -> NewSlip:
    """Return the replacement of a bad card, about to be raised.

    The house decides whether one card is replaced or its whole deck. Raises Refused.
    """
    place = place_of(number)
    bad = card_named(card.strip())
    words = spoken_card(bad)
    what = house.settings_at(house.now())["cards.replacement"]
    says = [
        ["Set", f"{place.card_set}, {where_is(place)}"],
        ["Bad card", words],
        [
            "Put in",
            f"one {words} with the same {place.colour} back"
            if what == "one_card"
            else f"a whole new deck with the same {place.colour} back",
        ],
    ]
    return NewSlip(
        CARD_REPLACEMENT.kind,
        table.pk,
        {},
        details={
            "about": f"{words} of {place.card_set}",
            "says": says,
            "set": place.card_set.number,
            "card": bad.name,
            "what": what,
        },
    )


def replace_card(
    table: Table, number: str, card: str, *, reason: str, pen: Pen, shown: str
) -> Slip:
    """Replace a bad card of a set on the game, signed by the supervisor. Raises Refused."""
    new = new_replacement(table, number, card)
    return raise_slip(
        new,
        pen=pen,
        shown=shown,
        judge=lambda locked, _: Judgement(_here_refusals(locked, new, CardAct.CARD_REPLACED)),
        entry=Entry(reason=reason),
    )


@effect("card_replaced")
def _card_replaced(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    (place,) = lock_sets([slip.details["set"]]).values()
    demand(CardAct.CARD_REPLACED, [place], own=slip)
    return [move_set(place, CardAct.CARD_REPLACED, CardState(place.state), slip=slip, at=at)]
