"""Which papers should be in a drop box, and what is wrong with those that were found in it.

A copy is one printed part of one slip, with a code of its own: the slip's number, a stroke and the
first letter of the part. It belongs in the box that was on the table when the slip was signed. Near
a pull the dealer may have dropped it into either box; found in the other one it is a note. Whether
it is missing is then said once both boxes are posted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

STROKE: Final = "/"


def copy_code(serial: str, part: str) -> str:
    """Return the code of one part of a slip.

    >>> copy_code("F-2026-000417", "Duplicate")
    'F-2026-000417/D'
    """
    return f"{serial}{STROKE}{part[0].upper()}"


def serial_of(code: str) -> str:
    """Return the number of the slip that a code is of.

    >>> serial_of("F-2026-000417/D"), serial_of("F-2026-000417")
    ('F-2026-000417', 'F-2026-000417')
    """
    return code.partition(STROKE)[0]


@dataclass(frozen=True, slots=True)
class DroppedCopy:
    """A paper: its code, what it is, and in the box of which table it was dropped when."""

    code: str
    title: str
    table: str
    # None for a part that goes into no box.
    at: datetime | None
    # Its form names one box, whatever the minute.
    is_tied: bool = False
    # It may be in any box of its table from then on, or of any where it has none; no one misses it.
    is_optional: bool = False


@dataclass(frozen=True, slots=True)
class BoxPulled:
    """A box: when it was on its table, and what was found in it once that is posted."""

    table: str
    after: datetime | None
    until: datetime
    found: tuple[str, ...] | None = None

    def is_home_of(self, copy: DroppedCopy) -> bool:
        """Tell whether this box was on the table when the copy was dropped."""
        return (
            copy.table == self.table
            and copy.at is not None
            and copy.at <= self.until
            and (self.after is None or copy.at > self.after)
        )

    def holds(self, code: str) -> bool:
        """Tell whether a copy was found in this box; a bare number stands for any part of it."""
        return self.found is not None and (code in self.found or serial_of(code) in self.found)


@dataclass(frozen=True, slots=True)
class BoxPapers:
    """What is to be said of the papers of one box; each is named."""

    here: tuple[str, ...] = ()
    # In this box although they belong in the one before or after it, near the pull.
    notes: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    # Code, and where it belongs.
    foreign: tuple[tuple[str, str], ...] = ()
    # Code, and the count of the other box, or nothing when both were in this one.
    double: tuple[tuple[str, str], ...] = ()
    unreadable: int = 0

    @property
    def is_right(self) -> bool:
        return not (self.missing or self.foreign or self.double or self.unreadable)

    def words(self, titles: Mapping[str, str]) -> str:
        """Say everything that is wrong."""
        said = [f"{_named(code, titles)} is missing" for code in self.missing]
        said += [f"{_named(code, titles)} {where}" for code, where in self.foreign]
        said += [
            f"{_named(code, titles)} was also found on {other}"
            if other
            else f"{_named(code, titles)} was found twice"
            for code, other in self.double
        ]
        if self.unreadable:
            said.append(f"{self.unreadable} unreadable")
        return "; ".join(said)


def _named(code: str, titles: Mapping[str, str]) -> str:
    return f"{code} ({titles[code]})" if code in titles else code


@dataclass(frozen=True, slots=True)
class Around:
    """What lies around a box: the boxes before and after it, and papers found on other counts."""

    near: timedelta
    before: BoxPulled | None = None
    following: BoxPulled | None = None
    # The serial of the count on which a paper was found as well.
    elsewhere: Mapping[str, str] | None = None


def expected_copies(box: BoxPulled, copies: Iterable[DroppedCopy]) -> list[DroppedCopy]:
    """Return the copies that belong in a box, in the order in which they were dropped."""
    own = [copy for copy in copies if box.is_home_of(copy) and not copy.is_optional]
    return sorted(own, key=lambda copy: (copy.at or box.until, copy.code))


def judge_papers(
    box: BoxPulled,
    copies: Sequence[DroppedCopy],
    found: Sequence[str],
    around: Around,
    unreadable: int = 0,
) -> BoxPapers:
    """Say of each paper whether it belongs, and which are missing."""
    by_code = {copy.code: copy for copy in copies}
    seen: set[str] = set()
    here, notes = [], []
    foreign: list[tuple[str, str]] = []
    double: list[tuple[str, str]] = []
    elsewhere = around.elsewhere or {}
    for word in found:
        code = _meant(word, box, by_code, seen)
        copy = by_code.get(code)
        if code in seen:
            double.append((code, ""))
        elif code in elsewhere:
            double.append((code, elsewhere[code]))
        elif copy is None:
            foreign.append((code, "is not on file"))
        elif copy.at is None:
            foreign.append((code, "does not go into a drop box"))
        elif box.is_home_of(copy) or (copy.is_optional and copy.table in ("", box.table)):
            here.append(code)
        elif _may_be_in(box, copy, around):
            notes.append(code)
        elif copy.table != box.table:
            foreign.append((code, f"belongs to {copy.table}"))
        else:
            foreign.append((code, f"belongs in another box of {copy.table}"))
        seen.add(code)
    missing = [
        copy.code
        for copy in sorted(copies, key=lambda copy: copy.code)
        if copy.code not in seen and _is_missing(box, copy, around)
    ]
    return BoxPapers(
        tuple(here), tuple(notes), tuple(missing), tuple(foreign), tuple(double), unreadable
    )


def _meant(word: str, box: BoxPulled, by_code: Mapping[str, DroppedCopy], seen: set[str]) -> str:
    """Return the code that a word names; a bare number is the first part of it not yet seen."""
    if word in by_code or STROKE in word:
        return word
    parts = [copy for copy in by_code.values() if serial_of(copy.code) == word]
    unseen = [copy for copy in parts if copy.code not in seen]
    for copy in (
        *(dropped_copy for dropped_copy in unseen if box.is_home_of(dropped_copy)),
        *unseen,
        *parts,
    ):
        if copy.at is not None:
            return copy.code
    return word


def _may_be_in(box: BoxPulled, copy: DroppedCopy, around: Around) -> bool:
    """Tell whether a copy of the box before or after may have been dropped into this one."""
    other = around.before if around.before and around.before.is_home_of(copy) else around.following
    if other is None or not other.is_home_of(copy):
        # The box after it is still on the table.
        is_next = copy.table == box.table and copy.at is not None and copy.at > box.until
        return is_next and around.following is None and _is_near(copy, box.until, around)
    return _is_near(copy, box.until if other is around.following else other.until, around)


def _is_near(copy: DroppedCopy, pull: datetime, around: Around) -> bool:
    return not copy.is_tied and copy.at is not None and abs(copy.at - pull) <= around.near


def _is_missing(box: BoxPulled, copy: DroppedCopy, around: Around) -> bool:
    """Tell whether a copy that is not in this box must be named now."""
    if copy.is_optional:
        return False
    if box.is_home_of(copy):
        if _is_near(copy, box.until, around):
            other = around.following
        elif box.after is not None and _is_near(copy, box.after, around):
            other = around.before
        else:
            return True
        # Until the other box is posted it may still turn up there.
        return other is not None and other.found is not None and not other.holds(copy.code)
    for other, pull in ((around.before, box.after), (around.following, box.until)):
        if other is not None and pull is not None and other.is_home_of(copy):
            was_looked_for = other.found is not None and not other.holds(copy.code)
            return was_looked_for and _is_near(copy, pull, around)
    return False
