"""Passkeys: enrolled and removed under signature, and proven for one act at a time.

A challenge covers what the person is about to do: the address, the request id, what is shown and
all that was entered. It is kept with its person, holds two minutes and is used once, so that what
was signed for one act, person or site proves nothing for another.
"""

from __future__ import annotations

import hashlib
import json
import re
import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime, timedelta

import webauthn
from django.db import transaction
from webauthn.helpers import bytes_to_base64url
from webauthn.helpers.exceptions import WebAuthnException
from webauthn.helpers.structs import PublicKeyCredentialDescriptor

from pitboss.models import Device, Passkey, PasskeyChallenge, Person
from pitboss.rules.canonical import canonical, digest
from pitboss.rules.people.passkeys import is_asked_at_sign_in
from pitboss.rules.people.proofs import Proved
from pitboss.rules.refusal import NOT_YOURS, Refusal, Refused, refuse
from pitboss.rules.roles import Role, may_witness
from pitboss.rules.settings.in_force import SettingsInForce
from pitboss.services import house, journal
from pitboss.services.exceptions import open_exception
from pitboss.services.locks import lock_person

CHALLENGE_HOLDS = timedelta(minutes=2)
KEYS_MAX = 10
NAME_MAX = 40
_ANSWER_MAX = 20_000
_SECRET = re.compile(r"(^|_)pin($|_)|password|^passkey|^csrf")


@dataclass(frozen=True, slots=True)
class Presented:
    """What came with a request: the passkey's answer, what it must cover, and to which site."""

    answer: str
    act_hash: str
    host: str
    origin: str


_presented: ContextVar[Presented | None] = ContextVar("presented_passkey", default=None)


@contextmanager
def presenting(presented: Presented | None) -> Iterator[None]:
    """Let whatever is signed in here be proven by what came with the request."""
    token = _presented.set(presented)
    try:
        yield
    finally:
        _presented.reset(token)


def act_hash(path: str, fields: Mapping[str, Sequence[str]]) -> str:
    """Return by what an act is known: where it goes, and all that is shown and entered there.

    Secrets are left out: whoever asks for a challenge sends none.
    """
    covered = {name: list(fields[name]) for name in fields if not _SECRET.search(name)}
    return digest(canonical({"path": path, "fields": covered}))


def passkeys_of(person: Person) -> list[Passkey]:
    """Return the passkeys that a person has now. Raises RecordAltered.

    Those that were removed are looked at too: one that was removed past the site does not count
    as removed.
    """
    keys = list(Passkey.objects.filter(person=person))
    for key in keys:
        key.require_seal()
    return [key for key in keys if key.removed_at is None]


def asks_at_sign_in(person: Person, in_force: SettingsInForce, role: Role) -> bool:
    """Tell whether a person shows a passkey to sign in: who has none could not add one else."""
    return is_asked_at_sign_in(role, in_force["passkey.sign_in"]) and bool(passkeys_of(person))


@transaction.atomic(durable=True)
def new_challenge(person: Person, *, covers: str) -> bytes:
    """Return a new challenge for a person and an act; those that were never answered go."""
    now = house.now()
    PasskeyChallenge.objects.filter(
        person=person, used_at=None, made_at__lt=now - CHALLENGE_HOLDS
    ).delete()
    challenge = hashlib.sha256(secrets.token_bytes(32) + bytes.fromhex(covers)).digest()
    PasskeyChallenge.objects.create(
        person=person, challenge=bytes_to_base64url(challenge), act_hash=covers, made_at=now
    )
    return challenge


def options_to_prove(person: Person, *, covers: str, host: str) -> str:
    """Return what a browser needs to let a person answer with one of their passkeys, as JSON."""
    options = webauthn.generate_authentication_options(
        rp_id=host,
        challenge=new_challenge(person, covers=covers),
        allow_credentials=_descriptors(passkeys_of(person)),
    )
    return webauthn.options_to_json(options)


def options_to_add(person: Person, *, covers: str, host: str) -> str:
    """Return what a browser needs to make a passkey for a person, as JSON."""
    options = webauthn.generate_registration_options(
        rp_id=host,
        rp_name="Pitboss",
        user_id=hashlib.sha256(f"pitboss person {person.pk}".encode()).digest(),
        user_name=person.badge,
        user_display_name=str(person),
        challenge=new_challenge(person, covers=covers),
        exclude_credentials=_descriptors(passkeys_of(person)),
    )
    return webauthn.options_to_json(options)


