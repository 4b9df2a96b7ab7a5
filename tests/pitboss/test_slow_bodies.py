"""Bodies that drip in: whoever sends them holds up nobody else. On a real server and real lines."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from http.client import HTTPConnection, HTTPResponse
from time import sleep

import pytest
from django.conf import settings
from django.db import connection
from django.urls import reverse

from bench.serving import served
from pitboss.front import BODIES_OF_ONE_MAX, BODY_BYTES_MAX
from pitboss.middleware import DEVICE_COOKIE
from tests.databases import database_url
from tests.floor.cast import Cast
from tests.floor.tablets import signed_in

# More than the two processes of two threads have, eight times over.
SLOW = 32


@contextmanager
def site(workers: int = 2, **more: str) -> Iterator[int]:
    """Serve the test's own database as `make run` serves; give the port."""
    environ = os.environ | {
        "DATABASE_URL": database_url("", str(connection.settings_dict["NAME"])),
        "DJANGO_SETTINGS_MODULE": "pitboss.settings",
        **more,
    }
    with served(environ, workers) as server:
        yield server.port


def slow_body(
    port: int, path: str = "/login/", length: str = "Content-Length: 400"
) -> socket.socket:
    """Begin to send a form, and go no further."""
    line = socket.create_connection(("127.0.0.1", port), timeout=60)
    head = f"POST /login/ HTTP/1.1\r\nHost: localhost\r\n{length}\r\n"
    line.sendall(f"{head}Content-Type: application/x-www-form-urlencoded\r\n\r\n".encode())
    line.sendall(b"b" if "Length" in length else b"1\r\nb\r\n")
    return line


def answer_on(line: socket.socket) -> int:
    with HTTPResponse(line) as answer:
        answer.begin()
        answer.read()
        return answer.status


def ask(port: int, path: str, **headers: str) -> int:
    with closing(HTTPConnection("localhost", port, timeout=60)) as line:
        line.request("GET", path, headers=headers)
        answer = line.getresponse()
        answer.read()
        return answer.status


@pytest.mark.django_db(transaction=True)
def test_thirty_two_slow_bodies_and_the_board_still_answers(cast: Cast) -> None:
    client = signed_in(cast.alice, cast)
    cookies = "; ".join(
        f"{name}={client.cookies[name].value}"
        for name in (settings.SESSION_COOKIE_NAME, DEVICE_COOKIE)
    )
    board = reverse("pit-board", args=[cast.pit.pk])
    with site(PITBOSS_BODY_SECONDS="300") as port, ExitStack() as lines:
        for number in range(SLOW):
            kind = "Content-Length: 400" if number % 2 else "Transfer-Encoding: chunked"
            lines.enter_context(slow_body(port, length=kind))
        sleep(0.5)
        assert [ask(port, board, Cookie=cookies) for _ in range(8)] == [200] * 8


@pytest.mark.django_db(transaction=True)
def test_a_body_that_does_not_end_in_its_time_is_refused(cast: Cast) -> None:
    with site(workers=1, PITBOSS_BODY_SECONDS="1") as port, slow_body(port) as line:
        assert answer_on(line) == 408


@pytest.mark.django_db(transaction=True)
def test_one_address_sends_only_so_many_bodies_at_once(cast: Cast) -> None:
    with site(workers=1, PITBOSS_BODY_SECONDS="300") as port, ExitStack() as lines:
        for _ in range(BODIES_OF_ONE_MAX):
            lines.enter_context(slow_body(port))
        sleep(0.5)
        with slow_body(port) as one_more:
            assert answer_on(one_more) == 503


@pytest.mark.django_db(transaction=True)
def test_a_body_that_is_too_large_is_refused_before_and_while_it_is_sent(cast: Cast) -> None:
    with site(workers=1) as port:
        with slow_body(port, length=f"Content-Length: {BODY_BYTES_MAX + 1}") as line:
            assert answer_on(line) == 413
        with slow_body(port, length="Transfer-Encoding: chunked") as line:
            block = b"x" * 100_000
            for _ in range(BODY_BYTES_MAX // len(block)):
                line.sendall(b"%x\r\n%s\r\n" % (len(block), block))
            assert answer_on(line) == 413


@pytest.mark.django_db(transaction=True)
def test_the_front_tells_the_site_what_the_browser_sent(cast: Cast) -> None:
    server = site(workers=1)
    with server as port, closing(HTTPConnection("localhost", port, timeout=60)) as line:
        line.request("GET", "/login/?next=%2Fboard%2F")
        page = line.getresponse()
        text = page.read().decode()
        assert 'name="next" value="/board/"' in text
        token = text.partition('name="csrfmiddlewaretoken" value="')[2].partition('"')[0]
        cookie = page.headers["Set-Cookie"].partition(";")[0]
        form = f"csrfmiddlewaretoken={token}&badge=101&password=not-hers"
        headers = {"Content-Type": "application/x-www-form-urlencoded", "Cookie": cookie}
        line.request("POST", "/login/", form, headers)
        refused = line.getresponse()
        assert (refused.status, b"is wrong" in refused.read()) == (422, True)
        for path in ("/%ff/", "/%C3%A9/", "/static/nowhere.css"):
            assert ask(port, path) == 404
