"""The relief string: who relieves whom at which table, and when.

A dealer is due for relief after so long at a table, and rests for so long before the next. Whoever
is free first goes to the table that is due first; a supervisor may send a certain dealer to a
certain table, and the rest of the string goes on without them.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta


@dataclass(frozen=True, slots=True)
class AtTable:
    """A table that is open, and who deals there since when; no one, when a dealer is missing."""

    table: str
    dealer: int | None = None
    since: datetime | None = None


@dataclass(frozen=True, slots=True)
class Resting:
    """A dealer of the string without a table, and when their break is over."""

    dealer: int
    free_at: datetime


@dataclass(frozen=True, slots=True)
class Relief:
    """One relief that comes: at which table, of whom, by whom, and when."""

    table: str
    relieved: int | None
    by: int | None
    due_at: datetime
    # When the relief can be there: after its due time where no one is free before.
    at: datetime | None
    is_sent: bool = False


def string_of(
    tables: Sequence[AtTable],
    resting: Sequence[Resting],
    sent: Mapping[str, int],
    *,
    relief_after: timedelta,
    break_for: timedelta,
    now: datetime,
) -> list[Relief]:
    """Return the next relief of every table, in the order in which they come.

    Anyone who is relieved rests, and then relieves the next: so a string goes on by itself.

    >>> noon = datetime(2026, 5, 1, 12)
    >>> string = string_of(
    ...     [AtTable("BJ-11", 1, noon), AtTable("BJ-12", 2, noon + timedelta(minutes=20))],
    ...     [Resting(3, noon)], {}, relief_after=timedelta(minutes=60),
    ...     break_for=timedelta(minutes=20), now=noon)
    >>> [(relief.table, relief.by, f"{relief.at:%H:%M}") for relief in string]
    [('BJ-11', 3, '13:00'), ('BJ-12', 1, '13:20')]
    """
    # An open tray that no one stands behind comes before any dealer who is overdue.
    due = sorted(
        tables, key=lambda at: (at.since is not None, _due_at(at, relief_after, now), at.table)
    )
    promised = {*sent.values()}
    ready = {item.dealer: item.free_at for item in resting}
    free = [(item.free_at, item.dealer) for item in resting if item.dealer not in promised]
    heapq.heapify(free)
    string, unmet = [], []

    def meet(at_table: AtTable, by: int, free_at: datetime, *, is_sent: bool) -> None:
        due_at = _due_at(at_table, relief_after, now)
        at = max(due_at, free_at, now)
        string.append(Relief(at_table.table, at_table.dealer, by, due_at, at, is_sent))
        if at_table.dealer is not None:
            heapq.heappush(free, (at + break_for, at_table.dealer))

    for at_table in due:
        by = sent.get(at_table.table)
        if by is not None and by in ready:
            meet(at_table, by, ready[by], is_sent=True)
        elif free:
            free_at, by = heapq.heappop(free)
            meet(at_table, by, free_at, is_sent=False)
        else:
            unmet.append(at_table)
    # Anyone who is relieved meanwhile comes to the tables that no one was free for.
    for at_table in unmet:
        if free:
            free_at, by = heapq.heappop(free)
            meet(at_table, by, free_at, is_sent=False)
        else:
            due_at = _due_at(at_table, relief_after, now)
            string.append(Relief(at_table.table, at_table.dealer, None, due_at, None))
    return sorted(
        string,
        key=lambda relief: (
            relief.at or relief.due_at,
            relief.relieved is not None,
            relief.table,
        ),
    )


def _due_at(at_table: AtTable, relief_after: timedelta, now: datetime) -> datetime:
    """Return when a table's relief is due; a table without a dealer wants one now."""
    return now if at_table.since is None else at_table.since + relief_after
