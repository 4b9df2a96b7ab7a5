"""A signature drawn by hand: read from a tablet, kept as strokes, drawn again as it was.

Points lie on a sheet of 1000 by 300, whatever the size of the tablet that they were drawn on.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from pitboss.rules.refusal import refuse

DRAWN: Final = "drawn"
WIDTH: Final = 1_000
HEIGHT: Final = 300
# A dot or a dash is no signature; more points than this no hand makes.
POINTS_LEAST: Final = 8
POINTS_MAX: Final = 4_000
# Less wide than this it is a slip of the finger.
SPAN_LEAST: Final = 60

Stroke = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Drawn:
    """What someone drew, and the paper on file that they were matched with."""

    strokes: tuple[Stroke, ...]
    # Which paper on file the signer says they compared; none when no one said that they match.
    document_id: int | None = None
    # That paper in words, as the file has it: “passport …5678”.
    matched_with: str = ""

    def stored(self) -> dict[str, Any]:
        """Return it as a signature's row keeps it."""
        return {
            "strokes": [[list(point) for point in stroke] for stroke in self.strokes],
            "matched_with": self.matched_with,
            "document": self.document_id,
        }


def read_strokes(text: str) -> tuple[Stroke, ...]:
    """Return what a tablet sent: strokes of points as JSON; none of an empty text. Raises Refused.

    >>> read_strokes("[[[0,0],[50,10],[90,40]],[[100,5],[150,60],[200,0],[250,70],[300,20]]]")[0]
    ((0, 0), (50, 10), (90, 40))
    """
    if not text.strip():
        return ()
    try:
        raw = json.loads(text)
    except (ValueError, RecursionError):
        raw = None
    if not isinstance(raw, list) or not all(_is_stroke(stroke) for stroke in raw):
        raise refuse(
            "drawing_malformed", "The drawing didn’t arrive whole. Ask them to sign again."
        )
    strokes = tuple(tuple((x, y) for x, y in stroke) for stroke in raw if stroke)
    points = [point for stroke in strokes for point in stroke]
    if len(points) > POINTS_MAX:
        raise refuse("drawing_malformed", "The drawing is too long. Ask them to sign again.")
    span = max((x for x, _ in points), default=0) - min((x for x, _ in points), default=0)
    if len(points) < POINTS_LEAST or span < SPAN_LEAST:
        raise refuse("drawing_too_small", "That isn’t a signature yet. Ask them to sign again.")
    return strokes


def _is_stroke(raw: object) -> bool:
    return isinstance(raw, list) and all(
        isinstance(point, list)
        and len(point) == 2
        and all(isinstance(item, int) and not isinstance(item, bool) for item in point)
        and 0 <= point[0] <= WIDTH
        and 0 <= point[1] <= HEIGHT
        for point in raw
    )


def svg_path(stored: Mapping[str, Any]) -> str:
    """Return the path that draws a kept signature again.

    >>> svg_path({"strokes": [[[0, 10], [20, 30]], [[5, 5]]]})
    'M0 10L20 30M5 5L5 5'
    """
    return "".join(
        "M" + "L".join(f"{x} {y}" for x, y in (stroke if len(stroke) > 1 else stroke * 2))
        for stroke in stored["strokes"]
    )
