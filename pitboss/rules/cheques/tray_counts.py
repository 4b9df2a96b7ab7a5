"""The counts of a tray by name, for what asks whether a slip is one. Each is a kind of `tables`."""

from __future__ import annotations

from typing import Final

OPENER: Final = "opener"
RECOUNT: Final = "recount"
CLOSER: Final = "closer"
COUNT: Final = "count"
SHIFT_COUNT: Final = "shift_count"

LATE_OPENER: Final = "late_opener"
LATE_CLOSER: Final = "late_closer"
LATE_COUNT: Final = "late_count"
LATE_SHIFT_COUNT: Final = "late_shift_count"

TRAY_COUNTS: Final = frozenset({OPENER, RECOUNT, CLOSER, COUNT, SHIFT_COUNT})
# Made on paper in an outage, and entered afterwards.
LATE_COUNTS: Final = frozenset({LATE_OPENER, LATE_CLOSER, LATE_COUNT, LATE_SHIFT_COUNT})
EVERY_COUNT: Final = TRAY_COUNTS | LATE_COUNTS
OPENERS: Final = frozenset({OPENER, LATE_OPENER})
CLOSERS: Final = frozenset({CLOSER, LATE_CLOSER})
# Of a locked tray: what differs from its last count is variance, for no one has played at it.
COMPARED_COUNTS: Final = frozenset({OPENER, RECOUNT, LATE_OPENER})
# Counts that end a stretch of play. What an opener or a recount finds is variance, never win.
ENDING: Final = frozenset({CLOSER, COUNT, SHIFT_COUNT, LATE_CLOSER, LATE_COUNT, LATE_SHIFT_COUNT})
# From these steps on both have counted, and the book may be shown beside what they found.
VARIANCE_STEPS: Final = frozenset({"accepted", "security_reported", "surveillance_reported"})
