"""Letters on paper: the fonts that are embedded, and any text made fit to be set in them.

Names may hold any Unicode. What no font has is shown as a replacement sign, never left out
silently; what would act on its surroundings (controls, overrides, heaps of accents) is taken out.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

REGULAR = "Roboto"
BOLD = "Roboto-Bold"
_OTHER = "DejaVuSans"

_FONTS = Path(__file__).parent / "fonts"
_FILES = {
    REGULAR: "Roboto-Regular.ttf",
    BOLD: "Roboto-Bold.ttf",
    _OTHER: "DejaVuSans.ttf",
}
_REPLACEMENT = "\ufffd"
# More accents on one letter than any script needs would blot out the lines above and below.
_ACCENTS_MAX = 2

for _name, _file in _FILES.items():
    pdfmetrics.registerFont(TTFont(_name, _FONTS / _file))
_GLYPHS = {name: frozenset(pdfmetrics.getFont(name).face.charToGlyph) for name in _FILES}


@dataclass(frozen=True, slots=True)
class Type:
    """How a text is set: font, size in points, gray from 0 (black) to 1, extra space a letter."""

    font: str = REGULAR
    size: float = 8
    grey: float = 0
    tracking: float = 0

    def at(self, size: float) -> Type:
        """Return the same type in another size."""
        return Type(self.font, size, self.grey, self.tracking)


def printable(text: str) -> str:
    """Return a text that can be set on one line, in the order in which it is drawn.

    >>> printable("Ann\\x00a  \\u202eBo\\n漢")
    'Anna Bo \\ufffd'
    >>> printable("א. לוי TG-1")
    'יול .א TG-1'
    """
    kept: list[str] = []
    accents = 0
    for char in unicodedata.normalize("NFC", text):
        category = unicodedata.category(char)
        accents = accents + 1 if category == "Mn" else 0
        if char.isspace():
            kept.append(" ")
        elif category in ("Cc", "Cf", "Cs") or accents > _ACCENTS_MAX:
            continue
        elif ord(char) in _GLYPHS[REGULAR] or ord(char) in _GLYPHS[_OTHER]:
            kept.append(char)
        else:
            kept.append(_REPLACEMENT)
    return _in_drawing_order(re.sub(" +", " ", "".join(kept)).strip())


def _in_drawing_order(text: str) -> str:
    """Turn each stretch that is read from right to left around; the rest of the line stays."""
    directions = "".join(map(_direction, text))
    drawn = list(text)
    for stretch in re.finditer(r"R(?:[RNM]*[RM])?", directions):
        # An accent is drawn after its letter whichever way the line runs.
        letters = re.findall(r"[^M]M*", directions[stretch.start() : stretch.end()])
        start, turned = stretch.start(), []
        for letter in letters:
            turned.append(text[start : start + len(letter)])
            start += len(letter)
        drawn[stretch.start() : stretch.end()] = "".join(reversed(turned))
    return "".join(drawn)


def _direction(char: str) -> str:
    """Say how a sign runs: R to the left, M with its letter, N with its neighbours, else L."""
    if unicodedata.bidirectional(char) in ("R", "AL"):
        return "R"
    if unicodedata.category(char) == "Mn":
        return "M"
    return "L" if char.isalnum() else "N"


def runs(text: str, font: str) -> list[tuple[str, str]]:
    """Split a printable text into stretches that one font can set.

    >>> runs("Lévy \\u05dc", BOLD)
    [('Roboto-Bold', 'Lévy '), ('DejaVuSans', '\\u05dc')]
    """
    return [
        (name, "".join(chars))
        for name, chars in groupby(text, lambda c: font if ord(c) in _GLYPHS[font] else _OTHER)
    ]


def width_of(text: str, type_: Type) -> float:
    """Return how wide a printable text is, in points."""
    wide: float = sum(
        pdfmetrics.stringWidth(part, font, type_.size) for font, part in runs(text, type_.font)
    )
    return wide + type_.tracking * len(text)


def wrapped(text: str, type_: Type, width: float) -> list[str]:
    """Break a printable text into lines; a word wider than a line is broken where it must be."""
    lines: list[str] = []
    line = ""
    for word in text.split(" "):
        longer = f"{line} {word}" if line else word
        if width_of(longer, type_) <= width:
            line = longer
            continue
        if line:
            lines.append(line)
        line = word
        while width_of(line, type_) > width and len(line) > 1:
            end = next(
                n
                for n in range(len(line) - 1, 0, -1)
                if n == 1 or width_of(line[:n], type_) <= width
            )
            lines.append(line[:end])
            line = line[end:]
    return [*lines, line] if line else lines
