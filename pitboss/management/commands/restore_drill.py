"""`manage.py restore_drill FILE`: prove that a backup can be restored, beside an open floor."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from pitboss.rules.refusal import Refused
from pitboss.services.restore_drill import drill, scratch_url


class Command(BaseCommand):
    help = (
        "Restore a backup into an empty scratch database, verify its journal, report, "
        "and empty it again. Needs PITBOSS_DRILL_DATABASE_URL. The floor stays open."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="An archive that backup wrote.")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            found = drill(source=options["file"], scratch=scratch_url())
        except Refused as refused:
            raise CommandError(str(refused)) from refused
        self.stdout.write(
            f"{options['file']}: {found.restored.splitlines()[0]}\n"
            f"Restored in {found.restore_seconds:.1f} s: {found.entries:,} journal entries, "
            f"{found.slips:,} slips, {found.signatures:,} signatures, "
            f"{found.size_bytes / 1e6:,.0f} MB. Newest entry: {found.newest}.\n"
            f"Verified in {found.verify_seconds:.1f} s: {found.verified}"
        )
        if not found.is_sound:
            self.stdout.write("The drill failed. Don’t rely on this backup.")
            sys.exit(1)
        self.stdout.write("The drill passed. The scratch database is empty again.")
