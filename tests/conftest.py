"""What every test may ask for."""

from __future__ import annotations

from tests.browser import browser, open_tablet, tablet
from tests.cast import cast, server_clock
from tests.databases import django_db_setup, owner_connection

__all__ = [
    "browser",
    "cast",
    "django_db_setup",
    "open_tablet",
    "owner_connection",
    "server_clock",
    "tablet",
]
