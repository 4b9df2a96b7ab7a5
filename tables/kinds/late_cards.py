"""Cards that were vaulted, brought to a table, or taken off it on paper in an outage.

A set is in one place, so its forms are entered in the order in which it went: one that is elsewhere
is refused with where it is, and by that with the form that is missing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from django.db import models

from inventory.kinds.card_batches import CARD_VAULTING, seal_refusals
from inventory.kinds.card_cancellation import CARD_CANCELLATION, bags_used
from inventory.kinds.card_to_table import CARD_TO_TABLE
from inventory.kinds.of_cards import CARD_READERS, many, place_given, places_of, table_of
from inventory.models import CardPlace
from inventory.services.cards import (
    OUT_OF,
    CardStep,
    facts_of,
    hold_short,
    judge_again,
    lock_sets,
    move_set,
    place_of,
    sets_on_the_game,
    take_off,
)
from pitboss.models import Signature, Slip
from pitboss.rules.cards.judging import (
    Bringing,
    Cancelling,
    act_refusals,
    bringing_refusals,
    cancelling_refusals,
    is_off,
)
from pitboss.rules.cards.sets import CardAct, CardState, clean_mark
from pitboss.rules.day.late_papers import LATE_CANCELLATION, LATE_VAULTING
from pitboss.rules.floor.fields import Number, Pick, Words
from pitboss.rules.games.table_setup import CardProfile
from pitboss.rules.refusal import Refusal, Refused, refuse
from pitboss.services.drafts import NewSlip
from pitboss.services.journal import CARDS
from pitboss.services.locks import lock_desk
from pitboss.slips.kind import Raising
from pitboss.slips.late import (
    FROM_PAPER,
    entered_time,
    form_entered,
    on_paper,
    paper_details,
    paper_refusals,
)
from tables.kinds.late_page import closed_day, late_kind

_SLOTS: Final = {
    CardState.SHUFFLER.value: "Shuffler",
    CardState.IN_PLAY.value: "In play",
    CardState.SPARE.value: "Spare",
}
_SET: Final = Words(name="set", label="Set", hint="like 06-R-0418", most=20)


def _drafted(raising: Raising, about: str, says: list[list[str]], **details: Any) -> NewSlip:
    return NewSlip(
        raising.kind.kind,
        raising.table.pk if raising.table is not None else None,
        {},
        details={
            "what": "cards",
            "about": about,
            "says": says,
            **details,
            **paper_details(raising),
        },
        happened_at=entered_time(raising),
    )


def _form_refusals(raising: Raising) -> list[Refusal]:
    paper = raising.kind.on_paper
    assert paper is not None, "it is entered from a form"
    return [*paper_refusals(raising, paper.code), *closed_day(raising)]


def _refusals_by(
    judged: Callable[[Raising, Mapping[str, Any]], list[Refusal]],
) -> Callable[[Raising], list[Refusal]]:
    def refusals(raising: Raising) -> list[Refusal]:
        """Return why a form may not be entered, sets that there are not included."""
        found = _form_refusals(raising)
        try:
            return [*found, *judged(raising, raising.new().details)]
        except Refused as refused:
            return [*found, *refused.refusals]

    return refusals


def _seals(raising: Raising) -> dict[str, str]:
    """Return the seal of each set, each set followed by its seal. Raises Refused."""
    words = [clean_mark(word) for word in raising.given["seals"].replace(",", " ").split()]
    seals = dict(zip(words[::2], words[1::2], strict=False))
    if len(words) != 2 * len(seals):
        raise refuse("seals_malformed", "Enter each set once, followed by its seal.")
    for number in seals:
        place_of(number)
    return seals


def _drafted_vaulting(raising: Raising) -> NewSlip:
    seals = _seals(raising)
    says = [[number, f"seal {seal}"] for number, seal in seals.items()]
    return _drafted(raising, many(len(seals), "set"), says, sets=list(seals), seals=seals)


def _vaulting_refusals(raising: Raising, details: Mapping[str, Any]) -> list[Refusal]:
    seals = details["seals"]
    facts = facts_of(places_of(raising, seals))
    judged = [why for set_facts in facts for why in act_refusals(CardAct.VAULTED, set_facts)]
    return [*judged, *seal_refusals(seals)]


def _vaulted(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Put the sets into the store under their seals."""
    seals = slip.details["seals"]
    lock_desk(CARDS)
    if refusals := seal_refusals(seals, own=slip):
        raise Refused(refusals)
    places = lock_sets(seals)
    judge_again(CardAct.VAULTED, places.values(), own=slip)
    moves = [
        move_set(
            place,
            CardAct.VAULTED,
            CardState.VAULTED,
            slip=slip,
            at=at,
            step=CardStep(seal=seals[number]),
        )
        for number, place in places.items()
    ]
    return [*moves, *form_entered(slip, at)]


