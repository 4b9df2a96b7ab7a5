"""What Prometheus reads of a house as it is now: what waits, what is queued, how the record is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.db import Error, connection, connections
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector
from redis import Redis, RedisError

from pitboss.rates import address_of
from pitboss.selectors.record_health import record_parts
from pitboss.standby import find_standby, has_standby, is_read

QUEUES = ("celery", "seals", "verification")
_WAITING = """
    SELECT role, count(*), EXTRACT(epoch FROM clock_timestamp() - min(since))::float8
    FROM pitboss_waiting, unnest(by) AS role
    WHERE until IS NULL GROUP BY role
"""
_HEART = "SELECT EXTRACT(epoch FROM now() - max(beat_at))::float8 FROM pitboss_workerheartbeat"


class HouseCollector(Collector):
    """Asks the database and Redis each time that Prometheus asks."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        try:
            gauges = list(_of_the_database())
        except Error:
            gauges = []
        finally:
            connections.close_all()
        yield _gauge("pitboss_database_up", "1 where the database answers", float(bool(gauges)))
        yield from gauges
        yield from _of_the_queues()


def _of_the_database() -> Iterator[GaugeMetricFamily]:
    waiting = GaugeMetricFamily("pitboss_waiting", "Steps that wait, by role", labels=["role"])
    oldest = GaugeMetricFamily(
        "pitboss_waiting_oldest_seconds", "Age of the oldest of them", labels=["role"]
    )
    with connection.cursor() as cursor:
        cursor.execute(_WAITING)
        for role, count, seconds in cursor.fetchall():
            waiting.add_metric([role], count)
            oldest.add_metric([role], seconds)
        cursor.execute(_HEART)
        (heart,) = cursor.fetchone()
    yield from (waiting, oldest)
    if heart is not None:
        yield _gauge("pitboss_worker_seen_seconds", "Since a worker was seen", heart)
    well = GaugeMetricFamily("pitboss_record_ok", "1 where the record is kept", labels=["part"])
    for part, told in record_parts().items():
        well.add_metric([part], told["status"] == "ok")
        yield from _age(part, told)
    yield well
    if has_standby():
        yield from _of_the_standby()


def _of_the_standby() -> Iterator[GaugeMetricFamily]:
    state = find_standby()
    yield _gauge(
        "pitboss_read_standby_up",
        "1 where reports are read from the standby, 0 where they fall back to the primary",
        float(is_read(state)),
    )
    if state.behind_seconds is not None:
        words = "By how much the standby that reports are read from is behind"
        yield _gauge("pitboss_read_standby_lag_seconds", words, state.behind_seconds)


def _age(part: str, told: dict[str, Any]) -> Iterator[GaugeMetricFamily]:
    if told.get("last_seconds") is not None:
        name = {"sealing": "seal", "verification": "verified"}[part]
        yield _gauge(f"pitboss_{name}_age_seconds", f"Age of the last {part}", told["last_seconds"])


def _of_the_queues() -> Iterator[GaugeMetricFamily]:
    lengths = GaugeMetricFamily("pitboss_queue_length", "Messages waiting", labels=["queue"])
    broker = Redis.from_url(
        address_of(settings.BROKER_URL), socket_connect_timeout=1, socket_timeout=1
    )
    try:
        for queue in QUEUES:
            told: Any = broker.llen(queue)
            lengths.add_metric([queue], told)
        is_up = 1.0
    except (RedisError, ValueError):
        is_up = 0.0
    finally:
        broker.close()
    yield _gauge("pitboss_broker_up", "1 where Redis answers", is_up)
    yield lengths


def _gauge(name: str, words: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(name, words, value=value)
