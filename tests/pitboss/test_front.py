"""What the server calls: a request has what its sender sent, and nothing of the server's own."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from pitboss.front import _environ


@dataclass
class Asked:
    """A request as the server hands it on."""

    http_version: str = "1.1"
    server: str = "127.0.0.1:8000"
    client: str = "10.0.0.7:51000"
    scheme: str = "http"
    method: str = "GET"
    path: str = "/board/"
    query_string: str = ""
    headers: dict[str, str] = field(default_factory=dict)


def test_no_variable_of_the_server_passes_for_a_header(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_X_FORWARDED_FOR", "10.0.0.1")
    monkeypatch.setenv("DATABASE_PASSWORD", "secret")
    environ = _environ(Asked(), [("host", "pit.example.com"), ("x_forwarded_for", "10.0.0.2")])
    assert {name for name in environ if name.startswith("HTTP_")} == {"HTTP_HOST"}
    assert "DATABASE_PASSWORD" not in environ
    assert environ["REMOTE_ADDR"] == "10.0.0.7"
