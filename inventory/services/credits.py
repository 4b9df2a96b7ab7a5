"""Credits: cheques out of a tray to the cage, and back into it when the cage counts otherwise."""

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
from pitboss.rules.cheques import BY_CENTS, difference
from pitboss.rules.credit_flows import CREDIT, CREDIT_RETURN
from pitboss.rules.refusal import Refusal, Refused, refuse
from pitboss.services.effects import effect
from pitboss.services.signing import Entry, Judgement, NewSlip, Pen, raise_slip


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
    return asking_refusals(CREDIT, table, cheques, original)


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
    refusals = going_back_refusals(credit, left="table")
    if not refusals and credit is not None and credit.signatures.filter(step="acknowledged"):
        refusals.append(
            Refusal(
                "already_acknowledged",
                f"The cage has taken in the cheques of {credit.serial}. Ask for a fill instead.",
            )
        )
    return refusals


effect("credit_leaves_the_tray")(moves(Holder.TRAY, Holder.CARRIER))
effect("credit_into_the_cage")(moves(Holder.CARRIER, Holder.CAGE))
effect("credit_sent_back")(sends_back)


@effect("credit_back_into_the_tray")
def _credit_back_into_the_tray(
    slip: Slip, signature: Signature, at: datetime
) -> list[models.Model]:
    """Take the cheques back once dealer and supervisor have found the same."""
    _refuse_two_counts(slip.signatures.get(step="recounted"), signature)
    return comes_back(
        slip,
        signature,
        at,
        to=Holder.TRAY,
        sentence="the table counted neither the slip nor the cage's count.",
    )


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
