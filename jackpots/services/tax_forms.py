"""Tax forms: issued when a win is paid, and drawn later."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from celery import current_app
from django.db import models, transaction

from inventory.models import Patron, PatronDocument
from inventory.services.patrons import document_place, tax_id_place
from jackpots.models import Jackpot, TaxForm
from jackpots.services.hits import won_at
from jackpots.services.papers import PapersStanding
from jackpots.services.tax_lines import tax_rules
from jackpots.services.tax_papers import day_of
from jackpots.services.tax_pdfs import number_place
from pitboss.ciphers import recipher
from pitboss.models import Signature
from pitboss.rules.day.late_papers import LATE_TAX
from pitboss.rules.games.games import spoken
from pitboss.rules.patrons.patrons import DocumentKind, TaxIdKind
from pitboss.rules.tax.forms import (
    FormIssue,
    PaidWin,
    Recipient,
    f1042s_boxes,
    w2g_boxes,
)
from pitboss.rules.tax.papers import WinnerPart, rate_of
from pitboss.rules.tax.tax import TaxFormName
from pitboss.services import house

# The task that draws a form, by name: a service knows no tasks.
DRAW = "jackpots.draw_tax_form"
_BOXES = {TaxFormName.W2G: w2g_boxes, TaxFormName.F1042S: f1042s_boxes}
ID_BOXES = ("11", "12")
# Forms are never changed and so cannot be locked: one correction at a time is judged.


def issue_forms(
    jackpot: Jackpot, papers: PapersStanding, signature: Signature, at: datetime
) -> list[models.Model]:
    """Issue the forms that a paid jackpot owes, one a winner; a worker draws them afterwards."""
    forms: list[models.Model] = []
    for index, part in enumerate(papers.parts):
        if part.answer.form is not None:
            forms.append(_issued(jackpot, papers, index, part, signature, at))
    draw_later(forms)
    return forms


def _issued(
    jackpot: Jackpot,
    papers: PapersStanding,
    index: int,
    part: WinnerPart,
    signature: Signature,
    at: datetime,
) -> TaxForm:
    form = part.answer.form
    assert form is not None
    assert papers.slip is not None
    stored = papers.slip.details["winners"][index]
    patron = Patron.objects.get(pk=stored["patron"])
    paid_on = day_of(at)
    paid = PaidWin(
        won_on=day_of(won_at(jackpot.slip)),
        wager=spoken(jackpot.wager),
        transaction=jackpot.slip.serial,
        cashier=signature.person.badge,
        window=jackpot.slip.table.name if jackpot.slip.table else "",
        # Ten digits that stay with the form through every correction.
        account=f"{jackpot.slip_id:08}{index + 1:02}",
        reportable_cents=part.reportable_cents,
        federal_cents=part.federal_cents,
        rate_basis_points=rate_of(part, tax_rules(at), paid_on),
        nonresident=part.answer.nonresident,
        state=stored["state"],
        state_cents=part.state_cents,
        payer_number=stored.get("payer_number", ""),
        locality=stored.get("locality", ""),
        local_cents=part.local_cents,
    )
    documents = {
        document.pk: document for document in patron.documents.filter(pk__in=stored["documents"])
    }
    shown = [documents[pk] for pk in stored["documents"]]
    return TaxForm.objects.create(
        jackpot=jackpot,
        papers=papers.slip,
        slip=papers.slip if papers.slip.kind == LATE_TAX else jackpot.slip,
        patron=patron,
        form=form.value,
        issue=FormIssue.ORIGINAL.value,
        account=paid.account,
        tax_year=paid_on.year,
        paid_on=paid_on,
        won_on=paid.won_on,
        withholding=part.answer.withholding.value,
        reportable_cents=paid.reportable_cents,
        federal_cents=paid.federal_cents,
        state=paid.state,
        state_cents=paid.state_cents,
        locality=paid.locality,
        local_cents=paid.local_cents,
        boxes=_BOXES[form](paid, recipient_of(patron)) | _id_words(form, shown, stored["w9"]),
        number_ciphers=tin_cipher(form, patron, paid.account)
        | _id_ciphers(form, shown, paid.account),
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


def _id_words(form: TaxFormName, shown: Sequence[PatronDocument], signs_w9: bool) -> dict[str, str]:
    """Return which IDs a W-2G names in boxes 11 and 12, without their numbers."""
    if form is not TaxFormName.W2G:
        return {}
    words = [
        f"{DocumentKind(patron_document.kind).label} {patron_document.issuer}".strip()
        for patron_document in shown
    ]
    return dict(zip(ID_BOXES, [*words, *["W-9"][:signs_w9]], strict=False))


def _id_ciphers(form: TaxFormName, shown: Sequence[PatronDocument], account: str) -> dict[str, str]:
    if form is not TaxFormName.W2G:
        return {}
    return {
        box: recipher(
            patron_document.number_cipher,
            document_place(patron_document.request_id, "number"),
            number_place(account, box),
        )
        for box, patron_document in zip(ID_BOXES, shown, strict=False)
        if patron_document.number_cipher
    }


def tin_cipher(form: TaxFormName, patron: Patron, account: str) -> dict[str, str]:
    """Return a person's number in the box for its kind, in cipher as the form has it."""
    patron.require_seal()
    if not patron.tax_id_cipher:
        return {}
    box = "13i" if patron.tax_id_kind == TaxIdKind.FOREIGN else "13e"
    box = "9" if form is TaxFormName.W2G else box
    place = tax_id_place(patron.request_id)
    return {box: recipher(patron.tax_id_cipher, place, number_place(account, box))}


def draw_later(forms: Iterable[models.Model]) -> None:
    """Let a worker draw forms once they are stored. A message that is lost a sweep makes good."""
    numbers = [form.pk for form in forms]

    # A function, not a partial: what goes wrong in it is logged by its name.
    def send() -> None:
        for number in numbers:
            current_app.tasks[DRAW].delay(number)

    transaction.on_commit(send, robust=True)
