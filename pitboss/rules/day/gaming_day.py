"""Which gaming day and which shift an instant belongs to, by the property's wall clock.

Everything is decided on instants, never on wall times, so that the hour that comes twice on a
daylight-saving night cannot throw the pit back into yesterday.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo


@dataclass(frozen=True, slots=True)
class Shift:
    """A named part of the gaming day, from its start to the next shift's start."""

    name: str
    starts: time


@dataclass(frozen=True, slots=True)
class Clock:
    """How a property divides time. The gaming day starts with its first shift."""

    zone: ZoneInfo
    shifts: tuple[Shift, ...]

    def __post_init__(self) -> None:
        if not self.shifts:
            raise ValueError("a property needs at least one shift")
        offsets = [_minutes_after(self.shifts[0].starts, shift.starts) for shift in self.shifts]
        if offsets != sorted(set(offsets)):
            raise ValueError("shifts must follow each other within one gaming day")
        if len({shift.name for shift in self.shifts}) != len(self.shifts):
            raise ValueError("two shifts have the same name")

    @property
    def day_starts(self) -> time:
        return self.shifts[0].starts


@dataclass(frozen=True, slots=True)
class Period:
    """The gaming day and shift of an instant, and when that shift began and ends."""

    gaming_day: date
    shift: str
    shift_index: int
    began: datetime
    ends: datetime


def day_start(clock: Clock, day: date) -> datetime:
    """Return the instant at which a gaming day starts."""
    # fold=0: of an hour that comes twice, the day starts in the first.
    return datetime.combine(day, clock.day_starts, clock.zone).astimezone(ZoneInfo("UTC"))


def gaming_day(clock: Clock, now: datetime) -> date:
    """Return the gaming day that an instant belongs to.

    >>> clock = Clock(ZoneInfo("America/New_York"), (Shift("Day", time(6)),))
    >>> gaming_day(clock, datetime(2026, 5, 2, 9, 59, tzinfo=ZoneInfo("UTC")))
    datetime.date(2026, 5, 1)
    >>> gaming_day(clock, datetime(2026, 5, 2, 10, 0, tzinfo=ZoneInfo("UTC")))
    datetime.date(2026, 5, 2)
    """
    _demand_an_instant(now)
    today = now.astimezone(clock.zone).date()
    # Where clocks go back over midnight, the calendar shows a day again whose gaming day is over.
    nearby = (today + timedelta(days=1), today, today - timedelta(days=1))
    return next(day for day in nearby if day_start(clock, day) <= now)


def period(clock: Clock, now: datetime) -> Period:
    """Return the gaming day and shift that an instant belongs to."""
    day = gaming_day(clock, now)
    starts = _shift_starts(clock, day)
    index = max(i for i, start in enumerate(starts[:-1]) if start <= now)
    # The least of the later starts: of shifts that start in an hour left out, one may never be.
    ends = min(starts[index + 1 :])
    return Period(day, clock.shifts[index].name, index, starts[index], ends)


def _shift_starts(clock: Clock, day: date) -> Sequence[datetime]:
    """Return the start of each shift of a gaming day, and of the next gaming day."""
    first = day_start(clock, day)
    starts = [first]
    for shift in clock.shifts[1:]:
        # A shift that starts by the clock before the day does starts on the next calendar date.
        on = day + timedelta(days=1) if shift.starts < clock.day_starts else day
        start = datetime.combine(on, shift.starts, clock.zone).astimezone(ZoneInfo("UTC"))
        starts.append(start)
    starts.append(day_start(clock, day + timedelta(days=1)))
    return starts


def _minutes_after(first: time, later: time) -> int:
    return ((later.hour - first.hour) * 60 + later.minute - first.minute) % (24 * 60)


def _demand_an_instant(now: datetime) -> None:
    if now.tzinfo is None:
        raise ValueError("an instant needs a time zone")
