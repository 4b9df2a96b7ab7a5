"""Every answer has a number, and the log has its line: who and where, never what was entered."""

from __future__ import annotations

import json
import logging
import re
from contextlib import closing
from http.client import HTTPConnection
from typing import Any

import pytest
from django.test import Client

from pitboss.front import BODY_BYTES_MAX
from pitboss.request_log import HEADER, JsonLines, NumberFilter
from pitboss.rules.roles import Place
from tests.faulty_proxy import FaultyProxy
from tests.floor.cast import Cast
from tests.floor.tablets import signed_in
from tests.pitboss.test_slow_bodies import site

NUMBER = re.compile(r"[0-9a-f]{32}")


def line_of(caplog: pytest.LogCaptureFixture) -> dict[str, Any]:
    """Return the last line about a request, as a collector of logs reads it."""
    record = next(r for r in reversed(caplog.records) if r.name == "pitboss.request")
    parsed: dict[str, Any] = json.loads(JsonLines().format(record))
    return parsed


@pytest.fixture(autouse=True)
def numbered(caplog: pytest.LogCaptureFixture) -> None:
    caplog.handler.addFilter(NumberFilter())
    caplog.set_level(logging.INFO, "pitboss.request")


@pytest.mark.django_db
def test_a_line_says_who_where_and_how_long_but_not_what_was_asked(
    cast: Cast, caplog: pytest.LogCaptureFixture
) -> None:
    answer = signed_in(cast.alice, cast).get("/tables/BJ-11/?patron=Smith")
    line = line_of(caplog)
    assert line["request_id"] == answer.headers[HEADER]
    assert line["ms"] >= 0
    assert {name: line[name] for name in ("method", "path", "status", "table", "person")} == {
        "method": "GET",
        "path": "/tables/BJ-11/",
        "status": 200,
        "table": "BJ-11",
        "person": cast.alice.badge,
    }
    assert line["device"] == cast.devices[Place.PIT].name
    assert "Smith" not in json.dumps(line)


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/login/", "/nothing/", "/api/v1/nothing", "/api/v1/table"])
def test_every_answer_has_a_number_of_its_own(path: str) -> None:
    first, second = (Client().get(path).headers[HEADER] for _ in range(2))
    assert NUMBER.fullmatch(first)
    assert NUMBER.fullmatch(second)
    assert first != second


@pytest.mark.django_db(transaction=True)
def test_a_page_that_fails_has_its_number_and_an_error_line(
    cast: Cast, database_proxy: FaultyProxy, caplog: pytest.LogCaptureFixture
) -> None:
    client = signed_in(cast.alice, cast)
    client.raise_request_exception = False
    database_proxy.drop()
    answer = client.get("/tables/BJ-11/")
    assert answer.status_code == 503
    line = line_of(caplog)
    assert (line["level"], line["request_id"]) == ("ERROR", answer.headers[HEADER])


def test_an_error_is_written_with_its_trace_on_one_line() -> None:
    try:
        raise ValueError("two\nlines")
    except ValueError as error:
        info = (type(error), error, error.__traceback__)
    record = logging.LogRecord("pitboss", logging.ERROR, __file__, 1, "It failed.", None, info)
    NumberFilter().filter(record)
    line = JsonLines().format(record)
    assert "\n" not in line
    assert json.loads(line)["error"].endswith("ValueError: two\nlines")
    assert json.loads(line)["request_id"] == ""


@pytest.mark.django_db(transaction=True)
def test_a_body_that_is_too_large_is_a_problem_document_for_a_program(cast: Cast) -> None:
    with site(workers=1) as port, closing(HTTPConnection("localhost", port, timeout=60)) as line:
        line.putrequest("POST", "/api/v1/checks")
        line.putheader("Content-Length", str(BODY_BYTES_MAX + 1))
        line.endheaders()
        answer = line.getresponse()
        document = json.loads(answer.read())
    assert (answer.status, answer.headers["Content-Type"]) == (413, "application/problem+json")
    assert NUMBER.fullmatch(answer.headers[HEADER])
    assert document["refusals"][0]["code"] == "body_too_large"
