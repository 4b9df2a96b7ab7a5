"""The shoe of a table: marked in turn, timed for one dealer, and told to nobody but them."""

from __future__ import annotations

from datetime import datetime, timedelta
from uuid import uuid4

import pytest
from django.db import IntegrityError, transaction
from django.db.utils import ProgrammingError
from django.urls import reverse

from pitboss.models import JournalEntry, Person, Table
from pitboss.rules.floor.standards import Mark
from pitboss.rules.roles import Place
from tables.models import Dealing, Round, ShoeMark
from tables.selectors.pace import pace_of_dealers, weeks_of
from tables.services import shoes
from tables.services.floor_log import Tap
from tables.services.shoes import mark_shoe
from tests.floor.cast import Cast, ServerClock, refused
from tests.floor.tablets import signed_in, words
from tests.floor.terminals import TerminalClient, make_terminal
from tests.races import at_once, hold_before
from tests.tables.test_incidents import note

pytestmark = pytest.mark.django_db


@pytest.fixture
def floor(cast: Cast, server_clock: ServerClock) -> Cast:
    """The cast, with the table open, six decks in it and Dan behind it."""
    Table.objects.filter(pk=cast.table.pk).update(is_open=True, decks=6)
    Dealing.objects.create(table=cast.table, dealer=cast.dan, began_at=server_clock.now)
    return cast


def mark(cast: Cast, what: Mark, by: Person | None = None, place: Place = Place.PIT) -> ShoeMark:
    return mark_shoe(
        table_id=cast.table.pk,
        mark=what,
        hand=Tap(by or cast.alice, cast.devices[place], uuid4()),
    )


def test_a_shuffle_and_a_shoe_are_timed_for_the_dealer_who_did_them(
    floor: Cast, server_clock: ServerClock
) -> None:
    mark(floor, Mark.SHUFFLE)
    server_clock.move(seconds=95)
    assert mark(floor, Mark.DEAL).seconds == 95
    server_clock.move(seconds=600)
    assert mark(floor, Mark.SHUFFLE).seconds == 600
    server_clock.move(seconds=40)
    assert mark(floor, Mark.STOP).seconds is None
    (pace,) = pace_of_dealers([floor.dan, floor.dora], *_hour(server_clock))
    assert (pace.dealer, pace.pace.shuffle_seconds, pace.pace.shoe_seconds) == (floor.dan, 95, 600)
    assert (pace.pace.shoes_in_time, pace.pace.shoes_rated) == (0, 1)
    assert JournalEntry.objects.filter(kind="shoe_marked").count() == 4


def _hour(clock: ServerClock) -> tuple[datetime, datetime]:
    return clock.now - timedelta(hours=1), clock.now + timedelta(seconds=1)


def test_a_dealer_who_came_in_between_is_not_rated(floor: Cast, server_clock: ServerClock) -> None:
    mark(floor, Mark.SHUFFLE)
    server_clock.move(seconds=60)
    Dealing.objects.update(ended_at=server_clock.now)
    Dealing.objects.create(table=floor.table, dealer=floor.dora, began_at=server_clock.now)
    server_clock.move(seconds=30)
    taken = mark(floor, Mark.DEAL)
    assert (taken.dealer, taken.seconds) == (floor.dora, None)
    # Nor is one who went and came back: somebody else dealt meanwhile.
    Dealing.objects.filter(ended_at=None).update(ended_at=server_clock.now)
    server_clock.move(seconds=300)
    Dealing.objects.create(table=floor.table, dealer=floor.dora, began_at=server_clock.now)
    assert mark(floor, Mark.SHUFFLE).seconds is None


def test_a_mark_that_was_forgotten_stops_nobody_the_next_day(
    floor: Cast, server_clock: ServerClock
) -> None:
    mark(floor, Mark.DEAL)
    server_clock.move(minutes=91)
    assert mark(floor, Mark.DEAL).seconds is None


