"""The master game report: from opener to win, by table, game, pit, shift and day."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from urllib.parse import urlencode

from django.urls import reverse

from pitboss.reports.book import Group, report
from pitboss.reports.report import (
    Asked,
    Bar,
    Cell,
    Chart,
    Choice,
    Column,
    Finding,
    Link,
    Report,
    Row,
    Section,
    Shape,
    Tone,
    report_link,
)
from pitboss.rules.games_printed import GAMES
from pitboss.rules.hold import hold_basis_points
from pitboss.rules.win import Figures, together
from pitboss.services import house
from tables.selectors.table_days import TableDay, table_days

KEY, PAGE = "game", "win"
BARS_MAX = 24
# A shift is worked out from its papers each time.
SHIFT_DAYS_MAX = 31

TABLE, GAME, PIT, SHIFT, DAY = "table", "game", "pit", "shift", "day"
_WAYS = {
    TABLE: "By table",
    GAME: "By game",
    PIT: "By pit",
    SHIFT: "By shift",
    DAY: "By day",
}
_AMOUNTS = (
    Column("opening", "Opening", Shape.MONEY, is_minor=True),
    Column("closing", "Closing", Shape.MONEY, is_minor=True),
    Column("fills", "Fills", Shape.MONEY, is_minor=True),
    Column("credits", "Credits", Shape.MONEY, is_minor=True),
    Column("markers", "Markers", Shape.MONEY, is_minor=True),
    Column("marker_payments", "Paid back", Shape.MONEY, is_minor=True),
    Column("drop", "Drop", Shape.MONEY),
    Column("jackpots", "Jackpots", Shape.MONEY, is_minor=True),
    Column("estimated_win", "Estimated", Shape.CHANGE),
    Column("final_win", "Final win", Shape.CHANGE),
    Column("hold", "Hold", Shape.PERCENT),
    Column("not_final", "Not final", Shape.COUNT, is_minor=True),
)
# The line of a table's win that a column opens at.
_LINES = {
    "opening": "opening",
    "closing": "closing",
    "fills": "fills",
    "credits": "credits",
    "markers": "markers",
    "marker_payments": "marker_payments",
    "drop": "cash",
    "jackpots": "jackpots",
}
FORMULAS = (
    "Win = closing + credits + drop + markers issued − opening − fills − markers paid back at the "
    "table. The difference that an opener finds is variance, and no part of it.",
    "Drop: cash and cheques of other houses in the boxes, once they are counted and posted. Final "
    "win is of tables whose boxes are; “not final” counts the others. Estimated win is made with "
    "the cash that supervisors expected, and stays beside it.",
    "Hold = final win / drop, to a hundredth of a percent, half up. Jackpots, of any source, stand "
    "beside win. Over several days every amount is the sum of the days'.",
)


@dataclass(frozen=True, slots=True)
class Summed:
    """Several days of tables as one line."""

    figures: Figures
    jackpots_cents: int
    estimated_cents: int | None
    drop_cents: int | None
    win_cents: int | None
    not_final: int

    @property
    def hold(self) -> int | None:
        if self.win_cents is None or self.drop_cents is None:
            return None
        return hold_basis_points(self.win_cents, self.drop_cents)


def summed(days: Iterable[TableDay]) -> Summed:
    """Return days of tables together. Final are those whose boxes are counted; others are told."""
    days = list(days)
    final = [each for each in days if each.win_cents is not None]
    estimated = [each.estimated_cents for each in days if each.estimated_cents is not None]
    return Summed(
        figures=together(each.figures for each in days),
        jackpots_cents=sum(each.jackpots_cents for each in days),
        estimated_cents=sum(estimated) if estimated else None,
        drop_cents=sum(each.drop_cents or 0 for each in final) if final else None,
        win_cents=sum(each.win_cents or 0 for each in final) if final else None,
        not_final=len(days) - len(final),
    )


@report(
    key=KEY,
    title="Master game report",
    group=Group.GAMES,
    says="Opener, closer, fills, credits, markers, drop, jackpots, win and hold.",
    page=PAGE,
    asked=Asked(days_max=366, shift=True, pit=True, ways=_WAYS),
)
def game_report(choice: Choice) -> Report:
    """Return what was won, put together in one of several ways."""
    finding = None
    reach = choice.last - timedelta(days=SHIFT_DAYS_MAX - 1)
    if (choice.shift or choice.by == SHIFT) and choice.first < reach:
        choice = replace(choice, first=reach)
        words = f"By shift {SHIFT_DAYS_MAX} days at most. These are the days from {reach:%d %b %Y}."
        finding = Finding(Tone.WAIT, words)
    days = [each for each in _days(choice) if _is_of(each, choice.of)]
    lines = _together(days, choice.by)
    open_count = sum(each.win_cents is None for each in days)
    if finding is None and open_count:
        words = f"{open_count} of {len(days)} table days are not final. Their boxes are not posted."
        finding = Finding(Tone.WAIT, words)
    rows = tuple(_row(name, whole, choice) for name, whole in lines.items())
    whole = summed(days)
    sums = Row((Cell("All"), *_amounts(whole, {})))
    section = Section(
        f"{_WAYS[choice.by]}{f', {choice.of}' if choice.of else ''}",
        (Column(choice.by, _WAYS[choice.by].removeprefix("By ").capitalize()), *_AMOUNTS),
        rows,
        "No play was counted.",
        sums if rows else None,
    )
    return Report((section,), finding, _chart(lines, choice), FORMULAS)


def _days(choice: Choice) -> list[TableDay]:
    shifts: Sequence[str | None] = [choice.shift]
    if choice.by == SHIFT and choice.shift is None:
        shifts = sorted(
            {
                name
                for n in range((choice.last - choice.first).days + 1)
                for name in house.the_property().shifts_on(choice.first + timedelta(days=n))
            }
        )
    return [
        day
        for shift in shifts
        for day in table_days(choice.first, choice.last, pit=choice.pit, shift=shift)
    ]


def _is_of(day: TableDay, of: str) -> bool:
    """Tell whether a day belongs to what a number was opened for: "game classic", "table BJ-11"."""
    what, _, name = of.partition(" ")
    wanted = {TABLE: day.table, GAME: game_title(day.game), PIT: day.pit}.get(what)
    return wanted in (None, name)


_NAMED: Mapping[str, Callable[[TableDay], object]] = {
    TABLE: lambda day: day.table,
    GAME: lambda day: game_title(day.game),
    PIT: lambda day: day.pit,
    SHIFT: lambda day: day.shift,
    DAY: lambda day: day.gaming_day,
}


def game_title(game: str) -> str:
    """Return what a game is called on the floor."""
    return GAMES[game].name if game in GAMES else game


def _together(days: Iterable[TableDay], by: str) -> dict[object, Summed]:
    lines: dict[object, list[TableDay]] = {}
    for day in days:
        lines.setdefault(_NAMED[by](day), []).append(day)
    return {name: summed(found) for name, found in lines.items()}


def _row(name: object, whole: Summed, choice: Choice) -> Row:
    if choice.by == TABLE and choice.is_one_day:
        links = {
            column: _win_link(str(name), choice.last, choice.shift, line)
            for column, line in (*_LINES.items(), ("final_win", ""), ("estimated_win", ""))
        }
        own = links["final_win"]
    else:
        own = _narrower(name, choice)
        links = {column.key: own for column in _AMOUNTS}
    value = name if isinstance(name, date) else str(name)
    tone = Tone.WAIT if whole.not_final else Tone.PLAIN
    return Row((Cell(value, own), *_amounts(whole, links)), tone)


def _win_link(table: str, day: date, shift: str | None, line: str) -> Link:
    query = urlencode({"day": day.isoformat(), **({"shift": shift} if shift else {})})
    anchor = f"#{line}" if line else ""
    return Link(f"{reverse('table-win', args=[table])}?{query}{anchor}", "win")


def _narrower(name: object, choice: Choice) -> Link:
    """Return the look at this report that a line of it is made of."""
    if isinstance(name, date):
        day = name.isoformat()
        return report_link(KEY, PAGE, choice, by=TABLE, **{"from": day, "to": day})
    if choice.by == SHIFT:
        return report_link(KEY, PAGE, choice, by=TABLE, shift=str(name))
    by = DAY if choice.by == TABLE else TABLE
    return report_link(KEY, PAGE, choice, by=by, of=f"{choice.by} {name}")


def _amounts(whole: Summed, links: Mapping[str, Link]) -> Iterable[Cell]:
    figures = whole.figures
    values = {
        "opening": figures.opening_cents,
        "closing": figures.closing_cents,
        "fills": figures.fills_cents,
        "credits": figures.credits_cents,
        "markers": figures.markers_issued_cents,
        "marker_payments": figures.marker_payments_cents,
        "drop": whole.drop_cents,
        "jackpots": whole.jackpots_cents,
        "estimated_win": whole.estimated_cents,
        "final_win": whole.win_cents,
        "hold": whole.hold,
        "not_final": whole.not_final,
    }
    return (Cell(values[column.key], links.get(column.key)) for column in _AMOUNTS)


def _chart(lines: Mapping[object, Summed], choice: Choice) -> Chart:
    """Return win by line: final where there is one, else as it was estimated, and marked so."""
    bars = []
    for name, whole in lines.items():
        value = whole.win_cents if whole.win_cents is not None else whole.estimated_cents
        if value is not None:
            label = f"{name:%a} {name.day} {name:%b}" if isinstance(name, date) else str(name)
            is_final = whole.win_cents is not None and not whole.not_final
            tone = Tone.PLAIN if is_final else Tone.WAIT
            bars.append(Bar(label, value, tone=tone, link=_row(name, whole, choice).cells[0].link))
    if choice.by != DAY:
        bars.sort(key=lambda bar: -abs(bar.value))
    return Chart("Win, estimated where it is not final", Shape.CHANGE, tuple(bars[:BARS_MAX]))
