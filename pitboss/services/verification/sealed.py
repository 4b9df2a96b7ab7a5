"""Check the seals: their own chain, the file against the database, and which heads they saw."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from pitboss.services.journal import make_link, plain_time
from pitboss.services.seals import line_of, lines_of_file
from pitboss.services.verification.findings import Report, Wrong
from pitboss.services.verification.joining import side_by_side
from pitboss.services.verification.scratch import Spool
from pitboss.services.verification.snapshot import Snapshot

# A seal reaches the file right after it is committed. One that is older than this and not there
# was taken out, or nobody watches the disk.
FILE_DELAY_MAX = timedelta(minutes=10)

_SEALS = "seals"
_FILE = "seal file, line"
_HEAD = struct.Struct(">Q64s")


class SealedHeads:
    """Every head that a seal saw, on disk: which link which entry of which chain must have."""

    def __init__(self) -> None:
        self._spool = Spool(_HEAD.size)
        self._last: dict[str, list[Any]] = {}

    def close(self) -> None:
        self._spool.close()

    def add(self, seal_number: int, heads: Mapping[str, list[Any]], report: Report) -> None:
        """Keep the heads that moved since the seal before; name a chain that went back."""
        for name, head in heads.items():
            last = self._last.get(name)
            if head == last:
                continue
            number, link = head
            if last is not None and number <= last[0]:
                report.add(
                    Wrong.SEALED_OTHERWISE,
                    name,
                    last[0],
                    f"Seal {seal_number} saw entry {number} as the newest, "
                    "although an earlier seal saw this one: the chain was set back.",
                )
            self._last[name] = head
            if number:
                self._spool.put(name, _HEAD.pack(number, link.encode()))
        for name in self._last.keys() - heads.keys():
            self._last.pop(name)
            report.add(Wrong.MISSING, name, 0, f"Seal {seal_number} no longer saw this chain.")

    def of(self, chain: str) -> Iterator[tuple[int, str]]:
        """Yield (number, link) of the sealed entries of a chain, as they were sealed."""
        for record in self._spool.take(chain):
            number, link = _HEAD.unpack(record)
            yield number, link.rstrip(b"\x00").decode(errors="replace")

    def chains(self) -> list[str]:
        """Return the names of all chains that any seal saw an entry of."""
        return self._spool.names()


@dataclass(frozen=True, slots=True)
class _Seal:
    number: int
    text: str
    key_name: str
    link: str

    @property
    def line(self) -> str:
        return line_of(self.key_name, self.link, self.text)


def check_seals(
    snapshot: Snapshot,
    heads: SealedHeads,
    report: Report,
    *,
    file_bytes: int,
    keys: Mapping[str, bytes],
    now: datetime,
) -> None:
    """Walk database and file side by side, in the order of the seals' numbers."""
    previous: str | None = ""
    position = 0
    in_file_last = 0
    behind_since: int | None = None
    for number, stored, filed in side_by_side(
        _stored_seals(snapshot, report), _filed_seals(file_bytes, report)
    ):
        report.seals += 1
        if number != position + 1:
            report.add(Wrong.SEAL_MISSING, _SEALS, position + 1, "This seal is gone everywhere.")
            previous = None
        position = number
        if filed is not None:
            in_file_last = number
        if stored is None:
            report.add(
                Wrong.SEAL_MISSING, _SEALS, number, "The file has this seal, the database has not."
            )
        elif filed is not None and stored != filed:
            report.add(
                Wrong.SEAL_FILE_DIFFERS, _SEALS, number, "The file's seal is not the database's."
            )
        elif filed is None and behind_since is None and _is_late(stored, now):
            behind_since = number
        # What the file keeps cannot be rewritten through the database: it is believed first.
        seal = filed or stored
        assert seal is not None
        _check_seal(seal, previous, heads, report, keys)
        previous = seal.link
    if behind_since is not None:
        report.add(
            Wrong.SEAL_FILE_BEHIND,
            _SEALS,
            behind_since,
            f"The file lacks this seal; the last one that it has is {in_file_last}.",
        )


def _check_seal(
    seal: _Seal,
    previous: str | None,
    heads: SealedHeads,
    report: Report,
    keys: Mapping[str, bytes],
) -> None:
    key = keys.get(seal.key_name)
    if key is None:
        sentence = f"It was made with the key “{seal.key_name}”, which is not known here."
        report.add(Wrong.UNKNOWN_KEY, _SEALS, seal.number, sentence)
    elif previous is None:
        # Its predecessor is gone and was named; whether this one followed it nobody can tell.
        return
    elif make_link(key, previous, seal.text) != seal.link:
        report.add(
            Wrong.SEAL_CHANGED,
            _SEALS,
            seal.number,
            "It was changed, or was not made with the key, or does not follow the seal before it.",
        )
    else:
        heads.add(seal.number, json.loads(seal.text)["heads"], report)


def _is_late(seal: _Seal, now: datetime) -> bool:
    """Tell whether a seal should long be in the file. One that cannot be read counts as late."""
    try:
        at = datetime.fromisoformat(json.loads(seal.text)["at"])
        return now - at > FILE_DELAY_MAX
    except (ValueError, KeyError, TypeError):
        return True


def _stored_seals(snapshot: Snapshot, report: Report) -> Iterator[tuple[int, _Seal]]:
    rows = snapshot.stream(
        "SELECT number, at, text, key_name, link FROM pitboss_journalseal ORDER BY number"
    )
    for number, at, text, key_name, link in rows:
        try:
            content = json.loads(text)
            agrees = (content["number"], content["at"]) == (number, plain_time(at))
        except (ValueError, KeyError, TypeError):
            agrees = False
        if not agrees:
            report.add(Wrong.COLUMN_DIFFERS, _SEALS, number, "Its columns differ from its text.")
        yield number, _Seal(number, text, key_name, link)


def _filed_seals(file_bytes: int, report: Report) -> Iterator[tuple[int, _Seal]]:
    last = 0
    for line in lines_of_file(file_bytes):
        if line.seal is None:
            sentence = "This line is no seal."
            report.add(Wrong.SEAL_FILE_DIFFERS, _FILE, line.line_number, sentence)
            continue
        number = line.seal["number"]
        if number <= last:
            sentence = f"It holds seal {number}, which does not come after seal {last}."
            report.add(Wrong.SEAL_FILE_DIFFERS, _FILE, line.line_number, sentence)
            continue
        last = number
        yield number, _Seal(number, line.text, line.key_name, line.link)
