"""This node's clock against the database's: who is off by more than this signs nothing.

Each node writes its own time on what is signed through it. The database's is the one they share.
"""

from __future__ import annotations

from pitboss.rules.refusal import refuse

OFF_SECONDS_MAX = 2


def seconds_off(before: float, told: float, after: float) -> float:
    """Return by how much a clock is off at least, by what another told between two looks at it.

    >>> seconds_off(10.0, 10.5, 11.0)
    0.0
    >>> seconds_off(10.0, 3.0, 11.0)
    7.0
    >>> seconds_off(10.0, 14.0, 11.0)
    3.0
    """
    return max(before - told, told - after, 0.0)


def check_clock(before: float, told: float, after: float) -> None:
    """Refuse where this node's clock and the database's do not agree. Raises Refused."""
    off = seconds_off(before, told, after)
    if off > OFF_SECONDS_MAX:
        raise refuse(
            "clock_off",
            f"This server’s clock is {off:.0f} s off, so no one can sign through it. "
            "Try again. If it keeps happening, use paper slips and call IT support.",
        )
