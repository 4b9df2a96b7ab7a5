"""The hand-overs of shift managers by name, for what asks whether a slip is one."""

from __future__ import annotations

from typing import Final

SHIFT_CLOSE: Final = "shift_close"
DAY_CLOSE: Final = "day_close"
HANDOVERS: Final = frozenset({SHIFT_CLOSE, DAY_CLOSE})
