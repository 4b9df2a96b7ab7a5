"""A PIN that someone cannot set alone: offered by one person, witnessed by another.

Each of the two signs, and is shown half of the code; the person who gets both halves sets the PIN,
and the old one holds until then. Security and surveillance read of it, and so does the person.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from hmac import compare_digest

from django.contrib.auth.hashers import make_password
from django.db import transaction
from django.db.models import F, Q, QuerySet

from pitboss.models import Device, Person, PinEnrolment, UsedPin
from pitboss.rules.canonical import digest, is_plain
from pitboss.rules.refusal import NOT_YOURS, Refused, refuse
from pitboss.rules.roles import Role, can_get_a_pin, department, may_offer, may_witness
from pitboss.services import house, journal
from pitboss.services.exceptions import PIN_OFFERED, PIN_SET, open_exception
from pitboss.services.locks import lock_person
from pitboss.services.people import password_refusals
from pitboss.services.pins import (
    PIN_DIGITS,
    clean_badge,
    demand_settled_pin,
    hash_pin,
    keep_pin,
    pin_refusals,
    prove_password,
    prove_pin,
    signed_act,
)

OFFER_HOLDS = timedelta(hours=12)
_UNKNOWN = "Wrong badge, or a code is wrong, used, or expired. Ask for a new PIN offer."


@dataclass(frozen=True, slots=True)
class Witness:
    """A badge and the PIN that was entered with it."""

    badge: str
    pin: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What someone entered to set their PIN: who they are, both halves, and their new secrets."""

    badge: str
    code: str = field(repr=False)
    witness_code: str = field(repr=False)
    pin: str = field(repr=False)
    password: str = field(default="", repr=False)
    # The PIN or password that they had; without it a second witness vouches for them.
    old_secret: str = field(default="", repr=False)


def new_half() -> str:
    """Return half of a code, as someone reads it off one screen and enters it on another."""
    return secrets.token_hex(4).upper()


def live_offers(now: datetime) -> QuerySet[PinEnrolment]:
    """Return the offers with which someone may still set a PIN."""
    return PinEnrolment.objects.filter(used_at=None, expires_at__gt=now)


def expire_offers(person: Person, now: datetime) -> None:
    """End what was offered someone before: the newest offer alone opens anything."""
    live_offers(now).filter(person=person).update(expires_at=now)


def offer_pin(*, person_id: int, badge: str, pin: str, device: Device | None) -> str:
    """Offer someone a new PIN, signed; return the offerer's half of the code. Raises Refused."""
    with signed_act(act="offer_pin", badge=badge, pin=pin, device=device) as actor:
        person = lock_person(person_id)
        now = house.now()
        role = house.role_in(actor, house.period_at(now))
        if actor.pk == person.pk:
            raise refuse(
                "own_pin", "You can’t offer yourself a PIN. Change your own PIN, or ask a manager."
            )
        if not may_offer(role, Role(person.role), founding=_is_founding(person)):
            raise refuse("wrong_role", _reach("offer", role, person), NOT_YOURS)
        if not person.is_active:
            raise refuse(
                "not_employed", f"{person} no longer works here. Choose someone else.", NOT_YOURS
            )
        demand_settled_pin(actor, now)
        half = new_half()
        expire_offers(person, now)
        offer = PinEnrolment.objects.create(
            person=person,
            code_hash=digest(half),
            offered_by=actor,
            offered_at=now,
            expires_at=now + OFFER_HOLDS,
            told_at=None if _concerns_others(person) else now,
        )
        journal.write(
            chain=journal.PEOPLE,
            kind="pin_offered",
            body={"to": person.badge, "by": actor.signs_as, "role": role.value},
            at=now,
            person=actor,
            device=device,
        )
        if _concerns_others(person):
            _report(offer, PIN_OFFERED, f"{actor} offered {person} a new PIN.", now, [actor])
    return half


def witness_pin(*, person_id: int, badge: str, pin: str, device: Device | None) -> str:
    """Sign that one stands by while someone sets their PIN; return the witness's half.

    Raises Refused.
    """
    with signed_act(act="witness_pin", badge=badge, pin=pin, device=device) as witness:
        person = lock_person(person_id)
        now = house.now()
        offer = live_offers(now).filter(person=person, by_keys=False).first()
        if offer is None:
            raise refuse("no_offer", f"{person} has no open PIN offer. Have one offered first.")
        offer.require_seal()
        _demand_witness(witness, person, offer, now)
        half = new_half()
        offer.witness = witness
        offer.released_at = now
        offer.released_hash = digest(half)
        offer.save(update_fields=["witness", "released_at", "released_hash"])
        journal.write(
            chain=journal.PEOPLE,
            kind="pin_witnessed",
            body={"of": person.badge, "witness": witness.signs_as},
            at=now,
            person=witness,
            device=device,
        )
    return half


