"""Jackpots: meters, approvals and tax papers."""

from __future__ import annotations

from django.apps import AppConfig


class JackpotsConfig(AppConfig):
    name = "jackpots"

    def ready(self) -> None:
        # Registers the effects that flows name, and what meters get of the wagers of a round.
        from jackpots.services import contributions, meter_changes  # noqa: F401
