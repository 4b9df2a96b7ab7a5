"""Prove that someone is who their badge says, and count every attempt, whatever happens next."""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from itertools import pairwise

from django.conf import settings
from django.contrib.auth.hashers import check_password, make_password
from django.db import connection, transaction

from pitboss.models import Attempt, Device, Person
from pitboss.rules import lockout
from pitboss.rules.canonical import is_plain
from pitboss.rules.refusal import Refusal, Refused, refuse
from pitboss.services import house, journal
from pitboss.services.exceptions import open_exception
from pitboss.services.locks import UNWAITED, lock_badge

PIN_DIGITS = 6
_BADGE = re.compile(r"[A-Za-z0-9-]{1,12}")


def prove_pin(
    *, badge: str, pin: str, device: Device | None, policy: lockout.LockoutPolicy
) -> Person:
    """Return the person whose badge and PIN these are.

    The attempt is reserved and committed before the PIN is looked at, so that no rollback hides it
    and guesses sent side by side are all counted. Raises Refused; the journal keeps the attempt.
    """
    return _prove(badge=badge, secret=pin, kind=Attempt.Kind.PIN, device=device, policy=policy)


def prove_password(
    *, badge: str, password: str, device: Device | None, policy: lockout.LockoutPolicy
) -> Person:
    """Return the person whose badge and password these are. Counted and locked like a PIN."""
    kind = Attempt.Kind.PASSWORD
    return _prove(badge=badge, secret=password, kind=kind, device=device, policy=policy)


@contextmanager
def signed_act(*, act: str, badge: str, pin: str, device: Device | None) -> Iterator[Person]:
    """Give an act of a manager to whoever's badge and PIN these are, in one transaction.

    The device must be enrolled and the person may work today. Whatever is refused, here or in the
    act, rolls back and is kept in the journal of people. Raises Refused.
    """
    now = house.now()
    here = house.the_property()
    person = None
    try:
        policy = here.settings_at(now).lockout
        person = prove_pin(badge=badge, pin=pin, device=device, policy=policy)
        with transaction.atomic(durable=True):
            if not house.is_usable(device):
                raise refuse("unknown_device", "This device is not enrolled. Sign on one that is.")
            if not house.may_work(person, here.period_at(now)):
                raise refuse("not_employed", f"{person} may not sign today.")
            yield person
    except Refused as refused:
        with transaction.atomic(durable=True):
            journal.write(
                chain=journal.PEOPLE,
                kind="act_refused",
                body={"act": act, "badge": quoted(badge), "codes": list(refused.codes)},
                at=now,
                person=person,
                device=device,
            )
        raise


def quoted(given: object) -> str:
    """Return what someone gave as a badge or step, cut and cleaned, as the journal can keep it."""
    return str(given).encode(errors="replace").decode().replace("\x00", "")[:24]


def peppered(pin: str) -> str:
    """Return a PIN mixed with a key that the database does not hold: its hash alone is no use."""
    return hmac.new(settings.KEYS.pin_pepper, pin.encode(), hashlib.sha256).hexdigest()


def hash_pin(pin: str) -> str:
    """Return how a PIN is stored: peppered, then argon2."""
    return make_password(peppered(pin))


def pin_refusals(pin: str, person: Person) -> list[Refusal]:
    """Return why a PIN may not be chosen. Guessable ones would make the lock-out a formality."""
    if not is_plain(pin) or not re.fullmatch(rf"[0-9]{{{PIN_DIGITS}}}", pin):
        return [Refusal("pin_malformed", f"A PIN is {PIN_DIGITS} digits.")]
    steps = {(int(b) - int(a)) % 10 for a, b in pairwise(pin)}
    # 111111, 123456, 987654, 246802 and the like, 121212, and the badge itself.
    if len(steps) == 1 or len(set(pin)) < 3 or pin == person.badge.zfill(PIN_DIGITS):
        return [Refusal("pin_guessable", "This PIN is easy to guess. Choose another.")]
    return []


def _prove(
    *, badge: str, secret: str, kind: str, device: Device | None, policy: lockout.LockoutPolicy
) -> Person:
    now = house.now()
    badge = clean_badge(badge)
    attempt = _reserve(badge=badge, kind=kind, device=device, policy=policy, now=now)
    person = Person.objects.filter(badge=badge).first()
    if _is_right(person, secret, kind):
        assert person is not None
        _settle(attempt)
        return person
    raise _wrong(badge=badge, person=person, kind=kind, device=device, policy=policy, now=now)


