"""Open a table: the tray is counted blind, verified, and compared with what it should hold."""

from __future__ import annotations

import pytest

from inventory.selectors import tray_holding
from pitboss.models import FloorException, Table, Waiting
from pitboss.rules.roles import Place
from pitboss.services.signing import Entry
from tests.cast import Cast

pytestmark = pytest.mark.django_db
TRAY = {10_000: 20, 2_500: 20}


def test_a01_an_opener_equal_to_the_closer_opens_the_table(cast: Cast) -> None:
    cast.deliver(cast.ask(TRAY))
    cast.open_table(TRAY)
    closer = cast.close_table({10_000: 18, 2_500: 25})
    assert not Table.objects.get(pk=cast.table.pk).is_open

    opener = cast.count("opener", {10_000: 18, 2_500: 25})
    assert [step["name"] for step in opener.plan if step["track"] == "main"] == [
        "counted",
        "verified",
    ]
    cast.sign(opener, "verified", cast.alice, entry=Entry(counted={10_000: 18, 2_500: 25}))

    table = Table.objects.get(pk=cast.table.pk)
    assert table.is_open
    assert tray_holding(table) == {10_000: 18, 2_500: 25}
    assert closer.status == "done"


def test_a02_two_swapped_denominations_differ_although_the_total_agrees(cast: Cast) -> None:
    cast.deliver(cast.ask({10_000: 20, 2_500: 80}))
    opener = cast.count("opener", {10_000: 25, 2_500: 60})
    cast.sign(opener, "verified", cast.alice, entry=Entry(counted={10_000: 25, 2_500: 60}))
    assert not Table.objects.get(pk=cast.table.pk).is_open
    assert Waiting.objects.get(until=None).by == ["shift_manager"]


def test_a03_thirty_dollars_short_stays_shut_until_all_reported(cast: Cast) -> None:
    cast.deliver(cast.ask({500: 100}))
    short = {500: 94}
    opener = cast.count("opener", short)
    cast.sign(opener, "verified", cast.alice, entry=Entry(counted=short))
    because = Entry(reason="Counted twice, six red are gone.")
    cast.sign(opener, "accepted", cast.heidi, entry=because)
    cast.sign(opener, "security_reported", cast.frank, Place.SECURITY, entry=because)
    assert not Table.objects.get(pk=cast.table.pk).is_open
    cast.sign(opener, "surveillance_reported", cast.ivan, Place.SURVEILLANCE, entry=because)
    table = Table.objects.get(pk=cast.table.pk)
    assert table.is_open
    assert tray_holding(table) == short
    assert list(opener.transfers.values_list("source", "target", "count")) == [
        ("tray", "variance", 6)
    ]
    assert not FloorException.objects.filter(code="regulator_notice").exists()
