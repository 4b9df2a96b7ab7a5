"""Check the seals: their own chain, the file against the database, and which heads they saw."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from pitboss.rules.refusal import refuse
from pitboss.services.journal import make_link, plain_time
from pitboss.services.losses import Loss, digest_of, loss_in, lost_seals
from pitboss.services.seal_file import (
    SealFileFound,
    SealLine,
    file_size,
    from_syslog,
    last_line_end,
    line_of,
    lines_of_file,
)
from pitboss.services.seals import FILE_DELAY_MAX, FOUND_WORDS
from pitboss.services.verification.findings import VerificationReport, Wrong
from pitboss.services.verification.joining import side_by_side
from pitboss.services.verification.position import Position
from pitboss.services.verification.scratch import Spool
from pitboss.services.verification.sealed_from import Begin
from pitboss.services.verification.snapshot import Snapshot

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

    def begin(self, heads: Mapping[str, list[Any]]) -> None:
        """Begin with heads that were proven before: they are compared with what follows."""
        self._last = {name: list(head) for name, head in heads.items()}

    def add(
        self,
        seal_number: int,
        heads: Mapping[str, list[Any]],
        report: VerificationReport,
        *,
        whole: bool,
    ) -> None:
        """Keep the heads that moved since the seal before; name a chain that went back.

        A whole seal holds every chain; one between two of them, those that moved.
        """
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
        for name in self._last.keys() - heads.keys() if whole else ():
            self._last.pop(name)
            report.add(Wrong.MISSING, name, 0, f"Seal {seal_number} no longer includes this chain.")

    def newest(self) -> dict[str, list[Any]]:
        """Return each chain's head as the newest seals tell it."""
        return dict(self._last)

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


