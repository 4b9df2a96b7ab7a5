"""Estimated win by hour and by table, with what it rests on, beside the final figure."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime

from django.utils import timezone

from pitboss.models import Table
from pitboss.reports.book import Group, report
from pitboss.reports.report import (
    Bar,
    Chart,
    Column,
    Finding,
    Report,
    ReportChoice,
    ReportScope,
    Row,
    Section,
    Shape,
    Tone,
    report_link,
    row_of,
)
from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.day.gaming_day import Period
from pitboss.rules.day.hold import hold_basis_points
from pitboss.rules.day.win_estimate import EstimateBasis
from pitboss.services import house
from tables.reports.game_papers import table_win_link
from tables.reports.win import tables_report
from tables.selectors.shift_numbers import ShiftNumbers, shift_numbers

KEY, PAGE = "win-by-hour", "shift"
_HOURS = (
    Column("hour", "From", Shape.TIME),
    Column("win", "Estimated win", Shape.CHANGE),
    Column("drop", "Estimated drop", Shape.MONEY),
    Column("hold_to_date", "Hold to date", Shape.PERCENT),
    Column("expected", "Expected", Shape.PERCENT, is_minor=True),
    Column("low", "Band from", Shape.PERCENT, is_minor=True),
    Column("high", "Band to", Shape.PERCENT, is_minor=True),
)
_TABLES = (
    Column("table", "Table"),
    Column("game_pit", "Pit", is_minor=True),
    Column("win", "Estimated win", Shape.CHANGE),
    Column("final_win", "Final win", Shape.CHANGE),
    Column("drop", "Estimated drop", Shape.MONEY),
    Column("hold", "Hold", Shape.PERCENT),
    Column("basis", "Rests on"),
)
BASES = {
    EstimateBasis.COUNTED: "counts and an estimated drop",
    EstimateBasis.REPORTED: "reported rounds",
    EstimateBasis.EXPECTED: "usual hold",
    EstimateBasis.UNKNOWN: "not known",
}
_FORMULAS = (
    "Between two counts: win = tray at the end − tray at the start − fills + credits + markers "
    "issued − markers paid in cheques + cash bought in. The cash is what the supervisor estimated "
    "for the shift, or the logged buy-ins where those are more.",
    "Without an estimate of the cash, and after the last count: the result of reported rounds. "
    "Without reported rounds: expected hold × drop, where the drop is the logged buy-ins and "
    "markers, or what the counts imply at that hold.",
    "By hour: reported rounds and payouts count when they happened; the rest of a stretch is "
    "spread evenly over it. The hours add up to the whole.",
    "Error: 1.96 · √Σvariance. Of counts: (how far past estimates of the drop were off, over the "
    "drop)² × cash². Of usual hold: v × drop, as in the statistics report.",
    "Final win comes from counted and posted boxes and is never mixed with the estimate.",
)


@report(
    key=KEY,
    title="Estimated win by hour",
    group=Group.GAMES,
    says="What each hour and each table won so far, what that rests on, and the final figure.",
    page=PAGE,
    asked=ReportScope(days_max=1, shift=True, pit=True),
)
def win_by_hour(choice: ReportChoice) -> Report:
    """Return what a gaming day, or one shift of it, won by estimate. Queries grow with no table."""
    tables = Table.objects.select_related("pit").order_by("pit__name", "name")
    every = list(tables.filter(pit=choice.pit) if choice.pit else tables)
    since, until = span_of(choice.last, choice.shift)
    here, now = house.the_property(), house.now()
    clock, in_force = here.clock_at(since), here.settings_at(now)
    numbers = shift_numbers(every, clock, in_force, choice.last, since, min(now, until))
    finals = {
        table_win.table.pk: table_win.final_cents
        for table_win in tables_report(every, choice.last, choice.shift)
    }
    by_table = tuple(
        row_of(
            table.table.name,
            table.table.pit.name,
            table.win_cents if table.basis is not EstimateBasis.UNKNOWN else None,
            finals[table.table.pk],
            table.drop_cents,
            hold_basis_points(table.win_cents, table.drop_cents)
            if table.basis is not EstimateBasis.UNKNOWN
            else None,
            BASES[table.basis],
            opens=table_win_link(table.table.name, choice.last.isoformat(), choice.shift),
            tone=Tone.WAIT if table.basis is EstimateBasis.UNKNOWN else Tone.PLAIN,
        )
        for table in numbers.tables
        if table.basis is not None
    )
    own = report_link(KEY, PAGE, choice)
    bars = tuple(
        Bar(f"{timezone.localtime(hour.began):%H:%M}", hour.win_cents, link=own)
        for hour in numbers.hours
    )
    return Report(
        (
            Section("By hour", _HOURS, tuple(_hours(numbers, choice)), "No hour has begun."),
            Section("By table", _TABLES, by_table, "No table was open."),
        ),
        _finding(numbers),
        Chart("Estimated win by hour", Shape.CHANGE, bars),
        _FORMULAS,
    )


def span_of(day: date, shift: str | None) -> tuple[datetime, datetime]:
    """Return from when to when a gaming day, or a shift of it, is."""
    since, until = house.day_span(day)
    if shift is None:
        return since, until
    when: Period = house.period_at(since)
    while when.shift != shift and when.ends < until:
        when = house.period_at(when.ends)
    return when.began, when.ends


def _hours(numbers: ShiftNumbers, choice: ReportChoice) -> Iterator[Row]:
    own = report_link(KEY, PAGE, choice)
    for hour, at in zip(numbers.hours, numbers.holds, strict=True):
        band = at.band
        yield row_of(
            hour.began,
            hour.win_cents,
            hour.drop_cents,
            at.hold,
            band.expected if band else None,
            band.low if band else None,
            band.high if band else None,
            opens=own,
        )


def error_words(numbers: ShiftNumbers) -> str:
    """Say by how much the estimate may be off, and for how many tables no one can say."""
    error = numbers.error
    sentence = f"±{format_money(error.cents // 100 * 100)}, 19 times in 20" if error.known else ""
    if error.unknown:
        tables = "1 table" if error.unknown == 1 else f"{error.unknown} tables"
        return f"{sentence}; not known for {tables}" if sentence else f"not known for {tables}"
    return sentence or "none"


def _finding(numbers: ShiftNumbers) -> Finding | None:
    if not numbers.played:
        return None
    words = (
        f"Estimate of {numbers.known} of {numbers.played} tables. Error: {error_words(numbers)}."
    )
    return Finding(Tone.WAIT, words)
