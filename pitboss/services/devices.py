"""Devices: let in by two people and a one-time code, bound to a place or a table, put out at once.

The token of a device ends after a time of the house and gives way to a new one while it is used.
"""

from __future__ import annotations

import base64
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.crypto import salted_hmac

from pitboss.models import Device, DeviceEnrolment, Person, Pit, RoundsTold, Table, Visit
from pitboss.models.plain import attnames, columns, in_one_trip, read_row
from pitboss.models.sealed import note_altered
from pitboss.rules.canonical import digest, is_plain
from pitboss.rules.people.devices import ON_THEIR_WAY, TokenPolicy, may_ask, second_refusals
from pitboss.rules.refusal import CONFLICT, NOT_YOURS, Refused, refuse
from pitboss.rules.roles import Place, Role, may_act_as
from pitboss.services import house, journal
from pitboss.services.attempts import forgive
from pitboss.services.pins import demand_settled_pin, signed_act
from pitboss.services.visits import end_sessions

CODE_HOLDS = timedelta(minutes=15)
# How long what one person asked for waits for the other.
OFFER_HOLDS = timedelta(hours=12)
# That a terminal lives is noted once a minute, not at each of its requests.
SEEN_EVERY = timedelta(minutes=1)
# Easy to read aloud: no 0 and O, no 1 and I.
_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"


@cache
def _asking_who_holds() -> str:
    """Return the question of `device_by_token`, which every request of every tablet asks."""
    return f"""
        SELECT {columns(Device, "device")}, {columns(Pit, "pit")}
        FROM pitboss_device AS device LEFT JOIN pitboss_pit AS pit ON pit.id = device.pit_id
        WHERE (device.token_hash = %s OR device.next_token_hash = %s
               OR (device.old_token_hash = %s AND device.old_token_until > %s))
          AND device.revoked_at IS NULL AND device.token_ends_at > %s
        ORDER BY device.id LIMIT 1
    """


def _with_pit(row: tuple[Any, ...]) -> Device | None:
    device = read_row(Device, row)
    if device is not None:
        device.pit = read_row(Pit, row[len(attnames(Device)) :])
    return device


def device_by_token(token: str) -> Device | None:
    """Return the device that holds a token, unless it was put out or the token has ended."""
    if not is_plain(token):
        return None
    now, hashed = house.now(), digest(token)
    (rows,) = in_one_trip((_asking_who_holds(), [hashed, hashed, hashed, now, now]))
    device = _with_pit(rows[0]) if rows else None
    if device is not None and not device.is_sealed():
        note_altered(device)
        return None
    if device is not None and device.next_token_hash == hashed:
        return _take_up(device.pk, hashed, now)
    return device


@transaction.atomic
def next_token(device: Device, policy: TokenPolicy, now: datetime) -> str | None:
    """Return a device's next token, if one is due. The old one holds until it is used."""
    device = _lock_device(device.pk)
    if not policy.is_due(device.token_made_at, device.next_token_at, now):
        return None
    return _offer_next(device, now)


@transaction.atomic(durable=True)
def rotate_token(*, device_id: int) -> tuple[str, datetime]:
    """Return the next token of a device that asks for it, and when it ends. Raises Refused."""
    device = _lock_device(device_id)
    now = house.now()
    if device.revoked_at is not None:
        raise refuse("device_out", f"{device} was removed. Enroll it as a new device.")
    token = _offer_next(device, now)
    return token, now + house.settings_at(now).tokens.holds


def _offer_next(device: Device, now: datetime) -> str:
    token = secrets.token_urlsafe(32)
    device.next_token_hash, device.next_token_at = digest(token), now
    device.save(update_fields=["next_token_hash", "next_token_at"])
    journal.write(
        chain=journal.PEOPLE, kind="token_next", body=device.where(), at=now, device=device
    )
    return token


@transaction.atomic
def _take_up(device_id: int, hashed: str, now: datetime) -> Device:
    """Make the next token of a device its token, at its first use."""
    device = _lock_device(device_id)
    if device.next_token_hash == hashed:
        device.old_token_hash, device.old_token_until = device.token_hash, now + ON_THEIR_WAY
        device.next_token_hash = device.next_token_at = None
        _hold(device, hashed, now)
        journal.write(
            chain=journal.PEOPLE, kind="token_rotated", body=device.where(), at=now, device=device
        )
    return device


