"""`manage.py rotate_key journal|field`: make a new key, and keep the old ones to read with."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from pitboss.rules.refusal import Refused
from pitboss.services.key_rotation import Rotating, rotate_key


class Command(BaseCommand):
    help = "Put a new key before the old ones in its file, and journal its name."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("which", choices=[rotating.value for rotating in Rotating])

    def handle(self, *args: Any, **options: Any) -> None:
        which = Rotating(options["which"])
        try:
            name = rotate_key(which=which)
        except Refused as refused:
            raise CommandError(str(refused)) from refused
        self.stdout.write(
            f"{name} is the {which.value} key from the next start. Back up the keys, "
            "copy the file to every node, then restart them all."
        )
