"""Withdraw what a terminal asked for, while no one has answered it."""

from __future__ import annotations

from django.db import transaction

from pitboss.rules.floor.book import floor_kind
from pitboss.rules.refusal import CONFLICT, refuse
from pitboss.services import house, journal
from pitboss.services.locks import lock_table
from tables.models import Dealing, FloorRequest, RequestWithdrawal
from tables.services import floor_log
from tables.services.terminals import Terminal


@transaction.atomic(savepoint=False)
def withdraw(*, terminal: Terminal, asked: FloorRequest) -> RequestWithdrawal:
    """Take back a request that no one has answered. Raises Refused.

    What was reported stays with the supervisor: only a question is withdrawn.
    """
    assert asked.table_id == terminal.table.pk, "a terminal reads its own table's requests"
    table = lock_table(terminal.table.pk)
    now = house.now()
    if not floor_kind(asked.kind).is_approval:
        raise refuse(
            "report_stays", "A report can’t be withdrawn. The supervisor answers it.", CONFLICT
        )
    floor_log.demand_open(asked)
    dealing = Dealing.objects.filter(table=table, ended_at=None).select_related("dealer").first()
    if dealing is None:
        raise refuse(
            "dealer_missing", "No dealer is tapped in. Tap in, then withdraw the request.", CONFLICT
        )
    row = RequestWithdrawal.objects.create(
        asked=asked, by=dealing.dealer, terminal=terminal.device, at=now
    )
    floor_log.end_wait(asked, dealing.dealer, "Withdrawn by the dealer.", now)
    journal.write(
        chain=journal.chain_of(table, journal.HOUSE),
        kind="floor_withdrawn",
        body={"request": asked.pk, "kind": asked.kind, "sentence": asked.sentence},
        at=now,
        person=dealing.dealer,
        device=terminal.device,
        rows=[row],
    )
    return row
