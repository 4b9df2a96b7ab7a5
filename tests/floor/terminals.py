"""A terminal in tests: enrolled at a table, sending JSON with its token."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import uuid4

from django.test import Client

from pitboss.models import Device, Table
from pitboss.rules.canonical import digest
from pitboss.services import house


def make_terminal(table: Table, name: str = "") -> Device:
    """Put a terminal at a table, as enrolment would; its token is its name."""
    name = name or f"Terminal {table.name}"
    return Device.objects.create(
        name=name,
        place="pit",
        table=table,
        token_hash=digest(name),
        token_ends_at=house.now() + timedelta(days=3_650),
        enrolled_at=house.now(),
    )


class TerminalClient:
    """Calls the API as the terminal of one table."""

    def __init__(self, device: Device, token: str = "") -> None:
        self.device = device
        self.client = Client()
        self.headers = {"authorization": f"Device {token or device.name}"}

    def get(self, path: str) -> Any:
        return self.client.get(f"/api/v1/{path}", headers=self.headers)

    def put(self, path: str, body: Any) -> Any:
        return self.client.put(
            f"/api/v1/{path}", body, content_type="application/json", headers=self.headers
        )

    def post(self, path: str, body: Any, key: str = "") -> Any:
        headers = {**self.headers, "idempotency-key": key or str(uuid4())}
        return self.client.post(
            f"/api/v1/{path}", body, content_type="application/json", headers=headers
        )
