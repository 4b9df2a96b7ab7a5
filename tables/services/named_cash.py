"""Whose cash a buy-in is: who sits there, and when it must be said before it is taken."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Exists, OuterRef, Sum

from inventory.models import CashEntry, Stranger
from inventory.selectors.cash_log import policy_of
from pitboss.models import Table
from pitboss.rules.floor.fields import Facts
from pitboss.rules.floor.log import FloorKind, LogOutcome
from pitboss.rules.patrons.cash_log import CashKind, description_refusals, who_refusals
from pitboss.rules.refusal import Refusal
from pitboss.services import house
from tables.models import FloorEntry, SeatHeld


def rated_at(table: Table, seat: int) -> tuple[int | None, int | None]:
    """Return who is rated at a seat now: a patron, or someone described today, or neither."""
    held = (
        SeatHeld.objects.filter(table=table, seat=seat, until=None, rating__isnull=False)
        .select_related("rating")
        .first()
    )
    if held is None or held.rating is None:
        return None, None
    patron_id, stranger_id = held.rating.patron_id, held.rating.stranger_id
    return patron_id, None if patron_id is not None else stranger_id


def unnamed_cents(table: Table, kind: str, seat: int, now: datetime) -> int:
    """Return the cash that came at a seat a short while ago and of which no one said whose."""
    window = policy_of(house.period_at(now).gaming_day).seat_window
    named = CashEntry.objects.filter(
        table=table, kind=CashKind.BUY_IN.value, at=OuterRef("at"), reverses=None
    )
    unnamed = FloorEntry.objects.filter(
        ~Exists(named), table=table, kind=kind, at__gt=now - window, facts__seat=seat
    ).exclude(outcome=LogOutcome.DECLINED.value)
    return int(unnamed.aggregate(sum=Sum("amount_cents"))["sum"] or 0)


def who_is_asked(
    kind: FloorKind,
    facts: Facts,
    row: tuple[int | None, int | None, str],
    table: Table,
    now: datetime,
) -> list[Refusal]:
    """Return why it must be said first whose cash this is. `told` is who was named, or how."""
    patron_id, stranger_id, description = row
    amount_cents = kind.amount(facts)
    if not kind.names_patron or amount_cents is None or patron_id is not None:
        return []
    day = house.period_at(now).gaming_day
    if stranger_id is not None:
        if Stranger.objects.filter(pk=stranger_id, gaming_day=day).exists():
            return []
        return [
            Refusal(
                "described_another_day",
                "That description is of another gaming day. Describe the person again.",
            )
        ]
    if description:
        return description_refusals(description)
    # Of no seat it is not known that it is one person's.
    before = unnamed_cents(table, kind.code, facts["seat"], now) if "seat" in facts else 0
    return who_refusals(policy_of(day), amount_cents, is_told=False, unnamed_cents=before)
