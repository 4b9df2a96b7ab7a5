"""`manage.py verify_journal`: prove that nothing of the record was altered, or name what was."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from pitboss.rules.refusal import Refused
from pitboss.services.verification import VerificationReport, verify


class Command(BaseCommand):
    help = (
        "Verify the journal: chains, seals, the seal file, and every row the journal "
        "vouches for. Ends with 0 when all is as it was written, and with 1 when it "
        "isn’t."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--chain", help="Verify one chain only, such as table:1 or cage, with its rows."
        )
        parser.add_argument(
            "--against",
            type=Path,
            metavar="COPY",
            help="Compare the seals with a copy of the seal file, or a log they were sent to.",
        )
        parser.add_argument(
            "--archives",
            type=Path,
            metavar="FOLDER",
            help="Read the archived months of this folder too, as one chain with the database.",
        )
        parser.add_argument(
            "--quiet", action="store_true", help="Print nothing unless something is wrong."
        )

    def handle(self, *args: Any, **options: Any) -> None:
        quiet: bool = options["quiet"]
        began = time.monotonic()
        try:
            report = verify(
                chain=options["chain"],
                against=options["against"],
                archives=options["archives"],
                progress=_silence if quiet else self._show_progress,
            )
        except Refused as refused:
            raise CommandError(str(refused)) from refused
        if not report.is_sound:
            self._name(report)
            sys.exit(1)
        if not quiet:
            for gap in report.gaps:
                self.stdout.write(f"Accepted: {gap}")
            if options["archives"]:
                self.stdout.write(
                    f"{report.archives:,} archived months, {report.archived_entries:,} entries, "
                    f"{report.archived_rows:,} rows: one chain with the database."
                )
            self.stdout.write(f"{report.looked_at}: all as written.")
            self.stderr.write(f"Took {time.monotonic() - began:.1f} s.")

    def _show_progress(self, what: str, done: int, total: int) -> None:
        self.stderr.write(f"{what}: {done:,} of {total:,}")

    def _name(self, report: VerificationReport) -> None:
        for finding in report.findings:
            self.stdout.write(str(finding))
        unnamed = report.findings_total - len(report.findings)
        if unnamed:
            self.stdout.write(f"And {unnamed:,} more.")
        self.stdout.write(f"{report.looked_at}: {report.findings_total:,} wrong.")


def _silence(what: str, done: int, total: int) -> None:
    pass
