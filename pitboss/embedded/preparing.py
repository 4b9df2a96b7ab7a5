"""Make a site ready to start: its schema, its static files, and a demo that is whole.

The demo is loaded into a database beside and takes its place by one rename, so that whatever ends
a first start leaves nothing half done for the next one.
"""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import psycopg
from psycopg import sql

from pitboss.embedded.configuration import PROJECT, CannotRun
from pitboss.embedded.processes import Child, ServerRole, last_lines, start_child
from pitboss.embedded.servers import DATABASE, OWNER, SITE, Servers, create_database

# As manage.py load_demo ends on a demo whose loading was cut short.
_HALF_LOADED = 3
# How a line begins by which a command says how far it is.
PROGRESS = "> "
_UNFINISHED = "pitboss_unfinished"
_HAS_TABLES = "SELECT to_regclass('public.pitboss_property') IS NOT NULL"


@dataclass(slots=True)
class Preparation:
    """One making ready, with the commands of manage.py that are under way for it."""

    servers: Servers
    environ: Mapping[str, str]
    go_on: Callable[[], None]
    say: Callable[[str], None]
    children: dict[str, Child] = field(default_factory=dict)

    def prepare(self) -> str:
        """Gather static files, migrate and load the demo; return the demo's greeting."""
        gathering = self._begin("gather_static")
        greeting = self._see_to_database()
        self._finish("gather_static", gathering)
        return greeting

    def stop(self) -> None:
        """Stop the commands that are under way."""
        for child in self.children.values():
            child.stop()

    def _see_to_database(self) -> str:
        with self.servers.connect() as superuser:
            _drop(superuser, _UNFINISHED)
        if self._has_property():
            self._migrate(DATABASE)
            greeting = self._load_demo(DATABASE)
            if greeting is not None:
                return greeting
            self._set_aside()
        return self._load_beside()

    def _has_property(self) -> bool:
        with self.servers.connect(OWNER, DATABASE) as owner:
            if not _is_so(owner, _HAS_TABLES):
                return False
            return _is_so(owner, "SELECT EXISTS (SELECT FROM pitboss_property)")

    def _load_beside(self) -> str:
        """Load the demo into a database beside, and put it in the place of the empty one."""
        with self.servers.connect() as superuser:
            create_database(superuser, _UNFINISHED)
        self._migrate(_UNFINISHED)
        greeting = self._load_demo(_UNFINISHED)
        if greeting is None:
            raise CannotRun("The demo did not load whole; start again to load it anew.")
        with self.servers.connect() as superuser:
            _drop(superuser, DATABASE)
            _rename(superuser, _UNFINISHED, DATABASE)
        return greeting

    def _set_aside(self) -> None:
        """Keep a half-loaded demo of an earlier version, and its seals, under another name."""
        kept = f"{DATABASE}_half_{time.strftime('%Y%m%d%H%M%S')}"
        with self.servers.connect() as superuser:
            _rename(superuser, DATABASE, kept)
            create_database(superuser, DATABASE)
        seals = Path(self.environ.get("PITBOSS_SEAL_FILE") or self.servers.data / "seals/seals.log")
        if seals.exists():
            seals.rename(seals.with_name(f"{seals.name}.of-{kept}"))
        self.say(f"The demo was loaded by half only. It is kept as {kept}; loading a new one ...")

    def _migrate(self, database: str) -> None:
        """Migrate as the owner, whose password nothing else of the site's is told."""
        url = self.servers.database_url(OWNER, database)
        self._finish("migrate", self._begin("migrate", "--verbosity=1", url=url))

    def _load_demo(self, database: str) -> str | None:
        """Load the demo where there is none; return its greeting, or none where half of it is."""
        child = self._begin("load_demo", url=self.servers.database_url(SITE, database))
        self._await("load_demo", child)
        if child.process.returncode == _HALF_LOADED:
            return None
        return self._told("load_demo", child)

    def _begin(self, *command: str, url: str | None = None) -> Child:
        """Start one of manage.py's commands, on the database at an address."""
        role = ServerRole(command[0], signal.SIGTERM, signal.SIGKILL, patience_seconds=10)
        log = self.servers.log(command[0])
        log.unlink(missing_ok=True)
        child = start_child(
            role,
            # The site's own checks are for those who change it; a start has no time for them.
            [sys.executable, "manage.py", *command, "--skip-checks"],
            environ={**self.environ, **({"DATABASE_URL": url} if url else {})},
            log=log,
            folder=PROJECT,
        )
        self.children[command[0]] = child
        return child

    def _finish(self, name: str, child: Child) -> str:
        self._await(name, child)
        return self._told(name, child)

    def _await(self, name: str, child: Child) -> None:
        log, told = self.servers.log(name), 0
        while child.is_alive():
            self.go_on()
            told = self._pass_on(log, told)
            time.sleep(0.02)
        # What it started may hold a connection a moment longer.
        child.sweep()
        del self.children[name]

    def _pass_on(self, log: Path, told: int) -> int:
        """Say what a command has told of its progress since; return how much that is in all."""
        *whole, _ = log.read_text(errors="replace").split("\n")
        news = [line.removeprefix(PROGRESS) for line in whole if line.startswith(PROGRESS)]
        for line in news[told:]:
            self.say(line)
        return len(news)

    def _told(self, name: str, child: Child) -> str:
        """Return what a command printed that has ended well."""
        log = self.servers.log(name)
        if child.process.returncode:
            raise CannotRun(f"manage.py {name} failed; the end of {log} is:\n{last_lines(log)}")
        lines = log.read_text().splitlines()
        return "\n".join(line for line in lines if not line.startswith(PROGRESS)).rstrip()


def _is_so(connection: psycopg.Connection[tuple[object, ...]], question: str) -> bool:
    row = connection.execute(question).fetchone()
    return row is not None and bool(row[0])


def _drop(superuser: psycopg.Connection[tuple[object, ...]], name: str) -> None:
    superuser.execute(
        sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name))
    )


def _rename(superuser: psycopg.Connection[tuple[object, ...]], name: str, to: str) -> None:
    superuser.execute(
        sql.SQL("ALTER DATABASE {} RENAME TO {}").format(sql.Identifier(name), sql.Identifier(to))
    )
