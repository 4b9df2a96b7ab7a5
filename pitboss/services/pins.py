"""Prove that someone is who their badge says, and count every attempt, whatever happens next."""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from itertools import pairwise

from django.conf import settings
from django.contrib.auth.hashers import check_password, make_password
from django.db import transaction

from pitboss.models import Attempt, Device, Person, UsedPin
from pitboss.models.sealed import RecordAltered, note_altered
from pitboss.rules.canonical import is_plain
from pitboss.rules.flows.fresh_pins import fresh_amount_refusals, fresh_power_refusal
from pitboss.rules.people import lockout
from pitboss.rules.people.passkeys import proved_by
from pitboss.rules.people.pin_age import PINS_KEPT
from pitboss.rules.refusal import NOT_YOURS, Refusal, Refused, refuse
from pitboss.rules.said import Said
from pitboss.services import house, journal, pads, passkeys
from pitboss.services.afterward import keep_what_was_left
from pitboss.services.attempts import (
    Try,
    note_wrong,
    reserve,
    settle,
    shown_badge,
    tries_sentence,
)
from pitboss.services.locks import lock_person, lock_sent_form
from pitboss.services.row_seals import tell_of_altered

PIN_DIGITS = 6
# The one act that a PIN which is too old still signs.
CHANGE_OWN_PIN = "change_own_pin"
_BADGE = re.compile(r"[A-Za-z0-9-]{1,12}")


def prove_pin(
    *,
    badge: str,
    pin: str,
    device: Device | None,
    policy: lockout.LockoutPolicy,
    known: Person | None = None,
) -> Person:
    """Return the person whose badge and PIN these are; who has just read them says so.

    A PIN is judged on an enrolled device or not at all: elsewhere even the answer would tell a
    stranger a right one from a wrong one. The attempt is reserved and committed before the PIN is
    looked at, so that no rollback hides it and guesses sent side by side are all counted. Raises
    Refused; the journal keeps the attempt.
    """
    if device is None or device.revoked_at is not None:
        raise unknown_device()
    kind = Attempt.Kind.PIN
    return _prove(badge=badge, secret=pin, kind=kind, device=device, policy=policy, known=known)


def prove_password(
    *, badge: str, password: str, device: Device | None, policy: lockout.LockoutPolicy
) -> Person:
    """Return the person whose badge and password these are. Counted and locked like a PIN."""
    kind = Attempt.Kind.PASSWORD
    return _prove(badge=badge, secret=password, kind=kind, device=device, policy=policy)


@contextmanager
def signed_act(
    *,
    act: str,
    badge: str,
    pin: str,
    device: Device | None,
    chain: str = journal.PEOPLE,
    shown: str = "",
) -> Iterator[Person]:
    """Give an act of a manager to whoever's badge and PIN these are, in one transaction.

    The device must be enrolled and the person may work today. Whatever is refused, here or in the
    act, rolls back and is kept in the journal, of people unless told. What is written meanwhile
    keeps what the pad said, which was shown for this act and for this text. Raises Refused.
    """
    now = house.now()
    here = house.the_property()
    person = None
    try:
        in_force = here.settings_at(now)
        person = prove_pin(badge=badge, pin=pin, device=device, policy=in_force.lockout)
        aged = in_force.pin_age.refusals(str(person), person.pin_set_at, now)
        if aged and act != CHANGE_OWN_PIN:
            raise Refused(aged)
        passkeys.demand_passkey(person, proved_by(act), device=device)
        sent = pads.sent_for(shown) or pads.attested_now()
        with pads.attesting(sent), transaction.atomic(durable=True):
            lock_sent_form()
            if not house.is_usable(device):
                raise unknown_device()
            if not house.may_work(person, here.period_at(now)):
                raise refuse(
                    "not_employed",
                    Said("{person} can’t sign today. Call the shift manager.", person=person),
                    NOT_YOURS,
                )
            yield person
    except Refused as refused:
        keep_refused_act(act, badge, refused, person, device, chain)
        raise


