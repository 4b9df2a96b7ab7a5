"""Check the chains: every entry follows from the one before it, and says what its columns say."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pitboss.confidential import COMPLIANCE_CHAIN
from pitboss.services.journal import make_link
from pitboss.services.verification.findings import STRIDE, Progress, VerificationReport, Wrong
from pitboss.services.verification.row_seals import SealedVersions
from pitboss.services.verification.rows import TIME_SQL, Vouched
from pitboss.services.verification.sealed import SealedHeads
from pitboss.services.verification.snapshot import Snapshot

_ENTRIES_SQL = f"""
    SELECT number, {TIME_SQL.format(column="at")}, kind, person_id, slip_id, text, key_name, link
    FROM pitboss_journalentry WHERE chain_id = %s AND number > %s ORDER BY number
"""
_PROVEN_SQL = f"""
    SELECT link, {TIME_SQL.format(column="at")} FROM pitboss_journalentry
    WHERE chain_id = %s AND number = %s
"""


# An act of the version before read its time, then waited for its turn.
OLD_FALL_SECONDS_MAX = 60
# A task reads the time once and may write many entries by it.
CLOCK_BEHIND_SECONDS_MAX = 300

_COLUMNS = ("chain", "number", "at", "kind", "person", "slip")

# `json.loads` less its looks at what kind of text it has.
_parse = json.JSONDecoder().raw_decode


@dataclass(frozen=True, slots=True)
class _Chain:
    id: int
    name: str
    head_number: int
    head_link: str


class ChainCheck:
    """Walks chains one after the other and gathers what their proven entries vouch for.

    The first wrong entry of a chain is named. What follows it is proven again from the first entry
    that fits the stored link before it; until then no one can tell, so nothing is said of it.
    """

    def __init__(
        self,
        snapshot: Snapshot,
        heads: SealedHeads,
        vouched: Vouched,
        versions: SealedVersions,
        report: VerificationReport,
        progress: Progress,
        keys: Mapping[str, bytes],
    ) -> None:
        self._snapshot = snapshot
        self._heads = heads
        self._vouched = vouched
        self._versions = versions
        self._report = report
        self._progress = progress
        self._keys = keys
        self._times = _Times("", report)
        self._since: Mapping[str, list[Any]] = {}
        self.proven: dict[str, list[Any]] = {}

    def run(self, only: str | None, since: Mapping[str, list[Any]] | None = None) -> None:
        """Check all chains, or only one, or all from where they were proven before.

        `proven` is then each chain's newest entry.
        """
        self._since = since or {}
        chains = [
            _Chain(*row)
            for row in self._snapshot.stream(
                "SELECT id, name, head_number, head_link FROM pitboss_journalchain ORDER BY id"
            )
        ]
        known = {chain.name for chain in chains}
        for name in self._heads.chains():
            if name not in known and only in (None, name):
                last = max(number for number, _ in self._heads.of(name))
                sentence = f"The whole chain is missing; seals saw its entries up to {last}."
                self._report.add(Wrong.MISSING, name, 1, sentence)
        counted = since is None
        total = self._snapshot.count("SELECT count(*) FROM pitboss_journalentry") if counted else 0
        for name in self._since.keys() - known:
            self._report.add(Wrong.MISSING, name, 1, "The whole chain is missing.")
        for chain in chains:
            if only in (None, chain.name):
                self._check(chain, total)
                self._report.chains += 1
        self.proven = {chain.name: [chain.head_number, chain.head_link] for chain in chains}
        if only is None and counted and self._report.entries != total:
            astray = total - self._report.entries
            sentence = f"Entries of no chain: {astray}."
            self._report.add(Wrong.INSERTED, "journal", 0, sentence)

    def _check(self, chain: _Chain, total: int) -> None:
        report, keys = self._report, self._keys
        sealed = _Sealed(self._heads.of(chain.name), chain.name, report)
        # The stored link of the entry before; None when that entry is missing.
        position, previous = self._begin(chain)
        in_doubt = False
        for number, at, kind, person, slip, text, key_name, link in self._snapshot.stream(
            _ENTRIES_SQL, [chain.id, position]
        ):
            report.entries += 1
            report.untold_entries += chain.name == COMPLIANCE_CHAIN
            if report.entries % STRIDE == 0:
                self._progress("entries", report.entries, total)
            if number <= position:
                sentence = "There is more than one entry with this number, or it is below 1."
                report.add(Wrong.INSERTED, chain.name, number, sentence)
                continue
            if number > position + 1:
                self._name_missing(chain.name, position + 1, number - 1)
                previous, in_doubt = None, True
            position = number
            key = keys.get(key_name)
            if key is None:
                sentence = f"It was made with the key “{key_name}”, which isn’t known here."
                report.add(Wrong.UNKNOWN_KEY, chain.name, number, sentence)
                in_doubt = True
            elif previous is not None and make_link(key, previous, text) == link:
                in_doubt = False
                self._read(text, (chain.name, number, at, kind, person, slip))
            elif not in_doubt:
                self._name_wrong(chain, number, text)
                in_doubt = True
            sealed.compare(number, link)
            previous = link
        self._check_end(chain, position, previous or "", sealed.newest())

    def _begin(self, chain: _Chain) -> tuple[int, str | None]:
        """Return the entry after which a chain is looked at, and its link."""
        number, link = self._since.get(chain.name, (0, ""))
        latest = ""
        for stored, at in self._snapshot.stream(_PROVEN_SQL, [chain.id, number]) if number else ():
            latest = at
            if stored == link:
                break
        else:
            if number:
                sentence = "It was proven before, and was changed since."
                self._report.add(Wrong.CHANGED, chain.name, number, sentence)
        self._times = _Times(chain.name, self._report, latest)
        return number, link

    def _read(self, text: str, columns: tuple[Any, ...]) -> None:
        """Compare a proven entry with its columns and keep what it vouches for."""
        says, _ = _parse(text)
        chain, number, *_ = columns
        if columns != (
            says["chain"],
            says["number"],
            says["at"],
            says["kind"],
            says["person"],
            says["slip"],
        ):
            differing = [
                name for name, column in zip(_COLUMNS, columns, strict=True) if says[name] != column
            ]
            sentence = (
                f"Its text is whole, but these columns don’t match it: {', '.join(differing)}."
            )
            self._report.add(Wrong.COLUMN_DIFFERS, chain, number, sentence)
        self._times.read(number, says)
        for label, row_id, digest, *version in says["rows"]:
            if version and self._versions.knows(label):
                self._versions.add(label, row_id, digest, *version)
            elif not self._vouched.knows(label):
                sentence = f"It vouches for {label} {row_id}, which isn’t signed here."
                self._report.add(Wrong.ROW_MISSING, chain, number, sentence)
            elif not self._vouched.add(label, row_id, digest):
                sentence = f"It vouches for {label} {row_id}, as another entry does."
                self._report.add(Wrong.ROW_VOUCHED_TWICE, chain, number, sentence)

    def _name_wrong(self, chain: _Chain, number: int, text: str) -> None:
        says = _says(text)
        if (says.get("chain", chain.name), says.get("number", number)) != (chain.name, number):
            code = Wrong.REORDERED
            sentence = f"It contains the text of entry {says.get('number')} of {says.get('chain')}."
        elif number > chain.head_number:
            code = Wrong.INSERTED
            sentence = f"It is past the head, {chain.head_number}, and was not made with the key."
        else:
            code = Wrong.CHANGED
            sentence = "It was changed, or was added without the key."
        self._report.add(code, chain.name, number, sentence)

    def _name_missing(self, chain: str, first: int, last: int, why: str = "") -> None:
        which = "This entry is" if first == last else f"The entries up to {last} are"
        self._report.add(Wrong.MISSING, chain, first, f"{which} missing{why}.")

    def _check_end(self, chain: _Chain, position: int, link: str, sealed_last: int) -> None:
        if sealed_last > position:
            self._name_missing(chain.name, position + 1, sealed_last, ", and a seal saw them")
        elif chain.head_number > position:
            why = ", and the chain's head counts them"
            self._name_missing(chain.name, position + 1, chain.head_number, why)
        elif chain.head_number < position:
            sentence = f"The head was set back: it says {chain.head_number}, and entries go on."
            self._report.add(Wrong.HEAD_DIFFERS, chain.name, position, sentence)
        elif chain.head_link != link:
            sentence = "The head's link is not that of the last entry."
            self._report.add(Wrong.HEAD_DIFFERS, chain.name, position, sentence)


class _Times:
    """The times of one chain's entries, met in order: none is before the one before it.

    Entries of before their second version may be by a moment: their time was read before they had
    their turn. Of later ones none is, and whose clock was far behind says so.
    """

    def __init__(self, chain: str, report: VerificationReport, latest: str = "") -> None:
        self._chain = chain
        self._report = report
        self._latest = latest
        self._was_behind = False

    def read(self, number: int, says: dict[str, Any]) -> None:
        at = says["at"]
        if at < self._latest and ("v" in says or _seconds(at, self._latest) > OLD_FALL_SECONDS_MAX):
            sentence = f"It is of {at}, and an entry before it of {self._latest}."
            self._report.add(Wrong.TIME_FELL, self._chain, number, sentence)
        self._latest = max(self._latest, at)
        clock = says.get("clock")
        if clock and not self._was_behind and _seconds(clock, at) > CLOCK_BEHIND_SECONDS_MAX:
            # Once a chain: the clock is to be put right, whatever was done by it.
            self._was_behind = True
            sentence = f"Its node’s clock said {clock} when it was already {at}."
            self._report.add(Wrong.CLOCK_WENT_BACK, self._chain, number, sentence)


def _seconds(earlier: str, later: str) -> float:
    return (datetime.fromisoformat(later) - datetime.fromisoformat(earlier)).total_seconds()


class _Sealed:
    """The sealed entries of one chain, met in order while its entries stream by."""

    def __init__(
        self, heads: Iterator[tuple[int, str]], chain: str, report: VerificationReport
    ) -> None:
        self._heads = heads
        self._chain = chain
        self._report = report
        self._next = next(heads, None)

    def compare(self, number: int, link: str) -> None:
        """Name the entry if a seal saw another one in its place."""
        while self._next is not None and self._next[0] <= number:
            if self._next[0] == number and self._next[1] != link:
                sentence = "A seal saw another entry in this place."
                self._report.add(Wrong.SEALED_OTHERWISE, self._chain, number, sentence)
            self._next = next(self._heads, None)

    def newest(self) -> int:
        """Return the highest number that a seal saw and that did not come by, 0 when none."""
        ahead = [self._next[0]] if self._next is not None else []
        return max([*ahead, *(number for number, _ in self._heads)], default=0)


def _says(text: str) -> dict[str, Any]:
    """Return what an unproven text says, as far as it can be read."""
    try:
        says = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return says if isinstance(says, dict) else {}
