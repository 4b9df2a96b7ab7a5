"""A report as data: sections of columns and rows, a chart, and what each number is made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum, unique
from urllib.parse import urlencode

from django.urls import reverse

from pitboss.models import Pit
from pitboss.rules.roles import Role

Value = str | int | date | datetime | None


@unique
class Shape(StrEnum):
    """How a column's values are written. Numbers stand at the right of their column."""

    WORDS = "words"
    # A number of a slip, a badge, a code: letters of one width.
    CODE = "code"
    DAY = "day"
    TIME = "time"
    COUNT = "count"
    # Cents.
    MONEY = "money"
    # Cents, with a sign: what was won or lost, over or short.
    CHANGE = "change"
    # Hundredths of a percent.
    PERCENT = "percent"
    # Seconds, shown in minutes.
    MINUTES = "minutes"

    @property
    def is_number(self) -> bool:
        return self not in (Shape.WORDS, Shape.CODE, Shape.DAY, Shape.TIME)


@unique
class Tone(StrEnum):
    """What a row or a bar says at a glance; its words say the same."""

    PLAIN = ""
    GOOD = "good"
    WAIT = "wait"
    BAD = "bad"


@dataclass(frozen=True, slots=True)
class Link:
    """Where a number opens, and the page of `pitboss.access` that it leads to."""

    url: str
    page: str
    # The slip that it leads to, which not every reader of a report reads.
    serial: str | None = None


@dataclass(frozen=True, slots=True)
class Cell:
    """One value, and what it is made of."""

    value: Value
    link: Link | None = None


@dataclass(frozen=True, slots=True)
class Column:
    """One column: `key` heads it in a file, `title` on a screen and on paper."""

    key: str
    title: str
    shape: Shape = Shape.WORDS
    # Left out on a narrow screen, never on paper or in a file.
    is_minor: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """One row: a cell for each column."""

    cells: tuple[Cell, ...]
    tone: Tone = Tone.PLAIN


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar of a chart, from nothing to its value; with a band, the range that was expected."""

    label: str
    value: int
    low: int | None = None
    high: int | None = None
    tone: Tone = Tone.PLAIN
    link: Link | None = None
    # What its tone and its band say to the eye, in words.
    says: str = ""


@dataclass(frozen=True, slots=True)
class Chart:
    """Bars under one another, each with its label and its value in words."""

    title: str
    shape: Shape
    bars: tuple[Bar, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """One table of a report."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    # Said where there is no row.
    nothing: str = "Nothing in this time."
    sums: Row | None = None

    def __post_init__(self) -> None:
        for row in (*self.rows, *([self.sums] if self.sums else ())):
            assert len(row.cells) == len(self.columns), f"{self.title}: a cell a column"


@dataclass(frozen=True, slots=True)
class Finding:
    """What a report comes to, in one sentence."""

    tone: Tone
    words: str


@dataclass(frozen=True, slots=True)
class Report:
    """What a report says of a time and a place."""

    sections: tuple[Section, ...]
    finding: Finding | None = None
    chart: Chart | None = None
    # How its figures are made, as an auditor would work them out by hand.
    formulas: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ReportChoice:
    """What someone asked a report for; all of it stands in the address."""

    first: date
    last: date
    shift: str | None = None
    pit: Pit | None = None
    # How rows are put together, where a report knows several ways.
    by: str = ""
    # What a number was made of is asked for by its name.
    of: str = ""
    # Who reads it; none where a report is made for the record. No part of the address.
    reader: Role | None = None

    @property
    def is_one_day(self) -> bool:
        return self.first == self.last

    def query(self, **instead: str) -> str:
        """Return the choice as an address says it, with some of it otherwise."""
        fields = {
            "from": self.first.isoformat(),
            "to": self.last.isoformat(),
            "shift": self.shift or "",
            "pit": str(self.pit.pk) if self.pit else "",
            "by": self.by,
            "of": self.of,
            **instead,
        }
        return urlencode({name: value for name, value in fields.items() if value})


@dataclass(frozen=True, slots=True)
class ReportScope:
    """Which parts of a choice a report heeds, and how much time it takes at most."""

    days_max: int = 92
    # Days before the last one that it begins with unless told.
    days_before: int = 0
    shift: bool = False
    pit: bool = False
    # It shows what is so now; no time is asked for.
    is_now: bool = False
    ways: Mapping[str, str] = field(default_factory=dict)


def slip_link(serial: str | None) -> Link | None:
    """Return where a slip is read; nowhere when there is none."""
    return Link(reverse("slip", args=[serial]), "slip", serial) if serial else None


def slip_cell(serial: str | None) -> Cell:
    """Return the number of a slip, which opens it."""
    return Cell(serial, slip_link(serial))


def report_link(key: str, page: str, choice: ReportChoice, **instead: str) -> Link:
    """Return where a number opens to another look at a report."""
    return Link(f"{reverse('report', args=[key])}?{choice.query(**instead)}", page)


def section_link(key: str, page: str, choice: ReportChoice, section: int = 1) -> Link:
    """Return where a number opens whose parts are the rows of a section, by its number."""
    link = report_link(key, page, choice)
    return Link(f"{link.url}#section-{section}", link.page)


def row_of(*values: Value | Cell, tone: Tone = Tone.PLAIN, opens: Link | None = None) -> Row:
    """Return a row of plain values and cells; its numbers open where the row is told to.

    >>> paper = Link("/slips/F-2026-000001/", "slip")
    >>> [cell.link is paper for cell in row_of("BJ-11", 250_000, Cell(3), opens=paper).cells]
    [False, True, False]
    """
    return Row(
        tuple(
            value
            if isinstance(value, Cell)
            else Cell(value, opens if isinstance(value, int) else None)
            for value in values
        ),
        tone=tone,
    )


def newest_of(title: str, shown: int, found: int) -> str:
    """Return the title of a list that may be too long to be shown whole.

    >>> newest_of("F-2026", 3, 3), newest_of("F-2026", 1_000, 12_345)
    ('F-2026', 'F-2026: the newest 1,000 of 12,345')
    """
    return title if shown == found else f"{title}: the newest {shown:,} of {found:,}"
