"""`manage.py remove_archived FOLDER`: remove old tries at PINs that archived months prove."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from pitboss.rules.refusal import Refused
from pitboss.services import house
from pitboss.services.archived_tries import remove_archived_tries


class Command(BaseCommand):
    help = (
        "Remove tries at PINs and passwords that are older than people.tries_kept and in an "
        "archived month. Each file is proven from the disk first. Removes nothing else."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path, help="Where the archives of this house are.")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            removed = remove_archived_tries(options["folder"], now=house.now())
        except Refused as refused:
            raise CommandError(str(refused)) from refused
        for item in removed:
            self.stdout.write(f"{item.month}: {item.rows:,} tries removed.")
        if not removed:
            self.stdout.write("Nothing is old enough and archived.")
