"""Statistics: drop, win and hold for a day, the month and the year, against a band of 95%."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

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
    row_of,
)
from pitboss.rules.day.hold import Band, Experience, band_of
from pitboss.services import house
from tables.reports.game import DAY, GAME, TABLE, Summed, game_title, scope_words, summed
from tables.reports.game import KEY as GAME_REPORT
from tables.reports.game import PAGE as GAME_PAGE
from tables.selectors.game_past import experiences
from tables.selectors.table_days import TableDay, table_days

BARS_MAX = 24
MONTH = "Month to date"
_WAYS = {TABLE: "By table", GAME: "By game"}
_COLUMNS = (
    Column("name", "Name"),
    Column("game", "Game", is_minor=True),
    Column("days", "Table days", Shape.COUNT, is_minor=True),
    Column("drop", "Statistical drop", Shape.MONEY),
    Column("win", "Win", Shape.CHANGE),
    Column("hold", "Hold", Shape.PERCENT),
    Column("expected", "Expected", Shape.PERCENT),
    Column("low", "Band from", Shape.PERCENT, is_minor=True),
    Column("high", "Band to", Shape.PERCENT, is_minor=True),
    Column("state", "Against the band"),
)


@report(
    key="statistics",
    title="Statistics with a 95% band",
    group=Group.GAMES,
    says="Hold of each table and game for the day, the month and the year, against its band.",
    page="report_statistics",
    asked=ReportScope(days_max=1, pit=True, ways=_WAYS),
)
def statistics(choice: ReportChoice) -> Report:
    """Return hold against what chance allows, for the last day asked for and what it ends."""
    last = choice.last
    settings = house.settings_at(house.now())
    days_of_past, days_least = settings["statistics.days"], settings["statistics.least"]
    spans = {
        f"{last:%a, %b %-d, %Y}": last,
        MONTH: last.replace(day=1),
        "Year to date": last.replace(month=1, day=1),
    }
    days = [
        day
        for day in table_days(min(spans.values()), last, pit=choice.pit)
        if day.win_cents is not None
    ]
    sections, month = [], Chart("Hold", Shape.PERCENT, ())
    seen: list[HoldLine] = []
    for title, first in spans.items():
        span = replace(choice, first=first)
        before = replace(
            choice,
            first=first - timedelta(days=days_of_past),
            last=first - timedelta(days=1),
            pit=None,
        )
        past = experiences(before.first, before.last, days_least)
        lines = _lines([day for day in days if day.gaming_day >= first], span, before, past)
        sections.append(_section(title, lines))
        seen += lines
        if title == MONTH:
            month = _chart(title, lines)
    outside = sum(line.is_outside for line in seen)
    return Report(
        tuple(sections),
        _finding(outside, has_bands=any(line.band for line in seen)),
        month,
        _formulas(days_of_past, days_least),
    )


def _finding(outside: int, *, has_bands: bool) -> Finding:
    if outside:
        words = f"Hold % outside the usual range: {outside}. Investigate and write down the cause."
        return Finding(Tone.BAD, words)
    if not has_bands:
        return Finding(Tone.WAIT, "No band yet. Too few days of any game are settled.")
    return Finding(Tone.GOOD, "Every hold % is within its band.")


@dataclass(frozen=True, slots=True)
class HoldLine:
    """Hold of a table or a game over some days, and the band that it should lie in."""

    name: str
    game: str
    days: int
    whole: Summed
    band: Band | None
    link: Link
    # The experience that the band is made of.
    past: Link

    @property
    def is_outside(self) -> bool:
        hold = self.whole.hold
        return self.band is not None and hold is not None and not self.band.holds(hold)

    @property
    def state(self) -> str:
        if self.band is None:
            return "too few days"
        return "outside" if self.is_outside else "within"


def _lines(
    days: Iterable[TableDay],
    choice: ReportChoice,
    before: ReportChoice,
    past: Mapping[str, Experience],
) -> list[HoldLine]:
    """Return a line for each table or game; a table that changed its game has one for each."""
    together: dict[tuple[str, str], list[TableDay]] = {}
    for day in days:
        name = day.table if choice.by == TABLE else game_title(day.game)
        together.setdefault((name, day.game), []).append(day)
    lines = []
    for (name, game), found in sorted(together.items()):
        whole = summed(found)
        experience = past.get(game)
        lines.append(
            HoldLine(
                name=name,
                game=game_title(game),
                days=len(found),
                whole=whole,
                band=band_of(experience, whole.statistical_drop_cents or 0) if experience else None,
                link=_game_report(choice, {choice.by: name, GAME: game_title(game)}),
                past=_game_report(before, {GAME: game_title(game)}),
            )
        )
    return lines


def _game_report(choice: ReportChoice, scope: Mapping[str, str]) -> Link:
    return report_link(GAME_REPORT, GAME_PAGE, choice, by=DAY, of=scope_words(scope))


def _section(title: str, lines: Sequence[HoldLine]) -> Section:
    return Section(title, _COLUMNS, tuple(map(_row, lines)), "No table has a final win.")


def _row(line: HoldLine) -> Row:
    band = line.band
    return row_of(
        line.name,
        line.game,
        Cell(line.days, line.link),
        Cell(line.whole.statistical_drop_cents, line.link),
        Cell(line.whole.win_cents, line.link),
        Cell(line.whole.hold, line.link),
        Cell(band.expected if band else None, line.past),
        Cell(band.low if band else None, line.past),
        Cell(band.high if band else None, line.past),
        line.state,
        tone=Tone.BAD if line.is_outside else Tone.PLAIN,
    )


def _chart(title: str, lines: Sequence[HoldLine]) -> Chart:
    return Chart(
        f"Hold, {title.lower()}, on its band",
        Shape.PERCENT,
        tuple(
            Bar(
                line.name,
                line.whole.hold,
                line.band.low if line.band else None,
                line.band.high if line.band else None,
                Tone.BAD if line.is_outside else Tone.PLAIN,
                line.link,
                line.state,
            )
            for line in lines[:BARS_MAX]
            if line.whole.hold is not None
        ),
    )


def _formulas(days_of_past: int, days_least: int) -> tuple[str, ...]:
    return (
        "Hold = W / D: final win over statistical drop, of tables and days whose boxes are counted "
        "and posted.",
        "Statistical drop: D = cash and foreign cheques in the box − cash that paid markers + "
        "markers issued. Marker payments in cheques are not subtracted: they bought nothing.",
        f"Expected: E = ΣWᵢ / ΣDᵢ over the settled days i of all tables of the game, in the "
        f"{days_of_past} days before the time shown; {days_least} table days at least.",
        "Variance for each cent of D: v = (ΣWᵢ²/Dᵢ − (ΣWᵢ)²/ΣDᵢ) / (n − 1), since win strays "
        "more the more is dropped.",
        "Band: E ± 1.96 · √(v / D). While a game is dealt as before, its hold lies in it 95 times "
        "in 100. The root is rounded down to a hundredth of a percent; all else is exact.",
    )
