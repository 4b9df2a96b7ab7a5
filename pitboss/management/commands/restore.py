"""`manage.py restore FILE`: bring a backup back, whole or not at all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from pitboss.rules.refusal import Refused
from pitboss.services.backups import owner_url, restore


class Command(BaseCommand):
    help = (
        "Restore a backup into the database, with web, worker, and beat stopped and "
        "the backup’s keys in place. Needs PITBOSS_OWNER_DATABASE_URL."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="An archive that backup wrote.")
        parser.add_argument(
            "--over", action="store_true", help="Overwrite the property already in this database."
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            restored = restore(source=options["file"], owner=owner_url(), over=options["over"])
        except Refused as refused:
            raise CommandError(str(refused)) from refused
        self.stdout.write(
            f"Restored as of {restored.taken_at:%b %-d, %Y %H:%M:%S} UTC. "
            "Now run manage.py verify_journal."
        )
        if restored.seal_file_before is not None:
            self.stdout.write(
                f"The earlier seal file is {restored.seal_file_before}. Keep it: it "
                "shows what was sealed since."
            )
