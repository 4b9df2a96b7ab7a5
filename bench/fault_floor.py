"""The floor of a fault run: terminals and tablets that send until they are answered.

It runs in a process of its own, with the cluster's address. It prints a line when its floor is put
up, and one for each line that it reads: what became of every act since a moment.
"""

from __future__ import annotations

import http.client
import json
import os
import sys
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import pairwise
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

from bench import floor
from bench.terminals import PAYOUTS

TABLES = 10
TERMINALS = 4
# The tables whose fills are signed; one that lost its thread in a fault is left to the next.
TABLETS = 2
ACT_EVERY_SECONDS = 0.5
# A dealer who has no answer for so long calls someone.
GIVE_UP_SECONDS = 90
RESENT = 10
CSRF = "c" * 32


@dataclass
class Account:
    """What was acknowledged, when, and what was seen on the way."""

    checks: dict[str, tuple[int, dict[str, Any], bytes]] = field(default_factory=dict)
    forms: dict[str, tuple[Tablet, str, dict[str, Any]]] = field(default_factory=dict)
    at: list[float] = field(default_factory=list)
    sentences: int = 0
    broken: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def acknowledged(self) -> None:
        self.at.append(time.monotonic())

    def pause_after(self, began: float) -> float:
        """Return for how long no one's act was acknowledged, at most, after a moment."""
        with self.lock:
            times = [began, *sorted(item for item in self.at if item > began)]
        return max((b - a for a, b in pairwise(times)), default=0.0)


class Line:
    """A line to one of two web nodes; the other is tried where one does not answer."""

    def __init__(self, ports: list[int], first: int, account: Account) -> None:
        self.ports, self.turn, self.account = ports, first, account

    def send(self, path: str, body: str, headers: Mapping[str, str]) -> tuple[int, bytes]:
        """Send the same again and again until it is done or refused."""
        deadline = time.monotonic() + GIVE_UP_SECONDS
        while time.monotonic() < deadline:
            port = self.ports[self.turn % len(self.ports)]
            line = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
            try:
                line.request("POST", path, body, dict(headers))
                answer = line.getresponse()
                content = answer.read()
            except (OSError, http.client.HTTPException):
                self.turn += 1
                time.sleep(0.2)
                continue
            finally:
                line.close()
            if answer.status == 503:
                # A sentence that says what to do, and when to try again.
                with self.account.lock:
                    self.account.sentences += 1
                    if not answer.headers.get("Retry-After"):
                        self.account.broken.append(f"{path} {content.decode()[:200]}")
                self.turn += 1
                time.sleep(0.5)
                continue
            return answer.status, content
        return 0, b""


class Terminal(threading.Thread):
    """A terminal that checks a payout every half second."""

    def __init__(self, number: int, ports: list[int], account: Account, go: threading.Event):
        super().__init__(daemon=True)
        self.number, self.account, self.go = number, account, go
        self.line = Line(ports, number, account)
        self.idle = threading.Event()

    def run(self) -> None:
        turn = 0
        while True:
            self.idle.set()
            self.go.wait()
            self.idle.clear()
            body, key = PAYOUTS[turn % len(PAYOUTS)], str(uuid4())
            turn += 1
            status, content = self.check(key, body)
            with self.account.lock:
                if status == 201:
                    self.account.checks[key] = (self.number, body, content)
                    self.account.acknowledged()
                else:
                    self.account.broken.append(f"check {status} {content.decode()[:200]}")
            time.sleep(ACT_EVERY_SECONDS)

    def check(self, key: str, body: dict[str, Any]) -> tuple[int, bytes]:
        headers = {
            "Authorization": f"Device terminal {self.number}",
            "Idempotency-Key": key,
            "Content-Type": "application/json",
        }
        return self.line.send("/api/v1/checks", json.dumps(body), headers)


class Tablet:
    """A tablet that posts its forms to a web node, with the session that it was given."""

    def __init__(self, line: Line, cookies: Mapping[str, str], account: Account) -> None:
        self.line, self.account = line, account
        self.cookie = "; ".join(f"{name}={value}" for name, value in cookies.items())

    def post(self, address: str, form: dict[str, Any]) -> Any:
        status = self.send(address, form)
        with self.account.lock:
            if status == 302:
                self.account.forms[form["request_id"]] = (self, address, form)
                self.account.acknowledged()
            else:
                self.account.broken.append(f"{address} {status}")
        return Answered(302)

    def send(self, address: str, form: dict[str, Any]) -> int:
        headers = {
            "Cookie": self.cookie,
            "Content-Type": "application/x-www-form-urlencoded",
            "Host": "localhost",
        }
        body = urlencode({**form, "csrfmiddlewaretoken": CSRF})
        return self.line.send(address, body, headers)[0]


@dataclass(frozen=True)
class Answered:
    status_code: int