def test_what_cannot_be_marked_is_refused(floor: Cast) -> None:
    with refused("nothing_runs", journal=()):
        mark(floor, Mark.STOP)
    mark(floor, Mark.SHUFFLE)
    with refused("marked_already", journal=()):
        mark(floor, Mark.SHUFFLE)
    with refused("wrong_role", journal=()):
        mark(floor, Mark.DEAL, by=floor.dan)
    with refused("wrong_place", journal=()):
        mark(floor, Mark.DEAL, place=Place.CAGE)
    floor.devices[Place.PIT] = floor.other_pit_tablet
    with refused("wrong_pit", journal=()):
        mark(floor, Mark.DEAL)
    with refused("unknown_device", journal=()):
        hand = Tap(floor.alice, None, uuid4())
        mark_shoe(table_id=floor.table.pk, mark=Mark.DEAL, hand=hand)


def test_a_closed_table_has_no_shoe(floor: Cast) -> None:
    Table.objects.update(is_open=False)
    with refused("table_closed", journal=()):
        mark(floor, Mark.SHUFFLE)


def test_a_second_tap_marks_once_and_another_mark_on_one_form_is_refused(floor: Cast) -> None:
    tap = Tap(floor.alice, floor.devices[Place.PIT], uuid4())
    first = mark_shoe(table_id=floor.table.pk, mark=Mark.SHUFFLE, hand=tap)
    assert mark_shoe(table_id=floor.table.pk, mark=Mark.SHUFFLE, hand=tap) == first
    with refused("request_reused", journal=()):
        mark_shoe(table_id=floor.table.pk, mark=Mark.DEAL, hand=tap)


def test_the_terminal_marks_its_own_shoe_and_hears_the_rating(
    floor: Cast, server_clock: ServerClock
) -> None:
    terminal = TerminalClient(make_terminal(floor.table))
    assert terminal.post("shoe", {"mark": "shuffle"}).json()["seconds"] is None
    server_clock.move(seconds=121)
    key = str(uuid4())
    body = terminal.post("shoe", {"mark": "deal"}, key).json()
    assert (body["seconds"], body["rating"], body["standard_seconds"]) == (121, "NI", 580)
    assert terminal.post("shoe", {"mark": "deal"}, key).json() == body
    again = terminal.post("shoe", {"mark": "deal"})
    assert [refusal["code"] for refusal in again.json()["refusals"]] == ["marked_already"]
    assert terminal.post("shoe", {"mark": "cut"}).status_code in (400, 422)
    assert ShoeMark.objects.count() == 2


def test_the_database_keeps_marks_as_they_were_written(floor: Cast) -> None:
    row = mark(floor, Mark.SHUFFLE)
    for change in ({"seconds": 10}, {"mark": "deal"}):
        with pytest.raises(ProgrammingError, match="permission denied"), transaction.atomic():
            ShoeMark.objects.filter(pk=row.pk).update(**change)
    plain = {"table": floor.table, "at": row.at, "decks": 6, "device": row.device}
    for wrong, rule in (
        ({"mark": "cut"}, "shoe_mark_known"),
        ({"mark": "deal", "seconds": 5}, "only_a_dealer_takes_time"),
        ({"mark": "deal", "by": row.by}, "a_tap_has_its_form"),
    ):
        with pytest.raises(IntegrityError, match=rule), transaction.atomic():
            ShoeMark.objects.create(**plain, **wrong)