class SealCheck:
    """Walks database and file side by side, in the order of the seals' numbers."""

    def __init__(
        self,
        snapshot: Snapshot,
        heads: SealedHeads,
        report: VerificationReport,
        keys: Mapping[str, bytes],
    ) -> None:
        self._snapshot = snapshot
        self._heads = heads
        self._report = report
        self._keys = keys
        self._at = ""
        # The newest seal that was proven, and the newest that the file has.
        self.last = (0, "")
        self.in_file_last = 0
        # The newest sheet of guards that a seal saw.
        self.guards = ""

    def proven(self, since: Position, *, file_bytes: int) -> Position:
        """Return up to where seals are proven; not past what the file does not have yet."""
        number, link = self.last
        if number == 0 or number != self.in_file_last:
            return since
        return Position(
            seal=number,
            seal_link=link,
            seal_heads=self._heads.newest(),
            seal_at=self._at,
            guards=self.guards,
            file_bytes=last_line_end(file_bytes),
        )

    def run(self, begin: Begin, *, file_bytes: int, now: datetime) -> None:
        """Check every seal after the beginning."""
        report = self._report
        self.last = (begin.after, begin.link)
        self.in_file_last = begin.after
        self._at, self.guards = begin.at, begin.guards
        self._heads.begin(begin.heads)
        previous: str | None = begin.link
        position = begin.after
        behind_since: int | None = None
        for number, stored, filed in side_by_side(
            _stored_seals(self._snapshot, report, begin.after),
            _filed_seals(file_bytes, report, begin),
        ):
            report.seals += 1
            if number != position + 1:
                sentence = "This seal is gone everywhere."
                report.add(Wrong.SEAL_MISSING, _SEALS, position + 1, sentence)
                previous = None
            position = number
            if filed is not None:
                self.in_file_last = number
            if stored is None:
                sentence = "The file has this seal, the database has not."
                report.add(Wrong.SEAL_MISSING, _SEALS, number, sentence)
            elif filed is not None and stored != filed:
                sentence = "The file's seal is not the database's."
                report.add(Wrong.SEAL_FILE_DIFFERS, _SEALS, number, sentence)
            elif filed is None and number >= begin.file_from and _is_late(stored, now):
                behind_since = behind_since or number
            # What the file keeps cannot be rewritten through the database: it is believed first.
            seal = filed or stored
            assert seal is not None
            says = self._check(seal, previous)
            found = says.get("file", {}).get("found")
            if (loss := loss_in(says)) is not None:
                behind_since = None
                self._name_loss(number, loss, begin)
            elif found is not None and number > begin.file_from:
                # The seal itself says that the file had lost what was before it.
                behind_since = None
                sentence = (
                    f"{FOUND_WORDS[SealFileFound(found)]} This seal says so. "
                    "An auditor finds out why, and then accepts the file."
                )
                report.add(Wrong.SEAL_FILE_BROKEN, _SEALS, number, sentence)
            previous = seal.link
        if behind_since is not None:
            sentence = f"The file lacks this seal; the last one that it has is {self.in_file_last}."
            report.add(Wrong.SEAL_FILE_BEHIND, _SEALS, behind_since, sentence)

    def _name_loss(self, number: int, loss: Loss, begin: Begin) -> None:
        """Name what the database lost; once two people have accepted it, as a gap."""
        accepted = begin.losses_accepted.get(number)
        if loss.start >= begin.file_start and digest_of(loss.start, loss.end) != loss.digest:
            sentence = "The seals that the database lost are not in the file as they were."
            self._report.add(Wrong.SEAL_FILE_DIFFERS, _SEALS, loss.first, sentence)
        if accepted is None:
            sentence = f"{loss.words} An auditor and surveillance find out why, and accept it."
            self._report.add(Wrong.RECORD_LOST, _SEALS, number, sentence)
        else:
            entries = sum(last - kept for kept, last in accepted["chains"].values())
            self._report.gaps.append(
                f"{loss.words} Up to {entries:,} entries; accepted with the reason: "
                f"{accepted['reason']}"
            )

    def _check(self, seal: _Seal, previous: str | None) -> Mapping[str, Any]:
        """Check one seal; return what it says, if it is proven."""
        report = self._report
        key = self._keys.get(seal.key_name)
        if key is None:
            sentence = f"It was made with the key “{seal.key_name}”, which isn’t known here."
            report.add(Wrong.UNKNOWN_KEY, _SEALS, seal.number, sentence)
            return {}
        if previous is None:
            # Its predecessor is gone and was named; whether this one followed it no one can tell.
            return {}
        if make_link(key, previous, seal.text) != seal.link:
            sentence = (
                "It was changed, or was not made with the key, or doesn’t follow the "
                "seal before it."
            )
            report.add(Wrong.SEAL_CHANGED, _SEALS, seal.number, sentence)
            return {}
        self.last = (seal.number, seal.link)
        says: Mapping[str, Any] = json.loads(seal.text)
        self._read(seal.number, says)
        return says

    def _read(self, number: int, says: Mapping[str, Any]) -> None:
        """Take what a proven seal says: its time, its heads and the guards that it saw."""
        report = self._report
        if "file" in says and says["at"] < self._at:
            sentence = f"It is of {says['at']}, before the seal before it, of {self._at}."
            report.add(Wrong.TIME_FELL, _SEALS, number, sentence)
        self._at = says["at"]
        self.guards = says.get("guards", self.guards)
        whole = "heads" in says
        self._heads.add(number, says["heads" if whole else "moved"], report, whole=whole)


def name_short_file(snapshot: Snapshot, report: VerificationReport) -> None:
    """Name a file that is shorter than when a line was last added to it."""
    left = snapshot.count("SELECT coalesce(max(file_bytes), 0) FROM pitboss_sealingstate")
    # Asked after the snapshot was taken: what grew since then is no loss.
    size = file_size()
    if size < left:
        words = FOUND_WORDS[SealFileFound.SHORTENED if size else SealFileFound.MISSING]
        sentence = f"{words} It had {left:,} bytes and has {size:,}."
        report.add(Wrong.SEAL_FILE_BROKEN, "seal file, byte", size, sentence)