def keep_refused_act(
    act: str,
    badge: str,
    refused: Refused,
    person: Person | None,
    device: Device | None,
    chain: str = journal.PEOPLE,
) -> None:
    """Write into the journal that an act was refused, after what it had done is rolled back."""
    with transaction.atomic(durable=True):
        journal.write(
            chain=chain,
            kind="act_refused",
            body={"act": act, "badge": shown_badge(badge), "codes": list(refused.codes)},
            at=house.now(),
            person=person,
            device=device,
        )
    tell_of_altered()
    keep_what_was_left()


# What would tell a guesser which part of a guess was right.
_TELLING = frozenset(
    {
        "badge_malformed",
        "code_unknown",
        "no_pin",
        "unknown_badge",
        "wrong_password",
        "wrong_pin",
        "wrong_witness",
    }
)


def one_answer(refused: Refused) -> Refused:
    """Return the one answer for a wrong badge, code or PIN; other reasons as they are."""
    if _TELLING.isdisjoint(refused.codes):
        return refused
    return refuse(
        "not_proven", "A badge, code, PIN or password is wrong. Check each, or ask for new codes."
    )


def unknown_device() -> Refused:
    """Return why nothing is signed here."""
    return refuse("unknown_device", "This device isn’t enrolled. Use one that is.", NOT_YOURS)


def demand_settled_pin(person: Person, now: datetime) -> None:
    """Refuse power over others to a PIN that others have just set. Raises Refused."""
    if house.settings_at(now).fresh_pins.is_fresh(person.pin_by_others_at, now):
        raise Refused([fresh_power_refusal(str(person))])


def demand_worth(person: Person, worth_cents: int, now: datetime) -> None:
    """Refuse an amount beyond what a PIN signs for that others have just set. Raises Refused.

    For what is signed outside slips; a slip is judged by what it is worth.
    """
    limit_cents = house.settings_at(now).fresh_pins.limit_cents(person.pin_by_others_at, now)
    refusals = fresh_amount_refusals(str(person), limit_cents, worth_cents)
    if refusals:
        raise Refused(refusals)


def quoted(given: object) -> str:
    """Return what someone gave as a step, cut and cleaned, as the journal can keep it."""
    return str(given).encode(errors="replace").decode().replace("\x00", "")[:24]


# Stands before the hash of a PIN that is bound to its person; those of an earlier release lack it.
BOUND = "bound:"


def peppered(pin: str, person_id: int | None) -> str:
    """Return a PIN mixed with its person and a key that the database does not hold.

    Its hash alone is no use, and none at all beside another person's name.
    """
    whose = "" if person_id is None else f"{person_id}\x00"
    secret = f"{whose}{pin}".encode()
    return hmac.new(settings.KEYS.pin_pepper, secret, hashlib.sha256).hexdigest()


def hash_pin(pin: str, person: Person) -> str:
    """Return how a PIN is stored: bound to its person and peppered, then argon2."""
    person.take_id()
    return BOUND + make_password(peppered(pin, person.pk))


def pin_refusals(pin: str, person: Person) -> list[Refusal]:
    """Return why a PIN may not be chosen. Guessable ones would make the lock-out a formality."""
    if not is_plain(pin) or not re.fullmatch(rf"[0-9]{{{PIN_DIGITS}}}", pin):
        return [
            Refusal(
                "pin_malformed",
                Said("A PIN is {pin_digits} digits. Enter it again.", pin_digits=PIN_DIGITS),
            )
        ]
    steps = {(int(b) - int(a)) % 10 for a, b in pairwise(pin)}
    # 111111, 123456, 987654, 246802 and the like, 121212, and the badge itself.
    if len(steps) == 1 or len(set(pin)) < 3 or pin == person.badge.zfill(PIN_DIGITS):
        return [Refusal("pin_guessable", "That PIN is too easy to guess. Choose another.")]
    if any(_was(pin, person, stored) for stored in _last_pins(person)):
        return [
            Refusal(
                "pin_used",
                Said(
                    "You had that PIN before. Choose none of your last {pins_kept}.",
                    pins_kept=PINS_KEPT,
                ),
            )
        ]
    return []


