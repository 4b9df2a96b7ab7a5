"""Accounts that no one uses: after so many days one is suspended, until two people restore it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum, unique
from typing import Final

from pitboss.rules.refusal import Refusal

LEAVE_DAYS_MAX: Final = 366


@unique
class AccountStep(StrEnum):
    """What happened to someone's account, in the order in which it may."""

    # Since when the house knows of it: a new account that is never used counts from here.
    KNOWN = "known"
    LEAVE = "leave"
    SUSPENDED = "suspended"
    REMOVED = "removed"
    RESTORED = "restored"


@unique
class Why(StrEnum):
    """Why an account is suspended."""

    UNUSED = "unused"
    NEVER_USED = "never_used"
    ON_LEAVE = "on_leave"
    REVIEWED = "reviewed"

    @property
    def label(self) -> str:
        return _WORDS[self]


_WORDS: Final = {
    Why.UNUSED: "not used",
    Why.NEVER_USED: "never used",
    Why.ON_LEAVE: "on leave",
    Why.REVIEWED: "removed by an access review",
}


@dataclass(frozen=True, slots=True)
class Dormancy:
    """After how many days an account is suspended that is not used, and one that never was.

    0 for never.
    """

    days: int
    never_days: int

    def why(
        self,
        known_since: datetime,
        last_use: datetime | None,
        back_since: datetime | None,
        now: datetime,
    ) -> Why | None:
        """Return why an account is suspended now, or nothing.

        The days count from its last use, and from the day that its person came back, off leave or
        by two signatures.

        >>> may = datetime(2026, 5, 1)
        >>> Dormancy(45, 14).why(may, None, None, may + timedelta(days=14)).value
        'never_used'
        >>> Dormancy(45, 14).why(may, may, None, may + timedelta(days=45)).value
        'unused'
        >>> Dormancy(45, 14).why(may, may, may + timedelta(days=40), may + timedelta(days=45))
        """
        why, days = (
            (Why.NEVER_USED, self.never_days) if last_use is None else (Why.UNUSED, self.days)
        )
        since = max(item for item in (known_since, last_use, back_since) if item is not None)
        return why if days and now - since >= timedelta(days=days) else None


def leave_refusals(first: date, last: date, today: date) -> list[Refusal]:
    """Return why a leave of absence may not have these days.

    >>> may = date(2026, 5, 1)
    >>> [each.code for each in leave_refusals(may, date(2026, 4, 1), may)]
    ['leave_ends_first']
    """
    if last < first:
        return [Refusal("leave_ends_first", "The last day is before the first. Enter them again.")]
    if last < today:
        return [Refusal("leave_is_over", "That leave is over. Enter days that are still to come.")]
    if (last - first).days >= LEAVE_DAYS_MAX:
        return [
            Refusal("leave_too_long", f"A leave is at most {LEAVE_DAYS_MAX} days. Enter it again.")
        ]
    return []
