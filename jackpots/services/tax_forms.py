"""Tax forms: issued when a jackpot is paid, corrected or voided by two people of the office."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from celery import current_app
from django.db import models, transaction

from inventory.models import Patron, PatronDocument
from jackpots.models import Jackpot, TaxForm
from jackpots.services.papers import Papers
from jackpots.services.tax_papers import day_of
from pitboss.models import Signature, Slip
from pitboss.rules.cheques import format_money
from pitboss.rules.flows import SlipStatus
from pitboss.rules.games import spoken
from pitboss.rules.patrons import DocumentKind, TaxIdKind
from pitboss.rules.refusal import Refusal, Refused
from pitboss.rules.tax import Form
from pitboss.rules.tax_flows import TAX_CORRECTION
from pitboss.rules.tax_forms import (
    Issue,
    Paid,
    Recipient,
    corrected_boxes,
    f1042s_boxes,
    w2g_boxes,
)
from pitboss.rules.tax_papers import Part, rate_of
from pitboss.services import house
from pitboss.services.effects import effect
from pitboss.services.locks import lock_desk
from pitboss.services.signing import Entry, Judgement, NewSlip, Pen, raise_slip

# The task that draws a form, by name: a service knows no tasks.
DRAW = "jackpots.draw_tax_form"
_BOXES = {Form.W2G: w2g_boxes, Form.F1042S: f1042s_boxes}
_ID_BOXES = ("11", "12")
# Forms are never changed and so cannot be locked: one correction at a time is judged.
_TAX_DESK = "tax"


def issue_forms(
    jackpot: Jackpot, papers: Papers, signature: Signature, at: datetime
) -> list[models.Model]:
    """Issue the forms that a paid jackpot owes, one a winner; a worker draws them afterwards."""
    forms: list[models.Model] = []
    for index, part in enumerate(papers.parts):
        if part.answer.form is not None:
            forms.append(_issued(jackpot, papers, index, part, signature, at))
    draw_later(forms)
    return forms


def _issued(
    jackpot: Jackpot, papers: Papers, index: int, part: Part, signature: Signature, at: datetime
) -> TaxForm:
    form = part.answer.form
    assert form is not None
    assert papers.slip is not None
    stored = papers.slip.details["winners"][index]
    patron = Patron.objects.get(pk=stored["patron"])
    paid_on = day_of(at)
    paid = Paid(
        won_on=day_of(jackpot.slip.raised_at),
        wager=spoken(jackpot.wager),
        transaction=jackpot.slip.serial,
        cashier=signature.person.badge,
        window=jackpot.slip.table.name if jackpot.slip.table else "",
        # Ten digits that stay with the form through every correction.
        account=f"{jackpot.slip_id:08}{index + 1:02}",
        reportable_cents=part.reportable_cents,
        federal_cents=part.federal_cents,
        rate_basis_points=rate_of(part, house.settings_at(at).tax, paid_on),
        nonresident=part.answer.nonresident,
        state=stored["state"],
        state_cents=part.state_cents,
    )
    documents = {each.pk: each for each in patron.documents.filter(pk__in=stored["documents"])}
    shown = [documents[pk] for pk in stored["documents"]]
    return TaxForm.objects.create(
        jackpot=jackpot,
        papers=papers.slip,
        slip=jackpot.slip,
        patron=patron,
        form=form.value,
        issue=Issue.ORIGINAL.value,
        account=paid.account,
        tax_year=paid_on.year,
        paid_on=paid_on,
        won_on=paid.won_on,
        withholding=part.answer.withholding.value,
        reportable_cents=paid.reportable_cents,
        federal_cents=paid.federal_cents,
        state=paid.state,
        state_cents=paid.state_cents,
        boxes=_BOXES[form](paid, recipient_of(patron)) | _id_words(form, shown, stored["w9"]),
        number_ciphers=_tin_cipher(form, patron) | _id_ciphers(form, shown),
        tin_ends=patron.tax_id_ends,
        gaming_day=house.period_at(at).gaming_day,
        at=at,
    )


def recipient_of(patron: Patron) -> Recipient:
    """Return a patron as a form names them."""
    return Recipient(
        first_name=patron.first_name,
        last_name=patron.last_name,
        full_name=patron.full_name,
        street=", ".join(part for part in (patron.street, patron.street_more) if part),
        city=patron.city,
        region=patron.region,
        postal_code=patron.postal_code,
        country=patron.country,
        tax_country=patron.tax_country,
        born_on=patron.born_on,
    )


def _id_words(form: Form, shown: Sequence[PatronDocument], signs_w9: bool) -> dict[str, str]:
    """Return which IDs a W-2G names in boxes 11 and 12, without their numbers."""
    if form is not Form.W2G:
        return {}
    words = [f"{DocumentKind(each.kind).label} {each.issuer}".strip() for each in shown]
    return dict(zip(_ID_BOXES, [*words, *["W-9"][:signs_w9]], strict=False))


def _id_ciphers(form: Form, shown: Sequence[PatronDocument]) -> dict[str, str]:
    if form is not Form.W2G:
        return {}
    return {
        box: each.number_cipher
        for box, each in zip(_ID_BOXES, shown, strict=False)
        if each.number_cipher
    }


def _tin_cipher(form: Form, patron: Patron) -> dict[str, str]:
    """Return a person's number in the box for its kind, in cipher as the file has it."""
    if not patron.tax_id_cipher:
        return {}
    if form is Form.W2G:
        return {"9": patron.tax_id_cipher}
    return {"13i" if patron.tax_id_kind == TaxIdKind.FOREIGN else "13e": patron.tax_id_cipher}


