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

    `attempts` are those that count, in any order, of at least the last two lock times. An attempt
    whose outcome is not yet known counts as wrong, so that guesses sent side by side are all
    counted. The lock holds its full time from the attempt that closed it, though the first attempts
    grow too old to close another.
    """
    anywhere = sorted(a.at for a in attempts)
    here = sorted(a.at for a in attempts if a.device_id == device_id)
    ends = [
        *_lock_ends(here, policy.wrong_on_device, policy.locked_for),
        *_lock_ends(anywhere, policy.wrong_anywhere, policy.locked_for),
    ]
    return max((end for end in ends if end > now), default=None)


def _lock_ends(times: Sequence[datetime], limit: int, lasts: timedelta) -> list[datetime]:
    """Return the end of each lock: `limit` attempts within one lock time close one."""
    return [
        last + lasts
        for first, last in zip(times, times[limit - 1 :], strict=False)
        if last - first < lasts
    ]


def tries_left(
    policy: LockoutPolicy, attempts: Sequence[Attempt], device_id: int | None, now: datetime
) -> int:
    """Return how many attempts this badge has left on this device before it is locked."""
    if locked_until(policy, attempts, device_id, now) is not None:
        return 0
    recent = [a for a in attempts if now - a.at < policy.locked_for]
    here = [a for a in recent if a.device_id == device_id]
    return min(policy.wrong_on_device - len(here), policy.wrong_anywhere - len(recent))
