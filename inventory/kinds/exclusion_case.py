"""A case of someone who may be on a list: two people say that it is the person, or is not.

A supervisor decides neither. What was cleared stops no one again until the row of the list changes.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from django.db import models
from django.shortcuts import get_object_or_404
from django.urls import reverse

from inventory.models import CaseEnd, ExclusionCase
from inventory.selectors.exclusion import decision_of
from inventory.services.exclusion import resolve_told
from inventory.services.patrons import lock_patron
from pitboss.middleware import PitRequest
from pitboss.models import Signature, Slip
from pitboss.paper.forms import Form, Part, Shows
from pitboss.rules.floor.fields import Words
from pitboss.rules.flows.flows import Need, Promise, Readers, SlipStatus, Step
from pitboss.rules.patrons.exclusion import (
    OFAC_REPORT_DAYS,
    CaseDecision,
    ListKind,
    business_days_after,
)
from pitboss.rules.refusal import CONFLICT, Refusal, Refused
from pitboss.rules.roles import GUARDING, Role
from pitboss.services.drafts import NewSlip
from pitboss.services.exceptions import OFAC_REPORT, open_exception
from pitboss.slips.addresses import id_of
from pitboss.slips.kind import Kind, Raising

_DECIDING: Final = GUARDING | {Role.SHIFT_MANAGER, Role.COMPLIANCE}
_READERS: Final = Readers(_DECIDING | {Role.AUDITOR}, names_patron=True)
_PAPER: Final = Form(
    parts=(Part("Original", "To compliance, with what was seen."),),
    shows=Shows.FACTS,
    caption="Exclusion",
)


def _case_of(raising: Raising) -> ExclusionCase:
    case: ExclusionCase = raising.given["case"]
    return case


def _begins(request: PitRequest, raising: Raising) -> Raising:
    """Return the decision of the case that the address names."""
    cases = ExclusionCase.objects.select_related("patron", "row")
    case = get_object_or_404(cases, pk=id_of(request.GET, "case"))
    given = {**raising.given, "case": case}
    return replace(raising, given=given, named={"case": case.pk})


def _locked(raising: Raising) -> Raising:
    lock_patron(_case_of(raising).patron_id)
    return raising


def _drafted(raising: Raising) -> NewSlip:
    """Draft a decision. It names no list: more people read a slip than may know it."""
    case = _case_of(raising)
    return NewSlip(
        raising.kind.kind,
        None,
        {},
        details={
            "case": case.pk,
            "patron": case.patron_id,
            "about": f"{case.patron}, case {case.pk}",
            "says": [
                ["Case", str(case.pk)],
                ["Patron", case.patron.full_name],
                ["Row", case.row.external_id],
                ["What was seen", raising.given["seen"]],
            ],
        },
    )


def _refusals(raising: Raising) -> list[Refusal]:
    case = _case_of(raising)
    case.require_seal()
    if decision_of(case) is not None:
        return [
            Refusal(
                "case_decided",
                f"Case {case.pk} is already decided. Review the list of cases.",
                CONFLICT,
            )
        ]
    waiting = Slip.objects.filter(
        kind__in=(CASE_CLEARED.kind, CASE_CONFIRMED.kind),
        status=SlipStatus.OPEN.value,
        details__case=case.pk,
    ).first()
    if waiting is not None:
        return [Refusal("already_proposed", f"{waiting} is pending. Sign or decline it first.")]
    return []


def _decide(slip: Slip, signature: Signature, at: datetime, decision: CaseDecision) -> CaseEnd:
    case = ExclusionCase.objects.select_related("row").get(pk=slip.details["case"])
    lock_patron(case.patron_id)
    case.require_seal()
    if decision_of(case) is not None:
        raise Refused(
            [
                Refusal(
                    "case_decided",
                    f"Case {case.pk} is already decided. Review the list of cases.",
                    CONFLICT,
                )
            ]
        )
    resolve_told(case, signature.person, f"{decision.value.capitalize()} on {slip.serial}.", at)
    return CaseEnd.objects.create(case=case, decision=decision.value, slip=slip, at=at)


def _cleared(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Let the patron go on: this row is someone else."""
    return [_decide(slip, signature, at, CaseDecision.CLEARED)]


