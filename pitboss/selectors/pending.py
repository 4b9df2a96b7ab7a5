"""Jackpots and big wins that hold a round open: nothing begins or ends until they let it."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Exists, OuterRef, Q, QuerySet

from pitboss.models import Signature, Slip, Table
from pitboss.models.plain import Statement, in_one_trip
from pitboss.rules.flows.corrections import RESTATING
from pitboss.rules.flows.flows import SlipStatus
from pitboss.rules.payouts.big_wins import BIG_WIN, holds_round
from pitboss.rules.payouts.jackpot_flows import ENDS_ROUND, JACKPOT, RELEASES, is_pending
from pitboss.rules.refusal import CONFLICT, Refusal
from pitboss.selectors.slips import signed_of


def holding_the_table(slips: QuerySet[Slip]) -> QuerySet[Slip]:
    """Leave out what a table need not wait for: it deals on, and may close.

    Jackpots that are held or left to the cage, and corrections of what was finished before.
    """
    signed = Signature.objects.filter(slip=OuterRef("pk"))
    held = Exists(signed.filter(step="held_witnessed"))
    left = Q(**{f"details__{ENDS_ROUND}": "released"}) & Exists(signed.filter(step__in=RELEASES))
    slips = slips.exclude(kind__in=RESTATING)
    return slips.exclude(Q(kind=JACKPOT) & (Q(held) | left)).exclude(Q(held), kind=BIG_WIN)


def pending_jackpots(table: Table | None = None) -> list[Slip]:
    """Return the jackpots that are pending, at one table or at all, oldest first."""
    slips = Slip.objects.filter(kind=JACKPOT, status=SlipStatus.OPEN.value)
    if table is not None:
        slips = slips.filter(table=table)
    return list(holding_the_table(slips).select_related("table__pit").order_by("id"))


def pending_big_wins(table: Table) -> list[Slip]:
    """Return the big wins of a table that still hold its round open, oldest first."""
    slips = Slip.objects.filter(kind=BIG_WIN, status=SlipStatus.OPEN.value, table=table)
    return [
        slip
        for slip in slips.select_related("table__pit").prefetch_related("signatures").order_by("id")
        if holds_round(
            SlipStatus.OPEN,
            slip.plan,
            signed_of(list(slip.signatures.all())),
            slip.details[ENDS_ROUND],
        )
    ]


def is_pending_slip(slip: Slip) -> bool:
    """Tell whether a jackpot still holds its table's round open."""
    return is_pending(
        SlipStatus(slip.status),
        signed_of(list(slip.signatures.all())),
        slip.details.get(ENDS_ROUND, "paid"),
    )


def pending_of(slips: Iterable[Slip]) -> list[Slip]:
    """Return the pending jackpots among slips that were read already."""
    return [slip for slip in slips if slip.kind == JACKPOT and is_pending_slip(slip)]


def asking_for_open_wins(table_id: int) -> Statement:
    """Return the statement that tells whether a jackpot or big win of a table is open at all."""
    return (
        "SELECT EXISTS (SELECT FROM pitboss_slip"
        " WHERE table_id = %s AND status = %s AND kind IN (%s, %s))",
        [table_id, SlipStatus.OPEN.value, BIG_WIN, JACKPOT],
    )


def game_refusals(table: Table, *, has_open_wins: bool | None = None) -> list[Refusal]:
    """Return why no game starts or ends at a table: a jackpot or a big win is pending there."""
    # Asked at each round, and nearly always answered by this alone.
    if has_open_wins is None:
        (((has_open_wins,),),) = in_one_trip(asking_for_open_wins(table.pk))
    if not has_open_wins:
        return []
    big_wins = [
        Refusal(
            "big_win_pending",
            f"{slip} is pending at {table}. Wait until it is {slip.details[ENDS_ROUND]}, rejected, "
            "or put on hold.",
            CONFLICT,
        )
        for slip in pending_big_wins(table)
    ]
    return big_wins + [
        Refusal(
            "jackpot_pending",
            f"{slip} is pending at {table}. Wait until it is paid, rejected, or put on hold.",
            CONFLICT,
        )
        for slip in pending_jackpots(table)
    ]
