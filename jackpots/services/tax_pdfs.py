"""Draw tax forms, keep the drawings in cipher, and hand them out on record.

A worker draws a form once it is stored; a sweep each minute draws what no worker did: its message
was lost, its worker died, or no one had entered who the payer is.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from jackpots.models import TaxForm, TaxPdf
from pitboss.ciphers import Place, decrypt, encrypt
from pitboss.models import Device, Person, Signature
from pitboss.paper.content import PatronHand
from pitboss.paper.tax import TaxSheet, copies_for, draw_tax_form
from pitboss.rules.flows.drawn import DRAWN
from pitboss.rules.refusal import refuse
from pitboss.rules.tax.forms import COPIES, Audience, FormIssue, with_numbers, with_payer
from pitboss.rules.tax.house import Payer
from pitboss.rules.tax.papers import Declaration
from pitboss.rules.tax.tax import TaxFormName
from pitboss.services import house, journal


def undrawn_forms() -> QuerySet[TaxForm]:
    """Return the forms that were not drawn yet, oldest first."""
    return TaxForm.objects.filter(pdfs=None).order_by("pk")


def draw_undrawn() -> int:
    """Draw every form that is not drawn yet, and return how many were."""
    return sum(draw_form(pk) for pk in undrawn_forms().values_list("pk", flat=True))


def draw_form(form_id: int) -> bool:
    """Draw the copies of a form, once, for the payer and for the winner; tell whether it did."""
    now = house.now()
    form = TaxForm.objects.select_related("papers", "slip__table").filter(pk=form_id).first()
    payer = house.settings_at(now).tax.payer
    # A message may outlive the database it was sent about.
    if form is None or not payer.is_known:
        return False
    drawings = {audience: _draw(form, payer, audience) for audience in Audience}
    try:
        with transaction.atomic(durable=True):
            rows = [
                TaxPdf.objects.create(
                    form=form,
                    audience=audience.value,
                    content_cipher=encrypt(drawing, pdf_place(form.pk, audience)),
                    content_hash=hashlib.sha256(drawing).hexdigest(),
                    drawn_at=now,
                )
                for audience, drawing in drawings.items()
            ]
            journal.write(
                chain=journal.CAGE,
                kind="tax_form_drawn",
                body={"form": form.pk, "account": form.account},
                at=now,
                rows=rows,
            )
    except IntegrityError:
        return False  # Another worker has drawn it meanwhile.
    return True


def _draw(form: TaxForm, payer: Payer, audience: Audience) -> bytes:
    kind = TaxFormName(form.form)
    boxes = with_payer(kind, form.boxes, payer)
    signature = _hand_on(form)
    zone = house.the_property().zone
    return draw_tax_form(
        TaxSheet(
            form=kind,
            tax_year=form.tax_year,
            issue=FormIssue(form.issue),
            amendment=form.number,
            account=form.account,
            copies=copies_for(COPIES[kind], audience),
            payer=payer,
            winner=_winner_lines(form.boxes),
            boxes=with_numbers(kind, boxes, numbers_of(form), audience),
            paid_on=form.paid_on,
            declarations=[
                Declaration(declaration).text for declaration in form.papers.details["declarations"]
            ]
            if signature
            else [],
            hand=_hand(signature, form.papers.details["patron_name"]) if signature else None,
            signed_at=signature.signed_at.astimezone(zone) if signature else None,
        )
    )


def _hand_on(form: TaxForm) -> Signature | None:
    """Return what the winner signed; of several, only who was paid has signed."""
    if form.patron_id != form.papers.details["patron"]:
        return None
    return form.papers.signatures.filter(step="winner_signed").first()


def _hand(signature: Signature, name: str) -> PatronHand:
    drawn = signature.facts[DRAWN]
    strokes = tuple(tuple((x, y) for x, y in stroke) for stroke in drawn["strokes"])
    return PatronHand(name, strokes, drawn["matched_with"])


def _winner_lines(boxes: Mapping[str, str]) -> list[str]:
    town = " ".join(filter(None, (boxes["winner_region"], boxes["winner_postal_code"])))
    place = ", ".join(filter(None, (boxes["winner_city"], town, boxes["winner_country"])))
    return [boxes["winner_full_name"], boxes["winner_street"], place]


def numbers_of(form: TaxForm) -> dict[str, str]:
    """Return a person's numbers in the clear, by box. Anyone who asks writes it in the journal."""
    return {
        box: decrypt(cipher, number_place(form.account, box)).decode()
        for box, cipher in form.number_ciphers.items()
    }


def number_place(account: str, box: str) -> Place:
    """Return the place that a number on a form is bound to, through all its corrections."""
    return TaxForm._meta.label, account, box


def pdf_place(form_id: int, audience: Audience) -> Place:
    """Return the place that the copies of a form are bound to."""
    return TaxPdf._meta.label, form_id, audience.value


@transaction.atomic(durable=True)
def read_form(*, form: TaxForm, audience: Audience, person: Person, device: Device | None) -> bytes:
    """Return the copies of a form. Each reading is in the journal before it is given."""
    pdf = TaxPdf.objects.filter(form=form, audience=audience.value).first()
    if pdf is None:
        raise refuse("not_drawn_yet", "The form is being drawn. Open it again in a minute.")
    journal.write(
        chain=journal.CAGE,
        kind="tax_form_read",
        body={"form": form.pk, "account": form.account, "copies": audience.value},
        at=house.now(),
        person=person,
        device=device,
    )
    return decrypt(pdf.content_cipher, pdf_place(form.pk, audience))
