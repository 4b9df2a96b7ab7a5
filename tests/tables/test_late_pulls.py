"""A drop box that was pulled on paper in an outage waits for the count room as any other."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.urls import reverse

from pitboss.models import FloorException, PaperFormEnd, Slip, Table
from pitboss.rules.drop.runs import BoxPlace
from pitboss.rules.roles import Place
from pitboss.services import house
from pitboss.services.verification import verify
from pitboss.slips.raising import raise_kind, shown_before
from tables.kinds.late_count import LATE_COUNT_KIND
from tables.kinds.late_pull import LATE_PULL_KIND
from tables.models import DropBox, PulledBox
from tables.reports.win import table_report
from tables.selectors.day_books import pull_of_count
from tables.services.drop_boxes import find_overdue_drops
from tests.floor.big_wins import TRAY, opened
from tests.floor.cast import Cast, ServerClock, refused
from tests.floor.drop_box import begin_pull, count_and_post, count_tray
from tests.floor.drop_runs import register
from tests.floor.house import change
from tests.floor.outages import declare, ready
from tests.floor.tablets import signed_in, words

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def down(cast: Cast, server_clock: ServerClock) -> datetime:
    """A time in an outage at an open table, which was counted just before it."""
    opened(cast)
    server_clock.move(hours=2)
    declare(cast)
    server_clock.move(minutes=10)
    return house.now()


def late_pull(cast: Cast, at: datetime, *, number: str = "", **given: Any) -> Slip:
    """Enter the form of a pull as Alice."""
    paper = LATE_PULL_KIND.at(
        Table.objects.get(pk=cast.table.pk),
        {},
        paper_number=number or ready(cast, "BX", at),
        true_time=at.isoformat(),
        signers="F. Frankson, A. Aliceson",
        **{"new_box": "X-900", **given},
    )
    return raise_kind(paper, pen=cast.pen(cast.alice), shown=shown_before(paper))


def counted_late(cast: Cast, at: datetime, cheques: dict[int, int] | None = None) -> Slip:
    paper = LATE_COUNT_KIND.at(
        Table.objects.get(pk=cast.table.pk),
        cheques or dict(TRAY),
        paper_number=ready(cast, "CT", at),
        true_time=at.isoformat(),
        signers="D. Danson, A. Aliceson",
    )
    slip = raise_kind(paper, pen=cast.pen(cast.alice), shown=shown_before(paper))
    return compared(cast, slip)


def compared(cast: Cast, slip: Slip) -> Slip:
    cast.sign(slip, "approved", cast.carol)
    slip.refresh_from_db()
    return slip


def test_a_late_box_is_counted_and_posted_with_the_play_that_its_count_ended(
    cast: Cast, down: datetime, server_clock: ServerClock
) -> None:
    server_clock.move(hours=1)
    count = counted_late(cast, down)
    slip = late_pull(cast, down)
    assert not PulledBox.objects.filter(pull=slip, waits=True).exists(), "it is not compared yet"
    compared(cast, slip)
    assert PulledBox.objects.filter(pull=slip, waits=True).exists()
    assert slip.details["count"] == count.serial
    assert PaperFormEnd.objects.get(slip=slip).how == "entered"
    count_and_post(cast, slip, {"cash_10000": 800_000})
    report = table_report(cast.table, house.period_at(down).gaming_day)
    assert report.final is not None
    assert report.final.win_cents == 800_000
    assert verify().is_sound


def test_the_tags_move_as_they_were_written_unless_a_box_was_pulled_since(
    cast: Cast, down: datetime, server_clock: ServerClock
) -> None:
    register(cast, "X-1 X-2 X-3")
    counted_late(cast, down)
    compared(cast, late_pull(cast, down, new_box="X-1"))
    assert DropBox.objects.get(tag="X-1").table == cast.table
    server_clock.move(minutes=30)
    count_tray(cast, dict(TRAY))
    server_clock.move(minutes=1)
    earlier = house.now()
    server_clock.move(minutes=5)
    count_tray(cast, dict(TRAY))
    online = begin_pull(cast, new_box="X-2")
    cast.sign(online, "witnessed", cast.alice)
    assert online.details["tag"] == "X-1"
    compared(cast, late_pull(cast, earlier, old_box="X-1", new_box="X-3"))
    on = DropBox.objects.get(table=cast.table)
    assert (on.tag, on.place) == ("X-2", BoxPlace.TABLE.value)
    assert DropBox.objects.get(tag="X-3").table is None


def test_a_pull_of_an_open_table_waits_for_the_count_that_was_made_before_it(
    cast: Cast, down: datetime, server_clock: ServerClock
) -> None:
    server_clock.move(hours=1)
    at = house.now()
    number = ready(cast, "BX", at)
    with refused("count_first"):
        late_pull(cast, at, number=number)
    counted_late(cast, at)
    slip = compared(cast, late_pull(cast, at, number=number))
    assert slip.status == "done"


def test_one_box_a_count_and_no_box_that_is_elsewhere(
    cast: Cast, down: datetime, server_clock: ServerClock
) -> None:
    register(cast, "X-1")
    counted_late(cast, down)
    first = ready(cast, "BX", down)
    compared(cast, late_pull(cast, down, number=first, new_box="X-1"))
    other = ready(cast, "BX", down)
    with refused("already_pulled"):
        late_pull(cast, down, number=other)
    server_clock.move(minutes=10)
    at = house.now()
    counted_late(cast, at)
    taken = ready(cast, "BX", at)
    with refused("box_on_a_table"):
        late_pull(cast, at, number=taken, new_box="X-1")


def test_the_count_room_finds_a_late_box_on_its_list(cast: Cast, down: datetime) -> None:
    counted_late(cast, down)
    slip = compared(cast, late_pull(cast, down))
    page = words(signed_in(cast.paul, cast, Place.OFFICE).get(reverse("count-room")))
    assert slip.serial in page


def test_a_late_box_without_a_count_belongs_to_the_play_that_ended_before_it_was_entered(
    cast: Cast, down: datetime, server_clock: ServerClock
) -> None:
    change(cast, "drop.count_open", "none")
    server_clock.move(minutes=1)
    at = house.now()
    server_clock.move(hours=1)
    cast.close_table(TRAY)
    server_clock.move(hours=1)
    slip = compared(cast, late_pull(cast, at))
    assert slip.details["count"] is None
    posted = count_and_post(cast, slip, {"cash_10000": 100_000})
    # A correction of it restates that day, and asks who signs for it by that day.
    assert pull_of_count(posted)[1].kind == "closer"


def test_cheques_of_others_in_a_late_box_are_judged_by_the_day_on_which_it_was_pulled(
    cast: Cast, down: datetime, server_clock: ServerClock
) -> None:
    counted_late(cast, down)
    number = ready(cast, "BX", down)
    server_clock.move(hours=1)
    change(cast, "foreign.at_table", "yes")
    server_clock.move(hours=1)
    slip = compared(cast, late_pull(cast, down, number=number))
    posted = count_and_post(cast, slip, {"foreign_cheques": 7_500, "cash_2000": 10_000})
    item = FloorException.objects.get(code="foreign_at_table")
    assert (item.slip, item.table) == (posted, cast.table)


@pytest.fixture
def five(cast: Cast, server_clock: ServerClock) -> datetime:
    """The drop of the second day, five minutes before it, in an outage at an open table."""
    change(cast, "drop.schedule", "05:00")
    change(cast, "drop.count_open", "none")
    opened(cast)
    zone = house.the_property().zone
    day = house.now().astimezone(zone).date() + timedelta(days=1)
    five = datetime(day.year, day.month, day.day, 5, tzinfo=zone)
    server_clock.now = five - timedelta(minutes=5)
    declare(cast)
    ready(cast, "BX", house.now())
    return five


def planned_of_open_alerts() -> list[datetime]:
    alerts = FloorException.objects.filter(code="drop_overdue", resolved_at=None)
    return [datetime.fromisoformat(alert.details["planned"]) for alert in alerts.order_by("id")]


def test_a_late_pull_ends_the_alert_of_its_own_drop_and_no_later_one(
    cast: Cast, five: datetime, server_clock: ServerClock
) -> None:
    tomorrow = five + timedelta(days=1)
    for drop in (five, tomorrow):
        server_clock.now = drop + timedelta(minutes=31)
        find_overdue_drops()
    assert planned_of_open_alerts() == [five, tomorrow]
    compared(cast, late_pull(cast, five + timedelta(minutes=10)))
    assert planned_of_open_alerts() == [tomorrow]
    find_overdue_drops()
    assert planned_of_open_alerts() == [tomorrow]


def test_a_pull_that_is_entered_on_the_next_day_is_not_the_drop_of_that_day(
    cast: Cast, five: datetime, server_clock: ServerClock
) -> None:
    tomorrow = five + timedelta(days=1)
    server_clock.now = tomorrow + timedelta(minutes=20)
    compared(cast, late_pull(cast, five + timedelta(minutes=10)))
    server_clock.move(minutes=11)
    find_overdue_drops()
    assert planned_of_open_alerts() == [tomorrow]
