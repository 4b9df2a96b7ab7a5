"""A report on paper: its head and the newest seal on every page, its chart, and every row."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

from pitboss.paper.lettering import BOLD, Type, printable, width_of, wrapped
from pitboss.paper.sheet import PAGE_HEIGHT, PAGE_WIDTH, Align, Box, Sheet
from pitboss.reports.drawing import STRIP, bars_of
from pitboss.reports.heading import Heading
from pitboss.reports.report import Chart, Column, Report, Row, Section, Shape, Tone
from pitboss.reports.wording import bar_words, words_of

_LEFT, _TOP, _BOTTOM = 36.0, 84.0, PAGE_HEIGHT - 48
_WIDTH = PAGE_WIDTH - 2 * _LEFT
_PLAIN, _STRONG = Type(size=7.2), Type(BOLD, 7.2)
_SMALL = Type(size=6.4, grey=0.3)
_GAP, _LEADING = 6.0, 8.8
# Words wrap within their column; every other column is as wide as what stands in it.
_WORDS_LEAST = 60.0


@dataclass(slots=True)
class _Page:
    """The sheet, where the pen is on it, and how often a new page was begun."""

    sheet: Sheet
    heading: Heading
    number: int = 0
    y: float = _TOP

    def begin(self) -> None:
        """Begin a page with the head of the report, and the newest seal at its foot."""
        if self.number:
            self.sheet.end_page()
        self.number += 1
        self.y = _TOP
        sheet, head = self.sheet, self.heading
        sheet.text(_LEFT, 44, head.title, Type(BOLD, 14), width=_WIDTH * 0.62)
        sheet.text(_LEFT, 58, head.of, Type(size=8.5), width=_WIDTH * 0.62)
        right = PAGE_WIDTH - _LEFT
        sheet.text(right, 44, head.house, Type(BOLD, 9), align=Align.RIGHT, width=_WIDTH * 0.36)
        taken = f"Taken {head.taken_words}"
        sheet.text(right, 58, taken, _SMALL, align=Align.RIGHT, width=_WIDTH * 0.36)
        sheet.rule(_LEFT, 66, _WIDTH, weight=1.1)
        foot = PAGE_HEIGHT - 30
        sheet.rule(_LEFT, foot - 10, _WIDTH, grey=0.5)
        sheet.text(
            _LEFT, foot, f"Newest seal of the journal: {head.seal_words}", _SMALL, width=_WIDTH - 50
        )
        made = f"{head.build}. {head.read_words}" if head.read_words else head.build
        sheet.text(_LEFT, foot + 10, made, _SMALL, width=_WIDTH - 50)
        sheet.text(right, foot, f"Page {self.number}", _SMALL, align=Align.RIGHT)

    def room(self, height: float) -> bool:
        """Make room for something so high; tell whether a new page was begun for it."""
        if self.number and self.y + height <= _BOTTOM:
            return False
        self.begin()
        return True


def report_pdf(report: Report, heading: Heading) -> bytes:
    """Return a report on paper, every column of it."""
    sheet = Sheet(title=heading.title, author=heading.house, subject=heading.of)
    page = _Page(sheet, heading)
    page.begin()
    if report.finding:
        _said(page, report.finding.words, _STRONG)
    if report.chart and report.chart.bars:
        _chart(page, report.chart)
    for section in report.sections:
        _table(page, section)
    for formula in report.formulas:
        _said(page, formula, _SMALL)
    sheet.end_page()
    return sheet.finished()


def _said(page: _Page, words: str, type_: Type) -> None:
    lines = wrapped(printable(words), type_, _WIDTH)
    page.room(len(lines) * _LEADING + _GAP)
    for line in lines:
        page.sheet.text(_LEFT, page.y, line, type_)
        page.y += _LEADING
    page.y += _GAP


def _chart(page: _Page, chart: Chart) -> None:
    page.room(40)
    page.sheet.text(_LEFT, page.y, chart.title, Type(BOLD, 8.5))
    page.y += 11
    labels, strip = 130.0, _WIDTH - 130 - 80
    for bar, drawn in zip(chart.bars, bars_of(chart), strict=True):
        page.room(10)
        x = _LEFT + labels
        says = bar_words(bar, chart.shape, page.heading.zone)
        label = f"{bar.label}, {says}" if says else bar.label
        page.sheet.text(_LEFT, page.y, label, _PLAIN, width=labels - _GAP)
        if drawn.band_x is not None:
            band = Box(
                x + drawn.band_x * strip / STRIP,
                page.y - 7.2,
                drawn.band_width * strip / STRIP,
                9,
            )
            page.sheet.fill(band, grey=0.86)
        page.sheet.fill(
            Box(
                x + drawn.x * strip / STRIP, page.y - 5.2, max(0.8, drawn.width * strip / STRIP), 5
            ),
            grey=0 if drawn.tone is Tone.BAD else 0.45,
        )
        value = words_of(bar.value, chart.shape, page.heading.zone)
        page.sheet.text(PAGE_WIDTH - _LEFT, page.y, value, _PLAIN, align=Align.RIGHT, width=74)
        page.y += 10
    page.y += _GAP


def _table(page: _Page, section: Section) -> None:
    page.room(44)
    page.y += 6
    page.sheet.text(_LEFT, page.y, section.title, Type(BOLD, 9.5), width=_WIDTH)
    page.y += 13
    if not section.rows:
        page.sheet.text(_LEFT, page.y, section.nothing, _SMALL, width=_WIDTH)
        page.y += 14
        return
    texts = [_texts(row, section, page.heading) for row in section.rows]
    sums = _texts(section.sums, section, page.heading) if section.sums else None
    widths = _widths(section, [*texts, *([sums] if sums else ())])
    _heads(page, section, widths)
    for words, row in zip(texts, section.rows, strict=True):
        _line(page, section, widths, words, _STRONG if row.tone is Tone.BAD else _PLAIN)
    if sums:
        page.sheet.rule(_LEFT, page.y - 7, _WIDTH, weight=0.9)
        page.y += 2
        _line(page, section, widths, sums, _STRONG)
    page.y += 8


def _texts(row: Row, section: Section, heading: Heading) -> list[str]:
    return [
        printable(words_of(cell.value, column.shape, heading.zone))
        for cell, column in zip(row.cells, section.columns, strict=True)
    ]


def _widths(section: Section, rows: list[list[str]]) -> list[float]:
    """Return how wide each column is: numbers and names as they need, words share the rest."""
    needed = [
        max(width_of(printable(text), _STRONG) for text in (column.title, *(r[n] for r in rows)))
        for n, column in enumerate(section.columns)
    ]
    room = _WIDTH - _GAP * (len(needed) - 1)
    words = [n for n, column in enumerate(section.columns) if column.shape is Shape.WORDS]
    left = room - sum(width for n, width in enumerate(needed) if n not in words)
    # Short words keep to one line; of what is left long ones get more the longer they are, and the
    # root of their length makes all about as high.
    shared = sorted(words, key=lambda n: needed[n])
    while shared and needed[shared[0]] <= left / len(shared):
        left -= needed[shared.pop(0)]
    parts = sum(sqrt(needed[n]) for n in shared)
    for n in shared:
        needed[n] = max(left * sqrt(needed[n]) / parts, _WORDS_LEAST)
    over = sum(needed) - room
    if over > 0:
        # Sheet.text sets what is still too wide smaller, and never cuts it off.
        return [width * room / sum(needed) for width in needed]
    widest = max(words or range(len(needed)), key=lambda n: needed[n])
    needed[widest] -= over
    return needed


def _heads(page: _Page, section: Section, widths: list[float]) -> None:
    _cells(page, section, widths, [[column.title] for column in section.columns], _STRONG)
    page.sheet.rule(_LEFT, page.y + 3, _WIDTH)
    page.y += 12


def _line(
    page: _Page, section: Section, widths: list[float], words: list[str], type_: Type
) -> None:
    lines = [
        wrapped(text, type_, width) or [""] if column.shape is Shape.WORDS else [text]
        for text, column, width in zip(words, section.columns, widths, strict=True)
    ]
    height = max(len(line) for line in lines) * _LEADING
    if page.room(height + 2):
        _heads(page, section, widths)
    _cells(page, section, widths, lines, type_)
    page.y += height + 1.6


def _cells(
    page: _Page, section: Section, widths: list[float], cells: list[list[str]], type_: Type
) -> None:
    x = _LEFT
    for lines, column, width in zip(cells, section.columns, widths, strict=True):
        _cell(page, column, lines, Box(x, page.y, width, 0), type_)
        x += width + _GAP


def _cell(page: _Page, column: Column, lines: list[str], box: Box, type_: Type) -> None:
    for number, line in enumerate(lines):
        y = box.y + number * _LEADING
        if column.shape.is_number:
            page.sheet.text(box.right, y, line, type_, align=Align.RIGHT, width=box.width + 0.1)
        else:
            page.sheet.text(box.x, y, line, type_, width=box.width + 0.1)
