"""Events at a table, on a real server and real lines: told as they are committed, none missed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection

import pytest
from django.db import connection

from bench.serving import served
from pitboss.models import Device, JournalChain
from pitboss.rules.floor.table_events import BACKLOG_MAX
from pitboss.services import house, journal
from tables.api.streams import STREAMS_OF_ONE_MAX
from tests.databases import as_superuser
from tests.floor.cast import Cast
from tests.floor.listeners import PATH, Listener, environ_of_test, event_server
from tests.floor.terminals import TerminalClient, make_terminal
from tests.races import at_once

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def port() -> Iterator[int]:
    with event_server() as port:
        yield port


def tap(cast: Cast, times: int = 1) -> None:
    """Write acts of the first table that change what its terminal shows."""
    for _ in range(times):
        journal.write(
            chain=journal.chain_of(cast.table, journal.HOUSE),
            kind="tapped_in",
            body={"dealer": "104"},
            at=house.now(),
        )


def test_a_terminal_hears_of_its_table_and_of_no_other(cast: Cast, port: int) -> None:
    terminal = make_terminal(cast.table)
    other = make_terminal(cast.other_table)
    with (
        closing(Listener(port, terminal.name)) as listener,
        closing(Listener(port, other.name)) as elsewhere,
    ):
        assert listener.answer.status == 200
        assert listener.answer.headers["Content-Type"] == "text/event-stream"
        assert listener.answer.headers["Request-Id"]
        begin = listener.block()
        assert begin is not None
        assert begin.name == ""
        cast.open_table({})
        opened = listener.event()
        assert (opened.name, opened.data["table"]) == ("table_opened", cast.table.name)
        slip = cast.ask()
        cast.carry(slip)
        carried = listener.event()
        assert (carried.name, carried.data["serial"]) == ("fill_on_the_way", slip.serial)
        cast.open_other_table()
        assert elsewhere.event().data["table"] == cast.other_table.name


def test_what_was_missed_is_told_once_and_in_order(cast: Cast, port: int) -> None:
    terminal = make_terminal(cast.table)
    with closing(Listener(port, terminal.name)) as listener:
        listener.block()
        tap(cast)
        last = listener.event().id
    slip = cast.ask()
    cast.carry(slip)
    tap(cast, 2)
    with closing(Listener(port, terminal.name, last)) as again:
        names = [again.event().name for _ in range(3)]
        assert names == ["fill_on_the_way", "table_changed", "table_changed"]
        tap(cast)
        after = again.event()
    with closing(Listener(port, terminal.name, after.id)) as third:
        begin = third.block()
        assert begin is not None
        assert (begin.name, begin.id) == ("", after.id)


def test_nothing_is_missed_between_streams_while_four_people_act(cast: Cast, port: int) -> None:
    terminal = make_terminal(cast.table)
    with closing(Listener(port, terminal.name)) as listener:
        begin = listener.block()
        assert begin is not None
    head = int(begin.id.split(".")[0])
    heard: list[int] = []

    def listen() -> None:
        last = begin.id
        while len(heard) < 40:
            # Each stream is broken off after a few, in the middle of it all.
            with closing(Listener(port, terminal.name, last)) as listener:
                for _ in range(min(7, 40 - len(heard))):
                    last = listener.event().id
                    heard.append(int(last.split(".")[0]))

    at_once(listen, *[lambda: tap(cast, 10)] * 4)
    assert heard == list(range(head + 1, head + 41))


def test_who_was_away_for_too_long_or_has_another_past_begins_anew(cast: Cast, port: int) -> None:
    terminal = make_terminal(cast.table)
    for last in ("999999.0.0", f"0.0.{BACKLOG_MAX}"):
        with closing(Listener(port, terminal.name, last)) as listener:
            reset = listener.event()
            assert reset.name == "reset"
            head = JournalChain.objects.get(table=cast.table).head_number
            assert reset.id.startswith(f"{head}.")


@pytest.mark.parametrize(
    ("token", "last", "expected"),
    [
        ("nobody", "", (401, "authentication_failed")),
        ("Terminal BJ-11", "12", (400, "bad_event_id")),
        ("Terminal BJ-11", "1.2.x", (400, "bad_event_id")),
    ],
)
def test_what_is_refused(
    cast: Cast, port: int, token: str, last: str, expected: tuple[int, str]
) -> None:
    make_terminal(cast.table, "Terminal BJ-11")
    with closing(Listener(port, token, last)) as listener:
        assert listener.problem() == expected


def test_other_addresses_methods_and_schemes(cast: Cast, port: int) -> None:
    fields = {
        ("GET", "/api/v1/table"): 404,
        ("POST", PATH): 405,
        ("GET", PATH): 401,
        ("GET", "/livez"): 200,
    }
    for (method, path), status in fields.items():
        with closing(HTTPConnection("localhost", port, timeout=60)) as line:
            line.request(method, path, headers={"Authorization": "Basic x"})
            assert line.getresponse().status == status


def test_a_terminal_that_is_put_out_hears_no_more(cast: Cast, port: int) -> None:
    terminal = make_terminal(cast.table)
    with closing(Listener(port, terminal.name)) as listener:
        listener.block()
        Device.objects.filter(pk=terminal.pk).update(revoked_at=house.now())
        assert listener.rest() == []
    with closing(Listener(port, terminal.name)) as listener:
        assert listener.problem() == (401, "authentication_failed")


def test_of_one_terminal_the_newest_streams_count(cast: Cast, port: int) -> None:
    terminal = make_terminal(cast.table)
    listeners = [Listener(port, terminal.name) for _ in range(STREAMS_OF_ONE_MAX + 1)]
    for listener in listeners:
        assert listener.block() is not None
    assert listeners[0].rest() == []
    tap(cast)
    assert {listener.event().name for listener in listeners[1:]} == {"table_changed"}
    for listener in listeners:
        listener.close()


def test_a_stream_goes_on_when_its_connection_to_the_database_is_cut(cast: Cast, port: int) -> None:
    terminal = make_terminal(cast.table)
    with closing(Listener(port, terminal.name)) as listener:
        listener.block()
        with as_superuser() as superuser:
            cut = superuser.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s"
                " AND pid <> %s",
                [connection.settings_dict["NAME"], _own_backend()],
            )
            assert cut.rowcount >= 1
        tap(cast)
        assert listener.event().name == "table_changed"


def _own_backend() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        row: tuple[int] = cursor.fetchone()
    return row[0]


def test_a_web_node_passes_the_stream_on_where_no_proxy_does(cast: Cast, port: int) -> None:
    terminal = make_terminal(cast.table)
    environ = environ_of_test(PITBOSS_EVENTS_ADDRESS=f"127.0.0.1:{port}")
    with (
        served(environ, 1) as web,
        closing(Listener(web.port, terminal.name, Accept="text/event-stream")) as listener,
    ):
        assert listener.block() is not None
        tap(cast)
        heard = listener.event()
        assert heard.name == "table_changed"
        with closing(Listener(web.port, terminal.name, heard.id)) as again:
            begin = again.block()
            assert begin is not None
            assert begin.id == heard.id
        with closing(Listener(web.port, "nobody")) as refused:
            assert refused.problem() == (401, "authentication_failed")


def test_without_a_process_for_events_a_terminal_is_told_to_ask(cast: Cast) -> None:
    client = TerminalClient(make_terminal(cast.table))
    client.headers["accept"] = "text/event-stream"
    answer = client.get("events")
    assert answer.status_code == 503
    assert answer.json()["refusals"][0]["code"] == "events_away"
    assert answer.headers["Retry-After"] == "30"
    assert answer.headers["Content-Type"] == "application/problem+json"
