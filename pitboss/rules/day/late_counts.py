"""The rules of what was done at a tray on paper: in real order, counts and slips must fit together.

They come in any order, so one alone proves nothing: a closer without its opener is named until the
opener is entered.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pitboss.rules.cheques.tray_counts import (
    CLOSERS,
    COMPARED_COUNTS,
    ENDING,
    EVERY_COUNT,
    OPENERS,
    RECOUNT,
)


@dataclass(frozen=True, slots=True)
class CountMade:
    """A count of a tray, or a slip that moved its cheques on paper."""

    serial: str
    kind: str

    @property
    def leaves_closed(self) -> bool:
        return self.kind in CLOSERS or self.kind == RECOUNT


def contradictions(made: Sequence[CountMade]) -> list[str]:
    """Return what was done at one tray, in the order it was done, and cannot have been.

    >>> contradictions([CountMade("C-1", "closer"), CountMade("L-1", "late_closer")])
    ['L-1 counts play after C-1, which left the table closed. An opener is missing.']
    >>> contradictions([CountMade("O-1", "opener"), CountMade("L-1", "late_opener")])
    ['L-1 opens the table after O-1, which left it open. A closer is missing.']
    >>> contradictions([CountMade("C-1", "closer"), CountMade("L-1", "late_fill")])
    ['L-1 is of a table that C-1 left closed. An opener is missing.']
    >>> contradictions([CountMade("O-1", "opener"), CountMade("L-1", "late_closer"),
    ...     CountMade("O-2", "opener")])
    []
    """
    named, last = [], None
    for place, count_made in enumerate(made):
        if count_made.kind not in EVERY_COUNT:
            after = next((later for later in made[place:] if later.kind in EVERY_COUNT), None)
            # Where play was counted after it, that count is named.
            if last is not None and last.leaves_closed and not _counts_play(after):
                named.append(
                    f"{count_made.serial} is of a table that {last.serial} left closed. "
                    "An opener is missing."
                )
            continue
        if last is not None and (why := _contradicts(last, count_made)):
            named.append(f"{count_made.serial} {why}")
        last = count_made
    return named


def _counts_play(count: CountMade | None) -> bool:
    return count is not None and count.kind in ENDING


def _contradicts(before: CountMade, after: CountMade) -> str:
    if after.kind not in COMPARED_COUNTS:
        if not before.leaves_closed:
            return ""
        return (
            f"counts play after {before.serial}, which left the table closed. An opener is missing."
        )
    if before.leaves_closed:
        return ""
    does = "opens the table" if after.kind in OPENERS else "recounts a locked tray"
    return f"{does} after {before.serial}, which left it open. A closer is missing."
