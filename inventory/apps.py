"""Cheques and cards: the ledger, fills, and what happens to cheques when a slip is signed."""

from __future__ import annotations

from django.apps import AppConfig


class InventoryConfig(AppConfig):
    name = "inventory"

    def ready(self) -> None:
        # Registers reports, the effects that flows name, and what slips tell of themselves.
        from inventory.reports import cards  # noqa: F401
        from inventory.selectors import marker_slips  # noqa: F401
        from inventory.services import (  # noqa: F401
            cage,
            card_bags,
            card_inventory,
            card_store,
            card_table,
            cash_log,
            credit_lines,
            credits,
            fills,
            marker_payments,
            marker_transfers,
            markers,
        )
