"""What Prometheus is told: acts, refusals, verdicts, requests, and how the house is."""

from __future__ import annotations

import os
import subprocess
import sys
from http.client import HTTPConnection
from pathlib import Path
from time import sleep
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from prometheus_client import REGISTRY, CollectorRegistry

from pitboss.management.commands.serve_metrics import refuse_public
from pitboss.rules.refusal import Refused
from pitboss.selectors.gauges import HouseCollector
from tests.databases import PROJECT, database_url
from tests.floor.cast import Cast
from tests.floor.terminals import TerminalClient, make_terminal
from tests.tables.test_killed import COUNTED, TRILUX


def counted(name: str, **labels: str) -> float:
    return REGISTRY.get_sample_value(name, labels) or 0.0


@pytest.mark.django_db(transaction=True)
def test_acts_verdicts_and_requests_are_counted_once_they_are_stored(cast: Cast) -> None:
    before = counted("pitboss_acts_total", kind="fill.issued")
    cast.deliver(cast.ask(COUNTED))
    cast.open_table(COUNTED)
    assert counted("pitboss_acts_total", kind="fill.issued") > before
    labels = {"method": "POST", "route": "api/v1/checks", "status": "2xx"}
    requests = counted("pitboss_request_seconds_count", **labels)
    right = counted("pitboss_verdicts_total", verdict="right")
    terminal = TerminalClient(make_terminal(cast.table))
    for _ in range(2):
        assert terminal.post("checks", TRILUX, key="one").status_code == 201
    assert counted("pitboss_verdicts_total", verdict="right") == right + 1
    assert counted("pitboss_request_seconds_count", **labels) == requests + 2
    unpaid = counted("pitboss_refusals_total", code="bad_body")
    terminal.post("checks", [], key="two")
    assert counted("pitboss_refusals_total", code="bad_body") == unpaid + 1


@pytest.mark.django_db(transaction=True)
def test_what_was_refused_is_no_act(cast: Cast) -> None:
    slip = cast.ask(COUNTED)
    issued = counted("pitboss_acts_total", kind="fill.issued")
    with pytest.raises(Refused):
        cast.sign(slip, "issued", cast.alice)
    assert counted("pitboss_acts_total", kind="fill.issued") == issued


@pytest.mark.django_db(transaction=True)
def test_the_house_is_told_as_it_is_now(cast: Cast) -> None:
    cast.ask(COUNTED)
    registry = CollectorRegistry()
    registry.register(HouseCollector())
    assert registry.get_sample_value("pitboss_database_up") == 1
    assert registry.get_sample_value("pitboss_broker_up") == 1
    assert registry.get_sample_value("pitboss_waiting", {"role": "cashier"}) == 1
    assert registry.get_sample_value("pitboss_queue_length", {"queue": "seals"}) == 0
    assert registry.get_sample_value("pitboss_record_ok", {"part": "beat"}) == 0


@pytest.mark.django_db(transaction=True)
def test_a_database_that_is_away_is_told_too(monkeypatch: pytest.MonkeyPatch) -> None:
    connection.close()
    monkeypatch.setitem(connection.settings_dict, "HOST", "/nowhere")
    registry = CollectorRegistry()
    registry.register(HouseCollector())
    assert registry.get_sample_value("pitboss_database_up") == 0


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "8.8.8.8", "pit.example.com"])
def test_counts_are_never_served_in_public(host: str) -> None:
    with pytest.raises(CommandError):
        refuse_public(host)
    refuse_public("127.0.0.1")
    refuse_public("10.0.0.1")


@pytest.mark.django_db(transaction=True)
def test_all_processes_of_a_node_are_added_up(cast: Cast, tmp_path: Path, worker_id: str) -> None:
    environ: dict[str, Any] = os.environ | {
        "DATABASE_URL": database_url("", str(connection.settings_dict["NAME"])),
        "DJANGO_SETTINGS_MODULE": "pitboss.settings",
        "PITBOSS_METRICS_FOLDER": str(tmp_path / "counts"),
    }
    count = (
        "import django; django.setup()\n"
        "from pitboss.metrics import count_refusals\n"
        "count_refusals(['table_closed'])\n"
    )
    for _ in range(2):
        subprocess.run([sys.executable, "-c", count], cwd=PROJECT, env=environ, check=True)
    serve = [sys.executable, "manage.py", "serve_metrics", "--port", "0"]
    with pytest.raises(CommandError, match="outside"):
        call_command("serve_metrics", "--host", "0.0.0.0")
    port = 23_100 + os.getpid() % 1_000
    serve[-1] = str(port)
    server = subprocess.Popen(serve, cwd=PROJECT, env=environ, stdout=subprocess.DEVNULL)
    try:
        for _ in range(300):
            try:
                line = HTTPConnection("127.0.0.1", port, timeout=10)
                line.request("GET", "/metrics")
                told = line.getresponse().read().decode()
                break
            except ConnectionRefusedError:
                sleep(0.1)
        assert 'pitboss_refusals_total{code="table_closed"} 2.0' in told
        assert "pitboss_database_up 1.0" in told
    finally:
        server.kill()
        server.wait()
