"""A drop run: a few PINs for many boxes, two scans a table, and nothing without eyes on it."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import transaction
from django.db.utils import DatabaseError
from django.urls import reverse

from inventory.models import TrayCount
from pitboss.models import Attempt, FloorException, Signature, Slip
from pitboss.rules.flows.flows import Track
from pitboss.rules.roles import Place
from pitboss.services import house
from pitboss.services.signing import Entry
from pitboss.slips.addresses import new_url
from tables.models import DropBox, RunPit, RunStop
from tables.services.drop_boxes import find_overdue_drops
from tables.services.drop_runs import scan_box
from tables.services.drops import ask_to_wait, boxes_to_count, lift_wait
from tests.floor.cast import Cast, ServerClock, refused
from tests.floor.drop_box import begin_pull, box_off, count_and_post, count_tray
from tests.floor.drop_runs import (
    end,
    forty_tables,
    join,
    leave,
    register,
    scan,
    start,
    under_way,
    watch,
)
from tests.floor.house import change
from tests.floor.tablets import signed_in, words

pytestmark = pytest.mark.django_db
TRAY = {10_000: 20, 2_500: 20}
BOX = {"cash_10000": 900_000}


@pytest.fixture
def counted(cast: Cast) -> Cast:
    """BJ-11 open and counted, with boxes on file."""
    cast.deliver(cast.ask(TRAY))
    cast.open_table(TRAY)
    count_tray(cast, TRAY)
    register(cast, "4011 4012 4471-4473")
    return cast


def test_a116_a_box_is_pulled_by_two_scans_on_the_signatures_of_its_run(
    counted: Cast, server_clock: ServerClock
) -> None:
    cast = counted
    pins = Attempt.objects.filter(kind=Attempt.Kind.PIN).count()
    run = start(cast, "4471-4473")
    assert run.details["tables"] == ["BJ-11", "BJ-12"]
    with refused("not_watched", "pit_not_joined", journal=()):
        scan(cast, run, cast.table, "4011", "4471")
    watch(cast, run)
    join(cast, run)
    stop = scan(cast, run, cast.table, "4011", "4471")
    # BJ-12 was never opened: it has nothing to pull and needs no reason.
    run = end(cast, run)
    assert run.status == "done"
    assert Attempt.objects.filter(kind=Attempt.Kind.PIN).count() - pins == 4

    pull = stop.pull
    assert pull is not None
    assert (pull.status, pull.details["run"]) == ("done", run.serial)
    signed = {signature.step: signature for signature in pull.signatures.all()}
    assert {step: item.person for step, item in signed.items()} == {
        "pulled": cast.frank,
        "witnessed": cast.alice,
    }
    assert {item.facts["on"] for item in signed.values()} == {run.serial}
    assert list(boxes_to_count()) == [pull]
    assert DropBox.objects.get(tag="4011").place == "count_room"
    assert DropBox.objects.get(tag="4471").table == cast.table
    assert DropBox.objects.get(tag="4472").place == "store"
    # The next box of this table is the one that went on; counted, the old one is free again.
    count_and_post(cast, pull, BOX)
    assert DropBox.objects.get(tag="4011").place == "store"


def test_a116_forty_tables_in_four_pits_take_seven_pins(cast: Cast) -> None:
    tables = forty_tables(cast)
    register(cast, "4001-4040 4501-4540")
    pits = sorted({table.pit for table in tables}, key=str)
    pins = Attempt.objects.filter(kind=Attempt.Kind.PIN)
    before = pins.count()
    run = start(cast, "4501-4540", pits=pits)
    watch(cast, run)
    for pit in pits:
        join(cast, run, pit=pit)
    for number, table in enumerate(tables, 1):
        scan(cast, run, table, f"40{number:02}", f"45{number:02}")
    assert end(cast, run).status == "done"
    assert pins.count() - before == 7
    assert boxes_to_count().count() == 40


def test_a116_a_tag_on_another_table_and_an_unexplained_table_are_refused(counted: Cast) -> None:
    cast = counted
    cast.open_other_table()
    run = under_way(cast, "4471 4472")
    scan(cast, run, cast.table, "4011", "4471")
    with refused("box_on_a_table", journal=()):
        scan(cast, run, cast.other_table, "4012", "4471")
    with refused("already_scanned", "other_box", journal=()):
        scan(cast, run, cast.table, "4012", "4472")
    with refused("tables_left"):
        cast.sign(run, "ended", cast.frank)
    with refused("reason_missing", journal=()):
        leave(cast, run, cast.other_table, " ")
    leave(cast, run, cast.other_table, "The lock of the box is stuck.")
    assert end(cast, run).status == "done"
    with refused("run_ended", "already_scanned", journal=()):
        scan(cast, run, cast.other_table, "4012", "4472")


def test_a116_a_dealers_wait_delays_that_table_alone(counted: Cast) -> None:
    cast = counted
    run = under_way(cast, "4471 4472")
    ask_to_wait(table=cast.table, pen=cast.pen(cast.dan))
    with refused("hand_is_on", journal=()):
        scan(cast, run, cast.table, "4011", "4471")
    with refused("tables_left", "dealer_waits"):
        cast.sign(run, "ended", cast.frank)
    lift_wait(table=cast.table, pen=cast.pen(cast.dan))
    assert scan(cast, run, cast.table, "4011", "4471").pull is not None


def test_a_scan_is_of_the_officer_of_the_run_and_once(counted: Cast) -> None:
    cast = counted
    run = under_way(cast, "4471 4472")
    with refused("not_the_officer", journal=()):
        scan(cast, run, cast.table, "4011", "4471", by=cast.grace)
    with refused("unknown_box", journal=()):
        scan(cast, run, cast.table, "4011", "9999")
    sent: dict[str, Any] = {
        "run": run,
        "table": cast.table,
        "old_tag": "4011",
        "by": cast.frank,
        "device": cast.devices[Place.PIT],
        "request_id": uuid4(),
    }
    first = scan_box(new_tag="4471", **sent)
    assert scan_box(new_tag="4471", **sent) == first
    with refused("request_reused", journal=()):
        scan_box(new_tag="4472", **sent)
    assert Slip.objects.filter(kind="drop_pull").count() == 1


def test_an_open_table_needs_a_count_of_the_last_hour(
    cast: Cast, server_clock: ServerClock
) -> None:
    cast.deliver(cast.ask(TRAY))
    cast.open_table(TRAY)
    count = count_tray(cast, TRAY)
    register(cast, "4011 4471")
    run = under_way(cast, "4471")
    server_clock.move(minutes=61)
    with refused("count_first", journal=()):
        scan(cast, run, cast.table, "4011", "4471")
    server_clock.move(minutes=-2)
    stop = scan(cast, run, cast.table, "4011", "4471")
    assert stop.pull is not None
    assert stop.pull.details["count"] == count.serial
    # What that box holds belongs to the same stretch as a box that was pulled alone.
    assert TrayCount.objects.get(slip=count).table == cast.table


def test_who_watches_and_who_joins(counted: Cast) -> None:
    cast = counted
    run = start(cast, "4471")
    with refused("wrong_role", journal=()):
        watch(cast, run, cast.grace)
    with refused("wrong_place", journal=()):
        watch(cast, run, place=Place.PIT)
    with refused("wrong_role", journal=("act_refused",)):
        join(cast, run, cast.dan)
    with refused("pit_on_a_run"):
        start(cast, "4472")
    watch(cast, run)
    watch(cast, run)
    join(cast, run)
    join(cast, run, cast.bob)
    stop = scan(cast, run, cast.table, "4011", "4471")
    # Who joined last is the one who stands there.
    assert stop.pull is not None
    assert stop.pull.signatures.get(step="witnessed").person == cast.bob


def test_a_run_on_which_no_box_left_is_voided_and_another_is_not(counted: Cast) -> None:
    cast = counted
    why = Entry(reason="The trolley is broken.")
    run = start(cast, "4471")
    assert DropBox.objects.get(tag="4471").place == "trolley"
    cast.sign(run, "voided", cast.frank, entry=why, track=Track.VOID)
    cast.sign(run, "void_witnessed", cast.ivan, Place.SURVEILLANCE, track=Track.VOID)
    run.refresh_from_db()
    assert (run.status, DropBox.objects.get(tag="4471").place) == ("voided", "store")
    run = under_way(cast, "4471")
    scan(cast, run, cast.table, "4011", "4471")
    cast.sign(run, "voided", cast.frank, entry=why, track=Track.VOID)
    with refused("boxes_pulled"):
        cast.sign(run, "void_witnessed", cast.ivan, Place.SURVEILLANCE, track=Track.VOID)


def test_the_database_wants_eyes_on_every_box_of_a_run(counted: Cast) -> None:
    cast = counted
    run = start(cast, "4471")
    pull = begin_pull(cast)
    stop = RunStop(
        run=run,
        table=cast.table,
        pull=pull,
        old_tag="4011",
        new_tag="4471",
        person=cast.frank,
        at=house.now(),
        request_id=uuid4(),
    )
    with pytest.raises(DatabaseError, match="surveillance does not watch"), transaction.atomic():
        stop.save()
    watch(cast, run)
    with pytest.raises(DatabaseError, match="no supervisor has joined"), transaction.atomic():
        stop.save()
    join(cast, run)
    with pytest.raises(DatabaseError, match="permission denied"), transaction.atomic():
        RunPit.objects.update(shown="other")
    with pytest.raises(DatabaseError, match="drop_box_is_on"), transaction.atomic():
        DropBox.objects.filter(tag="4471").update(place="table")


def test_a_box_pulled_alone_moves_by_its_tag_too(counted: Cast) -> None:
    cast = counted
    cast.open_other_table()
    run = under_way(cast, "4471 4472")
    scan(cast, run, cast.table, "4011", "4471")
    leave(cast, run, cast.other_table, "Closes in an hour.")
    end(cast, run)
    count_tray(cast, {10_000: 21, 2_500: 20})
    with refused("box_not_counted"):
        begin_pull(cast, new_box="4011")
    pull = begin_pull(cast, new_box="4473")
    cast.sign(pull, "witnessed", cast.alice)
    assert DropBox.objects.get(tag="4471").place == "count_room"
    assert DropBox.objects.get(tag="4473").table == cast.table


def test_boxes_are_registered_by_security_once(cast: Cast) -> None:
    register(cast, "4001-4003")
    with refused("box_known", "bad_tag", journal=("act_refused",)):
        register(cast, "4003 _")
    assert DropBox.objects.count() == 3


def test_a121_a_table_that_was_not_dropped_at_its_time_is_an_alert(
    cast: Cast, server_clock: ServerClock
) -> None:
    change(cast, "drop.schedule", "05:00")
    cast.deliver(cast.ask(TRAY))
    cast.open_table(TRAY)
    zone = house.the_property().zone
    day = house.now().astimezone(zone).date() + timedelta(days=1)
    five = datetime(day.year, day.month, day.day, 5, tzinfo=zone)
    server_clock.now = five + timedelta(minutes=30)
    find_overdue_drops()
    assert not FloorException.objects.filter(code="drop_overdue").exists()
    server_clock.now = five + timedelta(minutes=31)
    find_overdue_drops()
    find_overdue_drops()
    alert = FloorException.objects.get(code="drop_overdue")
    assert alert.sentence == "BJ-11 wasn’t dropped at 05:00. Pull its box."
    register(cast, "4011 4471")
    count_tray(cast, TRAY)
    run = under_way(cast, "4471")
    scan(cast, run, cast.table, "4011", "4471")
    alert.refresh_from_db()
    assert alert.resolution.startswith("Pulled on D-")
    find_overdue_drops()
    assert FloorException.objects.filter(code="drop_overdue").count() == 1


def test_a121_a_pull_at_another_time_needs_a_reason_and_notifies_the_shift_manager(
    counted: Cast, server_clock: ServerClock
) -> None:
    cast = counted
    change(cast, "drop.schedule", "05:00")
    zone = house.the_property().zone
    server_clock.now = server_clock.now.astimezone(zone).replace(hour=19, minute=0)
    count_tray(cast, TRAY)
    with refused("off_schedule"):
        begin_pull(cast)
    with refused("off_schedule"):
        start(cast, "4471")
    run = start(cast, "4471", reason="full")
    floor_exception = FloorException.objects.get(code="drop_off_schedule")
    assert (floor_exception.slip, floor_exception.sentence) == (
        run,
        f"{run.serial} is off schedule in Pit 1. The box is full.",
    )


def test_a116_the_run_screen_shows_the_walk_and_takes_the_scans(counted: Cast) -> None:
    cast = counted
    officer = signed_in(cast.frank, cast)
    page = words(officer.get(reverse("drop-runs")))
    assert "Start a drop run" in page
    assert "2 boxes" not in page
    asked = words(officer.get(new_url("drop_run")))
    assert "Pit 1, 1 box to pull" in asked
    run = start(cast, "4471 4472")
    url = reverse("drop-run", args=[run.serial])
    page = words(officer.get(url))
    assert "Surveillance isn’t watching yet." in page
    assert "We are watching" not in page
    eye = signed_in(cast.ivan, cast, Place.SURVEILLANCE)
    assert "We are watching" in words(eye.get(url))
    eye.post(reverse("drop-run-watch", args=[run.serial]), {"request_id": str(uuid4())})
    join(cast, run)
    sent = {"request_id": str(uuid4()), "table": "BJ-11", "old": "4011", "new": ""}
    first = officer.post(reverse("drop-run-scan", args=[run.serial]), sent)
    assert first.status_code == 302
    assert first.headers["Location"].endswith("?table=BJ-11&old=4011")
    wrong = officer.post(reverse("drop-run-scan", args=[run.serial]), {**sent, "new": "9999"})
    assert "Box 9999 isn’t on file." in words(wrong)
    officer.post(reverse("drop-run-scan", args=[run.serial]), {**sent, "new": "4471"})
    page = words(officer.get(url))
    assert "4011 out · 4471 on" in page
    assert "1 of 1 done" in page
    assert "End run…" in page
    poll = officer.get(reverse("drop-run-poll", args=[run.serial]))
    assert "drop-progress" in words(poll)
    # The clock goes by the house's time, on the page and with all news.
    told = re.findall(r'data-now="([^"]*)"', page + words(poll))
    zone = house.now().astimezone(house.the_property().zone).isoformat()[-6:]
    assert len(told) > 1
    assert {item[-6:] for item in told} == {zone}
    assert "4471" in words(officer.get(reverse("drop-boxes")))
    assert Signature.objects.filter(slip=run, step="started").count() == 1
    assert box_off(cast.table, "4472", house.now()) is not None
