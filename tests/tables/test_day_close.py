"""The close of a gaming day: refused, or carried over by name to whoever accepts it."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.db import transaction
from django.db.utils import IntegrityError
from django.test import Client

from pitboss.middleware import DEVICE_COOKIE
from pitboss.models import CarriedOver, ClosedDay, Device, Slip, Table
from pitboss.rules.canonical import digest
from pitboss.rules.flows.flows import Track
from pitboss.rules.refusal import Refused
from pitboss.rules.roles import Place
from pitboss.services import house
from pitboss.services.exceptions import open_exception
from pitboss.services.signing import Entry
from pitboss.slips.addresses import new_url
from tables.services.days import oldest_open_day, open_days
from tables.services.drops import ask_to_wait
from tables.services.open_items import open_items
from tests.floor.cast import Cast, ServerClock, pin_of, refused
from tests.floor.days import close_the_day, hand_over
from tests.floor.drop_box import count_tray, pull
from tests.tampering import explain_by_sql

pytestmark = pytest.mark.django_db
TRAY = {10_000: 20, 2_500: 20}


def today() -> date:
    return house.period_at(house.now()).gaming_day


@pytest.fixture
def over(cast: Cast, server_clock: ServerClock) -> date:
    """A gaming day with one fill in it, and the morning after."""
    cast.deliver(cast.ask(TRAY))
    day = today()
    server_clock.move(days=1)
    return day


def test_a_day_is_closed_by_two_shift_managers(cast: Cast, over: date) -> None:
    slip = hand_over(cast, over)
    assert not ClosedDay.objects.exists()
    with refused("signed_before"):
        cast.sign(slip, "day_taken_on", cast.heidi)
    with refused("wrong_role"):
        cast.sign(slip, "day_taken_on", cast.carol)
    cast.sign(slip, "day_taken_on", cast.mike)
    assert ClosedDay.objects.get().gaming_day == over
    assert house.is_closed(over)
    assert not house.is_closed(today())
    with refused("day_closed"):
        hand_over(cast, over)


def test_only_a_shift_manager_closes_and_only_a_day_that_is_over(cast: Cast, over: date) -> None:
    with refused("wrong_role"):
        hand_over(cast, over, pen=cast.pen(cast.carol))
    close_the_day(cast, over)
    with refused("day_not_over"):
        hand_over(cast, over + timedelta(days=1))


def test_days_are_closed_in_their_order(cast: Cast, over: date, server_clock: ServerClock) -> None:
    cast.deliver(cast.ask(TRAY))
    second = today()
    server_clock.move(days=1)
    assert oldest_open_day() == over
    assert open_days() == [over, second, today()]
    with refused("earlier_day_open"):
        hand_over(cast, second)
    hand_over(cast, over)
    with refused("close_under_way"):
        hand_over(cast, over)


def test_a58_an_undelivered_fill_and_an_unsigned_closer_stop_the_close_by_name(
    cast: Cast, server_clock: ServerClock
) -> None:
    cast.deliver(cast.ask(TRAY))
    cast.open_table(TRAY)
    closer = cast.count("closer", TRAY)
    cast.sign(closer, "verified", cast.alice, entry=Entry(counted=TRAY))
    fill = _ask_at_the_other_table(cast)
    day = today()
    server_clock.move(days=1)
    with refused("slip_open"):
        hand_over(cast, day)
    sentences = [item.sentence for item in open_items(day)]
    assert len(sentences) == 2
    assert any(closer.serial in sentence for sentence in sentences)
    assert any(fill.serial in sentence for sentence in sentences)
    # One of the two named is not enough.
    with refused("slip_open"):
        hand_over(cast, day, [f"slip:{fill.serial}"])


def _ask_at_the_other_table(cast: Cast) -> Slip:
    cast.table, cast.other_table = cast.other_table, cast.table
    try:
        return cast.ask({500: 20})
    finally:
        cast.table, cast.other_table = cast.other_table, cast.table


def test_a58_what_is_open_is_carried_over_by_name_to_who_accepts_it(
    cast: Cast, server_clock: ServerClock
) -> None:
    fill = cast.ask(TRAY)
    trouble = open_exception(
        code="count_differs",
        sentence="A count differs.",
        details={},
        at=house.now(),
        person=cast.dan,
        table=cast.table,
    )
    day = today()
    server_clock.move(days=1)
    keys = [f"slip:{fill.serial}", f"exception:{trouble.pk}"]
    assert [item.key for item in open_items(day)] == keys
    slip = hand_over(cast, day, keys)
    assert [item["key"] for item in slip.details["carried"]] == keys
    cast.sign(slip, "day_taken_on", cast.mike)
    carried = CarriedOver.objects.order_by("id")
    assert [
        (carried_over.slip, carried_over.exception, carried_over.accepted_by)
        for carried_over in carried
    ] == [
        (fill, None, cast.mike),
        (None, trouble, cast.mike),
    ]
    # The fill goes on, in the hands of the next shift.
    cast.deliver(fill)
    fill.refresh_from_db()
    assert (fill.status, fill.gaming_day) == ("done", day)


def test_what_sql_explained_stops_the_close_all_the_same(
    cast: Cast, over: date, server_clock: ServerClock
) -> None:
    slip = hand_over(cast, over)
    open_exception(
        code="count_differs",
        sentence="A count differs.",
        details={},
        at=house.now() - timedelta(days=1),
        person=cast.dan,
        table=cast.table,
    )
    explain_by_sql(cast.carol)
    with pytest.raises(Refused) as stopped:
        cast.sign(slip, "day_taken_on", cast.mike)
    assert stopped.value.codes == ("exception_open",)


def test_what_opens_between_the_two_signatures_stops_the_close(
    cast: Cast, over: date, server_clock: ServerClock
) -> None:
    slip = hand_over(cast, over)
    open_exception(
        code="count_differs",
        sentence="A count differs.",
        details={},
        at=house.now() - timedelta(days=1),
        person=cast.dan,
        table=cast.table,
    )
    with refused("exception_open"):
        cast.sign(slip, "day_taken_on", cast.mike)
    why = Entry(reason="Something came up.")
    cast.sign(slip, "voided", cast.heidi, entry=why, track=Track.VOID)
    cast.sign(slip, "void_witnessed", cast.carol, track=Track.VOID)
    assert hand_over(cast, over, [item.key for item in open_items(over)]).status == "open"


def test_what_was_finished_between_the_two_signatures_is_not_carried(
    cast: Cast, server_clock: ServerClock
) -> None:
    fill = cast.ask(TRAY)
    day = today()
    server_clock.move(days=1)
    slip = hand_over(cast, day, [f"slip:{fill.serial}"])
    cast.deliver(fill)
    cast.sign(slip, "day_taken_on", cast.mike)
    assert not CarriedOver.objects.exists()
    assert house.is_closed(day)


def test_a_box_nobody_counted_is_carried_and_a_waiting_drop_team_is_not(
    cast: Cast, server_clock: ServerClock
) -> None:
    cast.deliver(cast.ask(TRAY))
    cast.open_table(TRAY)
    count_tray(cast, TRAY)
    box = pull(cast)
    ask_to_wait(table=cast.table, pen=cast.pen(cast.dan))
    day = today()
    server_clock.move(days=1)
    items = open_items(day)
    assert [(item.code, item.can_be_carried) for item in items] == [
        ("box_uncounted", True),
        ("drop_waits", False),
    ]
    assert box.serial in items[0].sentence
    with refused("drop_waits"):
        hand_over(cast, day, [item.key for item in items])


def test_a51_a_slip_bears_the_servers_day_whatever_the_form_says(
    cast: Cast, server_clock: ServerClock
) -> None:
    device = cast.devices[Place.PIT]
    Device.objects.filter(pk=device.pk).update(token_hash=digest(device.name))
    client = Client()
    client.cookies[DEVICE_COOKIE] = device.name
    client.force_login(cast.alice)
    yesterday = (today() - timedelta(days=1)).isoformat()
    response = client.post(
        new_url("fill", table=cast.table.name),
        {
            "request_id": "5a2f8a4e-58f8-4b02-8a57-0f6f1a6c2b11",
            "badge": cast.alice.badge,
            "pin": pin_of(cast.alice.badge),
            "shown": cast.shown_to_ask({2_500: 20}),
            "cheques_2500": "20",
            "gaming_day": yesterday,
            "date": yesterday,
            "raised_at": f"{yesterday}T12:00:00Z",
        },
    )
    assert response.status_code == 302
    assert Slip.objects.get().gaming_day == today()


def test_a51_a_slip_that_was_begun_before_the_close_does_not_land_in_the_closed_day(
    cast: Cast, over: date, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = house.now() - timedelta(hours=12)
    close_the_day(cast, over)
    # The server's clock is read when the form arrives; the PIN is checked while the day is closed.
    monkeypatch.setattr("pitboss.services.signing.house.now", lambda: before)
    with refused("day_closed"):
        cast.ask(TRAY)


def test_the_database_lets_no_slip_into_a_closed_day_and_closes_none_unsigned(
    cast: Cast, over: date
) -> None:
    slip = hand_over(cast, over)
    with pytest.raises(IntegrityError, match="no signed slip"), transaction.atomic():
        ClosedDay.objects.create(gaming_day=over, slip=slip, closed_at=house.now())
    cast.sign(slip, "day_taken_on", cast.mike)
    twin = Slip.objects.filter(gaming_day=over).latest("id")
    twin.pk, twin.number, twin.serial, twin.status = None, 999, "F-2026-000999", "open"
    with pytest.raises(IntegrityError, match="which is closed"), transaction.atomic():
        twin.save(force_insert=True)
    assert Table.objects.count() == 2
