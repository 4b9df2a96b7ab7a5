"""Start a real PostgreSQL and a real Redis on one folder, reachable by a private socket alone."""

from __future__ import annotations

import fcntl
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, TypeVar

import psycopg
import redis
from psycopg import sql

from pitboss.durable import sync_folder
from pitboss.embedded.account import Programs, ServiceAccount, find_programs, prepare_servers_folder
from pitboss.embedded.configuration import CannotRun
from pitboss.embedded.keys import PASSWORDS, see_to_keys
from pitboss.embedded.processes import (
    MARK,
    Child,
    ServerRole,
    end_left_behind,
    keep_small,
    last_lines,
    start_child,
)

SUPERUSER, OWNER, SITE = "postgres", "pitboss_owner", "pitboss_site"
DATABASE = "pitboss"
# Where a cluster on a data folder writes down how its nodes are reached.
CLUSTER_ADDRESS = "cluster.address"
# Whose password is kept under which name.
PASSWORD_OF = {
    SUPERUSER: "database_superuser",
    OWNER: "database_owner",
    SITE: "database_site",
}

# Recovery after a kill -9 reads all that was written since the last checkpoint.
READY_SECONDS_MAX = 120

# What the largest measurement may fill a throw-away database with.
THROWAWAY_BYTES = 4_000_000_000
FORGOTTEN_SECONDS = 3_600

POSTGRES = ServerRole("postgres", signal.SIGINT, signal.SIGINT, patience_seconds=60)
REDIS = ServerRole("redis", signal.SIGTERM, signal.SIGTERM, patience_seconds=20)

_SETTINGS = {
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "password_encryption": "scram-sha-256",
    "shared_buffers": "128MB",
    "max_connections": "100",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "log_line_prefix": "%m [%p] %u ",
    "log_min_duration_statement": "1000",
}
# A test database is thrown away: it need not survive the machine, only be quick.
_THROWAWAY_SETTINGS = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "autovacuum": "off",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "max_wal_size": "512MB",
    "log_min_duration_statement": "-1",
    "log_checkpoints": "off",
    # A copied database costs a checkpoint or two and its clients' passwords, a thousand times.
    "scram_iterations": "1",
}


