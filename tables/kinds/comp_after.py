"""What becomes of an issued comp: an outlet redeems it, or two void it before that."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from django.db import models
from django.urls import reverse

from inventory.services.patrons import lock_patron
from pitboss.models import Signature, Slip
from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.floor.fields import Money, Words
from pitboss.rules.flows.flows import BY_ANOTHER, Promise, SlipStatus, Step
from pitboss.rules.refusal import CONFLICT, Refusal, Refused
from pitboss.rules.roles import AT_THE_CAGE, HOSTING, SUPERVISING, Place, Role
from pitboss.services.drafts import NewSlip
from pitboss.slips.kind import Kind, Raising
from tables.kinds.comp import COMP_READERS, PAPER, to_card
from tables.models import Comp, CompMove
from tables.services.comps import (
    keep_compared,
    redeemed_cents,
    redemption_refusals,
    write_entry,
)

OUTLET_MAX: Final = 60


def _original(raising: Raising) -> Slip:
    assert raising.original is not None, "it is about a comp"
    return raising.original


def _comp(slip: Slip | None) -> Comp:
    assert slip is not None, "it is about a comp"
    return Comp.objects.select_related("patron", "slip").get(slip=slip)


def _locked(raising: Raising) -> Raising:
    """Lock the patron: of two who redeem one comp, the second finds what the first left."""
    lock_patron(_original(raising).details["patron"])
    return replace(raising)


def _said(raising: Raising, *more: list[str], **details: Any) -> NewSlip:
    original = _original(raising)
    return NewSlip(
        raising.kind.kind,
        None,
        {},
        original.pk,
        details={
            "about": original.details["about"],
            "says": [["Comp", original.serial], *original.details["says"][:2], *more],
            "patron": original.details["patron"],
            **details,
        },
    )


def _void_refusals(comp: Comp) -> list[Refusal]:
    moves = set(comp.entries.values_list("move", flat=True))
    if CompMove.VOIDED.value in moves:
        return [Refusal("already_void", f"{comp.slip} is void. Choose another comp.", CONFLICT)]
    if CompMove.EXPIRED.value in moves:
        return [Refusal("comp_expired", f"{comp.slip} has expired. Issue another comp.", CONFLICT)]
    if CompMove.ISSUED.value not in moves:
        words = f"{comp.slip} is not issued yet. Decline it instead."
        return [Refusal("comp_not_issued", words, CONFLICT)]
    if redeemed_cents(comp):
        words = f"{format_money(redeemed_cents(comp))} of {comp.slip} was redeemed. It stays."
        return [Refusal("already_redeemed", words, CONFLICT)]
    return []


def _void_raising_refusals(raising: Raising) -> list[Refusal]:
    original = _original(raising)
    refusals = _void_refusals(_comp(original))
    pending = original.referred_by.filter(kind="comp_void", status=SlipStatus.OPEN.value).first()
    if pending is not None:
        words = f"{pending} is pending. Approve or decline it first."
        refusals.append(Refusal("already_proposed", words))
    return refusals


def _voided(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Give the value of a comp back, once. Raises Refused when it was redeemed since."""
    comp = _comp(slip.refers_to)
    lock_patron(comp.patron_id)
    refusals = _void_refusals(comp)
    if refusals:
        raise Refused(refusals)
    return [write_entry(comp, CompMove.VOIDED, slip, at)]


def _redemption_refusals(raising: Raising) -> list[Refusal]:
    return redemption_refusals(_comp(_original(raising)), raising.given.get("amount_cents", 1))


def _drafted_redemption(raising: Raising) -> NewSlip:
    given = raising.given
    return _said(
        raising,
        ["Redeemed", format_money(given["amount_cents"])],
        ["Where", given["outlet"]],
        amount_cents=given["amount_cents"],
        outlet=given["outlet"],
    )


def _redeemed(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    comp = _comp(slip.refers_to)
    lock_patron(comp.patron_id)
    amount = slip.details["amount_cents"]
    refusals = redemption_refusals(comp, amount)
    if refusals:
        raise Refused(refusals)
    keep_compared(comp.patron, at, slip)
    outlet = slip.details["outlet"]
    return [write_entry(comp, CompMove.REDEEMED, slip, at, amount_cents=amount, outlet=outlet)]


def _back(raising: Raising) -> dict[str, str]:
    original = _original(raising)
    return {"url": reverse("slip", args=[original.serial]), "label": original.title}


COMP_VOID = Kind(
    "comp_void",
    title="Comp void",
    series="CV",
    desk="house",
    open_to=SUPERVISING | HOSTING,
    lit_by="board",
    at_a_table=False,
    refers_to=("comp",),
    must_refer=True,
    offers="Void…",
    locks=_locked,
    refusals=_void_raising_refusals,
    refuses_at_once=True,
    drafted=_said,
    steps=(
        Step(
            "proposed",
            done="Proposed",
            do="Propose",
            by=(Role.SUPERVISOR, Role.HOST),
            at=None,
            needs_reason=True,
            reason_label="Why it is voided",
            attests="I certify that nothing was redeemed on this comp and that it must not be "
            "given, for the reason I entered.",
        ),
        Step(
            "witnessed",
            done="Witnessed",
            do="Witness",
            by=(Role.PIT_MANAGER, Role.HOST_MANAGER, Role.ACCOUNTING),
            at=None,
            why=BY_ANOTHER,
            attests="I verified that nothing was redeemed on this comp and witnessed it being "
            "voided.",
            then="comp_voided",
        ),
    ),
    void=(
        Step(
            "refused",
            done="Declined",
            do="Decline",
            by=(Role.PIT_MANAGER, Role.HOST_MANAGER, Role.ACCOUNTING, Role.SUPERVISOR, Role.HOST),
            at=None,
            may_repeat="proposed",
            needs_reason=True,
            attests="I decline this void. The comp stays as issued.",
            then="slip_voided",
        ),
    ),
    effects={"comp_voided": _voided},
    readers=COMP_READERS,
    promises=(Promise(2, 1),),
    paper=replace(PAPER, refers_as="Voids", referred_as="Voided by"),
    heading=lambda raising: f"Void {_original(raising).serial}",
    back=_back,
    raised=lambda slip: f"{slip.serial} is pending. Someone else must witness it.",
    goes_on=to_card,
)

COMP_REDEMPTION = Kind(
    "comp_redemption",
    title="Comp redemption",
    series="CX",
    desk="cage",
    open_to=AT_THE_CAGE,
    lit_by="cage",
    at_a_table=False,
    refers_to=("comp",),
    must_refer=True,
    offers="Redeem…",
    asked=(
        Money(name="amount_cents", label="Amount ($)"),
        Words(name="outlet", label="Where it was used", most=OUTLET_MAX),
    ),
    locks=_locked,
    refusals=_redemption_refusals,
    drafted=_drafted_redemption,
    steps=(
        Step(
            "redeemed",
            done="Redeemed",
            do="Redeem",
            by=Role.CASHIER,
            at=Place.CAGE,
            attests="I certify that the patron was given this amount on the comp listed on this "
            "slip.",
            then="comp_redeemed",
        ),
    ),
    effects={"comp_redeemed": _redeemed},
    readers=COMP_READERS,
    promises=(Promise(1, 1),),
    paper=replace(PAPER, refers_as="Redeems", referred_as="Redeemed by"),
    heading=lambda raising: f"Redeem {_original(raising).serial}",
    back=_back,
    raised=lambda slip: f"{slip.serial} redeemed.",
)
