"""Check archived months: each file by itself, then that files and database are one chain."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from pitboss.rules.refusal import refuse
from pitboss.services.archive_file import (
    ENTRIES,
    SEALS,
    ArchiveBroken,
    ArchivePart,
    ArchiveReader,
    ArchiveRow,
)
from pitboss.services.journal import HOUSE, make_link
from pitboss.services.verification.findings import VerificationReport, Wrong
from pitboss.services.verification.rows import Vouched, canonical_text, compare_rows
from pitboss.services.verification.scratch import Slots, slots_of
from pitboss.services.verification.snapshot import Snapshot

MONTH_ARCHIVED = "month_archived"
PATTERN = "pitboss-????-??.archive"

_STORED_LINK_SQL = """
    SELECT entry.link FROM pitboss_journalentry AS entry
    JOIN pitboss_journalchain AS chain ON chain.id = entry.chain_id
    WHERE chain.name = %s AND entry.number = %s
"""
_STORED_SEAL_SQL = "SELECT link FROM pitboss_journalseal WHERE number = %s"
_STORED_DIGEST_SQL = """
    SELECT rows, digest FROM pitboss_daydigest WHERE label = %s AND gaming_day = %s::date
"""
_JOURNALED_SQL = f"""
    SELECT entry.text FROM pitboss_journalentry AS entry
    JOIN pitboss_journalchain AS chain ON chain.id = entry.chain_id AND chain.name = '{HOUSE}'
    WHERE entry.kind = '{MONTH_ARCHIVED}' ORDER BY entry.number
"""


@dataclass(slots=True)
class _Walked:
    """A chain of the file, as far as it was followed."""

    number: int
    link: str
    # Past the first wrong entry no one can tell.
    is_proven: bool = True


@dataclass(frozen=True, slots=True)
class Archive:
    """What a file that was read to its end says."""

    name: str
    manifest_sha256: str
    says: Mapping[str, Any] = field(repr=False)

    @property
    def month(self) -> str:
        return str(self.says["month"])


def check_archive(
    path: Path, report: VerificationReport, keys: Mapping[str, bytes]
) -> Archive | None:
    """Prove one file by itself: its mark, every link, and every row by what vouches for it."""
    try:
        with closing(ArchiveReader(path, keys)) as reader, closing(Vouched()) as vouched:
            _FileCheck(path.name, reader, vouched, report, keys).run()
            return Archive(path.name, reader.manifest_sha256, reader.says)
    except ArchiveBroken as broken:
        report.add(Wrong.ARCHIVE_DIFFERS, path.name, 0, str(broken))
    return None


def check_archives(
    folder: Path, snapshot: Snapshot, report: VerificationReport, keys: Mapping[str, bytes]
) -> None:
    """Prove every file of a folder, and that they and the database tell one story.

    The files follow each other without a gap from the first entry on, the database has their last
    entries with the same links, and the journal names each of them.
    """
    if not folder.is_dir():
        raise refuse("no_archives", f"{folder} isn’t a folder. Enter the folder of the archives.")
    found = [check_archive(path, report, keys) for path in sorted(folder.glob(PATTERN))]
    archives = [item for item in found if item is not None]
    _check_named(archives, snapshot, report)
    chains: dict[str, list[Any]] = {}
    seal: list[Any] = [0, ""]
    for archive in archives:
        for name, chain in archive.says["chains"].items():
            last, link = chains.get(name, [0, ""])
            if [chain["first"] - 1, chain["before"]] != [last, link]:
                sentence = f"{name} does not follow from the archive before, which ends at {last}."
                report.add(Wrong.ARCHIVE_DIFFERS, archive.name, chain["first"], sentence)
            chains[name] = [chain["last"], chain["link"]]
            if chain["last"]:
                stored = snapshot.stream(_STORED_LINK_SQL, [name, chain["last"]])
                _compare(archive, stored, name, chain, report)
        seals = archive.says["seals"]
        if [seals["first"] - 1, seals["before"]] != seal:
            sentence = f"Its seals do not follow from the archive before, which ends at {seal[0]}."
            report.add(Wrong.ARCHIVE_DIFFERS, archive.name, seals["first"], sentence)
        seal = [seals["last"], seals["link"]]
        if seals["last"]:
            _compare(
                archive, snapshot.stream(_STORED_SEAL_SQL, [seals["last"]]), "seals", seals, report
            )
        for label, day, _, _, rows, digest in archive.says["digests"]:
            kept = list(snapshot.stream(_STORED_DIGEST_SQL, [label, day]))
            if kept != [(rows, digest)]:
                sentence = f"Its rows of {label} of {day} are not those that the database digested."
                report.add(Wrong.ARCHIVE_DIFFERS, archive.name, 0, sentence)
    report.archives += len(archives)


def _compare(
    archive: Archive,
    stored: Iterator[tuple[Any, ...]],
    name: str,
    claimed: Mapping[str, Any],
    report: VerificationReport,
) -> None:
    """Name an archive whose last link is not the database's: links prove all that is before."""
    links = [link for (link,) in stored]
    if links != [claimed["link"]]:
        sentence = f"The database has another {name} {claimed['last']}, or none."
        report.add(Wrong.ARCHIVE_DIFFERS, archive.name, claimed["last"], sentence)


