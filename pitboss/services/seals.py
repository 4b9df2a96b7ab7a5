"""Seal the journal: the heads of all chains at one moment, chained, in the database and in a file.

Whoever can rewrite the database cannot take back what the file says. The file only grows: one line
a seal, in order; what a crash kept out of it is appended before anything newer.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection, transaction

from pitboss.models import JournalChain, JournalSeal
from pitboss.rules.canonical import canonical
from pitboss.services.journal import make_link, plain_time

# A seal is due when any head moved, and at least this often.
SEAL_AGE_MAX = timedelta(hours=1)

_SEALS = 0x50_49_54_02
_TAIL_BYTES = 64 * 1024
_BEGINS = '{"key_name":'


@dataclass(frozen=True, slots=True)
class SealLine:
    """One whole line of the seal file. `seal` is None when the line is no seal at all."""

    line_number: int
    raw: str
    seal: dict[str, Any] | None
    text: str = ""
    key_name: str = ""
    link: str = ""


def write_seal(*, now: datetime) -> JournalSeal | None:
    """Seal all chains if a seal is due, then bring the file up to date. Return the new seal."""
    seal = _seal_heads(now)
    append_missing_lines()
    return seal


@transaction.atomic(durable=True)
def _seal_heads(now: datetime) -> JournalSeal | None:
    _lock_seals()
    # One statement, so that the heads are those of one moment.
    heads = {
        name: [number, link]
        for name, number, link in JournalChain.objects.order_by("name").values_list(
            "name", "head_number", "head_link"
        )
    }
    last = JournalSeal.objects.order_by("-number").first()
    if (
        last is not None
        and now - last.at < SEAL_AGE_MAX
        and json.loads(last.text)["heads"] == heads
    ):
        return None
    number = last.number + 1 if last else 1
    text = canonical({"number": number, "at": plain_time(now), "heads": heads})
    keys = settings.KEYS
    return JournalSeal.objects.create(
        number=number,
        at=now,
        text=text,
        key_name=keys.journal_key_name,
        link=make_link(keys.journal_keys[keys.journal_key_name], last.link if last else "", text),
    )


@transaction.atomic(durable=True)
def append_missing_lines() -> int:
    """Append every seal that the file does not have yet, and return how many those were."""
    # The lock orders the writers of all nodes, also where the file lies on a shared disk.
    _lock_seals()
    path: Path = settings.SEAL_FILE
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o640)
    with os.fdopen(descriptor, "r+b", buffering=0) as file:
        size = os.fstat(file.fileno()).st_size
        last_number = _last_number(file.fileno(), size)
        missing = JournalSeal.objects.filter(number__gt=last_number).order_by("number")
        appended = 0
        for seal in missing.iterator(chunk_size=500):
            line = line_of(seal.key_name, seal.link, seal.text).encode() + b"\n"
            if appended == 0 and size and os.pread(file.fileno(), 1, size - 1) != b"\n":
                # A crash tore the last line. It stays as it is; the whole seal follows it.
                line = b"\n" + line
            _write_all(file.fileno(), line)
            appended += 1
        if appended:
            os.fsync(file.fileno())
    if not size:
        _sync_folder(path.parent)
    return appended


def line_of(key_name: str, link: str, text: str) -> str:
    """Return a seal as its line in the file. `text` is canonical JSON, and so is the line.

    >>> line_of("journal-1", "ab12", '{"number":1}')
    '{"key_name":"journal-1","link":"ab12","seal":{"number":1}}'
    """
    return f'{{"key_name":{json.dumps(key_name)},"link":"{link}","seal":{text}}}'


def file_size() -> int:
    """Return how long the seal file is now, 0 when there is none."""
    try:
        return int(settings.SEAL_FILE.stat().st_size)
    except FileNotFoundError:
        return 0


def lines_of_file(size: int) -> Iterator[SealLine]:
    """Read the first bytes of the seal file, line by line.

    A line that a crash tore is left out when the whole of it follows.
    """
    if size == 0:
        return
    torn: SealLine | None = None
    with settings.SEAL_FILE.open("rb") as file:
        line_number = 0
        while file.tell() < size:
            line_number += 1
            raw = file.readline().rstrip(b"\n").decode(errors="replace")
            line = _parsed(line_number, raw)
            if torn is not None and not line.raw.startswith(torn.raw):
                yield torn
            torn = line if line.seal is None else None
            if torn is None:
                yield line
    # At the very end a torn line is the newest seal, on its way or about to be completed.
    if torn is not None and not torn.raw.startswith(_BEGINS[: len(torn.raw)]):
        yield torn


def _parsed(line_number: int, raw: str) -> SealLine:
    try:
        content = json.loads(raw)
        seal, key_name, link = content["seal"], content["key_name"], content["link"]
        plain = isinstance(seal["number"], int) and isinstance(seal["heads"], dict)
    except (ValueError, KeyError, TypeError, RecursionError):
        return SealLine(line_number, raw, None)
    # The text as it stands there: what is not canonical then does not fit its link.
    text = raw.partition('"seal":')[2][:-1]
    return SealLine(line_number, raw, seal if plain else None, text, str(key_name), str(link))


def _lock_seals() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_SEALS])


def _last_number(descriptor: int, size: int) -> int:
    """Return the number of the last line that is a seal of this database, 0 when none is."""
    length = _TAIL_BYTES
    while True:
        start = max(0, size - length)
        # Before the first line break is the rest of a line; after the last one, a torn line.
        first, *lines = os.pread(descriptor, size - start, start).split(b"\n")
        whole = [first, *lines][:-1] if start == 0 else lines[:-1]
        for raw in reversed(whole):
            line = _parsed(0, raw.decode(errors="replace"))
            if line.seal is not None and _is_ours(line):
                return int(line.seal["number"])
        if start == 0:
            return 0
        length *= 2


def _is_ours(line: SealLine) -> bool:
    assert line.seal is not None
    return JournalSeal.objects.filter(number=line.seal["number"], link=line.link).exists()


def _write_all(descriptor: int, content: bytes) -> None:
    while content:
        content = content[os.write(descriptor, content) :]


def _sync_folder(folder: Path) -> None:
    """Make a new file's name survive a power cut, as its content does."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
