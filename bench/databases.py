"""A database of a bench's own, made on the servers that `make bench` starts, and dropped again."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg

PROJECT = Path(__file__).resolve().parents[1]


@contextmanager
def own_database(name: str, project: Path = PROJECT, **more: str) -> Iterator[dict[str, str]]:
    """Make a database, and give the environment in which the site uses it.

    `project` is the release whose schema it gets. With PITBOSS_ENV=group it is that of a desk.
    """
    if "PITBOSS_SUPERUSER_DATABASE_URL" not in os.environ:
        sys.exit("This is measured on servers of its own: use make bench.")
    from pitboss.embedded.servers import create_database

    with psycopg.connect(database_url("SUPERUSER_", "postgres"), autocommit=True) as superuser:
        create_database(superuser, name)
        try:
            migrate(name, project, **more)
            yield os.environ | {"DATABASE_URL": database_url("", name), **more}
        finally:
            superuser.execute(f"DROP DATABASE {name} WITH (FORCE)")


def migrate(name: str, project: Path = PROJECT, **more: str) -> None:
    """Bring a database to the schema of a release, as its owner."""
    owner = os.environ | {"DATABASE_URL": database_url("OWNER_", name), **more}
    command = [sys.executable, "manage.py", "migrate", "--verbosity=0"]
    subprocess.run(command, cwd=project, env=owner, check=True)


def database_url(role: str, database: str) -> str:
    """Return how a role reaches a database: the site's own, or OWNER_ or SUPERUSER_."""
    variable = f"PITBOSS_{role}DATABASE_URL" if role else "DATABASE_URL"
    return urlunsplit(urlsplit(os.environ[variable])._replace(path=f"/{database}"))
