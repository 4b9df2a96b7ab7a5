"""The journal as another system reads it on: every entry once, in the order of its numbers."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Final

from pitboss.models import JournalEntry
from pitboss.timeouts import PATIENCE

# So many entries are looked through for one answer.
READ_MAX: Final = 2_000
# Longer than any transaction of the site lives: a number that is missing then was never stored.
SETTLED_AFTER: Final = timedelta(
    seconds=max(patience.transaction for patience in PATIENCE.values()) + 10
)


@dataclass(frozen=True, slots=True)
class FeedPage:
    """Some entries, the number to read on from, and whether they are all that can be read now."""

    entries: list[JournalEntry]
    next: int
    is_whole: bool


def entries_after(after: int, *related: str, now: datetime) -> FeedPage:
    """Return the entries that follow a number.

    Numbers are given out before entries are committed, and acts at two tables commit in any order.
    A missing number may still be stored: nothing is read past it until it can't be.
    """
    before = JournalEntry.objects.filter(pk__gt=0, pk__lte=after).order_by("-pk")
    last = before.values_list("pk", flat=True).first()
    following = JournalEntry.objects.filter(pk__gt=after).select_related("chain", "slip", *related)
    entries = list(following.order_by("pk")[:READ_MAX])
    numbers = [*([last] if last is not None else []), *(entry.pk for entry in entries)]
    young = {entry.pk for entry in entries if now - entry.at < SETTLED_AFTER}
    for earlier, number in pairwise(numbers):
        if number != earlier + 1 and number in young:
            kept = [entry for entry in entries if entry.pk < number]
            return FeedPage(kept, kept[-1].pk if kept else after, is_whole=True)
    return FeedPage(entries, numbers[-1] if entries else after, is_whole=len(entries) < READ_MAX)
