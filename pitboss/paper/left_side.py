"""What a slip is about, in rows: its cheques, what a tray should have held, money, or facts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pitboss.paper.content import Figure, Note, SlipPaper
from pitboss.paper.lettering import BOLD, Type, printable, wrapped
from pitboss.paper.sheet import Align, Box, Sheet
from pitboss.paper.swatches import draw_swatch
from pitboss.paper.words import amount_in_words
from pitboss.rules.cheques.cheques import BY_CENTS, ordered, stacks, total_cents
from pitboss.rules.cheques.keys import worth_of

LEFT_WIDTH = 302.0
CELL = Type(size=8.6)
CELL_BOLD = Type(BOLD, 8.6)
_HEAD = Type(BOLD, 7)
_HEAD_HEIGHT = 13.0
_TOTAL = Type(BOLD, 10.5)
_TOTAL_HEIGHT = 16.0
_WORDS = Type(size=8)
_WORDS_HEIGHT = 10.0
_FACT_INDENT = 96.0
_FACT_HEIGHT = 24.0
# More signs than these are a sentence.
_FACT_CHARS = 90


@dataclass(frozen=True, slots=True)
class _Column:
    """A column of figures: its name, its right edge in the table, and how wide it may be."""

    name: str
    right: float
    width: float
    type_: Type = CELL


_PLAIN = (
    _Column("Stacks", 136, 40),
    _Column("Odd", 168, 24),
    _Column("Cheques", 213, 42, CELL_BOLD),
    _Column("Amount $", LEFT_WIDTH - 6, 80),
)
_WITH_COUNT = (
    _Column("Stacks", 126, 30),
    _Column("Odd", 150, 20),
    _Column("Cheques", 189, 36, CELL_BOLD),
    _Column("Counted", 229, 37, CELL_BOLD),
    _Column("Amount $", LEFT_WIDTH - 6, 64),
)
_COMPARED = (
    _Column("Expected", 124, 31),
    _Column("Counted", 158, 31, CELL_BOLD),
    _Column("Diff.", 188, 27, CELL_BOLD),
    _Column("Diff. $", 241, 50, CELL_BOLD),
    _Column("Amount $", LEFT_WIDTH - 6, 52),
)
_MONEY = (
    _Column("Pieces", 190, 60),
    _Column("Amount $", LEFT_WIDTH - 6, 96, CELL_BOLD),
)


def draw_cheques(sheet: Sheet, paper: SlipPaper, box: Box, *, share: float) -> float:
    """Draw the table of cheques in a share of its box, and return where it ends."""
    denominations = _rows(paper)
    columns = _COMPARED if paper.differs else _WITH_COUNT if paper.has_count else _PLAIN
    row_height = _row_height(len(denominations), box.height, share)
    y = _draw_heads(sheet, "Cheque", columns, box)
    for cents in denominations:
        row = Box(box.x, y, box.width, row_height)
        against = paper.expected if paper.differs else paper.counted
        if against is not None and paper.cheques.get(cents, 0) != against.get(cents, 0):
            sheet.fill(row, grey=0.88)
        _draw_cheque_row(sheet, cents, columns, _figures(paper, cents), row)
        y += row_height
        sheet.rule(box.x, y, box.width, weight=0.4, grey=0.6)
    if not denominations:
        sheet.text(box.x + 6, y + row_height * 0.68, "No cheques", CELL)
        y += row_height
    y = _draw_total(sheet, "Total", columns, _totals(paper), Box(box.x, y, box.width, row_height))
    words = f"{amount_in_words(total_cents(paper.cheques))}."
    return sheet.paragraph(Box(box.x, y + 2, box.width, 22), words, _WORDS)


def cheques_height(paper: SlipPaper, height: float, *, share: float) -> float:
    """Return how high the table of cheques stands in a box of some height, its words on a line."""
    rows = max(1, len(_rows(paper)))
    row_height = _row_height(rows, height, share)
    return _HEAD_HEIGHT + rows * row_height + max(_TOTAL_HEIGHT, row_height) + 2 + _WORDS_HEIGHT


def _rows(paper: SlipPaper) -> list[int]:
    expected = paper.expected or {} if paper.differs else {}
    return ordered({*paper.cheques, *paper.colours, *(paper.counted or {}), *expected})


def _row_height(rows: int, height: float, share: float) -> float:
    # Ten denominations must leave room for what stands below; three need not look lost.
    return min(19.0, max(10.2, share * height / (rows + 1.5)))


def _figures(paper: SlipPaper, cents: int) -> dict[str, str]:
    count = paper.cheques.get(cents, 0)
    split = stacks(count)
    figures = {
        "Stacks": f"{split.full:,}",
        "Odd": str(split.odd),
        "Cheques": f"{count:,}",
        "Amount $": dollars_and_cents(worth_of(cents) * count),
    }
    if paper.counted is not None:
        figures["Counted"] = f"{paper.counted.get(cents, 0):,}"
    if paper.differs and paper.expected is not None:
        expected = paper.expected.get(cents, 0)
        figures["Expected"] = f"{expected:,}"
        figures["Counted"] = f"{count:,}"
        figures["Diff."] = _signed(count - expected)
        figures["Diff. $"] = _signed_dollars(worth_of(cents) * (count - expected))
    return figures


def _totals(paper: SlipPaper) -> dict[str, str]:
    count = sum(paper.cheques.values())
    totals = {
        "Cheques": f"{count:,}",
        "Amount $": dollars_and_cents(total_cents(paper.cheques)),
    }
    if paper.counted is not None:
        totals["Counted"] = f"{sum(paper.counted.values()):,}"
    if paper.differs and paper.expected is not None:
        expected = sum(paper.expected.values())
        totals["Expected"] = f"{expected:,}"
        totals["Counted"] = f"{count:,}"
        totals["Diff."] = _signed(count - expected)
        off_cents = total_cents(paper.cheques) - total_cents(paper.expected)
        totals["Diff. $"] = _signed_dollars(off_cents)
    return totals


def draw_figures(sheet: Sheet, figures: Sequence[Figure], box: Box) -> float:
    """Draw what a box held, line by line, and return where the table ends."""
    row_height = min(17.0, max(10.2, 0.78 * box.height / (len(figures) + 1)))
    y = _draw_heads(sheet, "Found in the box", _MONEY, box)
    for figure in figures:
        cells = {}
        if figure.pieces is not None:
            cells["Pieces"] = f"{figure.pieces:,}"
        if figure.amount_cents is not None:
            cells["Amount $"] = dollars_and_cents(figure.amount_cents)
        row = Box(box.x, y, box.width, row_height)
        if figure.is_sum:
            y = _draw_total(sheet, figure.name, _MONEY, cells, row)
            continue
        base = y + row_height / 2 + 3
        sheet.text(box.x + 6, base, figure.name, CELL, width=130)
        _draw_cells(sheet, box.x, base, _MONEY, cells)
        y += row_height
        sheet.rule(box.x, y, box.width, weight=0.4, grey=0.6)
    return y


def draw_facts(sheet: Sheet, facts: Sequence[Note], box: Box) -> float:
    """Draw facts, each with its name before it, and return where they end."""
    y = box.y
    sheet.rule(box.x, y, box.width, weight=1.2)
    for fact in facts:
        sheet.text(box.x + 6, y + 16, fact.heading, Type(size=8, grey=0.2), width=84)
        type_, height = _fact_type(fact.text)
        text = Box(box.x + _FACT_INDENT, y + 4, box.width - _FACT_INDENT - 4, height)
        y = max(y + _FACT_HEIGHT, sheet.paragraph(text, fact.text, type_, smallest=8) + 5)
        sheet.rule(box.x, y, box.width, weight=0.4, grey=0.6)
    return y


def facts_height(facts: Sequence[Note]) -> float:
    """Return how high facts stand when they are drawn."""
    height = 0.0
    for fact in facts:
        type_, most = _fact_type(fact.text)
        lines = wrapped(printable(fact.text), type_, LEFT_WIDTH - _FACT_INDENT - 4)
        height += max(_FACT_HEIGHT, min(most, len(lines) * type_.size * 1.18) + 9)
    return height


def _fact_type(text: str) -> tuple[Type, float]:
    """Return how a fact is set and how high it may stand: a sentence smaller than a figure."""
    return (Type(BOLD, 12.5), 40.0) if len(text) <= _FACT_CHARS else (Type(size=8), 80.0)


def dollars_and_cents(amount_cents: int) -> str:
    """Write an amount as a column of figures has it.

    >>> dollars_and_cents(650_750), dollars_and_cents(-2_550)
    ('6,507.50', '−25.50')
    """
    dollars, cents = divmod(abs(amount_cents), 100)
    return f"{'−' if amount_cents < 0 else ''}{dollars:,}.{cents:02}"


def _signed(count: int) -> str:
    return f"+{count:,}" if count > 0 else f"−{-count:,}" if count else "0"


def _signed_dollars(amount_cents: int) -> str:
    return f"{'+' if amount_cents > 0 else ''}{dollars_and_cents(amount_cents)}"


def _draw_heads(sheet: Sheet, first: str, columns: Sequence[_Column], box: Box) -> float:
    sheet.fill(Box(box.x, box.y, box.width, _HEAD_HEIGHT), grey=0.91)
    sheet.text(box.x + 6, box.y + 9, first, _HEAD)
    for column in columns:
        sheet.text(box.x + column.right, box.y + 9, column.name, _HEAD, align=Align.RIGHT)
    sheet.rule(box.x, box.y + _HEAD_HEIGHT, box.width, weight=0.8)
    return box.y + _HEAD_HEIGHT


def _draw_total(
    sheet: Sheet, name: str, columns: Sequence[_Column], cells: Mapping[str, str], row: Box
) -> float:
    height = max(_TOTAL_HEIGHT, row.height)
    sheet.rule(row.x, row.y, row.width, weight=1.2)
    base = row.y + height * 0.68
    sheet.text(row.x + 6, base, name, _TOTAL)
    _draw_cells(sheet, row.x, base, columns, cells, _TOTAL)
    sheet.rule(row.x, row.y + height, row.width, weight=1.2)
    return row.y + height


def _draw_cheque_row(
    sheet: Sheet, cents: int, columns: Sequence[_Column], cells: Mapping[str, str], row: Box
) -> None:
    cheque = BY_CENTS[cents]
    middle = row.y + row.height / 2
    radius = min(7.4, row.height * 0.45)
    draw_swatch(sheet, row.x + 12, middle, radius, cheque=cheque)
    wide = sheet.text(row.x + 23, middle + 3, cheque.value, CELL_BOLD)
    sheet.text(row.x + 26 + wide, middle + 3, cheque.colour, CELL)
    _draw_cells(sheet, row.x, middle + 3, columns, cells)


def _draw_cells(
    sheet: Sheet,
    x: float,
    base: float,
    columns: Sequence[_Column],
    cells: Mapping[str, str],
    type_: Type | None = None,
) -> None:
    for column in columns:
        if column.name in cells:
            sheet.text(
                x + column.right,
                base,
                cells[column.name],
                type_ or column.type_,
                align=Align.RIGHT,
                width=column.width,
            )
