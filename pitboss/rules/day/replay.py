"""Which minute of the past a replay shows: any of the last gaming days, and none to come."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

# As far back as a supervisor asks what happened; older days are read in the journal.
DAYS: Final = 7
# How far the buttons beside the slider go.
STEPS_MINUTES: Final = (-60, -15, -5, -1, 1, 5, 15, 60)
MINUTE: Final = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class ReplayMinute:
    """A minute of a gaming day, and the last one of it that has passed."""

    began: datetime
    minute: int
    last: int

    @property
    def at(self) -> datetime:
        """The end of the minute that is shown: all that happened in it has happened."""
        return self.began + (self.minute + 1) * MINUTE

    def steps(self) -> list[tuple[int, int]]:
        """Return where one can go from here: by how many minutes, and to which."""
        return [
            (step, self.minute + step)
            for step in STEPS_MINUTES
            if 0 <= self.minute + step <= self.last
        ]


def moment_of(
    minute: int | None, began: datetime, ends: datetime, now: datetime
) -> ReplayMinute | None:
    """Return the minute asked for, within its day and not to come; none of a day to come.

    Without one it is the last that has passed.

    >>> six = datetime(2026, 5, 1, 6)
    >>> day = six + timedelta(days=1)
    >>> moment_of(None, six, day, six + timedelta(minutes=90)).minute
    89
    >>> moment_of(9_999, six, day, day + timedelta(days=3)).at == day
    True
    >>> moment_of(5, day, day + timedelta(days=1), six) is None
    True
    """
    last = (min(ends, now) - began) // MINUTE - 1
    if last < 0:
        return None
    asked = last if minute is None else min(max(0, minute), last)
    return ReplayMinute(began, asked, last)
