"""Lock the compartment of the shift that ends, then enable the next one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid5

from django.db import models, transaction
from django.db.models.fields.json import KT

from inventory.models import TrayCount
from pitboss.models import Device, Person, Slip, Table
from pitboss.rules.cheques.tray_counts import CLOSERS, ENDING
from pitboss.rules.drop.compartments import (
    LETTERS,
    Actor,
    Segment,
    Turn,
    enable_refusals,
    lock_refusals,
)
from pitboss.rules.drop.figures import DROP_PULL, PULLS
from pitboss.rules.drop.runs import BoxKind
from pitboss.rules.flows.flows import SlipStatus
from pitboss.rules.refusal import CONFLICT, Refused, refuse
from pitboss.rules.roles import Place, Role, may_act_as
from pitboss.services import house, journal
from pitboss.services.drafts import Pen
from pitboss.services.locks import lock_request, lock_table
from pitboss.services.pins import signed_act
from tables.models import CompartmentTurn, DropBox
from tables.selectors.compartments import standing_on


@transaction.atomic(durable=True)
def lock_compartment(
    *, table: Table, letter: str, by: Person, device: Device | None, request_id: UUID
) -> CompartmentTurn:
    """Say with one tap that a compartment is locked, on the last count. Raises Refused."""
    lock_request(request_id)
    table = lock_table(table.pk)
    earlier = _earlier(request_id, table, letter)
    if earlier is not None:
        return earlier
    standing, locked = standing_on(table)
    count, minutes = _count_to_lock_on(table, locked)
    refusals = lock_refusals(
        standing,
        letter,
        _actor(by, device, table),
        is_counted=count is not None,
        minutes=minutes,
    )
    if refusals:
        raise Refused(refusals)
    assert count is not None, "a compartment without a count was not refused"
    return _turned(table, letter, Turn.LOCKED, count, by, device, request_id)


def enable_compartment(*, table: Table, letter: str, pen: Pen) -> CompartmentTurn:
    """Enable the next compartment with badge and PIN, once the one before is locked.

    Raises Refused.
    """
    with signed_act(
        act="drop_compartment", badge=pen.badge, pin=pen.pin, device=pen.device
    ) as person:
        lock_request(pen.request_id)
        table = lock_table(table.pk)
        earlier = _earlier(pen.request_id, table, letter)
        if earlier is not None:
            return earlier
        standing, _ = standing_on(table)
        if refusals := enable_refusals(standing, letter, _actor(person, pen.device, table)):
            raise Refused(refusals)
        return _turned(table, letter, Turn.ENABLED, None, person, pen.device, pen.request_id)


def _earlier(request_id: UUID, table: Table, letter: str) -> CompartmentTurn | None:
    earlier = CompartmentTurn.objects.filter(request_id=request_id).first()
    if earlier is not None and (earlier.table_id, earlier.letter) != (table.pk, letter):
        raise refuse("request_reused", "This form was already sent. Open it again.", CONFLICT)
    return earlier


def _actor(person: Person, device: Device | None, table: Table) -> Actor:
    role = house.role_in(person, house.period_at(house.now()))
    pull = Slip.objects.filter(table=table, kind=DROP_PULL, status=SlipStatus.OPEN).first()
    return Actor(
        is_supervisor=may_act_as(role, Role.SUPERVISOR),
        is_here=device is not None and device.place == Place.PIT.value,
        pull=pull.serial if pull is not None else "",
    )


def _count_to_lock_on(table: Table, locked: Sequence[Segment]) -> tuple[Slip | None, int]:
    """Return the count that ends the compartment in use, and how many minutes old it may be.

    A closed table was counted when it was closed.
    """
    now = house.now()
    minutes = int(house.settings_at(now)["drop.run_count_within"])
    counts = TrayCount.objects.filter(table=table).select_related("slip")
    last = counts.order_by("-tray_sequence", "-at", "-id").first()
    if last is None or last.slip.kind not in ENDING:
        return None, minutes
    is_fresh = last.slip.kind in CLOSERS or now - last.at <= timedelta(minutes=minutes)
    is_used = last.slip.serial in {segment.count for segment in locked} or pulled_on(
        last.slip.serial
    )
    return (last.slip if is_fresh and not is_used else None), minutes


def pulled_on(count_serial: str) -> bool:
    """Tell whether a box was pulled on a count."""
    pulls = Slip.objects.alias(of_count=KT("details__count")).filter(
        kind__in=PULLS, of_count=count_serial
    )
    return pulls.exclude(status=SlipStatus.VOIDED).exists()


def _turned(
    table: Table,
    letter: str,
    turn: Turn,
    count: Slip | None,
    person: Person,
    device: Device | None,
    request_id: UUID,
) -> CompartmentTurn:
    now = house.now()
    made = CompartmentTurn.objects.create(
        box=DropBox.objects.get(table=table),
        table=table,
        letter=letter,
        turn=turn.value,
        count=count,
        person=person,
        at=now,
        request_id=request_id,
    )
    journal.write(
        chain=journal.chain_of(table, journal.HOUSE),
        kind=f"compartment_{turn.value}",
        body={"letter": letter, "count": count.serial if count is not None else None},
        at=now,
        person=person,
        device=device,
        rows=[made],
    )
    return made


def first_enabled(
    box: DropBox, table: Table, person: Person, at: datetime, request_id: UUID
) -> list[models.Model]:
    """Enable the first compartment of a box as it goes on its table; others have none."""
    if box.kind != BoxKind.MULTI.value:
        return []
    return [
        CompartmentTurn.objects.create(
            box=box,
            table=table,
            letter=LETTERS[0],
            turn=Turn.ENABLED.value,
            person=person,
            at=at,
            request_id=uuid5(request_id, "first compartment"),
        )
    ]


def segment_details(details: Mapping[str, Any], segment: Segment) -> dict[str, Any]:
    """Return the details of the pull of one compartment: a box of its own for whoever counts it."""
    locked_at = segment.locked_at
    return {
        **details,
        "box": f"{details['box']} {segment.letter}",
        "compartment": segment.letter,
        "count": segment.count,
        "locked_at": journal.plain_time(locked_at) if locked_at is not None else None,
    }