@dataclass(slots=True)
class Servers:
    """The two servers on one data folder; make it with `open_servers`."""

    password_names: ClassVar[tuple[str, ...]] = PASSWORDS

    data: Path
    folder: Path
    sockets: Path
    account: ServiceAccount
    programs: Programs
    passwords: dict[str, str]
    throwaway: bool
    _lock: int
    children: dict[str, Child] = field(default_factory=dict)

    @property
    def mark(self) -> str:
        return str(self.data)

    @property
    def broker_url(self) -> str:
        return f"redis+socket://{self.sockets}/redis.sock?virtual_host=0"

    def database_url(self, role: str = SITE, database: str = DATABASE) -> str:
        """Return the address of a database for a role, as libpq and Django's settings read it."""
        password = self.passwords[PASSWORD_OF[role]]
        return f"postgresql://{role}:{password}@/{database}?host={self.sockets}"

    def environ(self) -> dict[str, str]:
        """Return what the site's own processes need to know, on top of the caller's environment.

        The owner's password is not among it: the site cannot become the owner.
        """
        # Without bytecode each of the site's eight processes would compile all of it anew.
        compiled = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
        return {
            **compiled,
            "PYTHONUNBUFFERED": "1",
            "PITBOSS_DATA": str(self.data),
            "DATABASE_URL": self.database_url(),
            "BROKER_URL": self.broker_url,
            MARK: self.mark,
        }

    def log(self, name: str) -> Path:
        return self.data / "log" / f"{name}.log"

    def start(self, go_on: Callable[[], None] = lambda: None) -> None:
        """Start both and wait until they answer; `go_on` raises when the wait should end."""
        self.start_postgres(go_on)
        self.start_redis(go_on)

    def start_postgres(self, go_on: Callable[[], None] = lambda: None) -> None:
        """Start PostgreSQL, and see to its roles and its database."""
        cluster = self.folder / "postgres"
        if not cluster.exists():
            self._make_cluster(cluster)
        # With nothing of ours on this folder the file is stale, no matter who has its pid today.
        end_left_behind(cluster)
        (cluster / "postmaster.pid").unlink(missing_ok=True)
        settings = _SETTINGS | {"unix_socket_directories": str(self.sockets)}
        if self.throwaway:
            settings |= _THROWAWAY_SETTINGS
        command: list[str | Path] = [self.programs.postgres / "postgres", "-D", cluster]
        for name, value in settings.items():
            command += ["-c", f"{name}={value}"]
        self._start(POSTGRES, command, self._postgres_answers, cluster, go_on)
        self.see_to_roles()

    def start_redis(self, go_on: Callable[[], None] = lambda: None) -> None:
        """Start Redis; what it was told a second ago survives its being killed."""
        folder = self.folder / "redis"
        if not folder.exists():
            self.account.own(_made(folder))
        settings = {
            "port": "0",
            "unixsocket": str(self.sockets / "redis.sock"),
            "unixsocketperm": "700",
            "dir": str(folder),
            "save": "",
            "appendonly": "no" if self.throwaway else "yes",
            "appendfsync": "everysec",
            "maxmemory-policy": "noeviction",
            "daemonize": "no",
        }
        command: list[str | Path] = [self.programs.redis]
        for name, value in settings.items():
            command += [f"--{name}", value]
        try:
            self._start(REDIS, command, self._redis_answers, folder, go_on)
        except CannotRun:
            # It keeps messages alone, and what is lost of them a sweep finds again.
            if not any(folder.iterdir()):
                raise
            shutil.rmtree(folder)
            self.account.own(_made(folder))
            self._start(REDIS, command, self._redis_answers, folder, go_on)

    def stop(self) -> None:
        """Stop Redis, then PostgreSQL, and let go of the folder."""
        for name in (REDIS.name, POSTGRES.name):
            if child := self.children.pop(name, None):
                child.stop()
        shutil.rmtree(self.sockets, ignore_errors=True)
        (self.folder / "sockets").unlink(missing_ok=True)
        os.close(self._lock)

    def remove(self) -> None:
        """Remove a stopped throw-away folder with everything in it."""
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.rmtree(self.data, ignore_errors=True)

    def connect(
        self, role: str = SUPERUSER, database: str = SUPERUSER
    ) -> psycopg.Connection[tuple[object, ...]]:
        """Return a connection of ours that commits each statement."""
        url = self.database_url(role, database)
        return psycopg.connect(url, autocommit=True, connect_timeout=5)

    def _make_cluster(self, cluster: Path) -> None:
        """Make the cluster beside its place and move it there whole, since a kill may interrupt."""
        unfinished = self.folder / "postgres.unfinished"
        shutil.rmtree(unfinished, ignore_errors=True)
        unfinished.mkdir()
        self.account.own(unfinished)
        password = self.folder / "password.unfinished"
        password.unlink(missing_ok=True)
        descriptor = os.open(password, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w") as file:
            file.write(self.passwords["database_superuser"] + "\n")
        if self.account.switch:
            os.chown(password, self.account.uid, self.account.gid)
        command: list[str | Path] = [
            self.programs.postgres / "initdb",
            *("-D", unfinished, "--username", SUPERUSER, "--pwfile", password),
            *("--auth", "scram-sha-256", "--encoding", "UTF8", "--locale", "C"),
            *("--locale-provider", "builtin", "--builtin-locale", "C.UTF-8", "--no-instructions"),
            *(["--no-sync"] if self.throwaway else []),
        ]
        with self.log("initdb").open("wb") as output:
            made = subprocess.run(
                command,
                cwd=self.folder,
                stdout=output,
                stderr=subprocess.STDOUT,
                check=False,
                **self.account.popen_arguments(),
            )
        password.unlink()
        if made.returncode:
            raise CannotRun(
                f"PostgreSQL could not make its folder in {self.folder}:\n"
                f"{last_lines(self.log('initdb'))}"
            )
        unfinished.rename(cluster)
        sync_folder(cluster.parent)

    def _start(
        self,
        role: ServerRole,
        command: list[str | Path],
        answers: Callable[[], bool],
        folder: Path,
        go_on: Callable[[], None],
    ) -> None:
        """Start a server and wait until it answers.

        A server killed a moment ago may have left processes that still hold its memory; a new one
        ends at once then, so it is tried again.
        """
        keep_small(self.log(role.name))
        deadline = time.monotonic() + READY_SECONDS_MAX
        tries = 0
        while time.monotonic() < deadline:
            child = self.children.get(role.name)
            if child is None or not child.is_alive():
                if tries == 3:
                    break
                tries += 1
                end_left_behind(folder)
                child = start_child(
                    role,
                    command,
                    environ=plain_environ(),
                    log=self.log(role.name),
                    folder=folder,
                    account=self.account,
                )
                self.children[role.name] = child
            if answers():
                return
            go_on()
            time.sleep(0.02)
        raise CannotRun(
            f"{role.name} did not start; the end of {self.log(role.name)} is:\n"
            f"{last_lines(self.log(role.name))}"
        )

    def _postgres_answers(self) -> bool:
        try:
            self.connect().close()
        except psycopg.OperationalError as error:
            if "password authentication failed" in str(error):
                raise CannotRun(
                    f"{self.data / 'keys' / 'database_superuser'} is not the password of the "
                    f"database in {self.folder}: put both back from the same backup."
                ) from None
            return False
        return True

    def _redis_answers(self) -> bool:
        client = redis.Redis(unix_socket_path=str(self.sockets / "redis.sock"))
        try:
            return bool(client.ping())
        except (redis.ConnectionError, redis.BusyLoadingError):
            return False
        finally:
            client.close()

    def see_to_roles(self) -> None:
        """See that the owner, who migrates, and the site, who owns nothing, are as they should."""
        with self.connect() as connection:
            for role in (OWNER, SITE):
                if not connection.execute(
                    "SELECT FROM pg_roles WHERE rolname = %s", [role]
                ).rowcount:
                    connection.execute(sql.SQL("CREATE ROLE {}").format(sql.Identifier(role)))
                password = self.passwords[f"database_{role.removeprefix('pitboss_')}"]
                # Only what the password is checked by is sent, so no log can ever show it.
                verifier = connection.pgconn.encrypt_password(
                    password.encode(), role.encode(), b"scram-sha-256"
                )
                connection.execute(
                    sql.SQL(
                        "ALTER ROLE {} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE PASSWORD {}"
                    ).format(sql.Identifier(role), sql.Literal(verifier.decode()))
                )
            if not connection.execute(
                "SELECT FROM pg_database WHERE datname = %s", [DATABASE]
            ).rowcount:
                create_database(connection, DATABASE)


AnyServers = TypeVar("AnyServers", bound=Servers)


def create_database(
    connection: psycopg.Connection[tuple[object, ...]],
    name: str,
    template: str = "template0",
) -> None:
    """Create a database that the owner owns and in which the site may make nothing."""
    database = sql.Identifier(name)
    connection.execute(
        sql.SQL("CREATE DATABASE {} OWNER {} TEMPLATE {} STRATEGY {}").format(
            database,
            sql.Identifier(OWNER),
            sql.Identifier(template),
            sql.Identifier("file_copy"),
        )
    )
    connection.execute(sql.SQL("REVOKE TEMPORARY ON DATABASE {} FROM PUBLIC").format(database))
    # Demo, bench and tests put people and tables up by themselves; a casino's database refuses it.
    connection.execute(sql.SQL("ALTER DATABASE {} SET pitboss.rehearsal = 'on'").format(database))


def open_servers(data: Path, *, throwaway: bool = False) -> Servers:
    """Take a data folder for this process alone, and make ready what its two servers need."""
    return open_kind(Servers, data, throwaway=throwaway)


def open_kind(
    kind: type[AnyServers], data: Path, *, throwaway: bool = False, database: str = "postgres"
) -> AnyServers:
    """Take a data folder for this process alone, and make ready what its servers need.

    What a killed run left on the folder is ended first. `database` is where in the servers' folder
    their data is, once there is any.
    """
    lock = _take_lock(data)
    try:
        account, folder = prepare_servers_folder(data)
        end_left_behind(folder, mark=str(data))
        passwords = see_to_keys(
            data / "keys",
            database_exists=(folder / database).exists(),
            names=kind.password_names,
        )
        _check_version(folder / database)
        (data / "log").mkdir(mode=0o700, exist_ok=True)
        return kind(
            data=data,
            folder=folder,
            account=account,
            programs=find_programs(account),
            sockets=_make_sockets_folder(folder, account),
            passwords=passwords,
            throwaway=throwaway,
            _lock=lock,
        )
    except BaseException:
        os.close(lock)
        raise


def environ_beside(data: Path) -> dict[str, str]:
    """Return the environment of a site that runs on a data folder, for a command beside it.

    Raises CannotRun when none does.
    """
    sockets = data / "servers" / "sockets"
    address = f"@/{DATABASE}?host={sockets.readlink()}" if sockets.is_symlink() else ""
    with suppress(FileNotFoundError):
        address = (data / CLUSTER_ADDRESS).read_text()
    password = data / "keys" / "database_site"
    if not sockets.is_symlink() or not (sockets / "redis.sock").exists() or not password.exists():
        raise CannotRun(f"No site runs on {data}: start it with make run, or set PITBOSS_DATA.")
    place = sockets.readlink()
    return {
        **os.environ,
        "PYTHONUNBUFFERED": "1",
        "PITBOSS_DATA": str(data),
        "DATABASE_URL": f"postgresql://{SITE}:{password.read_text().strip()}{address}",
        "BROKER_URL": f"redis+socket://{place}/redis.sock?virtual_host=0",
    }


def open_throwaway_servers() -> Servers:
    """Return servers on a new temporary folder; stop and remove them after use."""
    _remove_forgotten()
    data = Path(tempfile.mkdtemp(prefix="pitboss-", dir=quick_folder())).resolve()
    if os.geteuid() == 0:
        data.chmod(0o711)
    return open_servers(data, throwaway=True)


def _remove_forgotten() -> None:
    """Remove the throw-away folders of this caller's killed runs: in memory they would add up."""
    for lock in Path(quick_folder() or tempfile.gettempdir()).glob("pitboss-*/lock"):
        # A stranger's folder is closed to us, and a live run holds its lock.
        with suppress(OSError), lock.open() as held:
            age_seconds = time.time() - lock.stat().st_mtime
            if lock.parent.lstat().st_uid == os.geteuid() and age_seconds > FORGOTTEN_SECONDS:
                fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree((lock.parent / "servers").resolve())
                shutil.rmtree(lock.parent)


def quick_folder() -> str | None:
    """Return where a throw-away database is quickest: in memory, where there is room for it."""
    memory = Path("/dev/shm")
    if "TMPDIR" in os.environ or not os.access(memory, os.W_OK | os.X_OK):
        return None
    return str(memory) if shutil.disk_usage(memory).free > THROWAWAY_BYTES else None


def _take_lock(data: Path) -> int:
    """Lock the folder until this process ends; the kernel lets go of it however that happens."""
    descriptor = os.open(data / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        raise CannotRun(
            f"Pitboss is already running on {data}: stop that run, or set PITBOSS_DATA and "
            "PITBOSS_PORT to run another beside it."
        ) from None
    return descriptor


def _check_version(cluster: Path) -> None:
    with suppress(FileNotFoundError):
        made_by = (cluster / "PG_VERSION").read_text().strip()
        if made_by != "18":
            raise CannotRun(
                f"{cluster} was made by PostgreSQL {made_by} and this is PostgreSQL 18: move its "
                "data with pg_dump, or set PITBOSS_DATA to a new folder."
            )


def _make_sockets_folder(folder: Path, account: ServiceAccount) -> Path:
    """Make a new folder for the sockets, whose paths may not pass 107 bytes.

    A link in the servers' folder remembers it, so that the next start can remove what a kill left.
    """
    link = folder / "sockets"
    if link.is_symlink():
        with suppress(OSError):
            old = link.readlink()
            if old.lstat().st_uid == account.uid and old.name.startswith("pitboss-"):
                shutil.rmtree(old)
        link.unlink()
    sockets = account.own(Path(tempfile.mkdtemp(prefix="pitboss-", dir="/tmp")))
    link.symlink_to(sockets)
    return sockets


def _made(folder: Path) -> Path:
    folder.mkdir()
    return folder


def plain_environ() -> dict[str, str]:
    """Return an environment for the servers that no one's PG* or locale variables change."""
    return {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C", "TZ": "UTC"}
