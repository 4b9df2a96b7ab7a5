"""A terminal that listens in tests: a stream of events on a real line, read as it comes."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from typing import Any

from django.db import connection

from bench.serving import served_events
from tests.databases import database_url

PATH = "/api/v1/events"


@dataclass(frozen=True, slots=True)
class Heard:
    """One block of a stream; without a name it only says how far the stream has come."""

    id: str
    name: str
    data: dict[str, Any]


class Listener:
    """A stream that is open."""

    def __init__(self, port: int, token: str, last_id: str = "", **more: str) -> None:
        self.line = HTTPConnection("localhost", port, timeout=60)
        headers = {"Authorization": f"Device {token}", **more}
        if last_id:
            headers["Last-Event-ID"] = last_id
        self.line.request("GET", PATH, headers=headers)
        self.answer = self.line.getresponse()

    def block(self) -> Heard | None:
        """Wait for the next block; none at the end of the stream."""
        fields: dict[str, str] = {}
        while line := self.answer.readline().decode():
            if line == "\n":
                return Heard(
                    fields["id"], fields.get("event", ""), json.loads(fields.get("data", "{}"))
                )
            name, _, value = line.rstrip("\n").partition(": ")
            fields[name] = value
        return None

    def event(self) -> Heard:
        """Wait for the next event."""
        while (heard := self.block()) is not None:
            if heard.name:
                return heard
        raise AssertionError("the stream has ended")

    def rest(self) -> list[Heard]:
        """Wait for the end of the stream, and return what came until then."""
        return list(iter(self.block, None))

    def problem(self) -> tuple[int, str]:
        """Return the status and the first code of a refusal."""
        document = json.loads(self.answer.read())
        assert self.answer.headers["Content-Type"] == "application/problem+json"
        assert self.answer.headers["Request-Id"]
        return self.answer.status, document["refusals"][0]["code"]

    def close(self) -> None:
        self.answer.close()
        self.line.close()


def environ_of_test(**more: str) -> dict[str, str]:
    """Return what a process of the site is told, so that it works on the test's own database."""
    return os.environ | {
        "DATABASE_URL": database_url("", str(connection.settings_dict["NAME"])),
        "DJANGO_SETTINGS_MODULE": "pitboss.settings",
        **more,
    }


@contextmanager
def event_server() -> Iterator[int]:
    """Stream the events of the test's own database; give the port."""
    with served_events(environ_of_test()) as server:
        yield server.port