def _drafted_bringing(raising: Raising) -> NewSlip:
    place, given = place_given(raising), raising.given
    number, seal, slot = place.card_set.number, clean_mark(given["seal"]), given["slot"]
    says = [["Set", f"{number}, {place.colour}"], ["Seal", seal], ["Put", _SLOTS[slot].lower()]]
    return _drafted(
        raising, number, says, set=number, seal=seal, slot=slot, counted=given.get("counted")
    )


def _bringing(slip_or_raising: Slip | Raising, details: Mapping[str, Any]) -> list[Refusal]:
    table = slip_or_raising.table
    assert table is not None, "a set is brought to a table"
    own = slip_or_raising if isinstance(slip_or_raising, Slip) else None
    brought = place_of(details["set"])
    here = [card_place for card_place in sets_on_the_game(table) if card_place.pk != brought.pk]
    facts, *others = facts_of([brought, *here], own)
    return bringing_refusals(
        Bringing(
            table=table.name,
            table_id=table.pk,
            pit_id=table.pit_id,
            decks=table.decks,
            profile=CardProfile(table.cards),
            slot=CardState(details["slot"]),
            brought=facts,
            seal=details["seal"],
            seal_is_whole=True,
            counted=details["counted"],
            on_the_game=others,
        )
    )


def _brought(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Bring a set to its table; who inspected it signed the form. One counted short is held."""
    details = slip.details
    (place,) = lock_sets([details["set"]]).values()
    if refusals := _bringing(slip, details):
        raise Refused(refusals)
    if is_off(details["counted"], place.card_set.decks):
        held = hold_short(place, details["counted"], "", slip, signature, at)
        return [held, *form_entered(slip, at)]
    slot = CardState(details["slot"])
    step = CardStep(table=slip.table, seal=details["seal"], counted=details["counted"])
    moves = [move_set(place, CardAct.TO_TABLE, slot, slip=slip, at=at, step=step)]
    if slot is not CardState.SPARE:
        moves.append(move_set(place, CardAct.INSPECTED, slot, slip=slip, at=at))
    return [*moves, *form_entered(slip, at)]


def _drafted_cancellation(raising: Raising) -> NewSlip:
    place, given = place_given(raising), raising.given
    card_set, bag = place.card_set, clean_mark(given["bag"])
    came = CardState(given["taken_from"])
    says = [
        ["Set", f"{card_set}, {card_set.colour}"],
        ["Bag", bag],
        ["Came", OUT_OF[came]],
        ["Counted", f"{given['counted']} of {card_set.cards}"],
    ]
    return _drafted(
        raising,
        card_set.number,
        says,
        set=card_set.number,
        bag=bag,
        taken_from=came.value,
        counted=given["counted"],
    )


def _canceling(slip_or_raising: Slip | Raising, details: Mapping[str, Any]) -> list[Refusal]:
    table = slip_or_raising.table
    assert table is not None, "a set comes off a table"
    own = slip_or_raising if isinstance(slip_or_raising, Slip) else None
    leaving = place_of(details["set"])
    here = [card_place for card_place in sets_on_the_game(table) if card_place.pk != leaving.pk]
    facts, *others = facts_of([leaving, *here], own)
    return cancelling_refusals(
        Cancelling(
            table=table.name,
            table_id=table.pk,
            leaving=facts,
            taken_from=CardState(details["taken_from"]),
            on_the_game=others,
            bag=details["bag"],
            counted=details["counted"],
            shuffler_shows=None,
            bags_used=bags_used(details["bag"], own),
        )
    )


def _canceled(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Take a set off the game, canceled and bagged; one that was counted short is held."""
    details = slip.details
    lock_desk(CARDS)
    (place,) = lock_sets([details["set"]]).values()
    if refusals := _canceling(slip, details):
        raise Refused(refusals)
    rows: list[models.Model] = []
    counted, bag = details["counted"], details["bag"]
    if place.state != CardState.REMOVED.value:
        rows += take_off(place, CardState(details["taken_from"]), counted, slip, at)
    if is_off(counted, place.card_set.decks):
        return [
            *rows,
            hold_short(place, counted, bag, slip, signature, at),
            *form_entered(slip, at),
        ]
    rows += _bagged(place, counted, bag, slip, at)
    return [*rows, *form_entered(slip, at)]


def _bagged(
    place: CardPlace, counted: int, bag: str, slip: Slip, at: datetime
) -> list[models.Model]:
    steps = (
        (CardAct.CANCELLED, CardState.CANCELLED, CardStep(counted=counted)),
        (CardAct.BAGGED, CardState.BAGGED, CardStep(bag=bag)),
    )
    return [move_set(place, act, state, slip=slip, at=at, step=step) for act, state, step in steps]


LATE_CARDS_TO_TABLE = late_kind(
    "late_card_to_table",
    title="Late cards to the table",
    desk=CARDS,
    lit_by="cards",
    asked=(
        _SET,
        Words(name="seal", label="Seal", most=20),
        Pick(name="slot", label="Put", choices=_SLOTS),
        Number(name="counted", label="Counted, where they are", is_needed=False),
        *FROM_PAPER,
    ),
    refusals=_refusals_by(_bringing),
    drafted=_drafted_bringing,
    posted=_brought,
    readers=CARD_READERS,
    heading=lambda raising: f"Late cards, {table_of(raising)}",
    on_paper=on_paper(
        "CD",
        CARD_TO_TABLE,
        writes=("Set, color", "Seal", "Shuffler, in play, or spare", "Counted"),
        has_cheques=False,
    ),
)
LATE_CARD_CANCELLATION = replace(
    LATE_CARDS_TO_TABLE,
    kind=LATE_CANCELLATION,
    title="Late card cancellation",
    asked=(
        _SET,
        Words(name="bag", label="Bag", most=20),
        Pick(name="taken_from", label="Taken from", choices=_SLOTS),
        Number(name="counted", label="Counted"),
        *FROM_PAPER,
    ),
    refusals=_refusals_by(_canceling),
    drafted=_drafted_cancellation,
    effects={"late_posted": _canceled},
    heading=lambda raising: f"Late cancellation, {table_of(raising)}",
    on_paper=on_paper(
        "CX",
        CARD_CANCELLATION,
        writes=("Set, color", "Bag", "Taken from", "Counted"),
        has_cheques=False,
    ),
)
LATE_CARD_VAULTING = replace(
    LATE_CARDS_TO_TABLE,
    kind=LATE_VAULTING,
    title="Late card vaulting",
    at_a_table=False,
    asked=(
        Words(
            name="seals", label="Each set and its seal", hint="like 06-R-0418 77-20418", most=2_000
        ),
        *FROM_PAPER,
    ),
    refusals=_refusals_by(_vaulting_refusals),
    drafted=_drafted_vaulting,
    effects={"late_posted": _vaulted},
    heading=lambda raising: "Late vaulting",
    on_paper=on_paper(
        "CV",
        CARD_VAULTING,
        writes=("Each set and its seal",),
        has_cheques=False,
        # The pit has its forms.
        at_a_table=True,
    ),
)
