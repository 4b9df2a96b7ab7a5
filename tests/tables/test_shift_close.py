"""The hand-over of a shift: refused, or carried over by name to whoever comes on."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse

from pitboss.models import CarriedOver, ClosedShift, Slip
from pitboss.rules.flows.flows import Track
from pitboss.rules.roles import Place
from pitboss.services import house
from pitboss.services.exceptions import open_exception
from pitboss.services.signing import Entry
from pitboss.slips.addresses import new_url
from tables.services.drops import ask_to_wait
from tables.services.shifts import open_in, shift_before
from tests.floor.cast import Cast, ServerClock, pin_of, refused
from tests.floor.days import close_the_day, hand_over_shift, unsigned_closer
from tests.floor.tablets import words
from tests.test_access import signed_in

pytestmark = pytest.mark.django_db
TRAY = {10_000: 20, 2_500: 20}


@pytest.fixture
def swing(cast: Cast, server_clock: ServerClock) -> Cast:
    """A quiet day shift with one fill in it, and an hour into the swing shift."""
    cast.deliver(cast.ask(TRAY))
    period = house.period_at(house.now())
    server_clock.now = period.ends
    server_clock.move(hours=1)
    assert house.period_at(house.now()).shift != period.shift
    assert house.period_at(house.now()).gaming_day == period.gaming_day
    return cast


def test_a_shift_is_handed_over_by_two_shift_managers(swing: Cast) -> None:
    slip = hand_over_shift(swing)
    assert not ClosedShift.objects.exists()
    with refused("signed_before"):
        swing.sign(slip, "shift_taken_on", swing.heidi)
    with refused("wrong_role"):
        swing.sign(slip, "shift_taken_on", swing.carol)
    swing.sign(slip, "shift_taken_on", swing.mike)
    closed = ClosedShift.objects.get()
    ended = shift_before(house.now())
    assert (closed.gaming_day, closed.shift) == (ended.gaming_day, ended.shift)
    assert not CarriedOver.objects.exists()
    with refused("shift_closed"):
        hand_over_shift(swing)


def test_only_a_shift_manager_hands_over(swing: Cast) -> None:
    with refused("wrong_role"):
        hand_over_shift(swing, pen=swing.pen(swing.carol))


def test_one_hand_over_at_a_time(swing: Cast) -> None:
    slip = hand_over_shift(swing)
    with refused("close_under_way"):
        hand_over_shift(swing)
    swing.sign(slip, "voided", swing.heidi, entry=Entry(reason="Too early."), track=Track.VOID)
    swing.sign(slip, "void_witnessed", swing.carol, track=Track.VOID)
    hand_over_shift(swing)


def test_a_shift_under_way_or_long_over_is_not_handed_over(
    swing: Cast, server_clock: ServerClock
) -> None:
    now = house.period_at(house.now())
    with refused("shift_not_last"):
        hand_over_shift(swing, shift=now)
    day_shift = shift_before(house.now())
    server_clock.now = now.ends
    with refused("shift_not_last"):
        hand_over_shift(swing, shift=day_shift)


def test_the_last_shift_is_handed_over_with_its_day(swing: Cast, server_clock: ServerClock) -> None:
    day = house.period_at(house.now()).gaming_day
    server_clock.move(days=1)
    while house.period_at(house.now()).shift_index:
        server_clock.now = house.period_at(house.now()).ends
    with refused("shift_ends_day"):
        hand_over_shift(swing)
    close_the_day(swing, day)


def test_a58_an_undelivered_fill_an_unsigned_closer_and_an_exception_stop_the_hand_over(
    cast: Cast, server_clock: ServerClock
) -> None:
    cast.deliver(cast.ask(TRAY))
    fill = cast.ask({500: 20})
    cast.carry(fill)
    table = cast.other_table
    closer = unsigned_closer(cast, table)
    trouble = open_exception(
        code="count_differs", sentence="A count differs.", details={}, at=house.now(), person=None
    )
    server_clock.now = house.period_at(house.now()).ends
    keys = {f"slip:{fill.serial}", f"slip:{closer.serial}", f"exception:{trouble.pk}"}
    assert {item.key for item in open_in(shift_before(house.now()))} == keys
    with refused("slip_open", "exception_open"):
        hand_over_shift(cast)
    with refused("exception_open"):
        hand_over_shift(cast, keys - {f"exception:{trouble.pk}"})

    slip = hand_over_shift(cast, keys)
    cast.sign(slip, "shift_taken_on", cast.mike)
    assert {carried_over.accepted_by for carried_over in CarriedOver.objects.all()} == {cast.mike}
    assert {carried_over.sentence for carried_over in CarriedOver.objects.all()} == {
        item["sentence"] for item in slip.details["carried"]
    }


def test_what_the_new_shift_began_does_not_stop_the_old_ones_hand_over(swing: Cast) -> None:
    swing.ask({500: 20})
    assert open_in(shift_before(house.now())) == []
    slip = hand_over_shift(swing)
    swing.sign(slip, "shift_taken_on", swing.mike)


def test_what_opens_between_the_two_signatures_stops_the_hand_over(
    swing: Cast, server_clock: ServerClock
) -> None:
    slip = hand_over_shift(swing)
    began = house.period_at(house.now()).began
    server_clock.now, later = began.replace(microsecond=0), server_clock.now
    server_clock.move(seconds=-1)
    open_exception(code="count_differs", sentence="Late.", details={}, at=house.now(), person=None)
    server_clock.now = later
    with refused("exception_open"):
        swing.sign(slip, "shift_taken_on", swing.mike)
    assert not ClosedShift.objects.exists()


def test_a_waiting_drop_team_is_settled_first(swing: Cast) -> None:
    swing.open_table(TRAY)
    ask_to_wait(table=swing.table, pen=swing.pen(swing.dan))
    with refused("drop_waits"):
        hand_over_shift(swing, [f"wait:{swing.table}"])


def test_the_database_takes_no_shift_that_two_did_not_sign(swing: Cast) -> None:
    slip = hand_over_shift(swing)
    ended = shift_before(house.now())
    with pytest.raises(IntegrityError, match="no signed slip"), transaction.atomic():
        ClosedShift.objects.create(
            gaming_day=ended.gaming_day, shift=ended.shift, slip=slip, closed_at=house.now()
        )
    swing.sign(slip, "shift_taken_on", swing.mike)
    with pytest.raises(IntegrityError, match="no signed slip"), transaction.atomic():
        ClosedShift.objects.create(
            gaming_day=ended.gaming_day, shift="Other", slip=slip, closed_at=house.now()
        )


def test_the_page_names_what_is_open_and_takes_both_signatures(
    cast: Cast, server_clock: ServerClock
) -> None:
    fill = cast.ask(TRAY)
    server_clock.now = house.period_at(house.now()).ends
    office = cast.devices[Place.OFFICE]
    screen = signed_in(cast.heidi, office)
    listed = words(screen.get(reverse("days")))
    assert "Not handed off" in listed
    assert new_url("shift_close") in listed
    shown = screen.get(new_url("shift_close"))
    assert fill.serial in words(shown)
    pad = shown.context["pad"]
    answer = screen.post(
        new_url("shift_close"),
        {
            "badge": cast.heidi.badge,
            "pin": pin_of(cast.heidi.badge),
            "request_id": pad["request_id"],
            "shown": pad["shown"],
            "carry": [f"slip:{fill.serial}"],
        },
    )
    slip = Slip.objects.get(kind="shift_close")
    assert answer.headers["Location"] == reverse("slip", args=[slip.serial])
    assert "is waiting for the next shift manager" in words(screen.get(reverse("days")))
    cast.sign(slip, "shift_taken_on", cast.mike, Place.OFFICE)
    closed = words(screen.get(reverse("days")))
    assert "Handed off" in closed
    assert slip.serial in closed
