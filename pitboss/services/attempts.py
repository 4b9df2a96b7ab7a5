"""Count every attempt to be someone, and lock a badge or a door when too many are wrong.

What was typed as a badge and is none may be anything, a PIN too. It is kept under a keyed mark
alone, in a table that is swept, and is written nowhere as it was typed.
"""

from __future__ import annotations

import hashlib
import hmac
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import connection, transaction

from pitboss.models import Attempt, Device, Person, StrayAttempt
from pitboss.models.plain import Statement, in_one_trip, inserting, stored
from pitboss.rules.canonical import is_plain
from pitboss.rules.people import lockout
from pitboss.rules.refusal import NOT_YOURS, refuse
from pitboss.rules.said import Said
from pitboss.services import house, journal
from pitboss.services.clock import check_clock
from pitboss.services.exceptions import open_exception
from pitboss.services.locks import UNWAITED, locking_attempts, or_busy
from pitboss.services.source import source


@dataclass(frozen=True, slots=True)
class Try:
    """One attempt under way: whose badge, at which door, by which rules."""

    badge: str
    person: Person | None
    kind: str
    device: Device | None
    policy: lockout.LockoutPolicy
    at: datetime

    @property
    def door(self) -> lockout.Door:
        return lockout.Door(self.device.pk if self.device else None, source())

    @property
    def mark(self) -> str:
        """What the attempt is counted under: the badge, or a keyed mark of what is none."""
        return self.badge if self.person else mark_of(self.badge)

    @property
    def shown_badge(self) -> str:
        return self.badge if self.person else masked(self.badge)


def mark_of(typed: str) -> str:
    """Return what tells one unknown badge from another, and cannot be turned back into it."""
    text = f"badge:{typed}".encode()
    return hmac.new(settings.KEYS.pin_pepper, text, hashlib.sha256).hexdigest()


def masked(typed: object) -> str:
    """Return what may be written of a badge that no one has: how long it was."""
    return f"unknown, {len(str(typed).strip())} characters"


def shown_badge(typed: object) -> str:
    """Return what was given as a badge as the journal may keep it: itself only if it is one."""
    if is_plain(typed):
        badge = str(typed).strip()
        if len(badge) <= 12 and Person.objects.filter(badge=badge).exists():
            return badge
    return masked(typed)


@transaction.atomic(durable=True)
def reserve(attempt: Try) -> Attempt | StrayAttempt:
    """Count an attempt before it is judged. Raises Refused where badge or door is locked.

    It is written before it is seen whether it may be: what is refused is rolled back.
    """
    door = attempt.door
    row = _reserved(attempt)
    storing, values = inserting(row)
    before = time.time()
    with or_busy():
        locked, counted, made = in_one_trip(
            locking_attempts(
                attempt.mark, f"device:{door.device_id}" if door.is_enrolled else door.source
            ),
            _asking_what_counts(attempt, attempt.at),
            (f"{storing} RETURNING id", values),
        )
    check_clock(before, locked[0][-1], time.time())
    _refuse_locked(attempt, _as_rules(counted))
    stored(row, made[0][0])
    return row


def demand_unlocked(attempt: Try) -> None:
    """Refuse an act without a PIN while badge or door is locked. Nothing is counted.

    Raises Refused.
    """
    (counted,) = in_one_trip(_asking_what_counts(attempt, attempt.at))
    _refuse_locked(attempt, _as_rules(counted))


def _refuse_locked(attempt: Try, counting: Sequence[lockout.WrongTry]) -> None:
    door, policy, now = attempt.door, attempt.policy, attempt.at
    until = lockout.door_locked_until(policy, counting, door, now)
    if until is not None:
        minutes = _minutes(until, now)
        if door.is_enrolled:
            raise refuse(
                "door_locked",
                Said(
                    "This device is locked for {minutes} min after wrong attempts with several "
                    "badges. Security or a shift manager can unlock it.",
                    minutes=minutes,
                ),
                NOT_YOURS,
            )
        raise refuse(
            "door_locked",
            Said(
                "This machine is locked for {minutes} min after wrong attempts with several "
                "badges. Wait.",
                minutes=minutes,
            ),
            NOT_YOURS,
        )
    until = lockout.badge_locked_until(policy, counting, attempt.mark, door, now)
    if until is not None:
        raise refuse(
            "locked",
            Said(
                "Badge {badge} is locked for {minutes} min after too many wrong tries. Security or "
                "a shift manager can unlock it.",
                badge=attempt.badge,
                minutes=_minutes(until, now),
            ),
            NOT_YOURS,
        )


def _reserved(attempt: Try) -> Attempt | StrayAttempt:
    common: dict[str, Any] = {
        "kind": attempt.kind,
        "device": attempt.device,
        "source": attempt.door.source,
        "at": attempt.at,
    }
    if attempt.person is None:
        return StrayAttempt(mark=attempt.mark, **common)
    return Attempt(badge=attempt.badge, **common)


