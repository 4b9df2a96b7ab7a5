"""Check rows that decide and change: each under its seal, each in the version written last."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import Any

from django.db.models import JSONField, Model

from pitboss.models.sealed import Sealed, digest_of_texts, seal_fits, sealed_columns, sealed_models
from pitboss.services.verification.findings import Progress, VerificationReport, Wrong
from pitboss.services.verification.rows import as_text, canonical_text
from pitboss.services.verification.scratch import DIGEST_BYTES, Slots, slots_of
from pitboss.services.verification.snapshot import Snapshot

_VERSION_BYTES = 8


class SealedVersions:
    """What proven entries vouch for of each sealed row: its newest version, on disk."""

    def __init__(self) -> None:
        self._slots = {model._meta.label: Slots() for model in sealed_models()}

    def close(self) -> None:
        for slots in self._slots.values():
            slots.close()

    def knows(self, label: str) -> bool:
        return label in self._slots

    def add(self, label: str, row_id: int, digest: str, version: int) -> None:
        self._slots[label].put_newest(row_id, _record(version, digest))

    def of(self, model: type[Model]) -> Slots:
        return self._slots[model._meta.label]


def check_row_seals(
    snapshot: Snapshot,
    versions: SealedVersions,
    report: VerificationReport,
    progress: Progress,
    *,
    whole: bool,
) -> None:
    """Name each row whose seal does not fit, and each that is not the version written last.

    Unless the whole journal was read, the newest version of a row may be vouched for by another
    chain, so that only seals are looked at.
    """
    for model in sealed_models():
        where = str(model._meta.verbose_name)
        with closing(Slots()) as rows:
            for row_id, version, seal, digest in _stored(snapshot, model):
                fits = seal_fits(model._meta.label, seal, digest)
                if not fits:
                    sentence = "Its seal does not fit: it was changed outside Pitboss."
                    report.add(Wrong.ROW_ALTERED, where, row_id, sentence)
                if not rows.put(row_id, _record(version, digest) if fits else _ALTERED):
                    sentence = "More than one row has this id."
                    report.add(Wrong.ROW_INSERTED, where, row_id, sentence)
            if whole:
                _compare(rows, versions.of(model), report, where)
            report.rows += rows.count
            progress(where, rows.count, rows.count)


def _compare(rows: Slots, promised: Slots, report: VerificationReport, where: str) -> None:
    for number in sorted(rows.numbers() | promised.numbers()):
        has, should = rows.block(number), promised.block(number)
        for row_id, stored, newest in slots_of(number, has, should) if has != should else ():
            if stored in (newest, _ALTERED):
                continue
            code, sentence = _difference(stored, newest)
            report.add(code, where, row_id, sentence)


def _difference(stored: bytes | None, newest: bytes | None) -> tuple[Wrong, str]:
    if stored is None:
        return Wrong.ROW_MISSING, "The journal vouches for it, and it is gone."
    if newest is None:
        return Wrong.ROW_INSERTED, "No proven entry of the journal vouches for it."
    if stored[:_VERSION_BYTES] < newest[:_VERSION_BYTES]:
        last = int.from_bytes(newest[:_VERSION_BYTES])
        return Wrong.ROW_SET_BACK, f"An older version was put back; the newest is version {last}."
    return Wrong.ROW_CHANGED, "No proven entry of the journal vouches for this version of it."


def _record(version: int, digest: str) -> bytes:
    """Return what is compared of a row: its version, then as much of its digest as has room."""
    return (version.to_bytes(_VERSION_BYTES) + bytes.fromhex(digest))[:DIGEST_BYTES]


# Stands for a row that was named already: nothing more is said of it.
_ALTERED = b"\xff" * DIGEST_BYTES


def _stored(snapshot: Snapshot, model: type[Sealed]) -> Iterator[tuple[int, int, str, str]]:
    """Yield id, version, seal and digest of every row of a model, its columns written as text."""
    names = sealed_columns(model)
    fields = {field.attname: field for field in model._meta.concrete_fields}
    columns = ", ".join(f"coalesce('+' || {as_text(fields[name])}, '-')" for name in names)
    json_names = [name for name in names if isinstance(fields[name], JSONField)]
    key, table = model._meta.pk.column, model._meta.db_table
    sql = f'SELECT "{key}", version, seal, {columns} FROM {table} ORDER BY 1'
    for row_id, version, seal, *values in snapshot.stream(sql):
        texts: dict[str, Any] = dict(zip(names, values, strict=True))
        for name in json_names:
            texts[name] = canonical_text(texts[name]).decode()
        yield row_id, version, seal, digest_of_texts(model, texts)
