"""Jackpots: meters, approvals and tax papers."""

from __future__ import annotations

from django.apps import AppConfig


class JackpotsConfig(AppConfig):
    name = "jackpots"

    def ready(self) -> None:
        # Services send tasks by their names, so these are known wherever services are.
        from jackpots import tasks as _tasks  # noqa: F401

        # Registers reports, the effects that flows name, what slips tell, what meters get of a
        # round, and the tax lines of a win.
        from jackpots.reports import cash_places, compliance_binder, meters, tax  # noqa: F401
        from jackpots.selectors import jackpots as _shown  # noqa: F401
        from jackpots.selectors import meters as _read  # noqa: F401
        from jackpots.selectors import tax_papers as _papers  # noqa: F401
        from jackpots.services import (  # noqa: F401
            contributions,
            derived,
            tax_lines,
        )
