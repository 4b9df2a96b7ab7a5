"""The clock of periodic tasks: many may run, one sends."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from celery import Celery

from pitboss.beat import RETRY_SECONDS, OneBeat


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
def test_a_beat_whose_connection_was_cut_asks_for_the_lock_again(
    make_clock: Callable[[str], Clock],
) -> None:
    first, second = make_clock("first"), make_clock("second")
    assert ticks(first) > 0
    assert first._connection is not None
    first._connection.connection.close()
    assert ticks(second) > 0
    assert ticks(first) == 0
