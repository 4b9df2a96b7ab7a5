"""The file of an archived month: its parts line by line, and a manifest that only the key makes.

A zip. Each part is a file of lines, each line a row as JSON; `manifest.json` names every part with
its columns, size and SHA-256, and `manifest.mark` is the mark of the manifest by a key of the
journal. So the file is proven by itself, without a database.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import IO, Any
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile, ZipInfo

from pitboss.rules.canonical import canonical
from pitboss.services.journal import make_link

FORMAT = 1
MANIFEST, MARK = "manifest.json", "manifest.mark"
ENTRIES, SEALS = "entries.jsonl", "seals.jsonl"
# What the key is used over besides entries, seals, sheets and positions: none of those follows it.
_FOLLOWS = "archive"
_HEAD_BYTES_MAX = 50_000_000

ArchiveRow = list[Any]


class ArchiveBroken(Exception):
    """A file that is no archive, or not as it was written; says so in a sentence."""


@dataclass(frozen=True, slots=True)
class ArchivePart:
    """One part of an archive: rows of one kind."""

    name: str
    # What kind of rows they are, and what proves them.
    label: str
    proof: str
    columns: tuple[str, ...]
    # The places of columns that hold JSON.
    json: tuple[int, ...]
    rows: int
    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class ArchivePartKind:
    """What a part is of, before its rows are written."""

    name: str
    label: str
    # "chain", "entries", "digests", or nothing but the manifest itself.
    proof: str
    columns: tuple[str, ...]
    json: tuple[int, ...] = ()


class ArchiveWriter:
    """Writes an archive part by part; with its manifest it is whole."""

    def __init__(self, file: IO[bytes], made_at: datetime) -> None:
        self._zip = ZipFile(file, "w", ZIP_DEFLATED, allowZip64=True)
        self._made_at = made_at
        self._parts: list[ArchivePart] = []

    def add(self, kind: ArchivePartKind, rows: Iterable[ArchiveRow]) -> ArchivePart:
        """Write the rows of one kind, one at a time."""
        size, count, digest = 0, 0, hashlib.sha256()
        with self._zip.open(self._entry(kind.name), "w", force_zip64=True) as part:
            for row in rows:
                line = json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
                part.write(line)
                digest.update(line)
                size, count = size + len(line), count + 1
        made = ArchivePart(**asdict(kind), rows=count, bytes=size, sha256=digest.hexdigest())
        self._parts.append(made)
        return made

    def finish(self, says: Mapping[str, Any], key_name: str, key: bytes) -> str:
        """Write the manifest and its mark; return the hash of the manifest."""
        parts = [asdict(part) for part in self._parts]
        text = canonical({**says, "format": FORMAT, "parts": parts})
        mark = f"{key_name}:{make_link(key, _FOLLOWS, text)}"
        self._zip.writestr(self._entry(MANIFEST), text.encode())
        self._zip.writestr(self._entry(MARK), mark.encode())
        self._zip.close()
        return hashlib.sha256(text.encode()).hexdigest()

    def _entry(self, name: str) -> ZipInfo:
        entry = ZipInfo(name, date_time=self._made_at.timetuple()[:6])
        entry.compress_type = ZIP_DEFLATED
        return entry


class ArchiveReader:
    """Reads an archive whose manifest the key proves. Raises ArchiveBroken."""

    def __init__(self, path: Path, keys: Mapping[str, bytes]) -> None:
        try:
            self._zip = ZipFile(path)
            text = self._head(MANIFEST)
            key_name, _, mark = self._head(MARK).rpartition(":")
        except (OSError, BadZipFile, KeyError, UnicodeDecodeError, zlib.error) as error:
            raise ArchiveBroken("It can’t be read as an archive.") from error
        key = keys.get(key_name)
        if key is None:
            raise ArchiveBroken(f"It was made with the key “{key_name}”, which isn’t known here.")
        if not hmac.compare_digest(make_link(key, _FOLLOWS, text), mark):
            raise ArchiveBroken("Its manifest was changed, or was not made with the key.")
        self.says: dict[str, Any] = json.loads(text)
        if self.says["format"] != FORMAT:
            raise ArchiveBroken("Another release made it, in a format not known here.")
        self.manifest_sha256 = hashlib.sha256(text.encode()).hexdigest()
        self.parts = [
            ArchivePart(**{**part, "columns": tuple(part["columns"]), "json": tuple(part["json"])})
            for part in self.says["parts"]
        ]
        if sorted(self._zip.namelist()) != sorted([MANIFEST, MARK, *(p.name for p in self.parts)]):
            raise ArchiveBroken("It has other parts than its manifest names.")

    def close(self) -> None:
        self._zip.close()

    def rows(self, part: ArchivePart) -> Iterator[ArchiveRow]:
        """Yield the rows of a part. One that is not as the manifest says raises at its end."""
        digest = hashlib.sha256()
        size = 0
        try:
            with self._zip.open(part.name) as lines:
                for line in lines:
                    digest.update(line)
                    size += len(line)
                    if size > part.bytes:
                        break
                    yield json.loads(line)
        except (OSError, BadZipFile, ValueError, zlib.error) as error:
            raise ArchiveBroken(f"Its part {part.name} can’t be read.") from error
        if (size, digest.hexdigest()) != (part.bytes, part.sha256):
            raise ArchiveBroken(f"Its part {part.name} is not as it was written.")

    def _head(self, name: str) -> str:
        if self._zip.getinfo(name).file_size > _HEAD_BYTES_MAX:
            raise BadZipFile(name)
        return self._zip.read(name).decode()
