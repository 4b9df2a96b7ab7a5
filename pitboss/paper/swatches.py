"""Cheques as they are drawn on paper: told by colour, by edge spots and by letter.

A black-and-white printer leaves the last two, and so does a reader who cannot tell the colours.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from reportlab.lib.colors import HexColor, black, white

from pitboss.paper.lettering import BOLD, Type
from pitboss.paper.sheet import PAGE_HEIGHT, Align, Sheet


@dataclass(frozen=True, slots=True)
class Look:
    """The face of a cheque: its body, its edge spots, how many of them and how wide in degrees."""

    body: str
    spot: str
    spots: int
    spot_degrees: int


# The same colours and spots as on the screens.
LOOKS: Mapping[int, Look] = {
    25: Look("#2f63bf", "#ffffff", 3, 40),
    100: Look("#f0eee5", "#5b74a6", 4, 26),
    250: Look("#f2a6c1", "#7a1f44", 5, 14),
    500: Look("#c22c33", "#ffffff", 6, 24),
    2_500: Look("#17773f", "#f3f0e4", 8, 18),
    10_000: Look("#17181a", "#f3f0e4", 12, 9),
    50_000: Look("#6a3cb0", "#f5d34c", 4, 45),
    100_000: Look("#ec8226", "#2a1503", 9, 12),
    500_000: Look("#959ba0", "#1a1c1e", 2, 70),
    2_000_000: Look("#0a747a", "#ffe9a8", 15, 12),
}


def draw_swatch(
    sheet: Sheet, x: float, y: float, radius: float, *, cents: int, letter: str
) -> None:
    """Draw a cheque seen from above, its middle at x and y, its letter on white."""
    look = LOOKS[cents]
    canvas = sheet.canvas
    middle = PAGE_HEIGHT - y
    canvas.setLineWidth(0.5)
    canvas.setStrokeColor(black)
    canvas.setFillColor(HexColor(look.body))
    canvas.circle(x, middle, radius, stroke=1, fill=1)
    canvas.setFillColor(HexColor(look.spot))
    for number in range(look.spots):
        start = 90 - look.spot_degrees / 2 + 360 / look.spots * number
        canvas.wedge(
            x - radius,
            middle - radius,
            x + radius,
            middle + radius,
            start,
            look.spot_degrees,
            stroke=0,
            fill=1,
        )
    canvas.circle(x, middle, radius, stroke=1, fill=0)
    canvas.setFillColor(white)
    canvas.circle(x, middle, radius * 0.62, stroke=1, fill=1)
    size = radius * math.sqrt(0.72)
    sheet.text(x, y + size * 0.355, letter, Type(BOLD, size), align=Align.MIDDLE)
