"""A set brought to a table: sealed into the shuffler, into play or beside it, maybe for another.

Manual, "New cards on the gaming table" 2 to 4: the supervisor brings and inspects them, then the
dealer. The box of a spare stays sealed. A seal that is wrong or broken stops it, and is on the
shift manager's list at once. Into the shuffler of a closed table a vaulted set goes on its seal:
the supervisor places it before the dealer comes, who signs the opener with the cards in place.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from django.db import models, transaction
from django.http import Http404

from inventory.kinds.of_cards import (
    CARD_READERS,
    PIT_LOG,
    SLOT_WORDS,
    WholeNumber,
    card_paper,
    locked_places,
    place_given,
    places_of,
    table_of,
    to_cards_of_table,
    voided_cards,
)
from inventory.models import CardPlace
from inventory.selectors.cards import cabinet_of, cards_at_table, is_on_the_game, slots_of
from inventory.services.cards import (
    OUT_OF,
    SEAL_EXCEPTION,
    facts_of,
    hand_refusals,
    hold_short,
    judge_again,
    lock_sets,
    move_set,
    place_of,
    sets_on_the_game,
    take_off,
)
from inventory.services.cards import CardStep as CardStep
from pitboss.middleware import PitRequest
from pitboss.models import FloorException, Person, Signature, Slip, Table
from pitboss.rules.cards.judging import Bringing, bringing_refusals, is_off
from pitboss.rules.cards.sets import ON_THE_GAME, CardAct, CardState, clean_mark
from pitboss.rules.floor.fields import Words
from pitboss.rules.flows.flows import PlanFacts, Promise, SlipStatus, Step
from pitboss.rules.games.table_setup import CardProfile
from pitboss.rules.refusal import Refusal, Refused, refuse
from pitboss.rules.roles import SUPERVISING, Place, Role
from pitboss.rules.settings.cards import SEAL_STANDS
from pitboss.services import house
from pitboss.services.drafts import NewSlip, Pen
from pitboss.services.exceptions import open_exception
from pitboss.services.journal import CARDS
from pitboss.services.signing import set_status
from pitboss.slips.addresses import own_url
from pitboss.slips.kind import Kind, Look, Raising
from pitboss.views.forms import new_request_id

# What decides its steps: the box was opened, so the dealer inspects the cards as well.
_OPENED: Final = "opened"
_SEAL_CODES: Final = frozenset({"seal_differs", "seal_broken"})
_GOES: Final = {
    CardState.SHUFFLER: "into the shuffler",
    CardState.IN_PLAY: "into play",
    CardState.SPARE: "next to the table, sealed",
}


def _slot(entered: str, table: Table, half: str) -> CardState:
    """Return the slot that a set is brought into: as asked, else as the change wants it."""
    slots = slots_of(table)
    if not slots:
        raise Http404("This table has no cards of its own.")
    if half:
        return slots[0]
    return next((slot for slot in slots if slot.value == entered), slots[0])


def _out_of(half: str, profile: CardProfile) -> CardState:
    """Return from where a set comes out in this half of a change."""
    is_dealt_from = half == "2" or profile == CardProfile.HAND
    return CardState.IN_PLAY if is_dealt_from else CardState.SHUFFLER


def _read(raising: Raising) -> Raising:
    """Return what was scanned and entered. Raises Refused."""
    table, given = table_of(raising), raising.given
    half = given.get("half", "")
    number = clean_mark(given.get("scanned") or given.get("set", ""))
    if not number:
        raise refuse("set_missing", "Scan the label of the set, or choose one.")
    place_of(number)
    if given.get("whole") not in ("yes", "no"):
        raise refuse("seal_not_said", "Choose whether the seal is whole or broken.")
    brought: dict[str, Any] = {
        "set": number,
        "seal": given.get("seal", ""),
        "slot": _slot(given.get("slot", ""), table, half),
        "seal_is_whole": given["whole"] == "yes",
        "counted": given.get("counted"),
    }
    if half:
        brought["takes_out"] = clean_mark(given.get("takes_out", ""))
        brought["taken_from"] = _out_of(half, CardProfile(table.cards))
    if half == "2":
        # In the second half of a change the set that waits in the shuffler goes into play.
        others = [
            place.card_set.number
            for place in cards_at_table(table)
            if place.state in (CardState.SHUFFLER.value, CardState.IN_PLAY.value)
            and place.card_set.number != brought["takes_out"]
        ]
        brought["brings_out"] = others[0] if others else ""
    return replace(raising, given=brought)


def _drafted(raising: Raising) -> NewSlip:
    card_set, given = place_given(raising).card_set, raising.given
    seal, is_whole = clean_mark(given["seal"]), given.get("seal_is_whole", True)
    counted, taken_from = given.get("counted"), given.get("taken_from")
    takes_out, brings_out = given.get("takes_out", ""), given.get("brings_out", "")
    says = [
        ["Set", f"{card_set}, {card_set.colour}, {card_set.cards} cards"],
        ["Seal", f"{seal}{'' if is_whole else ', BROKEN'}"],
        ["Goes", _GOES[given["slot"]]],
    ]
    if counted is not None:
        says.append(["Counted", f"{counted} of {card_set.cards}"])
    if takes_out and taken_from is not None:
        says.append(["Comes out", f"{takes_out}, {OUT_OF[taken_from]}"])
    if brings_out:
        says.append(["Goes into play", brings_out])
    return NewSlip(
        raising.kind.kind,
        table_of(raising).pk,
        {},
        details={
            "about": card_set.number,
            "says": says,
            "set": card_set.number,
            "seal": seal,
            "seal_is_whole": is_whole,
            "slot": given["slot"].value,
            "counted": counted,
            "takes_out": takes_out,
            "taken_from": taken_from.value if taken_from else None,
            "brings_out": brings_out,
        },
    )


def _numbers(raising: Raising) -> list[str]:
    """Return the set that comes, and those on the game."""
    others = [place.card_set.number for place in sets_on_the_game(table_of(raising))]
    return [clean_mark(raising.given["set"]), *others]


def _locked(raising: Raising) -> Raising:
    return replace(raising, given={**raising.given, **locked_places(_numbers(raising))})


def _refusals(raising: Raising) -> list[Refusal]:
    table, given, said = table_of(raising), raising.given, raising.new().details
    number, *others = _numbers(raising)
    by_number = {facts.number: facts for facts in facts_of(places_of(raising, [number, *others]))}
    takes_out, brings_out = said["takes_out"], said["brings_out"]
    for strange in (item for item in (takes_out, brings_out) if item and item not in by_number):
        return [
            Refusal(
                "not_on_the_game", f"Set {strange} isn’t on this table’s game. Check the label."
            )
        ]
    refusals = bringing_refusals(
        Bringing(
            table=table.name,
            table_id=table.pk,
            pit_id=table.pit_id,
            decks=table.decks,
            profile=CardProfile(table.cards),
            slot=given["slot"],
            brought=by_number[number],
            seal=said["seal"],
            seal_is_whole=said["seal_is_whole"],
            counted=said["counted"],
            on_the_game=[by_number[other] for other in others],
            takes_out=by_number.get(takes_out),
            taken_from=given.get("taken_from"),
            brings_out=by_number.get(brings_out),
        )
    )
    if takes_out:
        refusals += hand_refusals(table)
    if raising.draft is None:
        # A wrong seal is found under a signature, so that it is kept who read it.
        refusals = [refusal for refusal in refusals if refusal.code not in _SEAL_CODES]
    return refusals


def _facts(raising: Raising) -> PlanFacts:
    is_short = is_off(raising.given.get("counted"), place_given(raising).card_set.decks)
    stays_sealed = raising.given["slot"] == CardState.SPARE or _goes_on_its_seal(raising)
    is_opened = not stays_sealed and not is_short
    return PlanFacts({}, marks=frozenset({_OPENED}) if is_opened else frozenset())


def _goes_on_its_seal(raising: Raising) -> bool:
    """Tell whether the seal stands for the dealer's inspection: before the table opens.

    A set whose seal was once read wrong since it was vaulted is inspected by both.
    """
    table, given, place = table_of(raising), raising.given, place_given(raising)
    if table.is_open or not table.setup or given.get("takes_out"):
        return False
    if given["slot"] != CardState.SHUFFLER:
        return False
    if house.settings_at(house.now())["cards.vaulted_inspection"] != SEAL_STANDS:
        return False
    vaulted = place.card_set.moves.filter(act=CardAct.VAULTED.value).latest("sequence")
    return not FloorException.objects.filter(
        code=SEAL_EXCEPTION, details__set=place.card_set.number, opened_at__gte=vaulted.at
    ).exists()


def _when_refused(raising: Raising, refused: Refused, pen: Pen) -> None:
    """Keep a wrong seal on the shift manager's list, after everything else was rolled back."""
    if not set(refused.codes) <= _SEAL_CODES:
        return
    fields, table = raising.new().details, table_of(raising)
    with transaction.atomic(durable=True):
        open_exception(
            code=SEAL_EXCEPTION,
            sentence=f"{table}: {refused}"[:500],
            details={
                "set": fields["set"],
                "seal_read": fields["seal"],
                "seal_is_whole": fields["seal_is_whole"],
            },
            at=house.now(),
            person=Person.objects.filter(badge=pen.badge.strip()).first(),
            table=table,
        )


