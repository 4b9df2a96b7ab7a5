"""A table that stays shut is counted again after some days, so that no tray is forgotten."""

from __future__ import annotations

from datetime import date
from enum import StrEnum, unique

RECOUNT_AFTER_DAYS = 7
"""Gaming days that a table may stay closed before its tray is counted again."""


@unique
class Recount(StrEnum):
    """Whether the tray of a closed table must be counted again."""

    NOT_YET = "not_yet"
    DUE = "due"
    OVERDUE = "overdue"


def recount_of(last_counted: date, today: date) -> Recount:
    """Return whether a tray last counted on a gaming day is to be counted again today.

    >>> from datetime import date
    >>> [recount_of(date(2026, 5, 1), date(2026, 5, day)).value for day in (7, 8, 9)]
    ['not_yet', 'due', 'overdue']
    """
    closed_days = (today - last_counted).days
    if closed_days < RECOUNT_AFTER_DAYS:
        return Recount.NOT_YET
    return Recount.DUE if closed_days == RECOUNT_AFTER_DAYS else Recount.OVERDUE
