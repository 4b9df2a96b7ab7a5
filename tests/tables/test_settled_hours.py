"""Hours of closed days in ink: what is settled when, that it adds up, and who reads it."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction
from django.test.utils import CaptureQueriesContext

from inventory.models import TrayCount
from pitboss.models import JournalEntry
from pitboss.reports.book import BOOK
from pitboss.reports.report import Report, ReportChoice
from pitboss.services import house
from pitboss.services.verification import verify
from pitboss.slips.kind import the_kind
from pitboss.slips.raising import raise_kind, shown_before
from tables.models import FiguresAwaited, PlayRating, RatingFigures, SettledHours
from tables.selectors.settled_hours import settled_seat_seconds, yields_between
from tables.selectors.yields import history_at
from tables.services.rating_ends import write_due_figures
from tables.services.settled_hours import due_days, settle_due_hours
from tests.floor.cast import Cast, ServerClock
from tests.floor.days import close_the_day
from tests.floor.drop_box import count_and_post, pull
from tests.floor.ratings import add_patron, know_edge, left, look, seat, tell_round
from tests.floor.terminals import make_terminal

pytestmark = pytest.mark.django_db
TRAY = {10_000: 20, 2_500: 20}


@pytest.fixture
def floor(cast: Cast, server_clock: ServerClock) -> Cast:
    """A table opened by its count, with the edge of its game known."""
    cast.deliver(cast.ask(TRAY))
    cast.open_table(TRAY)
    know_edge(cast.table)
    return cast


def _played(floor: Cast, server_clock: ServerClock) -> tuple[date, list[PlayRating]]:
    """Let two stays go over two hours with a side bet, and a terminal tell one round."""
    day = house.period_at(house.now()).gaming_day
    ana = seat(floor, add_patron(floor), 1)
    look(floor, ana, 2_500, {"trilux": 500})
    server_clock.move(minutes=25)
    look(floor, ana, 2_500, {"trilux": 500})
    server_clock.move(minutes=25)
    bob = seat(floor, add_patron(floor, "Diaz"), 2)
    look(floor, bob, 10_000)
    look(floor, ana, 2_500, {"trilux": 500})
    server_clock.move(minutes=20)
    tell_round(make_terminal(floor.table), floor.table, house.now(), {1: {"blackjack": 2_500}})
    for rating in (ana, bob):
        look(floor, rating, 5_000)
        server_clock.move(minutes=5)
        left(floor, rating)
    return day, [ana, bob]


def _close(floor: Cast, server_clock: ServerClock, day: date) -> None:
    """Close the table, count its box, and close the day on the morning after."""
    floor.close_table(TRAY)
    count_and_post(floor, pull(floor), {"cash_10000": 0})
    server_clock.move(days=1)
    close_the_day(floor, day)


def test_the_hours_of_a_closed_day_add_up_to_its_ratings(
    floor: Cast, server_clock: ServerClock
) -> None:
    day, ratings = _played(floor, server_clock)
    assert settle_due_hours() == 0
    _close(floor, server_clock, day)
    assert due_days() == [day]
    with CaptureQueriesContext(connection) as queries:
        assert settle_due_hours() == 1
    row = SettledHours.objects.get()
    figures = RatingFigures.objects.filter(rating__in=ratings)
    assert row.theo_cents == sum(figure.theo_cents or 0 for figure in figures) > 0
    assert row.rated_seconds == sum(figure.seconds for figure in figures)
    assert set(row.theo) == {"blackjack", "trilux"}
    assert (row.seat_seconds, row.rounds) == (75 * 60 + 30 * 60, 1)
    opened, closed = TrayCount.objects.order_by("at").values_list("at", flat=True)
    assert row.open_seconds == int((closed - opened).total_seconds())
    assert len(row.hours) >= 2
    for part in row.hours.values():
        assert part["seats"] >= part["rated"]
        assert part["labor"] is None
    # The house is read a fixed number of times, however many hours: every table is locked.
    assert (
        len(
            [
                captured_query
                for captured_query in queries.captured_queries
                if "pitboss_property" in captured_query["sql"]
            ]
        )
        == 2
    )
    # Nothing is due again, and the journal vouches for the row.
    assert settle_due_hours() == 0
    assert JournalEntry.objects.filter(kind="hours_settled").count() == 1
    assert verify().is_sound


def test_an_hour_that_differs_from_its_total_is_refused_and_none_is_changed(
    floor: Cast, server_clock: ServerClock
) -> None:
    day, _ = _played(floor, server_clock)
    _close(floor, server_clock, day)
    settle_due_hours()
    row = SettledHours.objects.get()
    for change in (
        {"theo_cents": row.theo_cents + 1},
        {"theo": {**row.theo, "blackjack": 0}},
        {"seat_seconds": row.seat_seconds - 1},
        {"action_cents": 0},
        {"labor_cents": 5},
        {"gaming_day": day - timedelta(days=1)},
        {"revision": 2},
    ):
        with pytest.raises(DatabaseError), transaction.atomic():
            SettledHours.objects.create(**(_fields(row) | change))
    with pytest.raises(DatabaseError), transaction.atomic():
        SettledHours.objects.update(rounds=7)
    SettledHours.objects.create(**_fields(row))


def _fields(row: SettledHours) -> dict[str, Any]:
    fields = {
        concrete_field.attname: getattr(row, concrete_field.attname)
        for concrete_field in SettledHours._meta.concrete_fields
        if concrete_field.attname != "id"
    }
    return fields | {"revision": row.revision + 1}


def test_a_rating_that_still_waits_for_its_edge_keeps_its_day_waiting(
    cast: Cast, server_clock: ServerClock
) -> None:
    cast.deliver(cast.ask(TRAY))
    cast.open_table(TRAY)
    day = house.period_at(house.now()).gaming_day
    rating = seat(cast, add_patron(cast))
    look(cast, rating, 2_500)
    server_clock.move(minutes=5)
    left(cast, rating)
    assert FiguresAwaited.objects.get().rating == rating
    _close(cast, server_clock, day)
    # It is not due meanwhile: however many days wait so, they keep no other from its turn.
    assert due_days() == []
    know_edge(cast.table)
    with CaptureQueriesContext(connection) as asked:
        assert write_due_figures() == 1
    # The worker asks what waits, never which of all ratings has no figures.
    assert "figuresawaited" in asked.captured_queries[0]["sql"]
    assert not FiguresAwaited.objects.exists()
    assert write_due_figures() == 0
    assert settle_due_hours() == 1


def test_a_correction_outdates_the_hours_of_its_day(floor: Cast, server_clock: ServerClock) -> None:
    day, (ana, _) = _played(floor, server_clock)
    _close(floor, server_clock, day)
    settle_due_hours()
    first = ana.figures.get()
    server_clock.move(minutes=1)
    void = replace(the_kind("rating_void").at(rating=ana), badge=floor.alice.badge)
    pen = floor.pen(floor.alice)
    slip = raise_kind(void, pen=pen, shown=shown_before(void), reason="Not this player.")
    floor.sign(slip, "witnessed", floor.carol)
    assert due_days() == [day]
    assert settle_due_hours() == 1
    before, after = SettledHours.objects.order_by("revision")
    assert after.revision == 1
    assert after.theo_cents == before.theo_cents - (first.theo_cents or 0)
    assert due_days() == []
    # What was revised counts once.
    assert _by_table(BOOK["yield"].make(ReportChoice(day, day)))[0][4] == after.theo_cents


def test_what_a_year_is_summed_from_lies_in_the_index(db: None) -> None:
    day = date(2026, 5, 1)
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off")
    with CaptureQueriesContext(connection) as asked:
        yields_between(day - timedelta(days=365), day, None)
    summed = next(
        captured_query["sql"]
        for captured_query in asked.captured_queries
        if "SUM(" in captured_query["sql"]
    )
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN {summed}")
        plan = [line for (line,) in cursor.fetchall() if " on tables_settledhours" in line]
    assert plan
    assert all("Index Only Scan using hours_settled_once_a_revision" in line for line in plan)


def test_the_report_reads_settled_days_from_their_hours_and_others_from_their_ratings(
    floor: Cast, server_clock: ServerClock
) -> None:
    day, _ = _played(floor, server_clock)
    _close(floor, server_clock, day)
    choice = ReportChoice(day - timedelta(days=300), day)
    before = _by_table(BOOK["yield"].make(choice))
    settle_due_hours()
    with CaptureQueriesContext(connection) as asked:
        after = _by_table(BOOK["yield"].make(choice))
    # Rated time and theo are the same either way; what was not settled had no open time.
    assert [row[3:6] for row in before] == [row[3:6] for row in after] != []
    assert not [
        captured_query
        for captured_query in asked.captured_queries
        if "ratingfigures" in captured_query["sql"]
    ]
    hours = BOOK["yield"].make(ReportChoice(day, day)).sections[1].rows
    theo = [row.cells[4].value for row in hours]
    assert sum(item for item in theo if isinstance(item, int)) == after[0][4]


def _by_table(made: Report) -> list[Any]:
    return [[cell.value for cell in row.cells] for row in made.sections[0].rows]


def test_past_weeks_are_read_from_settled_hours(floor: Cast, server_clock: ServerClock) -> None:
    begins = house.now().replace(minute=0, second=0, microsecond=0)
    day, _ = _played(floor, server_clock)
    held = settled_seat_seconds([floor.table], begins)
    assert held is None
    at = begins + timedelta(weeks=1)
    before = history_at([floor.table], at, 1)
    _close(floor, server_clock, day)
    settle_due_hours()
    assert (
        settled_seat_seconds([floor.table], begins)
        == SettledHours.objects.get().hours[begins.isoformat()]["seats"]
    )
    with CaptureQueriesContext(connection) as asked:
        assert history_at([floor.table], at, 1) == before
    assert not [
        captured_query
        for captured_query in asked.captured_queries
        if "seatheld" in captured_query["sql"]
    ]
