"""Cards away from the tables: received, vaulted, issued to a pit, collected and destroyed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import models

from inventory.models import CardMove, CardPlace, CardSet
from inventory.services.cards import (
    Step,
    demand,
    facts_of,
    lock_sets,
    move_set,
    place_of,
    where_is,
)
from pitboss.models import Pit, Signature, Slip
from pitboss.rules.canonical import is_plain
from pitboss.rules.card_flows import (
    CARD_COLLECTION,
    CARD_DESTRUCTION,
    CARD_ISSUE,
    CARD_LATE_CANCELLATION,
    CARD_PUT_BACK,
    CARD_RECEIPT,
    CARD_VAULTING,
)
from pitboss.rules.card_holds import CARD_HOLD, CARD_RELEASE
from pitboss.rules.card_judging import act_refusals, retention_refusals
from pitboss.rules.card_sets import (
    DECKS,
    SETS_A_RECEIPT_MAX,
    SETS_A_SLIP_MAX,
    BackColour,
    CardAct,
    CardState,
    cards_of,
    clean_mark,
    is_mark,
    leads_to,
    set_number,
)
from pitboss.rules.flows import Flow, SlipStatus
from pitboss.rules.refusal import Refusal, Refused
from pitboss.services import house
from pitboss.services.effects import effect
from pitboss.services.exceptions import open_exception
from pitboss.services.journal import CARDS
from pitboss.services.locks import lock_desk
from pitboss.services.signing import Entry, Judgement, NewSlip, Pen, raise_slip

TEXT_MAX = 60
LOT_MAX = 30


@dataclass(frozen=True, slots=True)
class Delivery:
    """What the maker sent: how many sets the papers say, how many came whole, how many not."""

    manufacturer: str
    design: str
    lot: str
    colour: str
    decks: int
    invoiced: int
    found: int
    damaged: int = 0

    @property
    def differs(self) -> bool:
        return self.found + self.damaged != self.invoiced or self.damaged > 0


def new_receipt(delivery: Delivery) -> NewSlip:
    """Return a receipt of cards about to be raised."""
    return NewSlip(
        CARD_RECEIPT.kind,
        None,
        {},
        details={
            "about": f"{_count(delivery.found, 'set')}, {delivery.colour}, "
            f"{_count(delivery.decks, 'deck')}",
            "says": [
                ["Maker", delivery.manufacturer.strip()],
                ["Design", delivery.design.strip()],
                ["Lot", delivery.lot.strip()],
                ["Backs", delivery.colour],
                ["Decks a set", f"{delivery.decks}, {cards_of(delivery.decks)} cards"],
                ["Sets on the invoice", str(delivery.invoiced)],
                ["Sets found whole", str(delivery.found)],
                ["Sets damaged", str(delivery.damaged)],
            ],
            "manufacturer": delivery.manufacturer.strip(),
            "design": delivery.design.strip(),
            "lot": delivery.lot.strip(),
            "colour": delivery.colour,
            "decks": delivery.decks,
            "invoiced": delivery.invoiced,
            "found": delivery.found,
            "damaged": delivery.damaged,
        },
    )


def receive_sets(delivery: Delivery, *, pen: Pen, shown: str) -> Slip:
    """Take new cards in, signed by a supervisor; somebody of another desk counts too.

    Raises Refused.
    """
    return raise_slip(
        new_receipt(delivery),
        pen=pen,
        shown=shown,
        judge=lambda table, original: Judgement(delivery_refusals(delivery)),
    )


def delivery_refusals(delivery: Delivery) -> list[Refusal]:
    """Return what is wrong with a delivery as it was keyed."""
    refusals = []
    texts = {
        "Maker": (delivery.manufacturer, TEXT_MAX),
        "Design": (delivery.design, TEXT_MAX),
        "Lot": (delivery.lot, LOT_MAX),
    }
    for name, (keyed, most) in texts.items():
        if not keyed.strip() or len(keyed.strip()) > most or not is_plain(keyed):
            refusals.append(Refusal("text_missing", f"{name}: key 1 to {most} signs."))
    if delivery.colour not in {colour.value for colour in BackColour}:
        refusals.append(Refusal("colour_unknown", "Choose the colour of the backs."))
    if delivery.decks not in DECKS:
        refusals.append(
            Refusal("decks_unknown", f"A set has {', '.join(map(str, DECKS))} decks. Choose one.")
        )
    numbers = (delivery.invoiced, delivery.found, delivery.damaged)
    if not all(0 <= number <= SETS_A_RECEIPT_MAX for number in numbers) or delivery.found == 0:
        refusals.append(
            Refusal(
                "sets_out_of_range",
                f"Key how many sets came, 1 to {SETS_A_RECEIPT_MAX}; what is damaged apart.",
            )
        )
    return refusals


@effect("card_sets_received")
def _card_sets_received(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Number every set that came, and report what the papers say otherwise."""
    # One receipt at a time gives numbers.
    lock_desk(CARDS)
    said = slip.details
    colour = BackColour(said["colour"])
    before = CardSet.objects.filter(colour=colour.value, decks=said["decks"]).count()
    rows: list[models.Model] = []
    for serial in range(before + 1, before + said["found"] + 1):
        card_set = CardSet.objects.create(
            number=set_number(said["decks"], colour, serial),
            manufacturer=said["manufacturer"],
            design=said["design"],
            lot=said["lot"],
            colour=colour.value,
            decks=said["decks"],
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
    if said["found"] + said["damaged"] != said["invoiced"] or said["damaged"]:
        open_exception(
            code="card_receipt",
            sentence=f"{slip.serial}: the invoice says {_count(said['invoiced'], 'set')}, "
            f"{said['found']} came whole and {said['damaged']} damaged. Tell the maker, and the "
            "regulator within 24 hours.",
            details={key: said[key] for key in ("invoiced", "found", "damaged")},
            at=at,
            person=signature.person,
            slip=slip,
        )
    return rows


@dataclass(frozen=True, slots=True)
class SetsAct:
    """One thing that is done with several sets at once, on a slip of the cards desk."""

    flow: Flow
    act: CardAct
    # The states from which a screen offers sets for it.
    offered: tuple[CardState, ...]


VAULT = SetsAct(CARD_VAULTING, CardAct.VAULTED, (CardState.RECEIVED,))
ISSUE = SetsAct(CARD_ISSUE, CardAct.TO_PIT, (CardState.VAULTED,))
PUT_BACK = SetsAct(CARD_PUT_BACK, CardAct.PUT_BACK, (CardState.IN_PIT,))
COLLECT = SetsAct(
    CARD_COLLECTION, CardAct.COLLECTED, (CardState.BAGGED, CardState.BAGGED_UNCANCELLED)
)
CANCEL_LATE = SetsAct(CARD_LATE_CANCELLATION, CardAct.CANCELLED, (CardState.COLLECTED_UNCANCELLED,))
DESTROY = SetsAct(CARD_DESTRUCTION, CardAct.DESTROYED, (CardState.COLLECTED,))


def new_vaulting(seals: Mapping[str, str]) -> NewSlip:
    """Return a vaulting about to be raised: each set and the number of its new seal."""
    marks = {clean_mark(number): clean_mark(seal) for number, seal in sorted(seals.items())}
    return NewSlip(
        CARD_VAULTING.kind,
        None,
        {},
        details={
            "about": _count(len(marks), "set"),
            "says": [[number, f"seal {seal}"] for number, seal in marks.items()],
            "sets": list(marks),
            "seals": marks,
        },
    )


def vault_sets(seals: Mapping[str, str], *, pen: Pen, shown: str) -> Slip:
    """Inspect, pre-shuffle and seal sets, signed by the dealer first. Raises Refused."""
    new = new_vaulting(seals)

    def judge(_: object, __: object) -> Judgement:
        lock_desk(CARDS)
        places = lock_sets(new.details["sets"])
        return Judgement([*_batch_refusals(VAULT, places), *seal_refusals(new.details["seals"])])

    return raise_slip(new, pen=pen, shown=shown, judge=judge)


def seal_refusals(seals: Mapping[str, str], own: Slip | None = None) -> list[Refusal]:
    """Return what is wrong with the numbers of new seals."""
    refusals = []
    used = set(
        CardMove.objects.filter(act=CardAct.VAULTED.value, seal__in=seals.values()).values_list(
            "seal", flat=True
        )
    )
    for waiting in Slip.objects.filter(kind=CARD_VAULTING.kind, status=SlipStatus.OPEN.value):
        if own is None or waiting.pk != own.pk:
            used |= set(waiting.details["seals"].values())
    taken: set[str] = set()
    for number, seal in seals.items():
        if not is_mark(seal):
            refusals.append(
                Refusal("seal_malformed", f"Set {number}: scan the new seal, 3 to 20 signs.")
            )
        elif seal in used or seal in taken:
            refusals.append(
                Refusal("seal_used", f"Seal {seal} was used before. Take another for {number}.")
            )
        taken.add(seal)
    return refusals


@effect("card_sets_vaulted")
def _card_sets_vaulted(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    seals = slip.details["seals"]
    lock_desk(CARDS)
    refusals = seal_refusals(seals, own=slip)
    if refusals:
        raise Refused(refusals)
    return _move_all(
        slip, at, CardAct.VAULTED, lambda place: Step(seal=seals[place.card_set.number])
    )


def new_sets_slip(act: SetsAct, numbers: Iterable[str], pit: Pit | None = None) -> NewSlip:
    """Return a slip about several sets, about to be raised. Raises Refused for unknown ones."""
    places = [place_of(number) for number in sorted({clean_mark(each) for each in numbers})]
    says = [[place.card_set.number, _said(act, place)] for place in places]
    details: dict[str, Any] = {
        "about": _count(len(places), "set"),
        "says": says,
        "sets": [place.card_set.number for place in places],
    }
    if pit is not None:
        details["pit"] = pit.pk
        details["about"] += f", {pit}"
        details["says"] = [["Pit", str(pit)], *says]
    return NewSlip(act.flow.kind, None, {}, details=details)


def _said(act: SetsAct, place: CardPlace) -> str:
    """Say by what somebody knows a set: the seal on its box, or the bag it lies in."""
    if act.act in (CardAct.TO_PIT, CardAct.PUT_BACK):
        return f"{place.colour}, seal {place.seal}"
    return f"bag {place.bag}" if place.bag else f"{place.colour}, {where_is(place)}"


def raise_sets_slip(
    act: SetsAct, numbers: Iterable[str], *, pit: Pit | None = None, pen: Pen, shown: str
) -> Slip:
    """Issue, put back, collect, cancel late or destroy sets, by the first of two signatures.

    Raises Refused.
    """
    new = new_sets_slip(act, numbers, pit)

    def judge(_: object, __: object) -> Judgement:
        return Judgement(_batch_refusals(act, lock_sets(new.details["sets"])))

    return raise_slip(new, pen=pen, shown=shown, judge=judge)


def _batch_refusals(act: SetsAct, places: Mapping[str, CardPlace]) -> list[Refusal]:
    """Return why these sets may not go on one slip of this kind."""
    if not 0 < len(places) <= SETS_A_SLIP_MAX:
        return [Refusal("no_sets", f"Choose 1 to {SETS_A_SLIP_MAX} sets.")]
    facts = facts_of(places.values())
    refusals = [refusal for each in facts for refusal in act_refusals(act.act, each)]
    if act is DESTROY:
        now = house.now()
        days = house.settings_at(now)["cards.retention"]
        refusals.extend(retention_refusals(facts, days=days, now=now))
    pits = {place.pit_id for place in places.values()}
    if act in (PUT_BACK, COLLECT) and len(pits) > 1:
        refusals.append(Refusal("several_pits", "Choose the sets of one pit."))
    return refusals


def _move_all(
    slip: Slip, at: datetime, act: CardAct, step: Callable[[CardPlace], Step]
) -> list[models.Model]:
    """Take every set of a slip one step further. Raises Refused when one is elsewhere by now."""
    places = lock_sets(slip.details["sets"])
    demand(act, places.values(), own=slip)
    return [
        move_set(
            place,
            act,
            leads_to(act, CardState(place.state))[0],
            slip=slip,
            at=at,
            step=step(place),
        )
        for place in places.values()
    ]


@effect("card_sets_to_pit")
def _card_sets_to_pit(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    pit = Pit.objects.get(pk=slip.details["pit"])
    return _move_all(slip, at, CardAct.TO_PIT, lambda place: Step(pit=pit, seal=place.seal))


def _moves(act: CardAct) -> Callable[[Slip, Signature, datetime], Sequence[models.Model]]:
    """Return the effect that takes every set of a slip one step further, and nothing else."""

    def moved(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
        return _move_all(slip, at, act, lambda place: Step())

    return moved


effect("card_sets_put_back")(_moves(CardAct.PUT_BACK))
effect("card_sets_collected")(_moves(CardAct.COLLECTED))
effect("card_sets_cancelled_late")(_moves(CardAct.CANCELLED))
effect("card_sets_destroyed")(_moves(CardAct.DESTROYED))


def new_hold(number: str) -> NewSlip:
    """Return the holding of a set about to be raised. Raises Refused for an unknown one."""
    place = place_of(number)
    return NewSlip(
        CARD_HOLD.kind,
        place.table_id,
        {},
        details={
            "about": place.card_set.number,
            "says": [["Set", place.card_set.number], ["Was", where_is(place)]],
            "set": place.card_set.number,
        },
    )


def hold_set(number: str, *, reason: str, pen: Pen, shown: str) -> Slip:
    """Keep a set as it is, as evidence or until a jackpot is verified. Raises Refused."""
    new = new_hold(number)
    return raise_slip(
        new,
        pen=pen,
        shown=shown,
        judge=lambda table, original: Judgement(_one_refusals(new, CardAct.HELD)),
        entry=Entry(reason=reason),
    )


def new_release(number: str) -> NewSlip:
    """Return the release of a held set about to be raised. Raises Refused for an unknown one."""
    place = place_of(number)
    return NewSlip(
        CARD_RELEASE.kind,
        None,
        {},
        details={
            "about": place.card_set.number,
            "says": [["Set", place.card_set.number], ["Bag", place.bag or "none"]],
            "set": place.card_set.number,
        },
    )


def release_set(number: str, *, reason: str, pen: Pen, shown: str) -> Slip:
    """Let go of a set that is needed as evidence no longer. Raises Refused."""
    new = new_release(number)
    return raise_slip(
        new,
        pen=pen,
        shown=shown,
        judge=lambda table, original: Judgement(_one_refusals(new, CardAct.RELEASED)),
        entry=Entry(reason=reason),
    )


def _one_refusals(new: NewSlip, act: CardAct) -> list[Refusal]:
    places = lock_sets([new.details["set"]])
    refusals = [each for facts in facts_of(places.values()) for each in act_refusals(act, facts)]
    if act == CardAct.HELD:
        # What stops at the set's other slip must not keep it from being held; that slip will find
        # it elsewhere. Where the set lay when the screen was drawn decides whose journal this is.
        refusals = [each for each in refusals if each.code != "card_slip_open"]
        if any(place.table_id != new.table_id for place in places.values()):
            refusals.append(
                Refusal("stale_screen", "The set was moved meanwhile. Look at it again, then sign.")
            )
    return refusals


@effect("card_set_held")
def _card_set_held(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    (place,) = lock_sets([slip.details["set"]]).values()
    return [move_set(place, CardAct.HELD, CardState.HELD, slip=slip, at=at)]


@effect("card_set_released")
def _card_set_released(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    (place,) = lock_sets([slip.details["set"]]).values()
    demand(CardAct.RELEASED, [place], own=slip)
    return [move_set(place, CardAct.RELEASED, CardState.COLLECTED_UNCANCELLED, slip=slip, at=at)]


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