def _to_table(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Put the set where the supervisor put it, and take off what came out for it.

    A set that has not the cards it should goes nowhere but to surveillance; nothing else moves.
    """
    assert slip.table is not None
    details = slip.details
    others = [details[key] for key in ("takes_out", "brings_out") if details[key]]
    places = lock_sets([details["set"], *others])
    place = places[details["set"]]
    if is_off(details["counted"], place.card_set.decks):
        return [hold_short(place, details["counted"], "", slip, signature, at)]
    rows: list[models.Model] = []
    if details["takes_out"]:
        leaving = places[details["takes_out"]]
        rows += take_off(leaving, CardState(details["taken_from"]), None, slip, at)
        # Putting the records right may have brought the other set into play already.
        for card_place in places.values():
            card_place.refresh_from_db()
    if details["brings_out"] and places[details["brings_out"]].state == CardState.SHUFFLER.value:
        waiting = places[details["brings_out"]]
        rows.append(move_set(waiting, CardAct.SWAPPED, CardState.IN_PLAY, slip=slip, at=at))
    step = CardStep(
        table=slip.table, pit=slip.table.pit, seal=details["seal"], counted=details["counted"]
    )
    slot = CardState(details["slot"])
    rows.append(move_set(place, CardAct.TO_TABLE, slot, slip=slip, at=at, step=step))
    return rows


def _inspected(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    (place,) = lock_sets([slip.details["set"]]).values()
    judge_again(CardAct.INSPECTED, [place], own=slip)
    return [move_set(place, CardAct.INSPECTED, CardState(place.state), slip=slip, at=at)]


def _unfit(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Take a set that did not pass its inspection off the game again, to be bagged or held."""
    set_status(slip, SlipStatus.VOIDED)
    (place,) = lock_sets([slip.details["set"]]).values()
    if CardState(place.state) not in ON_THE_GAME or place.table_id != slip.table_id:
        return []
    return [move_set(place, CardAct.REMOVED, CardState.REMOVED, slip=slip, at=at)]


def _look(request: PitRequest, raising: Raising, refused: Refused | None) -> Look:
    """Return the page on which a set is scanned or chosen, and its seal is read."""
    table, given = table_of(raising), request.POST or request.GET
    half, profile = given.get("half", ""), CardProfile(table.cards)
    here = {CardState(place.state): place for place in cards_at_table(table)}
    slot = _slot(given.get("slot", ""), table, half)
    spare = here.get(CardState.SPARE)
    candidates = [place for place in cabinet_of(table.pit) if place.card_set.decks == table.decks]
    if spare is not None and slot != CardState.SPARE:
        candidates.insert(0, spare)
    stays = _staying(here, half, profile)
    on_game = [place for place in here.values() if is_on_the_game(place)]
    return "inventory/cards/bring.html", {
        "url": own_url(raising),
        "request_id": new_request_id(),
        "table": table,
        "half": half,
        "slot": slot,
        "slots": [(card_state.value, SLOT_WORDS[card_state]) for card_state in slots_of(table)],
        "candidates": [
            {
                "place": place,
                "number": place.card_set.number,
                "colour": place.colour,
                "why_not": "Same color as what stays." if place.colour in stays else "",
            }
            for place in candidates
        ],
        "chosen": given.get("set", ""),
        "seal": given.get("seal", ""),
        "counted": given.get("counted", ""),
        "on_seal": not table.is_open
        and not half
        and bool(table.setup)
        and house.settings_at(house.now())["cards.vaulted_inspection"] == SEAL_STANDS,
        "must_count": profile == CardProfile.HAND and slot == CardState.IN_PLAY,
        "leaving": [
            {"number": place.card_set.number, "colour": place.colour, "state": place.state}
            for place in on_game
            if place.state != CardState.SPARE.value
        ]
        if half
        else [],
        "leaves": given.get("takes_out") or _leaves(here, half, profile),
    }


def _leaves(here: Mapping[CardState, CardPlace], half: str, profile: CardProfile) -> str:
    """Return the set that the records let come out in this half of a change."""
    place = here.get(_out_of(half, profile))
    return place.card_set.number if place else ""


def _staying(here: Mapping[CardState, CardPlace], half: str, profile: CardProfile) -> set[str]:
    leaves = _leaves(here, half, profile) if half else ""
    return {
        place.colour
        for place in here.values()
        if is_on_the_game(place) and place.card_set.number != leaves
    }


CARD_TO_TABLE = Kind(
    "card_to_table",
    title="Cards to the table",
    series="KT",
    desk=CARDS,
    open_to=SUPERVISING,
    lit_by="cards",
    locks=_locked,
    asked=(
        Words(name="half", label="Half of a change", is_needed=False),
        Words(name="scanned", label="Scan the label", is_needed=False),
        Words(name="set", label="Set", is_needed=False),
        Words(name="seal", label="Seal on the box", is_needed=False),
        Words(name="whole", label="Seal", is_needed=False),
        Words(name="slot", label="Goes", is_needed=False),
        Words(name="takes_out", label="Comes out", is_needed=False),
        WholeNumber(name="counted", label="Cards counted"),
    ),
    becomes=_read,
    refusals=_refusals,
    when_refused=_when_refused,
    facts=_facts,
    drafted=_drafted,
    steps=(
        Step(
            "brought",
            done="Brought",
            do="Bring",
            by=Role.SUPERVISOR,
            at=Place.PIT,
            attests="I certify that I read this seal number from the box, brought the set to "
            "this table, and inspected the cards I opened, front and back, both ways.",
            then="card_set_to_table",
        ),
        Step(
            "inspected",
            done="Inspected",
            do="Inspect",
            by=Role.DEALER,
            at=Place.PIT,
            when=lambda facts: _OPENED in facts.marks,
            attests="I certify that I saw the box opened and also inspected the cards, front "
            "and back, both ways.",
            then="card_set_inspected",
        ),
    ),
    void=voided_cards(
        "brought",
        "I void this slip. I certify that the set listed on it was not put into play.",
        Place.PIT,
        then="card_set_unfit",
    ),
    effects={
        "card_set_to_table": _to_table,
        "card_set_inspected": _inspected,
        "card_set_unfit": _unfit,
    },
    readers=CARD_READERS,
    promises=(Promise(1, 1), Promise(2, 1, having="inspected")),
    paper=card_paper(PIT_LOG),
    look=_look,
    heading=lambda raising: f"Cards to {raising.table}",
    back=to_cards_of_table,
    raised=lambda slip: f"{slip.serial}: set {slip.details['set']} is at {slip.table}.",
)
