"""How the keeping of the record goes, for monitors and for the auditor's desk.

Judged by what stands in the database when it is asked, so that it tells of a worker that is gone
and of a beat that is frozen as well: neither could tell of itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import connection

# A seal is tried every minute; three that did not come are no accident.
SEALING_SECONDS_MAX = 180
# A beat takes its lease again every few seconds.
BEAT_SECONDS_MAX = 60

# What is new is verified each hour, everything each night.
VERIFIED_SECONDS_MAX = 3 * 3600
WHOLE_SECONDS_MAX = 36 * 3600

PARTS = ("sealing", "beat", "verification")

_SQL = """
    SELECT
        (SELECT EXTRACT(epoch FROM clock_timestamp() - went_well_at)::bigint
         FROM pitboss_sealingstate),
        (SELECT trouble FROM pitboss_sealingstate),
        (SELECT min(code) FROM pitboss_floorexception
         WHERE code IN ('seal_file', 'record_lost') AND resolved_at IS NULL),
        (SELECT EXTRACT(epoch FROM clock_timestamp() - until)::bigint FROM pitboss_beatlease),
        (SELECT EXTRACT(epoch FROM clock_timestamp() - greatest(
            (SELECT max(ended_at) FROM pitboss_journalaudit),
            (SELECT since FROM pitboss_sealingstate)))::bigint),
        (SELECT EXTRACT(epoch FROM clock_timestamp() - greatest(
            (SELECT max(ended_at) FROM pitboss_journalaudit WHERE kind <> 'hourly'),
            (SELECT since FROM pitboss_sealingstate)))::bigint),
        EXISTS (
            SELECT FROM pitboss_floorexception AS found
            WHERE found.code = 'record_wrong' AND found.resolved_at IS NULL AND NOT EXISTS (
                SELECT FROM pitboss_journalaudit AS clean
                WHERE clean.kind <> 'hourly' AND clean.findings_total = 0
                  AND clean.ended_at IS NOT NULL AND clean.began_at > found.opened_at))
"""


def record_parts(connected: Any = connection) -> dict[str, dict[str, Any]]:
    """Return each part with its status, ok or down, and why.

    `connected` is Django's connection, or one of psycopg's own.
    """
    with connected.cursor() as cursor:
        cursor.execute(_SQL)
        sealed_seconds, trouble, broken, beat_seconds, *verified = cursor.fetchone()
    return {
        "sealing": _sealing(sealed_seconds, trouble, broken),
        "beat": _beat(beat_seconds),
        "verification": _verification(*verified),
    }


def _sealing(seconds: int | None, trouble: str | None, broken: str | None) -> dict[str, Any]:
    if broken:
        why = broken
    elif trouble:
        why = "failed"
    elif seconds is None:
        why = "never"
    elif not -BEAT_SECONDS_MAX <= seconds <= SEALING_SECONDS_MAX:
        why = "late"
    else:
        why = ""
    return {**_status(why), "last_seconds": seconds}


def _beat(seconds: int | None) -> dict[str, Any]:
    # The lease ends in the future while all is well, so that its age is below nothing.
    if seconds is None:
        return _status("never")
    return _status("stopped" if seconds > BEAT_SECONDS_MAX else "")


def _verification(seconds: int | None, whole_seconds: int | None, found: bool) -> dict[str, Any]:
    # A house that has just begun is given the time that a run of each kind has.
    late = (seconds or 0) > VERIFIED_SECONDS_MAX or (whole_seconds or 0) > WHOLE_SECONDS_MAX
    return {**_status("found" if found else "late" if late else ""), "last_seconds": seconds}


def _status(why: str) -> dict[str, Any]:
    return {"status": "down", "why": why} if why else {"status": "ok"}


WORDS: Mapping[tuple[str, str], str] = {
    ("sealing", "seal_file"): "The seal file was changed.",
    ("sealing", "record_lost"): "The database was set back and lost entries.",
    ("sealing", "failed"): "A seal could not be written to every place.",
    ("sealing", "never"): "No seal was written yet.",
    ("sealing", "late"): "The newest seal is older than it should be.",
    ("beat", "never"): "No beat has run yet.",
    ("verification", "found"): "Verification found something wrong in the record.",
    ("verification", "late"): "The record was not verified in time.",
    ("beat", "stopped"): "The beat has stopped sending tasks.",
}


def in_words(parts: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Return a sentence for each part that is not well."""
    return [
        WORDS[part, fields["why"]] for part, fields in parts.items() if fields["status"] != "ok"
    ]
