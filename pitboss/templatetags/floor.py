"""What templates need to draw the floor: money and cheques in words, trays, bars and clocks in SVG.

Geometry that comes from data is computed here and becomes an SVG attribute, never a style: the
content security policy allows no inline style. Coordinates are handed out as strings, so that no
locale can put a comma into an attribute.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from django import template
from django.template.defaultfilters import stringfilter
from django.templatetags.static import static
from django.utils import timezone
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe

from pitboss.access import may_open
from pitboss.rules.cheques.cheques import (
    BY_CENTS,
    STACK_CHEQUES,
    TUBE_CHEQUES,
    Denomination,
    format_money,
    low_colours,
    ordered,
    outward,
    stacks,
)
from pitboss.rules.day.zone_names import zone_name
from pitboss.rules.floor.standards import clock_words
from pitboss.rules.flows.reading import may_read_serial
from pitboss.rules.roles import Role
from pitboss.translating import translated

register = template.Library()

# One tube, 52 by 210: a cheque is 3.2 high, a full stack ends in a spacer.
TUBE_FLOOR = 207.0
CHEQUE_HEIGHT = 3.2
SPACER_HEIGHT = 3.4

# One bar of a board tile, with room for its label; par is drawn at 26 of 31.
BAR_PITCH = 26
BAR_HEIGHT = 31.0
BAR_AT_PAR = 26.0

# One row of a fill, 150 wide; par is drawn at 130.
ROW_WIDTH = 150
ROW_AT_PAR = 130

# Not the point after an initial: "R. Delacroix has signed this slip."
SENTENCE_END = re.compile(r"(?<=[^\s.][^\s.])[.?] ")

# What a line must not end within: “F-2026-000417”, “BJ-24”, “TG-20311”, “06-R-0418”.
NUMBERS = re.compile(r"\b(?:[A-Z]{1,3}(?:-\d+)+|\d\d-[A-Z]-\d{4})\b")

CLOCK_CIRCUMFERENCE = 2 * math.pi * 8

# Edge spots of a cheque lying in a tube: where they start and how wide they are. They differ in
# number and width, so that a tube can be told without its colour.
EDGE_SPOTS: Mapping[str, tuple[int, tuple[int, ...]]] = {
    "blue": (12, (6, 34)),
    "white": (4, (8, 36)),
    "pink": (4, (8, 24, 40)),
    "red": (9, (2, 20, 38)),
    "green": (6, (5, 17, 29, 41)),
    "black": (3, (3, 11, 19, 27, 35, 43)),
    "purple": (14, (0, 30)),
    "orange": (5, (6, 20, 34)),
    "gray": (20, (14,)),
    "teal": (5, (0, 10, 20, 30, 40)),
    "brown": (7, (3, 19, 35)),
    "yellow": (4, (4, 14, 24, 34, 44)),
    "sky": (16, (4, 28)),
    "maroon": (10, (0, 19, 38)),
    "lime": (2, (2, 9, 16, 23, 30, 37, 44)),
    "navy": (11, (8, 27)),
    "gold": (5, (2, 26)),
    "coral": (3, (0, 9, 18, 27, 36, 45)),
    "peach": (8, (1, 13, 25, 37)),
    "lavender": (7, (1, 11, 21, 31, 41)),
    "olive": (12, (18,)),
    "silver": (3, (1, 7, 13, 19, 25, 31, 37, 43)),
}


@register.filter
def money(amount_cents: int | None) -> str:
    """Write cents as the floor reads them; nothing known is a dash.

    >>> money(670_000), money(None)
    ('$6,700', '–')
    """
    return "–" if amount_cents is None else format_money(amount_cents)


@register.filter
def signed_money(amount_cents: int) -> str:
    """Write a win or a difference, with its sign always shown.

    >>> signed_money(265_150), signed_money(-92_500), signed_money(0)
    ('+$2,651.50', '−$925', '$0')
    """
    return f"+{format_money(amount_cents)}" if amount_cents > 0 else format_money(amount_cents)


@register.filter
def estimated_money(amount_cents: int) -> str:
    """Write an estimate with its sign, in whole dollars: cents would claim too much.

    >>> estimated_money(265_150), estimated_money(-92_549), estimated_money(-40)
    ('+$2,652', '−$925', '$0')
    """
    return signed_money((amount_cents + 50) // 100 * 100)


@register.filter
def whole_money(amount_cents: int) -> str:
    """Write an estimated amount without a sign, in whole dollars.

    >>> whole_money(11_523_449), whole_money(0)
    ('$115,234', '$0')
    """
    return format_money((amount_cents + 50) // 100 * 100)


@register.filter
def percent(basis_points: int | None) -> str:
    """Write hundredths of a percent to a tenth, half up; none is a dash.

    >>> percent(1_755), percent(-236), percent(4), percent(None)
    ('17.6%', '−2.4%', '0.0%', '–')
    """
    if basis_points is None:
        return "–"
    tenths = (basis_points + 5) // 10
    sign = "−" if tenths < 0 else ""
    return f"{sign}{abs(tenths) // 10}.{abs(tenths) % 10}%"


@register.filter
def signed_count(count: int) -> str:
    """Write how many cheques came or went; none is a dash.

    >>> signed_count(40), signed_count(-20), signed_count(0)
    ('+40', '−20', '–')
    """
    if not count:
        return "–"
    return f"+{count:,}" if count > 0 else f"−{-count:,}"


@register.filter
def direction(amount_cents: int) -> str:
    """Name the class of a win or a difference: up, down, or none.

    >>> direction(1), direction(-1), direction(0)
    ('up', 'down', '')
    """
    if not amount_cents:
        return ""
    return "up" if amount_cents > 0 else "down"


@register.filter
def cheques(count: int) -> str:
    """Write a count of cheques.

    >>> cheques(1), cheques(1_040)
    ('1 cheque', '1,040 cheques')
    """
    return f"{count:,} cheque{'' if count == 1 else 's'}"


@register.filter
def in_stacks(count: int) -> str:
    """Write, under a count, what stands before the eye; less than a stack is just cheques.

    >>> in_stacks(107), in_stacks(20), in_stacks(7), in_stacks(1)
    ('5 stacks + 7 odd', '1 stack', 'cheques', 'cheque')
    """
    if count < STACK_CHEQUES:
        return "cheque" if count == 1 else "cheques"
    return str(stacks(count))


@register.filter
def stacks_only(count: int) -> str:
    """Write a count as full stacks and odd cheques, for a column of its own.

    >>> stacks_only(107), stacks_only(7)
    ('5 stacks + 7 odd', '7 odd')
    """
    return str(stacks(count)) if count >= STACK_CHEQUES else f"{count} odd"


@register.filter
def denomination(cents: int | str) -> Denomination:
    """Look a cheque up by its cents, for its value, name, color, letter and label."""
    return BY_CENTS[int(cents)]


@register.filter
def look(cheque: Denomination) -> str:
    """Return the classes that draw a cheque: its color, and the spots of its set.

    >>> look(BY_CENTS[2_500])
    'q-green'
    """
    return f"q-{cheque.colour} e-{cheque.spots}" if cheque.spots else f"q-{cheque.colour}"


@register.filter
def waited(seconds: int) -> str:
    """Write a wait as m:ss, or h:mm:ss.

    >>> waited(161), waited(24), waited(3_725)
    ('2:41', '0:24', '1:02:05')
    """
    minutes, rest = divmod(max(int(seconds), 0), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


@register.filter
def stopwatch(seconds: int) -> str:
    """Write a length of time as a stopwatch shows it.

    >>> stopwatch(580)
    '9:40'
    """
    return clock_words(seconds)


@register.filter
def change_words(change: int | None, unit: str) -> str:
    """Say by how much something moved since the week before.

    >>> change_words(-12, "s"), change_words(0, "s"), change_words(None, "")
    ('−12 s', 'as before', 'nothing to compare')
    """
    if change is None:
        return "nothing to compare"
    if not change:
        return "as before"
    return f"{'+' if change > 0 else '−'}{abs(change)} {unit}".strip()


@register.simple_tag
def icon(name: str) -> SafeString:
    """Draw an icon of the sprite; it says nothing, so the words beside it must."""
    return format_html(
        '<svg class="ico" aria-hidden="true"><use href="{}#{}"/></svg>',
        static("pitboss/icons.svg"),
        name,
    )


@dataclass(frozen=True, slots=True)
class Ring:
    """A waiting clock as drawn now; the browser turns it on from `since`."""

    text: str
    dash: str
    urgency: str
    since: str
    limit_seconds: int


@register.simple_tag
def ring(since: datetime, now: datetime | None, limit_seconds: int | None) -> Ring:
    """Compute a waiting clock: its ring is full when the house limit is reached."""
    limit = limit_seconds or 0
    elapsed = max(0, int(((now or timezone.now()) - since).total_seconds()))
    share = min(1.0, elapsed / limit) if limit else 0.0
    if limit and elapsed >= limit:
        urgency = "late"
    elif limit and elapsed * 2 >= limit:
        urgency = "soon"
    else:
        urgency = "fine"
    return Ring(
        text=waited(elapsed),
        dash=f"{share * CLOCK_CIRCUMFERENCE:.1f} {CLOCK_CIRCUMFERENCE:.1f}",
        urgency=urgency,
        since=since.isoformat(),
        limit_seconds=limit,
    )


@dataclass(frozen=True, slots=True)
class Run:
    """Up to twenty cheques of one tube: where they are drawn and whether a spacer closes them."""

    y: str
    height: str
    spacer_y: str


@dataclass(frozen=True, slots=True)
class TrayTube:
    """One tube of the tray: what lies in it, and what is on its way to it."""

    denomination: Denomination
    held: int
    coming: int
    runs: tuple[Run, ...]
    coming_y: str
    coming_height: str


@register.simple_tag
def tubes(held: Mapping[int, int], coming: Mapping[int, int] | None = None) -> list[TrayTube]:
    """Lay a tray out in tubes as it stands before the dealer: the highest color in the middle."""
    expected = coming or {}
    return outward(
        tube
        for cents in ordered(held.keys() | expected.keys())
        for tube in _tubes_of(BY_CENTS[cents], held.get(cents, 0), expected.get(cents, 0))
    )


def _tubes_of(denomination: Denomination, held: int, coming: int) -> Iterable[TrayTube]:
    # More went out than was counted in: the tube is empty, and a note asks for a count.
    held = max(0, held)
    while True:
        in_tube = min(held, TUBE_CHEQUES)
        coming_in_tube = min(coming, TUBE_CHEQUES - in_tube)
        yield _tube(denomination, in_tube, coming_in_tube)
        held -= in_tube
        coming -= coming_in_tube
        if not held and not coming:
            return


def _tube(denomination: Denomination, held: int, coming: int) -> TrayTube:
    y = TUBE_FLOOR
    runs: list[Run] = []
    for start in range(0, held, STACK_CHEQUES):
        count = min(STACK_CHEQUES, held - start)
        y -= count * CHEQUE_HEIGHT
        full = count == STACK_CHEQUES
        runs.append(
            Run(
                y=f"{y:.1f}",
                height=f"{count * CHEQUE_HEIGHT:.1f}",
                spacer_y=f"{y - 3:.1f}" if full else "",
            )
        )
        y -= SPACER_HEIGHT if full else 0
    coming_height = min(coming * CHEQUE_HEIGHT, y - 4)
    return TrayTube(
        denomination=denomination,
        held=held,
        coming=coming,
        runs=tuple(runs),
        coming_y=f"{y - coming_height - 1:.1f}",
        coming_height=f"{coming_height:.1f}",
    )


@dataclass(frozen=True, slots=True)
class EdgePattern:
    """How the edge of a cheque repeats up a tube: spots of one cheque, then those of the next."""

    denomination: Denomination
    width: int
    lower: tuple[int, ...]
    upper: tuple[int, ...]


@register.simple_tag
def edge_patterns() -> list[EdgePattern]:
    """Return the edge of every color; cheques never lie spot on spot, so the next is turned."""
    patterns = []
    for item in BY_CENTS.values():
        width, starts = EDGE_SPOTS[item.colour]
        patterns.append(
            EdgePattern(item, width, lower=starts, upper=tuple(start + 3 for start in starts))
        )
    return patterns


@dataclass(frozen=True, slots=True)
class TrayBar:
    """One color of a tray against its par, on a board tile."""

    denomination: Denomination
    x: int
    text_x: int
    y: str
    height: str
    percent: int | None
    is_low: bool


@dataclass(frozen=True, slots=True)
class Bars:
    """All bars of a tile, with the words a screen reader says instead."""

    bars: tuple[TrayBar, ...]
    width: int
    par_y: str
    words: str
    # The colors that are low, by their short names.
    low: str


@register.simple_tag
def tray_bars(held: Mapping[int, int], par: Mapping[int, int]) -> Bars:
    """Compute the bars of a tile: every color the table has a par of or holds, highest first."""
    bars = tuple(
        _bar(index, BY_CENTS[cents], held.get(cents, 0), par.get(cents, 0))
        for index, cents in enumerate(ordered(held.keys() | par.keys()))
    )
    words = ", ".join(
        f"{bar.denomination.value} "
        + (f"at {bar.percent}% of par" if bar.percent is not None else "without par")
        for bar in bars
    )
    return Bars(
        bars=bars,
        width=max(len(bars), 1) * BAR_PITCH,
        par_y=f"{BAR_HEIGHT - BAR_AT_PAR:.1f}",
        words=f"Tray against par: {words or 'empty'}",
        low=", ".join(bar.denomination.label for bar in bars if bar.is_low),
    )


def _bar(index: int, denomination: Denomination, held: int, par: int) -> TrayBar:
    # A color without a par has nothing to be measured by: it is drawn at par when there is any.
    percent = held * 100 // par if par else None
    share = held / par if par else float(held > 0)
    height = min(BAR_HEIGHT, share * BAR_AT_PAR)
    return TrayBar(
        denomination=denomination,
        x=index * BAR_PITCH + 2,
        text_x=index * BAR_PITCH + BAR_PITCH // 2,
        y=f"{BAR_HEIGHT - height:.1f}",
        height=f"{height:.1f}",
        percent=percent,
        is_low=bool(low_colours({denomination.key: held}, {denomination.key: par})),
    )


@dataclass(frozen=True, slots=True)
class RowBar:
    """One color of a fill: what is held, what is asked for, and par."""

    held_width: str
    asked_x: str
    asked_width: str
    per_cheque: str
    par_x: int


@register.simple_tag
def row_bar(held: int, par: int, asked: int) -> RowBar:
    """Compute the bar of a fill row; the browser moves the asked part as stacks are added."""
    scale = ROW_AT_PAR / par if par else ROW_AT_PAR / max(held + asked, STACK_CHEQUES)
    held_width = min(held * scale, float(ROW_WIDTH))
    return RowBar(
        held_width=f"{held_width:.1f}",
        asked_x=f"{held_width:.1f}",
        asked_width=f"{min(asked * scale, ROW_WIDTH - held_width):.1f}",
        per_cheque=f"{scale:.4f}",
        par_x=ROW_AT_PAR,
    )


@register.filter
def stamp(moment: datetime) -> str:
    """Write an instant by the house’s clock, to the second, with its zone."""
    here = timezone.localtime(moment)
    return f"{here:%a, %b %-d, %Y, %H:%M:%S} {zone_name(here)}"


@register.filter
@stringfilter
def kept(text: str) -> SafeString:
    """Keep the numbers of slips, tables, licenses and card sets whole at the end of a line.

    >>> kept("R. Delacroix TG-20311")
    'R. Delacroix <span class="nowrap">TG-20311</span>'
    """
    # Escaped first: nothing but the spans is markup.
    return mark_safe(NUMBERS.sub(r'<span class="nowrap">\g<0></span>', conditional_escape(text)))


@register.filter
def in_readers_words(message: str) -> str:
    """Return a refusal in the language that is read."""
    return translated(message)


@register.filter
def bold_first(message: str) -> SafeString:
    """Set the first sentence of a refusal bold: first what is wrong, then what to do."""
    end = SENTENCE_END.search(message)
    if end is None:
        return format_html("<b>{}</b>", message)
    return format_html("<b>{}</b> {}", message[: end.end()].rstrip(), message[end.end() :])


@register.filter
def read_by(serial: object, role: object) -> bool:
    """Tell whether a role opens whatever slip has this number, for a link that would lead there."""
    return isinstance(role, Role) and may_read_serial(str(serial), role)


@register.filter
def opens(role: object, name: str) -> bool:
    """Tell whether a role may open a page or raise a kind of slip, for a link that leads there."""
    return isinstance(role, Role) and may_open(role, name)
