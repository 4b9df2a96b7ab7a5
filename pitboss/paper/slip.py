"""A slip on paper: every part of its form, with its figures, its signatures and its marks.

Two parts stand on a page, or one that has more to say, or its first page where its facts take
several. In a part, what it is about is on the left, with room beneath it, and the signatures on the
right.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from reportlab.lib.colors import HexColor

from pitboss.paper.content import Note, PatronHand, SlipPaper, written_at
from pitboss.paper.forms import Layout, Part, Shows
from pitboss.paper.left_side import (
    LEFT_WIDTH,
    cheques_height,
    draw_cheques,
    draw_facts,
    draw_figures,
    facts_height,
)
from pitboss.paper.lettering import BOLD, Type, printable, width_of, wrapped
from pitboss.paper.lid import draw_lid
from pitboss.paper.placard import draw_placard
from pitboss.paper.sheet import PAGE_HEIGHT, PAGE_WIDTH, Align, Box, Sheet
from pitboss.paper.signature_lines import FINE, LABEL, draw_signatures, signatures_height
from pitboss.paper.tray import draw_tray
from pitboss.rules.day.zone_names import zone_name

VIEWING_MARK = "COPY FOR VIEWING, NOT A DOCUMENT"

MARGIN = 36.0
TOP = 26.0
GUTTER = 22.0
WHOLE_HEIGHT = PAGE_HEIGHT - 2 * TOP
HALF_HEIGHT = (WHOLE_HEIGHT - GUTTER) / 2
WIDTH = PAGE_WIDTH - 2 * MARGIN
COLUMN_GAP = 20.0
RIGHT_WIDTH = WIDTH - LEFT_WIDTH - COLUMN_GAP
HEAD_HEIGHT = 58.0
IDS_HEIGHT = 35.0
FOOT_HEIGHT = 30.0
QR_SIZE = 50.0
BODY_HEIGHT = HALF_HEIGHT - HEAD_HEIGHT - IDS_HEIGHT - FOOT_HEIGHT
WHOLE_BODY_HEIGHT = WHOLE_HEIGHT - HEAD_HEIGHT - IDS_HEIGHT - FOOT_HEIGHT
TABLE_SHARE = 0.56
TABLE_SHARE_BESIDE_TRAY = 0.44
TRAY_HEIGHT_MIN = 50.0
TRAY_HEIGHT_MAX = 120.0
PATRON_HEIGHT = 46.0

VALUE = Type(BOLD, 9.5)
NOTE = Type(size=8)
NOTE_HEIGHT = 14.0
LEADING = 1.18
# More words or signatures than these do not fit half a page in a size that can be read.
NOTES_MAX_CHARS = 700
LINES_MAX = 8

_TINTS = {"pink": "#f7c6d6", "yellow": "#f6e27a"}


def draw_slip(paper: SlipPaper) -> bytes:
    """Draw every part of a slip and return the PDF."""
    sheet = Sheet(
        title=f"{paper.title} {paper.serial}", author=paper.property_name, subject=paper.table
    )
    y = TOP
    for number, part in enumerate(paper.parts):
        height = WHOLE_HEIGHT if _fills_a_page(paper, part) else HALF_HEIGHT
        if number and y + height > PAGE_HEIGHT - TOP + 1:
            sheet.end_page()
            y = TOP
        if y == TOP and height == HALF_HEIGHT:
            sheet.cut_line(PAGE_HEIGHT / 2)
        pages = _pages(paper, part) if height == WHOLE_HEIGHT else [paper]
        for at, page in enumerate(pages, 1):
            if at > 1:
                sheet.end_page()
            words = f" Page {at} of {len(pages)}." if len(pages) > 1 else ""
            _draw_part(sheet, page, part, number, Box(MARGIN, y, WIDTH, height), words)
        y += height + GUTTER
    sheet.end_page()
    return sheet.finished()


def _fills_a_page(paper: SlipPaper, part: Part) -> bool:
    if part.layout is not Layout.SLIP:
        return False
    said = sum(len(note.heading) + len(note.text) for note in paper.notes)
    lines = sum(len(group.lines) for group in paper.groups)
    table_height = cheques_height(paper, BODY_HEIGHT, share=TABLE_SHARE_BESIDE_TRAY)
    tray_room = BODY_HEIGHT - table_height - 9 - notes_height(paper.notes)
    has_no_room = paper.form.shows is Shows.TRAY and tray_room < TRAY_HEIGHT_MIN
    if paper.form.shows is Shows.FACTS:
        hand = PATRON_HEIGHT if paper.patron is not None else 0.0
        has_no_room = facts_height(paper.facts) + notes_height(paper.notes) > BODY_HEIGHT - hand
    if paper.patron is not None and paper.form.shows is Shows.CHEQUES:
        has_no_room = _lacks_room(paper, paper.notes) and _beside(paper) is None
    return paper.differs or has_no_room or said > NOTES_MAX_CHARS or lines > LINES_MAX


def _pages(paper: SlipPaper, part: Part) -> list[SlipPaper]:
    """Return a slip as the pages that its facts take: what one has no room for is on the next.

    Each page has the signatures; notes and a patron's hand stand on the last one.
    """
    hand = PATRON_HEIGHT if paper.patron is not None else 0.0
    own = paper.part_notes.get(part.name)
    room = WHOLE_BODY_HEIGHT - hand - notes_height((own, *paper.notes) if own else paper.notes)
    if paper.form.shows is not Shows.FACTS or facts_height(paper.facts) <= room:
        return [paper]
    chunks: list[tuple[Note, ...]] = [()]
    for fact in paper.facts:
        if facts_height((*chunks[-1], fact)) > room:
            chunks.append(())
        chunks[-1] = (*chunks[-1], fact)
    more = [replace(paper, facts=chunk, notes=(), part_notes={}, patron=None) for chunk in chunks]
    return [*more[:-1], replace(paper, facts=chunks[-1])]


def _lacks_room(paper: SlipPaper, notes: Sequence[Note]) -> bool:
    """Tell whether notes would be set smaller between the cheques and a patron's hand."""
    room: float = BODY_HEIGHT - PATRON_HEIGHT
    above = cheques_height(paper, BODY_HEIGHT, share=TABLE_SHARE) + 5
    return above + notes_height(notes) > room


