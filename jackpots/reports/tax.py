"""Tax: the forms that went out, what was withheld, and what is still owed on hits."""

from __future__ import annotations

from collections.abc import Sequence

from django.urls import reverse

from inventory.selectors.deposits import bank_holidays
from jackpots.models import TaxForm
from jackpots.selectors.jackpots import HitShown, open_hits
from jackpots.selectors.tax_register import totals_of
from pitboss.reports.book import Group, report
from pitboss.reports.report import (
    Cell,
    Column,
    Finding,
    Link,
    Report,
    ReportChoice,
    ReportScope,
    Row,
    Section,
    Shape,
    Tone,
    report_link,
    row_of,
    slip_cell,
    slip_link,
)
from pitboss.rules.tax.deposits import RETURNS, Withheld, deposits
from pitboss.rules.tax.forms import FormIssue
from pitboss.rules.tax.tax import TaxFormName
from pitboss.services import house

KEY, PAGE = "tax-forms", "tax_register"

_FORMS = (
    Column("form", "Form"),
    Column("account", "Account", Shape.CODE),
    Column("issue", "Issue", is_minor=True),
    Column("winner", "Winner"),
    Column("number", "Number", Shape.CODE, is_minor=True),
    Column("paid", "Paid on", Shape.DAY),
    Column("slip", "Slip", Shape.CODE, is_minor=True),
    Column("winnings", "Winnings", Shape.MONEY),
    Column("federal", "Federal", Shape.MONEY),
    Column("state", "State", Shape.MONEY),
    Column("local", "Local", Shape.MONEY, is_minor=True),
)
_TOTALS = (
    Column("form", "Form"),
    Column("forms", "Forms", Shape.COUNT),
    Column("winnings", "Winnings", Shape.MONEY),
    Column("federal", "Federal", Shape.MONEY),
    Column("state", "State", Shape.MONEY),
    Column("local", "Local", Shape.MONEY, is_minor=True),
    Column("paid_over", "Paid over with", is_minor=True),
)
_DEPOSITS = (
    Column("return", "Return"),
    Column("from", "Withheld from", Shape.DAY),
    Column("to", "to", Shape.DAY),
    Column("withheld", "Withheld", Shape.MONEY),
    Column("due", "Deposit by", Shape.DAY),
)
_FORM_OF = {name: form.value for form, name in RETURNS.items()}
_OWED = (
    Column("slip", "Slip", Shape.CODE),
    Column("table", "Table"),
    Column("stands", "Stands"),
    Column("papers", "Tax forms", is_minor=True),
    Column("award", "Award", Shape.MONEY),
)


@report(
    key=KEY,
    title="Tax forms and liability",
    group=Group.PLAY,
    says="Every form issued in the period, what was withheld, and hits that are not paid.",
    page=PAGE,
    asked=ReportScope(days_max=366, days_before=30),
)
def tax(choice: ReportChoice) -> Report:
    """Return the forms of some gaming days, corrected and void ones beside what they replace."""
    issued = list(
        TaxForm.objects.filter(gaming_day__range=(choice.first, choice.last))
        .select_related("slip")
        .order_by("pk")
    )
    replaced = {form.replaces_id for form in issued}
    standing = [form for form in issued if form.pk not in replaced]
    if choice.of:
        own = [form for form in standing if form.form == choice.of and form.issue != FormIssue.VOID]
        return Report((Section(f"{choice.of}, newest version", _FORMS, tuple(map(_form, own))),))
    owed = open_hits()
    waiting = [hit for hit in owed if hit.papers is not None and not hit.papers.are_complete]
    return Report(
        (
            Section("Forms", _FORMS, tuple(map(_form, issued)), "No form was issued."),
            Section(
                "Withheld, owed to the agency",
                _TOTALS,
                tuple(
                    row_of(
                        total.form,
                        total.count,
                        total.reportable_cents,
                        total.federal_cents,
                        total.state_cents,
                        total.local_cents,
                        total.paid_over_on,
                        opens=report_link(KEY, PAGE, choice, of=total.form),
                    )
                    for total in totals_of(standing)
                ),
                "Nothing was withheld.",
            ),
            _deposits(standing, choice),
            Section("Not paid yet, now", _OWED, tuple(map(_owed, owed)), "Nothing is owed."),
        ),
        Finding(Tone.WAIT, f"Forms are due on {', '.join(hit.slip.serial for hit in waiting)}.")
        if waiting
        else None,
        formulas=(
            "Each form counts once, in its newest version. A void form doesn’t "
            "count. Only the end of a taxpayer number is shown.",
        ),
    )


def _deposits(forms: Sequence[TaxForm], choice: ReportChoice) -> Section:
    """Return the calendar of deposits on Forms 945 and 1042, by what was withheld."""
    holidays = frozenset(bank_holidays(house.now()))
    withheld = [
        Withheld(TaxFormName(form.form), form.paid_on, form.federal_cents)
        for form in forms
        if form.issue != FormIssue.VOID.value
    ]
    rows = [
        row_of(
            deposit.return_name,
            deposit.first,
            deposit.last,
            deposit.cents,
            deposit.due,
            opens=report_link(KEY, PAGE, choice, of=_FORM_OF[deposit.return_name]),
        )
        for deposit in deposits(withheld, holidays)
    ]
    return Section("Deposits", _DEPOSITS, tuple(rows), "Nothing to deposit.")


def _form(form: TaxForm) -> Row:
    link = Link(reverse("tax-form", args=[form.pk]), "tax_form")
    return row_of(
        form.form,
        Cell(form.account, link),
        form.issue,
        form.boxes["winner_full_name"],
        form.masked_tin or "none",
        form.paid_on,
        slip_cell(form.slip.serial),
        form.reportable_cents,
        form.federal_cents,
        form.state_cents,
        form.local_cents,
        tone=Tone.PLAIN if form.issue == FormIssue.ORIGINAL.value else Tone.WAIT,
        opens=link,
    )


def _owed(hit: HitShown) -> Row:
    papers = hit.papers
    words = "none owed" if papers is None else "complete" if papers.are_complete else "due"
    return row_of(
        slip_cell(hit.slip.serial),
        str(hit.slip.table),
        hit.state,
        words,
        hit.figure.award_cents,
        opens=slip_link(hit.slip.serial),
    )
