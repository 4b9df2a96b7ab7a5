"""Mark the shoe of a table: shuffle, first card, broken down. Each mark ends what ran before it."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from django.db import transaction

from pitboss.models import Device, Person, Table
from pitboss.rules.floor.log import wrong_hand
from pitboss.rules.floor.standards import SHOE_MAX, Mark, Marked, ended_by, mark_refusals
from pitboss.rules.games.table_orders import OrderEnd, OrderKind
from pitboss.rules.refusal import CONFLICT, Refused, refuse
from pitboss.rules.roles import Role
from pitboss.services import house, journal
from pitboss.services.locks import lock_request, lock_table
from tables.models import Dealing, ShoeMark
from tables.services.floor_log import Tap, by_of, in_hand
from tables.services.live_changes import shoe_marked
from tables.services.table_orders import end_orders
from tables.services.terminals import Terminal


def last_mark(table: Table, now: datetime) -> ShoeMark | None:
    """Return what runs at a table; a mark whose end was forgotten runs no more."""
    recent = ShoeMark.objects.filter(table=table, at__gte=now - SHOE_MAX)
    return recent.order_by("-id").first()


def mark_shoe(*, table_id: int, mark: Mark, hand: Tap) -> ShoeMark:
    """Mark the shoe on a tablet of the pit, by a tap of its supervisor. Raises Refused."""
    with in_hand(hand) as person:
        lock_request(hand.request_id)
        table = lock_table(table_id)
        now = house.now()
        earlier = ShoeMark.objects.filter(request_id=hand.request_id).first()
        if earlier is not None:
            if (earlier.table_id, earlier.mark, earlier.by_id) != (table.pk, mark, person.pk):
                raise refuse(
                    "request_reused",
                    "This form was already sent with something else in it. Reload the page.",
                    CONFLICT,
                )
            return earlier
        refusals = wrong_hand(by_of(person, hand, table, now), Role.SUPERVISOR)
        if refusals:
            raise Refused(refusals)
        assert hand.device is not None, "a tap without a device is refused"
        return _mark(
            table, mark, now, device=hand.device, person=person, request_id=hand.request_id
        )


@transaction.atomic(savepoint=False)
def mark_at_terminal(*, terminal: Terminal, mark: Mark) -> ShoeMark:
    """Mark the shoe on the table's own terminal. Raises Refused."""
    table = lock_table(terminal.table.pk)
    return _mark(table, mark, house.now(), device=terminal.device)


def _mark(
    table: Table,
    mark: Mark,
    now: datetime,
    *,
    device: Device,
    person: Person | None = None,
    request_id: UUID | None = None,
) -> ShoeMark:
    before = last_mark(table, now)
    refusals = mark_refusals(mark, Mark(before.mark) if before else None, is_open=table.is_open)
    if refusals:
        raise Refused(refusals)
    dealing = Dealing.objects.filter(table=table, ended_at=None).first()
    dealer_id = dealing.dealer_id if dealing else None
    began = None
    if before is not None:
        # A dealer who tapped in since began neither the shuffle nor the shoe.
        was_there = dealing is not None and dealing.began_at <= before.at
        began_by = before.dealer_id if was_there else None
        began = Marked(Mark(before.mark), before.at, began_by, before.decks)
    took = ended_by(began, Marked(mark, now, dealer_id, table.decks))
    row = ShoeMark.objects.create(
        table=table,
        mark=mark.value,
        at=now,
        decks=table.decks,
        dealer_id=dealer_id,
        seconds=took.seconds if took else None,
        by=person,
        device=device,
        request_id=request_id,
    )
    if mark is not Mark.DEAL:
        # The shoe is over, and with it what was ordered for it and for its last hand.
        for kind in OrderKind:
            end_orders(table, kind, OrderEnd.SHOE_OVER, now)
    versions = shoe_marked(table, mark, now)
    journal.write(
        chain=journal.chain_of(table, journal.HOUSE),
        kind="shoe_marked",
        body={"mark": mark.value, "seconds": row.seconds, "decks": row.decks},
        at=now,
        person=person,
        device=device,
        rows=[row, *versions],
    )
    return row