def _beside(paper: SlipPaper) -> Note | None:
    """Return the note that stands under the signatures: what a patron promises is never squeezed.

    It is the longest one, where half a page has no room for it under the cheques.
    """
    if paper.patron is None or paper.form.shows is not Shows.CHEQUES or not paper.notes:
        return None
    if not _lacks_room(paper, paper.notes):
        return None
    longest = max(paper.notes, key=lambda note: len(note.text))
    others = [note for note in paper.notes if note is not longest]
    fits = signatures_height(paper.groups) + _beside_height(longest) <= BODY_HEIGHT
    return longest if fits and not longest.is_grave and not _lacks_room(paper, others) else None


def _beside_height(note: Note) -> float:
    lines = len(wrapped(printable(note.text), NOTE, RIGHT_WIDTH))
    return NOTE_HEIGHT + lines * NOTE.size * LEADING + 6


def notes_height(notes: Sequence[Note]) -> float:
    """Return how high notes stand when they are set in their own size."""
    height = 0.0
    for note in notes:
        inset = 6.0 if note.is_grave else 0.0
        width = LEFT_WIDTH - 2 * inset
        text = printable(note.text)
        room = width - width_of(printable(note.heading), Type(BOLD, 8)) - 4
        height += NOTE_HEIGHT + 1.5 * inset
        if width_of(text, NOTE) > room:
            height += len(wrapped(text, NOTE, width)) * NOTE.size * LEADING
    return height


def _draw_part(
    sheet: Sheet, paper: SlipPaper, part: Part, number: int, box: Box, page: str
) -> None:
    # Marks lie under the text, so that every figure and name can be read through them.
    body = Box(
        box.x,
        box.y + HEAD_HEIGHT + IDS_HEIGHT,
        box.width,
        box.height - HEAD_HEIGHT - IDS_HEIGHT - FOOT_HEIGHT,
    )
    if part.stock in _TINTS:
        sheet.canvas.setFillColor(HexColor(_TINTS[part.stock]))
        sheet.canvas.rect(0, PAGE_HEIGHT - box.bottom, 18, box.height, stroke=0, fill=1)
    if paper.issue.copy is None:
        sheet.stamp(body, VIEWING_MARK, size=30, angle=-20, grey=0.55, weight=0.8)
    if paper.mark:
        sheet.stamp(body, paper.mark, size=185, angle=20, grey=0.64, weight=2)
    _draw_head(sheet, paper, part, number, box)
    _draw_ids(sheet, paper, box.y + HEAD_HEIGHT)
    if part.layout is Layout.LID:
        draw_lid(sheet, paper, body)
    elif part.layout is Layout.PLACARD:
        draw_placard(sheet, paper, body)
    else:
        _draw_left(sheet, paper, part, Box(body.x, body.y, LEFT_WIDTH, body.height))
        _draw_right(sheet, paper, Box(body.right - RIGHT_WIDTH, body.y, RIGHT_WIDTH, body.height))
    _draw_foot(sheet, paper, part, Box(box.x, body.bottom, box.width, FOOT_HEIGHT), page)


def _draw_left(sheet: Sheet, paper: SlipPaper, part: Part, box: Box) -> None:
    shows = paper.form.shows
    own = paper.part_notes.get(part.name)
    beside = _beside(paper)
    below = [note for note in paper.notes if note is not beside]
    notes = (own, *below) if own else below
    if shows is Shows.FACTS:
        y = draw_facts(sheet, paper.facts, box)
    elif shows is Shows.FIGURES:
        y = draw_figures(sheet, paper.figures, box)
    elif shows is Shows.TRAY:
        y = draw_cheques(sheet, paper, box, share=TABLE_SHARE_BESIDE_TRAY)
        held = {cents: paper.cheques.get(cents, 0) for cents in (*paper.cheques, *paper.colours)}
        # The tray takes what the notes leave, and is never too small to be told.
        left = box.bottom - y - 9 - notes_height(notes)
        tray = Box(box.x, y + 4, box.width, min(max(left, TRAY_HEIGHT_MIN), TRAY_HEIGHT_MAX))
        draw_tray(sheet, held, tray)
        y = tray.bottom
    else:
        y = draw_cheques(sheet, paper, box, share=TABLE_SHARE)
    bottom = box.bottom
    if paper.patron is not None:
        bottom -= PATRON_HEIGHT
        _draw_patron(sheet, paper.patron, Box(box.x, bottom, box.width, PATRON_HEIGHT))
    _draw_notes(sheet, notes, Box(box.x, y + 5, box.width, bottom - y - 5))


