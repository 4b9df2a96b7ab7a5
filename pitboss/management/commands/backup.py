"""`manage.py backup FILE`: write database and seal file into one new archive, without the keys."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from pitboss.rules.refusal import Refused
from pitboss.services.backups import back_up, owner_url


class Command(BaseCommand):
    help = (
        "Back up the property into a new file while the floor stays open. Needs "
        "PITBOSS_OWNER_DATABASE_URL. The keys aren’t in it: see backup_keys."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="The file to write. It must not exist yet.")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            size_bytes = back_up(target=options["file"], owner=owner_url())
        except Refused as refused:
            raise CommandError(str(refused)) from refused
        self.stdout.write(f"{options['file']}: {size_bytes:,} bytes. The keys are not in it.")
