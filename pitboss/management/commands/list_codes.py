"""`manage.py list_codes`: write docs/codes.md, every code that the API answers with."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from pitboss.refusal_codes import codes_page


class Command(BaseCommand):
    help = "Print every code of the API with its status and its sentences, as docs/codes.md."
    # Codes are written in this release: no database is asked.
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(codes_page(), ending="")
