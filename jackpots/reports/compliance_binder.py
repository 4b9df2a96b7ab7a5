"""The compliance binder: what an examiner asks for of some weeks, each line leading to its paper.

Cases of suspicious activity are not in it: it may lie on a desk, and no one may tell from it that
there is one.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta

from django.db.models import Count, Q
from django.urls import reverse

from inventory.models import CurrencyReport, ExclusionCase, ListCheck, ListVersion
from inventory.reports.instruments import instruments
from inventory.selectors.cash_log import day_sum, entries_of, people_of, whose
from inventory.selectors.exclusion import list_of, source_of, title_of
from jackpots.models import WithheldWin
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
from pitboss.rules.patrons.cash_log import Direction
from pitboss.rules.patrons.exclusion import CaseDecision, Ending, ListKind, Match, Moment
from pitboss.services import house

_CURRENCY = (
    Column("day", "Gaming day", Shape.DAY),
    Column("name", "Name"),
    Column("direction", "Cash", is_minor=True),
    Column("sum", "Sum", Shape.MONEY),
    Column("due", "Due", Shape.DAY),
    Column("filed", "Filed", Shape.DAY),
    Column("bsa_id", "BSA ID", Shape.CODE),
    Column("state", "State"),
)
_MULTIPLE = (
    Column("day", "Gaming day", Shape.DAY),
    Column("people", "People on the log", Shape.COUNT),
    Column("in", "Cash in", Shape.MONEY),
    Column("out", "Cash out", Shape.MONEY),
)
_INSTRUMENTS = (
    Column("count", "Instruments", Shape.COUNT),
    Column("amount", "Amount", Shape.MONEY),
)
_LISTS = (
    Column("at", "Imported", Shape.TIME),
    Column("list", "List"),
    Column("rows", "Rows", Shape.COUNT),
    Column("added", "Added", Shape.COUNT),
    Column("changed", "Changed", Shape.COUNT),
    Column("removed", "Removed", Shape.COUNT),
    Column("slip", "Slip", Shape.CODE),
)
_CHECKS = (
    Column("moment", "Compared at"),
    Column("checks", "Comparisons", Shape.COUNT),
    Column("stopped", "Stopped", Shape.COUNT),
)
_CASES = (
    Column("opened", "Opened", Shape.TIME),
    Column("patron", "Patron"),
    Column("list", "List"),
    Column("match", "Match", is_minor=True),
    Column("moment", "Seen at", is_minor=True),
    Column("decision", "Decided"),
    Column("slip", "Slip", Shape.CODE),
)
_WITHHELD = (
    Column("receipt", "Receipt", Shape.CODE),
    Column("day", "Gaming day", Shape.DAY),
    Column("patron", "Patron"),
    Column("amount", "Withheld", Shape.MONEY),
    Column("outcome", "Outcome"),
    Column("slip", "Slip", Shape.CODE),
)


@report(
    key="compliance-binder",
    title="Compliance binder",
    group=Group.PAPERS,
    says="What an examiner asks for: currency reports, the multiple-transaction log, instruments, "
    "exclusion lists, cases, and withheld winnings.",
    page="exclusion_lists",
    asked=ReportScope(days_max=92, days_before=30),
)
def binder(choice: ReportChoice) -> Report:
    """Return what compliance did in some gaming days, and what is late of it."""
    today = house.period_at(house.now()).gaming_day
    reports = list(
        CurrencyReport.objects.filter(gaming_day__range=(choice.first, choice.last))
        .select_related("patron", "stranger", "closing")
        .order_by("gaming_day", "id")
    )
    return Report(
        (
            Section(
                "Currency reports",
                _CURRENCY,
                tuple(_currency_row(currency_report, today) for currency_report in reports),
                "No one passed the limit in a gaming day.",
            ),
            Section(
                "Multiple-transaction log",
                _MULTIPLE,
                tuple(_days(choice)),
                "No one reached the log’s amount in a gaming day.",
            ),
            _instruments_taken(choice),
            Section("Exclusion lists", _LISTS, tuple(_imports(choice)), "No list was imported."),
            Section("Comparisons", _CHECKS, tuple(_checks(choice)), "No one was compared."),
            Section("Exclusion cases", _CASES, tuple(_cases(choice)), "No case was opened."),
            Section("Withheld winnings", _WITHHELD, tuple(_withheld(choice)), "Nothing."),
        ),
        _finding(reports, today),
    )


def _finding(reports: list[CurrencyReport], today: date) -> Finding:
    """Say whether every currency report of the time was filed by its day."""
    late = sum(_tone(currency_report, today) is Tone.BAD for currency_report in reports)
    waiting = sum(_tone(currency_report, today) is Tone.WAIT for currency_report in reports)
    if late:
        return Finding(Tone.BAD, f"Late: {late} of {len(reports)} currency reports.")
    if waiting:
        return Finding(Tone.WAIT, f"Not filed yet: {waiting} of {len(reports)} currency reports.")
    return Finding(Tone.GOOD, "No currency report is late or waiting.")


def _tone(each: CurrencyReport, today: date) -> Tone:
    closing = getattr(each, "closing", None)
    if closing is None:
        return Tone.BAD if today > each.due_on else Tone.WAIT
    return Tone.BAD if closing.filed_on and closing.filed_on > each.due_on else Tone.PLAIN


def _state(each: CurrencyReport, today: date) -> str:
    closing = getattr(each, "closing", None)
    if closing is not None and closing.filed_on:
        return "Filed late" if closing.filed_on > each.due_on else "Filed"
    if closing is not None:
        return f"Not due: {closing.reason}"
    return "Late" if today > each.due_on else "Not filed yet"


def _currency_row(each: CurrencyReport, today: date) -> Row:
    closing = getattr(each, "closing", None)
    person, direction = whose(each.patron, each.stranger), Direction(each.direction)
    return row_of(
        each.gaming_day,
        person.name,
        direction.label,
        closing.sum_cents if closing else day_sum(person, each.gaming_day, direction),
        each.due_on,
        closing.filed_on if closing else None,
        closing.reference if closing else "",
        _state(each, today),
        tone=_tone(each, today),
        opens=Link(reverse("currency-report", args=[each.pk]), "currency_report"),
    )


def _days(choice: ReportChoice) -> Iterator[Row]:
    for ahead in range((choice.last - choice.first).days + 1):
        day = choice.first + timedelta(days=ahead)
        entries = list(entries_of(day))
        logged = (
            [person for person in people_of(day, entries) if person.is_logged] if entries else []
        )
        if logged:
            yield row_of(
                day,
                len(logged),
                sum(persons_day.in_cents for persons_day in logged),
                sum(persons_day.out_cents for persons_day in logged),
                opens=Link(reverse("cash-multiple", args=[day.isoformat()]), "cash_log"),
            )


def _instruments_taken(choice: ReportChoice) -> Section:
    (listed,) = instruments(choice).sections
    at = [column.key for column in listed.columns].index("amount")
    cents = [row.cells[at].value for row in listed.rows]
    total = sum(item for item in cents if isinstance(item, int))
    row = row_of(len(cents), total, opens=report_link("instruments", "instruments", choice))
    return Section("Instruments", _INSTRUMENTS, (row,) if cents else (), listed.nothing)


def _imports(choice: ReportChoice) -> Iterator[Row]:
    versions = ListVersion.objects.filter(slip__gaming_day__range=(choice.first, choice.last))
    for version in versions.select_related("slip").order_by("id"):
        yield row_of(
            version.imported_at,
            title_of(ListKind(version.list), source_of(version)),
            version.rows_count,
            version.added_count,
            version.changed_count,
            version.removed_count,
            slip_cell(version.slip.serial),
            opens=slip_link(version.slip.serial),
        )


def _checks(choice: ReportChoice) -> Iterator[Row]:
    rows = ListCheck.objects.filter(gaming_day__range=(choice.first, choice.last))
    counted = (
        rows.order_by()
        .values("moment")
        .annotate(checks=Count("pk"), stops=Count("pk", filter=Q(stopped=True)))
    )
    opens = Link(reverse("withheld"), "withheld")
    for item in counted.order_by("moment"):
        yield row_of(
            Moment(item["moment"]).label.capitalize(), item["checks"], item["stops"], opens=opens
        )


def _cases(choice: ReportChoice) -> Iterator[Row]:
    cases = ExclusionCase.objects.filter(gaming_day__range=(choice.first, choice.last))
    for exclusion_case in cases.select_related("patron", "row", "end__slip").order_by("pk"):
        end = getattr(exclusion_case, "end", None)
        yield row_of(
            exclusion_case.opened_at,
            exclusion_case.patron.full_name,
            list_of(exclusion_case.row),
            Match(exclusion_case.match).value.capitalize(),
            Moment(exclusion_case.moment).label.capitalize(),
            CaseDecision(end.decision).value.capitalize() if end else "Open",
            slip_cell(end.slip.serial) if end else Cell(None),
            tone=Tone.PLAIN if end else Tone.WAIT,
        )


def _withheld(choice: ReportChoice) -> Iterator[Row]:
    kept = WithheldWin.objects.filter(gaming_day__range=(choice.first, choice.last))
    for withheld_win in kept.select_related("case__patron", "slip", "end__slip").order_by("pk"):
        end = getattr(withheld_win, "end", None)
        to = f" to {end.to}" if end and end.to else ""
        yield row_of(
            slip_cell(withheld_win.slip.serial),
            withheld_win.gaming_day,
            withheld_win.case.patron.full_name,
            withheld_win.amount_cents,
            f"{Ending(end.ending).label}{to}" if end else "Not decided",
            slip_cell(end.slip.serial) if end else Cell(None),
            tone=Tone.PLAIN if end else Tone.WAIT,
            opens=slip_link(withheld_win.slip.serial),
        )