def demand_passkey(person: Person, step: Proved | None, *, device: Device | None) -> None:
    """See that a person proves a step with a passkey where the house asks for one. Raises Refused.

    It is asked of those who have one; of the others only where the house says so.
    """
    if step is None:
        return
    in_force = house.settings_at(house.now())
    field = {
        Proved.PEOPLE: in_force["passkey.people"],
        Proved.DEVICES: in_force["passkey.devices"],
        Proved.SETTINGS: in_force["passkey.settings"],
    }[step]
    if field == "no":
        return
    if not passkeys_of(person):
        if in_force["passkey.having_none"] == "refuse":
            raise refuse(
                "passkey_missing",
                f"{person} has no passkey, and the house asks for one here. "
                "Add one under your name, “Passkeys”, then sign again.",
            )
        return
    prove(person, step.value, device=device)


def prove(person: Person, what: str, *, device: Device | None) -> None:
    """Prove a person by the passkey that came with this request. Raises Refused."""
    presented = _presented.get()
    if presented is None or not presented.answer:
        raise refuse(
            "passkey_needed",
            f"{person} has a passkey. Sign again, and use it when this screen asks for it.",
        )
    now = house.now()
    challenge = _taken(person, presented, now)
    with transaction.atomic(durable=True):
        lock_person(person.pk)
        key = _named_in(person, presented.answer)
        try:
            proven = webauthn.verify_authentication_response(
                credential=presented.answer,
                expected_challenge=challenge,
                expected_rp_id=presented.host,
                expected_origin=presented.origin,
                credential_public_key=webauthn.base64url_to_bytes(key.public_key),
                credential_current_sign_count=key.sign_count,
            )
        except WebAuthnException as error:
            raise refuse(
                "passkey_wrong", "The passkey did not prove this. Sign again with your own."
            ) from error
        key.sign_count = proven.new_sign_count
        key.save()
        _journal("passkey_used", key, now, person=person, device=device, what=what)


def prove_sign_in(person: Person, *, device: Device | None) -> None:
    """Prove who signs in, after the password, by a passkey. Raises Refused; the journal tells."""
    try:
        prove(person, Proved.SIGN_IN.value, device=device)
    except Refused as refused:
        with transaction.atomic(durable=True):
            journal.write(
                chain=journal.PEOPLE,
                kind="act_refused",
                body={"act": "sign_in", "badge": person.badge, "codes": list(refused.codes)},
                at=house.now(),
                person=person,
                device=device,
            )
        raise


@transaction.atomic
def add_passkey(person: Person, *, name: str, device: Device | None) -> Passkey:
    """Put the passkey that came with this request on a person's file; within a signed act."""
    now, presented = house.now(), _presented.get()
    name = " ".join(name.split())
    if not name or len(name) > NAME_MAX:
        raise refuse("name_malformed", f"Enter a passkey name of {NAME_MAX} characters or fewer.")
    if presented is None or not presented.answer:
        raise refuse("passkey_needed", "No passkey was created. Try again, and touch your key.")
    lock_person(person.pk)
    if len(passkeys_of(person)) >= KEYS_MAX:
        raise refuse("passkeys_many", f"You have {KEYS_MAX} passkeys. Remove one first.")
    challenge = _use(person, presented, now)
    try:
        made = webauthn.verify_registration_response(
            credential=presented.answer,
            expected_challenge=challenge,
            expected_rp_id=presented.host,
            expected_origin=presented.origin,
        )
    except WebAuthnException as error:
        raise refuse("passkey_wrong", "This passkey cannot be used here. Try again.") from error
    credential_id = bytes_to_base64url(made.credential_id)
    if Passkey.objects.filter(credential_id=credential_id).exists():
        raise refuse("passkey_known", "This passkey is already on file. Use it as it is.")
    key = Passkey.objects.create(
        person=person,
        name=name,
        credential_id=credential_id,
        public_key=bytes_to_base64url(made.credential_public_key),
        sign_count=made.sign_count,
        added_at=now,
    )
    _journal("passkey_added", key, now, person=person, device=device)
    _tell_security("passkey_added", f"{person} added the passkey “{name}”.", key, now)
    return key


