"""The image and the composed house, as a linter reads them; built where an engine is at hand."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

PROJECT = Path(__file__).resolve().parents[1]
DOCKERFILE = PROJECT / "Dockerfile"
COMPOSE = PROJECT / "compose.yaml"
OURS = {"prepare", "web", "events", "worker", "record", "beat"}
# The fields of a service that are used here, and what each may be, after the compose specification.
FIELDS: dict[str, type | tuple[type, ...]] = {
    "build": (str, dict),
    "cap_add": list,
    "cap_drop": list,
    "command": (str, list),
    "configs": list,
    "depends_on": dict,
    "environment": dict,
    "healthcheck": dict,
    "image": str,
    "networks": list,
    "ports": list,
    "read_only": bool,
    "restart": str,
    "security_opt": list,
    "shm_size": str,
    "tmpfs": list,
    "user": str,
    "volumes": list,
}


def instructions() -> list[tuple[str, str]]:
    """Return the instructions of the image, each on one line and without comments."""
    lines = [line for line in DOCKERFILE.read_text().splitlines() if not line.startswith("#")]
    whole = re.sub(r"\\\n\s*", " ", "\n".join(lines))
    found = [line.split(None, 1) for line in whole.splitlines() if line.strip()]
    return [(name, rest) for name, rest in found]


def of(name: str) -> list[str]:
    return [rest for item, rest in instructions() if item == name]


@pytest.fixture(scope="module")
def house() -> dict[str, Any]:
    composed: dict[str, Any] = yaml.safe_load(COMPOSE.read_text())
    return composed


def test_every_base_image_has_a_version() -> None:
    bases = [rest.split()[0] for rest in of("FROM")]
    assert bases
    assert all(re.fullmatch(r"[\w./-]+:\d[\w.-]+", base) for base in bases), bases


def test_the_image_runs_as_nobody_in_particular_and_is_asked_whether_it_lives() -> None:
    names = [name for name, _ in instructions()]
    assert of("USER") == ["10001:10001"]
    # What is copied and compiled before it belongs to root, so the site cannot change itself.
    assert max(at for at, name in enumerate(names) if name in ("COPY", "RUN")) < names.index("USER")
    assert not of("ADD"), "COPY fetches nothing from elsewhere and unpacks nothing"
    assert "/livez" in of("HEALTHCHECK")[0]
    assert all(rest.lstrip().startswith("[") for rest in of("CMD")), (
        "a shell would take the signals"
    )


def test_the_image_installs_pinned_files_alone_and_keeps_no_cache() -> None:
    installs = [rest for rest in of("RUN") if "pip install" in rest]
    assert len(installs) == 1
    for option in ("--require-hashes", "--no-cache-dir", "--only-binary :all:"):
        assert option in installs[0]
    assert installs[0].endswith("-r /tmp/requirements.txt"), "the set of production"


def test_everything_that_is_copied_exists_and_no_more_than_that_is_sent() -> None:
    copied = {
        word for rest in of("COPY") if not rest.startswith("--from") for word in rest.split()[:-1]
    }
    ignored = (PROJECT / ".dockerignore").read_text().splitlines()
    assert "*" in ignored
    assert {line[1:] for line in ignored if line.startswith("!")} == copied
    assert all((PROJECT / item).exists() for item in copied)
    packages = {path.parent.name for path in PROJECT.glob("*/apps.py")}
    assert packages <= copied, "an app of the site is left out"


def test_every_service_is_written_as_the_specification_has_it(house: dict[str, Any]) -> None:
    assert set(house) - {"x-site"} == {"name", "services", "configs", "volumes", "networks"}
    for name, service in house["services"].items():
        for key, value in service.items():
            assert key in FIELDS, f"{name}: {key}"
            assert isinstance(value, FIELDS[key]), f"{name}: {key}"
        for used in service["networks"]:
            assert used in house["networks"], f"{name}: {used}"
        for used in service.get("configs", ()):
            assert used["source"] in house["configs"], f"{name}: {used}"
        for used in service.get("volumes", ()):
            # The last colon of a place on the host; a place may ask for itself with a colon.
            source = re.sub(r"\$\{[^}]*\}", "/", used).split(":")[0]
            assert source.startswith("/") or source in house["volumes"], f"{name}: {used}"
        for other, body in service.get("depends_on", {}).items():
            needs_health = body["condition"] == "service_healthy"
            assert other in house["services"], f"{name} waits for {other}"
            assert not needs_health or is_asked(house, other), f"{name} waits for {other}"


def is_asked(house: dict[str, Any], name: str) -> bool:
    """Tell whether a service is asked for its health, by itself or by the image."""
    body = house["services"][name].get("healthcheck")
    return bool(body and "test" in body) or (body is None and name in OURS)


def test_what_serves_can_change_neither_itself_nor_its_rights(house: dict[str, Any]) -> None:
    for name, service in house["services"].items():
        assert "no-new-privileges:true" in service["security_opt"], name
        assert not service.get("privileged"), name
        if name != "database":
            assert service["read_only"] is True, name
            assert service["cap_drop"] == ["ALL"], name
        if name in OURS:
            assert service["volumes"] == ["data:/data"], name
    assert {n for n, service in house["services"].items() if "ports" in service} == {"proxy"}
    assert house["networks"]["inside"]["internal"] is True


def test_no_password_is_written_down_and_the_owner_is_known_to_none_that_serves(
    house: dict[str, Any],
) -> None:
    text = COMPOSE.read_text()
    assert not re.search(r"PASSWORD: (?!\$\{)", text)
    assert all("pitboss_owner" not in str(house["services"][n]) for n in OURS - {"prepare"})
    for part in re.findall(r"\$\{(\w+)([^}]*)\}", text):
        assert part[1].startswith(":?"), f"{part[0]} has a default or may be empty"


def test_the_house_starts_what_operating_says_a_node_starts(house: dict[str, Any]) -> None:
    operating = (PROJECT / "docs" / "operating.md").read_text()
    services = house["services"]
    assert "celery -A pitboss.celery beat" in operating
    for name, words in {
        "events": ["granian", "--interface", "asgi"],
        "worker": ["celery", "-A", "pitboss.celery", "worker"],
        "record": ["celery", "-A", "pitboss.celery", "worker", "--queues", "seals,verification"],
        "beat": ["celery", "-A", "pitboss.celery", "beat"],
    }.items():
        assert services[name]["command"][: len(words)] == words
    assert '"pitboss.front:front"]' in of("CMD")[0]
    for line in ("proxy_request_buffering on;", "client_max_body_size 5m;", "limit_conn pit 40;"):
        assert line in operating
        assert line in house["configs"]["proxy"]["content"]


def engine() -> str | None:
    """Return a container engine that answers."""
    for program in ("docker", "podman"):
        if found := shutil.which(program):
            completed_process = subprocess.run(
                [found, "info"], capture_output=True, check=False, timeout=60
            )
            if completed_process.returncode == 0:
                return found
    return None


def test_the_image_is_built_and_checks_out_where_an_engine_is_at_hand() -> None:
    program = engine()
    if program is None:
        pytest.skip("no container engine answers on this machine")
    built = subprocess.run(
        [program, "build", "--tag", "pitboss:test", str(PROJECT)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert built.returncode == 0, built.stderr[-2000:]
    run = [program, "run", "--rm", "--read-only", "--tmpfs", "/tmp", "--tmpfs", "/data:uid=10001"]
    checked = subprocess.run(
        [*run, "--env", "PITBOSS_ENV=test", "pitboss:test", "python", "manage.py", "check"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.returncode == 0, checked.stderr[-2000:]
