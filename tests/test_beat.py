"""The clock of periodic tasks: many may run, one sends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from celery import Celery
from django.db import connection

from pitboss.beat import RETRY_SECONDS, OneBeat
from pitboss.models import BeatLease
from pitboss.selectors.record_health import BEAT_SECONDS_MAX, record_parts
from pitboss.services import house
from tests.databases import PROJECT, database_url


class Clock(OneBeat):
    """A beat that counts what it would send."""

    sent = 0

    def apply_async(self, *arguments: object, **options: object) -> None:
        self.sent += 1


@pytest.fixture
def make_clock(tmp_path: Path) -> Iterator[Callable[[str], Clock]]:
    """Return what makes a beat of its own, with one task that is always due."""
    clocks: list[Clock] = []

    def make(name: str) -> Clock:
        app = Celery(broker="memory://", set_as_current=False)
        app.conf.beat_schedule = {"due": {"task": "due", "schedule": 0.0}}
        clocks.append(Clock(app=app, schedule_filename=str(tmp_path / name)))
        return clocks[-1]

    yield make
    for clock in clocks:
        clock.close()


def ticks(clock: Clock, times: int = 3) -> int:
    """Return how many tasks a beat sends in so many looks."""
    before = clock.sent
    for _ in range(times):
        assert clock.tick() <= RETRY_SECONDS
    return clock.sent - before


@pytest.mark.django_db(transaction=True)
def test_of_two_beats_one_sends_and_the_other_takes_over_when_it_is_gone(
    make_clock: Callable[[str], Clock],
) -> None:
    first, second = make_clock("first"), make_clock("second")
    assert ticks(first) > 0
    assert ticks(second) == 0
    first.close()
    assert ticks(second) > 0


@pytest.mark.django_db(transaction=True)
def test_a_beat_whose_connection_was_cut_goes_on_with_its_lease(
    make_clock: Callable[[str], Clock],
) -> None:
    first, second = make_clock("first"), make_clock("second")
    assert ticks(first) > 0
    assert first._connection is not None
    first._connection.connection.close()
    assert ticks(second) == 0
    assert ticks(first) > 0


@pytest.mark.django_db(transaction=True)
def test_a_beat_that_is_frozen_loses_its_lease_and_sends_nothing_when_it_thaws(
    make_clock: Callable[[str], Clock], tmp_path: Path
) -> None:
    log = (tmp_path / "log").open("wb")
    frozen = subprocess.Popen(
        [
            *(sys.executable, "-m", "celery", "-A", "pitboss.celery", "beat"),
            *("--schedule", str(tmp_path / "frozen"), "--pidfile", "", "--loglevel", "INFO"),
        ],
        env=os.environ | {"DATABASE_URL": database_url("", str(connection.settings_dict["NAME"]))},
        cwd=PROJECT,
        stderr=log,
    )
    log.close()
    try:
        await_true(BeatLease.objects.exists)
        holder = BeatLease.objects.get().holder
        other = make_clock("other")
        assert ticks(other) == 0
        frozen.send_signal(signal.SIGSTOP)
        # It keeps its connection and every lock; only its lease runs out.
        assert "beat" in record_parts()
        BeatLease.objects.update(until=house.now() - timedelta(seconds=BEAT_SECONDS_MAX + 1))
        assert record_parts()["beat"] == {"status": "down", "why": "stopped"}
        assert ticks(other) > 0
        assert record_parts()["beat"] == {"status": "ok"}
        frozen.send_signal(signal.SIGCONT)
        sent = (tmp_path / "log").read_bytes()
        time.sleep(RETRY_SECONDS + 1)
        assert (tmp_path / "log").read_bytes() == sent
        assert BeatLease.objects.get().holder == other.holder != holder
    finally:
        frozen.send_signal(signal.SIGCONT)
        frozen.terminate()
        frozen.wait(20)


def await_true(condition: Callable[[], bool], seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not come true"
        time.sleep(0.1)
