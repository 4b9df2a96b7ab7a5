"""Remove tries at PINs that are archived and older than the house keeps them, and nothing else.

Each file is proven from the disk first, and each row of the database is compared with the file's
before it goes: what the file does not have stays.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from django.conf import settings
from django.db import connection, transaction

from pitboss.models import Attempt
from pitboss.rules.refusal import CONFLICT, refuse
from pitboss.services import house, journal
from pitboss.services.archive_file import ArchiveReader
from pitboss.services.archives import GamingMonth, archived_months, month_named
from pitboss.services.verification.archived import check_archive, plain_hash
from pitboss.services.verification.findings import VerificationReport
from pitboss.services.verification.rows import row_hash_sql

_PART = "pitboss.attempt.jsonl"
# When a badge was last used decides whether its account sleeps: that try stays.
_REMOVE_SQL = """
    DELETE FROM pitboss_attempt AS tried
    WHERE tried.id = ANY(%s) AND (tried.outcome <> 'right' OR EXISTS (
        SELECT FROM pitboss_attempt AS later
        WHERE later.badge = tried.badge AND later.outcome = 'right' AND later.at > tried.at))
"""


@dataclass(frozen=True, slots=True)
class RemovedTries:
    """How many tries of a month were removed."""

    month: str
    rows: int


def remove_archived_tries(folder: Path, *, now: datetime) -> list[RemovedTries]:
    """Remove the tries of every archived month that is older than the house keeps them.

    Raises Refused where a file is gone, or does not prove what it has.
    """
    kept = timedelta(days=house.settings_at(now)["people.tries_kept"])
    removed = []
    for name, manifest in archived_months().items():
        month = month_named(name)
        tries = Attempt.objects.filter(at__gte=month.began, at__lt=month.ended)
        if month.ended <= now - kept and tries.exists():
            removed.append(_remove(month, folder, manifest, now))
    return [item for item in removed if item.rows]


def _remove(month: GamingMonth, folder: Path, manifest: str, now: datetime) -> RemovedTries:
    filed = _filed(folder / month.file_name, manifest)
    with transaction.atomic(durable=True):
        with connection.cursor() as cursor:
            cursor.execute(
                f"SELECT id, encode({row_hash_sql(Attempt)}, 'hex') FROM pitboss_attempt"
                " WHERE at >= %s AND at < %s FOR UPDATE",
                [month.began, month.ended],
            )
            ids = [row_id for row_id, digest in cursor.fetchall() if filed.get(row_id) == digest]
            cursor.execute(_REMOVE_SQL, [ids])
            rows = cursor.rowcount
        if rows:
            journal.write(
                chain=journal.PEOPLE,
                kind="archived_tries_removed",
                body={"month": month.name, "rows": rows, "manifest": manifest},
                at=now,
            )
    return RemovedTries(month.name, rows)


def _filed(path: Path, manifest: str) -> dict[int, str]:
    """Return the tries of a file that is proven from the disk: the hash of each, by its id."""
    report = VerificationReport()
    keys = settings.KEYS.journal_keys
    archive = check_archive(path, report, keys)
    if archive is None or not report.is_sound or archive.manifest_sha256 != manifest:
        why = report.first or "The journal names another file."
        raise refuse(
            "archive_unsound",
            f"{path} doesn’t prove what it contains: {why} Nothing of it was removed.",
            CONFLICT,
        )
    with closing(ArchiveReader(path, keys)) as reader:
        part = next(item for item in reader.parts if item.name == _PART)
        return {int(row[0]): plain_hash(row).hex() for row in reader.rows(part)}