def _minutes(until: datetime, now: datetime) -> int:
    return max(1, -(-int((until - now).total_seconds()) // 60))


def settle(reserved: Attempt | StrayAttempt) -> None:
    """Note that an attempt was right, in a transaction of its own."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"UPDATE pitboss_attempt SET outcome = %s WHERE id = %s AND {UNWAITED} = 'off'",
            [Attempt.Outcome.RIGHT, reserved.pk],
        )


# A right PIN at one door forgives nothing at another, or a thief could guess in its owner's shadow;
# nor does a right password forgive wrong PINs, or who knows one could guess the other.
_COUNTING = """
    SELECT tried.badge, tried.device_id, tried.source, tried.at FROM pitboss_attempt tried
    WHERE tried.at > %s AND tried.outcome = 'unproven'
        AND (tried.badge = %s OR {door})
        AND NOT EXISTS (
            SELECT FROM pitboss_attempt AS proven
            WHERE proven.badge = tried.badge AND proven.kind = tried.kind
                AND proven.outcome = 'right'
                AND (proven.at, proven.id) > (tried.at, tried.id)
                AND CASE WHEN tried.device_id IS NULL
                    THEN proven.device_id IS NULL AND proven.source = tried.source
                    ELSE proven.device_id = tried.device_id END
        )
    UNION ALL
    SELECT tried.mark, tried.device_id, tried.source, tried.at FROM pitboss_strayattempt tried
    WHERE tried.at > %s AND NOT tried.is_forgiven
        AND (tried.mark = %s OR {door})
"""
_ON_DEVICE = "tried.device_id = %s"
_FROM_SOURCE = "(tried.device_id IS NULL AND tried.source = %s)"


def _asking_what_counts(attempt: Try, now: datetime) -> Statement:
    """Return the question for the attempts that count against a badge anywhere, and a door."""
    door, since = attempt.door, now - 2 * attempt.policy.locked_for
    at_door = door.device_id if door.is_enrolled else door.source
    asked = [since, attempt.mark, at_door]
    return _COUNTING.format(door=_ON_DEVICE if door.is_enrolled else _FROM_SOURCE), asked * 2


def _as_rules(rows: list[tuple[Any, ...]]) -> list[lockout.WrongTry]:
    return [
        lockout.WrongTry(at, badge, lockout.Door(device_id, address))
        for badge, device_id, address, at in rows
    ]


def note_wrong(attempt: Try) -> int:
    """Journal a wrong attempt, tell security when it locks; return how many tries are left."""
    (counted,) = in_one_trip(_asking_what_counts(attempt, attempt.at + timedelta(microseconds=1)))
    counting = _as_rules(counted)
    door, policy, at = attempt.door, attempt.policy, attempt.at
    left = lockout.tries_left(policy, counting, attempt.mark, door, at)
    with transaction.atomic(durable=True):
        journal.write(
            chain=journal.PEOPLE,
            kind=f"{attempt.kind}_wrong",
            body={
                "badge": attempt.shown_badge,
                "known": attempt.person is not None,
                "tries_left": left,
            },
            at=at,
            person=attempt.person,
            device=attempt.device,
        )
        if lockout.badge_locked_until(policy, counting, attempt.mark, door, at):
            _tell_of_badge(attempt)
        if lockout.door_locked_until(policy, counting, door, at):
            _tell_of_door(attempt, len({wrong_try.badge for wrong_try in counting}))
    return left


def _where(attempt: Try) -> dict[str, str | None]:
    # A device is one door wherever it is; a stranger's machine is known by its address alone.
    if attempt.device is not None:
        return {"device": attempt.device.name}
    return {"device": None, "source": attempt.door.source}


def _tell_of_badge(attempt: Try) -> None:
    open_exception(
        code="badge_locked",
        sentence=f"Badge {attempt.shown_badge} is locked after wrong attempts.",
        details={"badge": attempt.shown_badge, **_where(attempt)},
        at=attempt.at,
        person=attempt.person,
    )


def _tell_of_door(attempt: Try, badges: int) -> None:
    door = attempt.device or attempt.door.source or "a machine without an address"
    open_exception(
        code="many_badges_tried",
        sentence=f"{door} is locked: wrong attempts with {badges} badges, one after the other.",
        details=_where(attempt),
        at=attempt.at,
        person=None,
    )


def tries_sentence(left: int, device: Device | None) -> Said:
    """Return what to say of the tries that are left."""
    if left > 0:
        return Said("1 try left.") if left == 1 else Said("{left} tries left.", left=left)
    if device is None:
        return Said("This is locked now. Wait, or sign in on an enrolled device.")
    return Said("It is locked now; security or a shift manager can unlock it.")


def forgive(*, badge: str | None = None, device: Device | None = None) -> None:
    """Let the wrong attempts of a badge, or all on a device, count no more."""
    unproven = Attempt.objects.filter(outcome=Attempt.Outcome.UNPROVEN)
    if badge is not None:
        unproven.filter(badge=badge).update(outcome=Attempt.Outcome.FORGIVEN)
    if device is not None:
        unproven.filter(device=device).update(outcome=Attempt.Outcome.FORGIVEN)
        StrayAttempt.objects.filter(device=device).update(is_forgiven=True)


@transaction.atomic(durable=True)
def sweep_strays(*, now: datetime) -> int:
    """Forget the attempts with badges that no one has, after the house's time; return how many."""
    if not house.has_begun():
        return 0
    kept = timedelta(hours=house.settings_at(now)["people.strays_kept"])
    swept, _ = StrayAttempt.objects.filter(at__lt=now - kept).delete()
    return swept
