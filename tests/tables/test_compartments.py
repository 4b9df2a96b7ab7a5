"""Boxes with a compartment for each shift, and boxes that leave open tables without a count."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.db import transaction
from django.db.utils import DatabaseError
from django.urls import reverse

from pitboss.models import Attempt, FloorException, Person, Slip, Table
from pitboss.rules.flows.flows import Track
from pitboss.rules.roles import Place
from pitboss.services import house
from pitboss.services.signing import Entry
from tables.models import BoxTally, CompartmentTurn, CountFile, DropBox
from tables.reports.win import table_report
from tables.selectors.box_papers import copies_expected
from tables.selectors.day_books import pull_of_count
from tables.services.compartments import enable_compartment, lock_compartment
from tables.services.count_sessions import import_counts
from tables.services.drop_boxes import register_boxes
from tables.services.drops import boxes_to_count
from tests.floor.cast import Cast, ServerClock, refused
from tests.floor.count_sessions import accept, close, count_twice, ready
from tests.floor.drop_box import begin_pull, count_and_post, count_tray, pull
from tests.floor.drop_runs import scan, under_way
from tests.floor.house import change
from tests.floor.tablets import signed_in, words

pytestmark = pytest.mark.django_db
TRAY = {10_000: 20, 2_500: 20}


def lock(cast: Cast, letter: str, by: Person | None = None) -> CompartmentTurn:
    return lock_compartment(
        table=cast.table,
        letter=letter,
        by=by or cast.alice,
        device=cast.devices[Place.PIT],
        request_id=uuid4(),
    )


def enable(cast: Cast, letter: str, by: Person | None = None) -> CompartmentTurn:
    return enable_compartment(table=cast.table, letter=letter, pen=cast.pen(by or cast.alice))


def count_shift(cast: Cast) -> Slip:
    """Count the tray at the change of shift: the dealer and both supervisors."""
    count = cast.count("shift_count", TRAY)
    for step, person in (("verified", cast.alice), ("taken_on", cast.bob)):
        cast.sign(count, step, person, entry=Entry(counted=TRAY))
    return count


@pytest.fixture
def with_compartments(cast: Cast, server_clock: ServerClock) -> Cast:
    """Give the first table a box of three compartments, put on before it opened."""
    register_boxes(
        tags="7001-7002", kind="multi", compartments=3, pen=cast.pen(cast.sybil, Place.OFFICE)
    )
    cast.deliver(cast.ask(TRAY))
    cast.open_table(TRAY)
    cast.close_table(TRAY)
    begin = begin_pull(cast, new_box="7001")
    cast.sign(begin, "witnessed", cast.alice)
    begin.refresh_from_db()
    count_and_post(cast, begin, {})
    server_clock.move(minutes=5)
    cast.open_table(TRAY)
    return cast


def test_a117_a_compartment_is_locked_before_the_next_and_three_counts_give_three_final_wins(
    with_compartments: Cast, server_clock: ServerClock
) -> None:
    cast = with_compartments
    day = house.period_at(house.now()).gaming_day
    server_clock.move(hours=4, minutes=45)  # 13:50
    with refused("not_locked", journal=("act_refused",)):
        enable(cast, "B")
    with refused("count_first", journal=()):
        lock(cast, "A")
    by_day = count_shift(cast)
    with refused("not_in_use", journal=()):
        lock(cast, "B")
    with refused("wrong_role", journal=()):
        lock(cast, "A", by=cast.dan)
    lock(cast, "A")
    run = under_way(cast, "7002")
    with refused("compartment_locked", journal=()):
        scan(cast, run, cast.table, "7001", "7002")
    with refused("not_the_next", journal=("act_refused",)):
        enable(cast, "C")
    pins = Attempt.objects.filter(kind=Attempt.Kind.PIN)
    before = pins.count()
    enable(cast, "B")
    assert pins.count() - before == 1
    # Nothing was counted since: what is in B would be of no stretch of play.
    with refused("count_first", journal=()):
        scan(cast, run, cast.table, "7001", "7002")
    cast.sign(run, "voided", cast.frank, entry=Entry(reason="Too early."), track=Track.VOID)
    cast.sign(run, "void_witnessed", cast.ivan, Place.SURVEILLANCE, track=Track.VOID)

    server_clock.move(hours=8)  # 21:50
    by_swing = count_shift(cast)
    lock(cast, "B")
    enable(cast, "C")
    with refused("last_compartment", journal=()):
        lock(cast, "C")
    with refused("last_compartment", journal=("act_refused",)):
        enable(cast, "D")
    server_clock.move(hours=7)  # 04:50
    by_grave = count_tray(cast, TRAY)
    run = under_way(cast, "7002")
    stop = scan(cast, run, cast.table, "7001", "7002")
    pulls = list(boxes_to_count())
    assert stop.pull == pulls[-1]
    assert [(slip.details["box"], slip.details["count"]) for slip in pulls] == [
        ("BJ-11 A", by_day.serial),
        ("BJ-11 B", by_swing.serial),
        ("BJ-11 C", by_grave.serial),
    ]
    assert {slip.table_id for slip in pulls} == {cast.table.pk}
    # The new box has its first compartment enabled.
    turn = CompartmentTurn.objects.latest("id")
    assert (turn.box.tag, turn.letter, turn.turn) == ("7002", "A", "enabled")
    # Each copy is expected in the compartment that was in use when it was dropped.
    expected = {key: [c.code for c in item] for key, item in copies_expected(pulls).items()}
    for pull_, count in zip(pulls, (by_day, by_swing, by_grave), strict=True):
        assert any(code.startswith(count.serial) for code in expected[pull_.serial])

    session = ready(cast)
    figures = ({"cash_10000": 100_000}, {"cash_10000": 200_000}, {"cash_10000": 400_000})
    with refused("unknown_compartment", journal=("session_count_refused",)):
        bring(cast, session, "7001,D,10000,1\n")
    file = bring(cast, session, "7001,A,10000,10\n7001,C,10000,40\n")
    tallies = {tally.pull: tally.figures["cash_10000"] for tally in file_tallies(file)}
    assert tallies == {pulls[0]: 100_000, pulls[2]: 400_000}
    for pull_, counted in zip(pulls, figures, strict=True):
        count_twice(cast, session, pull_, counted)
    close(cast, session)
    accept(cast, session)
    cast.sign(session, "posted", cast.ruth, Place.OFFICE)
    table = Table.objects.get(pk=cast.table.pk)
    wins = [table_report(table, day, shift) for shift in ("Day", "Swing", "Grave")]
    assert [win.final_cents for win in wins] == [100_000, 200_000, 400_000]
    assert table_report(table, day).final_cents == 700_000
    assert not FloorException.objects.filter(code="drop_documents").exists()
    assert DropBox.objects.get(tag="7001").place == "store"


def bring(cast: Cast, session: Slip, rows: str) -> CountFile:
    return import_counts(
        session=session,
        name="counter.csv",
        content=f"box_tag,compartment,denomination_cents,pieces\n{rows}".encode(),
        by=cast.paul,
        device=cast.devices[Place.OFFICE],
        request_id=uuid4(),
    )


def file_tallies(file: CountFile) -> list[BoxTally]:
    return list(BoxTally.objects.filter(file=file).select_related("pull"))


def test_a117_the_screen_locks_by_a_tap_and_enables_by_a_signature(
    with_compartments: Cast,
) -> None:
    cast = with_compartments
    url = reverse("drop-compartment", args=["BJ-11"])
    alice = signed_in(cast.alice, cast)
    assert "Compartment A is locked" in words(alice.get(url))
    sent = {"act": "lock", "letter": "A", "request_id": str(uuid4())}
    assert "Count the tray of BJ-11 first" in words(alice.post(url, sent))
    count_tray(cast, TRAY)
    locked = alice.post(url, {**sent, "request_id": (key := str(uuid4()))}, follow=True)
    assert "Enable compartment B" in words(locked)
    # A second tap of the same form changes nothing, and another letter is another act.
    alice.post(url, {**sent, "request_id": key})
    assert CompartmentTurn.objects.filter(turn="locked").count() == 1
    assert "already sent" in words(alice.post(url, {**sent, "letter": "B", "request_id": key}))
    enable(cast, "B")
    assert "In use" in words(alice.get(url))
    cast.table = cast.other_table
    assert "No compartments." in words(alice.get(reverse("drop-compartment", args=["BJ-12"])))
    with refused("no_compartments", journal=("act_refused",)):
        enable(cast, "B")


def test_a117_a_box_pulled_without_a_run_is_counted_by_its_compartments(
    with_compartments: Cast,
) -> None:
    cast = with_compartments
    count = count_tray(cast, TRAY)
    lock(cast, "A")
    enable(cast, "B")
    with refused("count_first"):
        begin_pull(cast)
    closer = cast.close_table(TRAY)
    box = begin_pull(cast, new_box="7002")
    with refused("pull_under_way", journal=()):
        lock(cast, "B")
    cast.sign(box, "witnessed", cast.alice)
    first, second = boxes_to_count()
    assert (first.pk, first.details["count"]) == (box.pk, count.serial)
    assert (second.details["box"], second.details["count"]) == ("BJ-11 B", closer.serial)
    assert {signature.person for signature in second.signatures.all()} == {cast.frank, cast.alice}
    count_and_post(cast, first, {"cash_10000": 100_000})
    # A compartment of it is still to be counted.
    assert DropBox.objects.get(tag="7001").place == "count_room"
    count_and_post(cast, second, {"cash_10000": 200_000})
    assert DropBox.objects.get(tag="7001").place == "store"


def test_the_database_keeps_the_compartments_in_turn(with_compartments: Cast) -> None:
    cast = with_compartments
    count = count_tray(cast, TRAY)
    row = {
        "box": DropBox.objects.get(tag="7001"),
        "table": cast.table,
        "person": cast.alice,
        "at": house.now(),
    }
    for given, problem in (
        ({"letter": "B", "turn": "enabled"}, "the one before is not locked"),
        ({"letter": "B", "turn": "locked", "count": count}, "it is not in use"),
        ({"letter": "D", "turn": "enabled"}, "fewer compartments"),
        ({"letter": "A", "turn": "locked"}, "compartment_is_locked_on_a_count"),
        ({"letter": "A", "turn": "enabled", "table": cast.other_table}, "not on the table"),
    ):
        turn = CompartmentTurn(**{**row, **given}, request_id=uuid4())
        with pytest.raises(DatabaseError, match=problem), transaction.atomic():
            turn.save()
    with pytest.raises(DatabaseError, match="drop_box_has_its_compartments"), transaction.atomic():
        DropBox.objects.filter(tag="7001").update(compartments=1)


def test_a10_without_a_count_the_cash_belongs_to_the_play_in_which_the_box_was_pulled(
    cast: Cast, server_clock: ServerClock
) -> None:
    change(cast, "drop.count_open", "none")
    cast.deliver(cast.ask(TRAY))
    server_clock.move(minutes=1)
    cast.open_table(TRAY)
    server_clock.move(hours=1)
    box = pull(cast)
    assert box.details["count"] is None
    count_and_post(cast, box, {"cash_10000": 100_000})
    server_clock.move(hours=1)
    later = pull(cast)
    server_clock.move(hours=1)
    cast.close_table(TRAY)
    table = Table.objects.get(pk=cast.table.pk)
    day = house.period_at(house.now()).gaming_day
    assert table_report(table, day).final_cents is None
    last = pull(cast)
    posted = count_and_post(cast, later, {"cash_10000": 200_000})
    count_and_post(cast, last, {"cash_10000": 400_000})
    assert table_report(table, day).final_cents == 700_000
    # A correction of a box that left without a count restates the day of that play.
    assert pull_of_count(posted)[1].kind == "closer"
