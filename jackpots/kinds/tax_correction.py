"""A tax form that went out wrong: corrected or voided by two people; what went out stays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

from django.db import models
from django.shortcuts import get_object_or_404
from django.urls import reverse

from jackpots.models import TaxForm
from jackpots.services.tax_forms import ID_BOXES, draw_later, recipient_of, tin_cipher
from pitboss.middleware import PitRequest
from pitboss.models import Signature, Slip
from pitboss.paper.forms import Form as Printed
from pitboss.paper.forms import Part, Shows
from pitboss.rules.cheques.cheques import format_money, read_money
from pitboss.rules.floor.fields import Words
from pitboss.rules.floor.urgency import Urgency
from pitboss.rules.flows.flows import BY_ANOTHER, Promise, Readers, SlipStatus, Step
from pitboss.rules.refusal import CONFLICT, Refusal, Refused, refuse
from pitboss.rules.roles import AT_THE_CAGE, KEEPING_BOOKS, SUPERVISING, Role
from pitboss.rules.tax.forms import FormIssue, corrected_boxes
from pitboss.rules.tax.tax import TaxFormName
from pitboss.services.drafts import NewSlip
from pitboss.services.locks import lock_desk
from pitboss.slips.addresses import id_of, own_url
from pitboss.slips.kind import Kind, Look, Raising
from pitboss.views.forms import new_request_id

# Who keeps the year's forms.
_OFFICE: Final = (Role.ACCOUNTING, Role.COMPLIANCE, Role.CAGE_MANAGER)
_TAX_DESK: Final = "tax"
_AMOUNTS: Final = {
    "reportable": "Winnings",
    "federal": "Federal tax withheld",
    "state": "State tax withheld",
}


@dataclass(frozen=True, slots=True)
class Amounts:
    """The amounts of a corrected form."""

    reportable_cents: int
    federal_cents: int
    state_cents: int = 0


def _form(raising: Raising) -> TaxForm:
    form: TaxForm = raising.given["form"]
    return form


def _issue(raising: Raising) -> FormIssue:
    return FormIssue(raising.given["issue"])


def _begins(request: PitRequest, raising: Raising) -> Raising:
    """Return a correction of the form that its address names; ?issue= says that it is void."""
    form = get_object_or_404(
        TaxForm.objects.select_related("patron"), pk=id_of(request.GET, "form")
    )
    is_void = request.GET.get("issue") == FormIssue.VOID.value
    issue = (FormIssue.VOID if is_void else FormIssue.CORRECTED).value
    return replace(
        raising,
        given={**raising.given, "form": form, "issue": issue},
        named={**raising.named, "form": form.pk, "issue": issue},
    )


def _read(raising: Raising) -> Raising:
    """Return the amounts that were entered, in cents. Raises Refused."""
    cents = [read_money(raising.given.get(name, "0")) for name in _AMOUNTS]
    if any(item is None for item in cents):
        raise refuse("bad_amount", "Amount isn’t valid. Enter dollars, like 3,000.")
    amounts = Amounts(*(item or 0 for item in cents))
    return replace(raising, given={**raising.given, "amounts": amounts})


def _locks(raising: Raising) -> Raising:
    lock_desk(_TAX_DESK)
    return raising


def newest_of(form: TaxForm) -> TaxForm:
    """Return the form that stands in place of one, itself unless it was corrected."""
    return TaxForm.objects.filter(account=form.account).latest("number")


def _drafted(raising: Raising) -> NewSlip:
    """Draft a correction, with what changes in words."""
    form, issue = _form(raising), _issue(raising)
    amounts: Amounts = raising.given["amounts"]
    if issue is FormIssue.VOID:
        amounts = Amounts(0, 0, 0)
    patron = form.patron
    was = {
        "Winnings": format_money(form.reportable_cents),
        "Federal tax withheld": format_money(form.federal_cents),
        "State tax withheld": format_money(form.state_cents),
        "Winner": form.boxes["winner_full_name"],
        "Address": _address(form.boxes),
        "Taxpayer number": form.masked_tin or "none",
    }
    becomes = {
        "Winnings": format_money(amounts.reportable_cents),
        "Federal tax withheld": format_money(amounts.federal_cents),
        "State tax withheld": format_money(amounts.state_cents),
        **(
            {}
            if issue is FormIssue.VOID
            else {
                "Winner": patron.full_name,
                "Address": _address(recipient_of(patron).boxes()),
                "Taxpayer number": patron.masked_tax_id or "none",
            }
        ),
    }
    changes = [
        [name, f"{was[name]} becomes {value}"]
        for name, value in becomes.items()
        if was[name] != value
    ]
    return NewSlip(
        raising.kind.kind,
        None,
        {},
        details={
            "form": form.pk,
            "issue": issue.value,
            "reportable_cents": amounts.reportable_cents,
            "federal_cents": amounts.federal_cents,
            "state_cents": amounts.state_cents,
            "about": f"{form}, {issue.value}",
            "says": [
                ["Form", f"{form}, {form.tax_year}"],
                ["Becomes", "void" if issue is FormIssue.VOID else "corrected"],
                *changes,
            ],
            "changes": len(changes),
        },
    )


def _address(boxes: Mapping[str, str]) -> str:
    parts = (boxes[f"winner_{name}"] for name in ("street", "city", "region", "postal_code"))
    return ", ".join(part for part in parts if part)


def _refusals(raising: Raising) -> list[Refusal]:
    """Return why a form is not corrected so, and what waits for the same."""
    form = _form(raising)
    refusals = _correction_refusals(form, raising.new().details)
    waiting = Slip.objects.filter(
        kind=raising.kind.kind, status=SlipStatus.OPEN.value, details__form=form.pk
    ).first()
    if waiting is not None:
        refusals.append(
            Refusal("already_proposed", f"{waiting} is pending. Approve or decline it first.")
        )
    return refusals


def _correction_refusals(form: TaxForm, details: Mapping[str, Any]) -> list[Refusal]:
    """Return why a form is not corrected so."""
    refusals = []
    if newest_of(form).pk != form.pk:
        refusals.append(
            Refusal("already_replaced", f"{form} was replaced. Correct the newest.", CONFLICT)
        )
    if form.issue == FormIssue.VOID.value:
        refusals.append(Refusal("form_is_void", f"{form} is void. Nothing corrects it."))
    if details["issue"] == FormIssue.CORRECTED.value and not details["changes"]:
        refusals.append(
            Refusal(
                "nothing_changes",
                "The form already shows these amounts and this patron. Change something.",
            )
        )
    kept_cents = details["federal_cents"] + details["state_cents"] + form.local_cents
    if kept_cents > details["reportable_cents"]:
        refusals.append(
            Refusal("tax_above_winnings", "More is withheld than was won. Enter it again.")
        )
    if form.form != TaxFormName.W2G.value and details["state_cents"]:
        refusals.append(
            Refusal(
                "no_state_line", "Only a W-2G has a state line. Leave the state’s fields blank."
            )
        )
    return refusals


def _corrected(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Issue the form that takes the place of a wrong one. What went out stays as it is."""
    details = slip.details
    lock_desk(_TAX_DESK)
    before = TaxForm.objects.select_related("patron", "jackpot", "papers").get(pk=details["form"])
    refusals = _correction_refusals(before, details)
    if refusals:
        raise Refused(refusals)
    issue, kind = FormIssue(details["issue"]), TaxFormName(before.form)
    is_void = issue is FormIssue.VOID
    # A void form says what the one that it voids said; a corrected one what the file says now.
    names = ("reportable_cents", "federal_cents", "state_cents")
    reportable, federal, state = (
        getattr(before, name) if is_void else details[name] for name in names
    )
    patron = before.patron
    ids = {box: cipher for box, cipher in before.number_ciphers.items() if box in ID_BOXES}
    form = TaxForm.objects.create(
        jackpot=before.jackpot,
        papers=before.papers,
        slip=slip,
        patron=patron,
        form=before.form,
        issue=issue.value,
        number=before.number + 1,
        replaces=before,
        account=before.account,
        tax_year=before.tax_year,
        paid_on=before.paid_on,
        won_on=before.won_on,
        withholding=before.withholding,
        reportable_cents=reportable,
        federal_cents=federal,
        state=before.state,
        state_cents=state,
        # The local line goes out again as it was.
        locality=before.locality,
        local_cents=before.local_cents,
        boxes=before.boxes
        if is_void
        else corrected_boxes(
            kind,
            before.boxes,
            recipient_of(patron),
            reportable_cents=reportable,
            federal_cents=federal,
            state_cents=state,
        ),
        number_ciphers=before.number_ciphers
        if is_void
        else tin_cipher(kind, patron, before.account) | ids,
        tin_ends=before.tin_ends if is_void else patron.tax_id_ends,
        reason=slip.reason,
        gaming_day=slip.gaming_day,
        at=at,
    )
    draw_later([form])
    return [form]


