"""Openers, closers and counts that were made on paper in an outage, entered in any order (A128)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from itertools import permutations

import pytest
from django.db import DatabaseError, transaction

from inventory.models import Holder, TrayCount
from inventory.selectors.cheques import counts_off_the_ledger, holding_of, tray_holding
from pitboss.models import FloorException, PaperFormEnd, Slip, Table
from pitboss.services import house
from pitboss.services.verification import verify
from pitboss.slips.kind import Kind
from pitboss.slips.raising import raise_kind, shown_before
from tables.kinds.late_count import LATE_CLOSER_KIND, LATE_COUNT_KIND, LATE_OPENER_KIND
from tables.reports.win import table_report
from tests.floor.cage import receive
from tests.floor.cast import Cast, ServerClock, refused
from tests.floor.drop_box import count_tray
from tests.floor.late_papers import approve as approve_paper
from tests.floor.late_papers import key
from tests.floor.outages import declare, end, ready

pytestmark = pytest.mark.django_db
TRAY = {10_000: 20, 2_500: 20}
CONTRADICT = "counts_contradict"


def enter(
    cast: Cast, kind: Kind, counted: Mapping[int, int], true_time: datetime, number: str = ""
) -> Slip:
    """Enter a count from its form as Alice."""
    assert kind.on_paper is not None
    number = number or ready(cast, kind.on_paper.code, true_time)
    paper = kind.at(
        Table.objects.get(pk=cast.table.pk),
        dict(counted),
        paper_number=number,
        true_time=true_time.isoformat(),
        signers="D. Danson, A. Aliceson",
    )
    return raise_kind(paper, pen=cast.pen(cast.alice), shown=shown_before(paper))


def late(cast: Cast, kind: Kind, counted: Mapping[int, int], true_time: datetime) -> Slip:
    """Enter a count and let Carol approve it."""
    slip = enter(cast, kind, counted, true_time)
    cast.sign(slip, "approved", cast.carol)
    slip.refresh_from_db()
    return slip


def the_table(cast: Cast) -> Table:
    return Table.objects.get(pk=cast.table.pk)


def won(cast: Cast) -> int:
    report = table_report(the_table(cast), house.period_at(house.now()).gaming_day)
    return sum(line.sign * line.amount_cents for line in report.lines)


@pytest.fixture
def closed(cast: Cast, server_clock: ServerClock) -> Slip:
    """A table that was opened and closed on the site; the public holds some of its cheques."""
    receive(cast, {10_000: 200, 2_500: 200})
    cast.deliver(cast.ask({10_000: 40, 2_500: 20}))
    cast.open_table({10_000: 40, 2_500: 20})
    server_clock.move(minutes=10)
    closer = cast.close_table(TRAY)
    server_clock.move(minutes=10)
    return closer


def play_on_paper(server_clock: ServerClock, cast: Cast) -> dict[str, datetime]:
    """Let an outage pass in which a table is opened, filled and closed; return when each was."""
    outage = declare(cast)
    times = {}
    for what in ("opener", "fill", "closer"):
        server_clock.move(minutes=20)
        times[what] = house.now()
    server_clock.move(minutes=20)
    end(cast, outage)
    return times


# What is on the forms: nothing is missing, ten blacks come, the table wins five of them.
CLOSED_WITH = {10_000: 35, 2_500: 20}


def enter_one(cast: Cast, what: str, at: datetime) -> None:
    if what == "fill":
        approve_paper(cast, key(cast, "fill", at))
    elif what == "opener":
        late(cast, LATE_OPENER_KIND, TRAY, at)
    else:
        late(cast, LATE_CLOSER_KIND, CLOSED_WITH, at)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("order", list(permutations(("opener", "fill", "closer"))))
def test_a128_trays_are_as_if_papers_had_come_in_real_order(
    cast: Cast, server_clock: ServerClock, closed: Slip, order: tuple[str, ...]
) -> None:
    before = won(cast)
    times = play_on_paper(server_clock, cast)
    for what in order:
        server_clock.move(minutes=1)
        enter_one(cast, what, times[what])
    table = the_table(cast)
    assert tray_holding(table) == CLOSED_WITH
    assert not table.is_open
    # The table had 20 and 10 more, and closed with 35: it won five.
    assert won(cast) == before + 50_000
    assert holding_of(Holder.VARIANCE) == {}
    assert counts_off_the_ledger() == []
    assert not FloorException.objects.filter(code=CONTRADICT, resolved_at=None).exists()
    kinds = table.counts.order_by("tray_sequence", "at", "id").values_list("slip__kind", flat=True)
    assert list(kinds) == ["opener", "closer", "late_opener", "late_closer"]
    assert PaperFormEnd.objects.filter(how="entered").count() == 3
    assert not verify().findings


def test_a128_a_closer_without_its_opener_names_which_until_the_opener_is_entered(
    cast: Cast, server_clock: ServerClock, closed: Slip
) -> None:
    times = play_on_paper(server_clock, cast)
    closer = late(cast, LATE_CLOSER_KIND, CLOSED_WITH, times["closer"])
    item = FloorException.objects.get(code=CONTRADICT)
    assert item.resolved_at is None
    assert f"{closer.serial} counts play after {closed.serial}" in item.sentence
    late(cast, LATE_OPENER_KIND, TRAY, times["opener"])
    item.refresh_from_db()
    assert item.resolved_at is not None


def test_a128_an_opener_of_a_table_that_was_open_names_the_count_it_contradicts(
    cast: Cast, server_clock: ServerClock
) -> None:
    cast.deliver(cast.ask(TRAY))
    opener = cast.open_table(TRAY)
    server_clock.move(minutes=10)
    declare(cast)
    server_clock.move(minutes=10)
    again = late(cast, LATE_OPENER_KIND, TRAY, house.now())
    item = FloorException.objects.get(code=CONTRADICT, resolved_at=None)
    assert f"{again.serial} opens the table after {opener.serial}" in item.sentence
    assert the_table(cast).is_open


def test_an_opener_on_paper_that_differs_from_the_last_closer_is_variance_and_names_it(
    cast: Cast, server_clock: ServerClock, closed: Slip
) -> None:
    times = play_on_paper(server_clock, cast)
    late(cast, LATE_OPENER_KIND, {10_000: 19, 2_500: 20}, times["opener"])
    assert holding_of(Holder.VARIANCE) == {10_000: 1}
    found = FloorException.objects.get(code="tray_variance")
    assert found.sentence.endswith(f"doesn’t match {closed.serial}: $100 short.")
    table = the_table(cast)
    assert table.is_open
    assert tray_holding(table) == {10_000: 19, 2_500: 20}


@pytest.mark.django_db(transaction=True)
def test_a_late_count_before_one_of_the_site_moves_win_between_their_periods_only(
    cast: Cast, server_clock: ServerClock
) -> None:
    receive(cast, {10_000: 200})
    cast.deliver(cast.ask({10_000: 40}))
    cast.open_table({10_000: 40})
    server_clock.move(minutes=10)
    outage = declare(cast)
    server_clock.move(minutes=10)
    at = house.now()
    server_clock.move(minutes=10)
    end(cast, outage)
    count_tray(cast, {10_000: 25})
    before, held = won(cast), holding_of(Holder.PUBLIC)
    late(cast, LATE_COUNT_KIND, {10_000: 30}, at)
    assert tray_holding(the_table(cast)) == {10_000: 25}
    assert won(cast) == before
    assert holding_of(Holder.PUBLIC) == held
    assert counts_off_the_ledger() == []
    assert not verify().findings


@pytest.mark.django_db(transaction=True)
def test_a_table_that_was_closed_on_paper_is_closed_and_opens_from_that_count(
    cast: Cast, server_clock: ServerClock
) -> None:
    cast.deliver(cast.ask(TRAY))
    cast.open_table(TRAY)
    server_clock.move(minutes=10)
    declare(cast)
    server_clock.move(minutes=10)
    closer = late(cast, LATE_CLOSER_KIND, TRAY, house.now())
    assert not the_table(cast).is_open
    server_clock.move(minutes=10)
    opener = cast.open_table(TRAY)
    assert opener.refers_to == closer
    assert not FloorException.objects.filter(code="tray_variance").exists()
    assert not verify().findings


def test_no_count_is_entered_without_its_form(
    cast: Cast, server_clock: ServerClock, closed: Slip
) -> None:
    times = play_on_paper(server_clock, cast)
    with refused("form_number_malformed"):
        enter(cast, LATE_OPENER_KIND, TRAY, times["opener"], number="?")


def test_the_database_takes_no_count_on_paper_that_one_alone_entered(
    cast: Cast, server_clock: ServerClock, closed: Slip
) -> None:
    times = play_on_paper(server_clock, cast)
    slip = enter(cast, LATE_OPENER_KIND, TRAY, times["opener"])
    alone = TrayCount(table=cast.table, slip=slip, tray_sequence=0, cheques={}, at=times["opener"])
    with pytest.raises(DatabaseError, match="approved by two"), transaction.atomic():
        alone.save(force_insert=True)
