"""Read a meter: what it shows beside what it should show. A difference is an exception."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from django.db import models

from jackpots.models import Meter, MeterReading
from jackpots.services.figures import balance_of, lock_meter
from pitboss.models import Device, Person, Signature, Slip
from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.refusal import CONFLICT, NOT_YOURS, refuse
from pitboss.rules.roles import Role, may_act_as
from pitboss.services import house, journal
from pitboss.services.exceptions import open_exception
from pitboss.services.locks import lock_request
from pitboss.services.pins import demand_worth, signed_act

# Who reads meters; anyone who outranks them may as well.
READERS = (Role.SUPERVISOR, Role.ACCOUNTING)


def read_meter(
    *,
    meter_id: int,
    read_cents: int,
    badge: str,
    pin: str,
    request_id: UUID,
    device: Device | None,
) -> MeterReading:
    """Record what a meter shows, beside what it should show. A difference is an exception.

    Raises Refused. A resend gets the reading that it made.
    """
    with signed_act(act="read_meter", badge=badge, pin=pin, device=device) as person:
        return _read(meter_id, read_cents, person, request_id, device)


def _read(
    meter_id: int, read_cents: int, person: Person, request_id: UUID, device: Device | None
) -> MeterReading:
    lock_request(request_id)
    now = house.now()
    earlier = MeterReading.objects.filter(request_id=request_id).first()
    if earlier is not None:
        if (earlier.meter_id, earlier.read_cents) != (meter_id, read_cents):
            raise refuse(
                "request_reused",
                "This form was already sent with another amount. Reload the page.",
                CONFLICT,
            )
        return earlier
    when = house.period_at(now)
    role = house.role_in(person, when)
    if not any(may_act_as(role, reader) for reader in READERS):
        raise refuse("wrong_role", "Only accounting or a supervisor can read a meter.", NOT_YOURS)
    demand_worth(person, read_cents, now)
    meter = lock_meter(meter_id)
    reading = MeterReading.objects.create(
        meter=meter,
        read_cents=read_cents,
        expected_cents=balance_of(meter).shown_cents,
        read_by=person,
        gaming_day=when.gaming_day,
        at=now,
        request_id=request_id,
    )
    journal.write(
        chain=journal.METERS,
        kind="meter.read",
        body={
            "meter": meter.name,
            "read_cents": read_cents,
            "expected_cents": reading.expected_cents,
        },
        at=now,
        person=person,
        device=device,
        rows=[reading],
    )
    if reading.difference_cents:
        report_difference(meter, reading.read_cents, reading.expected_cents, person, now)
    return reading


def keep_locked(
    slip: Slip,
    signature: Signature,
    meter: Meter,
    locked_cents: int,
    expected_cents: int,
    at: datetime,
) -> list[models.Model]:
    """Keep what a meter showed when a hit locked it beside what wagers say."""
    reading = MeterReading.objects.create(
        meter=meter,
        read_cents=locked_cents,
        expected_cents=expected_cents,
        read_by=signature.person,
        gaming_day=slip.gaming_day,
        at=at,
        request_id=signature.request_id,
    )
    if reading.difference_cents:
        report_difference(meter, locked_cents, expected_cents, signature.person, at, slip)
    return [reading]


def report_difference(
    meter: Meter,
    read_cents: int,
    expected_cents: int,
    person: Person,
    at: datetime,
    slip: Slip | None = None,
) -> None:
    """Open an exception for a meter that does not show what it should."""
    off = read_cents - expected_cents
    shown, expected = format_money(read_cents), format_money(expected_cents)
    open_exception(
        code="meter_differs",
        sentence=f"{meter} shows {format_money(off)} more than it should: {shown}, not {expected}."
        if off > 0
        else f"{meter} shows {format_money(-off)} less than it should: {shown}, not {expected}.",
        details={"meter": meter.pk, "read_cents": read_cents, "expected_cents": expected_cents},
        at=at,
        person=person,
        table=slip.table if slip else None,
        slip=slip,
    )
