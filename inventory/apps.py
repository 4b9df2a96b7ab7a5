"""Cheques and cards: the ledger, patrons, and what happens to cheques when a slip is signed."""

from __future__ import annotations

from django.apps import AppConfig


class InventoryConfig(AppConfig):
    name = "inventory"

    def ready(self) -> None:
        # Registers reports, and what is found from every page.
        from inventory.reports import cards, credit, instruments  # noqa: F401
        from inventory.selectors import search  # noqa: F401
