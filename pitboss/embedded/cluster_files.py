"""What each node of a cluster is told: its ports, its etcd, and Patroni's file from `deploy/`."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from pitboss.embedded.account import ServiceAccount
from pitboss.embedded.configuration import PROJECT, CannotRun

HOST = "127.0.0.1"
NODES = (1, 2, 3)
# `make cluster` puts Patroni here; a node of its own has it in /opt/patroni.
PATRONI_VENV = PROJECT / "deploy" / "patroni-venv"
_FILE = PROJECT / "deploy" / "patroni.yml"


@dataclass(frozen=True, slots=True)
class Ports:
    """The ports of a cluster on one machine, all counted from the one that is asked for."""

    first: int

    def web(self, node: int) -> int:
        return self.first + node - 1

    def postgres(self, node: int) -> int:
        return self.first + 9 + node

    def patroni(self, node: int) -> int:
        return self.first + 19 + node

    def etcd(self, node: int) -> int:
        return self.first + 29 + node

    def etcd_peer(self, node: int) -> int:
        return self.first + 39 + node

    def metrics(self, node: int) -> int:
        return self.first + 49 + node

    def all(self) -> list[int]:
        """Return each of them.

        >>> Ports(8000).all()[:5]
        [8000, 8001, 8010, 8011, 8012]
        """
        of_nodes = (self.postgres, self.patroni, self.etcd, self.etcd_peer)
        return [self.web(1), self.web(2), *(of(node) for of in of_nodes for node in NODES)]


@dataclass(frozen=True, slots=True)
class ClusterPrograms:
    """The two programs that a cluster has more than one machine."""

    etcd: str
    patroni: str


def find_cluster_programs(account: ServiceAccount, environ: Mapping[str, str]) -> ClusterPrograms:
    """Return etcd and Patroni, or raise `CannotRun` with what to install."""
    path = environ.get("PATH", "")
    etcd = shutil.which("etcd", path=path)
    patroni = shutil.which("patroni", path=f"{PATRONI_VENV / 'bin'}:{path}")
    if etcd is None:
        raise CannotRun("etcd is not installed: apt-get install etcd-server, then start again.")
    if patroni is None:
        raise CannotRun("Patroni is not installed: start this by `make cluster`.")
    for program in (etcd, patroni):
        if not account.can(program, "--version"):
            raise CannotRun(
                f"{program} cannot be run by account {account.uid}: start this as an ordinary "
                "user, or from a folder that everyone may enter."
            )
    return ClusterPrograms(etcd=etcd, patroni=patroni)


def etcd_command(program: str, folder: Path, node: int, ports: Ports) -> list[str | Path]:
    """Return how a node's etcd is started. Its limits allow for a machine that is busy."""
    here, peer = f"http://{HOST}:{ports.etcd(node)}", f"http://{HOST}:{ports.etcd_peer(node)}"
    members = ",".join(f"pit{n}=http://{HOST}:{ports.etcd_peer(n)}" for n in NODES)
    return [
        *(program, "--name", f"pit{node}", "--data-dir", folder / "etcd"),
        *("--listen-client-urls", here, "--advertise-client-urls", here),
        *("--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer),
        *("--initial-cluster", members, "--initial-cluster-token", "pitboss"),
        *("--heartbeat-interval", "250", "--election-timeout", "2500"),
        *("--log-level", "warn", "--logger", "zap"),
    ]


def patroni_file(
    *, folder: Path, node: int, ports: Ports, programs: Path, passwords: Mapping[str, str]
) -> str:
    """Return the file of deploy/ as this machine needs it: other addresses, the same rules."""
    told: dict[str, Any] = yaml.safe_load(_FILE.read_text())
    api, server = f"{HOST}:{ports.patroni(node)}", f"{HOST}:{ports.postgres(node)}"
    told["name"] = f"pit{node}"
    told["restapi"] = {"listen": api, "connect_address": api}
    told["etcd3"]["hosts"] = [f"{HOST}:{ports.etcd(n)}" for n in NODES]
    # One machine has no kernel to spare for resetting it.
    told["watchdog"] = {"mode": "off"}
    here = told["postgresql"]
    here |= {
        "listen": server,
        "connect_address": server,
        "bin_dir": str(programs),
        "data_dir": str(folder / "data"),
        "pgpass": str(folder / "pgpass"),
        "pg_hba": _rules(["all", "replication"]),
        "parameters": {"unix_socket_directories": "", "shared_buffers": "64MB"},
    }
    for who, account in here["authentication"].items():
        account["password"] = passwords[f"database_{who}"]
    return yaml.safe_dump(told, sort_keys=False)


def _rules(databases: Sequence[str]) -> list[str]:
    return [f"host {database} all {HOST}/32 scram-sha-256" for database in databases]