def _draw_right(sheet: Sheet, paper: SlipPaper, box: Box) -> None:
    beside = _beside(paper)
    if beside is None:
        draw_signatures(sheet, paper.groups, box)
        return
    height = _beside_height(beside)
    draw_signatures(sheet, paper.groups, Box(box.x, box.y, box.width, box.height - height))
    _draw_notes(sheet, (beside,), Box(box.x, box.bottom - height, box.width, height))


def _draw_patron(sheet: Sheet, patron: PatronHand, box: Box) -> None:
    """Draw the line that a patron signs on, with what they drew on the tablet."""
    line = box.bottom - 12
    sheet.handwriting(patron.strokes, Box(box.x + 4, box.y, box.width - 8, line - box.y))
    sheet.rule(box.x, line, box.width, weight=0.9)
    wide = sheet.text(box.x, line + 9, patron.name, Type(BOLD, 8), width=box.width / 2)
    words = f"matched with {patron.matched_with}" if patron.matched_with else "signs here"
    sheet.text(box.x + wide + 4, line + 9, f"· patron, {words}", LABEL, width=box.width - wide - 8)


def _draw_head(sheet: Sheet, paper: SlipPaper, part: Part, number: int, box: Box) -> None:
    qr_x = box.right - QR_SIZE
    sheet.qr(qr_x, box.y, QR_SIZE, part.code(paper.serial))
    serial_right = qr_x - 14
    name = f"{part.name} · {part.stock}" if part.stock else part.name
    tag = sheet.tag(serial_right, box.y + 1, name.upper(), inverse=number > 0)
    if paper.issue.is_reprint:
        words = f"REPRINT · COPY {paper.issue.copy}"
        tag = sheet.tag(tag.x - 6, box.y + 1, words, inverse=True)
    if paper.is_late:
        tag = sheet.tag(tag.x - 6, box.y + 1, "LATE", inverse=True)
    serial_width = 190.0
    sheet.text(
        serial_right,
        box.y + 43,
        paper.serial,
        Type(BOLD, 23, tracking=0.4),
        align=Align.RIGHT,
        width=serial_width,
    )
    room = min(serial_right - serial_width - 10, tag.x - 10) - box.x
    title = part.title or paper.title
    sheet.text(box.x, box.y + 24, title.upper(), Type(BOLD, 27), width=room, smallest=12)
    sheet.text(box.x, box.y + 40, paper.property_name, Type(size=10.5), width=room)
    sheet.text(box.x, box.y + 50, paper.form.caption, LABEL)
    sheet.rule(box.x, box.y + HEAD_HEIGHT - 1, box.width, weight=1.4)


def _draw_ids(sheet: Sheet, paper: SlipPaper, y: float) -> None:
    fields = [
        ("Gaming day", f"{paper.gaming_day:%b %-d, %Y}", 76),
        ("Date", f"{paper.raised_at:%b %-d, %Y}", 76),
        ("Time", f"{paper.raised_at:%H:%M:%S} {zone_name(paper.raised_at)}", 84),
        ("Shift", paper.shift, 62),
    ]
    if paper.table:
        fields += [("Pit", paper.pit, 56), ("Table", paper.table, 62)]
        if paper.opening:
            fields.append(("Opening of the day", f"No. {paper.opening}", 68))
        fields.append(("Game", paper.game, 114))
    stretch = min(1.0, WIDTH / sum(width for _, _, width in fields))
    x = MARGIN
    for label, value, width in fields:
        sheet.text(x, y + 11, label, LABEL, width=width * stretch - 6)
        sheet.text(x, y + 23, value or "–", VALUE, width=width * stretch - 8)
        x += width * stretch


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


def _draw_foot(sheet: Sheet, paper: SlipPaper, part: Part, box: Box, page: str) -> None:
    wide = sheet.text(box.x, box.y + 15, f"{part.name}:", Type(BOLD, 8))
    sheet.text(box.x + wide + 3, box.y + 15, part.goes, Type(size=8))
    issue = paper.issue
    if issue.copy is None:
        made = f"Shown to {issue.by} on {written_at(issue.at)}. {VIEWING_MARK.capitalize()}."
    else:
        made = f"Printed by {issue.by} on {written_at(issue.at)}, copy {issue.copy}."
    words = f"Signed electronically in Pitboss. {made}{page}"
    sheet.text(box.x, box.y + 25, words, FINE, width=box.width)
