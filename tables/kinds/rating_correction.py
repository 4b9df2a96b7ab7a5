"""A rating that was wrong is corrected: a supervisor proposes, a manager who did not rate approves.

The figures before it stay; the next revision counts.
"""

from __future__ import annotations

from datetime import datetime

from django.db import models

from pitboss.models import Signature, Slip
from pitboss.paper.forms import Form, Part, Shows
from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.floor.fields import Money, Number
from pitboss.rules.flows.flows import BY_ANOTHER, Promise, Step
from pitboss.rules.refusal import Refusal
from pitboss.rules.roles import SUPERVISING, Role
from pitboss.services.drafts import NewSlip
from pitboss.slips.kind import Kind, Raising
from tables.kinds.of_a_rating import (
    RATING_READERS,
    back,
    begins,
    hides,
    locked,
    pending_refusals,
    proposer_refusals,
    rating_of,
    told_of,
)
from tables.services.rating_changes import (
    corrected,
    correction_refusals,
    newest_figures,
    write_correction,
)


def _refusals(raising: Raising) -> list[Refusal]:
    rating, given = rating_of(raising), raising.given
    figures = newest_figures(rating)
    average, minutes = given.get("average_cents", 1), given.get("minutes", 1)
    return [
        *proposer_refusals(raising),
        *pending_refusals(rating),
        *correction_refusals(figures, average, minutes),
    ]


def _drafted(raising: Raising) -> NewSlip:
    rating, given = rating_of(raising), raising.given
    average, minutes = given["average_cents"], given["minutes"]
    says = [
        *told_of(rating),
        ["New average", format_money(average)],
        ["New time", f"{minutes} min"],
    ]
    figures = newest_figures(rating)
    if figures is not None and not correction_refusals(figures, average, minutes):
        theo = corrected(figures, average, minutes).theo
        assert theo is not None, "a correction has its theo"
        says.append(["New theo", format_money(theo.cents)])
    return NewSlip(
        raising.kind.kind,
        None,
        {},
        details={
            "rating": rating.pk,
            "average_cents": average,
            "minutes": minutes,
            "about": f"Rating at {rating.table}",
            "says": says,
        },
    )


def _corrected(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    return [write_correction(slip, signature, at)]


RATING_CORRECTION = Kind(
    "rating_correction",
    title="Rating correction",
    series="PR",
    corrects=True,
    desk="house",
    open_to=SUPERVISING,
    lit_by="board",
    at_a_table=False,
    asked=(
        Money(name="average_cents", label="Average bet ($)"),
        Number(
            name="minutes", label="Time at the table (minutes)", least=1, most=1_440, unit="min"
        ),
    ),
    begins=begins,
    locks=locked,
    refusals=_refusals,
    drafted=_drafted,
    steps=(
        Step(
            "proposed",
            done="Proposed",
            do="Propose",
            by=(Role.SUPERVISOR,),
            at=None,
            needs_reason=True,
            reason_label="What is wrong with it",
            attests="I certify that this rating is wrong, for the reason I entered.",
        ),
        Step(
            "approved",
            done="Approved",
            do="Approve",
            by=(Role.PIT_MANAGER, Role.SHIFT_MANAGER),
            at=None,
            why=BY_ANOTHER,
            attests="I investigated this rating and approve its new figures. I did not rate this "
            "player. The figures before stay on record.",
            then="rating_corrected",
        ),
    ),
    void=(
        Step(
            "refused",
            done="Refused",
            do="Refuse",
            by=(Role.PIT_MANAGER, Role.SHIFT_MANAGER, Role.SUPERVISOR),
            at=None,
            may_repeat="proposed",
            needs_reason=True,
            attests="I investigated this rating and certify that its figures stand.",
            then="slip_voided",
        ),
    ),
    effects={"rating_corrected": _corrected},
    readers=RATING_READERS,
    hides=hides,
    promises=(Promise(2, 1),),
    paper=Form(
        parts=(Part("Original", "To accounting with the ratings of the day."),),
        shows=Shows.FACTS,
        caption="Ratings",
    ),
    heading=lambda raising: f"Correct rating {rating_of(raising).pk}",
    back=back,
    raised=lambda slip: f"{slip.serial} is pending. A manager who did not rate must approve it.",
)
