"""`manage.py bind_ciphers`: bind tax ids that an earlier release encrypted to their patrons."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from inventory.services.patrons import bind_tax_ids


class Command(BaseCommand):
    help = "Bind the ciphers of an earlier release to the patrons that they belong to."

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(f"{bind_tax_ids()} tax ids were bound to their patrons.")
