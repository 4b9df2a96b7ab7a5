"""Cheques and cards: the ledger, fills, and what happens to cheques when a slip is signed."""

from __future__ import annotations

from django.apps import AppConfig


class InventoryConfig(AppConfig):
    name = "inventory"

    def ready(self) -> None:
        # Registers the effects that flows name.
        from inventory.services import (  # noqa: F401
            cage,
            card_store,
            card_table,
            cash_log,
            credits,
            fills,
        )
