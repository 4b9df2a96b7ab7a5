"""When a badge, or a door at which many badges are tried, is locked after wrong PINs.

A door is an enrolled device, or the address of a machine that is not enrolled. What is tried at
machines that are not enrolled never locks anything on a device: whoever stands outside can keep
no one from work.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta


@dataclass(frozen=True, slots=True)
class LockoutPolicy:
    """How many wrong attempts lock what, and for how long."""

    wrong_on_device: int = 5
    wrong_anywhere: int = 10
    wrong_across_badges: int = 12
    locked_for: timedelta = timedelta(minutes=15)


@dataclass(frozen=True, slots=True)
class Door:
    """Where an attempt is made: on an enrolled device, or else from an address."""

    device_id: int | None
    source: str = ""

    def is_same(self, other: Door) -> bool:
        """Tell whether two are one door: a device wherever it is, a stranger by the address."""
        if self.device_id is not None or other.device_id is not None:
            return self.device_id == other.device_id
        return self.source == other.source

    @property
    def is_enrolled(self) -> bool:
        return self.device_id is not None


@dataclass(frozen=True, slots=True)
class WrongTry:
    """An attempt that was not right, since the last right one or the last unlocking."""

    at: datetime
    badge: str
    door: Door


def badge_locked_until(
    policy: LockoutPolicy, attempts: Sequence[WrongTry], badge: str, door: Door, now: datetime
) -> datetime | None:
    """Return until when this badge is locked at this door, or None.

    `attempts` are those that count, in any order, of at least the last two lock times. An attempt
    whose outcome is not yet known counts as wrong, so that guesses sent side by side are all
    counted. The lock holds its full time from the attempt that closed it, though the first attempts
    grow too old to close another.
    """
    own = _of_badge(attempts, badge, door)
    here = [wrong_try for wrong_try in own if wrong_try.door.is_same(door)]
    ends = [
        *_lock_ends(here, policy.wrong_on_device, policy.locked_for),
        *_lock_ends(own, policy.wrong_anywhere, policy.locked_for),
    ]
    return max((end for end in ends if end > now), default=None)


def door_locked_until(
    policy: LockoutPolicy, attempts: Sequence[WrongTry], door: Door, now: datetime
) -> datetime | None:
    """Return until when this door is locked to every badge, or None.

    One PIN tried with many badges locks no badge, so all that is wrong at one door counts together.
    """
    ends = _lock_ends(_at_door(attempts, door), policy.wrong_across_badges, policy.locked_for)
    return max((end for end in ends if end > now), default=None)


def tries_left(
    policy: LockoutPolicy, attempts: Sequence[WrongTry], badge: str, door: Door, now: datetime
) -> int:
    """Return how many attempts this badge has left at this door before one of them is locked."""
    if badge_locked_until(policy, attempts, badge, door, now) is not None:
        return 0
    if door_locked_until(policy, attempts, door, now) is not None:
        return 0
    recent = [attempt for attempt in attempts if now - attempt.at < policy.locked_for]
    own = _of_badge(recent, badge, door)
    here = [wrong_try for wrong_try in own if wrong_try.door.is_same(door)]
    return min(
        policy.wrong_on_device - len(here),
        policy.wrong_anywhere - len(own),
        policy.wrong_across_badges - len(_at_door(recent, door)),
    )


def _of_badge(attempts: Sequence[WrongTry], badge: str, door: Door) -> list[WrongTry]:
    """Return what counts against a badge at a door: enrolled devices apart from all others."""
    return [
        attempt
        for attempt in attempts
        if attempt.badge == badge and attempt.door.is_enrolled == door.is_enrolled
    ]


def _at_door(attempts: Sequence[WrongTry], door: Door) -> list[WrongTry]:
    return [attempt for attempt in attempts if attempt.door.is_same(door)]


def _lock_ends(attempts: Sequence[WrongTry], limit: int, lasts: timedelta) -> list[datetime]:
    """Return the end of each lock: `limit` attempts within one lock time close one."""
    times = sorted(attempt.at for attempt in attempts)
    return [
        last + lasts
        for first, last in zip(times, times[limit - 1 :], strict=False)
        if last - first < lasts
    ]