def _check_named(archives: list[Archive], snapshot: Snapshot, report: VerificationReport) -> None:
    """Compare the files with what the journal says was archived."""
    named: dict[str, str] = {}
    for (text,) in snapshot.stream(_JOURNALED_SQL):
        try:
            body = json.loads(text)["body"]
            named[body["month"]] = body["manifest"]
        except (ValueError, KeyError, TypeError):
            # It was changed, and its own check says so.
            continue
    for archive in archives:
        if named.pop(archive.month, "") != archive.manifest_sha256:
            sentence = "The journal names another file for this month, or none."
            report.add(Wrong.ARCHIVE_DIFFERS, archive.name, 0, sentence)
    for month in sorted(named):
        sentence = (
            f"The journal names an archive of {month}, which is not in the folder or not sound."
        )
        report.add(Wrong.ARCHIVE_DIFFERS, f"pitboss-{month}.archive", 0, sentence)


class _FileCheck:
    """Reads one file from its first part to its last. Raises ArchiveBroken."""

    def __init__(
        self,
        where: str,
        reader: ArchiveReader,
        vouched: Vouched,
        report: VerificationReport,
        keys: Mapping[str, bytes],
    ) -> None:
        self._where = where
        self._reader = reader
        self._vouched = vouched
        self._report = report
        self._keys = keys

    def run(self) -> None:
        by_name = {part.name: part for part in self._reader.parts}
        if not {ENTRIES, SEALS} <= by_name.keys():
            raise ArchiveBroken("It lacks its entries or its seals.")
        self._entries(by_name.pop(ENTRIES))
        self._seals(by_name.pop(SEALS))
        seen: set[str] = set()
        for part in by_name.values():
            if part.proof == "entries":
                seen.add(part.label)
                self._ink(part)
            elif part.proof == "digests":
                self._digested(part)
            else:
                # Rows that nothing else vouches for: the manifest does.
                self._report.archived_rows += sum(1 for _ in self._reader.rows(part))
        for label in self._vouched.labels():
            if label not in seen and self._vouched.count(label):
                self._wrong(0, f"Its entries vouch for rows of {label}, and it has none.")

    def _wrong(self, number: int, sentence: str) -> None:
        self._report.add(Wrong.ARCHIVE_DIFFERS, self._where, number, sentence)

    def _entries(self, part: ArchivePart) -> None:
        """Follow every chain by its links, and gather what the entries vouch for."""
        claimed = self._reader.says["chains"]
        walked = {
            name: _Walked(item["first"] - 1, item["before"]) for name, item in claimed.items()
        }
        for _, chain, number, at, kind, person, slip, text, key_name, link in self._reader.rows(
            part
        ):
            self._report.archived_entries += 1
            here = walked.get(chain)
            if here is None:
                self._wrong(
                    number, f"It has an entry of {chain}, which its manifest does not name."
                )
                continue
            if not here.is_proven:
                continue
            key = self._keys.get(key_name)
            if number != here.number + 1 or key is None or make_link(key, here.link, text) != link:
                here.is_proven = False
                self._wrong(
                    number, f"Entry {number} of {chain} does not follow from the one before."
                )
                continue
            here.number, here.link = number, link
            self._read(json.loads(text), (chain, number, at, kind, person, slip))
        for name, here in walked.items():
            last, link = claimed[name]["last"], claimed[name]["link"]
            if here.is_proven and (here.number, here.link) != (last, link):
                self._wrong(last, f"{name} ends at entry {here.number}; its manifest says {last}.")

    def _read(self, says: Mapping[str, Any], columns: tuple[Any, ...]) -> None:
        named = tuple(says[item] for item in ("chain", "number", "at", "kind", "person", "slip"))
        if named != columns:
            self._wrong(
                columns[1],
                f"The text of entry {columns[1]} of {columns[0]} doesn’t match its columns.",
            )
        for label, row_id, digest, *version in says["rows"]:
            # A row that carries a seal goes on changing: it stays in the database.
            if not version and self._vouched.knows(label):
                self._vouched.add(label, row_id, digest)

    def _seals(self, part: ArchivePart) -> None:
        claimed = self._reader.says["seals"]
        last, previous = claimed["first"] - 1, claimed["before"]
        for number, _, text, key_name, link in self._reader.rows(part):
            self._report.archived_seals += 1
            key = self._keys.get(key_name)
            if number != last + 1 or key is None or make_link(key, previous, text) != link:
                self._wrong(number, f"Seal {number} does not follow from the one before.")
                return
            last, previous = number, link
        if (last, previous) != (claimed["last"], claimed["link"]):
            self._wrong(last, f"Its seals end at {last}; its manifest says {claimed['last']}.")

    def _ink(self, part: ArchivePart) -> None:
        """Compare every row of a model with what the entries of the file vouch for."""
        if not self._vouched.knows(part.label):
            self._wrong(0, f"It has rows of {part.label}, which are not signed here.")
            return
        promised = self._vouched.of_label(part.label)
        with closing(Slots()) as rows:
            for row in self._reader.rows(part):
                self._report.archived_rows += 1
                if not rows.put(row[0], ink_digest(row, part.json)):
                    self._wrong(row[0], f"{part.label} {row[0]} is in it twice.")
            for number in sorted(rows.numbers() | promised.numbers()):
                pairs = slots_of(number, rows.block(number), promised.block(number))
                compare_rows(pairs, self._report, f"{self._where}, {part.label}", whole=True)

    def _digested(self, part: ArchivePart) -> None:
        """Compare the rows of each day with the digest of the day."""
        days = [
            (began, ended, rows, digest)
            for label, _, began, ended, rows, digest in self._reader.says["digests"]
            if label == part.label
        ]
        at = part.columns.index("at")
        sums = [sha256() for _ in days]
        counts = [0] * len(days)
        for row in self._reader.rows(part):
            self._report.archived_rows += 1
            for place, (began, ended, _, _) in enumerate(days):
                if began <= row[at] < ended:
                    sums[place].update(plain_hash(row))
                    counts[place] += 1
                    break
            else:
                self._wrong(int(row[0]), f"{part.label} {row[0]} is of no day of this month.")
        for summed, count, (began, _, rows, digest) in zip(sums, counts, days, strict=True):
            if (count, summed.hexdigest()) != (rows, digest):
                sentence = (
                    f"The rows of {part.label} from {began} on are not those of their digest."
                )
                self._wrong(0, sentence)


def ink_digest(row: ArchiveRow, json_at: tuple[int, ...]) -> bytes:
    """Return the digest of a row in ink from its columns as texts, its id before them."""
    parts = [
        canonical_text(_marked(text)) if place in json_at else _marked(text).encode()
        for place, text in enumerate(row[1:])
    ]
    return sha256(b"\x00".join(parts)).digest()


def plain_hash(row: ArchiveRow) -> bytes:
    """Return what `row_hash_sql` returns for a row, from its columns as texts."""
    return sha256(b"\x00".join(_marked(text).encode() for text in row)).digest()


def _marked(text: str | None) -> str:
    return "-" if text is None else f"+{text}"
