"""Blank forms for an outage: every part of a form, its printed number, and room to write and sign.

Two parts stand on a page, as those of a slip do, and a form begins a page of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import Final

from pitboss.paper.content import SignatureGroup, SignatureLine
from pitboss.paper.forms import OnPaper, Part
from pitboss.paper.lettering import BOLD, Type
from pitboss.paper.sheet import PAGE_HEIGHT, Align, Box, Sheet
from pitboss.paper.signature_lines import FINE, LABEL, draw_signatures
from pitboss.paper.slip import (
    COLUMN_GAP,
    FOOT_HEIGHT,
    GUTTER,
    HALF_HEIGHT,
    HEAD_HEIGHT,
    IDS_HEIGHT,
    MARGIN,
    QR_SIZE,
    RIGHT_WIDTH,
    TOP,
    VIEWING_MARK,
    WIDTH,
)
from pitboss.rules.cheques.cheques import BY_CENTS, ordered
from pitboss.rules.day.outages import form_number

_IDS: Final = ("Date", "Time", "Gaming day", "Shift", "Pit", "Table")
_LINE_HEIGHT: Final = 24.0
_WRITES_OVER_CHEQUES: Final = 3


@dataclass(frozen=True, slots=True)
class FormPack:
    """A pack of forms to be drawn."""

    pack: str
    property_name: str
    holder: str
    on_paper: OnPaper
    numbers: tuple[int, ...]
    # Once it was handed over it can be looked at, and no further form comes out of it.
    is_real: bool


def draw_pack(pack: FormPack) -> bytes:
    """Draw every form of a pack, with all its parts, and return the PDF."""
    sheet = Sheet(
        title=f"{pack.on_paper.title} forms {pack.pack}",
        author=pack.property_name,
        subject=f"{len(pack.numbers)} forms for {pack.holder}",
    )
    for number in pack.numbers:
        y = TOP
        for place, part in enumerate(pack.on_paper.form.parts):
            if place and place % 2 == 0:
                sheet.end_page()
                y = TOP
            if y == TOP:
                sheet.cut_line(PAGE_HEIGHT / 2)
            _draw_part(sheet, pack, number, part, Box(MARGIN, y, WIDTH, HALF_HEIGHT))
            y += HALF_HEIGHT + GUTTER
        sheet.end_page()
    return sheet.finished()


def _draw_part(sheet: Sheet, pack: FormPack, number: int, part: Part, box: Box) -> None:
    body = Box(
        box.x,
        box.y + HEAD_HEIGHT + IDS_HEIGHT,
        box.width,
        box.height - HEAD_HEIGHT - IDS_HEIGHT - FOOT_HEIGHT,
    )
    if not pack.is_real:
        sheet.stamp(body, VIEWING_MARK, size=30, angle=-20, grey=0.55, weight=0.8)
    _draw_head(sheet, pack, form_number(pack.on_paper.code, number), part, box)
    _draw_ids(sheet, Box(box.x, box.y + HEAD_HEIGHT, box.width, IDS_HEIGHT))
    left = Box(body.x, body.y, body.width - RIGHT_WIDTH - COLUMN_GAP, body.height - 4)
    # Rows of cheques that a hand can write in are left below many lines only beside each other.
    is_crowded = pack.on_paper.has_cheques and len(pack.on_paper.writes) > _WRITES_OVER_CHEQUES
    bottom = _draw_writes(sheet, pack.on_paper.writes, left, columns=2 if is_crowded else 1)
    if pack.on_paper.has_cheques:
        _draw_cheques(sheet, Box(left.x, bottom, left.width, left.bottom - bottom))
    lines = tuple(SignatureLine(step, role) for step, role in pack.on_paper.signers)
    right = Box(body.right - RIGHT_WIDTH, body.y, RIGHT_WIDTH, body.height - 4)
    draw_signatures(sheet, [SignatureGroup("Sign here", lines)], right, "in this order")
    wide = sheet.text(box.x, body.bottom + 15, f"{part.name}:", Type(BOLD, 8))
    sheet.text(box.x + wide + 3, body.bottom + 15, part.goes, Type(size=8))
    words = (
        f"Pack {pack.pack}, issued to {pack.holder}. Use in a declared outage only. Return every "
        "form to accounting: used, void, or unused."
    )
    sheet.text(box.x, body.bottom + 25, words, FINE, width=box.width)


def _draw_head(sheet: Sheet, pack: FormPack, number: str, part: Part, box: Box) -> None:
    qr_x = box.right - QR_SIZE
    sheet.qr(qr_x, box.y, QR_SIZE, part.code(number))
    right = qr_x - 14
    name = f"{part.name} · {part.stock}" if part.stock else part.name
    tag = sheet.tag(right, box.y + 1, name.upper())
    tag = sheet.tag(tag.x - 6, box.y + 1, "OUTAGE", inverse=True)
    sheet.text(
        right, box.y + 43, number, Type(BOLD, 21, tracking=0.4), align=Align.RIGHT, width=200
    )
    room = min(right - 210, tag.x - 10) - box.x
    title = part.title or pack.on_paper.title
    sheet.text(box.x, box.y + 24, title.upper(), Type(BOLD, 25), width=room, smallest=12)
    sheet.text(box.x, box.y + 40, pack.property_name, Type(size=10.5), width=room)
    sheet.text(box.x, box.y + 50, pack.on_paper.form.caption, LABEL)
    sheet.rule(box.x, box.y + HEAD_HEIGHT - 1, box.width, weight=1.4)


def _draw_ids(sheet: Sheet, box: Box) -> None:
    width = box.width / len(_IDS)
    for place, label in enumerate(_IDS):
        x = box.x + place * width
        sheet.text(x, box.y + 10, label, LABEL)
        sheet.rule(x, box.y + 28, width - 10, weight=0.7)


def _draw_writes(sheet: Sheet, labels: tuple[str, ...], box: Box, columns: int) -> float:
    """Draw a line to write on for each label, and return where the last of them ends."""
    width, gap = box.width / columns, COLUMN_GAP if columns > 1 else 0
    for place, label in enumerate(labels):
        x, y = box.x + place % columns * width, box.y + place // columns * _LINE_HEIGHT
        sheet.text(x, y + 8, label, LABEL, width=width - gap)
        sheet.rule(x, y + _LINE_HEIGHT - 2, width - gap, weight=0.7)
    return box.y + ceil(len(labels) / columns) * _LINE_HEIGHT


def _draw_cheques(sheet: Sheet, box: Box) -> None:
    """Draw a line for each denomination: how many, and how much."""
    rows = len(BY_CENTS) + 2
    height = min(18.0, box.height / rows)
    type_ = Type(size=min(8.0, height - 3.5))
    columns = (box.x, box.x + box.width * 0.42, box.x + box.width * 0.66, box.right)
    for place, words in enumerate(("Cheque", "How many", "Amount")):
        sheet.text(columns[place], box.y + height - 4, words, LABEL)
    y = box.y + height
    sheet.rule(box.x, y, box.width, weight=0.8)
    for denomination in map(BY_CENTS.__getitem__, ordered(BY_CENTS)):
        sheet.text(box.x, y + height - 2.6, denomination.name, type_, width=columns[1] - box.x - 6)
        y += height
        sheet.rule(box.x, y, box.width, weight=0.4)
    sheet.text(box.x, y + height - 2.6, "Total", Type(BOLD, type_.size))
    sheet.rule(columns[2], y + height, columns[3] - columns[2], weight=1.2)
