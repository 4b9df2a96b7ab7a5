"""Several sets at once, away from the tables: sealed, issued, put back, collected, destroyed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

from django.db import models

from inventory.kinds.of_cards import (
    CARD_LEDGER,
    CARD_READERS,
    PIT_LOG,
    WholeNumber,
    card_paper,
    locked_places,
    many,
    places_of,
    voided_cards,
)
from inventory.models import CardMove, CardPlace
from inventory.selectors.cards import sets_in
from inventory.services.cards import CardStep as CardStep
from inventory.services.cards import facts_of, judge_again, lock_sets, move_set, place_of, where_is
from pitboss.middleware import PitRequest
from pitboss.models import Pit, Signature, Slip
from pitboss.paper.forms import Part
from pitboss.rules.cards.judging import act_refusals, retention_refusals
from pitboss.rules.cards.sets import (
    SETS_A_SLIP_MAX,
    CardAct,
    CardState,
    clean_mark,
    is_mark,
    leads_to,
)
from pitboss.rules.day.late_papers import LATE_VAULTING
from pitboss.rules.floor.fields import Each, Several
from pitboss.rules.flows.flows import Promise, SlipStatus, Step, void_witnessed
from pitboss.rules.refusal import Refusal, Refused, refuse
from pitboss.rules.roles import GUARDING, SUPERVISING, Place, Role
from pitboss.services import house
from pitboss.services.drafts import NewSlip
from pitboss.services.effects import Effect
from pitboss.services.journal import CARDS
from pitboss.services.locks import lock_desk
from pitboss.slips.addresses import own_url
from pitboss.slips.kind import Kind, Look, Raising
from pitboss.views.forms import new_request_id


@dataclass(frozen=True, slots=True)
class _Batch:
    """One thing that is done with several sets: what the screen offers for it, and says."""

    act: CardAct
    offered: tuple[CardState, ...]
    words: str
    button: str
    by_seals: bool = False
    to_pit: bool = False

    def refusals(self, raising: Raising) -> list[Refusal]:
        """Return why these sets may not go on one slip of this kind."""
        places = places_of(raising, raising.new().details["sets"])
        if not 0 < len(places) <= SETS_A_SLIP_MAX:
            return [Refusal("no_sets", f"Choose 1 to {SETS_A_SLIP_MAX} sets.")]
        facts = facts_of(places)
        refusals = [refusal for set_facts in facts for refusal in act_refusals(self.act, set_facts)]
        if self.act == CardAct.DESTROYED:
            now = house.now()
            days = house.settings_at(now)["cards.retention"]
            refusals.extend(retention_refusals(facts, days=days, now=now))
        is_of_one_pit = self.act in (CardAct.PUT_BACK, CardAct.COLLECTED)
        if is_of_one_pit and len({place.pit_id for place in places}) > 1:
            refusals.append(Refusal("several_pits", "Choose the sets of one pit."))
        if self.by_seals:
            refusals.extend(seal_refusals(raising.new().details["seals"]))
        return refusals

    def look(self, request: PitRequest, raising: Raising, refused: Refused | None) -> Look:
        """Return the page that offers the sets from which this chooses."""
        given = request.POST or request.GET
        chosen = set(" ".join(given.getlist("set")).split())
        places = list(sets_in(self.offered))
        return "inventory/cards/choose.html", {
            "url": own_url(raising),
            "request_id": new_request_id(),
            "words": self.words,
            "button": self.button,
            "seals": self.by_seals,
            "labels": [place.card_set.number for place in places] if self.by_seals else [],
            "pits": Pit.objects.order_by("name") if self.to_pit else None,
            "pit": given.get("pit", ""),
            "sets": [
                {
                    "place": place,
                    "number": place.card_set.number,
                    "colour": place.colour,
                    "decks": place.card_set.decks,
                    "is_chosen": place.card_set.number in chosen,
                    "seal": given.get(f"seal_{place.card_set.number}", ""),
                }
                for place in places
            ],
        }


def _locked(raising: Raising) -> Raising:
    numbers = raising.new().details["sets"]
    return replace(raising, given={**raising.given, **locked_places(numbers)})


def _chosen(raising: Raising) -> Raising:
    """Return a slip about sets that there are, and the pit that they go to. Raises Refused."""
    if not raising.given.get("set"):
        raise refuse("no_sets", "Choose at least one set.")
    for number in raising.given["set"]:
        place_of(number)
    if raising.kind is CARD_ISSUE and _pit(raising) is None:
        raise refuse("pit_missing", "Choose the pit that they go to.")
    return raising


def _pit(raising: Raising) -> Pit | None:
    return Pit.objects.filter(pk=raising.given.get("pit", 0)).first()


def _drafted(raising: Raising) -> NewSlip:
    """Draft a slip about several sets. Raises Refused for unknown ones."""
    places, pit = places_of(raising, raising.given.get("set", ())), _pit(raising)
    says = [[place.card_set.number, _known_by(raising.kind, place)] for place in places]
    details: dict[str, Any] = {
        "about": many(len(places), "set"),
        "says": says,
        "sets": [place.card_set.number for place in places],
    }
    if pit is not None:
        details["pit"] = pit.pk
        details["about"] += f", {pit}"
        details["says"] = [["Pit", str(pit)], *says]
    return NewSlip(raising.kind.kind, None, {}, details=details)


def _known_by(kind: Kind, place: CardPlace) -> str:
    """Say by what a person knows a set: the seal on its box, or the bag it lies in."""
    if kind in (CARD_ISSUE, CARD_PUT_BACK):
        return f"{place.colour}, seal {place.seal}"
    return f"bag {place.bag}" if place.bag else f"{place.colour}, {where_is(place)}"


def _moves(
    act: CardAct, step: Callable[[Slip, CardPlace], CardStep] = lambda slip, place: CardStep()
) -> Effect:
    """Return the effect that takes every set of a slip one step further."""

    def moved(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
        places = lock_sets(slip.details["sets"])
        judge_again(act, places.values(), own=slip)
        return [
            move_set(
                place,
                act,
                leads_to(act, CardState(place.state))[0],
                slip=slip,
                at=at,
                step=step(slip, place),
            )
            for place in places.values()
        ]

    return moved


def _to_pit(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    pit = Pit.objects.get(pk=slip.details["pit"])
    moves = _moves(CardAct.TO_PIT, lambda _, place: CardStep(pit=pit, seal=place.seal))
    return list(moves(slip, signature, at))


def _sealed(raising: Raising) -> Raising:
    """Return a vaulting of the sets beside which a seal was entered. Raises Refused."""
    if not any(seal.strip() for seal in raising.given.get("seal", {}).values()):
        raise refuse("no_sets", "Enter the seal of at least one set.")
    for number in _seals(raising):
        place_of(number)
    return raising


def _seals(raising: Raising) -> dict[str, str]:
    entered = sorted(raising.given.get("seal", {}).items())
    return {clean_mark(number): clean_mark(seal) for number, seal in entered if seal.strip()}


def _drafted_vaulting(raising: Raising) -> NewSlip:
    """Draft a vaulting: each set and the number of its new seal."""
    marks = _seals(raising)
    return NewSlip(
        raising.kind.kind,
        None,
        {},
        details={
            "about": many(len(marks), "set"),
            "says": [[number, f"seal {seal}"] for number, seal in marks.items()],
            "sets": list(marks),
            "seals": marks,
        },
    )


def seal_refusals(seals: Mapping[str, str], own: Slip | None = None) -> list[Refusal]:
    """Return what is wrong with the numbers of new seals."""
    refusals = []
    used = set(
        CardMove.objects.filter(act=CardAct.VAULTED.value, seal__in=seals.values()).values_list(
            "seal", flat=True
        )
    )
    vaultings = Slip.objects.filter(kind__in=(CARD_VAULTING.kind, LATE_VAULTING))
    for waiting in vaultings.filter(status=SlipStatus.OPEN.value):
        if own is None or waiting.pk != own.pk:
            used |= set(waiting.details["seals"].values())
    taken: set[str] = set()
    for number, seal in seals.items():
        if not is_mark(seal):
            refusals.append(
                Refusal("seal_malformed", f"Set {number}: scan the new seal, 3 to 20 characters.")
            )
        elif seal in used or seal in taken:
            refusals.append(
                Refusal("seal_used", f"Seal {seal} was used before. Use another seal for {number}.")
            )
        taken.add(seal)
    return refusals


def _vaulted(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    seals = slip.details["seals"]
    lock_desk(CARDS)
    refusals = seal_refusals(seals, own=slip)
    if refusals:
        raise Refused(refusals)
    moves = _moves(CardAct.VAULTED, lambda _, place: CardStep(seal=seals[place.card_set.number]))
    return list(moves(slip, signature, at))


_VAULTED: Final = _Batch(
    CardAct.VAULTED,
    (CardState.RECEIVED,),
    "Inspected, pre-shuffled, and sealed by a dealer; a supervisor verifies. Enter the "
    "seal number next to each set that is done.",
    "Done. Hand to the dealer to sign",
    by_seals=True,
)
_ISSUED: Final = _Batch(
    CardAct.TO_PIT,
    (CardState.VAULTED,),
    "Notify surveillance first. Security is present when they leave the store.",
    "Take them out",
    to_pit=True,
)
_PUT_BACK: Final = _Batch(
    CardAct.PUT_BACK,
    (CardState.IN_PIT,),
    "Unused sets of one pit, seals whole. Security is there.",
    "Put them back",
)
_COLLECTED: Final = _Batch(
    CardAct.COLLECTED,
    (CardState.BAGGED, CardState.BAGGED_UNCANCELLED),
    "Sealed bags of one pit. The officer reads each number.",
    "Hand them over",
)
_CANCELED: Final = _Batch(
    CardAct.CANCELLED,
    (CardState.COLLECTED_UNCANCELLED,),
    "Notify surveillance first. Someone from another department sees every card canceled.",
    "Cancel them",
)
_DESTROYED: Final = _Batch(
    CardAct.DESTROYED,
    (CardState.COLLECTED,),
    "Notify surveillance first. Someone from another department sees every set destroyed.",
    "Destroy them",
)

CARD_VAULTING = Kind(
    "card_vaulting",
    title="Vaulting of cards",
    series="KV",
    desk=CARDS,
    open_to=SUPERVISING,
    lit_by="cards",
    at_a_table=False,
    asked=(Each(name="seal", label="Seals", is_needed=False),),
    becomes=_sealed,
    locks=_locked,
    refusals=_VAULTED.refusals,
    drafted=_drafted_vaulting,
    steps=(
        Step(
            "inspected",
            done="Inspected",
            do="Inspect",
            by=Role.DEALER,
            at=None,
            attests="I certify that I checked the face and back of every card, found each set "
            "complete, and shuffled it.",
        ),
        Step(
            "verified",
            done="Verified",
            do="Verify",
            by=Role.SUPERVISOR,
            at=None,
            attests="I certify that I verified these sets while assigned to no open table and "
            "sealed each with the seal number shown.",
            then="card_sets_vaulted",
        ),
    ),
    void=voided_cards(None, "I void this slip. I certify that no set was vaulted on it."),
    effects={"card_sets_vaulted": _vaulted},
    readers=CARD_READERS,
    promises=(Promise(2, 1),),
    paper=card_paper(Part("Original", "Kept in the card ledger of the store.")),
    look=_VAULTED.look,
    heading=lambda raising: "Vault cards",
    # The dealer who inspected them signs, on the tablet of a supervisor.
    review=lambda raising, new: {"badge": ""},
    raised=lambda slip: f"{slip.serial} signed. A supervisor verifies and seals them.",
)

CARD_ISSUE = Kind(
    "card_issue",
    title="Cards to the pit",
    series="KI",
    desk=CARDS,
    open_to=SUPERVISING,
    lit_by="cards",
    at_a_table=False,
    asked=(Several(name="set", label="Sets"), WholeNumber(name="pit", label="Pit")),
    becomes=_chosen,
    locks=_locked,
    refusals=_ISSUED.refusals,
    drafted=_drafted,
    steps=(
        Step(
            "taken_out",
            done="Taken out",
            do="Take out",
            by=Role.SUPERVISOR,
            at=None,
            attests="I certify that surveillance was notified first and that I removed these "
            "sealed sets from the store.",
        ),
        Step(
            "witnessed",
            done="Witnessed",
            do="Witness",
            by=Role.SECURITY,
            at=None,
            attests="I certify that I was present, read every seal, and saw the sets locked in "
            "the pit's cabinet.",
            then="card_sets_to_pit",
        ),
    ),
    void=voided_cards(
        "taken_out", "I void this slip. I certify that the sets listed on it are in the store."
    ),
    effects={"card_sets_to_pit": _to_pit},
    readers=CARD_READERS,
    promises=(Promise(2, 2),),
    paper=card_paper(PIT_LOG, CARD_LEDGER),
    look=_ISSUED.look,
    heading=lambda raising: "Cards to a pit",
    raised=lambda slip: f"{slip.serial} signed. Security signs too.",
)

CARD_PUT_BACK = replace(
    CARD_ISSUE,
    kind="card_put_back",
    title="Cards back to the store",
    series="KB",
    asked=(Several(name="set", label="Sets"),),
    refusals=_PUT_BACK.refusals,
    steps=(
        Step(
            "put_back",
            done="Put back",
            do="Put back",
            by=Role.SUPERVISOR,
            at=None,
            attests="I certify that I removed these unused sets from the cabinet with their "
            "seals intact.",
        ),
        Step(
            "witnessed",
            done="Witnessed",
            do="Witness",
            by=Role.SECURITY,
            at=None,
            attests="I certify that I was present, read every seal, and saw the sets locked in "
            "the store.",
            then="card_sets_put_back",
        ),
    ),
    void=voided_cards(
        "put_back",
        "I void this slip. I certify that the sets listed on it are in the cabinet of the pit.",
    ),
    effects={"card_sets_put_back": _moves(CardAct.PUT_BACK)},
    look=_PUT_BACK.look,
    heading=lambda raising: "Cards back to the store",
)

CARD_COLLECTION = replace(
    CARD_PUT_BACK,
    kind="card_collection",
    title="Collection of cards",
    series="KC",
    refusals=_COLLECTED.refusals,
    steps=(
        Step(
            "handed_over",
            done="Handed over",
            do="Hand over",
            by=Role.SUPERVISOR,
            at=Place.PIT,
            attests="I certify that I handed over every bag listed on this slip, sealed.",
        ),
        Step(
            "collected",
            done="Collected",
            do="Collect",
            by=Role.SECURITY,
            at=Place.PIT,
            attests="I certify that I read every bag number, found the bags sealed, and accept "
            "custody of them.",
            then="card_sets_collected",
        ),
    ),
    void=voided_cards(
        "handed_over", "I void this slip. I certify that no bag was collected on it."
    ),
    effects={"card_sets_collected": _moves(CardAct.COLLECTED)},
    paper=card_paper(PIT_LOG, Part("Duplicate", "With the bags to security.")),
    look=_COLLECTED.look,
    heading=lambda raising: "Hand bags to security",
    raised=lambda slip: f"{slip.serial} signed. The officer signs too.",
)

_IN_THE_ROOM_VOID: Final = (
    Step(
        "voided",
        done="Voided",
        do="Void",
        by=Role.SECURITY,
        at=Place.SECURITY,
        may_repeat="destroyed",
        needs_reason=True,
        attests="I void this slip. I certify that no bag was opened on it.",
    ),
    void_witnessed((Role.SURVEILLANCE, Role.ACCOUNTING, Role.PIT_MANAGER)),
)

CARD_DESTRUCTION = replace(
    CARD_PUT_BACK,
    kind="card_destruction",
    title="Destruction of cards",
    series="KD",
    open_to=GUARDING,
    refusals=_DESTROYED.refusals,
    steps=(
        Step(
            "destroyed",
            done="Destroyed",
            do="Destroy",
            by=Role.SECURITY,
            at=Place.SECURITY,
            attests="I certify that surveillance was notified first and that I destroyed these "
            "cards.",
        ),
        Step(
            "witnessed",
            done="Witnessed",
            do="Witness",
            by=(Role.SUPERVISOR, Role.SURVEILLANCE, Role.ACCOUNTING),
            at=None,
            attests="I certify that I saw every set listed on this slip destroyed.",
            then="card_sets_destroyed",
        ),
    ),
    void=_IN_THE_ROOM_VOID,
    effects={"card_sets_destroyed": _moves(CardAct.DESTROYED)},
    paper=card_paper(Part("Original", "Kept in security's card log."), CARD_LEDGER),
    look=_DESTROYED.look,
    heading=lambda raising: "Destroy cards",
    raised=lambda slip: f"{slip.serial} signed. Someone from another department signs too.",
)

# Where the house cancels after collection, and for what surveillance lets go.
CARD_LATE_CANCELLATION = replace(
    CARD_DESTRUCTION,
    kind="card_late_cancellation",
    title="Cancellation of collected cards",
    series="KL",
    refusals=_CANCELED.refusals,
    steps=(
        Step(
            "cancelled",
            done="Canceled",
            do="Cancel",
            by=Role.SECURITY,
            at=Place.SECURITY,
            attests="I certify that surveillance was notified first and that I opened these "
            "bags and canceled every card.",
        ),
        Step(
            "witnessed",
            done="Witnessed",
            do="Witness",
            by=(Role.SUPERVISOR, Role.SURVEILLANCE, Role.ACCOUNTING),
            at=None,
            attests="I certify that I saw every card of the sets listed on this slip canceled.",
            then="card_sets_cancelled_late",
        ),
    ),
    void=(replace(_IN_THE_ROOM_VOID[0], may_repeat="cancelled"), _IN_THE_ROOM_VOID[1]),
    effects={"card_sets_cancelled_late": _moves(CardAct.CANCELLED)},
    look=_CANCELED.look,
    heading=lambda raising: "Cancel collected cards",
)
