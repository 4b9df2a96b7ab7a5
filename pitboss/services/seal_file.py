"""The seal file: one line a seal, in order, outside the database. It only grows.

Anyone who can rewrite the database cannot take back what the file says. So the file is never filled
again in silence: each seal remembers how long the file was and how it ended, and a file that is
not so any more is named in the next seal. Only what never was in the file is appended.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum, unique
from pathlib import Path
from typing import Any

from django.conf import settings

from pitboss.durable import sync_folder

# How much of the file's end a seal remembers by its hash: more than any line of a small house.
_END_BYTES = 4096
_BEGINS = '{"key_name":'
_SYSLOG = re.compile(r"pitboss-seal number=(\d+) key=(\S+) link=([0-9a-f]{64})")


@unique
class SealFileFound(StrEnum):
    """How a seal file can be other than it was left. The values stand in seals."""

    MISSING = "missing"
    SHORTENED = "shortened"
    REWRITTEN = "rewritten"
    # As it was left, and further than the database: not the file has lost something.
    AHEAD = "ahead"


@dataclass(frozen=True, slots=True)
class Memory:
    """The file as it was: its length, the hash of its end, and the last seal that it had."""

    bytes: int
    end: str
    seal: int

    def as_text(self, found: SealFileFound | None = None) -> dict[str, Any]:
        fields: dict[str, Any] = {"bytes": self.bytes, "end": self.end, "seal": self.seal}
        return fields if found is None else {**fields, "found": found.value}


NO_FILE = Memory(0, "", 0)


def memory_of(text: Mapping[str, Any]) -> Memory | None:
    """Return what a seal remembers of the file; None of a seal from before seals did."""
    file = text.get("file")
    return None if file is None else Memory(file["bytes"], file["end"], file["seal"])


@dataclass(frozen=True, slots=True)
class SealLine:
    """One whole line of a seal file. `seal` is None when the line is no seal at all."""

    line_number: int
    raw: str
    seal: dict[str, Any] | None
    text: str = ""
    key_name: str = ""
    link: str = ""
    # Where in the file it begins.
    start: int = 0


def line_of(key_name: str, link: str, text: str) -> str:
    """Return a seal as its line in the file. `text` is canonical JSON, and so is the line.

    >>> line_of("journal-1", "ab12", '{"number":1}')
    '{"key_name":"journal-1","link":"ab12","seal":{"number":1}}'
    """
    return f'{{"key_name":{json.dumps(key_name)},"link":"{link}","seal":{text}}}'


def syslog_line(number: int, key_name: str, link: str) -> str:
    """Return a seal as it is sent to the log of another machine: its link vouches for its text."""
    return f"pitboss-seal number={number} key={key_name} link={link}"


def from_syslog(raw: str) -> tuple[int, str] | None:
    """Return number and link of a seal in a line of a log; None when there is none."""
    found = _SYSLOG.search(raw)
    return (int(found[1]), found[3]) if found else None


def file_size() -> int:
    """Return how long the seal file is now, 0 when there is none."""
    try:
        return int(settings.SEAL_FILE.stat().st_size)
    except FileNotFoundError:
        return 0


def check_seal_file(
    remembered: Memory, left_bytes: int, newer: Sequence[str]
) -> tuple[Memory, SealFileFound | None]:
    """Return how the file is now, and what is wrong with it, if anything is.

    `newer` are the lines that may have been added since it was remembered; a crash may have kept
    some out, or torn one. `left_bytes` is how long it was when a line was last added.
    Raises OSError when the file is there and cannot be read.
    """
    try:
        with settings.SEAL_FILE.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            end = _end_at(file.fileno(), size)
            added = _added(file.fileno(), size, remembered, newer)
    except FileNotFoundError:
        found = SealFileFound.MISSING if remembered.bytes or left_bytes else None
        return NO_FILE, found
    now = Memory(size, end, remembered.seal + (added or 0))
    if size < max(remembered.bytes, left_bytes):
        return now, SealFileFound.SHORTENED if size else SealFileFound.MISSING
    return now, SealFileFound.REWRITTEN if added is None else None


def is_as_remembered(remembered: Memory) -> bool:
    """Tell whether the file still begins as it was, whatever follows."""
    with settings.SEAL_FILE.open("rb") as file:
        return _end_at(file.fileno(), remembered.bytes) == remembered.end


def _end_at(descriptor: int, size: int) -> str:
    start = max(0, size - _END_BYTES)
    return hashlib.sha256(os.pread(descriptor, size - start, start)).hexdigest() if size else ""


def _added(descriptor: int, size: int, remembered: Memory, newer: Sequence[str]) -> int | None:
    """Return how many lines were added since; None when the file is not what it was before."""
    if _end_at(descriptor, remembered.bytes) != remembered.end:
        return None
    lines = [line.encode() for line in newer]
    more = size - remembered.bytes
    if more > 2 * sum(len(line) + 1 for line in lines) + 1:
        # Each line once, once more where it was torn, and no more.
        return None
    *whole, rest = os.pread(descriptor, max(0, more), remembered.bytes).split(b"\n")
    added = 0
    for piece in whole:
        due = lines[added] if added < len(lines) else b""
        if piece == due and due:
            added += 1
        elif not due.startswith(piece):
            # A line that a crash tore stays as it is; the whole of it follows.
            return None
    due = lines[added] if added < len(lines) else b""
    return added if due.startswith(rest) else None


def whole_lines(start: int, size: int) -> list[str]:
    """Return the whole lines between two places of the file."""
    with settings.SEAL_FILE.open("rb") as file:
        # Before the first line break is the rest of a line; after the last one, a torn line.
        pieces = os.pread(file.fileno(), size - start, start).split(b"\n")[:-1]
    return [piece.decode(errors="replace") for piece in (pieces[1:] if start else pieces)]


def last_line_end(size: int) -> int:
    """Return where the last whole line ends among the first bytes of the file."""
    with settings.SEAL_FILE.open("rb") as file:
        start = size
        while start:
            start = max(0, start - 65_536)
            content = os.pread(file.fileno(), min(size - start, 65_536), start)
            if b"\n" in content:
                return start + content.rindex(b"\n") + 1
    return 0


def append_to(path: Path, lines: Sequence[str]) -> int:
    """Append lines to a file, safe from a power cut; return how long it is then."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o640)
    try:
        size = os.fstat(descriptor).st_size
        content = b"".join(line.encode() + b"\n" for line in lines)
        if content and size and os.pread(descriptor, 1, size - 1) != b"\n":
            # A crash tore the last line. It stays as it is; the whole seal follows it.
            content = b"\n" + content
        _write_all(descriptor, content)
        if content:
            os.fsync(descriptor)
        if not size:
            sync_folder(path.parent)
        return os.fstat(descriptor).st_size
    finally:
        os.close(descriptor)


