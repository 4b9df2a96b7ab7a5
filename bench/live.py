"""Live: two hundred tablets that poll every two seconds while nothing changes.

What the server computes is taken from the processor's own account, not from the wall, so that a
machine that is busy with other things tells the same. A quarter of the tablets shows the inbox, the
others the board of a pit of two hundred tables.
"""

from __future__ import annotations

import http.client
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from time import monotonic, sleep
from typing import Any

from bench import floor
from bench.databases import PROJECT, own_database
from bench.measuring import Measure
from bench.serving import served

DATABASE = "pitboss_bench_live"
TABLETS = 200
EVERY_SECONDS = 2.0
RUN_SECONDS = 20.0
LINES = 8
WORKERS = 4
PROMISED_SHARE = 0.30


def run() -> Iterator[Measure]:
    """Serve a floor to two hundred tablets, and ask how much of a core they took."""
    with own_database(DATABASE) as environ:
        made = subprocess.run(
            [sys.executable, "-m", "bench.live"],
            cwd=PROJECT,
            env=environ,
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        )
        tablets: list[dict[str, str]] = json.loads(made.stdout)
        with served(environ, WORKERS) as server:
            # The first of each opens connections and fills what a process keeps.
            _poll(server.port, tablets, EVERY_SECONDS)
            began, computed = monotonic(), server.processor_seconds()
            polls = _poll(server.port, tablets, RUN_SECONDS)
            seconds = server.processor_seconds() - computed
            ran = monotonic() - began
    yield Measure(f"{TABLETS} tablets polled for {ran:.0f} s", seconds, polls)
    yield Measure(
        f"of one core's second, at {polls / ran:.0f} polls a second",
        seconds / ran,
        limit_seconds=PROMISED_SHARE,
    )


def _poll(port: int, tablets: list[dict[str, str]], for_seconds: float) -> int:
    """Let every tablet poll every two seconds, evenly over them, and return how many polls."""
    began = monotonic()

    def share(number: int) -> int:
        line = http.client.HTTPConnection("127.0.0.1", port)
        own = tablets[number::LINES]
        polls = 0
        while True:
            due = began + polls * EVERY_SECONDS / len(own)
            if due >= began + for_seconds:
                return polls
            sleep(max(0.0, due - monotonic()))
            _ask(line, own[polls % len(own)])
            polls += 1

    with ThreadPoolExecutor(LINES) as pool:
        return sum(pool.map(share, range(LINES)))


def _ask(line: http.client.HTTPConnection, tablet: dict[str, str]) -> None:
    line.request("GET", tablet["url"], headers={"Cookie": tablet["cookie"], "HX-Request": "true"})
    answer = line.getresponse()
    answer.read()
    if answer.status != 204:
        sys.exit(f"{tablet['url']} was answered with {answer.status}.")


# ----------------------------------------------------------------------- in a process of its own


def make() -> list[dict[str, Any]]:
    """Put up a floor, sign two hundred tablets in, and return what each of them polls."""
    from django.conf import settings
    from django.test import Client
    from django.urls import reverse

    from pitboss.live import of_pit, poll_url, whole_floor
    from pitboss.models import Person, Pit

    floor.make()
    pit = Pit.objects.get(name="Pit 1").pk
    board = poll_url(reverse("pit-board-poll", args=[pit]), of_pit({"pit_id": pit}))
    inbox = poll_url(reverse("inbox-poll"), whole_floor({}))
    supervisor = Person.objects.get(badge="S0")
    tablets = []
    for number in range(TABLETS):
        client = Client()
        client.force_login(supervisor)
        session = client.cookies[settings.SESSION_COOKIE_NAME].value
        tablets.append(
            {
                "url": inbox if number % 4 == 0 else board,
                "cookie": f"{settings.SESSION_COOKIE_NAME}={session}",
            }
        )
    return tablets


if __name__ == "__main__":
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pitboss.settings")
    django.setup()
    print(json.dumps(make()))
