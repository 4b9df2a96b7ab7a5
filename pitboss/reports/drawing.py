"""Where the bars of a chart lie, for a screen and for paper alike."""

from __future__ import annotations

from dataclasses import dataclass

from pitboss.reports.report import Chart, Tone

# Every bar is drawn on a strip this wide.
STRIP = 1_000


@dataclass(frozen=True, slots=True)
class DrawnBar:
    """One bar on its strip: from where, how wide, where nothing lies, and the band around it."""

    label: str
    tone: Tone
    x: int
    width: int
    zero: int
    band_x: int | None = None
    band_width: int = 0


def bars_of(chart: Chart) -> list[DrawnBar]:
    """Return the bars of a chart on one scale, so that they can be compared.

    >>> from pitboss.reports.report import Bar, Shape
    >>> chart = Chart("Win", Shape.CHANGE, (Bar("A", 300), Bar("B", -100, low=-100, high=100)))
    >>> [(bar.x, bar.width, bar.zero, bar.band_x, bar.band_width) for bar in bars_of(chart)]
    [(250, 750, 250, None, 0), (0, 250, 250, 0, 500)]
    """
    reached = [
        value for bar in chart.bars for value in (bar.value, bar.low, bar.high) if value is not None
    ]
    least, most = min(0, *reached, 0), max(0, *reached, 0)
    scale = max(1, most - least)

    def at(value: int) -> int:
        return (value - least) * STRIP // scale

    drawn = []
    for bar in chart.bars:
        start, end = sorted((at(0), at(bar.value)))
        has_band = bar.high is not None
        drawn.append(
            DrawnBar(
                label=bar.label,
                tone=bar.tone,
                x=start,
                width=end - start,
                zero=at(0),
                band_x=at(bar.low) if bar.low is not None and has_band else None,
                band_width=at(bar.high) - at(bar.low)
                if bar.low is not None and bar.high is not None
                else 0,
            )
        )
    return drawn
