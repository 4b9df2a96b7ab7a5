"""A slip on paper: every part of its form, with its cheques, its signatures and its marks.

Two parts stand on a page. In a part the cheques are on the left, with room beneath them, and the
signatures on the right.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from pitboss.paper.forms import Form, Part
from pitboss.paper.lettering import BOLD, Type, printable, width_of, wrapped
from pitboss.paper.sheet import PAGE_HEIGHT, PAGE_WIDTH, Align, Box, Sheet
from pitboss.paper.swatches import draw_swatch
from pitboss.paper.words import amount_in_words
from pitboss.rules.cheques import BY_CENTS, ordered, stacks, total_cents

VIEWING_MARK = "COPY FOR VIEWING, NOT A DOCUMENT"

PARTS_A_PAGE = 2
MARGIN = 36.0
TOP = 26.0
GUTTER = 22.0
PART_HEIGHT = (PAGE_HEIGHT - 2 * TOP - GUTTER) / PARTS_A_PAGE
WIDTH = PAGE_WIDTH - 2 * MARGIN
LEFT_WIDTH = 302.0
COLUMN_GAP = 20.0
RIGHT_WIDTH = WIDTH - LEFT_WIDTH - COLUMN_GAP
HEAD_HEIGHT = 58.0
IDS_HEIGHT = 35.0
FOOT_HEIGHT = 30.0
QR_SIZE = 50.0

LABEL = Type(size=6.6, grey=0.3)
VALUE = Type(BOLD, 9.5)
CELL = Type(size=8.6)
CELL_BOLD = Type(BOLD, 8.6)
NOTE = Type(size=8)
NOTE_HEIGHT = 14.0
FINE = Type(size=6.4, grey=0.2)
HINT = Type(size=5.6, grey=0.45)

NO_BREAK = "\u00a0"


@dataclass(frozen=True, slots=True)
class SignatureLine:
    """One line to sign on: whose it is, and once signed by whom, when and over what."""

    step: str
    role: str
    signed_as: str | None = None
    signed_at: datetime | None = None
    shown_hash: str = ""
    # Nobody will sign it any more: the slip was voided or went back.
    is_closed: bool = False


@dataclass(frozen=True, slots=True)
class SignatureGroup:
    """The lines of one track of the slip."""

    heading: str
    lines: tuple[SignatureLine, ...]


@dataclass(frozen=True, slots=True)
class Note:
    """Something the slip says besides its figures: a heading and a text."""

    heading: str
    text: str
    is_grave: bool = False


@dataclass(frozen=True, slots=True)
class Issue:
    """This very paper: who had it made, when, and the number of the copy; none is for viewing."""

    by: str
    at: datetime
    copy: int | None

    @property
    def is_reprint(self) -> bool:
        return self.copy is not None and self.copy > 1


@dataclass(frozen=True, slots=True)
class SlipPaper:
    """All that a slip says on paper. Times are by the property's clock."""

    form: Form
    title: str
    property_name: str
    serial: str
    gaming_day: date
    raised_at: datetime
    shift: str
    pit: str
    table: str
    game: str
    cheques: Mapping[int, int]
    # What somebody counted who was to record it, if the slip has such a step.
    counted: Mapping[int, int] | None
    has_count: bool
    groups: tuple[SignatureGroup, ...]
    notes: tuple[Note, ...]
    # VOID, RETURNED: written across every part.
    mark: str
    issue: Issue


def draw_slip(paper: SlipPaper) -> bytes:
    """Draw every part of a slip and return the PDF."""
    sheet = Sheet(
        title=f"{paper.title} {paper.serial}", author=paper.property_name, subject=paper.table
    )
    parts = paper.form.parts
    for first in range(0, len(parts), PARTS_A_PAGE):
        on_page = parts[first : first + PARTS_A_PAGE]
        for place, part in enumerate(on_page):
            y = TOP + place * (PART_HEIGHT + GUTTER)
            if place:
                sheet.cut_line(y - GUTTER / 2)
            _draw_part(sheet, paper, part, first + place, Box(MARGIN, y, WIDTH, PART_HEIGHT))
        sheet.end_page()
    return sheet.finished()


def written_at(moment: datetime) -> str:
    """Write an instant to the second, with its zone: an hour comes twice on one night a year."""
    return f"{moment:%d %b %Y %H:%M:%S %Z}"