def _last_pins(person: Person) -> list[str]:
    """Return the hashes of the last PINs of a person, the one they have included."""
    used = UsedPin.objects.filter(person=person.pk).order_by("-id")
    before = list(used.values_list("pin_hash", flat=True)[:PINS_KEPT])
    return (
        before if person.pin_hash in before or not person.pin_hash else [person.pin_hash, *before]
    )


def _was(pin: str, person: Person, stored: str) -> bool:
    bound_to = person.pk if stored.startswith(BOUND) else None
    return check_password(peppered(pin, bound_to), stored.removeprefix(BOUND))


def keep_pin(person: Person, now: datetime) -> UsedPin:
    """Keep the PIN that a person has just set, so that it is not chosen again soon."""
    return UsedPin.objects.create(person=person, pin_hash=person.pin_hash, set_at=now)


def _prove(
    *,
    badge: str,
    secret: str,
    kind: str,
    device: Device | None,
    policy: lockout.LockoutPolicy,
    known: Person | None = None,
) -> Person:
    badge = clean_badge(badge)
    is_known = known is not None and known.badge == badge
    person = known if is_known else Person.objects.filter(badge=badge).first()
    attempt = Try(badge, person, kind, device, policy, house.now())
    reserved = reserve(attempt)
    if person is not None and not person.is_sealed():
        # The row says whose PIN it is: one that was altered proves no one.
        note_altered(person)
        tell_of_altered()
        raise RecordAltered(person)
    if _is_right(person, secret, kind):
        assert person is not None
        settle(reserved)
        if kind == Attempt.Kind.PIN and not person.pin_hash.startswith(BOUND):
            person = _bind(attempt, person, secret)
        return person
    raise _wrong(attempt, note_wrong(attempt))


def clean_badge(badge: object) -> str:
    """Return a badge as it is stored. Raises Refused."""
    cleaned = badge.strip() if isinstance(badge, str) else ""
    if not _BADGE.fullmatch(cleaned):
        raise refuse("badge_malformed", "A badge is up to 12 letters and digits. Scan it again.")
    return cleaned


def _is_right(person: Person | None, secret: str, kind: str) -> bool:
    """Compare a secret with what is stored; an unknown badge costs the same time as a known one."""
    if not is_plain(secret):
        person, secret = None, ""
    if kind == Attempt.Kind.PIN:
        stored = person.pin_hash if person else ""
        bound_to = person.pk if person and stored.startswith(BOUND) else None
        secret, stored = peppered(secret, bound_to), stored.removeprefix(BOUND)
    else:
        stored = person.password if person else ""
    if not stored:
        make_password(secret)
        return False
    return check_password(secret, stored)


@transaction.atomic(durable=True)
def _bind(attempt: Try, person: Person, pin: str) -> Person:
    """Bind a PIN that was stored by an earlier release to its person, now that it is known."""
    locked = lock_person(person.pk)
    if locked.pin_hash == person.pin_hash:
        locked.pin_hash = hash_pin(pin, locked)
        locked.save(update_fields=["pin_hash"])
        journal.write(
            chain=journal.PEOPLE,
            kind="pin_bound",
            body={},
            at=attempt.at,
            person=locked,
            device=attempt.device,
        )
    return locked


def _wrong(attempt: Try, left: int) -> Refused:
    """Return what to say of a wrong attempt.

    A password may be tried by anyone: one answer, whether the badge or the password is wrong. A
    PIN is tried on enrolled devices alone, where every badge on the floor is known anyhow.
    """
    tries = tries_sentence(left, attempt.device)
    if attempt.kind == Attempt.Kind.PASSWORD:
        return refuse("wrong_password", Said("Badge or password is wrong. {tries}", tries=tries))
    if attempt.person is None:
        return refuse("unknown_badge", "Badge not found. Scan it again.")
    if not attempt.person.pin_hash:
        return refuse(
            "no_pin",
            Said("{person} hasn’t set a PIN. Ask a manager for a PIN code.", person=attempt.person),
        )
    return refuse(
        "wrong_pin", Said("Wrong PIN for {person}. {tries}", person=attempt.person, tries=tries)
    )
