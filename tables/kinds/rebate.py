"""A loss rebate: agreed with the cage manager before play, settled by accounting after the trip."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any

from django.db import models
from django.urls import reverse

from inventory.kinds.of_a_patron import of_patron, patron_locked, patron_of
from inventory.selectors.credit import standing_of
from inventory.services.patrons import lock_patron
from pitboss.models import Signature, Slip
from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.floor.fields import Money, Number
from pitboss.rules.flows.flows import Need, Promise, SlipStatus, Step
from pitboss.rules.patrons.patrons import Standing
from pitboss.rules.refusal import CONFLICT, NOT_YOURS, Refusal, Refused
from pitboss.rules.roles import Role
from pitboss.services import house
from pitboss.services.drafts import NewSlip
from pitboss.slips.kind import Kind, Raising
from tables.kinds.comp import COMP_READERS, PAPER, back_to_card, to_card
from tables.models import RebateAgreement, RebateSettlement
from tables.services.comps import comp_stops, keep_compared
from tables.services.rebates import cost_words, is_on_a_trip, rebate_owed, settlement_refusals

_TOO_LATE = "Play of this trip has begun. Agree on a rebate before the next one."


def _refusals(raising: Raising) -> list[Refusal]:
    patron, now = patron_of(raising), house.now()
    refusals = comp_stops(patron, now)
    if standing_of(patron) is Standing.SELF_EXCLUDED:
        refusals.append(
            Refusal("self_excluded", f"{patron} can’t get a rebate. Call compliance.", NOT_YOURS)
        )
    if is_on_a_trip(patron, now):
        refusals.append(Refusal("agreed_too_late", _TOO_LATE, CONFLICT))
    pending = Slip.objects.filter(
        kind="rebate", status=SlipStatus.OPEN.value, details__patron=patron.pk
    ).first()
    if pending is not None:
        words = f"{pending} is pending for {patron}. Sign or decline it first."
        refusals.append(Refusal("already_proposed", words))
    return refusals


def _drafted(raising: Raising) -> NewSlip:
    patron, given = patron_of(raising), raising.given
    rate_bp = given["rate"] * 100
    most = given.get("most_cents")
    return NewSlip(
        raising.kind.kind,
        None,
        {},
        details={
            "about": f"{patron}, {given['rate']}%",
            "says": [
                ["Patron", patron.full_name],
                ["Rebate", f"{given['rate']}% of the loss of the next trip"],
                ["From a loss of", format_money(given["least_loss_cents"])],
                ["At most", format_money(most) if most is not None else "no limit"],
                ["Hands at least", f"{given['least_decisions']:,}"],
                ["Costs on average", cost_words(given["rounds"], given["bet_cents"], rate_bp)],
            ],
            "patron": patron.pk,
            "rate_bp": rate_bp,
            "least_loss_cents": given["least_loss_cents"],
            "most_cents": most,
            "least_decisions": given["least_decisions"],
        },
    )


def _agreed(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Let a rebate hold from now on. Raises Refused when play has begun, or a list stops it."""
    details = slip.details
    patron = lock_patron(details["patron"])
    refusals = comp_stops(patron, at, slip)
    if is_on_a_trip(patron, at):
        refusals.append(Refusal("agreed_too_late", _TOO_LATE, CONFLICT))
    if refusals:
        raise Refused(refusals)
    keep_compared(patron, at, slip)
    return [
        RebateAgreement.objects.create(
            patron=patron,
            rate_bp=details["rate_bp"],
            least_loss_cents=details["least_loss_cents"],
            most_cents=details["most_cents"],
            least_decisions=details["least_decisions"],
            signed_at=at,
            slip=slip,
        )
    ]


_DECLINED: Any = {"done": "Declined", "do": "Decline", "at": None, "needs_reason": True}

REBATE = Kind(
    "rebate",
    title="Rebate",
    series="RB",
    desk="house",
    open_to=frozenset({Role.HOST_MANAGER, Role.SHIFT_MANAGER}),
    lit_by="board",
    at_a_table=False,
    begins=of_patron,
    locks=patron_locked,
    asked=(
        Number(name="rate", label="Share of the loss (%)", least=1, most=50, unit="%"),
        Money(name="least_loss_cents", label="From a loss of ($)"),
        Money(name="most_cents", label="At most ($)", is_needed=False),
        Number(name="least_decisions", label="Hands at least", least=0, most=100_000, unit="hands"),
        Money(name="bet_cents", label="Expected bet ($)"),
        Number(name="rounds", label="Expected rounds", least=1, most=2_000, unit="rounds"),
    ),
    refusals=_refusals,
    drafted=_drafted,
    steps=(
        Step(
            "proposed",
            done="Proposed",
            do="Propose",
            by=(Role.HOST_MANAGER, Role.SHIFT_MANAGER),
            at=None,
            attests="I propose this rebate. I reviewed what it costs on average.",
        ),
        Step(
            "agreed",
            done="Agreed",
            do="Agree",
            by=Role.CAGE_MANAGER,
            at=None,
            why=Need("The cage manager agrees to every rebate before play."),
            attests="I reviewed what this rebate costs on average and agree to it.",
            then="rebate_agreed",
        ),
    ),
    void=(
        Step(
            "refused",
            by=(Role.CAGE_MANAGER, Role.HOST_MANAGER, Role.SHIFT_MANAGER),
            may_repeat="proposed",
            attests="I decline this rebate for the reason I entered. Nothing is paid on it.",
            then="slip_voided",
            **_DECLINED,
        ),
    ),
    effects={"rebate_agreed": _agreed},
    readers=COMP_READERS,
    promises=(Promise(2, 2),),
    paper=PAPER,
    heading=lambda raising: f"Rebate for {patron_of(raising)}",
    back=back_to_card,
    raised=lambda slip: f"{slip.serial} proposed. The cage manager agrees to it.",
    goes_on=to_card,
)


