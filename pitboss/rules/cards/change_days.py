"""On which gaming days a house changes its cards by schedule."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Final

EVERY_DAY: Final = "daily"
# Monday first, as dates count their days.
WEEKDAYS: Final[Mapping[str, str]] = {
    "mon": "Monday",
    "tue": "Tuesday",
    "wed": "Wednesday",
    "thu": "Thursday",
    "fri": "Friday",
    "sat": "Saturday",
    "sun": "Sunday",
}
CHANGE_DAYS: Final[Mapping[str, str]] = {EVERY_DAY: "every day", **WEEKDAYS}


def is_change_day(schedule: str, day: date) -> bool:
    """Tell whether cards are changed on schedule on this gaming day.

    >>> is_change_day("fri", date(2026, 5, 1)), is_change_day("mon", date(2026, 5, 1))
    (True, False)
    """
    return schedule == EVERY_DAY or list(WEEKDAYS)[day.weekday()] == schedule
