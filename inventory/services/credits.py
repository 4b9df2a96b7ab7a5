"""Credits: cheques out of a tray to the cage, and back into it when the cage counts otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from django.db import models

from inventory.models import Holder
from inventory.services.ledger import move_cheques
from pitboss.models import FloorException, Signature, Slip, Table
from pitboss.rules.cheques import BY_CENTS, difference
from pitboss.rules.credit_flows import CREDIT, CREDIT_RETURN
from pitboss.rules.flows import SlipStatus, is_dispatched
from pitboss.rules.refusal import Refusal, Refused, refuse
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


def new_credit(table: Table, cheques: Mapping[int, int], replaces: Slip | None = None) -> NewSlip:
    """Return a credit about to be asked for; one that corrects another refers to it."""
    return NewSlip(CREDIT.kind, table.pk, cheques, replaces.pk if replaces else None)


def request_credit(
    *,
    table: Table,
    cheques: Mapping[int, int],
    pen: Pen,
    shown: str,
    replaces: Slip | None = None,
) -> Slip:
    """Ask to send cheques of a tray to the cage, signed by a supervisor. Raises Refused."""
    return raise_slip(
        new_credit(table, cheques, replaces),
        pen=pen,
        shown=shown,
        judge=lambda table, original: Judgement(credit_refusals(table, cheques, original)),
    )


def credit_refusals(
    table: Table | None, cheques: Mapping[int, int], original: Slip | None
) -> list[Refusal]:
    """Return why a credit may not be asked for.

    The ledger lags behind the tray, which wins between counts, so a credit may be larger than what
    the ledger knows of; the dealer proves it before it leaves.
    """
    refusals = []
    if not any(cheques.values()):
        refusals.append(Refusal("nothing_asked", "Choose at least one cheque."))
    if table is not None and not table.is_open:
        refusals.append(
            Refusal("table_closed", f"{table} is closed and its tray locked. Open it first.")
        )
    if original is not None and original.status != SlipStatus.RETURNED.value:
        refusals.append(
            Refusal("not_returned", f"{original.serial} has not come back. Nothing replaces it.")
        )
    if original is not None and _replaced(original):
        refusals.append(
            Refusal("already_replaced", f"Another credit replaces {original.serial} already.")
        )
    return refusals


def _replaced(credit: Slip) -> bool:
    replacing = Slip.objects.filter(refers_to=credit, kind=CREDIT.kind)
    return replacing.exclude(status=SlipStatus.VOIDED.value).exists()


def new_credit_return(credit: Slip) -> NewSlip:
    """Return the return of a credit, about to be raised by the cage. Raises Refused."""
    if credit.kind != CREDIT.kind or credit.table_id is None:
        raise refuse("not_a_credit", f"{credit.serial} is no credit. The cage sends back credits.")
    return NewSlip(CREDIT_RETURN.kind, credit.table_id, credit.cheques_by_cents, credit.pk)


def send_credit_back(*, credit: Slip, reason: str, pen: Pen, shown: str) -> Slip:
    """Send a credit that differs back to its table with the officer who brought it.

    Raises Refused.
    """
    return raise_slip(
        new_credit_return(credit),
        pen=pen,
        shown=shown,
        judge=lambda table, original: Judgement(credit_return_refusals(original)),
        entry=Entry(reason=reason),
    )


def credit_return_refusals(credit: Slip | None) -> list[Refusal]:
    """Return why a credit may not be sent back."""
    assert credit is not None, "a return refers to a credit"
    signed = {(s.track, s.step): s.person_id for s in credit.signatures.all()}
    if credit.status != SlipStatus.OPEN.value:
        return [Refusal("slip_closed", f"{credit.serial} is {credit.status}. It cannot go back.")]
    if not is_dispatched(credit.plan, signed):
        return [
            Refusal(
                "not_dispatched",
                f"{credit.serial} has not left the table. It can be voided there.",
            )
        ]
    if ("main", "acknowledged") in signed:
        return [
            Refusal(
                "already_acknowledged",
                f"The cage has taken in the cheques of {credit.serial}. Ask for a fill instead.",
            )
        ]
    return []


@effect("credit_leaves_the_tray")
def _credit_leaves_the_tray(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    return [
        *move_cheques(
            slip=slip,
            cheques=slip.cheques_by_cents,
            source=Holder.TRAY,
            target=Holder.CARRIER,
            at=at,
        )
    ]


@effect("credit_into_the_cage")
def _credit_into_the_cage(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    return [
        *move_cheques(
            slip=slip,
            cheques=slip.cheques_by_cents,
            source=Holder.CARRIER,
            target=Holder.CAGE,
            at=at,
        )
    ]


@effect("credit_sent_back")
def _credit_sent_back(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    credit = _original(slip)
    set_status(credit, SlipStatus.RETURNING)
    move_waits(credit, {}, at)
    return []


@effect("credit_back_into_the_tray")
def _credit_back_into_the_tray(
    slip: Slip, signature: Signature, at: datetime
) -> list[models.Model]:
    """Undo the credit's way out, once dealer and supervisor have found the same.

    What left on the slip comes back on it, whatever colours it was: the tray gave other cheques
    than the slip said and has them again. A count that is neither the slip's nor the cage's means
    that cheques changed on the way, and is an exception.
    """
    credit = _original(slip)
    _refuse_two_counts(slip.signatures.get(step="recounted"), signature)
    transfers = move_cheques(
        slip=slip,
        cheques=credit.cheques_by_cents,
        source=Holder.CARRIER,
        target=Holder.TRAY,
        at=at,
    )
    set_status(credit, SlipStatus.RETURNED)
    at_the_cage = FloorException.objects.filter(code="count_differs", slip=credit).values_list(
        "details__counted", flat=True
    )
    if signature.counted not in [credit.cheques, *at_the_cage]:
        open_exception(
            code="return_differs",
            sentence=f"{slip.serial}: the table counted neither the slip nor the cage's count.",
            details={"slip": credit.cheques, "counted": signature.counted},
            at=at,
            person=signature.person,
            table=slip.table,
            slip=slip,
        )
    return [*transfers]


def _refuse_two_counts(dealer: Signature, supervisor: Signature) -> None:
    """Raise Refused where dealer and supervisor counted differently: one of them is wrong."""
    first, second = (
        {int(cents): count for cents, count in (each.counted or {}).items()}
        for each in (dealer, supervisor)
    )
    refusals = [
        Refusal(
            "count_differs",
            f"Count differs: {BY_CENTS[cents].name}. The dealer counted {first.get(cents, 0)}, "
            f"you counted {second.get(cents, 0)}. Count together again.",
        )
        for cents in difference(first, second)
    ]
    if refusals:
        raise Refused(refusals)


def _original(slip: Slip) -> Slip:
    assert slip.refers_to_id is not None, "a return refers to a credit"
    return lock_slip(slip.refers_to_id)
