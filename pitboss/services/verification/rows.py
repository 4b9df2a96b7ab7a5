"""Check that the journal vouches for every row in ink, and that slips stand where they should."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import lru_cache
from hashlib import sha256
from itertools import groupby
from typing import Any

from django.apps import apps
from django.db import models
from django.db.models import BooleanField, DateField, DateTimeField, JSONField, Model

from pitboss.confidential import NOTES
from pitboss.grants import APPEND_ONLY, WITHOUT_ENTRY
from pitboss.models import GuardSheet, JournalEntry, JournalSeal, Slip
from pitboss.rules.canonical import canonical
from pitboss.services.journal import inked_columns
from pitboss.services.verification.findings import Progress, VerificationReport, Wrong
from pitboss.services.verification.scratch import Slots, slots_of
from pitboss.services.verification.snapshot import Snapshot, open_snapshot

# What the journal cannot vouch for, since it is the journal, or keyed like it.
_JOURNAL = {JournalEntry._meta.label, JournalSeal._meta.label, GuardSheet._meta.label}

# NUL parts columns, as in `plain_digest`.
_JOINED = r" || '\x00'::bytea || "

# `plain_time` in SQL: PostgreSQL writes the same text, and does so on another core.
TIME_SQL = """to_char({column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"')"""

# Where a slip stands follows from the signatures on it, on its return, on what cancels it, and from
# the two fills that it was shipped in.
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
    ), kept AS (
        SELECT DISTINCT refers_to_id AS slip_id FROM pitboss_slip
        WHERE kind = 'withheld_win' AND status = 'done'
    ), ended AS (
        SELECT slip.refers_to_id AS slip_id
        FROM pitboss_slip AS slip JOIN signed ON signed.slip_id = slip.id
        WHERE slip.kind = 'request_cancellation'
        UNION
        SELECT refers_to_id FROM pitboss_slip
        WHERE kind = 'fill' AND details->>'part_of' IS NOT NULL
        GROUP BY refers_to_id HAVING count(*) = 2
    ), judged AS (
        SELECT slip.id, slip.serial, slip.status, CASE
            WHEN back.counted_in THEN 'returned'
            WHEN back.slip_id IS NOT NULL THEN 'returning'
            WHEN kept.slip_id IS NOT NULL THEN 'withheld'
            WHEN ended.slip_id IS NOT NULL THEN 'voided'
            WHEN signed.void > 0 AND signed.void = jsonb_array_length(
                jsonb_path_query_array(slip.plan, '$[*] ? (@.track == "void")')) THEN 'voided'
            WHEN signed.main > 0 AND signed.main = jsonb_array_length(
                jsonb_path_query_array(slip.plan, '$[*] ? (@.track == "main")')) THEN 'done'
            ELSE 'open'
        END AS due
        FROM pitboss_slip AS slip
        LEFT JOIN signed ON signed.slip_id = slip.id
        LEFT JOIN back ON back.slip_id = slip.id AND back.kind = slip.kind || '_return'
        LEFT JOIN kept ON kept.slip_id = slip.id
        LEFT JOIN ended ON ended.slip_id = slip.id
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

    def of(self, model: type[Model]) -> Slots:
        return self.of_label(model._meta.label)

    def of_label(self, label: str) -> Slots:
        return self._slots[label]

    def labels(self) -> list[str]:
        """Return every model whose rows entries may vouch for."""
        return list(self._slots)

    def count(self, label: str) -> int:
        """Return how many rows of a model are vouched for."""
        return self._slots[label].count


class Stored:
    """What is stored: for each model in ink, the digest of each row, on disk.

    It is gathered on a thread and a connection of its own, while the chains are walked: PostgreSQL
    writes rows out as text on one core while Python follows the entries on the other.
    """

    def __init__(self, snapshot: Snapshot) -> None:
        self._slots = {model: Slots() for model in vouched_models()}
        # Rows beyond the first with the same id: a key that someone took off lets them in.
        self._twins: dict[type[Model], list[int]] = {model: [] for model in self._slots}
        self._thread = ThreadPoolExecutor(1)
        self._gathered = self._thread.submit(self._gather, snapshot.name())

    def close(self) -> None:
        self._thread.shutdown()
        for slots in self._slots.values():
            slots.close()

    def _gather(self, moment: str) -> None:
        with open_snapshot(moment) as snapshot:
            for model, slots in self._slots.items():
                for row_id, digest in stored_digests(snapshot, model):
                    if not slots.put(row_id, digest):
                        self._twins[model].append(row_id)

    def of(self, model: type[Model]) -> tuple[Slots, list[int]]:
        """Return the digests of a model's rows, and the ids that more than one row has."""
        self._gathered.result()
        return self._slots[model], self._twins[model]


def check_rows(
    stored: Stored, vouched: Vouched, report: VerificationReport, progress: Progress, *, whole: bool
) -> None:
    """Compare all rows in ink with what was vouched for.

    Whole blocks of rows at once; only a block that differs is looked at row by row. Unless the
    whole journal was read, a row that no entry vouches for may be another chain's.
    """
    for model in vouched_models():
        where = str(model._meta.verbose_name)
        rows, twins = stored.of(model)
        promised = vouched.of(model)
        for number in sorted(rows.numbers() | promised.numbers()):
            has, should = rows.block(number), promised.block(number)
            if has != should:
                compare_rows(slots_of(number, has, should), report, where, whole=whole)
        for row_id in twins:
            sentence = "More than one row has this id."
            report.add(Wrong.ROW_INSERTED, where, row_id, sentence)
        report.rows += rows.count + len(twins)
        if model._meta.label in NOTES:
            report.untold_rows += rows.count + len(twins)
        progress(where, rows.count, rows.count)


def check_new_rows(snapshot: Snapshot, vouched: Vouched, report: VerificationReport) -> None:
    """Compare the rows that new entries vouch for with what is stored of them.

    A row that no entry vouches for is found when everything is verified.
    """
    for model in vouched_models():
        where = str(model._meta.verbose_name)
        promised = vouched.of(model)
        for number in sorted(promised.numbers()):
            should = promised.block(number)
            ids = [row_id for row_id, digest, _ in slots_of(number, should, should) if digest]
            with closing(Slots()) as rows:
                for row_id, digest in stored_digests(snapshot, model, ids):
                    rows.put(row_id, digest)
                pairs = slots_of(number, rows.block(number), should)
                compare_rows(pairs, report, where, whole=False)
            report.rows += len(ids)
            if model._meta.label in NOTES:
                report.untold_rows += len(ids)


def compare_rows(
    rows: Iterator[tuple[int, bytes | None, bytes | None]],
    report: VerificationReport,
    where: str,
    *,
    whole: bool,
) -> None:
    """Name each row that is not as it was vouched for; `whole` where no other entry could."""
    for row_id, stored, promised in rows:
        if stored is None:
            report.add(
                Wrong.ROW_MISSING, where, row_id, "The journal vouches for it, and it is gone."
            )
        elif promised is None:
            if whole:
                sentence = "No proven entry of the journal vouches for it."
                report.add(Wrong.ROW_INSERTED, where, row_id, sentence)
        elif stored != promised:
            sentence = "It was changed after the journal vouched for it."
            report.add(Wrong.ROW_CHANGED, where, row_id, sentence)


def check_statuses(snapshot: Snapshot, report: VerificationReport) -> None:
    """Name every slip whose status its signatures do not bear out."""
    for row_id, serial, status, due in snapshot.stream(_STATUS_SQL):
        sentence = f"{serial} is {status}; its signatures say {due}."
        report.add(Wrong.STATUS_DIFFERS, "slip", row_id, sentence)


def stored_digests(
    snapshot: Snapshot, model: type[Model], ids: list[int] | None = None
) -> Iterator[tuple[int, bytes]]:
    """Yield the id and digest of every row of a model, or of some.

    PostgreSQL joins the columns itself; only JSON comes over as a column of its own, since the
    database has another text for it. A model without any is hashed there as well.
    """
    pieces = _pieces(model)
    key, table = model._meta.pk.column, model._meta.db_table
    if ids is not None:
        table = f"{table} WHERE {key} = ANY(%s)"
    some = [] if ids is None else [ids]
    if not any(is_json for _, is_json in pieces):
        ((columns, _),) = pieces
        sql = f"SELECT {key}, sha256({columns}) FROM {table} ORDER BY 1"
        yield from snapshot.stream(sql, some)
        return
    columns = ", ".join(sql for sql, _ in pieces)
    json_at = [index for index, (_, is_json) in enumerate(pieces) if is_json]
    sql = f"SELECT {key}, {columns} FROM {table} ORDER BY 1"
    for row_id, *parts in snapshot.stream(sql, some):
        for index in json_at:
            parts[index] = canonical_text(parts[index])
        yield row_id, sha256(b"\x00".join(parts)).digest()


def row_hash_sql(model: type[Model]) -> str:
    """Return SQL for the hash of a whole row, made by PostgreSQL from its own text of each column.

    For rows that are hashed here and nowhere else.
    """
    each = [
        f"convert_to(coalesce('+' || {as_text(field)}, '-'), 'UTF8')"
        for field in model._meta.concrete_fields
    ]
    return f"sha256({_JOINED.join(each)})"


def _pieces(model: type[Model]) -> list[tuple[str, bool]]:
    """Return SQL for a row's inked columns in their order, and whether each piece is JSON.

    Neighbours that are not JSON are one piece: bytes, since NUL parts them as in `plain_digest`.
    """
    inked = inked_columns(model)
    fields = [field for field in model._meta.concrete_fields if field.attname in inked]
    pieces: list[tuple[str, bool]] = []
    for is_json, group in groupby(fields, key=lambda field: isinstance(field, JSONField)):
        texts = [f"coalesce('+' || {as_text(field)}, '-')" for field in group]
        if is_json:
            pieces += [(text, True) for text in texts]
        else:
            each = [f"convert_to({text}, 'UTF8')" for text in texts]
            pieces.append((_JOINED.join(each), False))
    return pieces


def as_text(field: models.Field[Any, Any]) -> str:
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
def canonical_text(text: str) -> bytes:
    """Return stored JSON in its one text. Plans and counts repeat, so most are known already."""
    if text == "-":
        return b"-"
    try:
        return f"+{canonical(json.loads(text[1:]))}".encode()
    except (ValueError, TypeError, RecursionError):
        # Nothing that the site wrote: it stays as it is, and fits no digest.
        return text.encode(errors="replace")
