"""Check the guards: what the migrations made still stands, and nothing was added to it."""

from __future__ import annotations

from collections.abc import Mapping

from pitboss.guards import differences, standing_guards
from pitboss.services import guard_sheets
from pitboss.services.verification.findings import VerificationReport, Wrong
from pitboss.services.verification.snapshot import Snapshot

_WHERE = "guards, sheet"


def check_guards(
    snapshot: Snapshot, report: VerificationReport, keys: Mapping[str, bytes], sealed: str
) -> None:
    """Compare the guards that stand with the newest sheet; `sealed` is the sheet of the seals."""
    newest = None
    links = set()
    for number, says, link in guard_sheets.proven(snapshot.stream(guard_sheets.SHEETS_SQL), keys):
        if says is None:
            sentence = "It was changed, or was not made with the key, or a sheet before it is gone."
            report.add(Wrong.GUARD_DIFFERS, _WHERE, number, sentence)
        newest = (number, says)
        links.add(link)
    if newest is None:
        report.add(Wrong.GUARD_DIFFERS, _WHERE, 1, "It is missing: run migrate as the owner.")
        return
    number, says = newest
    if sealed and sealed not in links:
        sentence = "A seal saw a sheet that is gone: the guards were set back."
        report.add(Wrong.GUARD_DIFFERS, _WHERE, number, sentence)
    if says is not None:
        with snapshot.cursor() as cursor:
            standing = standing_guards(cursor)
        report.guards = len(standing)
        for sentence in differences(standing, says["guards"]):
            report.add(Wrong.GUARD_DIFFERS, _WHERE, number, sentence)
        for sentence in says["altered"]:
            said = f"Before the migration of {says['at'][:10]}: {sentence}"
            report.add(Wrong.GUARD_DIFFERS, _WHERE, number, said)
