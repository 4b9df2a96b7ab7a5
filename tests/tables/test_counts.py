"""Counts between opener and closer, and recounts of tables that stay shut."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.urls import reverse

from inventory.models import Holder, TrayCount
from inventory.selectors.cheques import holding_of, tray_holding
from pitboss.models import FloorException, Table, Waiting
from pitboss.rules.flows.flows import Track
from pitboss.services.signing import Entry
from tables.selectors.board import tiles_of
from tests.floor.cast import Cast, ServerClock, refused
from tests.floor.house import change, keep_shut
from tests.floor.tablets import period_now, signed_in, words

pytestmark = pytest.mark.django_db
TRAY = {10_000: 20, 2_500: 40}


@pytest.fixture
def floor(cast: Cast) -> Cast:
    """The cast, with the first table open on a stocked tray."""
    cast.deliver(cast.ask(TRAY))
    cast.open_table(TRAY)
    return cast


def test_a10_an_open_table_is_counted_by_dealer_and_supervisor_and_stays_open(floor: Cast) -> None:
    counted = {10_000: 12, 2_500: 60}
    count = floor.count("count", counted)
    floor.sign(count, "verified", floor.alice, entry=Entry(counted=counted))
    count.refresh_from_db()
    assert count.status == "done"
    assert Table.objects.get(pk=floor.table.pk).is_open
    assert tray_holding(floor.table) == counted
    # Two parts: one for the box that leaves, one for the box that stays.
    assert list(count.signatures.values_list("step", "person__first_name")) == [
        ("counted", "Dan"),
        ("verified", "Alice"),
    ]
    assert TrayCount.objects.filter(slip=count).exists()
    assert holding_of(Holder.PUBLIC)[10_000] == 8


def test_at_the_change_of_shift_both_supervisors_count(floor: Cast) -> None:
    count = floor.count("shift_count", TRAY)
    floor.sign(count, "verified", floor.alice, entry=Entry(counted=TRAY))
    count.refresh_from_db()
    assert count.status == "open"
    with refused("signed_before"):
        floor.sign(count, "taken_on", floor.alice, entry=Entry(counted=TRAY))
    with refused("count_missing"):
        floor.sign(count, "taken_on", floor.bob)
    with refused(
        "count_differs",
        journal=["sign_refused", "exception_opened"],
        ignoring=["pitboss.FloorException", "pitboss.Waiting"],
    ):
        floor.sign(count, "taken_on", floor.bob, entry=Entry(counted={10_000: 20}))
    floor.sign(count, "taken_on", floor.bob, entry=Entry(counted=TRAY))
    count.refresh_from_db()
    assert count.status == "done"


def test_a_supervisor_who_verifies_independently_is_shown_no_line(floor: Cast) -> None:
    change(floor, "count.verify", "independent")
    count = floor.count("count", TRAY)
    client = signed_in(floor.alice, floor)
    page = words(client.get(reverse("slip", args=[count.serial])))
    assert 'name="counted_2500"' in page
    assert "$3,000" not in page
    assert "40 ×" not in words(client.get(reverse("inbox")))
    with refused(
        "count_differs",
        journal=["sign_refused", "exception_opened"],
        ignoring=["pitboss.FloorException", "pitboss.Waiting"],
    ):
        floor.sign(count, "verified", floor.alice, entry=Entry(counted={10_000: 20, 2_500: 39}))
    floor.sign(count, "verified", floor.alice, entry=Entry(counted=TRAY))
    count.refresh_from_db()
    assert count.status == "done"


def test_a_fill_on_its_way_is_named_as_outside_the_count(floor: Cast) -> None:
    fill = floor.ask({2_500: 20})
    count = floor.count("count", TRAY)
    assert count.details["outside"] == [fill.serial]
    page = signed_in(floor.alice, floor).get(reverse("slip", args=[count.serial]))
    assert "Outside the count" in words(page)
    floor.sign(count, "verified", floor.alice, entry=Entry(counted=TRAY))
    floor.deliver(fill)
    assert tray_holding(floor.table) == TRAY | {2_500: 60}


def test_a_tray_that_moved_between_count_and_verification_is_counted_again(floor: Cast) -> None:
    fill = floor.ask({2_500: 20})
    count = floor.count("count", TRAY)
    floor.deliver(fill)
    with refused("tray_moved"):
        floor.sign(count, "verified", floor.alice, entry=Entry(counted=TRAY))
    because = Entry(reason="A fill came.")
    floor.sign(count, "voided", floor.alice, entry=because, track=Track.VOID)
    floor.sign(count, "void_witnessed", floor.carol, track=Track.VOID)
    again = TRAY | {2_500: 60}
    second = floor.count("count", again)
    floor.sign(second, "verified", floor.alice, entry=Entry(counted=again))
    assert second.refers_to == count


@pytest.mark.parametrize("kind", ["count", "shift_count", "closer"])
def test_a_closed_table_has_no_count_of_an_open_one(cast: Cast, kind: str) -> None:
    with refused("table_closed"):
        cast.count(kind, {})


def test_holdings_start_from_the_newest_count(floor: Cast) -> None:
    for black in (19, 25, 7):
        counted = TRAY | {10_000: black}
        count = floor.count("count", counted)
        floor.sign(count, "verified", floor.alice, entry=Entry(counted=counted))
        assert tray_holding(floor.table) == counted
    assert FloorException.objects.filter(code="more_than_exists").count() == 1


# ------------------------------------------------------------------ dead tables (A09)


def tile_of(cast: Cast) -> dict[str, object]:
    return next(tile for tile in tiles_of(cast.pit, period_now()) if tile["name"] == "BJ-11")


def test_a09_a_table_closed_for_seven_gaming_days_is_due_and_then_overdue_in_red(
    server_clock: ServerClock, floor: Cast
) -> None:
    floor.close_table(TRAY)
    server_clock.move(days=6)
    assert tile_of(floor)["state"] == {"kind": "off", "word": "Closed"}
    server_clock.move(days=1)
    due = tile_of(floor)
    assert (due["state"], due["tone"]) == ({"kind": "wait", "word": "Recount due"}, "wait")
    server_clock.move(days=1)
    late = tile_of(floor)
    assert (late["state"], late["tone"]) == ({"kind": "bad", "word": "Recount overdue"}, "bad")

    page = words(signed_in(floor.alice, floor).get(reverse("closed-tables")))
    assert "Overdue" in page
    assert "$3,000" in page
    assert "Fri, May 1" in page

    recount = floor.count("recount", TRAY, by=floor.bob)
    floor.sign(recount, "verified", floor.alice, entry=Entry(counted=TRAY))
    assert tile_of(floor)["quiet"] == "Opener must match recount: $3,000"
    assert not Table.objects.get(pk=floor.table.pk).is_open
    server_clock.now += timedelta(days=6)
    assert tile_of(floor)["state"] == {"kind": "off", "word": "Closed"}


def test_a09_a_recount_takes_two_people(floor: Cast) -> None:
    floor.close_table(TRAY)
    recount = floor.count("recount", TRAY, by=floor.bob)
    with refused("signed_before"):
        floor.sign(recount, "verified", floor.bob, entry=Entry(counted=TRAY))
    floor.sign(recount, "verified", floor.alice, entry=Entry(counted=TRAY))
    recount.refresh_from_db()
    assert recount.status == "done"


def test_a09_a_recount_that_differs_is_variance_and_waits_for_the_shift_manager(
    floor: Cast,
) -> None:
    keep_shut(floor)
    floor.close_table(TRAY)
    short = TRAY | {10_000: 19}
    recount = floor.count("recount", short)
    floor.sign(recount, "verified", floor.alice, entry=Entry(counted=short))
    assert Waiting.objects.filter(until=None, slip=recount).get().by == ["shift_manager"]
    codes = FloorException.objects.order_by("id").values_list("code", flat=True)
    assert list(codes) == ["tray_variance", "regulator_notice"]
    assert tray_holding(floor.table) == TRAY
    because = Entry(reason="One black is gone.")
    floor.sign(recount, "accepted", floor.heidi, entry=because)
    floor.sign(recount, "security_reported", floor.frank, entry=because)
    floor.sign(recount, "surveillance_reported", floor.ivan, entry=because)
    assert tray_holding(floor.table) == short
    assert holding_of(Holder.VARIANCE) == {10_000: 1}
    assert floor.open_table(short).refers_to == recount


def test_an_open_table_is_not_recounted(floor: Cast) -> None:
    with refused("table_open"):
        floor.count("recount", TRAY)


def test_a_table_that_was_never_opened_is_listed_without_a_count(cast: Cast) -> None:
    page = words(signed_in(cast.alice, cast).get(reverse("closed-tables")))
    assert "never counted" in page