def set_pin(
    wanted: Wanted, *, witness: Witness, device: Device | None, second: Witness | None = None
) -> Person:
    """Set the PIN of the person it was offered to, signed by its witness. Raises Refused.

    Someone who has a PIN or password proves the old one too; if both are lost, a second witness of
    another department than the first signs in its place.
    """
    policy = house.settings_at(house.now()).lockout
    is_proven, beside = False, None
    # Elsewhere no secret is looked at; `signed_act` says why, and journals it.
    if device is not None and wanted.old_secret:
        is_proven = _proves_old_secret(wanted, device)
    elif device is not None and second is not None:
        beside = prove_pin(badge=second.badge, pin=second.pin, device=device, policy=policy)
    with signed_act(
        act="set_pin", badge=witness.badge, pin=witness.pin, device=device
    ) as standing_by:
        now = house.now()
        person, offer = _offered(wanted, now)
        if offer.witness_id != standing_by.pk:
            raise refuse(
                "wrong_witness", "The witness who was shown the second code must sign.", NOT_YOURS
            )
        _demand_witness(standing_by, person, offer, now)
        if (person.pin_hash or person.password) and not is_proven:
            _demand_second(beside, standing_by, person, offer, now)
            offer.second_witness = beside
        concerns_others = _concerns_others(person)
        used = store_secrets(person, wanted, now, by_others=concerns_others)
        offer.used_at = now
        offer.told_at = offer.told_at if concerns_others else now
        offer.save(update_fields=["used_at", "second_witness", "told_at"])
        vouched = [item for item in (standing_by, offer.second_witness) if item is not None]
        journal.write(
            chain=journal.PEOPLE,
            kind="pin_set",
            body={
                "of": person.badge,
                "offered_by": offer.offered_by_id,
                "witness": standing_by.signs_as,
                "second_witness": beside.signs_as if beside else None,
                "old_secret_proven": is_proven,
            },
            at=now,
            person=standing_by,
            device=device,
            rows=[used],
        )
        assert offer.offered_by is not None, "only keys of the house offer a PIN without a person"
        names = " and ".join(str(item) for item in vouched)
        sentence = f"{person} set a new PIN, offered by {offer.offered_by}, witnessed by {names}."
        if concerns_others:
            _report(offer, PIN_SET, sentence, now, [*vouched, offer.offered_by])
    return person


def has_unread_pins(person: Person) -> bool:
    """Tell whether others gave someone a PIN, or the means to set one, since they last read."""
    return _unread(person).exists()


def read_pins(person: Person) -> None:
    """Note that someone reads now what others did about their PIN."""
    now = house.now()
    with transaction.atomic():
        unread = list(_unread(person).select_for_update(no_key=True))
        for offer in unread:
            offer.told_at = now
            offer.save(update_fields=["told_at"])
        if unread:
            journal.write(
                chain=journal.PEOPLE,
                kind="pin_reset_told",
                body={"enrolments": [offer.pk for offer in unread]},
                at=now,
                person=person,
            )


def _unread(person: Person) -> QuerySet[PinEnrolment]:
    return PinEnrolment.objects.filter(
        Q(told_at=None) | Q(used_at__gt=F("told_at")), person=person
    ).order_by("pk")


def _proves_old_secret(wanted: Wanted, device: Device | None) -> bool:
    """Tell that the old PIN or password is right. A wrong one is counted, and raises Refused."""
    policy = house.settings_at(house.now()).lockout
    if re.fullmatch(rf"[0-9]{{{PIN_DIGITS}}}", wanted.old_secret):
        prove_pin(badge=wanted.badge, pin=wanted.old_secret, device=device, policy=policy)
    else:
        prove_password(badge=wanted.badge, password=wanted.old_secret, device=device, policy=policy)
    return True


