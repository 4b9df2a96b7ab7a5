"""`manage.py backup_keys FILE`: write the keys into a file of their own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from pitboss.rules.refusal import Refused
from pitboss.services.backups import back_up_keys


class Command(BaseCommand):
    help = (
        "Write the keys into a new tar that only its owner can read. Keep it apart from "
        "the backups."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="The file to write. It must not exist yet.")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            back_up_keys(target=options["file"], keys=settings.KEYS)
        except Refused as refused:
            raise CommandError(str(refused)) from refused
        self.stdout.write(f"{options['file']} contains every key. Keep it apart from the backups.")
