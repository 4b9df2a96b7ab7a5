"""Kill parts of a cluster, one after the other, while terminals and tablets work.

make faults ARGS="--rounds 1"

Everything is on this machine and on 127.0.0.1, in a folder of its own that is removed afterward.
After each fault the run waits until all parts are back, and then compares: every act that was
acknowledged is stored once, a resend is answered the same, the ledger adds up, the journal is
sound.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pitboss.embedded.cluster import Cluster, open_cluster
from pitboss.embedded.cluster_files import Ports
from pitboss.embedded.configuration import PROJECT, CannotRun
from pitboss.embedded.servers import OWNER
from pitboss.embedded.site import Ear, StopAsked

# Writes must be taken again so soon after the primary was killed.
PRIMARY_SECONDS_MAX = 15.0
# A machine that is gone is missed only when its lease ends, and Patroni allows none below 20 s.
MACHINE_SECONDS_MAX = 45.0
MACHINE_AWAY_SECONDS = 30.0
BEFORE_SECONDS, AFTER_SECONDS = 3.0, 5.0
WHOLE_SECONDS_MAX = 150.0
ROUNDS_MAX = 20
ALL = ("web", "worker", "beat", "redis", "etcd", "replica", "primary", "machine")
SHORT = ("web", "primary")


@dataclass(frozen=True)
class Fault:
    """One fault: what is killed, and how long at most no act may be acknowledged."""

    name: str
    refused_seconds_max: float
    pids: list[int]
    # Parts that stay away for a while, as those of a machine do that lost its power.
    away: tuple[str, ...] = ()

    def strike(self, cluster: Cluster) -> None:
        for part in self.away:
            cluster.held[part] = time.monotonic() + MACHINE_AWAY_SECONDS
        for pid in self.pids:
            os.kill(pid, signal.SIGKILL)


def fault(name: str, cluster: Cluster) -> Fault:
    """Choose the processes that a fault kills, as the cluster is now."""
    primary = cluster.primary()
    assert primary is not None, "a cluster without a primary is not whole"
    if name == "primary":
        return Fault(name, PRIMARY_SECONDS_MAX, [cluster.postmaster(primary)])
    if name == "replica":
        return Fault(name, PRIMARY_SECONDS_MAX, [cluster.postmaster(cluster.standbys()[0])])
    if name == "machine":
        parts = (f"patroni{primary}", f"etcd{primary}")
        pids = [cluster.children[part].process.pid for part in parts]
        return Fault(name, MACHINE_SECONDS_MAX, [*pids, cluster.postmaster(primary)], parts)
    part = name if name == "redis" else f"{name}1"
    return Fault(name, PRIMARY_SECONDS_MAX, [cluster.children[part].process.pid])


@dataclass
class Run:
    """A cluster with a floor that works on it."""

    cluster: Cluster
    floor: subprocess.Popen[str] | None = None

    def prepare(self) -> None:
        """Start everything, migrate, and put up the floor."""
        self.cluster.start(self.cluster.ear.go_on)
        environ = self.cluster.environ()
        owner = environ | {"DATABASE_URL": self.cluster.database_url(OWNER)}
        for command in (["migrate", "--verbosity=0"], ["gather_static"]):
            run = [sys.executable, "manage.py", *command, "--skip-checks"]
            quiet = subprocess.DEVNULL
            self._supervised(subprocess.Popen(run, cwd=PROJECT, env=owner, stdout=quiet))
        ports = [str(self.cluster.ports.web(node)) for node in (1, 2)]
        self.floor = subprocess.Popen(
            [sys.executable, "-m", "bench.fault_floor", *ports],
            cwd=PROJECT,
            env=environ,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._told()
        self.cluster.start_site()

    def go_through(self, name: str) -> dict[str, Any]:
        """Work, strike, wait until all is whole, and compare."""
        self._say("begin")
        self._supervise(BEFORE_SECONDS, lambda: False)
        struck = fault(name, self.cluster)
        began = time.monotonic()
        struck.strike(self.cluster)
        self._supervise(AFTER_SECONDS, lambda: False)
        whole = self._supervise(WHOLE_SECONDS_MAX, self.cluster.is_whole)
        self._supervise(AFTER_SECONDS, lambda: False)
        self._say(repr(began))
        told: dict[str, Any] = self._told()
        wrong = [
            *([] if whole else [f"not whole after {WHOLE_SECONDS_MAX:.0f} s"]),
            *(f"{told[item]} {item}" for item in ("lost", "doubled") if told[item]),
            *told["differs"][:3],
            *([] if told["ledger"] else ["the ledger does not add up"]),
            *told["journal"][:3],
            *told["broken"][:3],
        ]
        if told["refused_seconds"] > struck.refused_seconds_max:
            wrong.append(f"no write for {told['refused_seconds']:.1f} s")
        return told | {"wrong": wrong, "whole_seconds": time.monotonic() - began - AFTER_SECONDS}

    def stop(self) -> None:
        if self.floor is not None:
            self.floor.kill()
            self.floor.wait()
        self.cluster.stop()

    def _supervise(self, seconds: float, is_enough: Callable[[], bool]) -> bool:
        """Start again what ends, as systemd would, until it is enough or for so long."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            self.cluster.look()
            self.cluster.ear.go_on()
            if is_enough():
                return True
            time.sleep(0.1)
        return False

    def _supervised(self, process: subprocess.Popen[Any]) -> None:
        self._supervise(600, lambda: process.poll() is not None)
        if process.poll() != 0:
            process.kill()
            raise CannotRun(f"{process.args!r} ended with {process.poll()}.")

    def _say(self, line: str) -> None:
        assert self.floor is not None
        assert self.floor.stdin is not None
        self.floor.stdin.write(f"{line}\n")
        self.floor.stdin.flush()

    def _told(self) -> Any:
        assert self.floor is not None
        assert self.floor.stdout is not None
        line = self.floor.stdout.readline()
        if not line:
            raise CannotRun(f"The floor ended with {self.floor.wait()}.")
        return json.loads(line)


