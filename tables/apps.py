"""Tables: the board and each table's page."""

from __future__ import annotations

from django.apps import AppConfig


class TablesConfig(AppConfig):
    name = "tables"

    def ready(self) -> None:
        # Registers the effects that flows name.
        from tables.services import trays  # noqa: F401
