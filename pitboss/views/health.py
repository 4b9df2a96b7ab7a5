"""How this node is: `/livez` and `/readyz` for machines, `/healthz` for people and monitors.

Each has short limits of its own, and none waits for what the site itself waits for.
"""

from __future__ import annotations

import logging
import shutil
import time
from typing import Any
from uuid import uuid4

from django.conf import settings
from django.db import connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from pitboss.celery import app as celery_app
from pitboss.faults import AWAY, fault_of
from pitboss.postgres.base import BoundedConnection, connect
from pitboss.selectors import record_health
from pitboss.services.clock import OFF_SECONDS_MAX, seconds_off

# A part that does not answer in this time is down: whoever asks wants to know soon.
PATIENCE_SECONDS = 2
# Workers are seen every 15 seconds; three beats missed in a row are no accident.
HEARTBEAT_SECONDS_MAX = 60
# What the seal file and the logs of this node need to go on for a while.
ROOM_BYTES_MIN = 64 * 1024 * 1024
# The record may be unsealed for so long before nothing more is signed into it.
UNSEALED_SECONDS_MAX = 3600

OWN_PARTS = ("database", "signing", "clock", "disk")
PARTS = (*OWN_PARTS, "broker", "worker", *record_health.PARTS)
_UNKNOWN: dict[str, Any] = {"status": "unknown"}

_log = logging.getLogger(__name__)


@require_safe
@never_cache
def livez(request: HttpRequest) -> JsonResponse:
    """Say that this process answers. It asks nothing of anything else."""
    return JsonResponse({"status": "ok"})


@require_safe
@never_cache
def readyz(request: HttpRequest) -> JsonResponse:
    """Say whether slips can be signed through this node: 200, else 503. For a balancer."""
    parts, _, record = _database_parts()
    sealed = record["sealing"].get("last_seconds")
    is_late = sealed is not None and sealed > UNSEALED_SECONDS_MAX
    parts["sealing"] = {"status": "down" if is_late else "ok"}
    is_ready = all(part["status"] == "ok" for part in parts.values())
    status = "ok" if is_ready else "down"
    return JsonResponse({"status": status, **parts}, status=200 if is_ready else 503)


@require_safe
@never_cache
def healthz(request: HttpRequest) -> HttpResponse:
    """Say how each part is: 200 when all are well, else 503. A page for who asks for one.

    `?parts=broker,worker` judges by these parts alone.
    """
    own, heartbeat_seconds, record = _database_parts()
    parts = {
        **own,
        "broker": _broker(),
        "worker": _worker(own["database"], heartbeat_seconds, record["beat"]),
        **record,
    }
    asked = [part for part in request.GET.get("parts", "").split(",") if part in PARTS] or PARTS
    well = all(parts[part]["status"] == "ok" for part in asked)
    stops = [part for part in (*OWN_PARTS, "broker") if part in asked]
    down = any(parts[part]["status"] == "down" for part in stops)
    status = "ok" if well else "down" if down else "degraded"
    code = 200 if well else 503
    if "text/html" in request.headers.get("Accept", ""):
        page = render_to_string("pitboss/health.html", {"status": status, "parts": _words(parts)})
        return HttpResponse(page, status=code)
    return JsonResponse({"status": status, **parts}, status=code)


# The middleware would look for a person and a device, and so for a database that may be gone.
for _view in (livez, readyz, healthz):
    _view.answers_for_itself = True  # type: ignore[attr-defined]


Parts = dict[str, dict[str, Any]]


def _database_parts() -> tuple[Parts, int | None, Parts]:
    """Ask the database on a connection of its own.

    Return what signing needs, the age of the newest heartbeat, and how the record is kept.
    """
    began = time.monotonic()
    record: Parts = dict.fromkeys(record_health.PARTS, _UNKNOWN)
    parts: Parts = dict.fromkeys(OWN_PARTS, _UNKNOWN) | {"disk": _disk()}
    heartbeat_seconds = None
    try:
        # The pooled connection of this thread has no short patience, and may be in trouble itself.
        parameters = connection.get_connection_params() | {"connect_timeout": PATIENCE_SECONDS}
        if "options" in parameters:
            parameters["options"] += f" -c statement_timeout={PATIENCE_SECONDS}s -c lock_timeout=1s"
        with connect(**parameters, autocommit=True) as probe:
            probe.answer_seconds = PATIENCE_SECONDS + 1
            parts["clock"] = _clock(probe)
            parts["database"] = _limits(probe) | {
                "milliseconds": round((time.monotonic() - began) * 1000)
            }
            parts["signing"] = _signing(probe)
            (heartbeat_seconds,) = probe.execute(
                "SELECT EXTRACT(epoch FROM now() - max(beat_at))::bigint "
                "FROM pitboss_workerheartbeat"
            ).fetchone() or (None,)
            record = record_health.record_parts(probe)
    except Exception as error:
        # Whatever it is, the answer is "down". Its reasons name hosts and roles: for the log alone.
        _log.warning("the database does not answer: %s", error)
        if parts["database"]["status"] == "unknown":
            parts |= {"database": {"status": "down"}, "signing": {"status": "down"}}
    return parts, heartbeat_seconds, record


