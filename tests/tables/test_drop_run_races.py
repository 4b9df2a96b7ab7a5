"""Scans side by side: a box goes on one table, and a table gives its box once."""

from __future__ import annotations

import pytest

from pitboss.models import Slip
from tables.models import DropBox
from tables.services import drop_runs
from tests.floor.cast import Cast
from tests.floor.drop_runs import forty_tables, register, scan, under_way
from tests.races import at_once, hold_before, refusals

pytestmark = pytest.mark.django_db(transaction=True)


def test_one_new_box_scanned_at_two_tables_at_once_goes_on_one(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = forty_tables(cast, pits=1, tables=2)
    register(cast, "4001 4002 4501")
    run = under_way(cast, "4501")
    hold_before(monkeypatch, drop_runs, "swap_boxes")
    results = at_once(
        lambda: scan(cast, run, first, "4001", "4501"),
        lambda: scan(cast, run, second, "4002", "4501"),
    )
    assert refusals(results) == [("box_on_a_table",)]
    assert Slip.objects.filter(kind="drop_pull").count() == 1
    assert DropBox.objects.filter(place="table").count() == 1
