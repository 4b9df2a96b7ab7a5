"""People: let in, given a PIN before a witness, lifted for a shift, unlocked."""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta

from django.contrib.auth.hashers import make_password
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import transaction

from pitboss.models import ActingRole, Attempt, Device, Person, PinEnrolment, Visit
from pitboss.rules.canonical import digest, is_plain
from pitboss.rules.refusal import Refusal, Refused, refuse
from pitboss.rules.roles import Role, department, may_act_as, may_witness, rank
from pitboss.services import house, journal
from pitboss.services.exceptions import open_exception
from pitboss.services.locks import lock_person
from pitboss.services.pins import clean_badge, hash_pin, pin_refusals, signed_act

ENROLMENT_HOLDS = timedelta(hours=12)


@transaction.atomic(durable=True)
def offer_pin(*, person_id: int, actor: Person, device: Device | None) -> str:
    """Return a one-time code with which someone sets their own PIN, before a witness.

    The old PIN ends at once: whoever asks for a new one may have lost the old. Raises Refused.
    """
    now = house.now()
    when = house.period_at(now)
    person = lock_person(person_id)
    role = house.role_in(actor, when)
    if not house.may_work(actor, when):
        raise refuse("not_employed", f"{actor} may not do this today.")
    if actor.pk == person.pk:
        raise refuse("signed_before", "Nobody resets their own PIN. Ask another manager.")
    if role != Role.ADMINISTRATOR and not may_witness(role, Role(person.role)):
        raise refuse("wrong_role", f"A PIN of {person} is offered by someone of higher rank.")
    code = secrets.token_hex(4).upper()
    PinEnrolment.objects.filter(person=person, used_at=None).update(expires_at=now)
    PinEnrolment.objects.create(
        person=person,
        code_hash=digest(code),
        offered_by=actor,
        offered_at=now,
        expires_at=now + ENROLMENT_HOLDS,
    )
    person.pin_hash = ""
    person.save(update_fields=["pin_hash"])
    journal.write(
        chain=journal.PEOPLE,
        kind="pin_offered",
        body={"to": person.badge},
        at=now,
        person=actor,
        device=device,
    )
    return code


def set_pin(
    *,
    badge: str,
    code: str,
    pin: str,
    witness_badge: str,
    witness_pin: str,
    device: Device | None,
    password: str = "",
) -> Person:
    """Set the PIN of whoever was offered one, with the witness's signature. Raises Refused.

    Whoever has no password yet, or wants another, sets it with the same code.
    """
    with signed_act(act="set_pin", badge=witness_badge, pin=witness_pin, device=device) as witness:
        now = house.now()
        person, offer = _offered(clean_badge(badge), code, now)
        if witness.pk == person.pk or not may_witness(
            house.role_in(witness, house.period_at(now)), Role(person.role)
        ):
            raise refuse("wrong_witness", f"Someone of higher rank than {person} must stand by.")
        refusals = [*pin_refusals(pin, person), *password_refusals(password, person)]
        if refusals:
            raise Refused(refusals)
        person.pin_hash = hash_pin(pin)
        person.pin_set_at = now
        if password:
            person.password = make_password(password)
        person.save(update_fields=["pin_hash", "pin_set_at", "password"])
        offer.used_at = now
        offer.witness = witness
        offer.save(update_fields=["used_at", "witness"])
        journal.write(
            chain=journal.PEOPLE,
            kind="pin_set",
            body={"of": person.badge, "witness": witness.signs_as},
            at=now,
            person=witness,
            device=device,
        )
    return person


def password_refusals(password: str, person: Person) -> list[Refusal]:
    """Return why a password may not be chosen. None is needed by whoever has one."""
    if not password:
        missing = Refusal("password_missing", "Choose a password too: it opens the site.")
        return [] if person.password else [missing]
    try:
        validate_password(password, person)
    except ValidationError as error:
        return [Refusal("password_weak", sentence) for sentence in error.messages]
    return []


def _offered(badge: str, code: str, now: datetime) -> tuple[Person, PinEnrolment]:
    """Return, locked, the person of a badge and the offer whose code this is. Raises Refused."""
    person = Person.objects.select_for_update(no_key=True).filter(badge=badge).first()
    offer = None
    if person is not None and is_plain(code):
        offer = PinEnrolment.objects.filter(
            person=person,
            code_hash=digest(code.strip().upper()),
            used_at=None,
            expires_at__gt=now,
        ).first()
    if person is None or offer is None:
        raise refuse("code_unknown", "Badge or code is wrong, used or too old. Ask for a new one.")
    return person, offer


