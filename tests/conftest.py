"""What every test may ask for."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from _pytest.terminal import TerminalReporter
from django.conf import settings

from tests.browser import browser, open_tablet, tablet
from tests.databases import django_db_setup, owner_connection, unhurried
from tests.faults import database_proxy
from tests.floor.cast import cast, server_clock
from tests.floor.pads import pads_by_hand

__all__ = [
    "browser",
    "cast",
    "database_proxy",
    "django_db_setup",
    "open_tablet",
    "owner_connection",
    "pads_by_hand",
    "server_clock",
    "tablet",
    "unhurried",
]

# The modules that take longest, longest first. A worker that came to one of them last would work on
# alone for minutes. `make test` prints the ten slowest tests of every run.
LONGEST = (
    "test_embedded_site.py",
    "test_malformed.py",
    "test_who_reads_what.py",
    "test_floor_at_random.py",
    "test_access.py",
    "test_demo.py",
    "test_one_person.py",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let the longest modules be begun first, and those with a browser last.

    A browser leaves its event loop in the worker for good. The walk under axe is the longest there.
    """
    rank = {name: place for place, name in enumerate(LONGEST)}
    with_browser = {item.path for item in items if item.get_closest_marker("browser")}

    def turn(item: pytest.Item) -> tuple[int, bool]:
        if item.path in with_browser:
            return len(LONGEST) + 1, item.path.name != "test_axe.py"
        return rank.get(item.path.name, len(LONGEST)), False

    items.sort(key=turn)


SLOWEST_SHOWN = 25


def pytest_terminal_summary(terminalreporter: TerminalReporter) -> None:
    """Say which modules took longest: the order of LONGEST, and what to make faster next."""
    seconds: defaultdict[str, float] = defaultdict(float)
    for reports in terminalreporter.stats.values():
        for report in reports:
            if isinstance(report, pytest.TestReport):
                seconds[report.nodeid.partition("::")[0]] += report.duration
    if len(seconds) > SLOWEST_SHOWN:
        terminalreporter.section("slowest modules, in seconds")
        for module in sorted(seconds, key=seconds.__getitem__, reverse=True)[:SLOWEST_SHOWN]:
            terminalreporter.write_line(f"{seconds[module]:7.0f}  {module}")


@pytest.fixture(scope="session")
def seal_folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Return a new folder each time. pytest would look through all before to number the next."""
    beneath = tmp_path_factory.mktemp("seals")
    return (beneath / str(number) for number in count())


@pytest.fixture(autouse=True)
def own_seal_file(
    request: pytest.FixtureRequest,
    seal_folders: Iterator[Path],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Give each test of the site a seal file of its own.

    A test's database is gone with it; seals of one test are lost rows to the next.
    """
    if Path(__file__).parent / "rules" not in request.node.path.parents:
        folder = next(seal_folders)
        folder.mkdir()
        monkeypatch.setattr(settings, "SEAL_FILE", folder / "seals.log")


@pytest.fixture(autouse=True)
def fresh_process(request: pytest.FixtureRequest) -> None:
    """Let each test of the site begin as a process does that has kept nothing.

    Numbers that a process takes for versions begin anew with a test's database.
    """
    if Path(__file__).parent / "rules" not in request.node.path.parents:
        from pitboss import rates
        from pitboss.models.sealed import take_altered
        from pitboss.rules.cheques import cheques, keys
        from pitboss.services import beginnings
        from tables.services import in_force

        rates.forget()
        beginnings.forget_house()
        cheques._known.clear()
        keys.forget_sets()
        cheques._known.update(
            {denomination.cents: denomination for denomination in cheques.DENOMINATIONS}
        )
        # What another test altered is told at the end of the first act that follows.
        take_altered()
        for kept in (in_force._settings, in_force._terms, in_force._trays):
            kept._kept.clear()
