"""A set of cards held as evidence by one signature, at once; and let go of by three departments."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from django.db import models
from django.urls import reverse

from inventory.kinds.of_cards import (
    CARD_LEDGER,
    CARD_READERS,
    card_paper,
    locked_places,
    of_set,
    place_given,
)
from inventory.services.cards import facts_of, judge_again, lock_sets, move_set, where_is
from pitboss.middleware import PitRequest
from pitboss.models import Signature, Slip
from pitboss.paper.forms import Part
from pitboss.rules.cards.judging import act_refusals
from pitboss.rules.cards.sets import CardAct, CardState
from pitboss.rules.flows.flows import BY_THE_UNINVOLVED, Promise, Step
from pitboss.rules.refusal import CONFLICT, Refusal
from pitboss.rules.roles import SUPERVISING, WATCHING, Role
from pitboss.services.drafts import NewSlip
from pitboss.services.journal import CARDS
from pitboss.slips.kind import Kind, Raising


def _where_it_lies(request: PitRequest, raising: Raising) -> Raising:
    """Return the hold of the set that the address names, at the table where it lies, if any."""
    held = of_set(request, raising)
    return replace(held, table=place_given(held).table)


def _locked(raising: Raising) -> Raising:
    places = locked_places([raising.given["set"]])
    return replace(raising, given={**raising.given, **places})


def _back(raising: Raising) -> dict[str, str]:
    number = raising.given["set"]
    return {"url": reverse("card-set", args=[number]), "label": number}


def _act_refusals(raising: Raising, act: CardAct) -> list[Refusal]:
    return [
        refusal
        for facts in facts_of([place_given(raising)])
        for refusal in act_refusals(act, facts)
    ]


def _drafted_hold(raising: Raising) -> NewSlip:
    place = place_given(raising)
    number = place.card_set.number
    return NewSlip(
        raising.kind.kind,
        raising.table.pk if raising.table else None,
        {},
        details={
            "about": number,
            "says": [["Set", number], ["Was", where_is(place)]],
            "set": number,
        },
    )


def _hold_refusals(raising: Raising) -> list[Refusal]:
    # What stops at the set's other slip must not keep it from being held; that slip will find it
    # elsewhere. Where the set lay when the screen was drawn decides whose journal this is.
    refusals = [
        refusal
        for refusal in _act_refusals(raising, CardAct.HELD)
        if refusal.code != "card_slip_open"
    ]
    if place_given(raising).table_id != raising.new().table_id:
        words = "The set was moved while you had it open. Review it, then sign."
        refusals.append(Refusal("stale_screen", words, CONFLICT))
    return refusals


def _held(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    (place,) = lock_sets([slip.details["set"]]).values()
    return [move_set(place, CardAct.HELD, CardState.HELD, slip=slip, at=at)]


CARD_HOLD = Kind(
    "card_hold",
    title="Cards held",
    series="KH",
    desk=CARDS,
    open_to=SUPERVISING | WATCHING,
    lit_by="cards",
    at_a_table=False,
    begins=_where_it_lies,
    locks=_locked,
    refusals=_hold_refusals,
    drafted=_drafted_hold,
    steps=(
        Step(
            "held",
            done="Held",
            do="Hold",
            by=(Role.SUPERVISOR, Role.SURVEILLANCE),
            at=None,
            needs_reason=True,
            attests="I place this set on hold as evidence. It may not be canceled or destroyed "
            "while on hold.",
            then="card_set_held",
        ),
        Step(
            "confirmed",
            done="Confirmed",
            do="Confirm",
            why=BY_THE_UNINVOLVED,
            by=(Role.SHIFT_MANAGER, Role.SURVEILLANCE),
            at=None,
            attests="I certify that I was told why this set is on hold.",
        ),
    ),
    effects={"card_set_held": _held},
    readers=CARD_READERS,
    promises=(Promise(2, 1),),
    paper=card_paper(
        Part("Original", "With the cards to surveillance."),
        Part("Duplicate", "To the shift manager."),
    ),
    heading=lambda raising: "Hold a set",
    back=_back,
    raised=lambda slip: f"{slip.serial} signed. A second person signs too.",
)


def _drafted_release(raising: Raising) -> NewSlip:
    place = place_given(raising)
    number = place.card_set.number
    return NewSlip(
        raising.kind.kind,
        None,
        {},
        details={
            "about": number,
            "says": [["Set", number], ["Bag", place.bag or "none"]],
            "set": number,
        },
    )


def _released(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    (place,) = lock_sets([slip.details["set"]]).values()
    judge_again(CardAct.RELEASED, [place], own=slip)
    return [move_set(place, CardAct.RELEASED, CardState.COLLECTED_UNCANCELLED, slip=slip, at=at)]


CARD_RELEASE = replace(
    CARD_HOLD,
    kind="card_release",
    title="Held cards released",
    series="KE",
    open_to=WATCHING,
    begins=of_set,
    refusals=lambda raising: _act_refusals(raising, CardAct.RELEASED),
    drafted=_drafted_release,
    steps=(
        Step(
            "let_go",
            done="Released",
            do="Release",
            by=Role.SURVEILLANCE,
            at=None,
            needs_reason=True,
            attests="I certify that this set is no longer needed as evidence.",
        ),
        Step(
            "confirmed",
            done="Confirmed",
            do="Confirm",
            why=BY_THE_UNINVOLVED,
            by=Role.SHIFT_MANAGER,
            at=None,
            attests="I agree that this set may be canceled and destroyed.",
        ),
        Step(
            "collected",
            done="Collected",
            do="Collect",
            by=Role.SECURITY,
            at=None,
            attests="I certify that I accept custody of this set to be canceled.",
            then="card_set_released",
        ),
    ),
    void=(
        Step(
            "refused",
            done="Refused",
            do="Refuse",
            by=(Role.SURVEILLANCE, Role.SHIFT_MANAGER),
            at=None,
            may_repeat="let_go",
            needs_reason=True,
            attests="I decline this release. The set stays on hold.",
            then="slip_voided",
        ),
    ),
    effects={"card_set_released": _released},
    promises=(Promise(3, 3),),
    paper=card_paper(Part("Original", "Kept in security's card log."), CARD_LEDGER),
    heading=lambda raising: "Release a set on hold",
)
