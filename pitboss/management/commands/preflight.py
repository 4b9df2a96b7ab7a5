"""`manage.py preflight`: say before a start or an upgrade what would be refused here."""

from __future__ import annotations

import sys
from typing import Any

from django.core.management.base import BaseCommand

from pitboss.selectors.preflight import preflight


class Command(BaseCommand):
    help = (
        "Check this node before Pitboss starts on it: settings, database, replication, "
        "schema, clock, Redis, seal file. Changes nothing. Ends with 1 if something "
        "would be refused."
    )
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        refused = 0
        for found in preflight():
            mark = "ok" if not found.wrong else "REFUSED" if found.is_refusal else "warning"
            refused += mark == "REFUSED"
            self.stdout.write(
                f"{mark:>8}  {found.what}" + (f": {found.wrong}" if found.wrong else "")
            )
        if refused:
            sys.exit(1)
        self.stdout.write("Pitboss can start here.")
