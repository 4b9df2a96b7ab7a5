"""Run on one machine what a house runs on three: `python -m pitboss.embedded cluster`.

Three PostgreSQL under Patroni, three etcd, two web nodes with a process for events each, two
workers, and beat twice. Whatever ends is started again, as systemd does on real machines.
docs/cluster.md is about those.
"""

from __future__ import annotations

import http.client
import os
import signal
import socket
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from pitboss.embedded.cluster_files import (
    HOST,
    NODES,
    ClusterPrograms,
    Ports,
    etcd_command,
    find_cluster_programs,
    patroni_file,
)
from pitboss.embedded.configuration import PROJECT, CannotRun, Configuration
from pitboss.embedded.keys import CLUSTER_PASSWORDS, PASSWORDS
from pitboss.embedded.preparing import Preparation
from pitboss.embedded.processes import MARK, ServerRole, keep_small, last_lines, start_child
from pitboss.embedded.servers import (
    CLUSTER_ADDRESS,
    DATABASE,
    PASSWORD_OF,
    REDIS,
    SITE,
    Servers,
    open_kind,
    plain_environ,
)
from pitboss.embedded.site import BEAT, EVENTS, WEB, WORKER, Ear, StopAsked, events_command, say

ETCD = ServerRole("etcd", signal.SIGTERM, signal.SIGTERM, patience_seconds=15)
PATRONI = ServerRole("patroni", signal.SIGTERM, signal.SIGTERM, patience_seconds=60)
WEB_NODES = (1, 2)
SITE_ROLES = (EVENTS, WEB, WORKER, BEAT)
READY_SECONDS_MAX = 180
# As RestartSec does in deploy/systemd: what ends at once is not started a hundred times a second.
RESTART_SECONDS = 1.0


