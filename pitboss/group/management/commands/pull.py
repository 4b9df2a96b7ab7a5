"""`manage.py pull [--every SECONDS]`: read on at each house, once or for good."""

from __future__ import annotations

import time
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import close_old_connections

from pitboss.group.models import House
from pitboss.group.pulling import pull


class Command(BaseCommand):
    help = "Pull what every property stated, prove it, and keep it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--every", type=int, help="Pull again after so many seconds, for good.")

    def handle(self, *args: Any, **options: Any) -> None:
        while True:
            troubles = self._pull_all()
            if options["every"] is None:
                if troubles:
                    raise CommandError(f"{troubles} of the properties could not be pulled.")
                return
            time.sleep(options["every"])
            close_old_connections()

    def _pull_all(self) -> int:
        troubles = 0
        for house in House.objects.all():
            pulled = pull(house)
            words = f"{house}: {pulled.statements} statements, {pulled.bytes:,} bytes."
            self.stdout.write(f"{words} {pulled.trouble}".rstrip())
            self.stdout.flush()
            troubles += bool(pulled.trouble)
        return troubles
