"""Run the whole site under one parent: servers, migrations, demo property, web, worker, beat."""

from __future__ import annotations

import http.client
import os
import signal
import socket
import sys
import time
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import FrameType

import psycopg

from pitboss.embedded.configuration import PROJECT, CannotRun, Configuration
from pitboss.embedded.preparing import Preparation
from pitboss.embedded.processes import Child, ServerRole, keep_small, last_lines, start_child
from pitboss.embedded.room import await_room
from pitboss.embedded.servers import POSTGRES, REDIS, Servers, open_servers

# The kernel's word to an orphan: granian must pass its end on to its workers; Celery's pool dies
# with its parent by itself, and waiting for a broker that is gone could last for ever.
WEB = ServerRole("web", signal.SIGTERM, signal.SIGTERM, patience_seconds=15)
EVENTS = ServerRole("events", signal.SIGTERM, signal.SIGTERM, patience_seconds=15)
WORKER = ServerRole("worker", signal.SIGTERM, signal.SIGKILL, patience_seconds=30)
RECORD = ServerRole("record", signal.SIGTERM, signal.SIGKILL, patience_seconds=30)
BEAT = ServerRole("beat", signal.SIGTERM, signal.SIGKILL, patience_seconds=10)

HEALTHY_SECONDS_MAX = 120
ENDS_MAX = 5
ENDS_WITHIN_SECONDS = 300


class StopAsked(Exception):
    """Leave off whatever is being waited for: someone has asked this process to stop."""


@dataclass(slots=True)
class Ear:
    """Hear SIGINT, SIGTERM and SIGHUP, and remember; act at the next moment that is safe."""

    heard: bool = False

    def listen(self) -> None:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._hear)

    def _hear(self, number: int, frame: FrameType | None) -> None:
        self.heard = True

    def go_on(self) -> None:
        """Raise `StopAsked` once a signal was heard."""
        if self.heard:
            raise StopAsked


