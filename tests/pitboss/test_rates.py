"""How often somebody may ask: once for all processes, and still when Redis is away."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.conf import settings
from django.db import connection

from pitboss import rates

pytestmark = pytest.mark.django_db


def taken(who: str, times: int, at: float = 1_000.0) -> int:
    return sum(rates.take(who, a_minute=60, at=at).wait_seconds == 0 for _ in range(times))


def test_a_bucket_empties_fills_evenly_and_says_how_long_to_wait() -> None:
    assert taken("a", 70) == 60
    assert rates.take("a", a_minute=60, at=1_000.0).wait_seconds == pytest.approx(1)
    assert taken("a", 5, at=1_002.0) == 2
    assert taken("b", 1) == 1


def test_threads_share_one_bucket() -> None:
    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(lambda _: taken_in_a_thread(), range(4))) == 60


def taken_in_a_thread() -> int:
    return taken("threads", 40)


def test_another_process_finds_the_bucket_as_this_one_left_it() -> None:
    assert taken("two", 50) == 50
    asks = (
        "import django; django.setup()\n"
        "from django.db import connection\n"
        "from pitboss import rates\n"
        f"connection.settings_dict['NAME'] = {connection.settings_dict['NAME']!r}\n"
        "print(sum(rates.take('two', a_minute=60, at=1000.0).wait_seconds == 0 for _ in range(50)))"
    )
    other = subprocess.run(
        [sys.executable, "-c", asks], capture_output=True, text=True, check=True, timeout=120
    )
    assert other.stdout.strip() == "10"
    assert taken("two", 5) == 0


def test_while_redis_is_away_each_process_still_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "BROKER_URL", "redis://127.0.0.1:1/0")
    rates._redis.cache_clear()
    try:
        assert taken("c", 70) == 60
    finally:
        monkeypatch.undo()
        rates._redis.cache_clear()
        rates.forget()
    assert taken("c", 70) == 60
