"""A terminal's one connection to the web server: kept after an answer and after a refusal."""

from __future__ import annotations

import json
from contextlib import closing
from http.client import HTTPConnection
from uuid import uuid4

import pytest

from bench.serving import served
from tests.floor.cast import Cast
from tests.floor.listeners import environ_of_test
from tests.floor.terminals import make_terminal

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_connection_is_kept_after_an_answer_and_after_every_kind_of_refusal(cast: Cast) -> None:
    token = make_terminal(cast.table).name
    sent = [
        ("GET", "table", "", token, 200),
        ("GET", "table", "", "nobody", 401),
        ("GET", "requests/999999", "", token, 404),
        ("DELETE", "table", "", token, 405),
        ("POST", "checks", "{", token, 400),
        ("POST", "checks", json.dumps({"wager": {}}), token, 422),
        ("GET", "table", "", token, 200),
    ]
    with (
        served(environ_of_test(), 1) as web,
        closing(HTTPConnection("127.0.0.1", web.port)) as line,
    ):
        line.connect()
        first = line.sock
        for method, path, body, known, status in sent:
            headers = {
                "Authorization": f"Device {known}",
                "Content-Type": "application/json",
                "Idempotency-Key": str(uuid4()),
            }
            line.request(method, f"/api/v1/{path}", body, headers)
            answer = line.getresponse()
            said = answer.read()
            assert answer.status == status, (method, path, said)
            # The client drops its socket when it is told that the server closes.
            assert line.sock is first, (method, path, status)
