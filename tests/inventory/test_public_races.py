"""What the public holds is read at one instant, whatever arrives at other tables meanwhile."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest
from django.db import connection, transaction

from inventory.models import ChequeTransfer, Holder
from inventory.selectors import cheques as selectors
from inventory.selectors.cheques import holding_of, public_holding
from inventory.services.ledger import bring_public_forward, move_cheques
from pitboss.models import FloorException
from pitboss.services import house
from pitboss.services.signing import Entry
from tables.services import trays
from tests.floor.cast import make_cast
from tests.races import at_once

pytestmark = pytest.mark.django_db(transaction=True)
TRAY = {10_000: 20}


def test_a_fill_that_arrives_while_another_tray_is_counted_is_not_taken_for_the_publics(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The fill goes from the carrier into its tray just after somebody has read all trays."""
    floor = make_cast()
    floor.deliver(floor.ask(TRAY))
    floor.open_table(TRAY)
    count = floor.count("count", {10_000: 35})
    next_table = replace(floor, table=floor.other_table, dan=floor.dora)
    fill = next_table.ask({10_000: 30})
    next_table.carry(fill)
    next_table.sign(fill, "agreed", next_table.dan, entry=floor.agreement(fill))
    read_trays = selectors.tray_holdings
    arrived: list[Any] = []

    def read_then_let_it_arrive(tables: Any) -> Any:
        tables = list(tables)
        held = read_trays(tables)
        if len(tables) > 1 and not arrived:
            arrived.extend(at_once(lambda: next_table.sign(fill, "received", floor.alice)))
        return held

    monkeypatch.setattr(selectors, "tray_holdings", read_then_let_it_arrive)
    floor.sign(count, "verified", floor.alice, entry=Entry(counted={10_000: 35}))
    if not arrived:
        next_table.sign(fill, "received", floor.alice)
    # No table has lost a cheque yet, so nobody outside can have brought fifteen.
    assert holding_of(Holder.PUBLIC) == {}
    assert holding_of(Holder.VARIANCE) == {10_000: -15}
    assert FloorException.objects.get(code="more_than_exists").details == {"cheques": {"10000": 15}}


def test_a_day_is_not_brought_forward_past_cheques_that_somebody_has_in_hand(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A count has posted what its tray lost and is not stored yet; the balance must have it."""
    floor = make_cast()
    floor.deliver(floor.ask(TRAY))
    floor.open_table(TRAY)
    count = floor.count("count", {10_000: 15})
    moved, go_on = threading.Event(), threading.Event()
    move = move_cheques

    def move_then_wait(**arguments: Any) -> list[ChequeTransfer]:
        transfers = move(**arguments)
        moved.set()
        go_on.wait(5)
        return transfers

    monkeypatch.setattr(trays, "move_cheques", move_then_wait)

    def verify() -> None:
        entry = Entry(counted={10_000: 15})
        at_once(lambda: floor.sign(count, "verified", floor.alice, entry=entry))

    def bring_forward() -> dict[str, int]:
        try:
            with transaction.atomic(durable=True):
                return dict(bring_public_forward(slip=count, at=house.now()).cheques)
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        verifying = pool.submit(verify)
        assert moved.wait(5)
        closing = pool.submit(bring_forward)
        with pytest.raises(TimeoutError):
            closing.result(timeout=0.4)
        go_on.set()
        verifying.result(timeout=5)
        assert closing.result(timeout=5) == {"10000": 5}
    assert public_holding() == holding_of(Holder.PUBLIC) == {10_000: 5}