@dataclass(slots=True)
class Cluster(Servers):
    """All of it on one data folder; make it with `open_cluster`."""

    password_names: ClassVar[tuple[str, ...]] = (*PASSWORDS, *CLUSTER_PASSWORDS)

    first_port: int = 8000
    ear: Ear = field(default_factory=Ear)
    # What is held off from being started again, and until when.
    held: dict[str, float] = field(default_factory=dict)
    _programs: ClusterPrograms | None = None

    @property
    def ports(self) -> Ports:
        return Ports(self.first_port)

    def database_url(self, role: str = SITE, database: str = DATABASE) -> str:
        """Return an address that leads to whichever node takes writes."""
        return f"postgresql://{role}:{self.passwords[PASSWORD_OF[role]]}{self._address(database)}"

    def _address(self, database: str) -> str:
        servers = ",".join(f"{HOST}:{self.ports.postgres(node)}" for node in NODES)
        return f"@{servers}/{database}?target_session_attrs=read-write"

    def environ(self) -> dict[str, str]:
        return {
            **Servers.environ(self),
            "PITBOSS_ENV": "demo",
            "PITBOSS_ALLOWED_HOSTS": f"localhost,{HOST}",
            "DATABASE_READ_URL": self.database_url().replace("read-write", "standby"),
        }

    def start(self, go_on: Callable[[], None] = lambda: None) -> None:
        """Start the database nodes and Redis, and wait until two standbys follow a primary."""
        self._programs = find_cluster_programs(self.account, os.environ)
        (self.data / CLUSTER_ADDRESS).write_text(self._address(DATABASE))
        for part in self.parts():
            if part.startswith((ETCD.name, PATRONI.name)):
                self.start_part(part)
        self.start_redis(go_on)
        self.await_database()
        self.see_to_roles()

    def parts(self) -> list[str]:
        """Return the name of every process, in the order of their starting."""
        return [
            *(f"{ETCD.name}{node}" for node in NODES),
            *(f"{PATRONI.name}{node}" for node in NODES),
            REDIS.name,
            *(f"{role.name}{node}" for role in SITE_ROLES for node in WEB_NODES),
        ]

    def start_site(self) -> None:
        """Start web, events, worker and beat of both nodes, and wait until both are ready."""
        for part in self.parts():
            if part.startswith(tuple(role.name for role in SITE_ROLES)):
                self.start_part(part)
        self._await("The web nodes are not ready", self._sites_are_ready)

    def start_part(self, part: str) -> None:
        """Start one process by its name."""
        if part == REDIS.name:
            self.start_redis(self.ear.go_on)
            return
        kind, node = part[:-1], int(part[-1])
        role, command, is_server = {
            ETCD.name: (ETCD, self._etcd, True),
            PATRONI.name: (PATRONI, self._patroni, True),
            WEB.name: (WEB, self._web, False),
            EVENTS.name: (EVENTS, self._events, False),
            WORKER.name: (WORKER, self._worker, False),
            BEAT.name: (BEAT, self._beat, False),
        }[kind]
        keep_small(self.log(part))
        self.children[part] = start_child(
            role,
            command(node),
            environ={**plain_environ(), MARK: self.mark} if is_server else self._site_environ(node),
            log=self.log(part),
            folder=self.node_folder(node) if is_server else PROJECT,
            account=self.account if is_server else None,
        )

    def watch(self) -> None:
        """Start again what ends, until asked to stop."""
        while True:
            self.look()
            self.ear.go_on()
            time.sleep(0.1)

    def look(self) -> None:
        """Start again what has ended, unless it is held off."""
        for part, child in list(self.children.items()):
            if child.is_alive():
                continue
            if part not in self.held:
                self.held[part] = time.monotonic() + RESTART_SECONDS
            elif time.monotonic() > self.held[part]:
                del self.held[part]
                child.sweep()
                self.start_part(part)

    def stop(self) -> None:
        """Stop the site, then the standbys, then the primary, so that none takes over meanwhile."""
        primary = self.primary()
        last = f"{PATRONI.name}{primary}" if primary else ""
        order = [part for part in self.parts() if part != last]
        order.sort(key=lambda part: (part.startswith(ETCD.name), part.startswith(PATRONI.name)))
        at = next((n for n, part in enumerate(order) if part.startswith(ETCD.name)), len(order))
        for part in [*order[:at], *([last] if last else []), *order[at:]]:
            if part != REDIS.name and (child := self.children.pop(part, None)):
                child.stop()
        Servers.stop(self)

    # ------------------------------------------------------------------------ what is asked of it

    def primary(self) -> int | None:
        """Return the node that says of itself that it is the primary."""
        return next((node for node in NODES if self._says(node, "/primary")), None)

    def standbys(self) -> list[int]:
        """Return the nodes that follow the primary and count for what is acknowledged."""
        return [node for node in NODES if self._says(node, "/quorum")]

    def postmaster(self, node: int) -> int:
        """Return the process id of a node's PostgreSQL."""
        return int((self.node_folder(node) / "data" / "postmaster.pid").read_text().split()[0])

    def await_database(self) -> None:
        """Wait until there is a primary that all others follow."""
        self._await(
            "The database nodes have no primary that two standbys follow", self._is_followed
        )

    def is_whole(self) -> bool:
        """Tell whether every process is there, and all is as it was when it was started."""
        alive = all(child.is_alive() for child in self.children.values())
        return alive and self._is_followed() and self._sites_are_ready()

    def _is_followed(self) -> bool:
        return self.primary() is not None and len(self.standbys()) == len(NODES) - 1

    def _await(self, sentence: str, is_so: Callable[[], bool]) -> None:
        deadline = time.monotonic() + READY_SECONDS_MAX
        while not is_so():
            self.look()
            self.ear.go_on()
            if time.monotonic() > deadline:
                logs = self.log("patroni1").parent
                raise CannotRun(
                    f"{sentence} after {READY_SECONDS_MAX} s; the logs are in {logs}, and that of "
                    f"patroni1 ends:\n{last_lines(self.log('patroni1'))}"
                )
            time.sleep(0.2)

    def _says(self, node: int, path: str) -> bool:
        return self._ask(self.ports.patroni(node), path) == http.client.OK

    def _sites_are_ready(self) -> bool:
        return all(self._ask(self.ports.web(n), "/readyz") == http.client.OK for n in WEB_NODES)

    def _ask(self, port: int, path: str) -> int | None:
        """Return the status that something answers, or none where it does not."""
        line = http.client.HTTPConnection(HOST, port, timeout=5)
        try:
            line.request("GET", path)
            return line.getresponse().status
        except (OSError, http.client.HTTPException):
            return None
        finally:
            line.close()

    # ----------------------------------------------------------------------- how each is started

    def node_folder(self, node: int) -> Path:
        """Return where a node keeps what it has; made for the servers' account alone."""
        folder = self.folder / f"pit{node}"
        if not folder.exists():
            folder.mkdir()
            self.account.own(folder)
        return folder

    def _etcd(self, node: int) -> list[str | Path]:
        assert self._programs is not None
        return etcd_command(self._programs.etcd, self.node_folder(node), node, self.ports)

    def _patroni(self, node: int) -> list[str | Path]:
        assert self._programs is not None
        folder = self.node_folder(node)
        file = folder / "patroni.yml"
        told = patroni_file(
            folder=folder,
            node=node,
            ports=self.ports,
            programs=self.programs.postgres,
            passwords=self.passwords,
        )
        file.unlink(missing_ok=True)
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as target:
            target.write(told)
        if self.account.switch:
            os.chown(file, self.account.uid, self.account.gid)
        return [self._programs.patroni, file]

    def _web(self, node: int) -> list[str | Path]:
        return [
            *(sys.executable, "-m", "granian", "--interface", "rsgi", "--no-ws"),
            *("--host", HOST, "--port", str(self.ports.web(node)), "--workers", "2"),
            *("--respawn-failed-workers", "--workers-kill-timeout", "10"),
            *("--log-level", "warning", "pitboss.front:front"),
        ]

    def _events(self, node: int) -> list[str | Path]:
        return [*events_command(self._events_socket(node))]

    def _events_socket(self, node: int) -> Path:
        """Where the streams of a node are served: its own web processes lead there."""
        return self.sockets / f"events{node}.sock"

    def _site_environ(self, node: int) -> dict[str, str]:
        return {**self.environ(), "PITBOSS_EVENTS_ADDRESS": str(self._events_socket(node))}

    def _worker(self, node: int) -> list[str | Path]:
        return [
            *(sys.executable, "-m", "celery", "-A", "pitboss.celery", "worker"),
            *("--queues", "celery,seals,verification", "--hostname", f"worker{node}@%h"),
            *("--concurrency", "2", "--loglevel", "INFO", "--without-gossip", "--without-mingle"),
        ]

    def _beat(self, node: int) -> list[str | Path]:
        folder = self.data / f"beat{node}"
        folder.mkdir(mode=0o700, exist_ok=True)
        return [
            *(sys.executable, "-m", "celery", "-A", "pitboss.celery", "beat", "--loglevel", "INFO"),
            *("--schedule", str(folder / "schedule"), "--pidfile", ""),
        ]