def _draw_part(sheet: Sheet, paper: SlipPaper, part: Part, number: int, box: Box) -> None:
    # Marks lie under the text, so that every figure and name can be read through them.
    body = Box(
        box.x,
        box.y + HEAD_HEIGHT + IDS_HEIGHT,
        box.width,
        box.height - HEAD_HEIGHT - IDS_HEIGHT - FOOT_HEIGHT,
    )
    if paper.issue.copy is None:
        sheet.stamp(body, VIEWING_MARK, size=30, angle=-20, grey=0.55, weight=0.8)
    if paper.mark:
        sheet.stamp(body, paper.mark, size=185, angle=20, grey=0.64, weight=2)
    _draw_head(sheet, paper, part, number, box)
    _draw_ids(sheet, paper, box.y + HEAD_HEIGHT)
    y = _draw_cheques(sheet, paper, Box(body.x, body.y, LEFT_WIDTH, body.height))
    _draw_notes(sheet, paper.notes, Box(body.x, y + 5, LEFT_WIDTH, body.bottom - y - 5))
    _draw_signatures(
        sheet, paper.groups, Box(body.right - RIGHT_WIDTH, body.y, RIGHT_WIDTH, body.height)
    )
    _draw_foot(sheet, paper, part, Box(box.x, body.bottom, box.width, FOOT_HEIGHT))


def _draw_head(sheet: Sheet, paper: SlipPaper, part: Part, number: int, box: Box) -> None:
    qr_x = box.right - QR_SIZE
    sheet.qr(qr_x, box.y, QR_SIZE, paper.serial)
    serial_right = qr_x - 14
    tag = sheet.tag(serial_right, box.y + 1, part.name.upper(), inverse=number > 0)
    if paper.issue.is_reprint:
        sheet.tag(tag.x - 6, box.y + 1, f"REPRINT · COPY {paper.issue.copy}", inverse=True)
    sheet.text(
        serial_right,
        box.y + 43,
        paper.serial,
        Type(BOLD, 23, tracking=0.4),
        align=Align.RIGHT,
        width=230,
    )
    room = serial_right - 240 - box.x
    sheet.text(box.x, box.y + 24, paper.title.upper(), Type(BOLD, 27), width=room, smallest=12)
    sheet.text(box.x, box.y + 40, paper.property_name, Type(size=10.5), width=room)
    sheet.text(box.x, box.y + 50, "Table games", LABEL)
    sheet.rule(box.x, box.y + HEAD_HEIGHT - 1, box.width, weight=1.4)


def _draw_ids(sheet: Sheet, paper: SlipPaper, y: float) -> None:
    fields = (
        ("Gaming day", f"{paper.gaming_day:%d %b %Y}", 76),
        ("Date", f"{paper.raised_at:%d %b %Y}", 76),
        ("Time", f"{paper.raised_at:%H:%M:%S %Z}", 84),
        ("Shift", paper.shift, 62),
        ("Pit", paper.pit, 66),
        ("Table", paper.table, 62),
        ("Game", paper.game, 114),
    )
    x = MARGIN
    for label, value, width in fields:
        sheet.text(x, y + 11, label, LABEL)
        sheet.text(x, y + 23, value or "–", VALUE, width=width - 8)
        x += width


@dataclass(frozen=True, slots=True)
class _Column:
    """A column of figures: its name, its right edge in the table, and how wide it may be."""

    name: str
    right: float
    width: float
    type_: Type = CELL


_COLUMNS = (
    _Column("Stacks", 136, 40),
    _Column("Odd", 168, 24),
    _Column("Cheques", 213, 42, CELL_BOLD),
    _Column("Amount $", LEFT_WIDTH - 6, 80),
)
_COLUMNS_WITH_COUNT = (
    _Column("Stacks", 126, 30),
    _Column("Odd", 150, 20),
    _Column("Cheques", 189, 36, CELL_BOLD),
    _Column("Counted", 229, 37, CELL_BOLD),
    _Column("Amount $", LEFT_WIDTH - 6, 64),
)