@dataclass(slots=True)
class Site:
    """The site's own processes, and how often each of them has ended of late."""

    configuration: Configuration
    servers: Servers
    ear: Ear
    children: dict[str, Child] = field(default_factory=dict)
    ends: dict[str, deque[float]] = field(default_factory=dict)

    @property
    def events_socket(self) -> Path:
        """Where the process for events listens: the web's own processes lead there."""
        return self.servers.sockets / "events.sock"

    def environ(self) -> dict[str, str]:
        environ = self.servers.environ() | {
            "PITBOSS_ENV": "demo",
            "PITBOSS_HOST": self.configuration.host,
            "PITBOSS_PORT": str(self.configuration.port),
            "PITBOSS_EVENTS_ADDRESS": str(self.events_socket),
        }
        environ.setdefault("PITBOSS_ALLOWED_HOSTS", allowed_hosts(self.configuration.host))
        return environ

    def prepare(self) -> str:
        """Start the servers, migrate, load the demo and gather static files; return its greeting.

        Where the disk fills up meanwhile, wait for room and begin again.
        """
        while True:
            self._await_room()
            try:
                self.servers.start(self.ear.go_on)
                return self._prepare()
            except (CannotRun, psycopg.Error, OSError):
                if not self._await_room():
                    raise

    def _prepare(self) -> str:
        say("Preparing the database and the demo property ...")
        preparation = Preparation(self.servers, self.environ(), self.ear.go_on, say)
        try:
            return preparation.prepare()
        finally:
            preparation.stop()

    def start(self, role: ServerRole) -> None:
        """Start web, worker or beat."""
        log = self.servers.log(role.name)
        keep_small(log)
        self.children[role.name] = start_child(
            role,
            COMMANDS[role.name](self),
            environ=self.environ(),
            log=log,
            folder=PROJECT,
        )

    def await_health(self) -> None:
        """Wait until the site says of itself that every part of it works."""
        deadline = time.monotonic() + HEALTHY_SECONDS_MAX
        said = "nothing"
        while time.monotonic() < deadline:
            self.ear.go_on()
            for child in self.children.values():
                if not child.is_alive():
                    log = self.servers.log(child.role.name)
                    raise CannotRun(
                        f"{child.role.name} ended as soon as it started; the end of {log} is:\n"
                        f"{last_lines(log)}"
                    )
            with suppress(OSError, http.client.HTTPException):
                healthy, said = ask_health(self.configuration)
                if healthy:
                    return
            time.sleep(0.1)
        raise CannotRun(
            f"The site did not become healthy in {HEALTHY_SECONDS_MAX} seconds; /healthz says "
            f"{said}, and the logs are in {self.servers.log('web').parent}."
        )

    def watch(self) -> None:
        """Start again what ends, until asked to stop; give up on what ends again and again."""
        restart: dict[str, Callable[[], None]] = {
            POSTGRES.name: partial(self.servers.start_postgres, self.ear.go_on),
            REDIS.name: partial(self.servers.start_redis, self.ear.go_on),
            **{
                role.name: partial(self.start, role) for role in (EVENTS, WEB, WORKER, RECORD, BEAT)
            },
        }
        while True:
            for _ in range(40):
                for child in [*self.servers.children.values(), *self.children.values()]:
                    if not child.is_alive():
                        self._start_again(child, restart[child.role.name])
                self.ear.go_on()
                time.sleep(0.25)
            for name in restart:
                keep_small(self.servers.log(name))

    def _start_again(self, child: Child, restart: Callable[[], None]) -> None:
        """Start what has ended; on a full disk wait first, for as long as it takes."""
        child.sweep()
        if not self._await_room():
            self._judge_end(child)
        try:
            restart()
        except (CannotRun, psycopg.Error, OSError):
            if not self._await_room():
                raise

    def _await_room(self) -> bool:
        return await_room(self.servers.data, self.servers.folder, go_on=self.ear.go_on, say=say)

    def _judge_end(self, child: Child) -> None:
        """Say that a child has ended; raise `CannotRun` when it does so too often."""
        name = child.role.name
        ends = self.ends.setdefault(name, deque(maxlen=ENDS_MAX))
        ends.append(time.monotonic())
        code = child.process.returncode
        how = f"was killed by {signal.Signals(-code).name}" if code < 0 else f"ended with {code}"
        if len(ends) == ENDS_MAX and ends[-1] - ends[0] < ENDS_WITHIN_SECONDS:
            log = self.servers.log(name)
            raise CannotRun(
                f"{name} {how}, for the {ENDS_MAX}th time in {ENDS_WITHIN_SECONDS // 60} minutes, "
                f"so everything stops; the end of {log} is:\n{last_lines(log)}"
            )
        say(f"{name} {how}; starting it again.")

    def stop(self) -> None:
        """Stop in the order in which no one is left asking for something that is gone."""
        for name in (WEB.name, EVENTS.name, BEAT.name, WORKER.name, RECORD.name):
            if child := self.children.pop(name, None):
                child.stop()
        for child in self.children.values():
            child.stop()
        self.servers.stop()


def _web(site: Site) -> list[str]:
    # Two processes a core, of two threads each: more threads in one process wait for each other,
    # and the slowest acts of a busy floor took half as long again. Each keeps one connection.
    workers = 2 * max(1, min(4, os.cpu_count() or 2))
    return [
        *(sys.executable, "-m", "granian", "--interface", "rsgi", "--no-ws"),
        *("--host", site.configuration.host, "--port", str(site.configuration.port)),
        *("--workers", str(workers), "--respawn-failed-workers"),
        *("--workers-kill-timeout", "10", "--log-level", "warning", "pitboss.front:front"),
    ]


def _events(site: Site) -> list[str]:
    return events_command(site.events_socket)


def events_command(listens: Path) -> list[str]:
    """Return how the streams of a node are served on a socket."""
    # One process for all streams: it looks at the journal once for all of them.
    listens.unlink(missing_ok=True)
    return [
        *(sys.executable, "-m", "granian", "--interface", "asgi", "--no-ws"),
        *("--uds", str(listens), "--workers", "1", "--respawn-failed-workers"),
        *("--backlog", "2048", "--backpressure", "2048", "--workers-kill-timeout", "5"),
        *("--log-level", "warning", "tables.asgi:application"),
    ]


