"""The seal or the bag on a finished slip of cards put right: a step is added to the set's life.

The set stays where it is. Its old number stays on record, and is never given to another set.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Final

from django.db import models

from inventory.kinds.of_cards import CARD_READERS, locked_places, places_of
from inventory.models import CardMove
from inventory.services.cards import CardStep, facts_of, judge_again, lock_sets, move_set
from pitboss.middleware import PitRequest
from pitboss.models import Signature, Slip
from pitboss.rules.cards.judging import act_refusals
from pitboss.rules.cards.sets import CardAct, CardState, clean_mark, is_mark
from pitboss.rules.day.late_papers import LATE_CANCELLATION, LATE_VAULTING
from pitboss.rules.floor.fields import Each
from pitboss.rules.flows.corrections import CARD_CORRECTION as CORRECTION_OF_CARDS
from pitboss.rules.refusal import Refusal, Refused
from pitboss.rules.roles import SUPERVISING, Place, Role
from pitboss.services.drafts import NewSlip
from pitboss.services.journal import CARDS
from pitboss.slips.correcting import (
    CHECKED,
    CorrectionForm,
    Line,
    chain_of,
    checked,
    correcting_kind,
    correction_page,
    days_of,
    declined_by,
    details_of,
    original_of,
    promises_of,
    refusals_of,
    root_of,
    steps_of,
)
from pitboss.slips.correcting import (
    facts_of as days_closed,
)
from pitboss.slips.kind import Look, Raising

_WORDS: Final = {"seal": "Seal", "bag": "Bag"}
# What is written on which set: its field, and the number of the set.
Mark = tuple[str, str]


def _marks(original: Slip) -> dict[Mark, str]:
    """Return the seals and bags that a slip gave, as corrections since say them."""
    marks: dict[Mark, str] = {}
    for slip in chain_of(original):
        for move in slip.card_moves.select_related("card_set").order_by("id"):
            found = {"seal": move.seal, "bag": move.bag}
            marks |= {(what, move.card_set.number): mark for what, mark in found.items() if mark}
    return marks


def _right(raising: Raising) -> dict[Mark, str]:
    """Return what should stand on each set: as entered, else as it does."""
    was = _marks(original_of(raising))
    return {
        (what, number): clean_mark(raising.given.get(what, {}).get(number, mark))
        for (what, number), mark in was.items()
    }


def _title(mark: Mark) -> str:
    return f"{_WORDS[mark[0]]} of {mark[1]}"


def _lines(raising: Raising) -> list[Line]:
    right = _right(raising)
    return [(_title(m), was, right[m]) for m, was in _marks(original_of(raising)).items()]


def _changed(raising: Raising) -> dict[Mark, str]:
    was = _marks(original_of(raising))
    return {mark: now for mark, now in _right(raising).items() if now != was[mark]}


def _numbers(raising: Raising) -> list[str]:
    return sorted({number for _, number in _changed(raising)})


def _drafted(raising: Raising) -> NewSlip:
    original, changed = original_of(raising), _changed(raising)
    return NewSlip(
        raising.kind.kind,
        original.table_id,
        {},
        original.pk,
        details={
            **details_of(raising, _lines(raising), [root_of(original).gaming_day]),
            "sets": _numbers(raising),
            "marks": [[what, number, mark] for (what, number), mark in sorted(changed.items())],
        },
    )


def _refusals(raising: Raising) -> list[Refusal]:
    places = places_of(raising, _numbers(raising))
    return [
        *refusals_of(raising, _lines(raising)),
        *(
            refusal
            for facts in facts_of(places)
            for refusal in act_refusals(CardAct.CORRECTED, facts)
        ),
        *_mark_refusals(_changed(raising)),
    ]


def _mark_refusals(marks: dict[Mark, str]) -> list[Refusal]:
    """Return why a number is not that of a seal or a bag: misread, or of another set."""
    refusals = []
    for (what, number), mark in marks.items():
        name = _WORDS[what].lower()
        others = CardMove.objects.filter(**{what: mark}).exclude(card_set__number=number)
        if not is_mark(mark):
            refusals.append(
                Refusal(
                    "bad_mark",
                    f"Enter the number on the {name} of {number}, 3 to 20 letters and digits.",
                )
            )
        elif others.exists() or list(marks.values()).count(mark) > 1:
            refusals.append(
                Refusal("mark_used", f"That {name} is on another set. Read {mark} again.")
            )
    return refusals


def _locked(raising: Raising) -> Raising:
    return replace(raising, given={**raising.given, **locked_places(_numbers(raising))})


def _posted(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Add a step to the life of each set, where it is."""
    checked(slip, signature, at)
    marks = {(what, number): mark for what, number, mark in slip.details["marks"]}
    places = lock_sets(slip.details["sets"])
    judge_again(CardAct.CORRECTED, places.values(), own=slip)
    if refusals := _mark_refusals(marks):
        raise Refused(refusals)
    return [
        move_set(
            place,
            CardAct.CORRECTED,
            CardState(place.state),
            slip=slip,
            at=at,
            step=CardStep(seal=marks.get(("seal", number), ""), bag=marks.get(("bag", number), "")),
        )
        for number, place in places.items()
    ]


def _look(request: PitRequest, raising: Raising, refused: Refused | None) -> Look:
    original = original_of(raising)
    correction_form = CorrectionForm(
        about=original.title,
        approves="The pit manager approves it.",
        lines=[
            (f"{what}_{number}", _title((what, number)), None, mark)
            for (what, number), mark in _marks(original).items()
        ],
    )
    return correction_page(request, raising, refused, correction_form)


CARD_CORRECTION = correcting_kind(
    CORRECTION_OF_CARDS,
    title="Card slip correction",
    desk=CARDS,
    at_a_table=False,
    open_to=SUPERVISING,
    lit_by="cards",
    refers_to=(
        "card_vaulting",
        "card_cancellation",
        LATE_VAULTING,
        LATE_CANCELLATION,
        CORRECTION_OF_CARDS,
    ),
    asked=(
        Each(name="seal", label="Seals", is_needed=False),
        Each(name="bag", label="Bags", is_needed=False),
    ),
    locks=_locked,
    facts=lambda raising: days_closed(days_of(raising)),
    refusals=_refusals,
    drafted=_drafted,
    steps=steps_of(Role.SUPERVISOR, Role.PIT_MANAGER, at=Place.PIT),
    void=declined_by(Role.PIT_MANAGER, Role.SUPERVISOR),
    at_end="card_correction_posted",
    effects={CHECKED: checked, "card_correction_posted": _posted},
    readers=CARD_READERS,
    promises=promises_of(Role.PIT_MANAGER),
    look=_look,
    raised=lambda slip: f"{slip.serial} proposed. The pit manager approves it.",
)
