"""Devices: let in by a manager's one-time code, bound to a place or a table, put out at once."""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction

from pitboss.models import Device, DeviceEnrolment, Person, Pit, Table
from pitboss.rules.canonical import digest, is_plain
from pitboss.rules.refusal import refuse
from pitboss.rules.roles import Place, Role, may_act_as
from pitboss.services import house, journal

CODE_HOLDS = timedelta(minutes=15)
# That a terminal lives is noted once a minute, not at each of its requests.
SEEN_EVERY = timedelta(minutes=1)
# Easy to read aloud: no 0 and O, no 1 and I.
_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"


def device_by_token(token: str) -> Device | None:
    """Return the device that holds a token, unless it was put out."""
    if not is_plain(token):
        return None
    return (
        Device.objects.select_related("pit")
        .filter(token_hash=digest(token), revoked_at=None)
        .first()
    )


def tablet_by_token(token: str) -> Device | None:
    """Return the tablet or desk screen that holds a token; a table's terminal is neither."""
    device = device_by_token(token)
    return None if device is None or device.table_id is not None else device


def note_seen(device: Device, now: datetime) -> None:
    """Note that a terminal is alive, unless that was noted a moment ago."""
    if device.last_seen_at is None or now - device.last_seen_at >= SEEN_EVERY:
        Device.objects.filter(pk=device.pk).update(last_seen_at=now)


@transaction.atomic(durable=True)
def offer_device(
    *, name: str, place: Place, pit: Pit | None, actor: Person, table: Table | None = None
) -> str:
    """Return a one-time code with which a device may enrol itself. Raises Refused.

    With a table it becomes that table's terminal.
    """
    now = house.now()
    _demand_a_manager(actor)
    name = name.strip() if is_plain(name) else ""
    if not name or len(name) > 40:
        raise refuse("name_malformed", "Give the device a name of up to 40 signs.")
    if Device.objects.filter(name=name).exists():
        raise refuse("name_taken", f"There is a device {name} already. Choose another name.")
    if pit is not None and place != Place.PIT:
        raise refuse("pit_not_wanted", "Only a device of the pit belongs to a pit.")
    if table is not None and (place != Place.PIT or pit is not None):
        raise refuse("table_not_wanted", "A terminal stands at its table, in whatever pit that is.")
    code = _code()
    DeviceEnrolment.objects.create(
        code_hash=digest(code),
        name=name,
        place=place.value,
        pit=pit,
        table=table,
        offered_by=actor,
        offered_at=now,
        expires_at=now + CODE_HOLDS,
    )
    journal.write(
        chain=journal.PEOPLE,
        kind="device_offered",
        body={
            "name": name,
            "place": place.value,
            "pit": pit.pk if pit else None,
            "table": table.pk if table else None,
        },
        at=now,
        person=actor,
    )
    return code


@transaction.atomic(durable=True)
def offer_token(*, device_id: int, actor: Person) -> str:
    """Return a one-time code with which a device gets a new token; the old one works until then.

    Raises Refused.
    """
    now = house.now()
    _demand_a_manager(actor)
    device = _lock_device(device_id)
    if device.revoked_at is not None:
        raise refuse("device_out", f"{device} was put out. Enrol it as a new device.")
    code = _code()
    DeviceEnrolment.objects.create(
        code_hash=digest(code),
        name=device.name,
        place=device.place,
        pit=device.pit,
        table=device.table,
        renews=device,
        offered_by=actor,
        offered_at=now,
        expires_at=now + CODE_HOLDS,
    )
    journal.write(
        chain=journal.PEOPLE, kind="token_offered", body=device.where(), at=now, person=actor
    )
    return code


@transaction.atomic(durable=True)
def enrol_device(*, code: str, as_tablet: bool = False) -> tuple[Device, str]:
    """Enrol the device that shows this code; return it and the token that it alone will know.

    A device that has one already gets a new one in its place. A browser that keeps its token in a
    cookie enrols as a tablet, and so never as the terminal of a table. Raises Refused.
    """
    now = house.now()
    code = code.strip().upper().replace("-", "").replace(" ", "") if is_plain(code) else ""
    offer = (
        DeviceEnrolment.objects.select_for_update(no_key=True)
        .filter(code_hash=digest(code))
        .first()
    )
    if offer is None or offer.used_at is not None or offer.expires_at < now:
        raise refuse("code_unknown", "This code is unknown, used or too old. Ask for a new one.")
    if as_tablet and offer.table_id is not None:
        raise refuse("code_of_a_terminal", "This code is for a table's terminal: key it there.")
    token = secrets.token_urlsafe(32)
    if offer.renews_id is None:
        device = _new_device(offer, token, now)
    else:
        device = _lock_device(offer.renews_id)
        if device.revoked_at is not None:
            raise refuse("device_out", f"{device} was put out. Enrol it as a new device.")
        device.token_hash = digest(token)
        device.save(update_fields=["token_hash"])
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
                enrolled_by=offer.offered_by,
                enrolled_at=now,
            )
    except IntegrityError:
        raise refuse("name_taken", f"There is a device {offer.name} by now.") from None


@transaction.atomic(durable=True)
def revoke_device(*, device_id: int, actor: Person) -> Device:
    """Put a device out. It signs nothing from its next request on."""
    now = house.now()
    _demand_a_manager(actor)
    device = _lock_device(device_id)
    if device.revoked_at is None:
        device.revoked_at = now
        device.save(update_fields=["revoked_at"])
        journal.write(
            chain=journal.PEOPLE,
            kind="device_revoked",
            body=device.where(),
            at=now,
            person=actor,
        )
    return device


def _lock_device(device_id: int) -> Device:
    device = Device.objects.select_for_update(no_key=True).filter(pk=device_id).first()
    if device is None:
        raise refuse("unknown_device", "There is no such device. Look at the list again.")
    return device


def _code() -> str:
    return "".join(secrets.choice(_LETTERS) for _ in range(8))


def _demand_a_manager(actor: Person) -> None:
    when = house.period_at(house.now())
    role = house.role_in(actor, when)
    if not house.may_work(actor, when):
        raise refuse("not_employed", f"{actor} may not do this today.")
    if role != Role.ADMINISTRATOR and not any(
        may_act_as(role, wanted)
        for wanted in (Role.PIT_MANAGER, Role.CAGE_MANAGER, Role.SECURITY_MANAGER)
    ):
        raise refuse("wrong_role", "A manager or an administrator lets devices in and out.")
