"""An act reads no more rows after many days than after one: its cost is flat with the years.

PostgreSQL counts the rows that a transaction has read, those of the triggers with them. On a floor
as small as a test's it would read whole tables, as it is cheaper; told not to, and to forget what
it planned before, it shows whether an index leads to the few rows that an act needs.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest
from django.db import connection

from inventory.models import ChequeTransfer, Holder, PublicBalance
from inventory.selectors.cheques import (
    balances,
    counts_off_the_ledger,
    holding_of,
    public_holding,
    tray_holdings,
)
from pitboss.models import ClosedDay, Table
from pitboss.rules.roles import Place
from pitboss.services import house
from pitboss.services.signing import Entry
from pitboss.services.verification import verify
from tables.services.days import open_days
from tests.floor.cage import receive
from tests.floor.cast import Cast, ServerClock
from tests.floor.days import close_the_day

pytestmark = pytest.mark.django_db
TRAY = {10_000: 20, 2_500: 40}
LOST = {10_000: 17, 2_500: 38}
DAYS = 6


def rows_read(act: Callable[[], object]) -> int:
    """Return how many rows an act makes PostgreSQL read."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute("DISCARD PLANS")
        before = _rows_so_far()
        act()
        return _rows_so_far() - before


def _rows_so_far() -> int:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) FROM pg_stat_xact_user_tables"
        )
        (rows,) = cursor.fetchone()
    return int(rows)


def count(floor: Cast, counted: dict[int, int]) -> None:
    slip = floor.count("count", counted)
    floor.sign(slip, "verified", floor.alice, entry=Entry(counted=counted))


def a_day(floor: Cast, clock: ServerClock) -> date:
    """Fill, lose and win back at one table, count the cage, and close the day."""
    count(floor, LOST)
    floor.deliver(floor.ask({500: 20}))
    count(floor, TRAY | {500: 20})
    count(floor, TRAY)
    receive(floor, {10_000: 5})
    day = house.period_at(house.now()).gaming_day
    clock.move(days=1)
    close_the_day(floor, day)
    return day


@pytest.fixture
def floor(cast: Cast, server_clock: ServerClock) -> Cast:
    cast.deliver(cast.ask(TRAY))
    cast.open_table(TRAY)
    a_day(cast, server_clock)
    return cast


def the_acts(floor: Cast) -> dict[str, int]:
    """Return what the steps of a fill read, and the holdings that acts ask for."""
    read: dict[str, int] = {}
    fill = floor.ask({500: 20})
    read["issue"] = rows_read(lambda: floor.sign(fill, "issued", floor.erin, Place.CAGE))
    read["carry"] = rows_read(lambda: floor.sign(fill, "carried", floor.frank, Place.CAGE))
    floor.sign(fill, "agreed", floor.dan, entry=floor.agreement(fill))
    read["receive"] = rows_read(lambda: floor.sign(fill, "received", floor.alice))
    count(floor, LOST)
    count(floor, TRAY)
    read["trays"] = rows_read(lambda: tray_holdings(Table.objects.all()))
    read["public"] = rows_read(public_holding)
    # A closed day is one row, however many slips it has.
    read["days"] = rows_read(open_days) - ClosedDay.objects.count()
    return read


def test_acts_read_no_more_rows_after_many_days(floor: Cast, server_clock: ServerClock) -> None:
    first = the_acts(floor)
    server_clock.move(hours=2)
    for _ in range(DAYS):
        a_day(floor, server_clock)
    later = the_acts(floor)
    grown = {act: (first[act], later[act]) for act in first if later[act] > first[act] * 1.1 + 2}
    assert grown == {}


@pytest.mark.django_db(transaction=True)
def test_what_the_public_holds_is_brought_forward_when_a_day_is_closed(
    floor: Cast, server_clock: ServerClock
) -> None:
    balance = PublicBalance.objects.get()
    assert balance.cheques == {"500": 20}
    assert balance.after_transfer == ChequeTransfer.objects.filter(target="public").latest("id").pk
    count(floor, LOST)
    assert public_holding() == holding_of(Holder.PUBLIC) == {10_000: 3, 2_500: 2, 500: 20}
    a_day(floor, server_clock)
    assert PublicBalance.objects.count() == 2
    assert public_holding() == holding_of(Holder.PUBLIC)
    assert counts_off_the_ledger() == []
    assert all(cheque_balance.adds_up for cheque_balance in balances())
    report = verify()
    assert report.is_sound, report.findings
