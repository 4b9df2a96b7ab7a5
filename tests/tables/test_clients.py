"""What vendors are given is current, and gets a terminal from a code to its certificate."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pytest_django.live_server_helper import LiveServer

from pitboss.embedded.configuration import PROJECT
from pitboss.services.verification import verify
from tables.models import PayoutCheck
from tests.floor.sandbox import make_sandbox, sandbox_settings

CLIENTS = PROJECT / "docs" / "clients"


def loaded(path: Path) -> Any:
    """Return a module that is in no package of the site."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_client_and_collection_are_made_from_the_schema_as_it_is_promised() -> None:
    for path, text in loaded(CLIENTS / "generate.py").made().items():
        assert path.read_text() == text, f"{path.name} is old: run docs/clients/generate.py."


def test_the_collection_has_every_call_with_a_body_that_the_schema_shows() -> None:
    schema = json.loads((PROJECT / "docs" / "openapi.json").read_text())
    kept = json.loads((CLIENTS / "pitboss.postman_collection.json").read_text())
    calls = {call["name"]: call["request"] for folder in kept["item"] for call in folder["item"]}
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            call = calls.pop(operation["operationId"])
            assert call["method"] == method.upper()
            assert call["url"]["raw"].count("/") == path.count("/")
    assert calls == {}


@pytest.fixture
def sandbox(transactional_db: None) -> Iterator[None]:
    with sandbox_settings():
        make_sandbox()
        yield


@pytest.fixture
def python_client(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Return the vendor's day in Python, on a path on which only the client is."""
    monkeypatch.syspath_prepend(str(CLIENTS / "python"))
    yield loaded(CLIENTS / "python" / "vendor_day.py")
    for name in [name for name in sys.modules if name.startswith("pitboss_client")]:
        del sys.modules[name]


def test_a_vendors_day_in_python_ends_with_a_certified_terminal(
    sandbox: None, python_client: Any, live_server: LiveServer
) -> None:
    certificate = python_client.work(live_server.url)
    assert [point["to_do"] for point in certificate["points"] if not point["is_met"]] == []
    assert certificate["is_certified"] is True
    # The same hands again, by another terminal: it starts with nothing shown.
    other = python_client.enroll(live_server.url, "BJ-15")
    assert other.call("GET", "/api/v1/sandbox/certificate")["is_certified"] is False
    assert verify().is_sound


@pytest.fixture
def node_modules() -> Path:
    """Return the folder of what npm installed; without it the test is skipped, except in CI."""
    folder = PROJECT / ".ci" / "node_modules"
    if not (folder / "openapi-fetch").exists():
        words = "TypeScript's tools are missing: make lint installs them."
        if os.environ.get("PITBOSS_NODE_REQUIRED"):
            pytest.fail(words)
        pytest.skip(words)
    return folder


def test_a_vendors_day_in_typescript_ends_with_a_certified_terminal(
    node_modules: Path, sandbox: None, live_server: LiveServer, tmp_path: Path
) -> None:
    folder = tmp_path / "typescript"
    # What somebody made by hand in the folder of the project is made anew.
    unmade = shutil.ignore_patterns("schema.d.ts", "built", "node_modules")
    shutil.copytree(CLIENTS / "typescript", folder, ignore=unmade)
    (folder / "node_modules").symlink_to(node_modules)
    schema = str(PROJECT / "docs" / "openapi.json")
    tools = folder / "node_modules" / ".bin"
    run(folder, str(tools / "openapi-typescript"), schema, "-o", "schema.d.ts")
    run(folder, str(tools / "tsc"))
    points = run(folder, "node", "run.mjs", live_server.url).splitlines()
    assert points
    assert all(point.startswith("yes") for point in points), points
    assert verify().is_sound


def run(folder: Path, *command: str) -> str:
    """Run a command of Node in a folder; return what it printed."""
    ended = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=300, check=False
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


def test_the_typescript_client_is_pinned_to_what_ci_tests() -> None:
    """A vendor installs the versions that the vendor's day is played with."""
    ours = json.loads((PROJECT / ".ci" / "package.json").read_text())["devDependencies"]
    theirs = json.loads((CLIENTS / "typescript" / "package.json").read_text())
    for name, version in (theirs["dependencies"] | theirs["devDependencies"]).items():
        assert ours[name] == version


def test_the_python_client_sends_once_what_it_kept_while_offline(
    sandbox: None, python_client: Any, live_server: LiveServer, tmp_path: Path
) -> None:
    client = sys.modules["pitboss_client"]
    api = python_client.enroll(live_server.url, "BJ-15")
    (hand, *_) = api.call("GET", "/api/v1/sandbox/hands")
    queue = client.OfflineQueue(tmp_path / "queue.jsonl")
    queue.keep(hand["check"])
    queue.keep({**hand["check"], "wager": "no such bet"})
    queue.keep(hand["check"])
    nowhere = client.Api("http://127.0.0.1:9", "token", waits=(0.01,))
    with pytest.raises(client.Offline):
        queue.send(nowhere)
    assert queue.waiting() == 3
    kept = (tmp_path / "queue.jsonl").read_text()
    first, refused, last = queue.send(api)
    assert (first["verdict"], last["verdict"]) == ("right", "right")
    assert isinstance(refused, client.Problem)
    assert refused.status == 422
    assert refused.request_id
    # The answers were lost: the same file is sent again, and nothing is stored twice.
    (tmp_path / "queue.jsonl").write_text(kept)
    again = queue.send(api)
    assert [again[0]["check"], again[2]["check"]] == [first["check"], last["check"]]
    assert PayoutCheck.objects.count() == 2
