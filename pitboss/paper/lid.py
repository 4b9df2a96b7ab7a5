"""The next opener: it lies in the locked tray and is read from outside, through the lid."""

from __future__ import annotations

from pitboss.paper.content import SlipPaper
from pitboss.paper.lettering import BOLD, Type
from pitboss.paper.sheet import Align, Box, Sheet
from pitboss.paper.signature_lines import draw_signature_strip
from pitboss.paper.swatches import draw_swatch
from pitboss.rules.cheques.cheques import BY_CENTS, format_money, ordered, total_cents
from pitboss.rules.cheques.keys import worth_of

_LABEL = Type(size=8, grey=0.2)


def draw_lid(sheet: Sheet, paper: SlipPaper, box: Box) -> None:
    """Draw table, total and every denomination as large as they can be; signatures below."""
    strip_height = 40.0 * max(1, -(-sum(len(group.lines) for group in paper.groups) // 4))
    sheet.text(box.x, box.y + 9, "Table", _LABEL)
    sheet.text(box.x, box.y + 56, paper.table, Type(BOLD, 58), width=230, smallest=20)
    sheet.text(box.right, box.y + 9, "In the tray", _LABEL, align=Align.RIGHT)
    total = format_money(total_cents(paper.cheques))
    sheet.text(
        box.right, box.y + 56, total, Type(BOLD, 50), align=Align.RIGHT, width=295, smallest=16
    )
    top = box.y + 68
    sheet.rule(box.x, top, box.width, weight=1.2)
    held = {*paper.cheques, *paper.colours}
    grid = Box(box.x, top + 3, box.width, box.bottom - strip_height - top - 9)
    _draw_grid(sheet, paper, ordered(held), grid)
    sheet.rule(box.x, box.bottom - strip_height - 4, box.width, weight=0.8)
    strip = Box(box.x, box.bottom - strip_height, box.width, strip_height)
    draw_signature_strip(sheet, paper.groups, strip)


def _draw_grid(sheet: Sheet, paper: SlipPaper, denominations: list[int], box: Box) -> None:
    """Draw the denominations in two columns, the highest first, down and then across."""
    a_column = max(1, -(-len(denominations) // 2))
    height = min(30.0, box.height / a_column)
    size = min(17.0, height * 0.66)
    width = box.width / 2
    for place, cents in enumerate(denominations):
        column, row = divmod(place, a_column)
        x, middle = box.x + column * (width + 8), box.y + (row + 0.5) * height
        cheque, count = BY_CENTS[cents], paper.cheques.get(cents, 0)
        radius = height * 0.42
        draw_swatch(sheet, x + 14, middle, radius, cheque=cheque)
        base = middle + size * 0.36
        sheet.text(x + 34, base, cheque.value, Type(BOLD, size), width=62)
        sheet.text(x + 146, base, f"{count:,}", Type(BOLD, size), align=Align.RIGHT, width=48)
        amount = format_money(worth_of(cents) * count)
        sheet.text(
            x + width - 10, base, amount, Type(size=size * 0.9), align=Align.RIGHT, width=106
        )