def _hold(device: Device, hashed: str, now: datetime) -> None:
    """Let a device hold a token from now on, for as long as the house has set."""
    device.token_hash, device.token_made_at = hashed, now
    device.token_ends_at = now + house.settings_at(now).tokens.holds
    device.save()


def tablet_by_token(token: str) -> Device | None:
    """Return the tablet or desk screen that holds a token; a table's terminal is neither."""
    device = device_by_token(token)
    return None if device is None or device.table_id is not None else device


def note_seen(device: Device, now: datetime) -> None:
    """Note that a terminal is alive, unless that was noted a moment ago."""
    if device.last_seen_at is None or now - device.last_seen_at >= SEEN_EVERY:
        Device.objects.filter(pk=device.pk).update(last_seen_at=now)


@dataclass(frozen=True, slots=True)
class NewDevice:
    """A device that should be let in: its name, and where it stands."""

    name: str
    place: Place
    pit: Pit | None = None
    # With a table it becomes that table's terminal.
    table: Table | None = None


def offer_device(*, new: NewDevice, badge: str, pin: str, device: Device | None) -> DeviceEnrolment:
    """Ask for a device to be let in, signed by a manager. Raises Refused.

    Another person signs that it comes in (`let_in`), and only then is there a code.
    """
    with signed_act(act="offer_device", badge=badge, pin=pin, device=device) as actor:
        now = house.now()
        demand_settled_pin(actor, now)
        role = _demand_a_manager(actor)
        name = new.name.strip() if is_plain(new.name) else ""
        if not name or len(name) > 40:
            raise refuse("name_malformed", "Enter a device name of 40 characters or fewer.")
        if Device.objects.filter(name=name).exists():
            raise refuse("name_taken", f"{name} is already the name of a device. Choose another.")
        if new.pit is not None and new.place != Place.PIT:
            raise refuse("pit_not_wanted", "Only a device of the pit belongs to a pit.")
        if new.table is not None and (new.place != Place.PIT or new.pit is not None):
            raise refuse(
                "table_not_wanted", "A terminal belongs to a table. Don’t choose a pit for it."
            )
        offer = DeviceEnrolment.objects.create(
            name=name,
            place=new.place.value,
            pit=new.pit,
            table=new.table,
            offered_by=actor,
            offered_as=role.value,
            offered_at=now,
            expires_at=now + OFFER_HOLDS,
        )
        journal.write(
            chain=journal.PEOPLE,
            kind="device_offered",
            body=_where(offer),
            at=now,
            person=actor,
            device=device,
        )
    return offer


def offer_token(*, device_id: int, badge: str, pin: str, device: Device | None) -> DeviceEnrolment:
    """Ask for a new token for a device, signed by a manager; the old one works until it has it.

    Raises Refused. Another person signs for it as for a new device: whoever gets the code is it.
    """
    with signed_act(act="offer_token", badge=badge, pin=pin, device=device) as actor:
        now = house.now()
        demand_settled_pin(actor, now)
        role = _demand_a_manager(actor)
        renewed = _lock_device(device_id)
        if renewed.revoked_at is not None:
            raise refuse("device_out", f"{renewed} was removed. Enroll it as a new device.")
        offer = DeviceEnrolment.objects.create(
            name=renewed.name,
            place=renewed.place,
            pit=renewed.pit,
            table=renewed.table,
            renews=renewed,
            offered_by=actor,
            offered_as=role.value,
            offered_at=now,
            expires_at=now + OFFER_HOLDS,
        )
        journal.write(
            chain=journal.PEOPLE,
            kind="token_offered",
            body=renewed.where(),
            at=now,
            person=actor,
            device=device,
        )
    return offer