def open_cluster(data: Path, first_port: int, ear: Ear | None = None) -> Cluster:
    """Take a data folder and a run of ports for a cluster of this process."""
    ports = Ports(first_port)
    if max(ports.all()) > 65_535:
        raise CannotRun(f"PITBOSS_PORT is {first_port}: a cluster needs 60 ports from it on.")
    cluster = open_kind(Cluster, data, database="pit1/data")
    cluster.first_port = first_port
    cluster.ear = ear or Ear()
    try:
        for port in ports.all():
            _refuse_taken(port)
    except CannotRun:
        cluster.stop()
        raise
    return cluster


def _refuse_taken(port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError as error:
            raise CannotRun(
                f"Port {port} is taken ({error.strerror}): set PITBOSS_PORT to the first of 60 "
                "free ports."
            ) from None


def run_cluster(configuration: Configuration) -> None:
    """Run the demo property on a cluster until a signal asks it to stop."""
    began = time.monotonic()
    ear = Ear()
    ear.listen()
    if configuration.host != HOST:
        raise CannotRun(f"PITBOSS_HOST is {configuration.host}: a rehearsal stays on {HOST}.")
    cluster = open_cluster(configuration.data, configuration.port, ear)
    try:
        say(f"Starting three database nodes in {configuration.data} ...")
        cluster.start(ear.go_on)
        say("Preparing the database and the demo property ...")
        preparation = Preparation(cluster, cluster.environ(), ear.go_on, say)
        try:
            greeting = preparation.prepare()
        finally:
            preparation.stop()
        say("Starting web, events, worker and beat on two nodes ...")
        cluster.start_site()
        say(greeting)
        say(_told(cluster, time.monotonic() - began))
        cluster.watch()
    except StopAsked:
        say("Stopping ...")
    finally:
        cluster.stop()
    say("Stopped; the data stays where it is.")


def _told(cluster: Cluster, seconds: float) -> str:
    web = " and ".join(f"http://{HOST}:{cluster.ports.web(node)}/" for node in WEB_NODES)
    nodes = ", ".join(f"pit{n} on {cluster.ports.postgres(n)}" for n in NODES)
    return (
        f"\nPitboss is at {web} (ready in {seconds:.1f} s)."
        f"\nPostgreSQL: {nodes}; the primary is pit{cluster.primary()}."
        f"\nKill any process of it: it comes back. Logs are in {cluster.data / 'log'}."
        "\nCtrl-C stops it all."
    )
