"""What the public holds is read at one instant, whatever arrives at other tables meanwhile."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from inventory.models import Holder
from inventory.selectors import cheques as selectors
from inventory.selectors.cheques import holding_of
from pitboss.models import FloorException
from pitboss.services.signing import Entry
from tests.cast import make_cast
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
    next_table = replace(floor, table=floor.other_table)
    fill = next_table.ask({10_000: 30})
    next_table.carry(fill)
    next_table.sign(fill, "agreed", floor.dan, entry=floor.agreement(fill))
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
