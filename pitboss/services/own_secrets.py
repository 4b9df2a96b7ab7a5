"""One's own PIN and password, changed by whoever proves the old one, with no one else's part."""

from __future__ import annotations

from django.contrib.auth.hashers import make_password
from django.db import transaction

from pitboss.models import Device, Person
from pitboss.rules.people.languages import language_refusals
from pitboss.rules.refusal import Refused, refuse
from pitboss.services import house, journal
from pitboss.services.locks import lock_person
from pitboss.services.people import password_refusals
from pitboss.services.pins import (
    CHANGE_OWN_PIN,
    hash_pin,
    keep_pin,
    pin_refusals,
    prove_password,
    signed_act,
)


def change_own_pin(*, badge: str, old_pin: str, new_pin: str, device: Device | None) -> Person:
    """Change one's own PIN, proven by the old one. Raises Refused.

    A PIN that others reset stays fresh for its time: whoever took it could otherwise end that.
    """
    with signed_act(act=CHANGE_OWN_PIN, badge=badge, pin=old_pin, device=device) as proven:
        person = lock_person(proven.pk)
        now = house.now()
        if person.pin_set_at != proven.pin_set_at:
            raise refuse("pin_changed", "This PIN was just changed. Enter the newest one.")
        if new_pin == old_pin:
            raise refuse("pin_unchanged", "This is your current PIN. Choose another.")
        refusals = pin_refusals(new_pin, person)
        if refusals:
            raise Refused(refusals)
        person.pin_hash = hash_pin(new_pin, person)
        person.pin_set_at = now
        person.save(update_fields=["pin_hash", "pin_set_at"])
        used = keep_pin(person, now)
        journal.write(
            chain=journal.PEOPLE,
            kind="own_pin_changed",
            body={},
            at=now,
            person=person,
            device=device,
            rows=[used],
        )
    return person


@transaction.atomic(durable=True)
def choose_language(person: Person, language: str, *, device: Device | None) -> None:
    """Choose what one reads pads in. Raises Refused."""
    refusals = language_refusals(language)
    if refusals:
        raise Refused(refusals)
    locked = lock_person(person.pk)
    if locked.language == language:
        return
    locked.language = language
    locked.save(update_fields=["language"])
    journal.write(
        chain=journal.PEOPLE,
        kind="language_chosen",
        body={"language": language},
        at=house.now(),
        person=locked,
        device=device,
    )


def change_own_password(
    *, badge: str, old_password: str, new_password: str, device: Device | None
) -> Person:
    """Change one's own password, proven by the old one. Raises Refused."""
    now = house.now()
    policy = house.settings_at(now).lockout
    proven = prove_password(badge=badge, password=old_password, device=device, policy=policy)
    try:
        with transaction.atomic(durable=True):
            person = lock_person(proven.pk)
            _demand_new(person, proven, old_password, new_password)
            person.password = make_password(new_password)
            person.save(update_fields=["password"])
            journal.write(
                chain=journal.PEOPLE,
                kind="own_password_changed",
                body={},
                at=now,
                person=person,
                device=device,
            )
    except Refused as refused:
        with transaction.atomic(durable=True):
            journal.write(
                chain=journal.PEOPLE,
                kind="act_refused",
                body={"act": "change_own_password", "codes": list(refused.codes)},
                at=now,
                person=proven,
                device=device,
            )
        raise
    return person


def _demand_new(person: Person, proven: Person, old_password: str, new_password: str) -> None:
    if person.password != proven.password:
        raise refuse("password_changed", "This password was just changed. Enter the newest one.")
    if not new_password:
        raise refuse("password_missing", "Enter a new password.")
    refusals = password_refusals(new_password, person)
    if refusals:
        raise Refused(refusals)
    if new_password == old_password:
        raise refuse("password_unchanged", "This is your current password. Choose another.")
