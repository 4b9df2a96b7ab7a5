"""PgBouncer between the site of a test and its database, set as docs/operating.md says.

Without it these tests are skipped, except where PITBOSS_PGBOUNCER_REQUIRED is set.
"""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from django.conf import settings
from django.db import OperationalError, connection, connections

from pitboss.timeouts import PATIENCE

# As docs/operating.md says: what each of its connections to PostgreSQL begins with.
LIMITS = " ".join(f"SET {name} = ''{seconds}s'';" for name, seconds in PATIENCE["web"].limits())

Pool = Callable[..., None]

_CONFIGURATION = """
[databases]
{name} = host={sockets} port=5432 dbname={name}{query}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = {folder}/users
pool_mode = transaction
default_pool_size = {size}
query_wait_timeout = 5
logfile = {folder}/log
{more}
"""


def _program() -> str:
    program = shutil.which("pgbouncer", path=f"{os.environ['PATH']}:/usr/sbin")
    if program is None:
        sentence = "there is no PgBouncer on this machine (on Debian: apt-get install pgbouncer)"
        if os.environ.get("PITBOSS_PGBOUNCER_REQUIRED"):
            pytest.fail(sentence)
        pytest.skip(sentence)
    return program


@pytest.fixture
def pool(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[Pool]:
    """Return what puts a pool of so many connections between the site and its database."""
    program = _program()
    # Not tmp_path: PgBouncer runs under an account that may not enter the folders above it.
    holder = tempfile.TemporaryDirectory(prefix="pgbouncer-")
    folder = Path(holder.name)
    running: list[subprocess.Popen[bytes]] = []

    def put(size: int = 3, *, limits: str = LIMITS, more: str = "", is_told: bool = True) -> None:
        address = urlsplit(os.environ["DATABASE_URL"])
        port = _free_port()
        configuration = folder / "pgbouncer.ini"
        configuration.write_text(
            _CONFIGURATION.format(
                name=connection.settings_dict["NAME"],
                sockets=(sockets := parse_qs(address.query)["host"][0]),
                query=f" connect_query='{limits}'" if limits else "",
                port=port,
                folder=folder,
                size=size,
                more=more,
            )
        )
        users = folder / "users"
        users.write_text(f'"{address.username}" "{unquote(address.password or "")}"\n')
        command = [program, "-q", str(configuration)]
        account = pwd.getpwuid(os.stat(sockets).st_uid)
        if os.geteuid() == 0:
            # Neither server runs as root.
            for path in (folder, configuration, users):
                os.chown(path, account.pw_uid, account.pw_gid)
            command[1:1] = ["-u", account.pw_name]
        running.append(subprocess.Popen(command))
        connections.close_all()
        monkeypatch.setitem(connection.settings_dict, "HOST", "127.0.0.1")
        monkeypatch.setitem(connection.settings_dict, "PORT", str(port))
        if is_told:
            monkeypatch.setattr(settings, "TRANSACTION_POOLING", True)
            monkeypatch.setitem(connection.settings_dict, "DISABLE_SERVER_SIDE_CURSORS", True)
            for name in ("options", "prepare_threshold"):
                monkeypatch.delitem(connection.settings_dict["OPTIONS"], name)
        _await(folder / "log")

    yield put
    connections.close_all()
    for process in running:
        process.terminate()
        process.wait(10)
    holder.cleanup()


def _await(log: Path) -> None:
    deadline = time.monotonic() + 30
    while True:
        try:
            connection.ensure_connection()
        except OperationalError:
            assert time.monotonic() < deadline, log.read_text() if log.exists() else "no log"
            time.sleep(0.05)
        else:
            return


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