def first_port() -> int:
    """Return the first of a run of ports that are all free."""
    for first in range(20_000, 60_000, 60):
        for port in Ports(first).all():
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
        else:
            return first
    raise CannotRun("No run of 60 ports is free.")


def go_through(names: list[str]) -> bool:
    """Go through the faults on a new cluster; print a line for each. Return whether all is well."""
    data = Path(tempfile.mkdtemp(prefix="pitboss-faults-"))
    data.chmod(0o711)
    ear = Ear()
    ear.listen()
    began = time.monotonic()
    cluster = open_cluster(data, first_port(), ear)
    run = Run(cluster)
    good, total, longest = 0, {"acts": 0, "lost": 0, "doubled": 0}, 0.0
    is_well = False
    try:
        run.prepare()
        print(f"The cluster is up after {time.monotonic() - began:.0f} s.", flush=True)
        print(f"{'fault':>8} {'acts':>6} {'lost':>5} {'doubled':>8} {'no write':>9} {'whole':>8}")
        for name in names:
            told = run.go_through(name)
            total = {item: told[item] for item in total}
            longest = max(longest, told["refused_seconds"])
            good += not told["wrong"]
            print(
                f"{name:>8} {told['acts']:6} {told['lost']:5} {told['doubled']:8} "
                f"{told['refused_seconds']:7.1f} s {told['whole_seconds']:6.1f} s "
                + ("; ".join(told["wrong"]) or "good"),
                flush=True,
            )
        print(
            f"{total['acts']} acts, {len(names)} faults, {total['lost']} lost, {total['doubled']} "
            f"doubled; writes refused for {longest:.1f} s at most, {told['sentences']} answers "
            f"said so. {time.monotonic() - began:.0f} s."
        )
        is_well = good == len(names)
    except StopAsked:
        print("Stopped.")
    finally:
        run.stop()
        if is_well:
            shutil.rmtree(cluster.folder, ignore_errors=True)
            shutil.rmtree(data, ignore_errors=True)
        else:
            print(f"The logs are in {data / 'log'}.")
    return is_well


def main() -> int:
    """Return 1 if anything was lost, doubled, or late."""
    parser = argparse.ArgumentParser(prog="python -m bench.faults", description=__doc__)
    parser.add_argument("--rounds", type=int, default=1, help=f"1 to {ROUNDS_MAX}")
    parser.add_argument("--only", nargs="+", choices=ALL, default=list(ALL))
    parser.add_argument("--short", action="store_true", help="one web node, then the primary")
    namespace = parser.parse_args()
    if not 1 <= namespace.rounds <= ROUNDS_MAX:
        parser.error(f"--rounds is 1 to {ROUNDS_MAX}")
    names = list(SHORT if namespace.short else namespace.only) * namespace.rounds
    try:
        return 0 if go_through(names) else 1
    except CannotRun as error:
        print(error, file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
