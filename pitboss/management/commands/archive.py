"""`manage.py archive MONTH FOLDER`: write a closed month into one signed file, proven from disk."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from pitboss.rules.refusal import Refused
from pitboss.services.archives import archive_month


class Command(BaseCommand):
    help = (
        "Write a closed month into one signed, compressed file and prove it from the disk: "
        "the journal, the seals, and every row that they vouch for. Takes nothing out of the "
        "database. Anyone who has the file can read what only compliance reads."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("month", help="The month, such as 2026-10; months go in order.")
        parser.add_argument("folder", type=Path, help="Where the archives of this house are.")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            done = archive_month(options["month"], options["folder"])
        except Refused as refused:
            raise CommandError(str(refused)) from refused
        report = done.report
        self.stdout.write(
            f"{done.path}: {done.bytes / 1e6:,.1f} MB, {report.archived_entries:,} entries, "
            f"{report.archived_seals:,} seals, {report.archived_rows:,} rows, proven. "
            f"SHA-256 of its manifest, which the journal names: {done.manifest_sha256}"
        )
