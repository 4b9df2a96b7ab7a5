"""The floor log on paper: every nod, incident and instruction of a shift, in the order of time."""

from __future__ import annotations

from django.urls import reverse

from pitboss.models import Table
from pitboss.reports.book import Group, report
from pitboss.reports.report import (
    Cell,
    Column,
    Link,
    Report,
    ReportChoice,
    ReportScope,
    Row,
    Section,
    Shape,
    Tone,
)
from pitboss.rules.cheques.cheques import format_cheques
from pitboss.rules.floor.fields import cheques_of
from pitboss.rules.floor.log import LogOutcome
from tables.models import FloorEntry
from tables.selectors.floor_log import (
    LogScope,
    entries_in,
    how_of,
    requests_unanswered,
    requests_withdrawn,
)

KEY, PAGE = "floor", "floor_log"
# As long as a gaming day lasts, the busiest floor writes some thousand lines.
DAYS_MAX = 7
_COLUMNS = (
    Column("at", "Time", Shape.TIME),
    Column("table", "Table", Shape.CODE),
    Column("what", "What"),
    Column("sent", "Sent", is_minor=True),
    Column("said", "Said"),
    Column("by", "By"),
    Column("how", "How", is_minor=True),
)
_WAITING = (
    Column("at", "Asked", Shape.TIME),
    Column("table", "Table", Shape.CODE),
    Column("what", "What"),
)
_WITHDRAWN = (
    *_WAITING,
    Column("until", "Withdrawn", Shape.TIME),
    Column("by", "By"),
)


@report(
    key=KEY,
    title="Floor log",
    group=Group.PLAY,
    says="What supervisors approved, declined and noted, and what terminals asked "
    "for that no one answered.",
    page=PAGE,
    asked=ReportScope(days_max=DAYS_MAX, shift=True, pit=True),
)
def floor_log(choice: ReportChoice) -> Report:
    """Return the lines of the log, of one table where it is named."""
    scope = LogScope(
        choice.first,
        choice.last,
        choice.shift or "",
        choice.pit,
        Table.objects.filter(name=choice.of).first() if choice.of else None,
    )
    entries = list(entries_in(scope))
    declined = sum(entry.outcome == LogOutcome.DECLINED for entry in entries)
    asked = sum(entry.answers_id is not None for entry in entries)
    words = f"{len(entries)} lines, {asked} asked from a table, {declined} declined"
    return Report(
        sections=(
            Section(words, _COLUMNS, tuple(_row(entry) for entry in entries)),
            Section(
                "Requested, never answered",
                _WAITING,
                tuple(
                    Row(
                        (
                            Cell(floor_request.at),
                            Cell(floor_request.table.name),
                            Cell(floor_request.sentence),
                        )
                    )
                    for floor_request in requests_unanswered(scope)
                ),
            ),
            Section(
                "Asked and withdrawn",
                _WITHDRAWN,
                tuple(
                    Row(
                        (
                            Cell(floor_request.at),
                            Cell(floor_request.table.name),
                            Cell(floor_request.sentence),
                            Cell(floor_request.withdrawal.at),
                            Cell(str(floor_request.withdrawal.by)),
                        )
                    )
                    for floor_request in requests_withdrawn(scope)
                ),
            ),
        ),
    )


def _row(entry: FloorEntry) -> Row:
    sentence = f"{entry.outcome}: {entry.reason}" if entry.reason else entry.outcome
    patron = f" Patron: {entry.patron}." if entry.patron else ""
    return Row(
        (
            Cell(entry.at),
            Cell(entry.table.name, Link(reverse("table", args=[entry.table.name]), "table")),
            Cell(f"{entry.sentence}{patron}"),
            Cell(format_cheques(cheques_of(entry.sends)) if entry.sends else ""),
            Cell(sentence),
            Cell(entry.signed_as),
            Cell(how_of(entry)),
        ),
        tone=Tone.BAD if entry.outcome == LogOutcome.DECLINED else Tone.PLAIN,
    )