def let_in(*, offer_id: int, badge: str, pin: str, device: Device | None) -> str:
    """Return the one-time code of a device that a first person asked for, signed by a second.

    One of the two works where the device will stand. Raises Refused.
    """
    with signed_act(act="let_in", badge=badge, pin=pin, device=device) as second:
        now = house.now()
        demand_settled_pin(second, now)
        offer = (
            DeviceEnrolment.objects.select_for_update(no_key=True, of=("self",))
            .select_related("offered_by", "pit", "table")
            .filter(pk=offer_id)
            .first()
        )
        if offer is None or offer.expires_at <= now or offer.code_hash is not None:
            raise refuse("offer_over", "This was signed before or is too old. Ask for it again.")
        if offer.offered_by_id == second.pk:
            raise refuse(
                "signed_before", "Two people must add a device. Ask someone else to sign.", CONFLICT
            )
        role = house.role_in(second, house.period_at(now))
        refusals = second_refusals(Place(offer.place), Role(offer.offered_as), role)
        if refusals:
            raise Refused(refusals)
        code = _code()
        offer.code_hash = digest(code)
        offer.let_in_by = second
        offer.expires_at = now + CODE_HOLDS
        offer.save(update_fields=["code_hash", "let_in_by", "expires_at"])
        journal.write(
            chain=journal.PEOPLE,
            kind="device_let_in",
            body={**_where(offer), "asked_by": offer.offered_by.badge},
            at=now,
            person=second,
            device=device,
        )
    return code


def _where(offer: DeviceEnrolment) -> dict[str, Any]:
    return {
        "name": offer.name,
        "place": offer.place,
        "pit": offer.pit_id,
        "table": offer.table_id,
    }


def _token_of(code: str, key: str) -> str:
    """Return the token that a code gives to the one request of this key, and to no other."""
    made = salted_hmac("pitboss.enrol", f"{code}\n{key}", algorithm="sha256")
    return base64.urlsafe_b64encode(made.digest()).rstrip(b"=").decode()


@transaction.atomic(durable=True)
def enrol_device(*, code: str, as_tablet: bool = False, key: str = "") -> tuple[Device, str]:
    """Enroll the device that shows this code; return it and the token that it alone will know.

    A device that has one already gets a new one in its place. A browser that keeps its token in a
    cookie enrolls as a tablet, and so never as the terminal of a table. A program that names its
    request by a key gets the same token again until the code expires: its answer may have been
    lost, and no one else knows that key. Raises Refused.
    """
    now = house.now()
    code = code.strip().upper().replace("-", "").replace(" ", "") if is_plain(code) else ""
    offer = (
        DeviceEnrolment.objects.select_for_update(no_key=True)
        .filter(code_hash=digest(code))
        .first()
    )
    token = _token_of(code, key) if key else secrets.token_urlsafe(32)
    if offer is not None and offer.used_at is not None and key and offer.expires_at >= now:
        first = Device.objects.filter(token_hash=digest(token), revoked_at=None).first()
        if first is not None:
            return first, token
    if offer is None or offer.used_at is not None or offer.expires_at < now:
        raise refuse("code_unknown", "That code is wrong, used, or expired. Ask for a new one.")
    offer.require_seal()
    if as_tablet and offer.table_id is not None:
        raise refuse("code_of_a_terminal", "This code is for a table terminal. Enter it there.")
    if offer.renews_id is None:
        device = _new_device(offer, token, now)
    else:
        device = _lock_device(offer.renews_id)
        if device.revoked_at is not None:
            raise refuse("device_out", f"{device} was removed. Enroll it as a new device.")
        # The person who held the token until now may be a thief: nothing of it is left.
        device.next_token_hash = device.next_token_at = device.old_token_until = None
        device.old_token_hash = ""
        device.enrolled_by, device.let_in_by = offer.offered_by, offer.let_in_by
        _hold(device, digest(token), now)
    offer.used_at = now
    offer.save(update_fields=["used_at"])
    journal.write(
        chain=journal.PEOPLE,
        kind="device_enrolled" if offer.renews_id is None else "token_renewed",
        body=device.where(),
        at=now,
        person=offer.offered_by,
        device=device,
    )
    return device, token


