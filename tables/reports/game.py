"""The master game report: from opener to win, by table, game, pit, shift and day."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from pitboss.models import Table
from pitboss.reports.book import Group, report
from pitboss.reports.report import (
    Bar,
    Cell,
    Chart,
    Column,
    Finding,
    Link,
    Report,
    ReportChoice,
    ReportScope,
    Row,
    Section,
    Shape,
    Tone,
    report_link,
    section_link,
)
from pitboss.rules.day.hold import hold_basis_points
from pitboss.rules.day.win import WinFigures, together
from pitboss.rules.games.tracked import TABLE_GAMES
from pitboss.services import house
from tables.reports.game_papers import (
    ESTIMATED,
    FINAL,
    HOLD,
    LINES,
    NOT_FINAL,
    STATISTICAL_DROP,
    papers_behind,
    table_win_link,
)
from tables.reports.win import TableWin, tables_report
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
    Column("statistical_drop", "Statistical drop", Shape.MONEY, is_minor=True),
    Column("hold", "Hold", Shape.PERCENT),
    Column("not_final", "Not final", Shape.COUNT, is_minor=True),
)
_TITLES = {column.key: column.title for column in _AMOUNTS}
# An address says which sum was opened as the head of its column does.
_OPENED = {title.lower(): key for key, title in _TITLES.items()}
FORMULAS = (
    "Win = closing + credits + drop + markers issued − opening − fills − markers paid back at the "
    "table. The difference that an opener finds is variance, not win.",
    "Drop: cash and cheques of other houses in the boxes, once they are counted and "
    "posted. Final win covers only those tables. “Not final” counts the others. "
    "Estimated win uses the cash that supervisors expected, and is kept separately.",
    "Hold = final win / statistical drop, to a hundredth of a percent, half up. Jackpots, of any "
    "source, are listed next to win. Over several days or shifts every amount is the sum of "
    "theirs, but opening and closing: what trays contained then adds up to nothing.",
)


@dataclass(frozen=True, slots=True)
class Summed:
    """Several days of tables as one line."""

    figures: WinFigures
    # What trays held over several days or shifts adds up to nothing: the same cheques lie in each.
    opening_cents: int | None
    closing_cents: int | None
    jackpots_cents: int
    estimated_cents: int | None
    drop_cents: int | None
    statistical_drop_cents: int | None
    win_cents: int | None
    not_final: int

    @property
    def hold(self) -> int | None:
        if self.win_cents is None or self.statistical_drop_cents is None:
            return None
        return hold_basis_points(self.win_cents, self.statistical_drop_cents)


def summed(days: Iterable[TableDay]) -> Summed:
    """Return days of tables together. Final are those whose boxes are counted; others are told."""
    days = list(days)
    final = [day for day in days if day.win_cents is not None]
    estimated = [day.estimated_cents for day in days if day.estimated_cents is not None]
    figures = together(day.figures for day in days)
    is_one_time = len({(day.gaming_day, day.shift) for day in days}) <= 1
    return Summed(
        figures=figures,
        opening_cents=figures.opening_cents if is_one_time else None,
        closing_cents=figures.closing_cents if is_one_time else None,
        jackpots_cents=sum(day.jackpots_cents for day in days),
        estimated_cents=sum(estimated) if estimated else None,
        drop_cents=sum(table_day.drop_cents or 0 for table_day in final) if final else None,
        statistical_drop_cents=sum(table_day.statistical_drop_cents or 0 for table_day in final)
        if final
        else None,
        win_cents=sum(table_day.win_cents or 0 for table_day in final) if final else None,
        not_final=len(days) - len(final),
    )


@report(
    key=KEY,
    title="Master game report",
    group=Group.GAMES,
    says="Opener, closer, fills, credits, markers, drop, jackpots, win and hold.",
    page=PAGE,
    asked=ReportScope(days_max=366, shift=True, pit=True, ways=_WAYS),
)
def game_report(choice: ReportChoice) -> Report:
    """Return what was won, put together in one of several ways."""
    finding = None
    reach = choice.last - timedelta(days=SHIFT_DAYS_MAX - 1)
    if (choice.shift or choice.by == SHIFT) and choice.first < reach:
        choice = replace(choice, first=reach)
        words = (
            f"By shift {SHIFT_DAYS_MAX} days at most. These are the days from {reach:%b %-d, %Y}."
        )
        finding = Finding(Tone.WAIT, words)
    line, scope = _asked(choice.of)
    days = [day for day in _days(choice) if _is_of(day, scope)]
    if line and choice.is_one_day:
        title = f"{_TITLES[line]}{_of_words(scope)}"
        return Report((papers_behind(line, title, _wins(days)),), formulas=FORMULAS)
    lines = _together(days, choice.by)
    open_count = sum(day.win_cents is None for day in days)
    if finding is None and open_count:
        words = (
            f"Not final: {open_count} of {len(days)} table days. Boxes of theirs are not posted."
        )
        finding = Finding(Tone.WAIT, words)
    rows = tuple(_row(name, whole, choice) for name, whole in lines.items())
    whole = summed(days)
    sums = Row((Cell("All"), *_amounts(whole, _sum_links(choice, scope))))
    section = Section(
        f"{_WAYS[choice.by]}{_of_words(scope)}",
        (Column(choice.by, _WAYS[choice.by].removeprefix("By ").capitalize()), *_AMOUNTS),
        rows,
        "No play was counted.",
        sums if rows else None,
    )
    return Report((section,), finding, _chart(lines, choice), FORMULAS)


def _asked(of: str) -> tuple[str, dict[str, str]]:
    """Return which sum was opened, if any, and what of the house it is of.

    >>> _asked("paid back, table BJ-11")
    ('marker_payments', {'table': 'BJ-11'})
    """
    said, _, rest = of.partition(", ")
    line = _OPENED.get(said, "")
    if not line:
        rest = of
    parts = (part.partition(" ") for part in rest.split(", ") if part)
    return line, {what: name for what, _, name in parts}


def scope_words(scope: Mapping[str, str]) -> str:
    """Return how an address says what of the house is asked for."""
    return ", ".join(f"{what} {name}" for what, name in scope.items())


def _of_words(scope: Mapping[str, str]) -> str:
    return f", {scope_words(scope)}" if scope else ""


def _wins(days: Iterable[TableDay]) -> list[TableWin]:
    """Return the papers of some tables of one day. A fixed number of queries for each shift."""
    by_shift: dict[tuple[date, str | None], set[str]] = {}
    for day in days:
        by_shift.setdefault((day.gaming_day, day.shift), set()).add(day.table)
    return [
        win
        for (gaming_day, shift), names in by_shift.items()
        for win in tables_report(
            list(Table.objects.filter(name__in=names).select_related("pit").order_by("name")),
            gaming_day,
            shift,
        )
    ]


def _days(choice: ReportChoice) -> list[TableDay]:
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


def _is_of(day: TableDay, scope: Mapping[str, str]) -> bool:
    """Tell whether a day belongs to what a number was opened for."""
    return all(_NAMED[what](day) == name for what, name in scope.items() if what in _SCOPES)


_NAMED: Mapping[str, Callable[[TableDay], object]] = {
    TABLE: lambda day: day.table,
    GAME: lambda day: game_title(day.game),
    PIT: lambda day: day.pit,
    SHIFT: lambda day: day.shift,
    DAY: lambda day: day.gaming_day,
}
_SCOPES = frozenset({TABLE, GAME, PIT})


def game_title(game: str) -> str:
    """Return what a game is called on the floor."""
    return TABLE_GAMES[game].name if game in TABLE_GAMES else game


def _together(days: Iterable[TableDay], by: str) -> dict[object, Summed]:
    lines: dict[object, list[TableDay]] = {}
    for day in days:
        lines.setdefault(_NAMED[by](day), []).append(day)
    return {name: summed(found) for name, found in lines.items()}


def _row(name: object, whole: Summed, choice: ReportChoice) -> Row:
    if choice.by == TABLE and choice.is_one_day:
        day = choice.last.isoformat()
        own = table_win_link(str(name), day, choice.shift)
        links = dict.fromkeys((ESTIMATED, FINAL, STATISTICAL_DROP, HOLD, NOT_FINAL), own) | {
            column: table_win_link(str(name), day, choice.shift, lines[0])
            for column, lines in LINES.items()
        }
    else:
        own = _narrower(name, choice)
        links = dict.fromkeys(_TITLES, own)
    value = name if isinstance(name, date) else str(name)
    tone = Tone.WAIT if whole.not_final else Tone.PLAIN
    return Row((Cell(value, own), *_amounts(whole, links)), tone)


def _narrower(name: object, choice: ReportChoice) -> Link:
    """Return the look at this report that a line of it is made of."""
    if isinstance(name, date):
        day = name.isoformat()
        return report_link(KEY, PAGE, choice, by=TABLE, **{"from": day, "to": day})
    if choice.by == SHIFT:
        return report_link(KEY, PAGE, choice, by=TABLE, shift=str(name))
    by = DAY if choice.by == TABLE else TABLE
    scope = {**_asked(choice.of)[1], choice.by: str(name)}
    return report_link(KEY, PAGE, choice, by=by, of=scope_words(scope))


def _sum_links(choice: ReportChoice, scope: Mapping[str, str]) -> Mapping[str, Link]:
    """Return what the sums are made of: the papers of a day, and of several the days."""
    if choice.is_one_day:
        return {
            key: report_link(KEY, PAGE, choice, of=f"{title.lower()}{_of_words(scope)}")
            for key, title in _TITLES.items()
        }
    if choice.by == SHIFT:
        # A count between two shifts ends one and begins the next, so days do not add up to these.
        return dict.fromkeys(_TITLES, section_link(KEY, PAGE, choice))
    by = TABLE if choice.by == DAY else DAY
    return dict.fromkeys(_TITLES, report_link(KEY, PAGE, choice, by=by))


def _amounts(whole: Summed, links: Mapping[str, Link]) -> Iterable[Cell]:
    figures = whole.figures
    values = {
        "opening": whole.opening_cents,
        "closing": whole.closing_cents,
        "fills": figures.fills_cents,
        "credits": figures.credits_cents,
        "markers": figures.markers_issued_cents,
        "marker_payments": figures.marker_payments_cents,
        "drop": whole.drop_cents,
        "jackpots": whole.jackpots_cents,
        "estimated_win": whole.estimated_cents,
        "final_win": whole.win_cents,
        "statistical_drop": whole.statistical_drop_cents,
        "hold": whole.hold,
        "not_final": whole.not_final,
    }
    return (Cell(values[column.key], links.get(column.key)) for column in _AMOUNTS)


def _chart(lines: Mapping[object, Summed], choice: ReportChoice) -> Chart:
    """Return win by line: final where there is one, else as it was estimated, and marked so."""
    bars = []
    for name, whole in lines.items():
        value = whole.win_cents if whole.win_cents is not None else whole.estimated_cents
        if value is not None:
            label = f"{name:%a, %b %-d}" if isinstance(name, date) else str(name)
            is_final = whole.win_cents is not None and not whole.not_final
            tone = Tone.PLAIN if is_final else Tone.WAIT
            link = _row(name, whole, choice).cells[0].link
            says = "" if is_final else "not final"
            bars.append(Bar(label, value, tone=tone, link=link, says=says))
    if choice.by != DAY:
        bars.sort(key=lambda bar: -abs(bar.value))
    return Chart("Win, estimated where it is not final", Shape.CHANGE, tuple(bars[:BARS_MAX]))