def draw_later(forms: Iterable[models.Model]) -> None:
    """Let a worker draw forms once they are stored. A message that is lost a sweep makes good."""
    numbers = [form.pk for form in forms]

    # A function, not a partial: what goes wrong in it is logged by its name.
    def send() -> None:
        for number in numbers:
            current_app.tasks[DRAW].delay(number)

    transaction.on_commit(send, robust=True)


@dataclass(frozen=True, slots=True)
class Amounts:
    """The amounts of a corrected form."""

    reportable_cents: int
    federal_cents: int
    state_cents: int = 0


def newest_of(form: TaxForm) -> TaxForm:
    """Return the form that stands in place of one, itself unless it was corrected."""
    return TaxForm.objects.filter(account=form.account).latest("number")


def new_correction(form: TaxForm, issue: Issue, amounts: Amounts) -> NewSlip:
    """Return a correction about to be proposed, with what changes in words."""
    if issue is Issue.VOID:
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
            if issue is Issue.VOID
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
        TAX_CORRECTION.kind,
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
                ["Becomes", "void" if issue is Issue.VOID else "corrected"],
                *changes,
            ],
            "changes": len(changes),
        },
    )


def _address(boxes: Mapping[str, str]) -> str:
    parts = (boxes[f"winner_{name}"] for name in ("street", "city", "region", "postal_code"))
    return ", ".join(part for part in parts if part)


def propose_correction(new: NewSlip, *, reason: str, pen: Pen, shown: str) -> Slip:
    """Say that a form went out wrong. A new one goes out once another approves. Raises Refused."""

    def judge_correction(_: object, __: object) -> Judgement:
        lock_desk(_TAX_DESK)
        form = TaxForm.objects.get(pk=new.details["form"])
        refusals = correction_refusals(form, new.details)
        waiting = Slip.objects.filter(
            kind=TAX_CORRECTION.kind, status=SlipStatus.OPEN.value, details__form=form.pk
        ).first()
        if waiting is not None:
            refusals.append(
                Refusal("already_proposed", f"{waiting} waits. Approve or refuse it first.")
            )
        return Judgement(refusals)

    return raise_slip(new, pen=pen, shown=shown, judge=judge_correction, entry=Entry(reason=reason))


def correction_refusals(form: TaxForm, details: Mapping[str, Any]) -> list[Refusal]:
    """Return why a form is not corrected so."""
    refusals = []
    if newest_of(form).pk != form.pk:
        refusals.append(Refusal("already_replaced", f"{form} was replaced. Correct the newest."))
    if form.issue == Issue.VOID.value:
        refusals.append(Refusal("form_is_void", f"{form} is void. Nothing corrects it."))
    if details["issue"] == Issue.CORRECTED.value and not details["changes"]:
        refusals.append(
            Refusal("nothing_changes", "Amounts and file say what the form says already.")
        )
    if details["federal_cents"] + details["state_cents"] > details["reportable_cents"]:
        refusals.append(Refusal("tax_above_winnings", "More is withheld than was won. Key again."))
    if form.form != Form.W2G.value and details["state_cents"]:
        refusals.append(Refusal("no_state_line", "Only a W-2G has a state line."))
    return refusals


@effect("tax_form_corrected")
def _corrected(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Issue the form that takes the place of a wrong one. What went out stays as it is."""
    details = slip.details
    lock_desk(_TAX_DESK)
    before = TaxForm.objects.select_related("patron", "jackpot", "papers").get(pk=details["form"])
    refusals = correction_refusals(before, details)
    if refusals:
        raise Refused(refusals)
    issue, kind = Issue(details["issue"]), Form(before.form)
    is_void = issue is Issue.VOID
    # A void form says what the one that it voids said; a corrected one what the file says now.
    names = ("reportable_cents", "federal_cents", "state_cents")
    reportable, federal, state = (
        getattr(before, name) if is_void else details[name] for name in names
    )
    patron = before.patron
    ids = {box: cipher for box, cipher in before.number_ciphers.items() if box in _ID_BOXES}
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
        number_ciphers=before.number_ciphers if is_void else _tin_cipher(kind, patron) | ids,
        tin_ends=before.tin_ends if is_void else patron.tax_id_ends,
        reason=slip.reason,
        gaming_day=slip.gaming_day,
        at=at,
    )
    draw_later([form])
    return [form]