def _new_device(offer: DeviceEnrolment, token: str, now: datetime) -> Device:
    try:
        with transaction.atomic():
            return Device.objects.create(
                name=offer.name,
                place=offer.place,
                pit=offer.pit,
                table=offer.table,
                token_hash=digest(token),
                token_made_at=now,
                token_ends_at=now + house.settings_at(now).tokens.holds,
                enrolled_by=offer.offered_by,
                let_in_by=offer.let_in_by,
                enrolled_at=now,
            )
    except IntegrityError:
        raise refuse(
            "name_taken", f"A device is already named {offer.name}. Choose another name."
        ) from None


@transaction.atomic(durable=True)
def revoke_device(*, device_id: int, actor: Person) -> Device:
    """Put a device out, with every session on it. It signs nothing from its next request on."""
    now = house.now()
    _demand_a_manager(actor)
    device = _lock_device(device_id)
    if device.revoked_at is None:
        others = Device.objects.filter(revoked_at=None, table=None).exclude(pk=device.pk)
        if device.table_id is None and not others.exists():
            raise refuse("last_device", "This is the last device. Add another one first.")
        device.revoked_at = now
        device.save(update_fields=["revoked_at"])
        end_sessions(Visit.objects.filter(device=device, ended_at=None), now)
        journal.write(
            chain=journal.PEOPLE,
            kind="device_revoked",
            body=device.where(),
            at=now,
            person=actor,
        )
    return device


@transaction.atomic(durable=True)
def tell_rounds(*, device_id: int, every: bool, actor: Person) -> Device:
    """Say whether a terminal reports every round of its table, from now on. Raises Refused."""
    now = house.now()
    _demand_a_manager(actor)
    device = _lock_device(device_id)
    if device.table_id is None:
        raise refuse(
            "not_a_terminal", f"{device} stands at no table. Only a terminal reports rounds."
        )
    newest = device.rounds_told.order_by("-id").first()
    if every is not bool(newest and newest.tells_every_round):
        said = RoundsTold.objects.create(
            device=device, tells_every_round=every, since=now, by=actor
        )
        journal.write(
            chain=journal.PEOPLE,
            kind="rounds_told",
            body={**device.where(), "every": every},
            at=now,
            person=actor,
            rows=[said],
        )
    return device


def terminals_telling() -> set[int]:
    """Return the terminals that report every round of their tables now."""
    newest = RoundsTold.objects.order_by("device_id", "-id").distinct("device_id")
    return {rounds_told.device_id for rounds_told in newest if rounds_told.tells_every_round}


def _lock_device(device_id: int) -> Device:
    device = Device.objects.select_for_update(no_key=True).filter(pk=device_id).first()
    if device is None:
        raise refuse("unknown_device", "Device not found. Check the list.", NOT_YOURS)
    return device


def _code() -> str:
    return "".join(secrets.choice(_LETTERS) for _ in range(8))


def _demand_a_manager(actor: Person) -> Role:
    """Return the role of someone who may let devices in and put them out. Raises Refused."""
    when = house.period_at(house.now())
    role = house.role_in(actor, when)
    if not house.may_work(actor, when):
        raise refuse(
            "not_employed", f"{actor} can’t do this today. Call the shift manager.", NOT_YOURS
        )
    if not may_ask(role):
        raise refuse(
            "wrong_role", "Only a manager or administrator can add or remove devices.", NOT_YOURS
        )
    return role


def unlock_device(*, device_id: int, badge: str, pin: str, device: Device | None) -> None:
    """Forgive the wrong attempts on a device, signed on another one. Raises Refused."""
    with signed_act(act="unlock_device", badge=badge, pin=pin, device=device) as actor:
        now = house.now()
        role = house.role_in(actor, house.period_at(now))
        if not any(may_act_as(role, wanted) for wanted in (Role.SECURITY, Role.SHIFT_MANAGER)):
            raise refuse(
                "wrong_role", "Only security or a shift manager can unlock a device.", NOT_YOURS
            )
        locked = _lock_device(device_id)
        forgive(device=locked)
        journal.write(
            chain=journal.PEOPLE,
            kind="device_unlocked",
            body=locked.where(),
            at=now,
            person=actor,
            device=device,
        )
