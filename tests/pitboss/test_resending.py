"""While no database takes writes, the node itself sends an act again. On a real server."""

from __future__ import annotations

import http.client
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from time import monotonic
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.db import connection

from pitboss.models import StoredAnswer
from pitboss.timeouts import RESEND_SECONDS
from tables.models import PayoutCheck
from tests.databases import database_url
from tests.faulty_proxy import FaultyProxy
from tests.floor.cast import Cast
from tests.floor.terminals import make_terminal
from tests.pitboss.test_slow_bodies import site
from tests.tables.test_killed import COUNTED, TRILUX

AWAY_SECONDS = 3.0
Send = Callable[[dict[str, str]], tuple[int, dict[str, Any]]]


@pytest.fixture
def proxy(transactional_db: None) -> Iterator[FaultyProxy]:
    place = parse_qs(urlsplit(database_url("", "any")).query)["host"][0]
    with FaultyProxy(Path(place) / ".s.PGSQL.5432") as between:
        yield between


@pytest.fixture
def send(cast: Cast, proxy: FaultyProxy) -> Iterator[Send]:
    """Serve the test's database past the proxy, and send a check to it as a terminal does."""
    cast.deliver(cast.ask(COUNTED))
    cast.open_table(COUNTED)
    token = make_terminal(cast.table).name
    address = urlsplit(database_url("", str(connection.settings_dict["NAME"])))
    account = address.netloc.partition("@")[0]
    url = f"postgresql://{account}@127.0.0.1:{proxy.port}{address.path}"

    def post(headers: dict[str, str]) -> tuple[int, dict[str, Any]]:
        with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=60)) as line:
            fields = {"Authorization": f"Device {token}", "Content-Type": "application/json"}
            line.request("POST", "/api/v1/checks", json.dumps(TRILUX), {**fields, **headers})
            answer = line.getresponse()
            return answer.status, json.loads(answer.read())

    with site(workers=1, DATABASE_URL=url) as port:
        # The first request of a process brings in all of the site.
        with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=60)) as first:
            first.request("GET", "/livez")
            first.getresponse().read()
        yield post


def healing(proxy: FaultyProxy) -> threading.Timer:
    timer = threading.Timer(AWAY_SECONDS, proxy.heal)
    timer.start()
    return timer


def test_an_act_that_met_no_primary_is_done_when_there_is_one(
    send: Send, proxy: FaultyProxy
) -> None:
    proxy.drop()
    began, timer = monotonic(), healing(proxy)
    status, answer = send({"Idempotency-Key": "one"})
    timer.join()
    assert status == 201
    assert AWAY_SECONDS < monotonic() - began < RESEND_SECONDS
    assert send({"Idempotency-Key": "one"}) == (status, answer)
    assert (PayoutCheck.objects.count(), StoredAnswer.objects.count()) == (1, 1)


def test_an_act_whose_answer_was_lost_is_not_done_again(send: Send, proxy: FaultyProxy) -> None:
    # A check and its answer are one statement, which is committed before it is answered.
    proxy.cut_answer_of(b"pitboss_storedanswer", after=b"INSERT")
    timer = healing(proxy)
    status, _ = send({"Idempotency-Key": "one"})
    timer.join()
    assert proxy.cuts == 1
    assert status == 201
    assert (PayoutCheck.objects.count(), StoredAnswer.objects.count()) == (1, 1)


def test_what_has_no_key_is_answered_at_once(send: Send, proxy: FaultyProxy) -> None:
    proxy.drop()
    began = monotonic()
    status, answer = send({})
    assert (status, answer["refusals"][0]["code"]) == (503, "database_away")
    assert monotonic() - began < RESEND_SECONDS - 1
    proxy.heal()


def test_nobody_waits_for_ever(send: Send, proxy: FaultyProxy) -> None:
    proxy.drop()
    began = monotonic()
    status, answer = send({"Idempotency-Key": "one"})
    assert (status, answer["refusals"][0]["code"]) == (503, "database_away")
    assert RESEND_SECONDS / 2 < monotonic() - began < 2 * RESEND_SECONDS
    proxy.heal()