def _confirmed(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Keep every act stopped. What OFAC blocks is reported within ten business days."""
    end = _decide(slip, signature, at, CaseDecision.CONFIRMED)
    if end.case.row.list == ListKind.OFAC.value:
        due_on = business_days_after(at.date(), OFAC_REPORT_DAYS)
        open_exception(
            code=OFAC_REPORT,
            sentence=f"Report blocked property of case {end.case_id} by {due_on:%b %-d, %Y}.",
            details={"case": end.case_id, "due_on": due_on.isoformat()},
            at=at,
            person=None,
            slip=slip,
            limit_seconds=int(timedelta(days=(due_on - at.date()).days).total_seconds()),
        )
    return [end]


def _to_case(slip: Slip) -> str:
    return reverse("exclusion-case", args=[slip.details["case"]])


def _back(raising: Raising) -> dict[str, str]:
    case = _case_of(raising)
    return {"url": reverse("exclusion-case", args=[case.pk]), "label": f"Case {case.pk}"}


def _declined(first: str) -> Step:
    """Return the way out of a decision: whoever began it may decline it too."""
    return Step(
        "refused",
        done="Declined",
        do="Decline",
        by=(Role.COMPLIANCE, Role.SECURITY, Role.SHIFT_MANAGER),
        at=None,
        may_repeat=first,
        needs_reason=True,
        attests="I decline this decision. The case stays open.",
        then="slip_voided",
    )


CASE_CLEARED = Kind(
    "exclusion_cleared",
    title="Exclusion case: not the person",
    series="XC",
    desk="people",
    open_to=GUARDING,
    lit_by="inbox",
    at_a_table=False,
    begins=_begins,
    locks=_locked,
    asked=(Words(name="seen", label="ID seen, and why it is someone else", most=300),),
    refusals=_refusals,
    drafted=_drafted,
    steps=(
        Step(
            "cleared",
            done="Cleared by security",
            do="Clear",
            by=Role.SECURITY,
            at=None,
            attests="I examined this person’s ID and certify that this is not the person on the "
            "list.",
        ),
        Step(
            "clearing_agreed",
            done="Agreed by compliance",
            do="Agree",
            by=Role.COMPLIANCE,
            at=None,
            attests="I compared what security saw with the list and certify that this is not the "
            "person on it.",
            then="exclusion_cleared",
        ),
    ),
    void=(_declined("cleared"),),
    effects={"exclusion_cleared": _cleared},
    readers=_READERS,
    promises=(Promise(2, 2),),
    paper=_PAPER,
    heading=lambda raising: f"Case {_case_of(raising).pk}: not the person",
    back=_back,
    raised=lambda slip: f"{slip.serial} is pending. Waiting for compliance.",
    goes_on=_to_case,
)

CASE_CONFIRMED = Kind(
    "exclusion_confirmed",
    title="Exclusion case: confirmed",
    series="XC",
    desk="people",
    open_to=GUARDING | {Role.SHIFT_MANAGER},
    lit_by="inbox",
    at_a_table=False,
    begins=_begins,
    locks=_locked,
    asked=(Words(name="seen", label="How the person was identified", most=300),),
    refusals=_refusals,
    drafted=_drafted,
    steps=(
        Step(
            "confirmed",
            done="Confirmed",
            do="Confirm",
            by=(Role.SECURITY, Role.SHIFT_MANAGER),
            at=None,
            why=Need("This may be a person on a list. Identify them."),
            attests="I identified this person and certify that this is the person on the list.",
        ),
        Step(
            "confirming_agreed",
            done="Agreed by compliance",
            do="Agree",
            by=Role.COMPLIANCE,
            at=None,
            attests="I compared the identification with the list and certify that this is the "
            "person on it.",
            then="exclusion_confirmed",
        ),
    ),
    void=(_declined("confirmed"),),
    effects={"exclusion_confirmed": _confirmed},
    readers=_READERS,
    promises=(Promise(2, 2),),
    paper=_PAPER,
    heading=lambda raising: f"Case {_case_of(raising).pk}: confirm the person",
    back=_back,
    raised=lambda slip: f"{slip.serial} is pending. Waiting for compliance.",
    goes_on=_to_case,
)
