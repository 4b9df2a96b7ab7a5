"""What sets ask in time: pieces counted every 30 days, no cheques of others, secondary from $25."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import DatabaseError, transaction

from pitboss.models import FloorException, SettingValue, Slip
from pitboss.rules.cheques.keys import cheque_key
from pitboss.rules.roles import Place
from pitboss.services import house
from pitboss.services.exceptions import close_exception
from tables.services.impressments import find_due_impressments
from tests.floor.cast import Cast, ServerClock, refused
from tests.floor.drop_box import count_and_post, count_tray, pull
from tests.floor.house import change as set_to
from tests.floor.house_cheques import SECOND_SET, WHEEL, add_set, change, propose

pytestmark = pytest.mark.django_db(transaction=True)
WHEEL_SET = {"set": "Wheel", "kind": "non_value", "letter": "W", "colour": "navy"}
TRAY = {2_500: 40}


@pytest.fixture
def yellow(cast: Cast, server_clock: ServerClock) -> int:
    """Put a wheel with yellow pieces into play at the first table; it is their second day."""
    change(cast, what="add_set", **WHEEL_SET, tables=cast.table.name)
    change(cast, set="Wheel", colour="yellow", letter="Y", unit="5")
    server_clock.move(days=1)
    [key] = [key for key in house.cheques_now().in_play if key >= cheque_key(WHEEL, 0)]
    return key


def due() -> list[FloorException]:
    find_due_impressments(now=house.now())
    find_due_impressments(now=house.now())
    return list(FloorException.objects.filter(code="impressment_due", resolved_at=None))


def test_pieces_that_no_one_counted_for_30_days_are_an_item_until_they_are(
    cast: Cast, yellow: int, server_clock: ServerClock
) -> None:
    cast.deliver(cast.ask({yellow: 300}))
    cast.open_table({yellow: 300})
    server_clock.move(days=29, hours=23)
    assert due() == []
    server_clock.move(hours=1)
    [item] = due()
    assert item.table == cast.table
    assert "Wheel cheques since 05/02/2026" in item.sentence
    counted = count_tray(cast, {yellow: 300})
    item.refresh_from_db()
    assert counted.serial in item.resolution
    server_clock.move(days=29)
    assert due() == []
    server_clock.move(days=1)
    assert len(due()) == 1


def test_an_answer_without_a_count_holds_for_one_gaming_day(
    cast: Cast, yellow: int, server_clock: ServerClock
) -> None:
    server_clock.move(days=31)
    [item] = due()
    with transaction.atomic():
        close_exception(item, "It is shut.", cast.bob, None, house.now())
    server_clock.move(minutes=1)
    assert due() == []
    server_clock.move(days=1)
    assert len(due()) == 1


def test_a_set_that_was_never_counted_is_due_30_days_after_it_came(
    cast: Cast, yellow: int, server_clock: ServerClock
) -> None:
    came = SettingValue.objects.get(key="cheques.set.11").holds_from
    server_clock.now = came + timedelta(days=30) - timedelta(seconds=1)
    assert due() == []
    server_clock.move(seconds=1)
    assert len(due()) == 1


def test_the_house_says_how_often_pieces_are_counted(
    cast: Cast, yellow: int, server_clock: ServerClock
) -> None:
    set_to(cast, "count.impressment_days", "90")
    server_clock.move(days=60)
    assert due() == []
    set_to(cast, "count.impressment_days", "0")
    server_clock.move(days=60)
    assert due() == []


def posted_with_foreign(cast: Cast, cents: int) -> Slip:
    cast.deliver(cast.ask(TRAY))
    cast.open_table(TRAY)
    count_tray(cast, TRAY)
    return count_and_post(cast, pull(cast), {"foreign_cheques": cents, "cash_2000": 10_000})


def test_a_box_with_cheques_of_others_is_an_item_where_tables_take_none(
    cast: Cast, server_clock: ServerClock
) -> None:
    count = posted_with_foreign(cast, 7_500)
    item = FloorException.objects.get(code="foreign_at_table")
    assert (item.slip, item.table) == (count, cast.table)
    assert "$75 in cheques of other houses" in item.sentence


def test_a_box_without_any_is_none(cast: Cast, server_clock: ServerClock) -> None:
    posted_with_foreign(cast, 0)
    assert not FloorException.objects.filter(code="foreign_at_table").exists()


def test_where_tables_take_them_they_are_a_line_of_the_box(
    cast: Cast, server_clock: ServerClock
) -> None:
    set_to(cast, "foreign.at_table", "yes")
    count = posted_with_foreign(cast, 7_500)
    assert count.details["figures"]["foreign_cheques"] == 7_500
    assert not FloorException.objects.filter(code="foreign_at_table").exists()


def test_a_secondary_set_begins_at_25_dollars(cast: Cast, server_clock: ServerClock) -> None:
    add_set(cast, 2_500, 10_000, **SECOND_SET)
    with refused("below_secondary"):
        propose(cast, set="Second", amount=500)
    # A reserve set is a copy of the first one, down to its smallest cheque.
    add_set(cast, 500, set="Third", kind="value", letter="t", colour="navy", rank="reserve")
    set_to(cast, "sets.secondary_from", "5")
    server_clock.move(days=1)
    change(cast, set="Second", amount=500, **{"from": "2026-05-03"})


def test_the_database_takes_no_secondary_cheque_below_it(
    cast: Cast, server_clock: ServerClock
) -> None:
    add_set(cast, 2_500, **SECOND_SET)
    set_to(cast, "sets.secondary_from", "0")
    slip = propose(cast, set="Second", amount=500)
    cast.sign(slip, "approved", cast.trent, Place.CAGE)
    set_to(cast, "sets.secondary_from", "25")
    with refused("below_secondary"):
        cast.sign(slip, "released", cast.heidi, Place.OFFICE)
    starts = SettingValue.objects.get(key="cheques.set.1").holds_from
    with pytest.raises(DatabaseError, match="a secondary set begins higher"), transaction.atomic():
        SettingValue.objects.create(key="cheques.1.500", holds_from=starts, slip=slip)
