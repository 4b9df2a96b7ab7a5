"""Acts side by side: each is held between its reading and its writing.

The acts meet where they judge, after the locks were taken. With the locks only one can be there, so
the meeting times out and the acts run one after the other; without them both would have read.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

import pytest
from django.db import connection, transaction

from pitboss.rules.refusal import Refused
from pitboss.services.locks import lock_table

# How long the first waits for a second that the locks keep away.
MEET_SECONDS = 0.3


def at_once(*acts: Callable[[], Any]) -> list[Any]:
    """Run acts side by side; return what each gave, a refusal as its codes."""

    def attempt(act: Callable[[], Any]) -> Any:
        try:
            return act()
        except Refused as refused:
            return tuple(sorted(set(refused.codes)))
        finally:
            connection.close()

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(attempt, acts))


def hold_before(monkeypatch: pytest.MonkeyPatch, owner: Any, name: str, parties: int = 2) -> None:
    """Make callers of a function wait for each other before it runs, for a moment."""
    function = getattr(owner, name)
    meeting = threading.Barrier(parties)

    def meet_then_call(*args: Any, **kwargs: Any) -> Any:
        with suppress(threading.BrokenBarrierError):
            meeting.wait(timeout=MEET_SECONDS)
        return function(*args, **kwargs)

    monkeypatch.setattr(owner, name, meet_then_call)


def while_held(
    monkeypatch: pytest.MonkeyPatch,
    owner: Any,
    name: str,
    first: Callable[[], Any],
    second: Callable[[], Any],
) -> list[Any]:
    """Run an act while another has called a function and is not committed; return what both gave.

    Where two acts may come in either order, a meeting leaves it to chance what each has read. Here
    the first has written, and the second begins: without a lock it ends before the first does.
    """
    function = getattr(owner, name)
    written, over = threading.Event(), threading.Event()
    held: list[int] = []

    def call_then_wait(*args: Any, **kwargs: Any) -> Any:
        result = function(*args, **kwargs)
        if threading.get_ident() in held:
            written.set()
            over.wait(timeout=MEET_SECONDS)
        return result

    def hold() -> Any:
        held.append(threading.get_ident())
        return first()

    def meanwhile() -> Any:
        assert written.wait(timeout=10), f"nobody called {name}"
        try:
            return second()
        finally:
            over.set()

    monkeypatch.setattr(owner, name, call_then_wait)
    return at_once(hold, meanwhile)


def once_it_waits(act: Callable[[], Any], write: Callable[[], Any], table_id: int) -> Any:
    """Begin an act at a table that another holds; write once it waits; return what it gave."""
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            lock_table(table_id)
            waiting = pool.submit(at_once, act)
            deadline = time.monotonic() + 30
            while not _somebody_waits():
                assert time.monotonic() < deadline, "nothing waited for the table"
                time.sleep(0.01)
            write()
        return waiting.result()[0]


def _somebody_waits() -> bool:
    with connection.cursor() as cursor:
        # Within a transaction the view stays as it was first read.
        cursor.execute("SELECT pg_stat_clear_snapshot()")
        cursor.execute(
            "SELECT FROM pg_stat_activity"
            " WHERE datname = current_database() AND wait_event_type = 'Lock'"
        )
        return bool(cursor.rowcount > 0)


def refusals(results: list[Any]) -> list[tuple[str, ...]]:
    """Return what was refused, each as its codes."""
    return [result for result in results if isinstance(result, tuple)]
