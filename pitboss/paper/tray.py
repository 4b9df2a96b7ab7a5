"""The tray on paper: tubes of cheques seen from the dealer's side, a spacer at every twenty.

A black-and-white printer leaves the stripes that the edge spots make, the letter and the number.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from reportlab.lib.colors import HexColor

from pitboss.paper.lettering import BOLD, Type
from pitboss.paper.sheet import PAGE_HEIGHT, Align, Box, Sheet
from pitboss.paper.swatches import LOOKS, draw_swatch, spot_colour
from pitboss.rules.cheques.cheques import BY_CENTS, STACK_CHEQUES, TUBE_CHEQUES, ordered, outward

TUBES_MAX = 20
HAIR_CHEQUES = 5
_LABEL_HEIGHT = 25.0
_PITCH_MAX = 34.0


@dataclass(frozen=True, slots=True)
class PrintedTube:
    """One tube: its color, what lies in it, and how many tubes it stands for."""

    cents: int
    held: int
    stands_for: int = 1


def laid_out(held: Mapping[int, int]) -> list[PrintedTube]:
    """Lay a tray out as it stands before the dealer: the highest color in the middle.

    >>> [(tube.cents, tube.held) for tube in laid_out({10_000: 70, 2_500: 5, 500: 0})]
    [(500, 0), (10000, 10), (10000, 60), (2500, 5)]
    """
    tubes = [tube for cents in ordered(held) for tube in _tubes_of(cents, held[cents])]
    if len(tubes) > TUBES_MAX:
        # More than a page can show: one tube a color, with the number of tubes below it.
        tubes = [
            PrintedTube(cents, held[cents], max(1, -(-held[cents] // TUBE_CHEQUES)))
            for cents in ordered(held)
        ]
    return outward(tubes)


def _tubes_of(cents: int, held: int) -> list[PrintedTube]:
    counts = [min(TUBE_CHEQUES, held - start) for start in range(0, held, TUBE_CHEQUES)]
    return [PrintedTube(cents, count) for count in counts or [0]]


def draw_tray(sheet: Sheet, held: Mapping[int, int], box: Box) -> None:
    """Draw a tray as wide as its box allows; beneath each tube its letter and its count."""
    tubes = laid_out(held)
    if not tubes:
        return
    pitch = min(_PITCH_MAX, box.width / len(tubes))
    well = Box(box.x, box.y, pitch * len(tubes), box.height - _LABEL_HEIGHT)
    sheet.frame(well, weight=0.9)
    for place, tube in enumerate(tubes):
        column = Box(well.x + place * pitch, well.y, pitch, well.height)
        if place:
            _draw_wall(sheet, column)
        _draw_tube(sheet, tube, column)
        middle = column.x + pitch / 2
        radius = min(6.6, pitch * 0.34)
        draw_swatch(sheet, middle, well.bottom + 8.6, radius, cheque=BY_CENTS[tube.cents])
        words = f"{tube.held:,}"
        if tube.stands_for > 1:
            words = f"{tube.held:,} in {tube.stands_for:,}"
        sheet.text(
            middle, box.bottom - 2, words, Type(BOLD, 7), align=Align.MIDDLE, width=pitch - 1
        )


def _draw_wall(sheet: Sheet, column: Box) -> None:
    sheet.canvas.setStrokeGray(0.55)
    sheet.canvas.setLineWidth(0.5)
    sheet.canvas.line(column.x, PAGE_HEIGHT - column.y, column.x, PAGE_HEIGHT - column.bottom)


def _draw_tube(sheet: Sheet, tube: PrintedTube, column: Box) -> None:
    """Draw the cheques of a tube from its lower end upwards."""
    spacer = 1.6
    cheque = (column.height - 3 - 3 * spacer) / TUBE_CHEQUES
    width = column.width - 4
    y = column.bottom - 1
    for start in range(0, min(tube.held, TUBE_CHEQUES), STACK_CHEQUES):
        count = min(STACK_CHEQUES, tube.held - start)
        y -= count * cheque
        _draw_stack(sheet, tube.cents, Box(column.x + 2, y, width, count * cheque), cheque)
        if count == STACK_CHEQUES:
            sheet.fill(Box(column.x + 1, y - spacer, width + 2, spacer), grey=0)
            y -= spacer


def _draw_stack(sheet: Sheet, cents: int, box: Box, cheque: float) -> None:
    """Draw up to twenty cheques on their edges, with the stripes that their spots make."""
    look = LOOKS[BY_CENTS[cents].colour]
    canvas = sheet.canvas
    bottom = PAGE_HEIGHT - box.bottom
    canvas.setFillColor(HexColor(look.body))
    canvas.rect(box.x, bottom, box.width, box.height, stroke=0, fill=1)
    canvas.setFillColor(HexColor(spot_colour(BY_CENTS[cents])))
    # Half of the edge is seen, and on it half of the spots.
    seen = max(1, look.spots // 2)
    stripe = box.width * min(0.4, look.spot_degrees / 220)
    for number in range(seen):
        x = box.x + box.width * (number + 0.5) / seen - stripe / 2
        canvas.rect(x, bottom, stripe, box.height, stroke=0, fill=1)
    # A hair at every five, as cheques are cut: one at each would hide the colours.
    canvas.setStrokeGray(0.3)
    canvas.setLineWidth(0.25)
    for edge in range(HAIR_CHEQUES, round(box.height / cheque), HAIR_CHEQUES):
        canvas.line(box.x, bottom + edge * cheque, box.right, bottom + edge * cheque)
    sheet.frame(box, weight=0.4)
