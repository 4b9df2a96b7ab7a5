"""What the sums of a day's game report are made of: every paper, and what it adds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from urllib.parse import urlencode

from django.urls import reverse

from pitboss.reports.report import (
    Cell,
    Column,
    Link,
    Row,
    Section,
    Shape,
    Tone,
    row_of,
    slip_cell,
    slip_link,
)
from tables.reports.win import TableWin, WinLine

ESTIMATED, FINAL, HOLD, NOT_FINAL = "estimated_win", "final_win", "hold", "not_final"
STATISTICAL_DROP = "statistical_drop"
# The lines of a table's win that a column of the report adds up.
LINES: Mapping[str, tuple[str, ...]] = {
    "opening": ("opening",),
    "closing": ("closing",),
    "fills": ("fills",),
    "credits": ("credits",),
    "markers": ("markers",),
    "marker_payments": ("marker_payments",),
    "drop": ("cash", "foreign_cheques"),
    "jackpots": ("jackpots", "jackpots_cage", "jackpots_bank_cheque"),
}
# What the cash of a box and the cheques of other houses are, until they are counted, is a guess.
_COUNTED = LINES["drop"]

_PAPERS = (
    Column("slip", "Slip", Shape.CODE),
    Column("table", "Table", Shape.CODE),
    Column("what", "What"),
    Column("at", "When", Shape.TIME),
    Column("amount", "Amount", Shape.MONEY),
)
_ADDED = (*_PAPERS[:-1], Column("amount", "Adds to win", Shape.CHANGE))
_EXCHANGED = (*_PAPERS[:-1], Column("amount", "Adds to the drop", Shape.CHANGE))
_REASONS = (
    Column("table", "Table", Shape.CODE),
    Column("shift", "Shift", is_minor=True),
    Column("why", "Why it is not final"),
)


def win_link(win: TableWin, line: str = "") -> Link:
    """Return where a table's win is read line by line."""
    return table_win_link(win.table.name, win.gaming_day.isoformat(), win.shift, line)


def table_win_link(table: str, day: str, shift: str | None, line: str = "") -> Link:
    """Return where the win of a table by its name is read, opened at a line of it."""
    fields = {"day": day, "shift": shift or "", "line": line}
    query = urlencode({name: value for name, value in fields.items() if value})
    anchor = f"#{line}" if line else ""
    return Link(f"{reverse('table-win', args=[table])}?{query}{anchor}", "win")


def papers_behind(column: str, title: str, wins: Iterable[TableWin]) -> Section:
    """Return what a sum of the report is made of, such that it adds up to it."""
    wins = list(wins)
    if column == NOT_FINAL:
        return _not_final(title, wins)
    if column in LINES:
        rows = [row for win in wins for row in _papers(win, LINES[column])]
        return _listed(title, _PAPERS, rows)
    if column == STATISTICAL_DROP:
        rows = [row for win in wins if win.final for row in _exchanged(win)]
        return _listed(title, _EXCHANGED, rows)
    if column == ESTIMATED:
        rows = [row for win in wins if win.estimated for row in _estimated(win)]
    else:
        rows = [row for win in wins if win.final for row in _adding(win, win.lines)]
    return _listed(title, _ADDED, rows)


def _listed(title: str, columns: tuple[Column, ...], rows: list[Row]) -> Section:
    sums = row_of("All", "", "", "", _sum(rows)) if rows else None
    return Section(title, columns, tuple(rows), "No paper slip.", sums)


def _sum(rows: Iterable[Row]) -> int:
    amounts = (row.cells[-1].value for row in rows)
    return sum(amount for amount in amounts if isinstance(amount, int))


def _papers(win: TableWin, lines: tuple[str, ...]) -> Iterator[Row]:
    for line in win.lines:
        if line.key in lines:
            yield from _rows(win, line, 1)


def _exchanged(win: TableWin) -> Iterator[Row]:
    """Yield what players exchanged for cheques: cash that paid a marker bought none."""
    yield from _papers(win, (*_COUNTED, *LINES["markers"]))
    for line in win.lines:
        if line.key == "marker_cash":
            yield from _rows(win, line, -1)


def _adding(win: TableWin, lines: Iterable[WinLine]) -> Iterator[Row]:
    for line in lines:
        if line.sign:
            yield from _rows(win, line, line.sign)


def _rows(win: TableWin, line: WinLine, sign: int) -> Iterator[Row]:
    for paper in line.behind:
        yield row_of(
            slip_cell(paper.serial),
            Cell(win.table.name, win_link(win, line.key)),
            f"{line.title}: {paper.words}",
            paper.at,
            sign * paper.amount_cents,
            opens=slip_link(paper.serial),
        )


def _estimated(win: TableWin) -> Iterator[Row]:
    yield from _adding(win, (line for line in win.lines if line.key not in _COUNTED))
    newest = {estimate.shift: estimate for estimate in win.estimates}
    for drop_estimate in newest.values():
        yield row_of(
            None,
            Cell(win.table.name, win_link(win)),
            f"Cash in the box, as {drop_estimate.keyed_by} expected it",
            drop_estimate.keyed_at,
            drop_estimate.cash_cents,
            opens=win_link(win),
        )


def _not_final(title: str, wins: Iterable[TableWin]) -> Section:
    rows = [
        row_of(
            Cell(win.table.name, win_link(win)),
            win.shift,
            " ".join(win.open_reasons),
            tone=Tone.WAIT,
        )
        for win in wins
        if win.final is None
    ]
    return Section(title, _REASONS, tuple(rows), "Every table is final.")
