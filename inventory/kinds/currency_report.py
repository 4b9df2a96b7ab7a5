"""A currency report completed and approved: FinCEN Form 112, by two people."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Final

from django.db import models
from django.shortcuts import get_object_or_404
from django.urls import reverse

from inventory.models import CtrForm
from inventory.selectors.cash_log import whose
from inventory.selectors.ctr import KIND, slip_of
from inventory.services.ctr import form_in, is_stale
from pitboss.middleware import PitRequest
from pitboss.models import Signature, Slip
from pitboss.paper.forms import Form, Part, Shows
from pitboss.rules.flows.flows import BY_ANOTHER, Promise, Readers, SlipStatus, Step
from pitboss.rules.patrons.compliance import day_refusals
from pitboss.rules.patrons.patrons import masked
from pitboss.rules.refusal import CONFLICT, Refusal, Refused
from pitboss.rules.roles import AT_THE_CAGE, KEEPING_BOOKS, Role
from pitboss.services import house
from pitboss.services.drafts import NewSlip
from pitboss.slips.addresses import id_of
from pitboss.slips.kind import Kind, Raising

_READERS: Final = Readers(AT_THE_CAGE | KEEPING_BOOKS | {Role.COMPLIANCE}, names_patron=True)


def _form_of(raising: Raising) -> CtrForm:
    form: CtrForm = raising.given["form"]
    return form


def _begins(request: PitRequest, raising: Raising) -> Raising:
    """Return the report that the address names, as it was written out."""
    forms = CtrForm.objects.select_related("report__patron", "report__stranger", "other")
    form = get_object_or_404(forms, pk=id_of(request.GET, "form"))
    return replace(raising, given={"form": form}, named={"form": form.pk})


def _drafted(raising: Raising) -> NewSlip:
    """Draft the report in words. Numbers of people stand masked."""
    row = _form_of(raising)
    form = form_in(row)
    name = whose(row.report.patron, row.report.stranger).name
    people = [
        [
            f"{party.name}, {party.role.label}",
            "; ".join(
                filter(
                    None,
                    (
                        f"in ${party.in_dollars:,}" if party.in_dollars else "",
                        f"out ${party.out_dollars:,}" if party.out_dollars else "",
                        party.occupation,
                        f"tax ID {masked(party.tax_id)}" if party.tax_id else "tax ID not known",
                    ),
                )
            ),
        ]
        for party in form.parties
    ]
    return NewSlip(
        raising.kind.kind,
        None,
        {},
        details={
            "form": row.pk,
            "sha256": row.content_hash,
            "report": row.report_id,
            "about": f"{name}, {form.gaming_day:%b %-d, %Y}",
            "says": [
                ["Gaming day", f"{form.gaming_day:%a, %b %-d, %Y}"],
                ["Cash in", f"${form.in_dollars:,}"],
                ["Cash out", f"${form.out_dollars:,}"],
                *people,
                ["Multiple transactions", "yes" if form.multiple else "no"],
                ["Aggregated transactions", "yes" if form.aggregated else "no"],
                *([["Amends", form.prior_bsa_id]] if form.amends else []),
                ["Form", f"SHA-256 {row.content_hash}"],
            ],
        },
    )


def _refusals(raising: Raising) -> list[Refusal]:
    row = _form_of(raising)
    refusals = _row_refusals(row)
    refusals += day_refusals(row.report.gaming_day, house.period_at(house.now()).gaming_day)
    waiting = slip_of(row.report)
    if waiting is not None and waiting.status == SlipStatus.OPEN.value:
        words = f"{waiting} is pending. Approve or decline it first."
        refusals.append(Refusal("already_proposed", words))
    return refusals


def _row_refusals(row: CtrForm) -> list[Refusal]:
    if hasattr(row.report, "closing"):
        return [
            Refusal("already_closed", "This report is already closed. Review the list.", CONFLICT)
        ]
    if is_stale(row):
        return [
            Refusal(
                "form_stale",
                "The cash of the day changed. Complete the report again.",
                CONFLICT,
            )
        ]
    return []


def _approved(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Let the report leave with the next batch, if it still says what the log says."""
    row = CtrForm.objects.select_related("report__patron", "report__stranger", "other").get(
        pk=slip.details["form"]
    )
    refusals = _row_refusals(row)
    if refusals:
        raise Refused(refusals)
    return []


def _back(raising: Raising) -> dict[str, str]:
    report = _form_of(raising).report_id
    return {"url": reverse("ctr-form", args=[report]), "label": "Report"}


CURRENCY_REPORT = Kind(
    KIND,
    title="Currency report",
    series="CR",
    desk="people",
    open_to=AT_THE_CAGE | {Role.COMPLIANCE},
    lit_by="compliance",
    at_a_table=False,
    begins=_begins,
    refusals=_refusals,
    refuses_at_once=True,
    drafted=_drafted,
    steps=(
        Step(
            "completed",
            done="Completed",
            do="Complete",
            by=(Role.CASHIER, Role.COMPLIANCE),
            at=None,
            attests="I completed this currency report from the cash log and from the documents "
            "that I examined.",
        ),
        Step(
            "approved",
            done="Approved",
            do="Approve",
            why=BY_ANOTHER,
            by=Role.COMPLIANCE,
            at=None,
            attests="I reviewed this currency report against the cash log and approve it for "
            "filing.",
            then="currency_report_approved",
        ),
    ),
    void=(
        Step(
            "refused",
            done="Declined",
            do="Decline",
            by=Role.COMPLIANCE,
            at=None,
            may_repeat="completed",
            needs_reason=True,
            attests="I decline this currency report. It must be completed again.",
            then="slip_voided",
        ),
    ),
    effects={"currency_report_approved": _approved},
    readers=_READERS,
    promises=(Promise(2, 1),),
    paper=Form(
        parts=(Part("Original", "To compliance, kept five years."),),
        shows=Shows.FACTS,
        caption="Currency report",
    ),
    heading=lambda raising: "Currency report",
    back=_back,
    raised=lambda slip: f"{slip.serial} is pending. Another compliance officer must approve it.",
)
