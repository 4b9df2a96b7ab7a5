"""Give each pytest worker a database of its own, which the tests see as the site would.

* The first database test of a run migrates a template as the owner, in a process of its own, as a
  casino would. Each worker copies it: `CREATE DATABASE ... TEMPLATE` takes a fraction of a second
  and brings the grants, the triggers and the rows that migrations made.
* Tests connect as the site's role, which owns nothing: what the site may not do, a test may not.
* A `transaction=True` test, and so every browser test, leaves committed rows. The site's role may
  not TRUNCATE, and triggers refuse it to the owner too, so Django's flush cannot clean up after
  it: the worker's database is dropped and copied from the template again.
"""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest
from django.db import connection, connections
from django.test import TransactionTestCase
from psycopg import sql
from pytest_django import DjangoDbBlocker

from pitboss.embedded.servers import create_database
from pitboss.timeouts import PATIENCE

TEMPLATE = "pitboss_template"
PROJECT = Path(__file__).resolve().parents[1]


def database_url(role: str, database: str) -> str:
    """Return the address of a database of this run for OWNER, SUPERUSER or, with "", the site."""
    variable = f"PITBOSS_{role}_DATABASE_URL" if role else "DATABASE_URL"
    return urlunsplit(urlsplit(os.environ[variable])._replace(path=f"/{database}"))


def as_superuser() -> psycopg.Connection[tuple[object, ...]]:
    """Return a connection that may make and drop databases."""
    return psycopg.connect(database_url("SUPERUSER", "postgres"), autocommit=True)


def make_template() -> None:
    """Migrate the template once in a run, whichever worker comes first."""
    with (Path(os.environ["PITBOSS_DATA"]) / "template.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with as_superuser() as superuser:
            if superuser.execute("SELECT FROM pg_database WHERE datname = %s", [TEMPLATE]).rowcount:
                return
            create_database(superuser, "pitboss_unfinished")
            environ = os.environ | {"DATABASE_URL": database_url("OWNER", "pitboss_unfinished")}
            migrated = subprocess.run(
                [sys.executable, "manage.py", "migrate", "--verbosity=0"],
                cwd=PROJECT,
                env=environ,
                capture_output=True,
                text=True,
                check=False,
            )
            if migrated.returncode:
                superuser.execute("DROP DATABASE pitboss_unfinished WITH (FORCE)")
                pytest.exit(f"The database could not be migrated:\n{migrated.stderr}", 3)
            superuser.execute(f"ALTER DATABASE pitboss_unfinished RENAME TO {TEMPLATE}")


def copy_template(name: str) -> None:
    """Make a worker's database anew; whoever is still connected to the old one is cut off."""
    connections.close_all()
    with as_superuser() as superuser:
        superuser.execute(
            sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name))
        )
        create_database(superuser, name, template=TEMPLATE)


@pytest.fixture(scope="session")
def django_db_setup(
    django_test_environment: None, django_db_blocker: DjangoDbBlocker, worker_id: str
) -> Iterator[None]:
    """Point Django at this worker's copy of the template, in place of a database it would make."""
    name = f"pitboss_{worker_id}"
    make_template()

    def copy_template_again(self: TransactionTestCase) -> None:
        copy_template(name)

    with django_db_blocker.unblock(), pytest.MonkeyPatch.context() as patch:
        copy_template(name)
        patch.setitem(connection.settings_dict, "NAME", name)
        # A test is one transaction to the database, however long it takes: only statements and
        # locks have their usual end.
        whole = replace(PATIENCE["web"], transaction=0, idle_in_transaction=0)
        patch.setitem(connection.settings_dict["OPTIONS"], "options", whole.as_options())
        patch.setattr(TransactionTestCase, "_fixture_teardown", copy_template_again)
        yield
        connections.close_all()


@pytest.fixture
def unhurried(db: None) -> None:
    """Let a test that walks the whole site take its time: it is one transaction to the database."""
    take_time()


def take_time() -> None:
    """Take the limits off this transaction. A page that may take longer puts them back after it."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SET LOCAL transaction_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0"
        )


@pytest.fixture
def owner_connection(transactional_db: None) -> Iterator[psycopg.Connection[tuple[object, ...]]]:
    """Connect as the owner of the database, to try what only the owner could try."""
    url = database_url("OWNER", str(connection.settings_dict["NAME"]))
    with psycopg.connect(url, autocommit=True) as owner:
        yield owner