class Fills(threading.Thread):
    """Tables that are filled and counted, one signature at a time, from tablets."""

    def __init__(self, number: int, ports: list[int], account: Account, go: threading.Event):
        super().__init__(daemon=True)
        self.number, self.ports, self.account, self.go = number, ports, account, go
        self.idle = threading.Event()

    def run(self) -> None:
        from django.db import Error, connection

        table = self.next_table()
        while True:
            self.idle.set()
            self.go.wait()
            self.idle.clear()
            try:
                # What the signer is shown is read here, straight from the primary.
                connection.close_if_unusable_or_obsolete()
                table.next_act()
            except Error:
                connection.close()
                time.sleep(0.5)
                table = self.next_table()
            time.sleep(ACT_EVERY_SECONDS)

    def next_table(self) -> Any:
        from django.db import Error, connection

        while True:
            try:
                number = TERMINALS + self.number
                self.number = (self.number + TABLETS) % (TABLES - TERMINALS)
                return _busy(number, self.ports, self.account)
            except Error:
                connection.close()
                time.sleep(0.5)


def _busy(number: int, ports: list[int], account: Account) -> Any:
    from django.conf import settings

    busy = floor.Busy(number)
    for place in ("pit", "cage"):
        _sign_in(busy, place)
    for place, client in busy._tablets.items():
        cookies = {name: morsel.value for name, morsel in client.cookies.items()}
        cookies[settings.CSRF_COOKIE_NAME] = CSRF
        busy._tablets[place] = Tablet(Line(ports, number, account), cookies, account)  # type: ignore[assignment]
    return busy


def _sign_in(busy: Any, place: str) -> None:
    from pitboss.rules.roles import Place

    busy._tablet(Place(place))


def make() -> None:
    """Put up a small floor, open the terminals' tables, and put the terminals there."""
    from pitboss.models import Device
    from pitboss.rules.canonical import digest
    from pitboss.services import house

    floor.BOARD_TABLES = floor.BUSY_TABLES = TABLES
    floor.make()
    for number in range(TERMINALS):
        busy = floor.Busy(number)
        busy.open()
        Device.objects.create(
            name=f"terminal {number}",
            place="pit",
            table=busy.table,
            token_hash=digest(f"terminal {number}"),
            token_ends_at=house.now() + timedelta(days=3_650),
            enrolled_at=house.now(),
        )


def judge(account: Account, terminals: list[Terminal], began: float) -> dict[str, Any]:
    """Compare all that was acknowledged with all that is stored."""
    from django.db import connection

    from inventory.selectors.cheques import balances, counts_off_the_ledger
    from pitboss.models import Signature, StoredAnswer
    from pitboss.services.verification import verify
    from tables.models import PayoutCheck

    connection.close_if_unusable_or_obsolete()
    keys = set(StoredAnswer.objects.values_list("key", flat=True))
    signed = {str(uuid) for uuid in Signature.objects.values_list("request_id", flat=True)}
    lost = len(account.checks.keys() - keys) + len(account.forms.keys() - signed)
    doubled = PayoutCheck.objects.count() - len(account.checks)
    differs = []
    for key, (number, body, content) in list(account.checks.items())[-RESENT:]:
        again = terminals[number].check(key, body)
        if again != (201, content):
            differs.append(f"check {again} instead of {content!r}")
    # A form is done: where the tablet is sent on to depends on what is open by now.
    for tablet, address, form in list(account.forms.values())[-RESENT:]:
        if (status := tablet.send(address, form)) != 302:
            differs.append(f"{address} {status} instead of 302")
    report = verify()
    return {
        "acts": len(account.checks) + len(account.forms),
        "lost": lost,
        "doubled": doubled,
        "differs": differs,
        "ledger": all(balance.adds_up for balance in balances()) and not counts_off_the_ledger(),
        "journal": [str(finding) for finding in report.findings],
        "refused_seconds": account.pause_after(began),
        "sentences": account.sentences,
        "broken": account.broken,
    }


def main(ports: list[int]) -> None:
    """Put up the floor, work, and answer for it whenever asked."""
    make()
    account, go = Account(), threading.Event()
    terminals = [Terminal(number, ports, account, go) for number in range(TERMINALS)]
    tablets = [Fills(number, ports, account, go) for number in range(TABLETS)]
    workers: list[Terminal | Fills] = [*terminals, *tablets]
    print(json.dumps({"made": True}), flush=True)
    for line in sys.stdin:
        if line.strip() == "begin":
            go.set()
            for worker in workers:
                if not worker.is_alive():
                    worker.start()
            continue
        go.clear()
        # Who was let through a moment ago has begun by now.
        time.sleep(0.2)
        for worker in workers:
            worker.idle.wait(2 * GIVE_UP_SECONDS)
        print(json.dumps(judge(account, terminals, float(line))), flush=True)


if __name__ == "__main__":
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pitboss.settings")
    django.setup()
    main([int(item) for item in sys.argv[1:]])
