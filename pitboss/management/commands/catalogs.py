"""`manage.py catalogs`: compile the catalogs of translations."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from pitboss.catalogs import compile_catalogs


class Command(BaseCommand):
    help = "Compile every catalog of translations, locale/*/LC_MESSAGES/*.po, without gettext."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        for made in compile_catalogs():
            self.stdout.write(str(made))
