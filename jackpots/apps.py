"""Jackpots: meters, approvals and tax papers."""

from __future__ import annotations

from django.apps import AppConfig


class JackpotsConfig(AppConfig):
    name = "jackpots"

    def ready(self) -> None:
        # Registers reports, the effects that flows name, what slips tell, and what meters get of
        # a round.
        from jackpots.reports import meters  # noqa: F401
        from jackpots.selectors import jackpots as _shown  # noqa: F401
        from jackpots.selectors import meters as _read  # noqa: F401
        from jackpots.services import (  # noqa: F401
            contributions,
            jackpots,
            meter_changes,
            payments,
        )
