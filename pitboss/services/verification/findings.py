"""What a verification of the journal found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum, unique

from pitboss.services.verification.position import Position

# Called with what is being looked at, how much of it is done, and of how many.
Progress = Callable[[str, int, int], None]

FINDINGS_KEPT_MAX = 200
# How many rows pass between two words of progress.
STRIDE = 50_000


@unique
class Wrong(StrEnum):
    """What is wrong with a row. The values are public: screens and exports show them."""

    CHANGED = "changed"
    MISSING = "missing"
    INSERTED = "inserted"
    REORDERED = "reordered"
    COLUMN_DIFFERS = "column_differs"
    UNKNOWN_KEY = "unknown_key"
    HEAD_DIFFERS = "head_differs"
    SEALED_OTHERWISE = "sealed_otherwise"
    SEAL_CHANGED = "seal_changed"
    SEAL_MISSING = "seal_missing"
    SEAL_FILE_DIFFERS = "seal_file_differs"
    SEAL_FILE_BEHIND = "seal_file_behind"
    SEAL_FILE_BROKEN = "seal_file_broken"
    RECORD_LOST = "record_lost"
    TIME_FELL = "time_fell"
    CLOCK_WENT_BACK = "clock_went_back"
    GUARD_DIFFERS = "guard_differs"
    DIGEST_DIFFERS = "digest_differs"
    ROW_CHANGED = "row_changed"
    ROW_MISSING = "row_missing"
    ROW_INSERTED = "row_inserted"
    ROW_VOUCHED_TWICE = "row_vouched_twice"
    ROW_ALTERED = "row_altered"
    ROW_SET_BACK = "row_set_back"
    STATUS_DIFFERS = "status_differs"
    DERIVED_DIFFERS = "derived_differs"
    DRAW_MISSING = "draw_missing"
    ARCHIVE_DIFFERS = "archive_differs"


@dataclass(frozen=True, slots=True)
class RecordFault:
    """One thing that is wrong: what, where, and in a sentence."""

    code: Wrong
    where: str
    number: int
    sentence: str

    def __str__(self) -> str:
        return f"{self.where} {self.number}: {self.sentence} [{self.code}]"


@dataclass(slots=True)
class VerificationReport:
    """What was looked at and what was found, in the order in which it was looked at."""

    chains: int = 0
    entries: int = 0
    seals: int = 0
    rows: int = 0
    guards: int = 0
    # What was read of archived months, beside the database.
    archives: int = 0
    archived_entries: int = 0
    archived_seals: int = 0
    archived_rows: int = 0
    # Of these, what compliance alone knows of: how many there are is told to no one else.
    untold_entries: int = 0
    untold_rows: int = 0
    findings: list[RecordFault] = field(default_factory=list)
    findings_total: int = 0
    # What the database lost once and two people accepted: no finding, and never left unsaid.
    gaps: list[str] = field(default_factory=list)
    # Up to where it looked, for the next to go on from if all was as written.
    position: Position = field(default_factory=Position)

    @property
    def is_sound(self) -> bool:
        return self.findings_total == 0

    @property
    def looked_at(self) -> str:
        return (
            f"{self.entries - self.untold_entries:,} entries in {self.chains:,} chains, "
            f"{self.rows - self.untold_rows:,} rows, {self.seals:,} seals, {self.guards:,} guards"
        )

    @property
    def first(self) -> RecordFault | None:
        return self.findings[0] if self.findings else None

    def add(self, code: Wrong, where: str, number: int, sentence: str) -> None:
        """Keep a finding. A flood of them is counted, not kept: memory stays flat."""
        self.findings_total += 1
        if len(self.findings) < FINDINGS_KEPT_MAX:
            self.findings.append(RecordFault(code, where, number, sentence))
