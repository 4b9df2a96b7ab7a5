"""Fills: cheques from the cage into a tray, and back with the same officer when they are wrong."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from django.db import models

from inventory.models import Holder
from inventory.services.ledger import move_cheques
from pitboss.models import FloorException, Signature, Slip, Table
from pitboss.rules.fill_flows import FILL, FILL_RETURN
from pitboss.rules.flows import SlipStatus, Track, is_dispatched
from pitboss.rules.refusal import Refusal, refuse
from pitboss.services.effects import effect
from pitboss.services.exceptions import open_exception
from pitboss.services.locks import lock_slip
from pitboss.services.signing import (
    Entry,
    Judgement,
    NewSlip,
    Pen,
    move_waits,
    raise_slip,
    set_status,
)


def new_fill(table: Table, cheques: Mapping[int, int], replaces: Slip | None = None) -> NewSlip:
    """Return a fill about to be asked for."""
    return NewSlip(FILL.kind, table.pk, cheques, replaces.pk if replaces else None)


def request_fill(
    *,
    table: Table,
    cheques: Mapping[int, int],
    pen: Pen,
    shown: str,
    replaces: Slip | None = None,
) -> Slip:
    """Ask the cage for cheques, signed by a supervisor. Raises Refused."""
    return raise_slip(
        new_fill(table, cheques, replaces),
        pen=pen,
        shown=shown,
        judge=lambda table, original: Judgement(fill_refusals(table, cheques, original)),
    )


def fill_refusals(
    table: Table | None, cheques: Mapping[int, int], original: Slip | None
) -> list[Refusal]:
    """Return why a fill may not be asked for."""
    refusals = []
    if not any(cheques.values()):
        refusals.append(Refusal("nothing_asked", "Choose at least one cheque."))
    # A tray that was never counted is stocked before its table opens for the first time.
    if table is not None and not table.is_open and table.counts.exists():
        refusals.append(
            Refusal("table_closed", f"{table} is closed and its tray locked. Open it first.")
        )
    if original is not None and original.status != SlipStatus.RETURNED.value:
        refusals.append(
            Refusal("not_returned", f"{original.serial} has not gone back, so nothing replaces it.")
        )
    if original is not None and _replaced(original):
        refusals.append(
            Refusal("already_replaced", f"Another fill replaces {original.serial} already.")
        )
    return refusals


def _replaced(fill: Slip) -> bool:
    replacing = Slip.objects.filter(refers_to=fill, kind=FILL.kind)
    return replacing.exclude(status=SlipStatus.VOIDED.value).exists()


def new_return(fill: Slip) -> NewSlip:
    """Return the return of a fill, about to be raised."""
    if fill.kind != FILL.kind or fill.table_id is None:
        raise refuse("not_a_fill", f"{fill.serial} is no fill. Only a fill can be sent back.")
    return NewSlip(FILL_RETURN.kind, fill.table_id, fill.cheques_by_cents, fill.pk)


def send_back(*, fill: Slip, reason: str, pen: Pen, shown: str) -> Slip:
    """Send a wrong fill back to the cage with the officer who brought it. Raises Refused."""
    return raise_slip(
        new_return(fill),
        pen=pen,
        shown=shown,
        judge=lambda table, original: Judgement(return_refusals(original)),
        entry=Entry(reason=reason),
    )


def return_refusals(fill: Slip | None) -> list[Refusal]:
    """Return why a fill may not be sent back."""
    assert fill is not None, "a return refers to a fill"
    signed = {(s.track, s.step): s.person_id for s in fill.signatures.all()}
    if fill.status != SlipStatus.OPEN.value:
        return [Refusal("slip_closed", f"{fill.serial} is {fill.status}. It cannot go back.")]
    if not is_dispatched(fill.plan, signed):
        return [
            Refusal(
                "not_dispatched", f"{fill.serial} has not left the cage. It can be voided there."
            )
        ]
    return []


@effect("cheques_to_carrier")
def _cheques_to_carrier(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    return [
        *move_cheques(
            slip=slip,
            cheques=slip.cheques_by_cents,
            source=Holder.CAGE,
            target=Holder.CARRIER,
            at=at,
        )
    ]


@effect("cheques_into_tray")
def _cheques_into_tray(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    return [
        *move_cheques(
            slip=slip,
            cheques=slip.cheques_by_cents,
            source=Holder.CARRIER,
            target=Holder.TRAY,
            at=at,
        )
    ]


@effect("fill_sent_back")
def _fill_sent_back(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    fill = _original(slip)
    set_status(fill, SlipStatus.RETURNING)
    move_waits(fill, {}, at)
    return []


@effect("cheques_back_to_cage")
def _cheques_back_to_cage(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Undo the fill's way out. What left on the slip comes back on it, whatever colours it was.

    The cage gave other cheques than its slip said and has them again; the ledger, which knew only
    the slip, is right when it takes back the same. A count that is neither the slip's nor what the
    table counted means that cheques changed on the way, and is an exception.
    """
    fill = _original(slip)
    transfers = move_cheques(
        slip=slip,
        cheques=fill.cheques_by_cents,
        source=Holder.CARRIER,
        target=Holder.CAGE,
        at=at,
    )
    set_status(fill, SlipStatus.RETURNED)
    at_the_table = FloorException.objects.filter(code="count_differs", slip=fill).values_list(
        "details__counted", flat=True
    )
    if signature.counted not in [fill.cheques, *at_the_table]:
        open_exception(
            code="return_differs",
            sentence=f"{slip.serial}: the cage counted neither the slip nor the table's count.",
            details={"slip": fill.cheques, "counted": signature.counted},
            at=at,
            person=signature.person,
            table=slip.table,
            slip=slip,
        )
    return [*transfers]


def _original(slip: Slip) -> Slip:
    assert slip.refers_to_id is not None, "a return refers to a fill"
    return lock_slip(slip.refers_to_id)


def carrying_officer(slip: Slip) -> Signature | None:
    """Return the signature of the officer who has this slip's cheques in hand."""
    by_step = {(s.track, s.step): s for s in slip.signatures.all()}
    return by_step.get((Track.RELIEF.value, "taken_over")) or by_step.get(
        (Track.MAIN.value, "carried")
    )
