"""Verify the journal: that nothing of the record was changed, lost, added or moved.

It reads one moment of the database with flat memory: the seals first, which say what must be
there; then every chain; then every row in ink that the chains vouch for, gathered meanwhile.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path

from django.conf import settings

from pitboss.models import JournalChain
from pitboss.rules.refusal import refuse
from pitboss.services import house
from pitboss.services.seal_file import file_size
from pitboss.services.verification.archived import check_archives
from pitboss.services.verification.chains import ChainCheck
from pitboss.services.verification.derived import check_derived, check_proofs
from pitboss.services.verification.digests import check_digests
from pitboss.services.verification.findings import Progress, RecordFault, VerificationReport, Wrong
from pitboss.services.verification.guards import check_guards
from pitboss.services.verification.position import Position
from pitboss.services.verification.row_seals import SealedVersions, check_row_seals
from pitboss.services.verification.rows import (
    Stored,
    Vouched,
    check_new_rows,
    check_rows,
    check_statuses,
)
from pitboss.services.verification.sealed import (
    SealCheck,
    SealedHeads,
    compare_copy,
    name_short_file,
)
from pitboss.services.verification.sealed_from import begin_of
from pitboss.services.verification.snapshot import open_snapshot

__all__ = ["Position", "Progress", "RecordFault", "VerificationReport", "Wrong", "verify"]


def _say_nothing(what: str, done: int, total: int) -> None:
    pass


def verify(
    *,
    chain: str | None = None,
    against: Path | None = None,
    since: Position | None = None,
    archives: Path | None = None,
    progress: Progress = _say_nothing,
) -> VerificationReport:
    """Verify the whole journal, or one chain of it with the rows that it vouches for.

    With `since`, only what was written after it is followed: new entries and seals, and the rows
    that these vouch for; seals of rows and guards are checked all the same.

    `against` is a copy of the seal file, or a log that seals were sent to: each seal in it must be
    the database's. `archives` is the folder of archived months: files and database are then read
    as one chain. Raises Refused when there is no such chain, copy, or folder.
    """
    report = VerificationReport()
    # The file first: whatever it holds by now was committed before the snapshot is taken.
    file_bytes = file_size()
    keys = settings.KEYS.journal_keys
    with (
        open_snapshot() as snapshot,
        closing(SealedHeads()) as heads,
        closing(Vouched()) as vouched,
        closing(SealedVersions()) as versions,
    ):
        begin = begin_of(snapshot, keys, since)
        seals = SealCheck(snapshot, heads, report, keys)
        seals.run(begin, file_bytes=file_bytes, now=house.now())
        name_short_file(snapshot, report)
        if against is not None:
            compare_copy(snapshot, report, against, begin)
        if chain not in (None, *heads.chains()) and not JournalChain.objects.filter(name=chain):
            raise refuse(
                "unknown_chain", f"Chain “{chain}” not found. Use one like table:1 or cage."
            )
        chains = ChainCheck(snapshot, heads, vouched, versions, report, progress, keys)
        if since is None:
            with closing(Stored(snapshot)) as stored:
                chains.run(chain)
                check_rows(stored, vouched, report, progress, whole=chain is None)
        else:
            chains.run(None, since.chains)
            check_new_rows(snapshot, vouched, report)
        whole = chain is None and since is None
        check_row_seals(snapshot, versions, report, progress, whole=whole)
        check_guards(snapshot, report, keys, seals.guards)
        if whole:
            check_statuses(snapshot, report)
            check_digests(snapshot, report, progress, now=house.now())
            check_proofs(snapshot, report)
        if archives is not None:
            check_archives(archives, snapshot, report, keys)
        if chain is None:
            check_derived(snapshot, report)
            proven = seals.proven(since or Position(), file_bytes=file_bytes)
            report.position = replace(proven, chains=chains.proven)
    return report
