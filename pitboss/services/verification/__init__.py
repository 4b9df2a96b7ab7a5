"""Verify the journal: that nothing of the record was changed, lost, added or moved.

It reads one moment of the database with flat memory: the seals first, which say what must be
there; then every chain; then every row in ink that the chains vouch for, gathered meanwhile.
"""

from __future__ import annotations

from contextlib import closing

from django.conf import settings

from pitboss.models import JournalChain
from pitboss.rules.refusal import refuse
from pitboss.services import house
from pitboss.services.seals import file_size
from pitboss.services.verification.chains import ChainCheck
from pitboss.services.verification.findings import Finding, Progress, Report, Wrong
from pitboss.services.verification.rows import Stored, Vouched, check_rows, check_statuses
from pitboss.services.verification.sealed import SealedHeads, check_seals
from pitboss.services.verification.snapshot import open_snapshot

__all__ = ["Finding", "Progress", "Report", "Wrong", "verify"]


def _say_nothing(what: str, done: int, total: int) -> None:
    pass


def verify(*, chain: str | None = None, progress: Progress = _say_nothing) -> Report:
    """Verify the whole journal, or one chain of it with the rows that it vouches for.

    Raises Refused when there is no such chain.
    """
    report = Report()
    # The file first: whatever it holds by now was committed before the snapshot is taken.
    file_bytes = file_size()
    keys = settings.KEYS.journal_keys
    with (
        open_snapshot() as snapshot,
        closing(SealedHeads()) as heads,
        closing(Vouched()) as vouched,
    ):
        check_seals(snapshot, heads, report, file_bytes=file_bytes, keys=keys, now=house.now())
        if chain not in (None, *heads.chains()) and not JournalChain.objects.filter(name=chain):
            raise refuse("unknown_chain", f"There is no chain “{chain}”.")
        with closing(Stored(snapshot)) as stored:
            ChainCheck(snapshot, heads, vouched, report, progress, keys).run(chain)
            check_rows(stored, vouched, report, progress, whole=chain is None)
        if chain is None:
            check_statuses(snapshot, report)
    return report
