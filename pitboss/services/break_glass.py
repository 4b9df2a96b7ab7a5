"""The two keys of the house: they bring it back when those who could give PINs have lost theirs.

Two keys are made on the server and printed once, for two people to keep apart. Both together, on
the server, print a code with which one manager sets a PIN without a witness. Making keys and using
them is journaled and on the list of security and surveillance; new keys rest for a day, so that
whoever makes them alone is seen before they can be used.
"""

from __future__ import annotations

import json
import secrets
from datetime import datetime, timedelta
from hmac import compare_digest
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.contrib.auth.hashers import check_password, make_password
from django.db import transaction

from pitboss.keys import write_key
from pitboss.models import Device, JournalEntry, Person, PinEnrolment
from pitboss.rules.canonical import digest, is_plain
from pitboss.rules.flows.flows import REASON_MAX
from pitboss.rules.refusal import NOT_YOURS, Refused, refuse
from pitboss.rules.roles import WATCHERS, Role
from pitboss.services import house, journal
from pitboss.services.exceptions import BREAK_GLASS, open_exception
from pitboss.services.locks import lock_staff
from pitboss.services.pin_offers import (
    Wanted,
    expire_offers,
    half_hash,
    live_offers,
    store_secrets,
)
from pitboss.services.pins import clean_badge, quoted

CODE_HOLDS: Final = timedelta(hours=1)
KEYS_REST: Final = timedelta(hours=24)
# Who can then give everyone else a PIN.
FOR_ROLES: Final = (Role.SHIFT_MANAGER, Role.SECURITY_MANAGER, Role.CAGE_MANAGER, *WATCHERS)
_MADE = "break_glass_keys_made"


def _file() -> Path:
    path: Path = settings.PITBOSS_DATA / "keys" / "break_glass"
    return path


@transaction.atomic(durable=True)
def make_keys(*, server_account: str) -> tuple[str, str]:
    """Make two new keys and return them; only their hashes are kept. Earlier ones open nothing."""
    lock_staff()
    now = house.now()
    keys = _new_key(), _new_key()
    text = json.dumps({"made_at": now.isoformat(), "hashes": [make_password(key) for key in keys]})
    journal.write(
        chain=journal.PEOPLE,
        kind=_MADE,
        body={"mark": digest(text), "server_account": quoted(server_account)},
        at=now,
    )
    open_exception(
        code=BREAK_GLASS,
        sentence="Two new break-glass keys were made on the server.",
        details={"made_at": now.isoformat()},
        at=now,
        person=None,
    )
    write_key(_file(), text)
    return keys


def _new_key() -> str:
    raw = secrets.token_hex(10).upper()
    return "-".join(raw[at : at + 4] for at in range(0, len(raw), 4))


def break_glass(*, badge: str, keys: tuple[str, str], reason: str, server_account: str) -> str:
    """Return a code with which a manager sets a PIN without a witness. Raises Refused.

    A refused attempt is journaled too.
    """
    now = house.now()
    try:
        with transaction.atomic(durable=True):
            return _break(badge, keys, reason.strip(), server_account, now)
    except Refused as refused:
        with transaction.atomic(durable=True):
            journal.write(
                chain=journal.PEOPLE,
                kind="act_refused",
                body={
                    "act": "break_glass",
                    "badge": quoted(badge),
                    "codes": list(refused.codes),
                    "server_account": quoted(server_account),
                },
                at=now,
            )
        raise


