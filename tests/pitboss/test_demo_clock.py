"""The demo's clock: it goes on with every pen, never back, and never past the real time."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from django.test import override_settings
from django.utils import timezone

from pitboss.demo_clock import (
    EVENING_HOUR,
    evening_zone,
    in_the_past,
    let_time_pass,
    side_by_side,
)
from pitboss.services import house
from tests.databases import as_superuser

MINUTE = timedelta(minutes=1)


@pytest.mark.parametrize("hour", range(24))
def test_it_is_evening_wherever_the_demo_is_loaded(hour: int) -> None:
    now = datetime(2026, 5, 1, hour, 40, tzinfo=UTC)
    assert now.astimezone(ZoneInfo(evening_zone(now))).hour == EVENING_HOUR


def test_time_passes_with_every_pen_and_is_real_again_afterwards() -> None:
    real = timezone.now
    began = real() - timedelta(days=3)
    with in_the_past() as clock:
        clock.put(began, pace=MINUTE)
        assert house.now() == began
        let_time_pass()
        assert house.now() == began + MINUTE
        clock.put(began - MINUTE, pace=2 * MINUTE)
        let_time_pass()
        assert house.now() == began + 3 * MINUTE
    assert timezone.now is real
    let_time_pass()


def test_the_past_does_not_run_into_the_future() -> None:
    with in_the_past() as clock:
        clock.put(clock.began - MINUTE, pace=timedelta(hours=1))
        let_time_pass()
        assert clock.began <= house.now() < clock.began + MINUTE


@override_settings(PITBOSS_ENV="production")
def test_a_real_house_has_one_clock() -> None:
    with pytest.raises(AssertionError), in_the_past():
        pass


def ask() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")


@pytest.mark.django_db(transaction=True)
def test_a_worker_asks_on_no_connection_that_its_parent_left_open(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")

    async def with_a_loop_in_this_thread() -> None:
        side_by_side(ask, ask)

    def leave_one_open_and_go_on() -> None:
        ask()
        left = connection.connection
        with as_superuser() as superuser:
            superuser.execute("SELECT pg_terminate_backend(%s, 5000)", [left.info.backend_pid])
        try:
            asyncio.run(with_a_loop_in_this_thread())
            assert connection.connection is left, "the parent closed it: this proves nothing"
        finally:
            connection.close()

    # In a thread of its own, for a browser may have left its loop in this one.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(leave_one_open_and_go_on).result()
