"""A server killed in the middle of an act: what was sent again is done once."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import sleep
from typing import Any

import pytest
from django.db import connection

from pitboss.models import StoredAnswer
from tables.models import PayoutCheck, Round
from tests.databases import PROJECT, database_url
from tests.floor.cast import Cast
from tests.floor.terminals import make_terminal

COUNTED = {10_000: 40, 2_500: 80, 500: 100, 100: 40}
TRILUX = {
    "wager": "trilux",
    "stake_cents": 1_000,
    "player_cards": ["9c", "9d"],
    "dealer_up": "9s",
    "paid_cents": 9_000,
}


@contextmanager
def served(point: str) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """Serve the test's own database in another process that dies at a point."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    name = str(connection.settings_dict["NAME"])
    environ = os.environ | {
        "DATABASE_URL": database_url("", name),
        "DJANGO_SETTINGS_MODULE": "pitboss.settings",
    }
    command = [sys.executable, "-m", "tests.dying_site", str(port), point]
    server = subprocess.Popen(command, cwd=PROJECT, env=environ, stderr=subprocess.DEVNULL)
    try:
        for _ in range(300):
            with socket.socket() as line:
                if line.connect_ex(("127.0.0.1", port)) == 0:
                    break
            sleep(0.1)
        yield server, port
    finally:
        server.kill()
        server.wait()


def post(port: int, path: str, body: Any, key: str, token: str) -> tuple[int, bytes]:
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    headers = {
        "Authorization": f"Device {token}",
        "Idempotency-Key": key,
        "Content-Type": "application/json",
    }
    line.request("POST", f"/api/v1/{path}", json.dumps(body), headers)
    answer = line.getresponse()
    return answer.status, answer.read()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("path", "body", "model", "point"),
    [
        # A check is one statement: there is nothing between its row and its commit.
        ("checks", TRILUX, PayoutCheck, "before_answer"),
        ("rounds", {}, Round, "before_commit"),
        ("rounds", {}, Round, "before_answer"),
    ],
)
def test_what_was_sent_when_the_server_was_killed_is_done_once_when_it_is_sent_again(
    cast: Cast, path: str, body: Any, model: Any, point: str
) -> None:
    cast.deliver(cast.ask(COUNTED))
    cast.open_table(COUNTED)
    terminal = make_terminal(cast.table)
    with served(point) as (server, port):
        with pytest.raises((http.client.HTTPException, OSError)):
            post(port, path, body, "one key", terminal.name)
        assert server.wait(timeout=30) == -signal.SIGKILL
    done = 1 if point == "before_answer" else 0
    assert (model.objects.count(), StoredAnswer.objects.count()) == (done, done)
    with served("never") as (_, port):
        first = post(port, path, body, "one key", terminal.name)
        again = post(port, path, body, "one key", terminal.name)
    assert first == again
    assert first[0] == 201
    assert (model.objects.count(), StoredAnswer.objects.count()) == (1, 1)
