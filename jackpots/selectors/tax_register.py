"""The year's tax forms: the register, its totals, what is due when, and the export."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from django.db.models import Exists, OuterRef, QuerySet

from jackpots.models import TaxForm
from pitboss.rules.tax.deposits import RETURNS
from pitboss.rules.tax.forms import (
    WAGER_CODE,
    Audience,
    FormIssue,
    export_head,
    export_row,
    with_numbers,
    with_payer,
)
from pitboss.rules.tax.house import Payer
from pitboss.rules.tax.tax import TaxFormName, due_dates


def forms_of(tax_year: int) -> QuerySet[TaxForm]:
    """Return the forms of a year that stand: the newest of each, void ones too."""
    later = TaxForm.objects.filter(replaces=OuterRef("pk"))
    return (
        TaxForm.objects.filter(tax_year=tax_year)
        .exclude(Exists(later))
        .select_related("jackpot__slip__table", "slip", "papers")
        .order_by("paid_on", "account")
    )


def years() -> list[int]:
    """Return the years that have forms, newest first."""
    found = TaxForm.objects.order_by("-tax_year").values_list("tax_year", flat=True).distinct()
    return list(found)


@dataclass(frozen=True, slots=True)
class Total:
    """What a kind of form comes to in a year, without those that are void."""

    form: str
    count: int
    reportable_cents: int
    federal_cents: int
    state_cents: int
    local_cents: int
    # The return on which the withheld tax is paid over.
    paid_over_on: str


def totals_of(forms: Iterable[TaxForm]) -> list[Total]:
    """Return what the forms of a year come to, one line a kind."""
    standing = [form for form in forms if form.issue != FormIssue.VOID.value]
    return [
        Total(
            kind.value,
            len(own),
            sum(form.reportable_cents for form in own),
            sum(form.federal_cents for form in own),
            sum(form.state_cents for form in own),
            sum(form.local_cents for form in own),
            RETURNS[kind],
        )
        for kind in TaxFormName
        if (own := [form for form in standing if form.form == kind.value])
    ]


@dataclass(frozen=True, slots=True)
class FormsDue:
    """A day by which something of a year's forms is done."""

    what: str
    on: date
    is_past: bool


def dues_of(tax_year: int, today: date) -> list[FormsDue]:
    """Return what is due for a year's forms, the first day first."""
    dates = due_dates(tax_year)
    found = (
        ("W-2G to winners", dates.winner_copies),
        ("W-2G filed on paper", dates.irs_paper),
        ("1042-S to recipients and filed", dates.form_1042s),
        ("W-2G filed electronically", dates.irs_electronic),
    )
    return [FormsDue(what, on, on < today) for what, on in sorted(found, key=lambda pair: pair[1])]


def chain_of(form: TaxForm) -> QuerySet[TaxForm]:
    """Return every form that ever stood under one account number, the first first."""
    return TaxForm.objects.filter(account=form.account).select_related("slip").order_by("number")


def export_text(
    kind: TaxFormName, forms: Iterable[tuple[TaxForm, dict[str, str]]], payer: Payer
) -> str:
    """Return a year's forms of one kind as CSV. Each comes with its numbers in the clear."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\r\n")
    writer.writerow(export_head(kind))
    for form, numbers in forms:
        boxes = with_numbers(kind, with_payer(kind, form.boxes, payer), numbers, Audience.PAYER)
        writer.writerow(export_row(kind, boxes | _facts(form, payer)))
    return file.getvalue()


def _facts(form: TaxForm, payer: Payer) -> dict[str, str]:
    names = ("tin", "name", "street", "city", "region", "postal_code", "phone")
    return {
        "tax_year": str(form.tax_year),
        "form": form.form,
        "account": form.account,
        "corrected": "X" if form.issue == FormIssue.CORRECTED.value else "",
        "void": "X" if form.issue == FormIssue.VOID.value else "",
        "number": str(form.number),
        "paid_on": form.paid_on.isoformat(),
        "wager_code": WAGER_CODE,
        **{f"payer_{name}": getattr(payer, name) for name in names},
    }
