"""`/healthz`: how database, broker and worker are, each for itself, for launchers and monitors."""

from __future__ import annotations

import logging
import time
from typing import Any

import psycopg
from django.db import connection
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from pitboss.celery import app as celery_app

# A part that does not answer in this time is down: whoever asks wants to know soon.
PATIENCE_SECONDS = 2
# Workers are seen every 15 seconds; three beats missed in a row are no accident.
HEARTBEAT_SECONDS_MAX = 60

PARTS = ("database", "broker", "worker")

_log = logging.getLogger(__name__)


@require_safe
@never_cache
def healthz(request: HttpRequest) -> JsonResponse:
    """Say how each part is: 200 when all are well, else 503.

    `?parts=database` judges by these parts alone. A balancer in front of many web nodes asks so:
    without a worker, slips are signed all the same, and taking the nodes out would stop the floor.
    """
    database, heartbeat_seconds = _database()
    parts = {
        "database": database,
        "broker": _broker(),
        "worker": _worker(database, heartbeat_seconds),
    }
    asked = [part for part in request.GET.get("parts", "").split(",") if part in PARTS] or PARTS
    well = all(parts[part]["status"] == "ok" for part in asked)
    down = any(parts[part]["status"] == "down" for part in ("database", "broker") if part in asked)
    status = "ok" if well else "down" if down else "degraded"
    return JsonResponse({"status": status, **parts}, status=200 if well else 503)


# The middleware would look for a person and a device, and so for a database that may be gone.
healthz.answers_for_itself = True  # type: ignore[attr-defined]


def _database() -> tuple[dict[str, Any], int | None]:
    """Ask the database on a connection of its own; return also the age of the newest heartbeat."""
    began = time.monotonic()
    try:
        # The pooled connection of this thread has no short patience, and may be in trouble itself.
        parameters = connection.get_connection_params() | {
            "connect_timeout": PATIENCE_SECONDS,
            "options": f"-c statement_timeout={PATIENCE_SECONDS}s",
        }
        with psycopg.connect(**parameters, autocommit=True) as probe:
            row = probe.execute(
                "SELECT EXTRACT(epoch FROM now() - max(beat_at))::bigint "
                "FROM pitboss_workerheartbeat"
            ).fetchone()
    except Exception as error:
        # Whatever it is, the answer is "down". Its reasons name hosts and roles: for the log alone.
        _log.warning("the database does not answer: %s", error)
        return {"status": "down"}, None
    milliseconds = round((time.monotonic() - began) * 1000)
    return {"status": "ok", "milliseconds": milliseconds}, row[0] if row else None


def _broker() -> dict[str, Any]:
    began = time.monotonic()
    try:
        with celery_app.connection_for_read() as broker:
            broker.transport_options = {
                **(broker.transport_options or {}),
                "socket_connect_timeout": PATIENCE_SECONDS,
                "socket_timeout": PATIENCE_SECONDS,
            }
            broker.ensure_connection(
                max_retries=1, interval_start=0, interval_step=0, timeout=PATIENCE_SECONDS
            )
    except Exception as error:
        _log.warning("the broker does not answer: %s", error)
        return {"status": "down"}
    return {"status": "ok", "milliseconds": round((time.monotonic() - began) * 1000)}


def _worker(database: dict[str, Any], heartbeat_seconds: int | None) -> dict[str, Any]:
    if database["status"] != "ok":
        return {"status": "unknown", "last_seen_seconds": None}
    is_seen = heartbeat_seconds is not None and heartbeat_seconds <= HEARTBEAT_SECONDS_MAX
    return {"status": "ok" if is_seen else "down", "last_seen_seconds": heartbeat_seconds}
