"""Jackpots that hold a round open: nothing begins or ends at their table until they are settled."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Exists, OuterRef, Q, QuerySet

from pitboss.models import Signature, Slip, Table
from pitboss.rules.flows import SlipStatus
from pitboss.rules.jackpot_flows import ENDS_ROUND, JACKPOT, RELEASES, is_pending
from pitboss.rules.refusal import Refusal
from pitboss.selectors.slips import signed_of


def holding_the_table(slips: QuerySet[Slip]) -> QuerySet[Slip]:
    """Leave out jackpots that are held or left to the cage: their table deals on, and may close."""
    signed = Signature.objects.filter(slip=OuterRef("pk"))
    held = Exists(signed.filter(step="held_witnessed"))
    left = Q(**{f"details__{ENDS_ROUND}": "released"}) & Exists(signed.filter(step__in=RELEASES))
    return slips.exclude(Q(kind=JACKPOT.kind) & (Q(held) | left))


def pending_jackpots(table: Table | None = None) -> list[Slip]:
    """Return the jackpots that are pending, at one table or at all, oldest first."""
    slips = Slip.objects.filter(kind=JACKPOT.kind, status=SlipStatus.OPEN.value)
    if table is not None:
        slips = slips.filter(table=table)
    return list(holding_the_table(slips).select_related("table__pit").order_by("id"))


def is_pending_slip(slip: Slip) -> bool:
    """Tell whether a jackpot still holds its table's round open."""
    return is_pending(
        SlipStatus(slip.status),
        signed_of(list(slip.signatures.all())),
        slip.details.get(ENDS_ROUND, "paid"),
    )


def pending_of(slips: Iterable[Slip]) -> list[Slip]:
    """Return the pending jackpots among slips that were read already."""
    return [slip for slip in slips if slip.kind == JACKPOT.kind and is_pending_slip(slip)]


def game_refusals(table: Table) -> list[Refusal]:
    """Return why no game starts or ends at a table: a jackpot is pending there."""
    return [
        Refusal(
            "jackpot_pending",
            f"{slip} is pending at {table}. The game goes on once it is paid, rejected or held.",
        )
        for slip in pending_jackpots(table)
    ]
