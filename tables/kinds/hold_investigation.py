"""A hold investigation: accounting writes the causes, the shift manager comments, another signs."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime

from django.db import models
from django.http import Http404
from django.urls import reverse

from pitboss.middleware import PitRequest
from pitboss.models import Signature, Slip
from pitboss.paper.forms import Form, Part, Shows
from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.floor.fields import Words
from pitboss.rules.floor.urgency import Urgency
from pitboss.rules.flows.flows import Need, Promise, Readers, Step
from pitboss.rules.refusal import CONFLICT, Refusal
from pitboss.rules.roles import KEEPING_BOOKS, Role
from pitboss.services import house
from pitboss.services.drafts import NewSlip
from pitboss.slips.kind import Kind, Raising
from tables.selectors.holds import KIND, GameHold, hold_of, investigation_of, percent
from tables.services.holds import end_investigation

_LONG = 500
# At the ends of the calendar no month has days before it.
_YEARS = range(2000, 9_000)
_SIGNING = (Role.ACCOUNTING, Role.SHIFT_MANAGER)


def _hold(raising: Raising) -> GameHold:
    hold: GameHold = raising.given["hold"]
    return hold


def _begins(request: PitRequest, raising: Raising) -> Raising:
    """Return the investigation of the game and month that the address names."""
    try:
        month = date.fromisoformat(request.GET.get("month", "")).replace(day=1)
    except ValueError:
        raise Http404("Month not found.") from None
    if month.year not in _YEARS:
        raise Http404("Month not found.")
    hold = hold_of(request.GET.get("game", ""), month, request.house)
    if hold is None:
        raise Http404("This game was not dealt in that month.")
    return replace(
        raising,
        given={**raising.given, "hold": hold},
        named={**raising.named, "game": hold.game, "month": month.isoformat()},
    )


def _drafted(raising: Raising) -> NewSlip:
    hold, given = _hold(raising), raising.given
    band = hold.band
    return NewSlip(
        KIND,
        None,
        {},
        details={
            "about": f"{hold.title}, {hold.month:%B %Y}",
            "says": [
                ["Game", f"{hold.title}, {hold.month:%B %Y}"],
                ["Win", format_money(hold.win_cents)],
                ["Statistical drop", format_money(hold.drop_cents)],
                ["Hold", percent(hold.hold)],
                ["Band", f"{percent(band.low)} to {percent(band.high)}" if band else "none yet"],
                ["Causes", given["causes"]],
                ["Evidence", given["evidence"]],
            ],
            "game": hold.game,
            "month": hold.month.isoformat(),
            "hold": hold.hold,
        },
    )


def _refusals(raising: Raising) -> list[Refusal]:
    hold = _hold(raising)
    refusals = []
    standing = investigation_of(hold.game, hold.month)
    if standing is not None:
        words = f"{standing} investigates this game and month. Sign or return it."
        refusals.append(Refusal("already_investigated", words, CONFLICT))
    now = hold_of(hold.game, hold.month, house.settings_at(house.now()))
    if now != hold:
        words = "The figures changed while you had this open. Review them again."
        refusals.append(Refusal("figures_changed", words, CONFLICT))
    return refusals


def _signed(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    month = date.fromisoformat(slip.details["month"])
    end_investigation(slip.details["game"], month, slip.serial, signature.person, signature.device)
    return []


HOLD_INVESTIGATION = Kind(
    KIND,
    title="Hold investigation",
    series="HI",
    open_to=frozenset({Role.ACCOUNTING, Role.CONTROLLER}),
    lit_by="hold",
    at_a_table=False,
    desk="house",
    begins=_begins,
    asked=(
        Words(name="causes", label="Causes", most=_LONG),
        Words(
            name="evidence",
            label="Evidence",
            hint="Slips, recordings, ratings, and figures that you reviewed.",
            most=_LONG,
        ),
    ),
    drafted=_drafted,
    refusals=_refusals,
    urgency=Urgency.FORM,
    steps=(
        Step(
            "written",
            done="Written",
            do="Sign investigation",
            by=Role.ACCOUNTING,
            at=None,
            attests="I investigated why this hold lies outside its band. I state the causes and "
            "the evidence that I found.",
        ),
        Step(
            "commented",
            done="Commented",
            do="Comment",
            by=Role.SHIFT_MANAGER,
            at=None,
            needs_reason=True,
            reason_label="Comment",
            why=Need("The shift manager comments on each investigation."),
            attests="I read this investigation and state my comment.",
        ),
        Step(
            "signed",
            done="Signed",
            do="Sign and send",
            by=Role.CONTROLLER,
            at=None,
            needs_reason=True,
            reason_label="Sent to the regulator on",
            why=Need("The controller, who didn’t write it, signs it."),
            attests="I reviewed this investigation and its evidence. I sent it to the regulator on "
            "the date that I state.",
            then="hold_investigated",
        ),
    ),
    void=(
        Step(
            "returned",
            done="Returned",
            do="Return",
            by=_SIGNING,
            at=None,
            may_repeat=("written", "commented"),
            needs_reason=True,
            attests="I return this investigation. It is written again.",
            then="slip_voided",
        ),
    ),
    effects={"hold_investigated": _signed},
    readers=Readers(KEEPING_BOOKS | {Role.PIT_MANAGER, Role.SHIFT_MANAGER, Role.COMPLIANCE}),
    promises=(Promise(3, 2),),
    paper=Form(
        parts=(Part("Original", "To the regulator."),), shows=Shows.FACTS, caption="Accounting"
    ),
    heading=lambda raising: f"Hold of {_hold(raising).title}",
    back=lambda raising: {"url": reverse("hold"), "label": "Hold"},
    raised=lambda slip: f"{slip.serial} signed. The shift manager comments next.",
)
