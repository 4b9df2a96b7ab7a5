"""Check that the journal vouches for every row in ink, and that slips stand where they should."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from django.apps import apps
from django.db import models
from django.db.models import BooleanField, DateField, DateTimeField, JSONField, Model

from pitboss.grants import APPEND_ONLY, WITHOUT_ENTRY
from pitboss.models import JournalEntry, JournalSeal, Slip
from pitboss.rules.canonical import canonical
from pitboss.services.journal import inked_columns, plain_digest
from pitboss.services.verification.findings import STRIDE, Progress, Report, Wrong
from pitboss.services.verification.joining import side_by_side
from pitboss.services.verification.scratch import Slots
from pitboss.services.verification.snapshot import Snapshot

# What the journal cannot vouch for, since it is the journal.
_JOURNAL = {JournalEntry._meta.label, JournalSeal._meta.label}

# `plain_time` in SQL: PostgreSQL writes the same text, and does so on another core.
TIME_SQL = """to_char({column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"')"""

# Where a slip stands follows from the signatures on it and on its return.
_STATUS_SQL = """
    WITH signed AS (
        SELECT slip_id,
               count(*) FILTER (WHERE track = 'main') AS main,
               count(*) FILTER (WHERE track = 'void') AS void,
               bool_or(step = 'counted_in') AS counted_in
        FROM pitboss_signature GROUP BY slip_id
    ), back AS (
        SELECT slip.refers_to_id AS slip_id, slip.kind, bool_or(signed.counted_in) AS counted_in
        FROM pitboss_slip AS slip JOIN signed ON signed.slip_id = slip.id
        WHERE slip.refers_to_id IS NOT NULL
        GROUP BY slip.refers_to_id, slip.kind
    ), judged AS (
        SELECT slip.id, slip.serial, slip.status, CASE
            WHEN back.counted_in THEN 'returned'
            WHEN back.slip_id IS NOT NULL THEN 'returning'
            WHEN signed.void > 0 AND signed.void = jsonb_array_length(
                jsonb_path_query_array(slip.plan, '$[*] ? (@.track == "void")')) THEN 'voided'
            WHEN signed.main > 0 AND signed.main = jsonb_array_length(
                jsonb_path_query_array(slip.plan, '$[*] ? (@.track == "main")')) THEN 'done'
            ELSE 'open'
        END AS due
        FROM pitboss_slip AS slip
        LEFT JOIN signed ON signed.slip_id = slip.id
        LEFT JOIN back ON back.slip_id = slip.id AND back.kind = slip.kind || '_return'
    )
    SELECT id, serial, status, due FROM judged WHERE status <> due ORDER BY id
"""


def vouched_models() -> list[type[Model]]:
    """Return every model whose rows the journal must vouch for: what is written in ink, by hand."""
    labels = {*APPEND_ONLY, Slip._meta.label} - _JOURNAL - WITHOUT_ENTRY
    return [apps.get_model(label) for label in sorted(labels)]


class Vouched:
    """What proven entries vouch for: for each model, the digest of each row, on disk."""

    def __init__(self) -> None:
        self._slots = {model._meta.label: Slots() for model in vouched_models()}

    def close(self) -> None:
        for slots in self._slots.values():
            slots.close()

    def knows(self, label: str) -> bool:
        return label in self._slots

    def add(self, label: str, row_id: int, digest: str) -> bool:
        """Keep one row of an entry; return False when another entry vouches for it already."""
        return self._slots[label].put(row_id, bytes.fromhex(digest))

    def of(self, model: type[Model]) -> Iterator[tuple[int, bytes]]:
        return self._slots[model._meta.label].items()


def check_rows(
    snapshot: Snapshot, vouched: Vouched, report: Report, progress: Progress, *, whole: bool
) -> None:
    """Compare all rows in ink with what was vouched for.

    Unless the whole journal was read, a row that no entry vouches for may be another chain's.
    """
    for model in vouched_models():
        where = str(model._meta.verbose_name)
        total = snapshot.count(f"SELECT count(*) FROM {model._meta.db_table}")
        for row_id, stored, promised in side_by_side(
            stored_digests(snapshot, model), vouched.of(model)
        ):
            if stored is not None:
                report.rows += 1
                if report.rows % STRIDE == 0:
                    progress(where, report.rows, total)
            if stored is None:
                report.add(
                    Wrong.ROW_MISSING, where, row_id, "The journal vouches for it, and it is gone."
                )
            elif promised is None:
                if whole:
                    sentence = "No proven entry of the journal vouches for it."
                    report.add(Wrong.ROW_INSERTED, where, row_id, sentence)
            elif stored != promised:
                sentence = "It is not as it was when the journal vouched for it."
                report.add(Wrong.ROW_CHANGED, where, row_id, sentence)


def check_statuses(snapshot: Snapshot, report: Report) -> None:
    """Name every slip whose status its signatures do not bear out."""
    for row_id, serial, status, due in snapshot.stream(_STATUS_SQL):
        sentence = f"{serial} is {status}; its signatures say {due}."
        report.add(Wrong.STATUS_DIFFERS, "slip", row_id, sentence)


def stored_digests(snapshot: Snapshot, model: type[Model]) -> Iterator[tuple[int, bytes]]:
    """Yield the id and digest of every row of a model, in the order of ids."""
    inked = inked_columns(model)
    fields = [field for field in model._meta.concrete_fields if field.attname in inked]
    columns = ", ".join(f"coalesce('+' || {_as_text(field)}, '-')" for field in fields)
    key = model._meta.pk.column
    json_at = [index for index, field in enumerate(fields) if isinstance(field, JSONField)]
    for row in snapshot.stream(f"SELECT {key}, {columns} FROM {model._meta.db_table} ORDER BY 1"):
        row_id, *texts = row
        for index in json_at:
            texts[index] = _canonical(texts[index])
        yield row_id, bytes.fromhex(plain_digest(texts))


def _as_text(field: models.Field[Any, Any]) -> str:
    """Return SQL that writes a column as `journal` writes its value."""
    column = f'"{field.column}"'
    if isinstance(field, DateTimeField):
        return TIME_SQL.format(column=column)
    if isinstance(field, DateField):
        return f"to_char({column}, 'YYYY-MM-DD')"
    if isinstance(field, BooleanField):
        return f"initcap({column}::text)"
    return f"{column}::text"


@lru_cache(maxsize=4_096)
def _canonical(text: str) -> str:
    """Return stored JSON in its one text. Plans and counts repeat, so most are known already."""
    if text == "-":
        return text
    try:
        return f"+{canonical(json.loads(text[1:]))}"
    except (ValueError, TypeError, RecursionError):
        # Nothing that the site wrote: it stays as it is, and fits no digest.
        return text
