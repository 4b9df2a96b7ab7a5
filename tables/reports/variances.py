"""Variances: every tray that did not hold what it was closed on, and who was told when."""

from __future__ import annotations

from django.urls import reverse

from pitboss.reports.book import Group, report
from pitboss.reports.report import (
    Bar,
    Cell,
    Chart,
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
    row_of,
    slip_cell,
    slip_link,
)
from pitboss.rules.cheques.cheques import total_cents
from tables.selectors.variances import Pair, pairs_between

BARS_MAX = 20

_FOUND = (
    Column("table", "Table"),
    Column("count", "Count", Shape.CODE),
    Column("made_from", "Made from", Shape.CODE, is_minor=True),
    Column("gaming_day", "Gaming day", Shape.DAY),
    Column("shift", "Shift", is_minor=True),
    Column("expected", "Expected", Shape.MONEY),
    Column("counted", "Counted", Shape.MONEY),
    Column("variance", "Variance", Shape.CHANGE),
    Column("told", "Notified"),
    Column("regulator", "Regulator", is_minor=True),
    Column("state", "State"),
)
_COUNTS = (
    Column("table", "Table"),
    Column("count", "Count", Shape.CODE),
    Column("made_from", "Made from", Shape.CODE),
    Column("gaming_day", "Gaming day", Shape.DAY),
    Column("moved", "Moved since", Shape.CHANGE),
    Column("counted", "Counted", Shape.MONEY),
    Column("variance", "Variance", Shape.CHANGE),
)


@report(
    key="variances",
    title="Variances",
    group=Group.PAPERS,
    says="Openers and recounts against the closer before them, and who was notified when.",
    page="variances",
    asked=ReportScope(days_before=6, shift=True, pit=True),
)
def variances(choice: ReportChoice) -> Report:
    """Return what openers and recounts of some gaming days found."""
    pairs = [
        pair
        for pair in pairs_between(choice.first, choice.last)
        if choice.shift in (None, pair.slip.shift)
        and (choice.pit is None or (pair.slip.table and pair.slip.table.pit == choice.pit))
    ]
    found = [pair for pair in pairs if pair.variance is not None]
    opened = sum(pair.is_open for pair in found)
    return Report(
        (
            Section("Found", _FOUND, tuple(_found(pair) for pair in found), "No tray differed."),
            Section(
                "Every count of a locked tray",
                _COUNTS,
                tuple(_count(pair) for pair in pairs),
                "No table was opened or recounted.",
            ),
        ),
        finding=Finding(Tone.BAD, f"Variances not closed: {opened} of {len(found)}.")
        if opened
        else Finding(Tone.GOOD, f"Variances found: {len(found)}, none of them open."),
        chart=Chart(
            "Over and short",
            Shape.CHANGE,
            tuple(
                Bar(
                    f"{pair.slip.table} {pair.slip.serial}",
                    pair.variance_cents,
                    tone=Tone.BAD if pair.is_open else Tone.PLAIN,
                    link=slip_link(pair.slip.serial),
                    says="open" if pair.is_open else "",
                )
                for pair in found[:BARS_MAX]
            ),
        ),
        formulas=(
            "Variance: counted less expected. Expected: the closer before it, with the "
            "fills, credits, and late paper slips since. It isn’t part of win.",
        ),
    )


def _found(pair: Pair) -> Row:
    told = [
        f"{called.role} {called.signed_as or 'has not signed'}: {called.words}".rstrip(": ")
        for called in pair.called
    ]
    notice = None
    if pair.notice:
        notice = pair.notice.resolution or "Not notified yet."
    link = Link(reverse("variances"), "variances")
    return row_of(
        str(pair.slip.table),
        slip_cell(pair.slip.serial),
        slip_cell(pair.slip.refers_to.serial if pair.slip.refers_to else None),
        pair.slip.gaming_day,
        pair.slip.shift,
        total_cents(pair.expected),
        pair.slip.total_cents,
        Cell(pair.variance_cents, link),
        "; ".join(told),
        notice,
        pair.state,
        tone=Tone.BAD if pair.is_open else Tone.PLAIN,
        opens=slip_link(pair.slip.serial),
    )


def _count(pair: Pair) -> Row:
    return row_of(
        str(pair.slip.table),
        slip_cell(pair.slip.serial),
        slip_cell(pair.slip.refers_to.serial if pair.slip.refers_to else None),
        pair.slip.gaming_day,
        pair.moved_cents,
        pair.slip.total_cents,
        pair.variance_cents,
        opens=slip_link(pair.slip.serial),
    )