def _worker(site: Site) -> list[str]:
    return [
        *(sys.executable, "-m", "celery", "-A", "pitboss.celery", "worker"),
        *("--concurrency", "2", "--loglevel", "INFO", "--without-gossip", "--without-mingle"),
    ]


def _record(site: Site) -> list[str]:
    return [
        *(sys.executable, "-m", "celery", "-A", "pitboss.celery", "worker"),
        *("--queues", "seals,verification", "--hostname", "record@%h"),
        *("--concurrency", "2", "--loglevel", "INFO", "--without-gossip", "--without-mingle"),
    ]


def _beat(site: Site) -> list[str]:
    folder = site.servers.data / "beat"
    folder.mkdir(mode=0o700, exist_ok=True)
    return [
        *(sys.executable, "-m", "celery", "-A", "pitboss.celery", "beat", "--loglevel", "INFO"),
        *("--schedule", str(folder / "schedule"), "--pidfile", ""),
    ]


COMMANDS: Mapping[str, Callable[[Site], list[str]]] = {
    WEB.name: _web,
    EVENTS.name: _events,
    WORKER.name: _worker,
    RECORD.name: _record,
    BEAT.name: _beat,
}


def run(configuration: Configuration) -> None:
    """Run the site until a signal asks it to stop."""
    started = time.monotonic()
    ear = Ear()
    ear.listen()
    servers = open_servers(configuration.data)
    site = Site(configuration=configuration, servers=servers, ear=ear)
    try:
        refuse_taken_port(configuration)
        say(f"Starting PostgreSQL and Redis in {configuration.data} ...")
        greeting = site.prepare()
        say("Starting web, worker and beat ...")
        for role in (EVENTS, WEB, WORKER, RECORD, BEAT):
            site.start(role)
        site.await_health()
        say(greeting)
        seconds = time.monotonic() - started
        say(
            f"\nPitboss is at {configuration.address} (ready in {seconds:.1f} s)."
            f"\nLogs are in {configuration.data / 'log'}. Ctrl-C stops it."
        )
        site.watch()
    except StopAsked:
        say("Stopping ...")
    finally:
        site.stop()
    say("Stopped; the data stays where it is.")


def refuse_taken_port(configuration: Configuration) -> None:
    """Refuse an address no one could listen on, before anything is started."""
    host, port = configuration.host, configuration.port
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except socket.gaierror:
        raise CannotRun(f"PITBOSS_HOST is {host!r}: give an address of this machine.") from None
    except PermissionError:
        raise CannotRun(
            f"Port {port} is not for this account to open: set PITBOSS_PORT to 1024 or more."
        ) from None
    except OSError as error:
        raise CannotRun(
            f"Pitboss cannot listen on {host} port {port} ({error.strerror}): set PITBOSS_PORT to "
            "a free port, or stop what uses this one."
        ) from None


def allowed_hosts(host: str) -> str:
    """Return the names under which browsers may ask for a site that listens on this address.

    >>> allowed_hosts("127.0.0.1")
    'localhost,127.0.0.1,[::1]'
    >>> allowed_hosts("10.0.0.7")
    'localhost,127.0.0.1,[::1],10.0.0.7'
    >>> allowed_hosts("0.0.0.0")
    '*'
    """
    if host in {"0.0.0.0", "::"}:
        return "*"
    names = ["localhost", "127.0.0.1", "[::1]"]
    bracketed = f"[{host}]" if ":" in host else host
    return ",".join(names if bracketed in names else [*names, bracketed])


def ask_health(configuration: Configuration) -> tuple[bool, str]:
    """Ask the site how it is; return whether all is well, and what it said."""
    host = configuration.address.removeprefix("http://").split("/")[0]
    connection = http.client.HTTPConnection(host, timeout=5)
    try:
        connection.request("GET", "/healthz?parts=database,broker,worker")
        answer = connection.getresponse()
        said = answer.read(2_000).decode(errors="replace")
    finally:
        connection.close()
    return answer.status == 200, said


def say(text: str) -> None:
    """Tell the person at the terminal, at once."""
    print(text, flush=True)
