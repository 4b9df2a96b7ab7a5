"""The lines to sign on: down the side of a slip, or in a strip along the foot of a lid's paper."""

from __future__ import annotations

from collections.abc import Sequence

from pitboss.paper.content import SignatureGroup, SignatureLine, written_at
from pitboss.paper.lettering import BOLD, Type, printable, wrapped
from pitboss.paper.sheet import Align, Box, Sheet

LABEL = Type(size=6.6, grey=0.3)
FINE = Type(size=6.4, grey=0.2)
HINT = Type(size=5.6, grey=0.45)
TO_SIGN = "initial, name, license · date, time"
NEVER_SIGNED = "not signed"

_HEADING_HEIGHT = 13.0
# Less than this and a line's step stands in the name above it.
_LINE_HEIGHT_MIN = 22.0
_NO_BREAK = "\u00a0"


def signatures_height(groups: Sequence[SignatureGroup]) -> float:
    """Return how low all the lines can stand and still be told apart."""
    count = sum(len(group.lines) for group in groups)
    return _HEADING_HEIGHT * len(groups) + _LINE_HEIGHT_MIN * count


def draw_signatures(
    sheet: Sheet, groups: Sequence[SignatureGroup], box: Box, hint: str = "hash of what was shown"
) -> None:
    """Draw every line of every track, one below the other; `hint` says what stands at its end."""
    count = sum(len(group.lines) for group in groups)
    line_height = min(41.0, (box.height - _HEADING_HEIGHT * len(groups)) / max(count, 1))
    y = box.y
    for group in groups:
        sheet.fill(Box(box.x, y, box.width, _HEADING_HEIGHT), grey=0.91)
        sheet.text(box.x + 6, y + 9, group.heading, Type(BOLD, 7))
        sheet.text(box.right - 6, y + 9, hint, HINT, align=Align.RIGHT)
        y += _HEADING_HEIGHT
        sheet.rule(box.x, y, box.width, weight=0.8)
        for line in group.lines:
            _draw_signature(sheet, line, Box(box.x, y, box.width, line_height))
            y += line_height


def _draw_signature(sheet: Sheet, line: SignatureLine, box: Box) -> None:
    is_empty = line.signed_as is None and not line.is_closed
    sheet.rule(box.x, box.bottom, box.width, weight=0.9 if is_empty else 0.5)
    # A line still to be signed keeps its room for a pen; a signed one stands in the middle.
    label_base = box.y + (8.5 if is_empty else max(8.0, (box.height - 21) / 2 + 5.5))
    step_width = sheet.text(box.x + 2, label_base, line.step, Type(BOLD, 6.8))
    # A signed line has its time at the right end.
    room = box.width - 7 - step_width - (98 if line.signed_at else 0)
    sheet.text(box.x + 5 + step_width, label_base, line.role, LABEL, width=room)
    if line.signed_as is None:
        base = label_base + 12.5 if line.is_closed else box.bottom - 4
        if line.is_closed:
            sheet.rule(box.x + 2, base - 2, box.width - 38, weight=0.5, grey=0.4)
        sheet.text(box.right - 2, base, _hint(line), HINT, align=Align.RIGHT)
        return
    base = label_base + 12.5
    if line.signed_at is not None:
        when = written_at(line.signed_at)
        sheet.text(box.right - 2, label_base, when, Type(size=6.8), align=Align.RIGHT)
    hash_width = sheet.text(box.right - 2, base, _short(line.shown_hash), FINE, align=Align.RIGHT)
    _draw_name(sheet, line.signed_as, box.x + 2, base, box.width - hash_width - 10)


def draw_signature_strip(sheet: Sheet, groups: Sequence[SignatureGroup], box: Box) -> None:
    """Draw the lines side by side, four to a row."""
    lines = [line for group in groups for line in group.lines]
    a_row = min(4, max(1, len(lines)))
    rows = -(-len(lines) // a_row)
    height = box.height / max(1, rows)
    width = box.width / a_row
    for place, line in enumerate(lines):
        row, column = divmod(place, a_row)
        x, y = box.x + column * width, box.y + row * height
        room = width - 10
        step_width = sheet.text(x, y + 8, line.step, Type(BOLD, 6.8), width=room)
        sheet.text(x + 3 + step_width, y + 8, line.role, LABEL, width=room - 3 - step_width)
        if line.signed_as is None:
            sheet.rule(x, y + height - 9, room, weight=0.7 if not line.is_closed else 0.4)
            sheet.text(x, y + height - 3, _hint(line), HINT, width=room)
            continue
        _draw_name(sheet, line.signed_as, x, y + 19, room)
        if line.signed_at is not None:
            sheet.text(x, y + 28, written_at(line.signed_at), FINE, width=room)


def _hint(line: SignatureLine) -> str:
    return NEVER_SIGNED if line.is_closed else TO_SIGN


def _short(shown_hash: str) -> str:
    shown = shown_hash[:16]
    return " ".join(shown[at : at + 4] for at in range(0, len(shown), 4))


def _draw_name(sheet: Sheet, name: str, x: float, base: float, width: float) -> None:
    """Set a signature on one line or two: the license number at its end is never lost."""
    small = Type(BOLD, 6.4)
    # A name too long for a line is broken where the line ends, not after its initial.
    first, *rest = wrapped(printable(name).replace(" ", _NO_BREAK), small, width)
    if not rest:
        sheet.text(x, base, name, Type(BOLD, 10.5), width=width, smallest=small.size)
        return
    sheet.text(x, base - 4.6, first, small, width=width)
    sheet.text(x, base + 2.2, "".join(rest), small, width=width)