def _limits(probe: BoundedConnection) -> dict[str, Any]:
    """See that a statement has an end here: a pooler may have ignored what was asked of it."""
    row = probe.execute("SELECT current_setting('statement_timeout') <> '0'").fetchone()
    return {"status": "ok"} if row and row[0] else {"status": "down", "why": "no_limits"}


def _clock(probe: BoundedConnection) -> dict[str, Any]:
    before = time.time()
    row = probe.execute("SELECT EXTRACT(epoch FROM clock_timestamp())::float8").fetchone()
    off = seconds_off(before, row[0] if row else 0.0, time.time())
    return {"status": "ok" if off <= OFF_SECONDS_MAX else "down", "seconds_off": round(off, 1)}


def _signing(probe: BoundedConnection) -> dict[str, Any]:
    """Write as a signature writes, and take it back."""
    try:
        with connection.wrap_database_errors, probe.transaction(force_rollback=True):
            probe.execute("SET LOCAL lock_timeout = '1s'")
            probe.execute(
                "INSERT INTO pitboss_requestmark (request_id, is_given_up, at)"
                " VALUES (%s, true, now())",
                [uuid4()],
            )
    except Exception as error:
        _log.warning("nothing can be written: %s", error)
        fault = fault_of(error)
        return {"status": "down", "why": fault.code if fault.status == 503 else AWAY.code}
    return {"status": "ok"}


def _disk() -> dict[str, Any]:
    folders = (settings.PITBOSS_DATA, settings.SEAL_FILE.parent)
    free = min((shutil.disk_usage(folder).free for folder in folders if folder.exists()), default=0)
    return {"status": "ok" if free >= ROOM_BYTES_MIN else "down", "free_mb": free // 1024**2}


# How each part is called, and what it says when it is well and when it is not.
_WORDS = {
    "database": ("Database", "It answers.", "It does not answer."),
    "signing": ("Signing", "Slips can be signed.", "No slip can be signed."),
    "clock": ("Clock", "It agrees with the database.", "It doesn’t match the database."),
    "disk": ("Room on the disk", "There is enough.", "There is too little."),
    "broker": ("Messages", "They are sent.", "They are not sent. Slips can still be signed."),
    "worker": ("Background work", "It is done.", "None is done. Slips can still be signed."),
    "sealing": ("Seals", "The record is sealed.", "The record is not sealed."),
    "beat": ("Beat", "Tasks are sent in time.", "No task is sent."),
    "verification": ("Proof of the record", "The record is intact.", "The record isn’t proven."),
}

_REASONS = {
    **record_health.WORDS,
    ("database", "no_limits"): "It answers, but has no limits. Set them at the pooler.",
}


def _words(parts: Parts) -> list[dict[str, Any]]:
    """Return each part in words. One that cannot be asked for is not known."""
    said = []
    for part, told in parts.items():
        name, well, ill = _WORDS[part]
        ill = _REASONS.get((part, told.get("why", "")), ill)
        words = {"ok": well, "unknown": "It is not known."}.get(told["status"], ill)
        said.append({"name": name, "words": words, "is_well": told["status"] == "ok"})
    return said


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
            # One that is full, or only follows another, answers and takes no message.
            redis: Any = broker.default_channel
            redis.client.set("pitboss:health", "", ex=PATIENCE_SECONDS)
    except Exception as error:
        _log.warning("the broker does not answer: %s", error)
        return {"status": "down"}
    return {"status": "ok", "milliseconds": round((time.monotonic() - began) * 1000)}


def _worker(
    database: dict[str, Any], heartbeat_seconds: int | None, beat: dict[str, Any]
) -> dict[str, Any]:
    if database["status"] != "ok":
        return {"status": "unknown", "last_seen_seconds": None}
    is_seen = heartbeat_seconds is not None and heartbeat_seconds <= HEARTBEAT_SECONDS_MAX
    # A worker shows itself when beat asks it to: with no beat, no one knows.
    unseen = "unknown" if beat.get("why") == "stopped" else "down"
    return {"status": "ok" if is_seen else unseen, "last_seen_seconds": heartbeat_seconds}
