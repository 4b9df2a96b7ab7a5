"""The demo's past: a clock that stands in it, while its people sign what they signed then.

A history is signed like anything else, only the time is an earlier one. It is told to the process
that loads the demo, and to its workers, and to nothing that serves anyone.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from multiprocessing import get_context

from django.conf import settings
from django.db import connection, connections
from django.utils import timezone

from pitboss.embedded.processes import die_with_parent
from pitboss.rules.refusal import Refused

# At which hour the house's own clock stands when the demo is loaded: tables are full by then.
EVENING_HOUR = 20
_FORK = get_context("fork")
_SECOND = 1_000_000


def evening_zone(now: datetime) -> str:
    """Return a time zone in which it is evening now.

    >>> evening_zone(datetime(2026, 5, 1, 3, 20, tzinfo=UTC))
    'Etc/GMT+7'
    >>> evening_zone(datetime(2026, 5, 1, 10, 20, tzinfo=UTC))
    'Etc/GMT-10'
    """
    ahead = (EVENING_HOUR - now.astimezone(UTC).hour + 12) % 24 - 12
    # The names of these zones count hours behind Greenwich.
    return f"Etc/GMT{-ahead:+d}"


class DemoClock:
    """Stand where it was put, and go on by its pace with every pen that is taken up.

    All workers read the same hand, so that the pages of a shared desk follow each other in time.
    """

    def __init__(self) -> None:
        self._hand = _FORK.Value("q", 0)
        self._pace = _FORK.Value("q", _SECOND)
        self._real = timezone.now
        self.began = self._real()

    def put(self, at: datetime, *, pace: timedelta) -> None:
        """Stand at a time, if it is not earlier than the last; go on by this pace."""
        with self._hand.get_lock():
            self._hand.value = max(self._hand.value, _microseconds(at))
            self._pace.value = _microseconds(datetime.fromtimestamp(0, UTC) + pace)

    def catch_up(self, before: timedelta, *, pace: timedelta) -> None:
        """Stand so long before the real time, however long loading took until here."""
        self.put(self._real() - before, pace=pace)

    def go_on(self) -> None:
        """Let a little time pass, but never more than has passed."""
        with self._hand.get_lock():
            moved = self._hand.value + self._pace.value
            self._hand.value = max(self._hand.value, min(moved, _microseconds(self._real())))

    def read(self) -> datetime:
        """Return the time."""
        return datetime.fromtimestamp(0, UTC) + timedelta(microseconds=self._hand.value)


def _microseconds(at: datetime) -> int:
    return (at - datetime.fromtimestamp(0, UTC)) // timedelta(microseconds=1)


_running: DemoClock | None = None


@contextmanager
def in_the_past() -> Iterator[DemoClock]:
    """Let this process, and the workers it starts, live by the demo's clock."""
    global _running
    assert settings.PITBOSS_ENV in ("demo", "test"), "a real house has one clock"
    real = timezone.now
    _running = clock = DemoClock()
    timezone.now = clock.read
    try:
        yield clock
    finally:
        timezone.now = real
        _running = None


def let_time_pass() -> None:
    """Go on by one step of the demo's clock, while it is told."""
    if _running is not None:
        _running.go_on()


def side_by_side(*parts: Callable[[], object]) -> None:
    """Do the parts at once, each in a process of its own: two pits work side by side.

    A worker whose parent was killed would wait for its next part for ever, so it dies with it.
    """
    connections.close_all()
    end = die_with_parent(signal.SIGKILL)
    with ProcessPoolExecutor(
        len(parts), mp_context=_FORK, initializer=_begin, initargs=(end,)
    ) as workers:
        for part in [workers.submit(_alone, part) for part in parts]:
            part.result()


# Kept until the worker ends: to close one would say goodbye on a socket that is its parent's.
_inherited: list[object] = []


def _begin(end_with_parent: Callable[[], None]) -> None:
    """Let a new worker begin with connections of its own, whatever its parent left open.

    Django keeps one set of them for a thread, and another for the same thread while an event loop
    runs in it. No loop runs in a fork, so its worker has the other set than its parent closed.
    """
    end_with_parent()
    for base_database_wrapper in connections.all(initialized_only=True):
        _inherited.append(base_database_wrapper.connection)
        base_database_wrapper.connection = None


def _alone(part: Callable[[], object]) -> None:
    try:
        hurry()
        part()
    except Refused as refused:
        # A refusal goes over to no other process as it is.
        raise AssertionError(f"the demo was refused: {refused}") from refused
    finally:
        connections.close_all()


def hurry() -> None:
    """Let this connection not wait for the disk, and wait for the other pit however long it takes.

    A demo whose loading is cut short is loaded again from empty.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "SET synchronous_commit = off; SET lock_timeout = 0; SET statement_timeout = 0"
        )
