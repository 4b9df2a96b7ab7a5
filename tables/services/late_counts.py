"""Post a count that was made on paper as if it had been entered when it was made.

What it found beyond the slips of then is win or variance of its own period; where the tray was
counted since, that count took it for its own, and is undone by as much. So the tray holds what its
last count in real order and the slips after it say, in whatever order papers come in.
"""

from __future__ import annotations

from datetime import datetime

from django.db import models
from django.db.models import Value
from django.db.models.functions import Greatest

from inventory.models import Holder, TrayCount
from inventory.services.ledger import lock_public
from pitboss.models import Device, Signature, Slip, Table
from pitboss.rules.cheques.cheques import difference, format_money, total_cents
from pitboss.rules.cheques.tray_counts import CLOSERS, COMPARED_COUNTS, OPENERS
from pitboss.rules.flows.corrections import parted
from pitboss.rules.games.table_orders import OrderEnd, OrderKind
from pitboss.services.exceptions import (
    TRAY_VARIANCE,
    open_exception,
)
from pitboss.services.shown import stored_cheques
from pitboss.services.table_changes import apply_setup
from pitboss.slips.late import form_entered, true_time_of
from tables.models import Dealing
from tables.selectors.tray_past import TrayPast, counts_of, place_at, tray_past
from tables.services.contradictions import name_contradictions
from tables.services.live_changes import table_closed
from tables.services.restating import Since, post_restated
from tables.services.round_corrections import abort_with_table
from tables.services.table_orders import end_orders
from tables.services.trays import variance_terms_now


def post_late_count(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Post what a count on paper found, at its place among the tray's counts."""
    table = slip.table
    assert table is not None, "a count is of a table's tray"
    true_time = true_time_of(slip)
    lock_public()
    past = tray_past(table, true_time)
    expected = past.held_at(true_time)
    if slip.kind in COMPARED_COUNTS:
        _variance_found(slip, past, expected, at)
    against = Holder.VARIANCE if slip.kind in COMPARED_COUNTS else Holder.PUBLIC
    more, less = parted(expected, slip.cheques_by_cents)
    place, since = place_at(past, table, true_time), Since(past.after)
    rows = [
        *post_restated(slip, less, Holder.TRAY, against, since=since, signature=signature, at=at),
        *post_restated(slip, more, against, Holder.TRAY, since=since, signature=signature, at=at),
    ]
    count = TrayCount.objects.create(
        table=table,
        slip=slip,
        tray_sequence=place,
        cheques={c: n for c, n in stored_cheques(slip.cheques_by_cents).items() if n},
        at=true_time,
    )
    shut = _opened_or_closed(table, true_time, signature.device, at)
    name_contradictions(slip, signature, at)
    return [*rows, count, *shut, *form_entered(slip, at)]


def _variance_found(slip: Slip, past: TrayPast, expected: dict[int, int], at: datetime) -> None:
    """Open what an opener on paper found beside the count that it was made from."""
    if not difference(expected, slip.cheques_by_cents):
        return
    against = past.before.slip.serial if past.before is not None else "the expected count"
    variance_cents = slip.total_cents - total_cents(expected)
    way = "short" if variance_cents < 0 else "over"
    words = f"{format_money(abs(variance_cents))} {way}" if variance_cents else "other colors"
    open_exception(
        code=TRAY_VARIANCE,
        sentence=f"{slip.table}: {slip.serial}, entered late, doesn’t match {against}: {words}.",
        details={
            "variance_cents": variance_cents,
            "against": against,
            "expected": stored_cheques(expected),
            "counted": slip.cheques,
            "tolerance": variance_terms_now().tolerance.id,
            "is_notice": True,
        },
        at=at,
        person=None,
        table=slip.table,
        slip=slip,
    )


def _opened_or_closed(
    table: Table, true_time: datetime, device: Device, at: datetime
) -> list[models.Model]:
    """Open or close a table by its last opener or closer in real order."""
    last = counts_of(table).filter(slip__kind__in=OPENERS | CLOSERS).last()
    is_open = last is not None and last.slip.kind in OPENERS
    if is_open == Table.objects.get(pk=table.pk).is_open:
        return []
    Table.objects.filter(pk=table.pk).update(is_open=is_open)
    if is_open:
        return apply_setup(table, at)
    Dealing.objects.filter(table=table, ended_at=None).update(
        ended_at=Greatest("began_at", Value(true_time))
    )
    abort_with_table(table, device=device, at=at)
    for kind in OrderKind:
        end_orders(table, kind, OrderEnd.TABLE_CLOSED, at)
    return table_closed(table, at)