def _agreement(slip: Slip | None) -> RebateAgreement:
    assert slip is not None, "it is about a rebate"
    return RebateAgreement.objects.select_related("patron", "slip").get(slip=slip)


def _settle_refusals(raising: Raising) -> list[Refusal]:
    agreement = _agreement(raising.original)
    if RebateSettlement.objects.filter(agreement=agreement).exists():
        return [
            Refusal("already_settled", f"{agreement.slip} is settled. Reload the page.", CONFLICT)
        ]
    stops = comp_stops(agreement.patron, house.now())
    return [*settlement_refusals(rebate_owed(agreement)), *stops]


def _drafted_settlement(raising: Raising) -> NewSlip:
    agreement = _agreement(raising.original)
    found = rebate_owed(agreement)
    original = agreement.slip
    return NewSlip(
        raising.kind.kind,
        None,
        {},
        original.pk,
        details={
            "about": original.details["about"],
            "says": [
                ["Rebate", original.serial],
                ["Patron", agreement.patron.full_name],
                ["Loss of the trip", format_money(found.loss_cents)],
                ["Comes back", format_money(found.rebate_cents)],
            ],
            "patron": agreement.patron_id,
            "loss_cents": found.loss_cents,
            "rebate_cents": found.rebate_cents,
        },
    )


def _settled(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Settle a rebate once. Raises Refused when the trip comes to something else by now."""
    agreement = _agreement(slip.refers_to)
    lock_patron(agreement.patron_id)
    found = rebate_owed(agreement)
    refusals = [*settlement_refusals(found), *comp_stops(agreement.patron, at, slip)]
    if (found.loss_cents, found.rebate_cents) != (
        slip.details["loss_cents"],
        slip.details["rebate_cents"],
    ):
        words = "The trip’s result has changed. Decline this rebate, then settle it again."
        refusals.append(Refusal("result_changed", words, CONFLICT))
    if refusals:
        raise Refused(refusals)
    keep_compared(agreement.patron, at, slip)
    return [
        RebateSettlement.objects.create(
            agreement=agreement,
            loss_cents=found.loss_cents,
            rebate_cents=found.rebate_cents,
            slip=slip,
            gaming_day=house.period_at(at).gaming_day,
            at=at,
        )
    ]


REBATE_SETTLEMENT = Kind(
    "rebate_settlement",
    title="Rebate settlement",
    series="RS",
    desk="house",
    open_to=frozenset({Role.ACCOUNTING}),
    lit_by="days",
    at_a_table=False,
    refers_to=("rebate",),
    must_refer=True,
    offers="Settle…",
    refusals=_settle_refusals,
    refuses_at_once=True,
    drafted=_drafted_settlement,
    steps=(
        Step(
            "settled",
            done="Settled",
            do="Settle",
            by=Role.ACCOUNTING,
            at=None,
            attests="I verified the ratings of this trip and settle this rebate.",
        ),
        Step(
            "approved",
            done="Approved",
            do="Approve",
            by=Role.CAGE_MANAGER,
            at=None,
            why=Need("The cage manager approves what a rebate pays."),
            attests="I reviewed the ratings of this trip and approve this rebate.",
            then="rebate_settled",
        ),
    ),
    void=(
        Step(
            "refused",
            by=(Role.CAGE_MANAGER, Role.ACCOUNTING),
            may_repeat="settled",
            attests="I decline this settlement. Nothing is paid on it.",
            then="slip_voided",
            **_DECLINED,
        ),
    ),
    effects={"rebate_settled": _settled},
    readers=COMP_READERS,
    promises=(Promise(2, 2),),
    paper=replace(PAPER, refers_as="Settles", referred_as="Settled by"),
    heading=lambda raising: f"Settle {raising.original.serial if raising.original else ''}",
    back=lambda raising: {
        "url": reverse("slip", args=[raising.original.serial if raising.original else ""]),
        "label": "Rebate",
    },
    raised=lambda slip: f"{slip.serial} is pending. The cage manager approves it.",
)
