"""Estimated win from real slips, buy-ins and rounds, on the board and by hour."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from pitboss.models import Table
from pitboss.rules.day.win_estimate import Estimate, EstimateBasis
from pitboss.rules.roles import Place
from pitboss.services import house
from tables.models import DropEstimate, Round
from tables.reports.win import table_report
from tables.selectors.game_past import pasts_before
from tables.selectors.win_estimates import SoFar, estimates_of, so_far
from tables.services.drops import estimate_drop
from tests.floor.cage import send_credit
from tests.floor.cash_log import log, make_patron, take_back
from tests.floor.cast import Cast, ServerClock
from tests.floor.drop_box import count_and_post, count_tray, pull
from tests.floor.estimates import LESS, opened, settle
from tests.floor.markers import grant, lend, pay
from tests.floor.markers import make_patron as patron_on_file
from tests.floor.tablets import period_now, signed_in, words

pytestmark = pytest.mark.django_db


def estimated(cast: Cast) -> Estimate:
    now = house.now()
    clock = house.the_property().clock_at(now)
    since = house.day_span(period_now().gaming_day)[0]
    table = Table.objects.get(pk=cast.table.pk)
    pasts = pasts_before(period_now().gaming_day, house.settings_at(now))
    return estimates_of([table], clock, since, now, pasts)[table.pk]


def today(cast: Cast) -> SoFar | None:
    return so_far(estimated(cast), house.day_span(period_now().gaming_day)[0], house.now())


def test_the_estimate_of_a_counted_stretch_is_the_final_win_with_the_estimated_cash(
    cast: Cast, server_clock: ServerClock
) -> None:
    opened(cast, server_clock)
    cast.deliver(cast.ask({10_000: 10}))
    server_clock.move(minutes=30)
    send_credit(cast, {2_500: 10})
    server_clock.move(minutes=30)
    estimate_drop(table=cast.table, cash_cents=190_000, pen=cast.pen(cast.alice))
    server_clock.move(minutes=1)
    closer = cast.close_table({10_000: 16, 2_500: 10})
    table = Table.objects.get(pk=cast.table.pk)
    report = table_report(table, closer.gaming_day)
    assert report.estimated is not None
    # 1,850 + 250 + 1,900 - 2,500 - 1,000
    assert report.estimated.win_cents == 50_000
    assert today(cast) == SoFar(50_000, 190_000)
    count_and_post(cast, pull(cast), {"cash_10000": 190_000})
    assert table_report(table, closer.gaming_day).final_cents == 50_000


def test_cash_paid_on_a_marker_at_the_table_is_in_the_box_but_not_won(
    cast: Cast, server_clock: ServerClock
) -> None:
    opened(cast, server_clock)
    ana = patron_on_file(cast)
    grant(cast, ana, 500_000)
    lend(cast, ana, 50_000)
    server_clock.move(minutes=10)
    pay(cast, ana, cash_cents=20_000)
    server_clock.move(minutes=10)
    estimate_drop(table=cast.table, cash_cents=100_000, pen=cast.pen(cast.alice))
    server_clock.move(minutes=1)
    closer = cast.close_table({10_000: 8, 2_500: 20})
    report = table_report(Table.objects.get(pk=cast.table.pk), closer.gaming_day)
    assert report.estimated is not None
    # 1,300 + 1,000 + 500 - 200 - 2,500
    assert report.estimated.win_cents == 10_000
    assert today(cast) == SoFar(10_000, 130_000)


def test_a_table_that_nobody_estimated_shows_no_loss_for_cheques_it_sold(
    cast: Cast, server_clock: ServerClock
) -> None:
    opened(cast, server_clock)
    count_tray(cast, LESS)
    assert today(cast) is None
    assert [part.basis for part in estimated(cast).parts] == [
        EstimateBasis.UNKNOWN,
        EstimateBasis.UNKNOWN,
    ]
    settle(cast, 20_000, 100_000)
    part = estimated(cast).parts[0]
    # $500 left the tray; at 20% the box took $625.
    assert (part.basis, sum(span.cents for span in part.win)) == (EstimateBasis.EXPECTED, 12_500)


def test_buy_ins_count_once_and_a_reversal_takes_them_back(
    cast: Cast, server_clock: ServerClock
) -> None:
    opened(cast, server_clock)
    ana = make_patron(cast)
    log(cast, ana, 3_000)
    entry = log(cast, ana, 1_000)
    server_clock.move(minutes=1)
    take_back(cast, entry)
    server_clock.move(minutes=1)
    settle(cast, 20_000, 100_000)
    table = estimated(cast)
    day = house.day_span(period_now().gaming_day)
    assert table.drop_cents(*day) == 300_000
    assert table.win_cents(*day) == 60_000


def test_rounds_since_the_last_count_are_reported_and_known_to_now(
    cast: Cast, server_clock: ServerClock
) -> None:
    opened(cast, server_clock)
    estimate_drop(table=cast.table, cash_cents=60_000, pen=cast.pen(cast.alice))
    count_tray(cast, LESS)
    counted = house.now()
    server_clock.move(minutes=30)
    assert today(cast) == SoFar(10_000, 60_000, known_until=counted)
    for outcome, cents in (("settled", 7_500), ("partly_settled", -2_000), ("aborted", 99)):
        Round.objects.create(
            table=cast.table,
            terminal=cast.devices[Place.PIT],
            started_at=house.now(),
            ended_at=house.now(),
            outcome=outcome,
            verdict={"house_cents": cents},
            log={},
        )
    server_clock.move(minutes=5)
    assert today(cast) == SoFar(15_500, 60_000)


def test_past_estimates_say_how_far_an_estimate_is_off(
    cast: Cast, server_clock: ServerClock
) -> None:
    settle(cast, 20_000, 100_000, guessed=30_000)
    past = next(
        iter(pasts_before(period_now().gaming_day, house.settings_at(house.now())).values())
    )
    assert past.missed is not None
    assert float(past.missed) == pytest.approx(0.01)
    settle_less = pasts_before(
        period_now().gaming_day - timedelta(days=39), house.settings_at(house.now())
    )
    assert [item.experience for item in settle_less.values()] == [None]


def test_a_tile_shows_the_estimate_to_who_may_read_win_and_to_no_passer_by(
    cast: Cast, server_clock: ServerClock
) -> None:
    opened(cast, server_clock)
    estimate_drop(table=cast.table, cash_cents=60_000, pen=cast.pen(cast.alice))
    count_tray(cast, LESS)
    server_clock.move(minutes=5)
    url = reverse("pit-board", args=[cast.pit.pk])
    page = words(signed_in(cast.alice, cast).get(url))
    assert "+$100" in page
    assert "16.7%" in page
    watch = words(signed_in(cast.ivan, cast, Place.SURVEILLANCE).get(url))
    assert "Win est." not in watch
    assert "+$100" not in watch


def test_the_estimate_of_two_hundred_tables_is_one_query(
    cast: Cast, django_assert_num_queries: Any
) -> None:
    Table.objects.bulk_create(
        Table(
            name=f"X-{index}",
            pit=cast.pit,
            game="classic",
            minimum_cents=2_500,
            maximum_cents=300_000,
            par={},
        )
        for index in range(200)
    )
    tables = list(Table.objects.all())
    now = house.now()
    DropEstimate.objects.bulk_create(
        DropEstimate(
            table=table,
            gaming_day=period_now().gaming_day,
            shift=period_now().shift,
            cash_cents=1,
            keyed_by=cast.alice,
            keyed_at=now,
            request_id=uuid4(),
        )
        for table in tables
    )
    clock = house.the_property().clock_at(now)
    with django_assert_num_queries(1):
        found = estimates_of(tables, clock, now - timedelta(hours=8), now)
    assert len(found) == len(tables)
    assert all(estimate.parts == () for estimate in found.values())


def test_the_board_asks_one_query_for_what_all_its_tables_won(cast: Cast) -> None:
    client = signed_in(cast.alice, cast)
    url = reverse("pit-board", args=[cast.pit.pk])
    with CaptureQueriesContext(connection) as captured:
        client.get(url)
    assert sum("tables_dropestimate" in item["sql"] for item in captured) == 1
