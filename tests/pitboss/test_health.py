"""`/healthz` and the heartbeat that it reads."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from celery.signals import worker_ready
from django.conf import settings
from django.db import connection
from django.test import Client

from pitboss.celery import app
from pitboss.models import WorkerHeartbeat
from pitboss.services import heartbeat, house
from pitboss.tasks import beat_heart

pytestmark = pytest.mark.django_db(transaction=True)


def ask(query: str = "") -> tuple[int, dict[str, Any]]:
    answer = Client().get(f"/healthz{query}")
    assert answer["Cache-Control"].startswith("max-age=0")
    return answer.status_code, json.loads(answer.content)


@pytest.fixture
def no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nobody listen where the broker should be."""
    nowhere = app.connection("redis://:hush@127.0.0.1:1/0")
    monkeypatch.setattr(app, "connection_for_read", nowhere.clone)


@pytest.fixture
def no_database(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nobody listen where the database should be."""
    monkeypatch.setitem(connection.settings_dict, "HOST", "127.0.0.1")
    monkeypatch.setitem(connection.settings_dict, "PORT", "1")
    connection.close()


def test_all_is_well_when_database_broker_and_worker_are() -> None:
    beat_heart.delay()

    status, answer = ask()
    assert status == 200
    assert answer["status"] == "ok"
    assert {answer[part]["status"] for part in ("database", "broker", "worker")} == {"ok"}
    assert answer["worker"]["last_seen_seconds"] < 30


def test_without_any_worker_the_site_is_degraded() -> None:
    status, answer = ask()

    assert status == 503
    assert answer["status"] == "degraded"
    assert answer["worker"] == {"status": "down", "last_seen_seconds": None}
    assert answer["database"]["status"] == answer["broker"]["status"] == "ok"


@pytest.mark.parametrize(("seconds", "status"), [(30, "ok"), (61, "down")])
def test_a_worker_counts_as_down_after_a_minute_of_silence(seconds: int, status: str) -> None:
    seen = house.now() - timedelta(seconds=seconds)
    heartbeat.beat_heart(worker="celery@pit", now=seen)
    heartbeat.beat_heart(worker="celery@old", now=seen - timedelta(days=1))

    _, answer = ask()
    assert answer["worker"]["status"] == status
    assert seconds <= answer["worker"]["last_seen_seconds"] < seconds + 30


def test_a_balancer_asks_only_for_what_a_web_node_needs() -> None:
    status, answer = ask("?parts=database,broker")

    assert status == 200
    assert answer["status"] == "ok"
    assert answer["worker"]["status"] == "down"


@pytest.mark.parametrize("query", ["?parts=", "?parts=nonsense", "?parts=%00", "?parts=,,"])
def test_a_question_that_makes_no_sense_is_about_all_parts(query: str) -> None:
    status, answer = ask(query)

    assert status == 503
    assert answer["status"] == "degraded"


def test_a_broker_that_is_down_is_named_and_its_password_is_not(no_broker: None) -> None:
    beat_heart.delay()
    status, answer = ask()

    assert status == 503
    assert answer["status"] == "down"
    assert answer["broker"] == {"status": "down"}
    assert answer["database"]["status"] == answer["worker"]["status"] == "ok"
    assert "hush" not in json.dumps(answer)


def test_a_database_that_is_down_is_named_and_nothing_is_said_of_the_worker(
    no_database: None,
) -> None:
    status, answer = ask()

    assert status == 503
    assert answer["status"] == "down"
    assert answer["database"] == {"status": "down"}
    assert answer["broker"]["status"] == "ok"
    assert answer["worker"] == {"status": "unknown", "last_seen_seconds": None}
    password = settings.DATABASES["default"]["PASSWORD"]
    assert password
    assert password not in json.dumps(answer)


def test_only_reading_is_allowed() -> None:
    assert Client().post("/healthz").status_code == 405
    assert Client().head("/healthz").status_code == 503


def test_a_worker_is_seen_as_soon_as_it_is_ready() -> None:
    class Consumer:
        hostname = "celery@" + "x" * 60

    worker_ready.send(sender=Consumer)

    assert WorkerHeartbeat.objects.get().name == "celery@" + "x" * 33


def test_a_second_beat_moves_the_first() -> None:
    early = house.now() - timedelta(minutes=5)
    heartbeat.beat_heart(worker="celery@pit", now=early)
    heartbeat.beat_heart(worker="celery@pit", now=early + timedelta(seconds=15))

    assert WorkerHeartbeat.objects.get().beat_at == early + timedelta(seconds=15)


def test_what_beat_sends_are_tasks_that_exist() -> None:
    app.loader.import_default_modules()
    schedule: dict[str, dict[str, Any]] = settings.CELERY_BEAT_SCHEDULE
    for entry in schedule.values():
        assert entry["task"] in app.tasks
        assert entry["options"]["expires"] <= entry["schedule"]
