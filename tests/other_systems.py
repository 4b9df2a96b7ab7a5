"""Another system of the house in tests: it knows an address and a token, and speaks HTTP alone."""

from __future__ import annotations

import json
from contextlib import closing
from datetime import timedelta
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlsplit

from pitboss.models import Device
from pitboss.rules.canonical import digest
from pitboss.rules.roles import Place
from pitboss.services import house
from pitboss.slips.kind import the_kind
from pitboss.slips.raising import raise_kind, shown_before
from tests.floor.cast import Cast


class OtherSystem:
    """Sends requests over a socket, as a program that was never near this code."""

    def __init__(self, url: str, token: str) -> None:
        self.where, self.token = urlsplit(url).netloc, token

    def call(
        self, method: str, path: str, body: Any = None, key: str = ""
    ) -> tuple[int, str, dict[str, str]]:
        """Return the status, the body, and the headers of an answer."""
        headers = {"Authorization": f"Device {self.token}"}
        if key:
            headers["Idempotency-Key"] = key
        sent = None
        if body is not None:
            sent, headers["Content-Type"] = json.dumps(body), "application/json"
        with closing(HTTPConnection(self.where, timeout=30)) as line:
            line.request(method, f"/api/v1/{path}", sent, headers)
            answer = line.getresponse()
            return answer.status, answer.read().decode(), dict(answer.getheaders())

    def get(self, path: str) -> tuple[int, Any]:
        """Return the status of an answer and what it says."""
        status, text, _ = self.call("GET", path)
        return status, json.loads(text)


def system_at(url: str, cast: Cast) -> OtherSystem:
    """Return a system with the token of the office’s device."""
    device = cast.devices[Place.OFFICE]
    Device.objects.filter(pk=device.pk).update(token_hash=digest(device.name))
    return OtherSystem(url, device.name)


def another_system(url: str, name: str) -> OtherSystem:
    """Return a system with a device of its own at the office; its token is its name."""
    now = house.now()
    Device.objects.create(
        name=name,
        place=Place.OFFICE.value,
        token_hash=digest(name),
        token_ends_at=now + timedelta(days=30),
        enrolled_at=now,
    )
    return OtherSystem(url, name)


def grant(cast: Cast, scope: str, change: str = "grant", device: str = "office") -> None:
    """Let a device of the office do something, or no longer, by two signatures."""
    raising = the_kind("system_access").at(device=device, scope=scope, change=change)
    slip = raise_kind(
        raising, pen=cast.pen(cast.hanna), shown=shown_before(raising), reason="Contract."
    )
    cast.sign(slip, "approved", cast.petra, Place.OFFICE)
