"""When a badge, or a badge on one device, is locked after wrong PINs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta


@dataclass(frozen=True, slots=True)
class LockoutPolicy:
    """How many wrong attempts lock what, and for how long."""

    wrong_on_device: int = 5
    wrong_anywhere: int = 10
    locked_for: timedelta = timedelta(minutes=15)


@dataclass(frozen=True, slots=True)
class Attempt:
    """An attempt that was not right, since the last right one or the last unlocking."""

    at: datetime
    device_id: int | None


def locked_until(
    policy: LockoutPolicy, attempts: Sequence[Attempt], device_id: int | None, now: datetime
) -> datetime | None:
    """Return until when this badge is locked on this device, or None.

    `attempts` are those that count, in any order. An attempt whose outcome is not yet known counts
    as wrong, so that guesses sent side by side are all counted.
    """
    recent = sorted(a.at for a in attempts if now - a.at < policy.locked_for)
    here = sorted(
        a.at for a in attempts if a.device_id == device_id and now - a.at < policy.locked_for
    )
    ends = []
    if len(here) >= policy.wrong_on_device:
        ends.append(here[-1] + policy.locked_for)
    if len(recent) >= policy.wrong_anywhere:
        ends.append(recent[-1] + policy.locked_for)
    return max(ends, default=None)


def tries_left(
    policy: LockoutPolicy, attempts: Sequence[Attempt], device_id: int | None, now: datetime
) -> int:
    """Return how many attempts this badge has left on this device before it is locked."""
    recent = [a for a in attempts if now - a.at < policy.locked_for]
    here = [a for a in recent if a.device_id == device_id]
    return max(0, min(policy.wrong_on_device - len(here), policy.wrong_anywhere - len(recent)))