def _look(request: PitRequest, raising: Raising, refused: Refused | None) -> Look:
    given, form = request.POST if refused else request.GET, _form(raising)
    shown = {
        "reportable": form.reportable_cents,
        "federal": form.federal_cents,
        "state": form.state_cents,
    }
    return "jackpots/tax_correct.html", {
        "url": own_url(raising),
        "request_id": new_request_id(),
        "form": form,
        "issue": _issue(raising).value,
        "keyed": {
            name: given.get(name, format_money(cents).removeprefix("$"))
            for name, cents in shown.items()
        },
    }


TAX_CORRECTION = Kind(
    "tax_correction",
    title="Tax form correction",
    series="TC",
    corrects=True,
    open_to=frozenset(_OFFICE),
    lit_by="jackpots",
    at_a_table=False,
    begins=_begins,
    locks=_locks,
    asked=tuple(
        Words(name=name, label=label, most=20, is_needed=False) for name, label in _AMOUNTS.items()
    ),
    becomes=_read,
    drafted=_drafted,
    refusals=_refusals,
    urgency=Urgency.FORM,
    steps=(
        Step(
            "proposed",
            done="Proposed",
            do="Propose",
            by=_OFFICE,
            at=None,
            needs_reason=True,
            reason_label="What was wrong",
            attests="I certify that this form was issued with an error, for the reason I entered.",
        ),
        Step(
            "approved",
            done="Approved",
            do="Approve",
            why=BY_ANOTHER,
            by=_OFFICE,
            at=None,
            attests="I investigated this error and approve a corrected form. The original "
            "stays on record.",
            then="tax_form_corrected",
        ),
    ),
    void=(
        Step(
            "refused",
            done="Refused",
            do="Refuse",
            by=_OFFICE,
            at=None,
            may_repeat="proposed",
            needs_reason=True,
            attests="I decline this correction. The form is correct as issued.",
            then="slip_voided",
        ),
    ),
    effects={"tax_form_corrected": _corrected},
    readers=Readers(
        SUPERVISING | AT_THE_CAGE | KEEPING_BOOKS | {Role.COMPLIANCE}, names_patron=True
    ),
    promises=(Promise(2, 1),),
    paper=Printed(
        parts=(Part("Original", "Filed with the form that it corrects."),),
        shows=Shows.FACTS,
        caption="Tax",
    ),
    look=_look,
    heading=lambda raising: f"Correction of {_form(raising)}",
    back=lambda raising: {
        "url": reverse("tax-form", args=[_form(raising).pk]),
        "label": str(_form(raising)),
    },
    raised=lambda slip: f"{slip.serial} is pending. Another person must approve it.",
)
