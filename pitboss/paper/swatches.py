"""Cheques as they are drawn on paper: told by color, by edge spots and by letter.

A black-and-white printer leaves the last two, and so does a reader who cannot tell the colours.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from reportlab.lib.colors import HexColor, black, white

from pitboss.paper.lettering import BOLD, Type
from pitboss.paper.sheet import PAGE_HEIGHT, Align, Sheet
from pitboss.rules.cheques.cheques import Denomination


@dataclass(frozen=True, slots=True)
class SwatchLook:
    """The face of a cheque: its body, its edge spots, how many of them and how wide in degrees."""

    body: str
    spot: str
    spots: int
    spot_degrees: int


# By color; the same colors and spots as on the screens.
LOOKS: Mapping[str, SwatchLook] = {
    "blue": SwatchLook("#2f63bf", "#ffffff", 3, 40),
    "white": SwatchLook("#f0eee5", "#5b74a6", 4, 26),
    "pink": SwatchLook("#f2a6c1", "#7a1f44", 5, 14),
    "red": SwatchLook("#c22c33", "#ffffff", 6, 24),
    "green": SwatchLook("#17773f", "#f3f0e4", 8, 18),
    "black": SwatchLook("#17181a", "#f3f0e4", 12, 9),
    "purple": SwatchLook("#6a3cb0", "#f5d34c", 4, 45),
    "orange": SwatchLook("#ec8226", "#2a1503", 9, 12),
    "gray": SwatchLook("#959ba0", "#1a1c1e", 2, 70),
    "teal": SwatchLook("#0a747a", "#ffe9a8", 15, 12),
    "brown": SwatchLook("#6f4526", "#f3d9b1", 7, 20),
    "yellow": SwatchLook("#f2cf2f", "#1b3a7a", 10, 14),
    "sky": SwatchLook("#7cc0ea", "#8a1c1c", 3, 60),
    "maroon": SwatchLook("#6d1528", "#f4e3c0", 5, 30),
    "lime": SwatchLook("#a5cf3a", "#2b4a06", 14, 8),
    "navy": SwatchLook("#1c2b5e", "#9fd0f5", 6, 34),
    "gold": SwatchLook("#c99a2b", "#3a1145", 4, 16),
    "coral": SwatchLook("#f0705a", "#123c3a", 11, 11),
    "peach": SwatchLook("#f8c9a4", "#5d2a0c", 8, 26),
    "lavender": SwatchLook("#bda7e4", "#241055", 9, 22),
    "olive": SwatchLook("#6d6f2a", "#fdf6c4", 2, 40),
    "silver": SwatchLook("#cdd2d6", "#0f5c46", 16, 10),
}


def spot_colour(cheque: Denomination) -> str:
    """Return the color of a cheque's edge spots: its set's, if the set has one of its own."""
    return LOOKS[cheque.spots].body if cheque.spots else LOOKS[cheque.colour].spot


def draw_swatch(sheet: Sheet, x: float, y: float, radius: float, *, cheque: Denomination) -> None:
    """Draw a cheque seen from above, its middle at x and y, its letter on white."""
    look = LOOKS[cheque.colour]
    canvas = sheet.canvas
    middle = PAGE_HEIGHT - y
    canvas.setLineWidth(0.5)
    canvas.setStrokeColor(black)
    canvas.setFillColor(HexColor(look.body))
    canvas.circle(x, middle, radius, stroke=1, fill=1)
    canvas.setFillColor(HexColor(spot_colour(cheque)))
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
    sheet.text(
        x,
        y + size * 0.355,
        cheque.mark,
        Type(BOLD, size if len(cheque.mark) == 1 else size * 0.7),
        align=Align.MIDDLE,
    )
