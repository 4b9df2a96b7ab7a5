"""Devices: let in by a manager's one-time code, bound to a place, put out at once."""

from __future__ import annotations

import secrets
from datetime import timedelta

from django.db import IntegrityError, transaction

from pitboss.models import Device, DeviceEnrolment, Person, Pit
from pitboss.rules.canonical import digest, is_plain
from pitboss.rules.refusal import refuse
from pitboss.rules.roles import Place, Role, may_act_as
from pitboss.services import house, journal

CODE_HOLDS = timedelta(minutes=15)
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


@transaction.atomic(durable=True)
def offer_device(*, name: str, place: Place, pit: Pit | None, actor: Person) -> str:
    """Return a one-time code with which a device may enrol itself. Raises Refused."""
    now = house.now()
    _demand_a_manager(actor)
    name = name.strip() if is_plain(name) else ""
    if not name or len(name) > 40:
        raise refuse("name_malformed", "Give the device a name of up to 40 signs.")
    if Device.objects.filter(name=name).exists():
        raise refuse("name_taken", f"There is a device {name} already. Choose another name.")
    if pit is not None and place != Place.PIT:
        raise refuse("pit_not_wanted", "Only a device of the pit belongs to a pit.")
    code = "".join(secrets.choice(_LETTERS) for _ in range(8))
    DeviceEnrolment.objects.create(
        code_hash=digest(code),
        name=name,
        place=place.value,
        pit=pit,
        offered_by=actor,
        offered_at=now,
        expires_at=now + CODE_HOLDS,
    )
    journal.write(
        chain=journal.PEOPLE,
        kind="device_offered",
        body={"name": name, "place": place.value, "pit": pit.pk if pit else None},
        at=now,
        person=actor,
    )
    return code


@transaction.atomic(durable=True)
def enrol_device(*, code: str) -> tuple[Device, str]:
    """Enrol the device that shows this code; return it and the token that it alone will know."""
    now = house.now()
    code = code.strip().upper().replace("-", "").replace(" ", "") if is_plain(code) else ""
    offer = (
        DeviceEnrolment.objects.select_for_update(no_key=True)
        .filter(code_hash=digest(code))
        .first()
    )
    if offer is None or offer.used_at is not None or offer.expires_at < now:
        raise refuse("code_unknown", "This code is unknown, used or too old. Ask for a new one.")
    token = secrets.token_urlsafe(32)
    try:
        with transaction.atomic():
            device = Device.objects.create(
                name=offer.name,
                place=offer.place,
                pit=offer.pit,
                token_hash=digest(token),
                enrolled_by=offer.offered_by,
                enrolled_at=now,
            )
    except IntegrityError:
        raise refuse("name_taken", f"There is a device {offer.name} by now.") from None
    offer.used_at = now
    offer.save(update_fields=["used_at"])
    journal.write(
        chain=journal.PEOPLE,
        kind="device_enrolled",
        body=device.where(),
        at=now,
        person=offer.offered_by,
        device=device,
    )
    return device, token


@transaction.atomic(durable=True)
def revoke_device(*, device_id: int, actor: Person) -> Device:
    """Put a device out. It signs nothing from its next request on."""
    now = house.now()
    _demand_a_manager(actor)
    device = Device.objects.select_for_update(no_key=True).filter(pk=device_id).first()
    if device is None:
        raise refuse("unknown_device", "There is no such device. Look at the list again.")
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
