"""When boxes are dropped: the times of the house, what is off schedule, and what is overdue."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta, tzinfo
from enum import StrEnum, unique
from typing import Final

from pitboss.rules.quoting import quoted
from pitboss.rules.refusal import Refusal, Refused

LINES_MAX: Final = 40
_LINE: Final = re.compile(r"([0-9]{1,2}):([0-9]{2})(?:\s+(\S.*))?", re.ASCII)
# From an hour before its time until two hours after it a pull is the one that was planned.
EARLY: Final = timedelta(hours=1)
LATE: Final = timedelta(hours=2)
ALERT_AFTER: Final = timedelta(minutes=30)


@unique
class OffSchedule(StrEnum):
    """Why a box is pulled at another time than planned."""

    FULL = "full"
    MALFUNCTION = "malfunction"
    REGULATOR = "regulator"


OFF_SCHEDULE_WORDS: Final[Mapping[str, str]] = {
    OffSchedule.FULL.value: "The box is full",
    OffSchedule.MALFUNCTION.value: "The box or its lock doesn’t work",
    OffSchedule.REGULATOR.value: "The regulator requires it",
}


class DropTimes:
    """A kind of setting: one time a line, for every pit or for the one that is named."""

    def read(self, keyed: str) -> list[dict[str, str]]:
        """Return the times as they are stored. Every line that is wrong is named.

        >>> DropTimes().read("5:00\\n17:30 Pit 2")
        [{'at': '05:00', 'pit': ''}, {'at': '17:30', 'pit': 'Pit 2'}]
        """
        lines = [line.strip() for line in keyed.splitlines() if line.strip()]
        if len(lines) > LINES_MAX:
            raise Refused([Refusal("times_malformed", f"Enter {LINES_MAX} lines or fewer.")])
        times, refusals = [], []
        for number, line in enumerate(lines, 1):
            found = _LINE.fullmatch(line)
            hour, minute = (int(found[1]), int(found[2])) if found else (24, 0)
            if hour > 23 or minute > 59:
                message = f"Line {number}, {quoted(line)}, isn’t a valid time. {self.hint}"
                refusals.append(Refusal("times_malformed", message))
            times.append(
                {"at": f"{hour:02}:{minute:02}", "pit": (found[3] or "").strip() if found else ""}
            )
        if refusals:
            raise Refused(refusals)
        return times

    def words(self, value: list[dict[str, str]]) -> str:
        """Say the times in one line.

        >>> DropTimes().words([]), DropTimes().words(DropTimes().read("5:00 Pit 2"))
        ('none', '05:00 Pit 2')
        """
        return ", ".join(map(self._line, value)) or "none"

    def text(self, value: list[dict[str, str]]) -> str:
        """Write the times as they would be keyed."""
        return "\n".join(map(self._line, value))

    @staticmethod
    def _line(each: Mapping[str, str]) -> str:
        return f"{each['at']} {each['pit']}".strip()

    @property
    def hint(self) -> str:
        return "Enter one time per line, such as 05:00, or 05:00 Pit 2 for one pit."


@dataclass(frozen=True, slots=True)
class DropTime:
    """A time of day at which boxes are dropped: of one pit, or of every pit where none is named."""

    at: time
    pit: str = ""


def times_of(schedule: Sequence[Mapping[str, str]], pit: str) -> list[DropTime]:
    """Return the times of one pit: its own where it has some, else those of the house."""
    every = [DropTime(time.fromisoformat(fields["at"]), fields["pit"]) for fields in schedule]
    own = [drop_time for drop_time in every if drop_time.pit.casefold() == pit.casefold()]
    return own or [drop_time for drop_time in every if not drop_time.pit]


def _moments(times: Sequence[DropTime], zone: tzinfo, around: datetime) -> list[datetime]:
    """Return the planned drops from the day before to the day after, oldest first."""
    today = around.astimezone(zone).date()
    days = [today + timedelta(days=item) for item in (-1, 0, 1)]
    return sorted(datetime.combine(day, drop_time.at, zone) for day in days for drop_time in times)


def is_on_schedule(times: Sequence[DropTime], zone: tzinfo, now: datetime) -> bool:
    """Tell whether a pull now is a planned one. Without a schedule every pull is.

    >>> from datetime import UTC
    >>> five = [DropTime(time(5))]
    >>> [is_on_schedule(five, UTC, datetime(2026, 5, 1, hour, tzinfo=UTC)) for hour in (4, 6, 19)]
    [True, True, False]
    """
    return not times or any(
        moment - EARLY <= now <= moment + LATE for moment in _moments(times, zone, now)
    )


def overdue_since(
    times: Sequence[DropTime], zone: tzinfo, now: datetime, since: datetime, days: int
) -> datetime | None:
    """Return the planned drop that a table has missed; none where it has not.

    `since` is when its box was last pulled, or when it was opened after that.
    """
    passed = [moment for moment in _moments(times, zone, now) if moment + ALERT_AFTER < now]
    if not passed:
        return None
    return passed[-1] if is_missed(passed[-1], since, days) else None


def is_missed(planned: datetime, since: datetime, days: int) -> bool:
    """Tell whether a drop was missed at a table whose box was last pulled at a time.

    >>> from datetime import UTC
    >>> five = datetime(2026, 5, 2, 5, tzinfo=UTC)
    >>> [is_missed(five, five - timedelta(hours=hours), 1) for hours in (0, 24)]
    [False, True]
    """
    return since < planned - EARLY - timedelta(days=days - 1)


def schedule_refusals(
    times: Sequence[DropTime], zone: tzinfo, now: datetime, reason: str
) -> list[Refusal]:
    """Return why a box may not be pulled at another time than planned."""
    if reason or is_on_schedule(times, zone, now):
        return []
    planned = ", ".join(f"{drop_time.at:%H:%M}" for drop_time in times)
    return [
        Refusal(
            "off_schedule",
            f"The drop here is at {planned}. Choose why the box is pulled now.",
        )
    ]
