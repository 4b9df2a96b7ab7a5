"""Start a PostgreSQL and a Redis for the suite before pytest-django reads the settings.

pyproject.toml names this plugin (`-p`), so `pytest` alone works in a prepared environment, and
`make test` only adds two workers. The first process of a run starts both servers in a temporary
folder, sets the environment that the settings read, and removes everything at the end; workers
inherit that environment. What the tests do with the servers is in `databases.py`.
"""

from __future__ import annotations

import os

import pytest

from pitboss.embedded.servers import OWNER, SITE, SUPERUSER, open_throwaway_servers


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """Start the servers, unless nobody needs them or this is a worker of a run that has them."""
    options = early_config.known_args_namespace
    if options.help or options.version or not early_config.pluginmanager.has_plugin("django"):
        return
    if "PITBOSS_SUPERUSER_DATABASE_URL" in os.environ:
        return
    servers = open_throwaway_servers()
    early_config.add_cleanup(servers.remove)
    early_config.add_cleanup(servers.stop)
    servers.start()
    # WhiteNoise warns of a missing folder at every client that a test makes.
    (servers.data / "static").mkdir(exist_ok=True)
    os.environ.update(
        PITBOSS_ENV="test",
        PITBOSS_DATA=str(servers.data),
        BROKER_URL=servers.broker_url,
        DATABASE_URL=servers.database_url(SITE),
        PITBOSS_OWNER_DATABASE_URL=servers.database_url(OWNER),
        PITBOSS_SUPERUSER_DATABASE_URL=servers.database_url(SUPERUSER),
    )


def pytest_report_header() -> str:
    """Say where the servers of this run are, for whoever looks at a run that hangs."""
    return f"servers: PostgreSQL and Redis in {os.environ.get('PITBOSS_DATA', 'no folder')}"
