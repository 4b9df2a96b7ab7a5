"""Tax forms on paper, box by box, in our own layout. They are substitutes and say so.

Two copies of a W-2G stand on a page, one of a 1042-S. What the winner declared and how they signed
stands under the boxes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from pitboss.paper.content import PatronHand
from pitboss.paper.lettering import BOLD, Type
from pitboss.paper.sheet import PAGE_HEIGHT, PAGE_WIDTH, Align, Box, Sheet
from pitboss.rules.day.zone_names import zone_name
from pitboss.rules.tax.forms import BOXES, FormCopy, FormIssue
from pitboss.rules.tax.house import Payer
from pitboss.rules.tax.tax import TaxFormName

_MARGIN = 36.0
_TOP = 28.0
_GUTTER = 20.0
_WIDTH = PAGE_WIDTH - 2 * _MARGIN
_WHOLE = PAGE_HEIGHT - 2 * _TOP
_HALF = (_WHOLE - _GUTTER) / 2
_HEAD = 46.0
_SIDE = 190.0
_TITLES = {
    TaxFormName.W2G: "Certain Gambling Winnings",
    TaxFormName.F1042S: "Foreign Person's U.S. Source Income Subject to Withholding",
}
# Whom the two blocks on the left are called by on each form.
_PARTIES = {
    TaxFormName.W2G: ("Payer", "Winner"),
    TaxFormName.F1042S: ("Withholding agent", "Recipient"),
}
# What a form calls it when it corrects an earlier one.
_CORRECTED = {TaxFormName.W2G: "CORRECTED", TaxFormName.F1042S: "AMENDED"}
_COLUMNS = {TaxFormName.W2G: 3, TaxFormName.F1042S: 4}
_LABEL = Type(size=5.6, grey=0.3)
_VALUE = Type(BOLD, 8.5)
_SMALL = Type(size=6.4)
_NOTE = (
    "Substitute form drawn by Pitboss, not the scannable one. Copy A is a working copy; "
    "it is filed electronically."
)


@dataclass(frozen=True, slots=True)
class TaxSheet:
    """All that one form says on paper. `boxes` has the numbers as this audience may read them."""

    form: TaxFormName
    tax_year: int
    issue: FormIssue
    amendment: int
    account: str
    copies: Sequence[FormCopy]
    payer: Payer
    winner: Sequence[str]
    boxes: Mapping[str, str]
    paid_on: date
    # What was declared, and by whose hand; nothing where no one had to.
    declarations: Sequence[str] = ()
    hand: PatronHand | None = None
    signed_at: datetime | None = None


def draw_tax_form(sheet: TaxSheet) -> bytes:
    """Draw every copy of a form and return the PDF."""
    pdf = Sheet(
        title=f"Form {sheet.form.value} {sheet.account}",
        author=sheet.payer.name,
        subject=f"Tax year {sheet.tax_year}",
    )
    height = _HALF if sheet.form is TaxFormName.W2G else _WHOLE
    y = _TOP
    for number, copy in enumerate(sheet.copies):
        if number and y + height > PAGE_HEIGHT - _TOP + 1:
            pdf.end_page()
            y = _TOP
        elif number:
            pdf.cut_line(y - _GUTTER / 2)
        _draw_copy(pdf, sheet, copy, Box(_MARGIN, y, _WIDTH, height))
        y += height + _GUTTER
    pdf.end_page()
    return pdf.finished()


def _draw_copy(pdf: Sheet, sheet: TaxSheet, copy: FormCopy, box: Box) -> None:
    _draw_head(pdf, sheet, copy, box)
    foot = _foot_height(sheet)
    body = Box(box.x, box.y + _HEAD, box.width, box.height - _HEAD - foot)
    pdf.frame(body, weight=0.8)
    _draw_parties(pdf, sheet, Box(body.x, body.y, _SIDE, body.height))
    grid = Box(body.x + _SIDE, body.y, body.width - _SIDE, body.height)
    _draw_boxes(pdf, sheet, grid)
    _draw_foot(pdf, sheet, Box(box.x, body.bottom, box.width, foot))
    if sheet.issue is FormIssue.VOID:
        pdf.stamp(body, "VOID", size=120, angle=18, grey=0.45)


def _draw_head(pdf: Sheet, sheet: TaxSheet, copy: FormCopy, box: Box) -> None:
    pdf.text(box.x, box.y + 20, f"Form {sheet.form.value}", Type(BOLD, 20))
    pdf.text(box.x, box.y + 33, _TITLES[sheet.form], Type(size=8.5), width=_SIDE + 60)
    x = box.x + 262
    for word, is_ticked in (
        ("VOID", sheet.issue is FormIssue.VOID),
        (_CORRECTED[sheet.form], sheet.issue is FormIssue.CORRECTED),
    ):
        tick = Box(x, box.y + 8, 8, 8)
        pdf.frame(tick, weight=0.8)
        if is_ticked:
            pdf.text(x + 4, box.y + 15, "X", Type(BOLD, 8.5), align=Align.MIDDLE)
        x += 12 + pdf.text(x + 12, box.y + 15, word, Type(size=7.5)) + 12
    number = f"Account {sheet.account}"
    if sheet.amendment:
        number = f"{number}, amendment {sheet.amendment}"
    pdf.text(box.x + 262, box.y + 33, number, _SMALL)
    pdf.text(box.right, box.y + 20, str(sheet.tax_year), Type(BOLD, 20), align=Align.RIGHT)
    copy_width = pdf.text(
        box.right - 62, box.y + 20, f"Copy {copy.name}", Type(BOLD, 12), align=Align.RIGHT
    )
    pdf.text(
        box.right, box.y + 33, copy.goes, _SMALL, align=Align.RIGHT, width=max(190, copy_width)
    )


def _draw_parties(pdf: Sheet, sheet: TaxSheet, box: Box) -> None:
    payer, winner = _PARTIES[sheet.form]
    half = box.height / 2
    blocks = (
        (payer, (sheet.payer.name, *sheet.payer.address_lines, f"TIN {sheet.payer.tin}")),
        (winner, sheet.winner),
    )
    for number, (title, lines) in enumerate(blocks):
        y = box.y + number * half
        if number:
            pdf.rule(box.x, y, box.width)
        pdf.text(box.x + 4, y + 9, f"{title}: name, address", _LABEL)
        for line, text in enumerate(lines):
            type_ = Type(BOLD, 9.5) if line == 0 else Type(size=8.5)
            pdf.text(box.x + 4, y + 22 + 12 * line, text, type_, width=box.width - 8)


def _draw_boxes(pdf: Sheet, sheet: TaxSheet, box: Box) -> None:
    names = list(BOXES[sheet.form].items())
    columns = _COLUMNS[sheet.form]
    rows = -(-len(names) // columns)
    width, height = box.width / columns, box.height / rows
    for index, (number, label) in enumerate(names):
        cell = Box(
            box.x + index % columns * width, box.y + index // columns * height, width, height
        )
        pdf.frame(cell, weight=0.4)
        wide = pdf.text(cell.x + 3, cell.y + 8, number, Type(BOLD, 6.4))
        pdf.text(cell.x + 6 + wide, cell.y + 8, label, _LABEL, width=width - wide - 9, smallest=4.4)
        pdf.text(cell.x + 4, cell.bottom - 5, sheet.boxes[number], _VALUE, width=width - 8)


def _foot_height(sheet: TaxSheet) -> float:
    if not sheet.declarations:
        return 16.0
    return 74.0 if sheet.form is TaxFormName.W2G else 96.0


def _draw_foot(pdf: Sheet, sheet: TaxSheet, box: Box) -> None:
    paid = f"Paid on {sheet.paid_on:%b %-d, %Y}. {_NOTE}"
    pdf.text(box.x, box.bottom - 2, paid, Type(size=5.8, grey=0.3), width=box.width)
    if not sheet.declarations:
        return
    words = Box(box.x, box.y + 3, box.width * 0.62, box.height - 14)
    pdf.paragraph(words, " ".join(sheet.declarations), Type(size=6.2), smallest=4.6)
    sign = Box(words.right + 14, box.y + 6, box.right - words.right - 14, box.height - 34)
    if sheet.hand is not None:
        pdf.handwriting(sheet.hand.strokes, sign)
        pdf.rule(sign.x, sign.bottom + 4, sign.width)
        assert sheet.signed_at is not None, "a hand was drawn at some time"
        at = f"{sheet.signed_at:%b %-d, %Y %H:%M} {zone_name(sheet.signed_at)}"
        signed = f"{sheet.hand.name}, signed {at}"
        pdf.text(sign.x, sign.bottom + 11, signed, _SMALL, width=sign.width)


def copies_for(copies: Iterable[FormCopy], audience: str) -> list[FormCopy]:
    """Return the copies of a form that an audience gets."""
    return [copy for copy in copies if copy.audience == audience]
