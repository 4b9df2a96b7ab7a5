"""Check the rows that are too many for the journal against the digests of their days."""

from __future__ import annotations

import hashlib
from datetime import datetime, timedelta

from django.apps import apps
from django.db.models import Model

from pitboss.grants import WITHOUT_ENTRY
from pitboss.services.verification.findings import STRIDE, Progress, VerificationReport, Wrong
from pitboss.services.verification.rows import row_hash_sql
from pitboss.services.verification.snapshot import Snapshot

# A day is digested within the hour after it is over; one without a digest so long after is named.
UNDIGESTED_MAX = timedelta(days=2)

_DIGESTS_SQL = """
    SELECT id, gaming_day, began_at, ended_at, rows, digest FROM pitboss_daydigest
    WHERE label = %s ORDER BY began_at
"""


def digested_models() -> list[type[Model]]:
    """Return the models whose rows are digested by the day."""
    return [apps.get_model(label) for label in sorted(WITHOUT_ENTRY)]


def check_digests(
    snapshot: Snapshot, report: VerificationReport, progress: Progress, *, now: datetime
) -> None:
    """Compare every row with the digest of its day, in one pass over each model."""
    for model in digested_models():
        _check(snapshot, model, report, progress, now)


def _check(
    snapshot: Snapshot,
    model: type[Model],
    report: VerificationReport,
    progress: Progress,
    now: datetime,
) -> None:
    where = str(model._meta.verbose_name)
    kept = list(snapshot.stream(_DIGESTS_SQL, [model._meta.label]))
    bounds = [began for _, _, began, *_ in kept] + ([kept[-1][3]] if kept else [])
    sums = [hashlib.sha256() for _ in kept]
    counts = [0] * (len(kept) + 2)
    total = 0
    # PostgreSQL says between which bounds a row lies: 0 before the first, then one a day.
    day = "width_bucket(at, %s::timestamptz[])" if bounds else "1"
    for bucket, row in snapshot.stream(
        f"SELECT {day}, {row_hash_sql(model)} FROM {model._meta.db_table} ORDER BY id",
        [bounds] if bounds else [],
    ):
        counts[bucket] += 1
        if 0 < bucket <= len(kept):
            sums[bucket - 1].update(row)
        total += 1
        if total % STRIDE == 0:
            progress(where, total, total)
    report.rows += total
    for (_, gaming_day, _, _, rows, digest), summed, count in zip(
        kept, sums, counts[1:], strict=False
    ):
        if (rows, digest) != (count, summed.hexdigest()):
            sentence = (
                f"The rows of {gaming_day:%b %-d, %Y} are not those that were digested: "
                f"there were {rows:,}, and there are {count:,}."
            )
            report.add(Wrong.DIGEST_DIFFERS, where, gaming_day.toordinal(), sentence)
    if counts[0]:
        sentence = f"Rows from before the first digested day: {counts[0]:,}."
        report.add(Wrong.DIGEST_DIFFERS, where, 0, sentence)
    undigested = snapshot.count(
        f"SELECT count(*) FROM {model._meta.db_table} WHERE at >= %s AND at < %s",
        [kept[-1][3] if kept else datetime.min.replace(tzinfo=now.tzinfo), now - UNDIGESTED_MAX],
    )
    # A house that has just begun to digest is given the same time for what it had before.
    settled = snapshot.count(
        "SELECT count(*) FROM pitboss_sealingstate WHERE since < %s", [now - UNDIGESTED_MAX]
    )
    if undigested and settled:
        sentence = f"Rows that no digest vouches for, though their day is over: {undigested:,}."
        report.add(Wrong.DIGEST_DIFFERS, where, 1, sentence)