@pytest.mark.django_db(transaction=True)
def test_two_taps_at_once_mark_one_shuffle(floor: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    hold_before(monkeypatch, shoes, "mark_refusals")
    results = at_once(
        lambda: mark(floor, Mark.SHUFFLE), lambda: mark(floor, Mark.SHUFFLE, floor.bob)
    )
    assert [result for result in results if isinstance(result, tuple)] == [("marked_already",)]
    assert ShoeMark.objects.count() == 1


def test_a_supervisor_times_a_shuffle_on_the_tablet(floor: Cast, server_clock: ServerClock) -> None:
    tablet = signed_in(floor.alice, floor)
    address = f"/tables/{floor.table.name}/shoe/"
    page = tablet.get(address)
    assert "Nothing is timed" in words(page)
    form = {"mark": "shuffle", "request_id": str(uuid4())}
    assert tablet.post(address, form).status_code == 302
    server_clock.move(seconds=88)
    assert "Shuffling" in words(tablet.get(address))
    tablet.post(address, {"mark": "deal", "request_id": str(uuid4())})
    assert '<td class="good">OP</td>' in words(tablet.get(address))
    wrong = tablet.post(address, {"mark": "cut", "request_id": str(uuid4())})
    assert (wrong.status_code, "Choose shuffle" in words(wrong)) == (422, True)
    told = words(tablet.get(f"/tables/{floor.table.name}/"))
    assert "First card" in told
    assert "1:28" in told


def test_a_dealer_sees_their_own_weeks_and_nobody_elses(
    floor: Cast, server_clock: ServerClock
) -> None:
    terminal = make_terminal(floor.table)
    for seconds in (120, 100):
        mark(floor, Mark.SHUFFLE)
        server_clock.move(seconds=seconds)
        mark(floor, Mark.DEAL)
        server_clock.move(minutes=40)
        # A stint in which rounds were told, and one in which none was.
        began = server_clock.now - timedelta(minutes=30)
        Dealing.objects.filter(ended_at=None).update(ended_at=began)
        Round.objects.create(
            table=floor.table,
            terminal=terminal,
            dealer=floor.dan,
            started_at=server_clock.now - timedelta(minutes=5),
            ended_at=server_clock.now,
            outcome="settled",
            log={},
            verdict={},
        )
        Dealing.objects.create(
            table=floor.table, dealer=floor.dan, began_at=began, ended_at=server_clock.now
        )
        Dealing.objects.create(table=floor.table, dealer=floor.dan, began_at=server_clock.now)
        server_clock.move(days=6, hours=23)
    weeks = weeks_of(floor.dan, server_clock.now)
    assert [week.pace.shuffle_seconds for week in weeks] == [100, 120]
    assert [week.rounds_an_hour for week in weeks] == [2, 2]
    own = words(signed_in(floor.dan, floor).get("/payouts/own/"))
    assert "1:40" in own
    assert "2:00" in own
    assert "−20 s" in own
    coach = signed_in(floor.alice, floor)
    assert f"?dealer={floor.dan.badge}" in words(coach.get("/pace/"))
    assert "1:40" in words(coach.get(f"/payouts/?dealer={floor.dan.badge}"))
    dora = signed_in(floor.dora, floor)
    assert dora.get(f"/payouts/?dealer={floor.dan.badge}").status_code == 403
    assert "Nothing timed yet" in words(dora.get("/payouts/own/"))


def test_hands_an_hour_are_counted_where_no_terminal_is_sent_every_round(
    floor: Cast, server_clock: ServerClock
) -> None:
    counted = {"badge": floor.dan.badge, "rounds": 26, "minutes": 20, "players": 5}
    with refused("counted_too_short", journal=()):
        note(floor, "pace_check", **counted | {"minutes": 4})
    with refused("unknown_dealer", journal=()):
        note(floor, "pace_check", **counted | {"badge": floor.alice.badge})
    assert note(floor, "pace_check", **counted).sentence == (
        f"Pace of badge {floor.dan.badge}: 26 rounds in 20 min with 5 players, "
        "78 rounds and 390 hands an hour."
    )
    server_clock.move(minutes=10)
    note(floor, "pace_check", **counted | {"rounds": 10, "minutes": 10, "players": 1})
    server_clock.move(minutes=10)
    (week,) = weeks_of(floor.dan, server_clock.now)
    assert (week.rounds_an_hour, week.counted_an_hour) == (None, 72)
    page = words(signed_in(floor.alice, floor).get(reverse("pace")))
    assert "72" in page
    assert "counted" in page
