"""Where the columns, curves and bands of a plot lie: whole numbers for an SVG of the server's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

# The frame that a plot is drawn in, and the room that its axis and its hours take from it.
WIDTH, HEIGHT = 460, 208
LEFT, RIGHT, TOP, BOTTOM = 50, 456, 24, 180


@dataclass(frozen=True, slots=True)
class GridLine:
    """A line of the grid, and what it says."""

    y: int
    value: int


@dataclass(frozen=True, slots=True)
class PlotColumn:
    """One column: where it lies, and where its value is written."""

    x: int
    y: int
    width: int
    height: int
    middle: int
    value_y: int
    is_below: bool


@dataclass(frozen=True, slots=True)
class Columns:
    """Columns over and under nothing."""

    zero_y: int
    lines: tuple[GridLine, ...]
    boxes: tuple[PlotColumn, ...]


def steps_of(least: int, most: int, parts: int = 4) -> list[int]:
    """Return round values from below the least to above the most: 1, 2 or 5 and noughts.

    >>> steps_of(-2_080_000, 350_000), steps_of(0, 0), steps_of(3, 11)
    ([-3000000, -2000000, -1000000, 0, 1000000], [0, 1], [0, 5, 10, 15])
    """
    least, most = min(least, 0), max(most, 0, least + 1)
    rough = max(1, -(-(most - least) // parts))
    size = 10 ** (len(str(rough)) - 1)
    step = next(size * times for times in (1, 2, 5, 10) if size * times >= rough)
    first, last = least // step, -(-most // step)
    return [step * number for number in range(first, last + 1)]


def short_dollars(cents: int, *, signed: bool = True) -> str:
    """Write dollars as short as a plot has room for.

    >>> [short_dollars(cents) for cents in (185_000, -2_081_400, 85_000, 0, 3_400_000)]
    ['+1.9k', '−20.8k', '+850', '0', '+34k']
    """
    sign = "−" if cents < 0 else "+" if signed and cents else ""
    dollars = (abs(cents) + 50) // 100
    if dollars < 1_000:
        return f"{sign}{dollars}" if dollars else "0"
    tenths = (dollars + 50) // 100
    return f"{sign}{tenths // 10:,}" + (f".{tenths % 10}" if tenths % 10 else "") + "k"


def _at(value: int, steps: Sequence[int]) -> int:
    return BOTTOM - (value - steps[0]) * (BOTTOM - TOP) // (steps[-1] - steps[0])


def columns_of(values: Sequence[int], slots: int | None = None) -> Columns:
    """Return a column for each value, in so many slots of the same width.

    >>> drawn = columns_of([300, -100], slots=4)
    >>> [(box.y, box.height, box.is_below) for box in drawn.boxes], drawn.zero_y
    ([(24, 117, False), (141, 39, True)], 141)
    """
    steps = steps_of(min(values, default=0), max(values, default=0))
    zero = _at(0, steps)
    pitch = (RIGHT - LEFT) // max(1, slots or len(values))
    width = min(40, max(6, pitch * 2 // 3))
    boxes = []
    for number, value in enumerate(values):
        end, is_below = _at(value, steps), value < 0
        middle = LEFT + pitch * number + pitch // 2
        boxes.append(
            PlotColumn(
                x=middle - width // 2,
                y=min(zero, end),
                width=width,
                height=abs(end - zero),
                middle=middle,
                value_y=end + 15 if is_below else end - 5,
                is_below=is_below,
            )
        )
    return Columns(zero, tuple(GridLine(_at(step, steps), step) for step in steps), tuple(boxes))


@dataclass(frozen=True, slots=True)
class Point:
    """A value on a curve."""

    x: int
    y: int


@dataclass(frozen=True, slots=True)
class Curve:
    """A curve, the band that it should keep within, and what was expected."""

    lines: tuple[GridLine, ...]
    points: tuple[Point, ...]
    # As an SVG writes them: the upper edge there, the lower edge back.
    path: str
    band: str
    expected: str


def curve_of(
    values: Sequence[int], bands: Sequence[tuple[int, int, int] | None], slots: int
) -> Curve:
    """Return a curve over so many slots, with the low, middle and high of its band at each point.

    >>> drawn = curve_of([100, 0], [(-100, 50, 200), (-50, 50, 150)], slots=2)
    >>> drawn.path, drawn.band
    ('151,76 354,128', '151,24 354,50 354,154 151,180')
    """
    reached = [*values, *(edge for band in bands if band for edge in band)]
    steps = steps_of(min(reached, default=0), max(reached, default=0))
    pitch = (RIGHT - LEFT) // max(1, slots)
    xs = [LEFT + pitch * number + pitch // 2 for number in range(len(values))]
    points = tuple(Point(x, _at(value, steps)) for x, value in zip(xs, values, strict=True))
    known = [(x, band) for x, band in zip(xs, bands, strict=True) if band]
    upper = [f"{x},{_at(high, steps)}" for x, (_, _, high) in known]
    lower = [f"{x},{_at(low, steps)}" for x, (low, _, _) in reversed(known)]
    return Curve(
        lines=tuple(GridLine(_at(step, steps), step) for step in steps),
        points=points,
        path=" ".join(f"{point.x},{point.y}" for point in points),
        band=" ".join([*upper, *lower]),
        expected=" ".join(f"{x},{_at(middle, steps)}" for x, (_, middle, _) in known),
    )