def _write_all(descriptor: int, content: bytes) -> None:
    while content:
        content = content[os.write(descriptor, content) :]


def lines_of_file(size: int, path: Path | None = None, *, start: int = 0) -> Iterator[SealLine]:
    """Read the bytes of a seal file from a start to a size, line by line.

    A line that a crash tore is left out when the whole of it follows.
    """
    if size <= start:
        return
    torn: SealLine | None = None
    with (path or settings.SEAL_FILE).open("rb") as file:
        file.seek(start)
        line_number = 0
        while file.tell() < size:
            line_number += 1
            begins = file.tell()
            raw = file.readline().rstrip(b"\n").decode(errors="replace")
            line = replace(parsed(line_number, raw), start=begins)
            if torn is not None and not line.raw.startswith(torn.raw):
                yield torn
            torn = line if line.seal is None else None
            if torn is None:
                yield line
    # At the very end a torn line is the newest seal, on its way or about to be completed.
    if torn is not None and not torn.raw.startswith(_BEGINS[: len(torn.raw)]):
        yield torn


def parsed(line_number: int, raw: str) -> SealLine:
    """Read one line of a seal file."""
    try:
        content = json.loads(raw)
        seal, key_name, link = content["seal"], content["key_name"], content["link"]
        heads = seal["heads"] if "heads" in seal else seal["moved"]
        plain = isinstance(seal["number"], int) and isinstance(heads, dict)
    except (ValueError, KeyError, TypeError, RecursionError):
        return SealLine(line_number, raw, None)
    # The text as it stands there: what is not canonical then does not fit its link.
    text = raw.partition('"seal":')[2][:-1]
    return SealLine(line_number, raw, seal if plain else None, text, str(key_name), str(link))
