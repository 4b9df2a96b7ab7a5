"""Another review of a jackpot, when its last one is too old to release it."""

from __future__ import annotations

from typing import Any

from django.urls import reverse

from jackpots.selectors.jackpots import told_of_hit
from pitboss.models import Slip
from pitboss.paper.forms import Form, Part, Shows
from pitboss.rules.flows.flows import Promise, Readers, SlipStatus, Step
from pitboss.rules.payouts.jackpot_flows import JACKPOT, JACKPOT_REVIEW
from pitboss.rules.refusal import CONFLICT, Refusal
from pitboss.rules.roles import AT_THE_CAGE, KEEPING_BOOKS, SUPERVISING, WATCHING, Role
from pitboss.services.drafts import NewSlip
from pitboss.slips.kind import Kind, Raising


def _jackpot(raising: Raising) -> Slip:
    assert raising.original is not None, "a review of no jackpot"
    return raising.original


def _drafted(raising: Raising) -> NewSlip:
    jackpot = _jackpot(raising)
    return NewSlip(
        JACKPOT_REVIEW,
        jackpot.table_id,
        {},
        jackpot.pk,
        details={"about": jackpot.serial, "says": [["Jackpot", jackpot.serial]]},
    )


def _refusals(raising: Raising) -> list[Refusal]:
    if _jackpot(raising).status == SlipStatus.OPEN.value:
        return []
    return [
        Refusal("slip_closed", "Only a jackpot that is pending or on hold is reviewed.", CONFLICT)
    ]


def _review(raising: Raising, new: NewSlip) -> dict[str, Any]:
    return {"panel": told_of_hit(_jackpot(raising), is_paying=False)}


JACKPOT_REVIEW_KIND = Kind(
    JACKPOT_REVIEW,
    title="Review of a jackpot",
    series="JR",
    open_to=WATCHING | {Role.SHIFT_MANAGER},
    lit_by="jackpots",
    refers_to=(JACKPOT,),
    must_refer=True,
    drafted=_drafted,
    refusals=_refusals,
    refuses_at_once=True,
    steps=(
        Step(
            "reviewed_again",
            done="Reviewed again",
            do="Review again",
            by=(Role.SURVEILLANCE, Role.SHIFT_MANAGER),
            at=None,
            asks=("officer", "review"),
            attests="I certify that the recorded coverage was reviewed again and that the bet, "
            "the deal, and the hand are as entered.",
        ),
    ),
    readers=Readers(SUPERVISING | AT_THE_CAGE | WATCHING | KEEPING_BOOKS | {Role.COMPLIANCE}),
    promises=(Promise(1, 1),),
    paper=Form(
        parts=(Part("Original", "To accounting with the jackpot slip."),),
        refers_as="Reviews",
        referred_as="Reviewed again on",
        shows=Shows.FACTS,
        caption="Progressives",
    ),
    heading=lambda raising: f"Review of {_jackpot(raising).serial}",
    review=_review,
    raised=lambda slip: f"{slip.details['about']} was reviewed again.",
    goes_on=lambda slip: reverse("slip", args=[slip.details["about"]]),
)
