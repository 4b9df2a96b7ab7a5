"""Long play is one alert over tables and days; one rater on most of a patron's play is one too."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from inventory.models import Patron
from pitboss.models import FloorException, Person, Table
from pitboss.services import house
from tables.models import PlayRating, RatingMoney
from tables.services.play_watch import watch_play
from tests.floor.cast import Cast, ServerClock, refused
from tests.floor.house import change
from tests.floor.ratings import add_patron, know_edge, left, look, open_tables, seat

pytestmark = pytest.mark.django_db


@pytest.fixture
def ana(cast: Cast, server_clock: ServerClock) -> Patron:
    open_tables(cast.table, cast.other_table)
    return add_patron(cast)


def stay(
    patron: Patron, table: Table, began: datetime, ended: datetime | None, by: Person
) -> PlayRating:
    when = house.period_at(began)
    rating = PlayRating.objects.create(
        table=table,
        patron=patron,
        began_at=began,
        began_by=by,
        gaming_day=when.gaming_day,
        shift=when.shift,
    )
    if ended is not None:
        rating.ended_at, rating.end, rating.ended_by = ended, "left", by
        rating.save(update_fields=["ended_at", "end", "ended_by"])
    return rating


def test_a80_a_run_over_two_tables_and_a_turn_of_the_day_is_one_alert(
    cast: Cast, ana: Patron, server_clock: ServerClock
) -> None:
    now = house.now()
    stay(ana, cast.table, now - timedelta(hours=6), now - timedelta(hours=3), cast.alice)
    stay(ana, cast.other_table, now - timedelta(hours=2, minutes=50), None, cast.bob)
    assert watch_play() == 1
    server_clock.move(minutes=30)
    assert watch_play() == 0
    alert = FloorException.objects.get(code="play_time")
    assert "without a break" in alert.sentence
    assert "enter who did" in alert.sentence


def test_a_break_of_a_quarter_hour_ends_a_run(cast: Cast, ana: Patron) -> None:
    now = house.now()
    stay(ana, cast.table, now - timedelta(hours=6), now - timedelta(hours=3), cast.alice)
    stay(ana, cast.other_table, now - timedelta(hours=2, minutes=45), None, cast.bob)
    assert watch_play() == 0


def test_a80_twelve_hours_in_a_day_bar_the_next_rating_where_the_house_says_so(
    cast: Cast, ana: Patron, server_clock: ServerClock
) -> None:
    now = house.now()
    for hours in (20, 10):
        began = now - timedelta(hours=hours)
        stay(ana, cast.table, began, began + timedelta(hours=6), cast.alice)
    change(cast, "alert.does", "bars")
    with refused("break_due", journal=("rating_refused",)):
        seat(cast, ana)


def test_a66_one_rater_on_most_of_a_patrons_play_is_an_exception(cast: Cast, ana: Patron) -> None:
    now = house.now()
    for number in range(9):
        began = now - timedelta(days=number + 1)
        stay(ana, cast.table, began, began + timedelta(minutes=30), cast.alice)
    assert watch_play() == 0
    stay(ana, cast.table, now - timedelta(minutes=40), now - timedelta(minutes=1), cast.bob)
    assert watch_play() == 1
    assert watch_play() == 0
    floor_exception = FloorException.objects.get(code="one_rater")
    assert floor_exception.sentence.startswith("A. Aliceson made 9 of 10 ratings of Ana Ruiz")


def test_a_loss_over_the_limit_of_the_house_is_one_alert(
    cast: Cast, ana: Patron, server_clock: ServerClock
) -> None:
    change(cast, "alert.loss", "500")
    server_clock.move(minutes=1)
    know_edge(cast.table)
    for walked in (0, 0):
        rating = seat(cast, ana)
        look(cast, rating, 5_000)
        RatingMoney.objects.create(
            rating=rating, kind="cheques", amount_cents=25_000, at=house.now()
        )
        server_clock.move(minutes=10)
        left(cast, rating, walked_cents=walked)
        opened = watch_play()
    assert opened == 1
    assert watch_play() == 0
    alert = FloorException.objects.get(code="play_time")
    assert alert.sentence == f"{ana} has lost $500 today. Speak to them, and enter who did."