def _offered(wanted: Wanted, now: datetime) -> tuple[Person, PinEnrolment]:
    """Return, locked, the person and the offer whose two halves these are. Raises Refused."""
    badge = clean_badge(wanted.badge)
    person = Person.objects.select_for_update(no_key=True).filter(badge=badge).first()
    if person is None or not is_plain(wanted.code) or not is_plain(wanted.witness_code):
        raise refuse("code_unknown", _UNKNOWN)
    offer = (
        live_offers(now)
        .filter(person=person, code_hash=half_hash(wanted.code), by_keys=False)
        .select_related("offered_by")
        .first()
    )
    if offer is None or not compare_digest(offer.released_hash, half_hash(wanted.witness_code)):
        raise refuse("code_unknown", _UNKNOWN)
    person.require_seal()
    offer.require_seal()
    return person, offer


def half_hash(half: str) -> str:
    """Return how half of a code is stored."""
    return digest(half.strip().upper())


def _demand_witness(witness: Person, person: Person, offer: PinEnrolment, now: datetime) -> None:
    """Refuse a witness who offered the PIN, whose PIN it is, or who has no say. Raises Refused."""
    role = house.role_in(witness, house.period_at(now))
    if witness.pk == person.pk:
        raise refuse(
            "wrong_witness", "You can’t witness your own PIN. Ask another person.", NOT_YOURS
        )
    if witness.pk == offer.offered_by_id:
        raise refuse(
            "wrong_witness", f"{witness} offered this PIN. Another person must witness.", NOT_YOURS
        )
    if not may_witness(role, Role(person.role), founding=_is_founding(person)):
        raise refuse("wrong_witness", _reach("witness", role, person), NOT_YOURS)
    demand_settled_pin(witness, now)


def _demand_second(
    second: Person | None, first: Person, person: Person, offer: PinEnrolment, now: datetime
) -> None:
    """Refuse a PIN whose owner proves no old secret and has no second witness. Raises Refused."""
    if second is None:
        raise refuse(
            "old_secret_missing",
            f"Enter the old PIN or password of {person}. "
            "If both are lost, a second witness of another department must sign.",
        )
    when = house.period_at(now)
    if not house.may_work(second, when):
        raise refuse(
            "not_employed", f"{second} can’t sign today. Call the shift manager.", NOT_YOURS
        )
    roles = [house.role_in(item, when) for item in (first, second)]
    if second.pk == first.pk or department(roles[0]) == department(roles[1]):
        raise refuse(
            "wrong_witness",
            "The second witness must be of another department than the first. Ask someone else.",
            NOT_YOURS,
        )
    _demand_witness(second, person, offer, now)


def _is_founding(person: Person) -> bool:
    """Tell whether this is a first PIN that no one in the house can yet give but shift managers."""
    return not person.pin_hash and not can_get_a_pin(Role(person.role), house.able_people())


def _reach(act: str, role: Role, person: Person) -> str:
    return (
        f"As {role.label} you can’t {act} the PIN of {person}, {Role(person.role).label}. "
        "“Who may do what” under People lists who can."
    )


def _concerns_others(person: Person) -> bool:
    """Tell whether security looks into a PIN and it signs for little at first.

    Not the first PINs of a house that was never open: there is neither security nor money yet.
    """
    return bool(person.pin_hash) or house.has_opened()


def store_secrets(person: Person, wanted: Wanted, now: datetime, *, by_others: bool) -> UsedPin:
    """Write the new secrets of a locked person. Raises Refused for weak ones.

    Returns the PIN as it is kept, for the journal to vouch for.
    """
    refusals = [*pin_refusals(wanted.pin, person), *password_refusals(wanted.password, person)]
    if refusals:
        raise Refused(refusals)
    if by_others:
        person.pin_by_others_at = now
    person.pin_hash = hash_pin(wanted.pin, person)
    person.pin_set_at = now
    if wanted.password:
        person.password = make_password(wanted.password)
    person.save(update_fields=["pin_hash", "pin_set_at", "pin_by_others_at", "password"])
    return keep_pin(person, now)


def _report(
    offer: PinEnrolment, code: str, sentence: str, now: datetime, behind: Sequence[Person]
) -> None:
    """Let security and surveillance look into it, and none of those behind it."""
    badges = sorted({offer.person.badge, *(person.badge for person in behind)})
    open_exception(
        code=code,
        sentence=sentence,
        details={"enrolment": offer.pk, "badges": badges},
        at=now,
        person=behind[0],
    )