@transaction.atomic
def remove_passkey(
    passkey_id: int, *, by: Person, device: Device | None, witness: Person | None = None
) -> Passkey:
    """Remove a passkey: its own person does, or two people who outrank them. Raises Refused.

    Within a signed act. It proves nothing from now on; its record stays.
    """
    now = house.now()
    key = Passkey.objects.select_for_update().filter(pk=passkey_id, removed_at=None).first()
    if key is None:
        raise refuse("passkey_unknown", "Passkey not found. Check the list.")
    if by.pk != key.person_id:
        refusals = _removal_refusals(key.person, by, witness)
        if refusals:
            raise Refused(refusals)
    key.removed_at = now
    key.save()
    _journal("passkey_removed", key, now, person=by, device=device, witness=witness)
    _tell_security(
        "passkey_removed", f"{by} removed a passkey that belongs to {key.person}.", key, now
    )
    return key


def _removal_refusals(person: Person, by: Person, witness: Person | None) -> list[Refusal]:
    """Return why two people may not remove the passkey of a third."""
    when = house.period_at(house.now())
    if witness is None or len({person.pk, by.pk, witness.pk}) < 3:
        return [
            Refusal(
                "two_people",
                f"A passkey of {person} can be removed only with their own PIN, "
                "or by two other people. Sign again.",
            )
        ]
    return [
        Refusal("wrong_role", f"{item} doesn’t outrank {person}. Ask someone who does.", NOT_YOURS)
        for item in (by, witness)
        if not may_witness(house.role_in(item, when), Role(person.role))
    ]


def _taken(person: Person, presented: Presented, now: datetime) -> bytes:
    """Return the challenge that an answer is to, used up by this look at it whatever follows."""
    with transaction.atomic(durable=True):
        return _use(person, presented, now)


def _use(person: Person, presented: Presented, now: datetime) -> bytes:
    answered = _challenge_in(presented.answer)
    used = PasskeyChallenge.objects.filter(
        challenge=bytes_to_base64url(answered),
        person=person,
        act_hash=presented.act_hash,
        used_at=None,
        made_at__gt=now - CHALLENGE_HOLDS,
    ).update(used_at=now)
    if not used:
        raise refuse(
            "passkey_other_act",
            "That answer of a passkey was for something else, was used before or is too old. "
            "Open this again, then sign.",
        )
    return answered


def _challenge_in(answer: str) -> bytes:
    try:
        body = json.loads(answer[:_ANSWER_MAX])["response"]["clientDataJSON"]
        return webauthn.base64url_to_bytes(
            json.loads(webauthn.base64url_to_bytes(body))["challenge"]
        )
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise refuse("passkey_malformed", "The passkey's answer is broken. Sign again.") from None


def _named_in(person: Person, answer: str) -> Passkey:
    """Return the passkey of a person that an answer names, locked. Raises Refused."""
    try:
        credential_id = str(json.loads(answer)["id"])
    except (ValueError, KeyError, TypeError):
        raise refuse("passkey_malformed", "The passkey's answer is broken. Sign again.") from None
    key = (
        Passkey.objects.select_for_update()
        .filter(person=person, credential_id=credential_id, removed_at=None)
        .first()
    )
    if key is None:
        raise refuse("passkey_of_another", f"That passkey isn’t {person}’s. Use your own.")
    return key


def _descriptors(keys: list[Passkey]) -> list[PublicKeyCredentialDescriptor]:
    return [
        PublicKeyCredentialDescriptor(id=webauthn.base64url_to_bytes(key.credential_id))
        for key in keys
    ]


def _journal(
    kind: str,
    key: Passkey,
    now: datetime,
    *,
    person: Person,
    device: Device | None,
    what: str = "",
    witness: Person | None = None,
) -> None:
    journal.write(
        chain=journal.PEOPLE,
        kind=kind,
        body={
            "of": key.person.badge,
            "passkey": key.pk,
            "name": key.name,
            "credential": digest(key.credential_id),
            "sign_count": key.sign_count,
            **({"for": what} if what else {}),
            **({"witness": witness.signs_as} if witness else {}),
        },
        at=now,
        person=person,
        device=device,
    )


def _tell_security(code: str, sentence: str, key: Passkey, now: datetime) -> None:
    open_exception(
        code=code,
        sentence=sentence,
        details={"of": key.person.badge, "name": key.name},
        at=now,
        person=key.person,
    )
