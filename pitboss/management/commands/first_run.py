"""Print the code with which a new property is begun at /setup/."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from pitboss.services.first_run import first_run_code, is_due


class Command(BaseCommand):
    help = "Print the one code that opens /setup/ while there is no property."

    def handle(self, *args: Any, **options: Any) -> None:
        if not is_due():
            raise CommandError(
                "This database already has a property. Its managers set up the rest."
            )
        self.stdout.write(
            "On the device that stays in the office, open /setup/ with both managers "
            f"present and enter\n\n    {first_run_code()}\n\nIt works until the "
            "property is set up, and never again."
        )
