"""Print the code with which a new property is begun at /setup/."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from pitboss.services.first_run import first_run_code, is_due


class Command(BaseCommand):
    help = "Print the one code that opens /setup/ while there is no property."

    def handle(self, *args: Any, **options: Any) -> None:
        if not is_due():
            raise CommandError("There is a property already. Its managers set up the rest.")
        self.stdout.write(
            f"Open /setup/ on the device that stays in the office, with both managers, and key\n"
            f"\n    {first_run_code()}\n\n"
            "It works until the property has begun, and never again."
        )