def clean_badge(badge: object) -> str:
    """Return a badge as it is stored. Raises Refused."""
    cleaned = badge.strip() if isinstance(badge, str) else ""
    if not _BADGE.fullmatch(cleaned):
        raise refuse("badge_malformed", "A badge is up to 12 letters and digits. Scan it again.")
    return cleaned


@transaction.atomic(durable=True)
def _reserve(
    *,
    badge: str,
    kind: str,
    device: Device | None,
    policy: lockout.LockoutPolicy,
    now: datetime,
) -> Attempt:
    lock_badge(badge)
    until = lockout.locked_until(
        policy, _counting(badge, policy, now), device.pk if device else None, now
    )
    if until is not None:
        minutes = max(1, -(-int((until - now).total_seconds()) // 60))
        raise refuse(
            "locked",
            f"Badge {badge} is locked for {minutes} min after wrong attempts. "
            "Security or a shift manager can unlock it.",
        )
    return Attempt.objects.create(badge=badge, kind=kind, device=device, at=now)


def _settle(attempt: Attempt) -> None:
    """Note that an attempt was right, in a transaction of its own."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"UPDATE pitboss_attempt SET outcome = %s WHERE id = %s AND {UNWAITED} = 'off'",
            [Attempt.Outcome.RIGHT, attempt.pk],
        )


def _counting(badge: str, policy: lockout.LockoutPolicy, now: datetime) -> list[lockout.Attempt]:
    """Return the attempts that count against a badge: on each device, those since a right one.

    A right PIN on one device forgives nothing on another, or a thief could guess in its owner's
    shadow; nor does a right password forgive wrong PINs, or who knows one could guess the other.
    """
    since = now - 2 * policy.locked_for
    counting: list[lockout.Attempt] = []
    proven: set[tuple[int | None, str]] = set()
    attempts = Attempt.objects.filter(badge=badge, at__gt=since).order_by("-at", "-id")
    for outcome, device_id, kind, at in attempts.values_list("outcome", "device_id", "kind", "at"):
        if outcome == Attempt.Outcome.RIGHT:
            proven.add((device_id, kind))
        elif outcome == Attempt.Outcome.UNPROVEN and (device_id, kind) not in proven:
            counting.append(lockout.Attempt(at, device_id))
    return counting


def _is_right(person: Person | None, secret: str, kind: str) -> bool:
    """Compare a secret with what is stored; an unknown badge costs the same time as a known one."""
    if not is_plain(secret):
        person, secret = None, ""
    if kind == Attempt.Kind.PIN:
        stored = person.pin_hash if person else ""
        secret = peppered(secret)
    else:
        stored = person.password if person else ""
    if not stored:
        make_password(secret)
        return False
    return check_password(secret, stored)


def _wrong(
    *,
    badge: str,
    person: Person | None,
    kind: str,
    device: Device | None,
    policy: lockout.LockoutPolicy,
    now: datetime,
) -> Refused:
    """Journal a wrong attempt, tell security when it locks, and return what to say."""
    counting = _counting(badge, policy, now + timedelta(microseconds=1))
    left = lockout.tries_left(policy, counting, device.pk if device else None, now)
    with transaction.atomic(durable=True):
        journal.write(
            chain=journal.PEOPLE,
            kind=f"{kind}_wrong",
            body={"badge": badge, "known": person is not None, "tries_left": left},
            at=now,
            person=person,
            device=device,
        )
        if left == 0:
            open_exception(
                code="badge_locked",
                sentence=f"Badge {badge} is locked after wrong attempts.",
                details={"badge": badge, "device": device.name if device else None},
                at=now,
                person=person,
            )
    if kind == Attempt.Kind.PASSWORD:
        return refuse("wrong_password", f"Badge or password is wrong. {_tries(left)}")
    if person is None:
        return refuse("unknown_badge", f"No badge {badge} is known here. Scan it again.")
    if not person.pin_hash:
        return refuse("no_pin", f"{person} has no PIN yet. Ask a manager for an enrolment.")
    return refuse("wrong_pin", f"That is not the PIN of {person}. {_tries(left)}")


def _tries(left: int) -> str:
    if left == 0:
        return "The badge is now locked; security or a shift manager can unlock it."
    return f"{left} {'try' if left == 1 else 'tries'} left."
