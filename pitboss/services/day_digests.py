"""Digest the rows of each gaming day that are too many for the journal, once the day is over.

The journal vouches for the digest, and so for every one of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from hashlib import sha256

from django.db import transaction
from django.db.models import Min, Model

from pitboss.models import DayDigest, Property
from pitboss.services import house, journal
from pitboss.services.verification.digests import digested_models
from pitboss.services.verification.rows import row_hash_sql
from pitboss.services.verification.snapshot import open_snapshot

# A row's time is read before it is committed: the last of a day may come a moment later.
GRACE = timedelta(minutes=15)


@dataclass(frozen=True, slots=True)
class _Span:
    day: date
    began: datetime
    ended: datetime


def digest_days(*, now: datetime) -> int:
    """Digest every gaming day that is over and was not digested; return how many digests."""
    if not Property.objects.exists():
        return 0
    done = 0
    for model in digested_models():
        for span in _due(model, now):
            _digest(model, span, now)
            done += 1
    return done


def _due(model: type[Model], now: datetime) -> Iterator[_Span]:
    """Yield the days that are due, one after the other without a gap."""
    last = DayDigest.objects.filter(label=model._meta.label).order_by("-gaming_day").first()
    if last is not None:
        day, began = last.gaming_day + timedelta(days=1), last.ended_at
    else:
        first = model._default_manager.aggregate(first=Min("at"))["first"]
        if first is None:
            return
        day = house.period_at(first).gaming_day
        began = min(first, house.day_span(day)[0])
    while True:
        ended = house.day_span(day)[1]
        if ended + GRACE > now:
            return
        if began < ended:
            yield _Span(day, began, ended)
            began = ended
        day += timedelta(days=1)


def _digest(model: type[Model], span: _Span, now: datetime) -> None:
    rows, digest = _summed(model, span)
    with transaction.atomic(durable=True):
        kept, is_new = DayDigest.objects.get_or_create(
            label=model._meta.label,
            gaming_day=span.day,
            defaults={
                "began_at": span.began,
                "ended_at": span.ended,
                "rows": rows,
                "digest": digest,
            },
        )
        if is_new:
            journal.write(
                chain=journal.HOUSE,
                kind="day_digested",
                body={"what": kept.label, "day": span.day.isoformat(), "rows": rows},
                at=now,
                rows=[kept],
            )


def _summed(model: type[Model], span: _Span) -> tuple[int, str]:
    total, rows = sha256(), 0
    sql = (
        f"SELECT {row_hash_sql(model)} FROM {model._meta.db_table} "
        "WHERE at >= %s AND at < %s ORDER BY id"
    )
    with open_snapshot() as snapshot:
        for (row,) in snapshot.stream(sql, [span.began, span.ended]):
            total.update(row)
            rows += 1
    return rows, total.hexdigest()
