"""Export a gaming day: every row of it as it stands, with a manifest that proves the copy.

One archive. Each kind of row is a file with one JSON object a line; `manifest.json` names every
file with its size and SHA-256, the newest seal of the journal, who asked and when; `SHA256SUMS`
says the same to `sha256sum -c`, the manifest included. Rows are read in
one moment of the database, and written one at a time: a busy day takes no more memory than a quiet
one.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from datetime import date, datetime
from typing import IO, Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from django.apps import apps
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models, transaction

from pitboss.confidential import COMPLIANCE_ONLY, shown_columns, without_compliance
from pitboss.models import Device, JournalEntry, JournalSeal, Person, Slip
from pitboss.patience import patient
from pitboss.services import house, journal
from pitboss.standby import from_standby, read_from, reading_alias, reading_connection

MANIFEST, SUMS = "manifest.json", "SHA256SUMS"
_APPS = ("pitboss", "tables", "inventory", "jackpots")


def export_day(*, day: date, person: Person, device: Device | None, to: IO[bytes]) -> str:
    """Write a gaming day into an archive and return the hash of its manifest.

    The export itself is in the journal, with that hash: what was handed out can be told from what
    someone made of it later.
    """
    now = house.now()
    manifest = from_standby(lambda: _read(day, person, now, to))
    fingerprint = hashlib.sha256(manifest).hexdigest()
    journal.write(
        chain=journal.HOUSE,
        kind="day_exported",
        body={"gaming_day": day.isoformat(), "manifest": fingerprint},
        at=now,
        person=person,
        device=device,
    )
    return fingerprint


def _read(day: date, person: Person, now: datetime, to: IO[bytes]) -> bytes:
    """Write the archive by one moment of the database that is read; begin anew if there was one."""
    to.seek(0)
    to.truncate()
    with transaction.atomic(using=reading_alias()):
        with reading_connection().cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        with patient():
            return _write(day, person, now, to)


def _write(day: date, person: Person, now: datetime, to: IO[bytes]) -> bytes:
    files = []
    with ZipFile(to, "w", ZIP_DEFLATED) as archive:
        for name, rows in _files(day):
            size, digest, count = _add(archive, name, rows, now)
            files.append({"file": name, "rows": count, "bytes": size, "sha256": digest})
        seal = JournalSeal.objects.order_by("-number").first()
        manifest = json.dumps(
            {
                "property": house.the_property().name,
                "gaming_day": day.isoformat(),
                "exported_at": journal.plain_time(now),
                **_source(),
                "exported_by": person.badge,
                "newest_seal": {"number": seal.number, "link": seal.link} if seal else None,
                "files": files,
            },
            indent=2,
        ).encode()
        archive.writestr(_entry(MANIFEST, now), manifest)
        hashes = {file["file"]: file["sha256"] for file in files}
        hashes[MANIFEST] = hashlib.sha256(manifest).hexdigest()
        lines = "".join(f"{digest}  {name}\n" for name, digest in hashes.items())
        archive.writestr(_entry(SUMS, now), lines.encode())
    return manifest


def _source() -> dict[str, object]:
    """Return where the rows were read and of when they are, where the house has a standby."""
    source = read_from()
    if source is None:
        return {}
    where = "standby" if source.is_standby else "primary"
    return {"read_from": where, "as_of": journal.plain_time(source.as_of)}


def _files(day: date) -> Iterator[tuple[str, models.QuerySet[Any]]]:
    """Yield a file for every kind of row that belongs to a gaming day."""
    for model in sorted(_models(), key=lambda model: model._meta.label):
        columns = {field.name: field for field in model._meta.concrete_fields}
        slip = columns.get("slip")
        if model is Slip or "gaming_day" in columns:
            rows = model._default_manager.filter(gaming_day=day)
        elif slip is not None and slip.related_model is Slip and model is not JournalEntry:
            rows = model._default_manager.filter(slip__gaming_day=day)
        else:
            continue
        yield f"{model._meta.label_lower}.jsonl", rows.order_by("pk")
    began, ends = house.day_span(day)
    for record in (JournalEntry, JournalSeal):
        rows = without_compliance(record._default_manager.filter(at__gte=began, at__lt=ends))
        yield f"{record._meta.label_lower}.jsonl", rows.order_by("pk")


def _models() -> list[type[models.Model]]:
    return [
        model
        for label in _APPS
        for model in apps.get_app_config(label).get_models()
        if model._meta.label not in COMPLIANCE_ONLY
    ]


def _add(
    archive: ZipFile, name: str, rows: models.QuerySet[Any], now: datetime
) -> tuple[int, str, int]:
    """Write one file of rows and return its size, its hash and how many rows it has."""
    columns = [field.attname for field in shown_columns(rows.model)]
    size, count, digest = 0, 0, hashlib.sha256()
    with archive.open(_entry(name, now), "w") as file:
        for row in rows.values(*columns).iterator(chunk_size=2000):
            line = json.dumps(row, cls=_Encoder, sort_keys=True, ensure_ascii=False).encode()
            file.write(line + b"\n")
            digest.update(line + b"\n")
            size, count = size + len(line) + 1, count + 1
    return size, digest.hexdigest(), count


def _entry(name: str, now: datetime) -> ZipInfo:
    entry = ZipInfo(name, date_time=now.timetuple()[:6])
    entry.compress_type = ZIP_DEFLATED
    return entry


class _Encoder(DjangoJSONEncoder):
    """Write times to the microsecond, as the journal does, and bytes as hexadecimal."""

    def default(self, o: Any) -> Any:
        if isinstance(o, datetime):
            return journal.plain_time(o)
        if isinstance(o, bytes | memoryview):
            return bytes(o).hex()
        return super().default(o)
