"""Orders that stand at a table: begun by an entry of the floor log, followed by checks, ended."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.db.models import Q

from pitboss.models import Table
from pitboss.models.plain import Statement
from pitboss.rules.games.table_orders import Order, OrderEnd, OrderKind, order_of
from pitboss.services import house
from tables.models import FloorEntry, TableOrder


def begin_order(
    entry: FloorEntry, kind: OrderKind, facts: dict[str, Any], seat: int | None = None
) -> TableOrder:
    """Let an order stand from its entry on. The caller holds the table's lock."""
    # A ruling that no one ended must not touch the hands after its own.
    holds = timedelta(minutes=house.settings_at(entry.at)["ruling.holds"])
    return TableOrder.objects.create(
        table=entry.table,
        kind=kind.value,
        entry=entry,
        seat=seat,
        facts=facts,
        began_at=entry.at,
        holds_until=entry.at + holds if kind is OrderKind.RULING else None,
    )


def end_orders(
    table: Table, kind: OrderKind, end: OrderEnd, at: datetime, seat: int | None = None
) -> int:
    """End what stands of one kind at a table, or at one seat of it; return how many did."""
    standing = TableOrder.objects.filter(table=table, kind=kind.value, ended_at=None)
    if seat is not None:
        standing = standing.filter(seat=seat)
    return standing.update(ended_at=at, end=end.value)


def ending_orders(table: Table, kind: OrderKind, end: OrderEnd, at: datetime) -> Statement:
    """Return the statement that ends what stands of one kind at a table."""
    return (
        'UPDATE tables_tableorder SET ended_at = %s, "end" = %s'
        " WHERE table_id = %s AND kind = %s AND ended_at IS NULL",
        [at, end.value, table.pk, kind.value],
    )


def orders_at(table: Table, at: datetime) -> tuple[Order, ...]:
    """Return the orders that held at a table at a time, now or past."""
    rows = TableOrder.objects.filter(
        Q(ended_at=None) | Q(ended_at__gt=at),
        Q(holds_until=None) | Q(holds_until__gt=at),
        table=table,
        began_at__lte=at,
    ).order_by("id")
    return tuple(order_of(row.entry_id, row.kind, row.facts) for row in rows)