def _break(
    badge: str, keys: tuple[str, str], reason: str, server_account: str, now: datetime
) -> str:
    lock_staff()
    _demand_keys(keys, now)
    person = Person.objects.select_for_update(no_key=True).filter(badge=clean_badge(badge)).first()
    if person is None or not person.is_active or Role(person.role) not in FOR_ROLES:
        roles = ", ".join(role.label for role in FOR_ROLES)
        raise refuse("wrong_role", f"The keys only work for these roles: {roles}.", NOT_YOURS)
    if not reason or len(reason) > REASON_MAX or not is_plain(reason):
        raise refuse("reason_missing", f"Enter a reason of up to {REASON_MAX} characters.")
    code = secrets.token_hex(8).upper()
    expire_offers(person, now)
    PinEnrolment.objects.create(
        person=person,
        code_hash=digest(code),
        offered_at=now,
        expires_at=now + CODE_HOLDS,
        by_keys=True,
    )
    journal.write(
        chain=journal.PEOPLE,
        kind="break_glass",
        body={"for": person.badge, "reason": reason, "server_account": quoted(server_account)},
        at=now,
    )
    open_exception(
        code=BREAK_GLASS,
        sentence=f"Both break-glass keys were used for {person}: {reason}"[:500],
        details={"at": now.isoformat(), "badges": [person.badge]},
        at=now,
        person=None,
    )
    return code


def _demand_keys(keys: tuple[str, str], now: datetime) -> None:
    """Refuse unless these are the two keys of the house, and have rested. Raises Refused."""
    try:
        text = _file().read_text().strip()
    except FileNotFoundError:
        raise refuse(
            "keys_missing", "There are no break-glass keys. Make them with “break_glass keys”."
        ) from None
    newest = JournalEntry.objects.filter(kind=_MADE).order_by("-pk").first()
    vouched = json.loads(newest.text)["body"]["mark"] if newest is not None else ""
    if newest is None or not compare_digest(vouched, digest(text)):
        raise refuse(
            "keys_not_vouched_for",
            "The break-glass key file isn’t the one in the journal. Restore it from "
            "its backup, or make new keys.",
        )
    stored: dict[str, Any] = json.loads(text)
    # Every pair is tried, so that an answer does not tell which of the two was wrong.
    fits = [
        [check_password(key.strip().upper(), kept) for kept in stored["hashes"]] for key in keys
    ]
    if not ((fits[0][0] and fits[1][1]) or (fits[0][1] and fits[1][0])):
        raise refuse(
            "keys_wrong", "These aren’t the two break-glass keys of this house. Enter both again."
        )
    rested_at = newest.at + KEYS_REST
    if house.has_opened() and now < rested_at:
        raise refuse(
            "keys_too_new",
            f"These keys were made less than {KEYS_REST // timedelta(hours=1)} hours ago. "
            f"Use them from {rested_at:%Y-%m-%d %H:%M} UTC on.",
        )


def set_pin_by_keys(wanted: Wanted, *, device: Device | None) -> Person:
    """Set a PIN with the code that both keys printed, on an enrolled device. Raises Refused."""
    now = house.now()
    try:
        with transaction.atomic(durable=True):
            return _set(wanted, device, now)
    except Refused as refused:
        with transaction.atomic(durable=True):
            journal.write(
                chain=journal.PEOPLE,
                kind="act_refused",
                body={
                    "act": "set_pin_by_keys",
                    "badge": quoted(wanted.badge),
                    "codes": list(refused.codes),
                },
                at=now,
                device=device,
            )
        raise


def _set(wanted: Wanted, device: Device | None, now: datetime) -> Person:
    if not house.is_usable(device):
        raise refuse("unknown_device", "This device is not enrolled. Use one that is.", NOT_YOURS)
    badge = clean_badge(wanted.badge)
    person = Person.objects.select_for_update(no_key=True).filter(badge=badge).first()
    code = half_hash(wanted.code) if is_plain(wanted.code) else ""
    offer = live_offers(now).filter(person=person, by_keys=True, code_hash=code).first()
    if person is None or offer is None:
        raise refuse(
            "code_unknown",
            "The badge or the code is wrong, used, or too old. Check both, or print a new code.",
        )
    offer.require_seal()
    used = store_secrets(person, wanted, now, by_others=False)
    offer.used_at = now
    offer.save(update_fields=["used_at"])
    journal.write(
        chain=journal.PEOPLE,
        kind="pin_set_by_keys",
        body={"of": person.badge},
        at=now,
        person=person,
        device=device,
        rows=[used],
    )
    open_exception(
        code=BREAK_GLASS,
        sentence=f"{person} set a PIN with the break-glass code.",
        details={"enrolment": offer.pk, "badges": [person.badge]},
        at=now,
        person=person,
    )
    return person