def compare_copy(snapshot: Snapshot, report: VerificationReport, copy: Path, begin: Begin) -> None:
    """Compare every seal of a copy, or of a log that seals were sent to, with the database's.

    Seals that the database lost were sent there too: they are as the seal file has them.
    """
    lost = {
        (line.seal["number"], line.link)
        for loss in begin.losses
        for line in lost_seals(loss)
        if line.seal is not None
    }
    links = dict(snapshot.stream("SELECT number, link FROM pitboss_journalseal"))
    texts_differ = """
        SELECT count(*) FROM pitboss_journalseal
        WHERE number = %s AND (text, key_name) <> (%s, %s)
    """
    where = f"{copy.name}, line"
    for line_number, seal, line in _seals_of_copy(copy):
        if seal is None:
            if line is not None:
                report.add(Wrong.SEAL_FILE_DIFFERS, where, line_number, "This line isn’t a seal.")
            continue
        number, link = seal
        report.seals += 1
        if seal in lost:
            continue
        if links.get(number) is None:
            sentence = f"The copy has seal {number}, the database has not."
            report.add(Wrong.SEAL_MISSING, where, line_number, sentence)
        elif links[number] != link or (
            line is not None and snapshot.count(texts_differ, [number, line.text, line.key_name])
        ):
            sentence = f"The copy's seal {number} is not the database's."
            report.add(Wrong.SEAL_FILE_DIFFERS, where, line_number, sentence)


def _seals_of_copy(copy: Path) -> Iterator[tuple[int, tuple[int, str] | None, SealLine | None]]:
    """Yield each line of a copy: its number, which seal it has, and the seal itself if whole.

    A line of a log is left out when it is of something else.
    """
    try:
        size = copy.stat().st_size
        with copy.open(errors="replace") as file:
            is_log = not file.readline().startswith("{")
            file.seek(0)
            if is_log:
                for line_number, raw in enumerate(file, 1):
                    yield line_number, from_syslog(raw), None
                return
        for line in lines_of_file(size, copy):
            seal = (line.seal["number"], line.link) if line.seal is not None else None
            yield line.line_number, seal, line
    except OSError as error:
        raise refuse("copy_unreadable", f"{copy} cannot be read: {error.strerror}.") from error


def _is_late(seal: _Seal, now: datetime) -> bool:
    """Tell whether a seal should long be in the file. One that cannot be read counts as late."""
    try:
        at = datetime.fromisoformat(json.loads(seal.text)["at"])
        return now - at > FILE_DELAY_MAX
    except (ValueError, KeyError, TypeError):
        return True


def _stored_seals(
    snapshot: Snapshot, report: VerificationReport, after: int
) -> Iterator[tuple[int, _Seal]]:
    rows = snapshot.stream(
        "SELECT number, at, text, key_name, link FROM pitboss_journalseal "
        "WHERE number > %s ORDER BY number",
        [after],
    )
    for number, at, text, key_name, link in rows:
        try:
            content = json.loads(text)
            agrees = (content["number"], content["at"]) == (number, plain_time(at))
        except (ValueError, KeyError, TypeError):
            agrees = False
        if not agrees:
            report.add(Wrong.COLUMN_DIFFERS, _SEALS, number, "Its columns don’t match its text.")
        yield number, _Seal(number, text, key_name, link)


def _filed_seals(
    file_bytes: int, report: VerificationReport, begin: Begin
) -> Iterator[tuple[int, _Seal]]:
    last = begin.after
    for line in _lines(file_bytes, begin):
        if line.seal is None:
            sentence = "This line isn’t a seal."
            report.add(Wrong.SEAL_FILE_DIFFERS, _FILE, line.line_number, sentence)
            continue
        number = line.seal["number"]
        if number <= last:
            sentence = f"It contains seal {number}, which doesn’t come after seal {last}."
            report.add(Wrong.SEAL_FILE_DIFFERS, _FILE, line.line_number, sentence)
            continue
        last = number
        yield number, _Seal(number, line.text, line.key_name, line.link)


def _lines(file_bytes: int, begin: Begin) -> Iterator[SealLine]:
    """Read the file, but for what the database lost of it."""
    start = begin.file_start
    for loss in begin.losses:
        if loss.start >= start:
            yield from lines_of_file(loss.start, start=start)
            start = loss.end
    yield from lines_of_file(file_bytes, start=start)
