"""What houses did in a day, a week or a month, side by side, and what keeps it from being whole."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum, unique
from typing import Final

from django.db.models import Count, Min
from django.utils import timezone

from pitboss.group.models import SUMS, House, Statement
from pitboss.rules.day.hold import hold_basis_points

# A desk that pulled nothing for so long says so beside every figure.
_PULLED_WITHIN: Final = timedelta(minutes=30)
# The day that is played, and the one before it until it is closed.
_DAYS_OPEN: Final = timedelta(days=2)


@unique
class Span(StrEnum):
    """How many days are shown together."""

    DAY = "day"
    WEEK = "week"
    MONTH = "month"

    def days(self, of: date) -> tuple[date, date]:
        """Return the first and the last day of the span that a day lies in."""
        if self is Span.DAY:
            return of, of
        if self is Span.WEEK:
            monday = of - timedelta(days=of.weekday())
            return monday, monday + timedelta(days=6)
        first = of.replace(day=1)
        return first, (first + timedelta(days=31)).replace(day=1) - timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Standing:
    """How far the desk has a house: fine, or what is wrong, in a sentence."""

    # open, wait or bad, as chips are named.
    tone: str
    word: str
    sentence: str


def standing_of(house: House, newest: Statement | None, now: datetime) -> Standing:
    """Return how far the desk has a house, the worst first."""
    if house.trouble:
        word = "Proof fails" if house.is_doubted else "Unreachable"
        return Standing("bad", word, house.trouble)
    if house.reached_at is None:
        return Standing("wait", "Not pulled", "Nothing was pulled yet. Start manage.py pull.")
    if now - house.reached_at > _PULLED_WITHIN:
        since = timezone.localtime(house.reached_at)
        return Standing(
            "bad", "Not pulled", f"Last reached {since:%b %-d, %H:%M}. Start manage.py pull."
        )
    return _progress_of(house, newest)


def _progress_of(house: House, newest: Statement | None) -> Standing:
    played, closed = house.said_gaming_day, house.said_closed_to
    if played is None or closed is None:
        return Standing("wait", "Behind", "The property has not closed a gaming day.")
    if played - closed > _DAYS_OPEN:
        sentence = f"The property plays {played:%b %-d}, and has closed days to {closed:%b %-d}."
        return Standing("wait", "Behind", sentence)
    received = newest.gaming_day if newest else None
    if received is None or received < closed:
        sentence = f"{closed:%b %-d} is closed. Its statement isn’t here yet."
        return Standing("wait", "Behind", sentence)
    return Standing("open", "Up to date", f"Received to {received:%b %-d}.")


@dataclass(frozen=True, slots=True)
class Figures:
    """What one house did in some days, from the newest statement of each."""

    house: House
    standing: Standing
    statements: tuple[Statement, ...]
    # Days of the span that are over at the house, and of which nothing was received.
    missing: tuple[date, ...]
    # Rows that are not as the desk wrote them: then there is no figure at all.
    changed: tuple[Statement, ...]
    # How many of the days were final in one version and are so in another.
    restated: int

    @property
    def sums(self) -> dict[str, int | None]:
        """Return each sum by its name; none where nothing was received or a row was changed."""
        if self.changed or not self.statements:
            return dict.fromkeys(_SUMMED)
        final = [row for row in self.statements if row.has_final]
        return {
            **{name: sum(getattr(row, name) for row in self.statements) for name in _SUMMED},
            **{
                name: sum(getattr(row, name) for row in final) if final else None for name in _FINAL
            },
        }

    @property
    def hold(self) -> int | None:
        """Win over statistical drop, in hundredths of a percent."""
        win, drop = self.sums["win_cents"], self.sums["statistical_drop_cents"]
        return None if win is None or drop is None else hold_basis_points(win, drop)


# Known once a box is posted.
_FINAL: Final = ("win_cents", "drop_cents", "statistical_drop_cents")
_SUMMED: Final = (*SUMS, "tables", "open_tables", "exceptions", "carried_over")


def _sum(name: str, rows: Iterable[Statement]) -> int:
    return sum(getattr(row, name) for row in rows)


def side_by_side(houses: Sequence[House], first: date, last: date, now: datetime) -> list[Figures]:
    """Return what houses did from one day to another. A fixed number of queries."""
    of_house: dict[int, list[Statement]] = defaultdict(list)
    rows = (
        Statement.objects.filter(gaming_day__range=(first, last))
        .order_by("house_id", "gaming_day", "-version")
        .distinct("house_id", "gaming_day")
        .defer("text")
    )
    for row in rows:
        of_house[row.house_id].append(row)
    newest = newest_of(houses)
    began = dict(Statement.objects.order_by().values_list("house").annotate(Min("gaming_day")))
    restated = _restated(first, last)
    figures = []
    for house in houses:
        stated, last_stated = of_house[house.pk], newest.get(house.pk)
        received = {row.gaming_day for row in stated}
        days = _days_to_state(house, began.get(house.pk), first, last)
        figures.append(
            Figures(
                house,
                standing_of(house, last_stated, now),
                tuple(stated),
                tuple(day for day in days if day not in received),
                tuple(row for row in stated if not row.is_as_kept),
                restated[house.pk],
            )
        )
    return figures


def _restated(first: date, last: date) -> Counter[int]:
    """Return how many days of each house have more than one final version."""
    finals = Statement.objects.filter(gaming_day__range=(first, last), open_tables=0)
    versions = finals.order_by().values("house", "gaming_day").annotate(versions=Count("pk"))
    return Counter(each["house"] for each in versions.filter(versions__gt=1))


def _days_to_state(house: House, began: date | None, first: date, last: date) -> Iterator[date]:
    """Yield the days of a span that a house has played to their end since it joined the group."""
    if began is None or house.said_gaming_day is None:
        return
    day = max(first, began)
    while day <= last and day < house.said_gaming_day:
        yield day
        day += timedelta(days=1)


def newest_of(houses: Iterable[House]) -> dict[int, Statement]:
    """Return the statement of the newest gaming day of each house."""
    rows = Statement.objects.filter(house__in=[house.pk for house in houses])
    rows = rows.order_by("house_id", "-gaming_day", "-version").distinct("house_id").defer("text")
    return {row.house_id: row for row in rows}