def _draw_cheques(sheet: Sheet, paper: SlipPaper, box: Box) -> float:
    """Draw the table of cheques and return where it ends."""
    denominations = ordered(paper.cheques.keys() | (paper.counted or {}).keys())
    columns = _COLUMNS_WITH_COUNT if paper.has_count else _COLUMNS
    # Ten denominations must leave room for notes; three need not look lost.
    row_height = min(19.0, max(11.2, 0.56 * box.height / (len(denominations) + 1.5)))
    head_height = 13.0
    head = Type(BOLD, 7)
    sheet.fill(Box(box.x, box.y, box.width, head_height), grey=0.91)
    sheet.text(box.x + 6, box.y + 9, "Cheque", head)
    for column in columns:
        sheet.text(box.x + column.right, box.y + 9, column.name, head, align=Align.RIGHT)
    y = box.y + head_height
    sheet.rule(box.x, y, box.width, weight=0.8)
    for cents in denominations:
        _draw_cheque_row(sheet, paper, cents, columns, Box(box.x, y, box.width, row_height))
        y += row_height
        sheet.rule(box.x, y, box.width, weight=0.4, grey=0.6)
    if not denominations:
        sheet.text(box.x + 6, y + row_height * 0.68, "No cheques", CELL)
        y += row_height
    sheet.rule(box.x, y, box.width, weight=1.2)
    total_height = max(16.0, row_height)
    base = y + total_height * 0.68
    amount_cents = total_cents(paper.cheques)
    totals = {
        "Cheques": f"{sum(paper.cheques.values()):,}",
        "Amount $": _dollars_and_cents(amount_cents),
    }
    if paper.counted is not None:
        totals["Counted"] = f"{sum(paper.counted.values()):,}"
    total = Type(BOLD, 10.5)
    sheet.text(box.x + 6, base, "Total", total)
    _draw_figures(sheet, box.x, base, columns, totals, total)
    y += total_height
    sheet.rule(box.x, y, box.width, weight=1.2)
    words = Box(box.x, y + 2, box.width, 22)
    return sheet.paragraph(words, f"{amount_in_words(amount_cents)}.", Type(size=8))


def _draw_cheque_row(
    sheet: Sheet, paper: SlipPaper, cents: int, columns: Sequence[_Column], row: Box
) -> None:
    cheque = BY_CENTS[cents]
    count = paper.cheques.get(cents, 0)
    middle = row.y + row.height / 2
    radius = min(7.4, row.height * 0.45)
    draw_swatch(sheet, row.x + 12, middle, radius, cents=cents, letter=cheque.letter)
    wide = sheet.text(row.x + 23, middle + 3, cheque.value, CELL_BOLD)
    sheet.text(row.x + 26 + wide, middle + 3, cheque.colour, CELL)
    split = stacks(count)
    figures = {
        "Stacks": f"{split.full:,}",
        "Odd": str(split.odd),
        "Cheques": f"{count:,}",
        "Amount $": _dollars_and_cents(cents * count),
    }
    if paper.counted is not None:
        figures["Counted"] = f"{paper.counted.get(cents, 0):,}"
    _draw_figures(sheet, row.x, middle + 3, columns, figures)


def _draw_figures(
    sheet: Sheet,
    x: float,
    base: float,
    columns: Sequence[_Column],
    figures: Mapping[str, str],
    type_: Type | None = None,
) -> None:
    for column in columns:
        if column.name in figures:
            sheet.text(
                x + column.right,
                base,
                figures[column.name],
                type_ or column.type_,
                align=Align.RIGHT,
                width=column.width,
            )


def _dollars_and_cents(amount_cents: int) -> str:
    dollars, cents = divmod(amount_cents, 100)
    return f"{dollars:,}.{cents:02}"


def _draw_notes(sheet: Sheet, notes: Sequence[Note], box: Box) -> None:
    """Set what the slip says besides its figures; a long note leaves a line to each after it."""
    y = box.y
    for following, note in zip(reversed(range(len(notes))), notes, strict=True):
        inset = 6.0 if note.is_grave else 0.0
        x, base = box.x + inset, y + 9 + inset / 2
        width = box.width - 2 * inset
        wide = sheet.text(x, base, note.heading, Type(BOLD, 8)) + 4
        if width_of(printable(note.text), NOTE) <= width - wide:
            sheet.text(x + wide, base, note.text, NOTE)
            end = base + 1
        else:
            bottom = box.bottom - following * NOTE_HEIGHT - inset
            text = Box(x, base + 1, width, bottom - base - 1)
            end = sheet.paragraph(text, note.text, NOTE)
        if note.is_grave:
            end += inset / 2 + 1
            sheet.frame(Box(box.x, y, box.width, end - y), weight=1.6)
        y = end + 4


