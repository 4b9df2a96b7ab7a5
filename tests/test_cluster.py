"""A cluster on one machine: what its nodes are told, and a short fault run where it is asked for.

The run takes a minute or two of two cores: it runs where etcd and Patroni are installed and
PITBOSS_CLUSTER_TEST is set.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from pitboss.database_address import read_address
from pitboss.embedded.account import ServiceAccount
from pitboss.embedded.cluster_files import (
    PATRONI_VENV,
    Ports,
    etcd_command,
    find_cluster_programs,
    patroni_file,
)
from pitboss.embedded.configuration import CannotRun
from tests.test_supply import BILL, PROJECT

DEPLOY = PROJECT / "deploy"
ACCOUNT = ServiceAccount(uid=os.geteuid(), gid=os.getegid(), switch=False)
PASSWORDS = {f"database_{who}": f"pw of {who}" for who in ("superuser", "replication", "rewind")}


def patroni() -> dict[str, Any]:
    told: dict[str, Any] = yaml.safe_load((DEPLOY / "patroni.yml").read_text())
    return told


def test_what_is_acknowledged_is_on_two_machines() -> None:
    rules = patroni()["bootstrap"]["dcs"]
    assert (rules["synchronous_mode"], rules["synchronous_node_count"]) == ("quorum", 1)
    assert rules["synchronous_mode_strict"] is True
    assert rules["postgresql"]["parameters"]["synchronous_commit"] == "on"
    # Patroni would change these in silence.
    assert rules["ttl"] >= 20
    assert rules["loop_wait"] + 2 * rules["retry_timeout"] <= rules["ttl"]


def test_a_node_on_one_machine_keeps_the_rules_of_three(tmp_path: Path) -> None:
    ports = Ports(8000)
    body = yaml.safe_load(
        patroni_file(
            folder=tmp_path, node=2, ports=ports, programs=tmp_path / "bin", passwords=PASSWORDS
        )
    )
    assert body["bootstrap"] == patroni()["bootstrap"]
    assert body["name"] == "pit2"
    text = str(body)
    assert set(re.findall(r"\d+\.\d+\.\d+\.\d+", text)) == {"127.0.0.1"}
    assert "change" not in text
    assert {item["password"] for item in body["postgresql"]["authentication"].values()} == set(
        PASSWORDS.values()
    )
    command = [str(path) for path in etcd_command("etcd", tmp_path, 2, ports)]
    assert all("127.0.0.1" in item for item in command if "http" in item)
    assert len(set(ports.all())) == len(ports.all())


def test_what_is_missing_is_named_with_how_to_get_it() -> None:
    with pytest.raises(CannotRun, match="apt-get install etcd-server"):
        find_cluster_programs(ACCOUNT, {"PATH": ""})


def test_the_address_that_nodes_are_given_names_all_servers_of_patroni() -> None:
    lines = (DEPLOY / "pitboss.env").read_text().splitlines()
    told = dict(line.split("=", 1) for line in lines if not line.startswith("#"))
    address = read_address(told["DATABASE_URL"])
    hosts = {part.split(":")[0] for part in patroni()["etcd3"]["hosts"].split(",")}
    assert set(address["HOST"].split(",")) == hosts
    assert len(hosts) == 3
    reads = read_address(told["DATABASE_READ_URL"], "DATABASE_READ_URL")
    assert reads["HOST"] == address["HOST"]


def test_every_process_of_a_node_has_a_unit_that_starts_it_again() -> None:
    operating = (PROJECT / "docs" / "operating.md").read_text()
    for name in ("web", "events", "worker", "record", "beat", "metrics"):
        unit = (DEPLOY / "systemd" / f"pitboss-{name}.service").read_text()
        assert "Restart=always" in unit
        assert "User=pitboss" in unit
        started = re.search(r"^ExecStart=\S+/bin/(.+)$", unit, re.MULTILINE)
        assert started is not None
        words = started[1].split()
        assert words[0] in ("granian", "celery", "python")
        if name in ("web", "events", "worker", "record", "beat"):
            assert " ".join(words[:3]) in operating, name


def test_the_proxy_receives_requests_whole_and_within_limits() -> None:
    told = (DEPLOY / "nginx.conf").read_text()
    for line in ("proxy_request_buffering on;", "client_max_body_size 5m;", "limit_conn pit 40;"):
        assert line in told
    assert "client_header_timeout" not in told[told.index("location / {") :]
    assert told.count("{") == told.count("}")


def test_patroni_is_pinned_apart_and_no_part_of_the_site() -> None:
    pins = BILL.pins(DEPLOY / "requirements-patroni.txt")
    assert "patroni" in pins
    assert all(hashes for _, hashes in pins.values())
    assert "://" not in (DEPLOY / "requirements-patroni.txt").read_text()
    for name in ("requirements", "requirements-run", "requirements-dev"):
        assert "patroni" not in BILL.pins(PROJECT / f"{name}.txt")


def test_every_rule_and_panel_asks_for_what_is_counted() -> None:
    from pitboss import metrics
    from pitboss.selectors import gauges

    known = Path(metrics.__file__).read_text() + Path(gauges.__file__).read_text()
    names = set()
    for file in (DEPLOY / "prometheus").iterdir():
        names |= set(re.findall(r"\bpitboss_[a-z_]+", file.read_text()))
    assert names
    for name in names:
        plain = re.sub(r"_(total|bucket|count|sum)$", "", name)
        made = {"pitboss_seal_age_seconds", "pitboss_verified_age_seconds"}
        assert f'"{plain}"' in known or plain in made, name
    rules = yaml.safe_load((DEPLOY / "prometheus" / "rules.yml").read_text())
    for group in rules["groups"]:
        for rule in group["rules"]:
            assert rule["annotations"]["summary"].endswith("."), rule["alert"]


def is_installed() -> bool:
    path = f"{PATRONI_VENV / 'bin'}:{os.environ.get('PATH', '')}"
    return all(shutil.which(name, path=path) for name in ("etcd", "patroni"))


@pytest.mark.skipif(
    not (is_installed() and os.environ.get("PITBOSS_CLUSTER_TEST")),
    reason="runs where etcd and Patroni are installed and PITBOSS_CLUSTER_TEST is set",
)
def test_nothing_acknowledged_is_lost_when_a_web_node_and_the_primary_are_killed() -> None:
    alone = {
        name: value
        for name, value in os.environ.items()
        if name not in ("DATABASE_URL", "BROKER_URL", "PITBOSS_DATA", "PITBOSS_ENV")
    }
    done = subprocess.run(
        [sys.executable, "-m", "bench.faults", "--short"],
        cwd=PROJECT,
        env=alone,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr[-2000:]
    assert "0 lost, 0 doubled" in done.stdout
