"""`/livez`, `/readyz`, `/healthz` and the heartbeat that it reads."""

from __future__ import annotations

import json
import os
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from celery.signals import worker_ready
from django.conf import settings
from django.db import connection
from django.test import Client

from pitboss.celery import app
from pitboss.models import BeatLease, WorkerHeartbeat
from pitboss.services import heartbeat, house
from pitboss.tasks import beat_heart, write_seal
from pitboss.views.health import PARTS
from tests.faults import as_superuser, held, own_database
from tests.floor.cast import Cast, refused
from tests.floor.tablets import words

pytestmark = pytest.mark.django_db(transaction=True)


def ask(query: str = "") -> tuple[int, dict[str, Any]]:
    answer = Client().get(f"/healthz{query}")
    assert "no-store" in answer["Cache-Control"]
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


def keep_record() -> None:
    """Let the record be kept as it is while all is well."""
    write_seal.delay()
    BeatLease.objects.create(holder="pit", until=house.now() + timedelta(seconds=30))


def test_all_is_well_when_every_part_is() -> None:
    beat_heart.delay()
    keep_record()

    status, answer = ask()
    assert status == 200
    assert answer["status"] == "ok"
    assert {answer[part]["status"] for part in PARTS} == {"ok"}
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


def test_with_no_beat_to_ask_them_workers_are_not_said_to_be_down() -> None:
    now = house.now()
    heartbeat.beat_heart(worker="celery@pit", now=now - timedelta(minutes=3))
    BeatLease.objects.create(holder="frozen", until=now - timedelta(minutes=2))
    status, answer = ask()
    assert (status, answer["status"]) == (503, "degraded")
    assert answer["beat"] == {"status": "down", "why": "stopped"}
    assert answer["worker"]["status"] == "unknown"


def test_a_balancer_asks_only_for_what_a_web_node_needs() -> None:
    status, answer = ask("?parts=database,broker")

    assert status == 200
    assert answer["status"] == "ok"
    assert answer["worker"]["status"] == "down"


@pytest.mark.parametrize("query", ["?parts=", "?parts=nonsense", "?parts=,,"])
def test_a_question_that_makes_no_sense_is_about_all_parts(query: str) -> None:
    status, answer = ask(query)

    assert status == 503
    assert answer["status"] == "degraded"


def test_a_broker_that_is_down_is_named_and_its_password_is_not(no_broker: None) -> None:
    beat_heart.delay()
    keep_record()
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


# ------------------------------------------------------------------ can it sign?


def ready() -> tuple[int, dict[str, Any]]:
    answer = Client().get("/readyz")
    return answer.status_code, json.loads(answer.content)


def test_a_node_that_can_sign_is_ready_though_no_worker_runs() -> None:
    status, answer = ready()
    assert (status, answer["status"]) == (200, "ok")
    assert Client().get("/livez").json() == {"status": "ok"}


def test_without_a_database_a_node_lives_and_is_not_ready(no_database: None) -> None:
    status, answer = ready()
    assert (status, answer["signing"]["status"]) == (503, "down")
    assert Client().get("/livez").status_code == 200


def test_a_database_that_takes_nothing_is_not_ready() -> None:
    name = connection.settings_dict["NAME"]
    with as_superuser() as superuser:
        superuser.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
    status, answer = ready()
    assert status == 503
    assert answer["database"]["status"] == "ok"
    assert answer["signing"] == {"status": "down", "why": "read_only"}


def test_a_table_that_is_locked_makes_health_wait_for_nothing() -> None:
    with held("LOCK TABLE pitboss_requestmark"):
        status, answer = ready()
    assert (status, answer["signing"]) == (503, {"status": "down", "why": "busy"})


def test_a_full_disk_is_not_ready(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    room = tmp_path / "small"
    room.mkdir()
    if os.geteuid() or os.system(f"mount -t tmpfs -o size=1m tmpfs {room} 2>/dev/null"):
        # A file system that has no room for anything, where nobody may mount one.
        room = Path("/proc")
    monkeypatch.setattr(settings, "PITBOSS_DATA", room)
    try:
        status, answer = ready()
    finally:
        os.system(f"umount {tmp_path / 'small'} 2>/dev/null")
    assert (status, answer["disk"]["status"]) == (503, "down")


def test_a_clock_that_differs_signs_nothing_and_is_not_ready(cast: Cast) -> None:
    """The database's own clock is moved, as an administrator who sets it wrong would."""
    with own_database() as owner:
        owner.execute("CREATE SCHEMA skewed")
        owner.execute(
            "CREATE FUNCTION skewed.clock_timestamp() RETURNS timestamptz LANGUAGE sql"
            " AS $$ SELECT pg_catalog.clock_timestamp() - interval '7 s' $$"
        )
        owner.execute("GRANT USAGE ON SCHEMA skewed TO PUBLIC")
        name = connection.settings_dict["NAME"]
        owner.execute(f"ALTER DATABASE {name} SET search_path = skewed, pg_catalog, public")
    connection.close()
    status, answer = ready()
    assert (status, answer["clock"]["status"]) == (503, "down")
    assert 6 <= answer["clock"]["seconds_off"] <= 8
    with refused("clock_off"):
        cast.ask()


def test_a_person_reads_the_parts_in_words() -> None:
    page = Client().get("/healthz", headers={"accept": "text/html"})
    told = words(page)
    assert page.status_code == 503
    assert "Not all is well." in told
    assert "None is done. Slips can still be signed." in told