def grant_acting_role(
    *, person_id: int, role: Role, badge: str, pin: str, device: Device | None
) -> ActingRole:
    """Let someone act in another role until the shift ends, signed by a shift manager.

    Raises Refused.
    """
    with signed_act(act="grant_acting_role", badge=badge, pin=pin, device=device) as granter:
        now = house.now()
        when = house.period_at(now)
        if house.role_in(granter, when) != Role.SHIFT_MANAGER:
            raise refuse("wrong_role", "Only a shift manager grants acting rank.")
        person = lock_person(person_id)
        if person.pk == granter.pk:
            raise refuse("signed_before", "Nobody grants themselves a role.")
        if not house.may_work(person, when):
            raise refuse("not_employed", f"{person} may not work today, in no role.")
        ladder = department(Role(person.role))
        if role not in ladder or rank(role) >= rank(Role.SHIFT_MANAGER) or role == person.role:
            raise refuse("role_out_of_reach", f"{person} cannot act as {role.label} for a shift.")
        if ActingRole.objects.filter(
            person=person, gaming_day=when.gaming_day, shift=when.shift
        ).exists():
            raise refuse("already_acting", f"{person} already acts in a role this shift.")
        acting = ActingRole.objects.create(
            person=person,
            gaming_day=when.gaming_day,
            shift=when.shift,
            role=role.value,
            granted_by=granter,
            granted_at=now,
        )
        journal.write(
            chain=journal.PEOPLE,
            kind="acting_role_granted",
            body={"to": person.badge, "role": role.value, "shift": when.shift},
            at=now,
            person=granter,
            device=device,
        )
    return acting


def unlock_badge(*, badge: str, actor_badge: str, actor_pin: str, device: Device | None) -> None:
    """Forgive the wrong attempts of a badge, signed by security or a shift manager.

    Raises Refused.
    """
    with signed_act(act="unlock_badge", badge=actor_badge, pin=actor_pin, device=device) as actor:
        now = house.now()
        badge = clean_badge(badge)
        role = house.role_in(actor, house.period_at(now))
        if not any(may_act_as(role, wanted) for wanted in (Role.SECURITY, Role.SHIFT_MANAGER)):
            raise refuse("wrong_role", "Security or a shift manager unlocks a badge.")
        if actor.badge == badge:
            raise refuse("signed_before", "Nobody unlocks their own badge.")
        Attempt.objects.filter(badge=badge, outcome=Attempt.Outcome.UNPROVEN).update(
            outcome=Attempt.Outcome.FORGIVEN
        )
        journal.write(
            chain=journal.PEOPLE,
            kind="badge_unlocked",
            body={"badge": badge},
            at=now,
            person=actor,
            device=device,
        )


@transaction.atomic(durable=True)
def begin_visit(*, person: Person, device: Device | None) -> Visit:
    """Record a log-in. One badge logged in on two devices at once is an exception."""
    now = house.now()
    lock_person(person.pk)
    ended = Visit.objects.filter(device=device, ended_at=None)
    # Unknown devices cannot be told apart: one person there does not end another's visit.
    (ended if device else ended.filter(person=person)).update(ended_at=now)
    elsewhere = (
        Visit.objects.filter(person=person, ended_at=None, began_at__gt=now - timedelta(hours=12))
        .exclude(device=device)
        .select_related("device")
    )
    for other in elsewhere:
        open_exception(
            code="badge_on_two_devices",
            sentence=f"{person} is logged in on {other.device or 'an unknown device'} "
            f"and on {device or 'an unknown device'} at once.",
            details={
                "badge": person.badge,
                "devices": sorted(
                    [
                        other.device.name if other.device else "unknown",
                        device.name if device else "unknown",
                    ]
                ),
            },
            at=now,
            person=person,
        )
    visit = Visit.objects.create(person=person, device=device, began_at=now)
    journal.write(
        chain=journal.PEOPLE, kind="logged_in", body={}, at=now, person=person, device=device
    )
    return visit


@transaction.atomic(durable=True)
def end_visit(*, person: Person, device: Device | None) -> None:
    """Record that someone logged out, or was switched for another person."""
    now = house.now()
    ended = Visit.objects.filter(person=person, device=device, ended_at=None).update(ended_at=now)
    if ended:
        journal.write(
            chain=journal.PEOPLE, kind="logged_out", body={}, at=now, person=person, device=device
        )
