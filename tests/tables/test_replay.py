"""Replay: the board as it was then, from what was written then, to who may read it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from pitboss.models import Slip, Table
from pitboss.rules.roles import Place, Role
from pitboss.services import house
from tables.selectors.replay import board_then
from tests.floor.cast import Cast, ServerClock
from tests.floor.estimates import opened
from tests.floor.tablets import period_now, signed_in, words

pytestmark = pytest.mark.django_db


def tile(cast: Cast, at: Any) -> dict[str, Any]:
    tiles = board_then(cast.pit, at, Role.SUPERVISOR)
    return next(item for item in tiles if item["name"] == cast.table.name)


def test_each_minute_is_as_it_was_then(cast: Cast, server_clock: ServerClock) -> None:
    before = house.now()
    opened(cast, server_clock)
    open_at = house.now()
    server_clock.move(minutes=10)
    fill = cast.ask({2_500: 20})
    server_clock.move(minutes=5)
    asked_at = house.now()
    server_clock.move(minutes=5)
    cast.deliver(fill)
    server_clock.move(minutes=5)
    closed = cast.close_table({10_000: 20, 2_500: 40})
    assert closed.status == "done"
    now = house.now()

    assert not tile(cast, before - timedelta(minutes=1))["is_open"]
    then = tile(cast, open_at)
    assert (then["is_open"], then["items"], then["state"]["word"]) == (True, [], "Open")
    assert then["dealer"]
    asked = tile(cast, asked_at)
    assert [item["title"] for item in asked["items"]] == ["Fill $500"]
    assert "cashier" in asked["items"][0]["words"]
    after = tile(cast, now)
    assert (after["is_open"], after["items"]) == (False, [])


def test_the_page_shows_a_minute_and_what_happened_until_then(
    cast: Cast, server_clock: ServerClock
) -> None:
    opened(cast, server_clock)
    cast.ask({2_500: 20})
    server_clock.move(minutes=30)
    day = period_now().gaming_day.isoformat()
    client, url = signed_in(cast.alice, cast), reverse("pit-replay", args=[cast.pit.pk])
    # 06:00 is minute 0: 10:00 is the end of minute 239.
    early = words(client.get(url, {"day": day, "minute": "200", "table": "BJ-11"}))
    assert ">09:21</b>" in early
    assert "Fill $500" not in early
    late = words(client.get(url, {"day": day, "minute": "245", "table": "BJ-11"}))
    assert ">10:06</b>" in late
    assert "Fill $500: requested" in late
    assert "Cheques" not in late
    assert 'method="post"' not in late.partition("<main")[2].partition("</main>")[0], "read only"
    newest = words(client.get(url))
    assert f">{house.now().astimezone(house.the_property().zone):%H:%M}</b>" in newest
    assert words(client.get(url, {"minute": "99999"})).count(">10:30</b>") == 1


def test_a_day_to_come_or_long_past_is_not_replayed(cast: Cast) -> None:
    client, url = signed_in(cast.alice, cast), reverse("pit-replay", args=[cast.pit.pk])
    today = period_now().gaming_day
    for days, status in ((0, 200), (-6, 200), (-7, 404), (1, 404)):
        day = (today + timedelta(days=days)).isoformat()
        assert client.get(url, {"day": day}).status_code == status, days
    assert client.get(url, {"day": "yesterday"}).status_code == 404
    assert client.get(reverse("pit-replay", args=[987654])).status_code == 404


def test_replay_is_for_who_watches_or_supervises(cast: Cast) -> None:
    url = reverse("pit-replay", args=[cast.pit.pk])
    assert signed_in(cast.ivan, cast, Place.SURVEILLANCE).get(url).status_code == 200
    assert signed_in(cast.erin, cast, Place.CAGE).get(url).status_code == 403
    assert signed_in(cast.frank, cast, Place.SECURITY).get(url).status_code == 403
    go = signed_in(cast.alice, cast).get(reverse("replay"))
    assert go.headers["Location"] == url
    assert url in words(signed_in(cast.alice, cast).get(reverse("pit-board", args=[cast.pit.pk])))


def test_a_replay_asks_as_much_for_forty_tables_as_for_two(cast: Cast) -> None:
    at = house.now()
    with CaptureQueriesContext(connection) as few:
        board_then(cast.pit, at, Role.SUPERVISOR)
    Table.objects.bulk_create(
        Table(
            name=f"X-{index}",
            pit=cast.pit,
            game="classic",
            minimum_cents=2_500,
            maximum_cents=300_000,
            par={},
        )
        for index in range(40)
    )
    with CaptureQueriesContext(connection) as many:
        board_then(cast.pit, at, Role.SUPERVISOR)
    assert len(few) == len(many) == 3
    assert not Slip.objects.exists()
