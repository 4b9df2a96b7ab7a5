"""What every test may ask for."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.conf import settings

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


@pytest.fixture(autouse=True)
def own_seal_file(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Give each test of the site a seal file of its own.

    A test's database is gone with it; seals of one test are lost rows to the next.
    """
    if Path(__file__).parent / "rules" not in request.node.path.parents:
        folder = tmp_path_factory.mktemp("seals")
        monkeypatch.setattr(settings, "SEAL_FILE", folder / "seals.log")


@pytest.fixture(autouse=True)
def fresh_process(request: pytest.FixtureRequest) -> None:
    """Let each test of the site begin as a process does that has kept nothing.

    Numbers that a process takes for versions begin anew with a test's database.
    """
    if Path(__file__).parent / "rules" not in request.node.path.parents:
        from tables.api.terminals import TerminalRate
        from tables.services import in_force

        TerminalRate._buckets.clear()
        for kept in (in_force._settings, in_force._terms, in_force._trays):
            kept._kept.clear()