def _draw_signatures(sheet: Sheet, groups: Sequence[SignatureGroup], box: Box) -> None:
    heading_height = 13.0
    count = sum(len(group.lines) for group in groups)
    line_height = min(41.0, (box.height - heading_height * len(groups)) / max(count, 1))
    y = box.y
    for group in groups:
        sheet.fill(Box(box.x, y, box.width, heading_height), grey=0.91)
        sheet.text(box.x + 6, y + 9, group.heading, Type(BOLD, 7))
        sheet.text(box.right - 6, y + 9, "hash of what was shown", HINT, align=Align.RIGHT)
        y += heading_height
        sheet.rule(box.x, y, box.width, weight=0.8)
        for line in group.lines:
            _draw_signature(sheet, line, Box(box.x, y, box.width, line_height))
            y += line_height


def _draw_signature(sheet: Sheet, line: SignatureLine, box: Box) -> None:
    is_empty = line.signed_as is None and not line.is_closed
    sheet.rule(box.x, box.bottom, box.width, weight=0.9 if is_empty else 0.5)
    # A line still to be signed keeps its room for a pen; a signed one stands in the middle.
    label_base = box.y + (8.5 if is_empty else max(8.0, (box.height - 21) / 2 + 5.5))
    step_width = sheet.text(box.x + 2, label_base, line.step, Type(BOLD, 6.8))
    # A signed line has its time at the right end.
    room = box.width - 7 - step_width - (98 if line.signed_at else 0)
    sheet.text(box.x + 5 + step_width, label_base, line.role, LABEL, width=room)
    if line.signed_as is None:
        hint = "not signed" if line.is_closed else "initial, name, licence · date, time"
        base = label_base + 12.5 if line.is_closed else box.bottom - 4
        if line.is_closed:
            sheet.rule(box.x + 2, base - 2, box.width - 38, weight=0.5, grey=0.4)
        sheet.text(box.right - 2, base, hint, HINT, align=Align.RIGHT)
        return
    base = label_base + 12.5
    if line.signed_at is not None:
        when = written_at(line.signed_at)
        sheet.text(box.right - 2, label_base, when, Type(size=6.8), align=Align.RIGHT)
    shown = line.shown_hash[:16]
    groups_of_four = " ".join(shown[at : at + 4] for at in range(0, len(shown), 4))
    hash_width = sheet.text(box.right - 2, base, groups_of_four, FINE, align=Align.RIGHT)
    _draw_name(sheet, line.signed_as, box.x + 2, base, box.width - hash_width - 10)


def _draw_name(sheet: Sheet, name: str, x: float, base: float, width: float) -> None:
    """Set a signature on one line or two: the licence number at its end is never lost."""
    small = Type(BOLD, 6.4)
    # A name too long for a line is broken where the line ends, not after its initial.
    first, *rest = wrapped(printable(name).replace(" ", NO_BREAK), small, width)
    if not rest:
        sheet.text(x, base, name, Type(BOLD, 10.5), width=width, smallest=small.size)
        return
    sheet.text(x, base - 4.6, first, small, width=width)
    sheet.text(x, base + 2.2, "".join(rest), small, width=width)


def _draw_foot(sheet: Sheet, paper: SlipPaper, part: Part, box: Box) -> None:
    wide = sheet.text(box.x, box.y + 15, f"{part.name}:", Type(BOLD, 8))
    sheet.text(box.x + wide + 3, box.y + 15, part.goes, Type(size=8))
    issue = paper.issue
    if issue.copy is None:
        made = f"Shown to {issue.by} on {written_at(issue.at)}. {VIEWING_MARK.capitalize()}."
    else:
        made = f"Printed by {issue.by} on {written_at(issue.at)}, copy {issue.copy}."
    words = f"Signed electronically in Pitboss. {made}"
    sheet.text(box.x, box.y + 25, words, FINE, width=box.width)
