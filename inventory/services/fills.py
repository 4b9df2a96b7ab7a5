"""Fills: cheques from the cage into a tray, and back with the same officer when they are wrong."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from django.db import models

from inventory.models import Holder
from inventory.services.errands import (
    asking_refusals,
    comes_back,
    going_back_refusals,
    moves,
    sends_back,
)
from pitboss.models import Signature, Slip, Table
from pitboss.rules.fill_flows import FILL, FILL_RETURN
from pitboss.rules.refusal import Refusal, refuse
from pitboss.services.effects import effect
from pitboss.services.signing import Entry, Judgement, NewSlip, Pen, raise_slip


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
    # A tray that was never counted is stocked before its table opens for the first time.
    is_first_stock = table is not None and not table.counts.exists()
    return asking_refusals(FILL, None if is_first_stock else table, cheques, original)


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
    return going_back_refusals(fill, left="cage")


effect("cheques_to_carrier")(moves(Holder.CAGE, Holder.CARRIER))
effect("cheques_into_tray")(moves(Holder.CARRIER, Holder.TRAY))
effect("fill_sent_back")(sends_back)


@effect("cheques_back_to_cage")
def _cheques_back_to_cage(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    return comes_back(
        slip,
        signature,
        at,
        to=Holder.CAGE,
        sentence="the cage counted neither the slip nor the table's count.",
    )
