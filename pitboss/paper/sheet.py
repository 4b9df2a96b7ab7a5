"""A letter page and what is drawn on it. Measured in points from the top left corner, downwards."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from io import BytesIO

import segno
from reportlab.lib.pagesizes import letter
from reportlab.pdfgen.canvas import Canvas
from reportlab.pdfgen.textobject import PDFTextObject

from pitboss.paper.lettering import BOLD, Type, printable, runs, width_of, wrapped

PAGE_WIDTH, PAGE_HEIGHT = letter
_CAP_HEIGHT = 0.72
_STROKED = 1  # PDF text rendering mode: outlines only, so that what lies under a mark can be read.


class Align(Enum):
    """Which end of a text stands at its x."""

    LEFT = auto()
    MIDDLE = auto()
    RIGHT = auto()


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle on the page: left and upper edge, width and height."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.x + self.width

    @property
    def bottom(self) -> float:
        return self.y + self.height


class Sheet:
    """A PDF being drawn. The same drawing always gives the same bytes."""

    def __init__(self, *, title: str, author: str, subject: str) -> None:
        self._buffer = BytesIO()
        self.canvas = Canvas(self._buffer, pagesize=letter, invariant=1, pageCompression=1)
        self.canvas.setTitle(printable(title))
        self.canvas.setAuthor(printable(author))
        self.canvas.setSubject(printable(subject))
        self.canvas.setCreator("Pitboss")

    def end_page(self) -> None:
        self.canvas.showPage()

    def finished(self) -> bytes:
        """Close the document and return it."""
        self.canvas.save()
        return self._buffer.getvalue()

    def text(
        self,
        x: float,
        y: float,
        text: str,
        type_: Type,
        *,
        align: Align = Align.LEFT,
        width: float | None = None,
        smallest: float = 6,
    ) -> float:
        """Set a line with its baseline at y and return its width.

        A text wider than `width` is set smaller, then narrower: on a document nothing is cut off.
        """
        text = printable(text)
        wide = width_of(text, type_)
        squeeze = 100.0
        if width is not None and wide > width:
            type_ = type_.at(max(smallest, type_.size * width / wide))
            wide = width_of(text, type_)
            squeeze = min(100.0, 100 * width / wide)
            wide = min(wide, width)
        start = x - {Align.LEFT: 0.0, Align.MIDDLE: wide / 2, Align.RIGHT: wide}[align]
        line = self.canvas.beginText(start, PAGE_HEIGHT - y)
        line.setFillGray(type_.grey)
        self._set(line, text, type_, squeeze)
        self.canvas.drawText(line)
        return wide

    def paragraph(
        self, box: Box, text: str, type_: Type, *, smallest: float = 5.4, leading: float = 1.18
    ) -> float:
        """Set a text in lines within a box, smaller if it must be, and return where it ends."""
        text = printable(text)
        lines = wrapped(text, type_, box.width)
        while len(lines) * type_.size * leading > box.height and type_.size > smallest:
            type_ = type_.at(max(smallest, type_.size - 0.25))
            lines = wrapped(text, type_, box.width)
        # What does not fit even so is set narrower on the last line, not cut off.
        room = max(1, int(box.height / (type_.size * leading)))
        lines = [*lines[: room - 1], " ".join(lines[room - 1 :])] if len(lines) > room else lines
        y = box.y
        for line in lines:
            y += type_.size * leading
            self.text(box.x, y - type_.size * (leading - 1), line, type_, width=box.width + 0.01)
        return y

    def _set(self, line: PDFTextObject, text: str, type_: Type, squeeze: float = 100) -> None:
        # A PDF carries these over from one text to the next, so each text sets its own.
        line.setHorizScale(squeeze)
        line.setCharSpace(type_.tracking)
        for font, part in runs(text, type_.font):
            line.setFont(font, type_.size)
            line.textOut(part)

    def rule(
        self, x: float, y: float, width: float, *, weight: float = 0.5, grey: float = 0
    ) -> None:
        """Draw a horizontal line."""
        self.canvas.setStrokeGray(grey)
        self.canvas.setLineWidth(weight)
        self.canvas.line(x, PAGE_HEIGHT - y, x + width, PAGE_HEIGHT - y)

    def handwriting(self, strokes: Sequence[Sequence[tuple[int, int]]], box: Box) -> None:
        """Draw strokes as large as they fit into a box, from its left."""
        points = [point for stroke in strokes for point in stroke]
        if not points:
            return
        left, top = (min(point[axis] for point in points) for axis in (0, 1))
        wide, high = (
            max(point[axis] for point in points) - low for axis, low in ((0, left), (1, top))
        )
        scale = min(box.width / max(wide, 1), box.height / max(high, 1))
        path = self.canvas.beginPath()
        for stroke in strokes:
            for number, (x, y) in enumerate(stroke):
                place = box.x + (x - left) * scale, PAGE_HEIGHT - box.y - (y - top) * scale
                path.lineTo(*place) if number else path.moveTo(*place)
        self.canvas.setStrokeGray(0)
        self.canvas.setLineWidth(1.1)
        self.canvas.setLineCap(1)
        self.canvas.setLineJoin(1)
        self.canvas.drawPath(path)

    def frame(self, box: Box, *, weight: float = 0.5, grey: float = 0) -> None:
        """Draw the edge of a box."""
        self.canvas.setStrokeGray(grey)
        self.canvas.setLineWidth(weight)
        self.canvas.rect(box.x, PAGE_HEIGHT - box.bottom, box.width, box.height)

    def fill(self, box: Box, *, grey: float) -> None:
        """Fill a box with a grey."""
        self.canvas.setFillGray(grey)
        self.canvas.rect(box.x, PAGE_HEIGHT - box.bottom, box.width, box.height, stroke=0, fill=1)

    def tag(
        self, x: float, y: float, text: str, *, inverse: bool = False, size: float = 8.5
    ) -> Box:
        """Draw a word in a box, black on white or white on black, its right edge at x."""
        type_ = Type(BOLD, size, grey=1 if inverse else 0, tracking=0.9)
        wide = width_of(printable(text), type_)
        box = Box(x - wide - size * 1.3, y, wide + size * 1.3, size * 1.75)
        if inverse:
            self.fill(box, grey=0)
        else:
            self.frame(box, weight=1.2)
        # Tracking leaves its space after the last letter too.
        self.text(box.x + size * 0.65 + 0.45, y + size * 1.23, text, type_)
        return box

    def cut_line(self, y: float) -> None:
        """Draw the line along which the parts of a page are taken apart."""
        self.canvas.saveState()
        self.canvas.setDash(4, 3)
        self.rule(0, y, PAGE_WIDTH, weight=0.6, grey=0.35)
        self.canvas.restoreState()
        words = "cut here"
        type_ = Type(size=6.5, grey=0.35)
        wide = width_of(words, type_) + 12
        self.fill(Box(PAGE_WIDTH / 2 - wide / 2, y - 5, wide, 10), grey=1)
        self.text(PAGE_WIDTH / 2, y + 2.2, words, type_, align=Align.MIDDLE)

    def qr(self, x: float, y: float, size: float, text: str) -> None:
        """Draw a QR code without its quiet zone; leave white around it."""
        rows = [bytes(row) for row in segno.make(text, error="m", micro=False).matrix]
        module = size / len(rows)
        path = self.canvas.beginPath()
        for number, row in enumerate(rows):
            bottom = PAGE_HEIGHT - y - (number + 1) * module
            start = 0
            while (start := row.find(1, start)) >= 0:
                end = row.find(0, start)
                end = len(row) if end < 0 else end
                # A hair taller than a module: viewers would show seams between the rows.
                path.rect(x + start * module, bottom, (end - start) * module, module + 0.04)
                start = end
        self.canvas.setFillGray(0)
        self.canvas.drawPath(path, stroke=0, fill=1)

    def stamp(
        self, box: Box, text: str, *, size: float, angle: float, grey: float, weight: float = 1.1
    ) -> None:
        """Write a mark across a box in outlined letters, as large as it can be up to `size`."""
        type_ = Type(BOLD, size, tracking=size * 0.06)
        wide = width_of(text, type_)
        # Turned, it stands as high as its width climbs and its letters are tall.
        climb = math.sin(math.radians(abs(angle))) * wide + _CAP_HEIGHT * size
        fit = min(1.0, box.width * 0.92 / wide, box.height * 1.05 / climb)
        type_ = replace(type_.at(size * fit), tracking=type_.tracking * fit)
        wide = width_of(text, type_)
        self.canvas.saveState()
        self.canvas.translate(box.x + box.width / 2, PAGE_HEIGHT - box.y - box.height / 2)
        self.canvas.rotate(angle)
        self.canvas.setStrokeGray(grey)
        self.canvas.setLineWidth(weight)
        line = self.canvas.beginText(-wide / 2, -type_.size * 0.35)
        line.setTextRenderMode(_STROKED)
        self._set(line, text, type_)
        line.setTextRenderMode(0)
        self.canvas.drawText(line)
        self.canvas.restoreState()
