"""A rating that never should have been is voided by two: it is kept, and counts nothing."""

from __future__ import annotations

from datetime import datetime

from django.db import models

from pitboss.models import Signature, Slip
from pitboss.paper.forms import Form, Part, Shows
from pitboss.rules.flows.flows import Need, PlanFacts, Promise, Step
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
    SENIOR,
    change_refusals,
    demand_uninvolved,
    has_comps,
    newest_figures,
    write_void,
)

_COMPS = "comps"


def _refusals(raising: Raising) -> list[Refusal]:
    rating = rating_of(raising)
    return [
        *proposer_refusals(raising),
        *pending_refusals(rating),
        *change_refusals(newest_figures(rating)),
    ]


def _drafted(raising: Raising) -> NewSlip:
    rating = rating_of(raising)
    return NewSlip(
        raising.kind.kind,
        None,
        {},
        details={
            "rating": rating.pk,
            "about": f"Rating at {rating.table}",
            "says": told_of(rating),
        },
    )


def _facts(raising: Raising) -> PlanFacts:
    return PlanFacts({}, marks=frozenset({_COMPS} if has_comps(rating_of(raising)) else ()))


def _comps_rest(facts: PlanFacts) -> bool:
    return _COMPS in facts.marks


def _witnessed(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Void the rating, unless a shift manager has to sign as well. Raises Refused."""
    if not any(step["name"] == SENIOR for step in slip.plan):
        return _voided(slip, signature, at)
    demand_uninvolved(slip, signature, at)
    return []


def _voided(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    return [write_void(slip, signature, at)]


RATING_VOID = Kind(
    "rating_void",
    title="Rating void",
    series="PV",
    desk="house",
    open_to=SUPERVISING,
    lit_by="board",
    at_a_table=False,
    begins=begins,
    locks=locked,
    refusals=_refusals,
    refuses_at_once=True,
    drafted=_drafted,
    facts=_facts,
    steps=(
        Step(
            "proposed",
            done="Proposed",
            do="Propose",
            by=(Role.SUPERVISOR,),
            at=None,
            needs_reason=True,
            reason_label="Why it counts nothing",
            attests="I certify that this rating must not count, for the reason I entered.",
        ),
        Step(
            "witnessed",
            done="Witnessed",
            do="Witness",
            by=(Role.SURVEILLANCE, Role.PIT_MANAGER, Role.SHIFT_MANAGER),
            at=None,
            attests="I investigated this rating and agree that it counts nothing. I did not rate "
            "this player. It stays on record.",
            then="rating_void_witnessed",
        ),
        Step(
            SENIOR,
            done="Authorized",
            do="Authorize",
            by=Role.SHIFT_MANAGER,
            at=None,
            when=_comps_rest,
            why=Need("Comps were given on this play. A shift manager authorizes the void."),
            attests="I know that comps were given on this play and agree that it counts nothing. "
            "I did not rate this player.",
            then="rating_voided",
        ),
    ),
    void=(
        Step(
            "refused",
            done="Refused",
            do="Refuse",
            by=(Role.PIT_MANAGER, Role.SHIFT_MANAGER, Role.SURVEILLANCE, Role.SUPERVISOR),
            at=None,
            may_repeat="proposed",
            needs_reason=True,
            attests="I investigated this rating and certify that its figures stand.",
            then="slip_voided",
        ),
    ),
    effects={"rating_void_witnessed": _witnessed, "rating_voided": _voided},
    readers=RATING_READERS,
    hides=hides,
    promises=(Promise(2, 1), Promise(3, 1, having=SENIOR)),
    paper=Form(
        parts=(Part("Original", "To accounting with the ratings of the day."),),
        shows=Shows.FACTS,
        caption="Ratings",
    ),
    heading=lambda raising: f"Void rating {rating_of(raising).pk}",
    back=back,
    raised=lambda slip: f"{slip.serial} is pending. Someone who did not rate must witness it.",
)
