"""`manage.py attestations`: version every sentence that changed, and show all of them."""

from __future__ import annotations

import json
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser

from pitboss.services.attestations import BOOK, book, current, grown, page


class Command(BaseCommand):
    help = (
        "Print docs/attestations.md: every sentence that people sign, by id and version, in each "
        "language. With --freeze, first give every new or changed sentence its next version in "
        "the book; no version that is in it is ever changed."
    )
    # Sentences are data of this release: no database, and nothing of the house, is asked.
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--freeze", action="store_true", help="Write new versions.")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["freeze"]:
            languages = tuple(code for code, _ in settings.LANGUAGES)
            text = json.dumps(grown(book(), current(languages)), ensure_ascii=False, indent=1)
            BOOK.write_text(text + "\n", encoding="utf-8")
            book.cache_clear()
        self.stdout.write(page(book()), ending="")
