"""Hand out a year's tax forms with every number in the clear: under a signature, on record."""

from __future__ import annotations

import hashlib

from jackpots.selectors.tax_register import export_text, forms_of
from jackpots.services.tax_pdfs import numbers_of
from pitboss.rules.refusal import NOT_YOURS, Refusal, Refused
from pitboss.rules.roles import Role
from pitboss.rules.tax.tax import TaxFormName
from pitboss.services import house, journal
from pitboss.services.pins import signed_act
from pitboss.services.signing import Pen

# Who files the year's forms.
MAY_EXPORT = (Role.ACCOUNTING, Role.COMPLIANCE)


def export_forms(*, tax_year: int, kind: TaxFormName, pen: Pen) -> str:
    """Return a year's forms of one kind as CSV, and journal who took them. Raises Refused."""
    with signed_act(
        act="export_tax_forms", badge=pen.badge, pin=pen.pin, device=pen.device
    ) as person:
        now = house.now()
        payer = house.settings_at(now).tax.payer
        forms = list(forms_of(tax_year).filter(form=kind.value))
        refusals = []
        if house.role_in(person, house.period_at(now)) not in MAY_EXPORT:
            refusals.append(
                Refusal(
                    "wrong_role", "Only accounting or compliance can file the forms.", NOT_YOURS
                )
            )
        if not payer.is_known:
            refusals.append(Refusal("payer_missing", "The payer isn’t set up. See House, Tax."))
        if not forms:
            refusals.append(
                Refusal(
                    "nothing_to_export",
                    f"{tax_year} has no {kind.value}. Choose another year or form.",
                )
            )
        if refusals:
            raise Refused(refusals)
        exported = export_text(kind, ((form, numbers_of(form)) for form in forms), payer)
        journal.write(
            chain=journal.CAGE,
            kind="tax_forms_exported",
            body={
                "tax_year": tax_year,
                "form": kind.value,
                "forms": len(forms),
                "hash": hashlib.sha256(exported.encode()).hexdigest(),
            },
            at=now,
            person=person,
            device=pen.device,
        )
        return exported
