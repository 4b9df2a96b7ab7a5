"""A placard: the limits of a table, to be read across it."""

from __future__ import annotations

from pitboss.paper.content import SlipPaper
from pitboss.paper.lettering import BOLD, Type
from pitboss.paper.sheet import Box, Sheet


def draw_placard(sheet: Sheet, paper: SlipPaper, box: Box) -> None:
    """Draw the table and what its sign says as large as they can be, and from when on."""
    sign, effective = paper.facts[0].text, paper.facts[1].text
    sheet.text(box.x, box.y + 46, paper.table, Type(BOLD, 46), width=box.width, smallest=20)
    sheet.text(box.x, box.y + 68, paper.game, Type(size=15), width=box.width, smallest=9)
    sheet.rule(box.x, box.y + 80, box.width, weight=1.2)
    sheet.text(box.x, box.y + 150, sign, Type(BOLD, 64), width=box.width, smallest=24)
    sheet.text(box.x, box.y + 180, effective, Type(size=15), width=box.width, smallest=9)
