"""A primary with a streaming standby behind it, both real, for a module of tests.

The servers of the other tests write no log that a standby could follow. Each test has a database of
its own here too: a copy of a migrated one, on both servers.
"""

from __future__ import annotations

import inspect
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.conf import settings
from django.db import connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper

from pitboss import standby as reading
from pitboss.database_address import read_address
from pitboss.embedded.processes import die_with_parent
from pitboss.embedded.servers import (
    DATABASE,
    OWNER,
    SITE,
    SUPERUSER,
    Servers,
    create_database,
    open_servers,
    plain_environ,
    quick_folder,
)
from pitboss.timeouts import READS_ONLY, STANDBY
from tests.databases import PROJECT
from tests.faulty_proxy import FaultyProxy

__all__ = ["standby", "two_servers"]

# A checkpoint at once, and no wait for the disk: what a power cut would lose is not looked at here.
_QUICK = {"fsync": "off", "full_page_writes": "on", "autovacuum": "off", "scram_iterations": "1"}


@dataclass
class TwoServers:
    """The primary, and the standby that is started and stopped beside it."""

    primary: Servers
    folder: Path
    copied: int = 0
    names: Iterator[int] = field(default_factory=count)
    _process: subprocess.Popen[bytes] | None = None

    def migrate(self) -> None:
        done = subprocess.run(
            [sys.executable, "manage.py", "migrate", "--verbosity=0"],
            cwd=PROJECT,
            env=os.environ | {"DATABASE_URL": self.primary.database_url(OWNER)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr[-2000:]

    def address(self, role: str, database: str) -> str:
        """Return the address of a database on the standby."""
        there = f"{self.primary.sockets}/standby"
        return self.primary.database_url(role, database).replace(str(self.primary.sockets), there)

    def start(self) -> None:
        """Copy the primary, and let the copy follow it until it is stopped."""
        shutil.rmtree(self.folder, ignore_errors=True)
        account = self.primary.account
        sockets = self.primary.sockets / "standby"
        if not sockets.exists():
            sockets.mkdir()
            account.own(sockets)
        programs = self.primary.programs.postgres
        copy: list[str | Path] = [
            *(programs / "pg_basebackup", "-D", self.folder, "--write-recovery-conf"),
            *("--checkpoint=fast", "--wal-method=stream", "--no-sync"),
            *("-d", self.primary.database_url(SUPERUSER, SUPERUSER)),
        ]
        beside: Any = {"cwd": self.folder.parent, "env": plain_environ()}
        subprocess.run(copy, check=True, capture_output=True, **beside, **account.popen_arguments())
        serve: list[str | Path] = [programs / "postgres", "-D", self.folder, "-k", sockets]
        for name, value in {"listen_addresses": "", **_QUICK}.items():
            serve += ["-c", f"{name}={value}"]
        self._process = subprocess.Popen(
            serve,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            preexec_fn=die_with_parent(signal.SIGINT),
            **beside,
            **account.popen_arguments(),
        )
        for _ in range(600):
            try:
                self.on_standby().close()
                return
            except psycopg.OperationalError:
                time.sleep(0.05)
        raise AssertionError("The standby did not start.")

    def stop(self) -> None:
        if self._process is not None:
            self._process.send_signal(signal.SIGINT)
            self._process.wait(60)
            self._process = None

    def on_standby(self) -> psycopg.Connection[tuple[Any, ...]]:
        """Connect to the standby as one who may do anything there."""
        return psycopg.connect(self.address(SUPERUSER, SUPERUSER), autocommit=True)

    def pause(self) -> None:
        """Let the standby receive what is written, and show none of it."""
        with self.on_standby() as superuser:
            superuser.execute("SELECT pg_wal_replay_pause()")
            for _ in range(200):
                row = superuser.execute("SELECT pg_get_wal_replay_pause_state()").fetchone()
                if row == ("paused",):
                    return
                time.sleep(0.02)
        raise AssertionError("The standby did not pause.")

    def resume(self) -> None:
        with self.on_standby() as superuser:
            superuser.execute("SELECT pg_wal_replay_resume()")


@pytest.fixture(scope="module")
def two_servers() -> Iterator[TwoServers]:
    """Start a primary that is migrated, and a standby behind it."""
    data = Path(tempfile.mkdtemp(prefix="pitboss-two-", dir=quick_folder()))
    if os.geteuid() == 0:
        data.chmod(0o711)
    servers = open_servers(data)
    both = TwoServers(servers, servers.folder / "standby")
    try:
        servers.start_postgres()
        with servers.connect() as superuser:
            for name, value in _QUICK.items():
                superuser.execute(f"ALTER SYSTEM SET {name} = '{value}'")
            superuser.execute("SELECT pg_reload_conf()")
        both.migrate()
        both.start()
        yield both
    finally:
        both.stop()
        servers.stop()
        servers.remove()


@dataclass
class Standby:
    """The standby as a test has it: behind its proxy, with a database of the test's own."""

    both: TwoServers
    proxy: FaultyProxy
    database: str

    def catches_up(self) -> None:
        """Wait until the standby shows all that was written."""
        with self.both.primary.connect() as primary, self.both.on_standby() as standby:
            row = primary.execute("SELECT pg_current_wal_lsn()::text").fetchone()
            for _ in range(400):
                asked = "SELECT pg_last_wal_replay_lsn() >= %s::pg_lsn"
                if row and standby.execute(asked, row).fetchone() == (True,):
                    return
                time.sleep(0.02)
        raise AssertionError("The standby did not catch up.")


@pytest.fixture
def standby(two_servers: TwoServers, transactional_db: None) -> Iterator[Standby]:
    """Let the site of a test write to the primary and have the standby to read from."""
    name = f"pitboss_two_{next(two_servers.names)}"
    with two_servers.primary.connect() as superuser:
        create_database(superuser, name, template=DATABASE)
    site = read_address(two_servers.primary.database_url(SITE, name))
    settings_dict = connection.settings_dict
    sockets = two_servers.primary.sockets
    with (
        FaultyProxy(sockets / "standby" / ".s.PGSQL.5432") as proxy,
        pytest.MonkeyPatch.context() as set_,
    ):
        connections.close_all()
        for part in ("NAME", "USER", "PASSWORD", "PORT"):
            set_.setitem(settings_dict, part, site[part])
        set_.setitem(settings_dict, "HOST", str(sockets))
        options = dict(settings_dict["OPTIONS"])
        options["options"] = f"{options['options']} {READS_ONLY}"
        there = {**settings_dict, "HOST": "127.0.0.1", "PORT": str(proxy.port), "OPTIONS": options}
        set_.setitem(connections.settings, STANDBY, there)
        # Within a test Django connects to no database that its settings did not have before.
        of_case = inspect.getclosurevars(BaseDatabaseWrapper.ensure_connection).nonlocals["cls"]
        set_.setattr(of_case, "databases", of_case.databases | {STANDBY})
        set_.setattr(settings, "READ_LAG_SECONDS", 30)
        reading.forget_silence()
        found = Standby(two_servers, proxy, name)
        found.catches_up()
        yield found
        connections.close_all()
        with suppress(AttributeError):
            del connections[STANDBY]
    reading.forget_silence()
