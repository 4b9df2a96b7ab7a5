"""Labels for sets of cards: a sheet of them, each with a code that a tablet scans."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from pitboss.paper.lettering import BOLD, Type
from pitboss.paper.sheet import PAGE_HEIGHT, PAGE_WIDTH, Box, Sheet

# Three columns of ten, as address labels are cut.
COLUMNS: Final = 3
ROWS: Final = 10
LABELS_A_PAGE: Final = COLUMNS * ROWS
_MARGIN_X: Final = 14.0
_MARGIN_Y: Final = 36.0
_WIDTH: Final = (PAGE_WIDTH - 2 * _MARGIN_X) / COLUMNS
_HEIGHT: Final = (PAGE_HEIGHT - 2 * _MARGIN_Y) / ROWS


@dataclass(frozen=True, slots=True)
class Label:
    """What stands on the label of one set."""

    number: str
    colour: str
    decks: int
    cards: int
    lot: str


def draw_labels(labels: Sequence[Label]) -> bytes:
    """Return a PDF with a label for each set, thirty a page."""
    sheet = Sheet(
        title="Labels of card sets",
        author="Pitboss",
        subject=", ".join(label.number for label in labels)[:200],
    )
    for index, label in enumerate(labels):
        place = index % LABELS_A_PAGE
        if index and place == 0:
            sheet.end_page()
        row, column = divmod(place, COLUMNS)
        _draw(
            sheet,
            label,
            Box(_MARGIN_X + column * _WIDTH, _MARGIN_Y + row * _HEIGHT, _WIDTH, _HEIGHT),
        )
    sheet.end_page()
    return sheet.finished()


def _draw(sheet: Sheet, label: Label, box: Box) -> None:
    """Draw one label: the code on the left, the words beside it."""
    side = box.height - 20
    sheet.qr(box.x + 8, box.y + 10, side, label.number)
    x = box.x + 8 + side + 10
    width = box.right - x - 6
    sheet.text(x, box.y + 26, label.number, Type(BOLD, 15), width=width)
    decks = "1 deck" if label.decks == 1 else f"{label.decks} decks"
    sheet.text(x, box.y + 41, f"{label.colour.upper()} backs, {decks}", Type(size=8.5), width=width)
    sheet.text(x, box.y + 53, f"{label.cards} cards, lot {label.lot}", Type(size=8.5), width=width)
