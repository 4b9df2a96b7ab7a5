"""Serials and voids: every number accounted for, and every void with its two signers."""

from __future__ import annotations

from django.urls import reverse

from pitboss.models import Slip
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
    newest_of,
    report_link,
    row_of,
    slip_cell,
    slip_link,
)
from pitboss.rules.flows.flows import SlipStatus, Track
from pitboss.services.numbering import SlipNumber
from tables.services.serials import SeriesLine, serial_report

KEY, PAGE = "serials", "serials"
ROWS_MAX = 1_000
# What a number of a series is opened for.
USED, VOID, MISSING, EXPLAINED, ODD = "used", "void", "missing", "explained", "odd"
_USED_AS = frozenset({USED, VOID})

_SERIES = (
    Column("series", "Series", Shape.CODE),
    Column("papers", "Slips", is_minor=True),
    Column("first", "First", Shape.COUNT),
    Column("last", "Last", Shape.COUNT),
    Column("used", "Used", Shape.COUNT),
    Column("void", "Void", Shape.COUNT),
    Column("missing", "Missing", Shape.COUNT),
    Column("explained", "Explained", Shape.COUNT, is_minor=True),
    Column("odd", "Twice or never given", Shape.COUNT, is_minor=True),
)
_MISSING = (
    Column("number", "Number", Shape.CODE),
    Column("why", "Why"),
    Column("explained_by", "Explained by"),
    Column("at", "When", Shape.TIME),
)
_VOIDS = (
    Column("slip", "Slip", Shape.CODE),
    Column("what", "What"),
    Column("table", "Table"),
    Column("amount", "Amount", Shape.MONEY, is_minor=True),
    Column("reason", "Reason"),
    Column("signed_by", "Signed by"),
    Column("minutes", "Minutes to void", Shape.MINUTES, is_minor=True),
)
_USED = (
    Column("slip", "Slip", Shape.CODE),
    Column("what", "What"),
    Column("table", "Table"),
    Column("gaming_day", "Gaming day", Shape.DAY),
    Column("amount", "Amount", Shape.MONEY),
    Column("state", "State"),
)


@report(
    key=KEY,
    title="Serials and voids",
    group=Group.PAPERS,
    says="First and last number of each series, what is void or missing, and who said why.",
    page=PAGE,
    asked=ReportScope(days_max=366),
)
def serials(choice: ReportChoice) -> Report:
    """Return the series of the year, and the voids of some days; or what one number is made of."""
    series, _, what = choice.of.partition(" ")
    if series and what in _USED_AS:
        return Report((_used(choice, series, what),))
    lines = serial_report(choice.last.year)
    if series:
        own = [line for line in lines if line.series == series]
        return Report(tuple(_numbers(line, what) for line in own))
    unexplained = sum(len(line.unexplained) for line in lines)
    voids = _voids(choice)
    return Report(
        (
            Section(
                f"Series of {choice.last.year}",
                _SERIES,
                tuple(_series(line, choice) for line in lines),
                "No number was given this year.",
            ),
            Section(
                "Missing numbers",
                _MISSING,
                tuple(row for line in lines for row in _missing(line)),
                "No number is missing.",
            ),
            Section("Voids", _VOIDS, tuple(_void(slip) for slip in voids), "Nothing was voided."),
        ),
        finding=Finding(Tone.BAD, f"Numbers missing: {unexplained}. No explanation yet.")
        if unexplained
        else Finding(Tone.GOOD, f"Every number of {choice.last.year} is accounted for."),
        chart=Chart(
            "Void by series",
            Shape.COUNT,
            tuple(
                Bar(line.series, line.void, link=_opened(line, VOID, choice))
                for line in lines
                if line.void
            ),
        ),
        formulas=(
            "Series are those of the whole year of the last day; voids are those of slips of the "
            "days asked for. Minutes to void: from raising the slip to the second signature.",
        ),
    )


def _opened(line: SeriesLine, what: str, choice: ReportChoice) -> Link:
    return report_link(KEY, PAGE, choice, of=f"{line.series} {what}")


def _series(line: SeriesLine, choice: ReportChoice) -> Row:
    return row_of(
        f"{line.series}-{line.year}",
        line.titles,
        Cell(line.first, _borne(line, line.first)),
        Cell(line.last, _borne(line, line.last)),
        Cell(line.used, _opened(line, USED, choice)),
        Cell(line.void, _opened(line, VOID, choice)),
        Cell(len(line.missing), _opened(line, MISSING, choice)),
        Cell(len(line.missing) - len(line.unexplained), _opened(line, EXPLAINED, choice)),
        Cell(len(line.duplicate), _opened(line, ODD, choice)),
        tone=Tone.BAD if line.unexplained or line.duplicate else Tone.PLAIN,
    )


def _borne(line: SeriesLine, number: int | None) -> Link | None:
    """Return the slip that bears a number of a series."""
    return slip_link(str(SlipNumber(line.series, line.year, number))) if number else None


def _numbers(line: SeriesLine, what: str) -> Section:
    """Return the numbers of one series that are missing, explained, or borne as none should be."""
    title = f"{line.series}-{line.year}: {what}"
    if what == ODD:
        rows = tuple(row_of(slip_cell(str(number))) for number in line.duplicate)
        return Section(title, _MISSING[:1], rows, "No number.")
    rows = tuple(
        row
        for number, row in zip(line.missing, _missing(line), strict=True)
        if what == MISSING or number.number in line.explanations
    )
    return Section(title, _MISSING, rows, "No number.")


def _missing(line: SeriesLine) -> list[Row]:
    rows = []
    for number in line.missing:
        explained = line.explanations.get(number.number)
        url = reverse("serial-explain", args=[number.series, number.year, number.number])
        rows.append(
            row_of(
                Cell(str(number), None if explained else Link(url, "serials")),
                explained.reason if explained else "No explanation yet.",
                str(explained.explained_by) if explained else None,
                explained.explained_at if explained else None,
                tone=Tone.PLAIN if explained else Tone.BAD,
            )
        )
    return rows


def _voids(choice: ReportChoice) -> list[Slip]:
    return list(
        Slip.objects.filter(
            gaming_day__range=(choice.first, choice.last), status=SlipStatus.VOIDED.value
        )
        .select_related("table")
        .prefetch_related("signatures")
        .order_by("-id")
    )


def _void(slip: Slip) -> Row:
    signed = [
        signature for signature in slip.signatures.all() if signature.track == Track.VOID.value
    ]
    return row_of(
        slip_cell(slip.serial),
        slip.title,
        str(slip.table or ""),
        slip.total_cents,
        signed[0].reason,
        ", ".join(signature.signed_as for signature in signed),
        int((signed[-1].signed_at - slip.raised_at).total_seconds()),
        opens=slip_link(slip.serial),
    )


def _used(choice: ReportChoice, series: str, what: str) -> Section:
    """Return the slips of one series of the year, the newest first."""
    slips = Slip.objects.filter(series=series, year=choice.last.year)
    if what == VOID:
        slips = slips.filter(status=SlipStatus.VOIDED.value)
    rows = [
        row_of(
            slip_cell(slip.serial),
            slip.title,
            str(slip.table or ""),
            slip.gaming_day,
            slip.total_cents,
            slip.get_status_display(),
            opens=slip_link(slip.serial),
        )
        for slip in slips.select_related("table").order_by("-number")[:ROWS_MAX]
    ]
    found = len(rows) if len(rows) < ROWS_MAX else slips.count()
    title = newest_of(f"{series}-{choice.last.year}: {what}", len(rows), found)
    return Section(title, _USED, tuple(rows), "No slip.")
