"""What a stranger meets first: who reviews what, what a change must pass, how it is released."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.test_supply import PROJECT, script

VERSION = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]["version"]


@pytest.fixture
def releasing(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(PROJECT / ".ci"))
    return script("release")


def test_every_room_has_somebody_who_is_asked() -> None:
    owned = []
    for line in (PROJECT / ".github" / "CODEOWNERS").read_text().splitlines():
        if line and not line.startswith("#"):
            place, *owners = line.split()
            assert owners, line
            assert all(re.fullmatch(r"@[\w-]+", owner) for owner in owners), line
            owned.append(place)
            if place.startswith("/"):
                found = list(PROJECT.glob(place.strip("/")))
                assert found, f"{place} is nowhere"
    for app in PROJECT.glob("*/apps.py"):
        assert f"/{app.parent.name}/" in owned or app.parent.name == "pitboss"


def test_every_change_is_tried_on_three_pythons_by_the_one_program() -> None:
    flow = yaml.safe_load((PROJECT / ".github" / "workflows" / "ci.yml").read_text())
    job = flow["jobs"]["everything"]
    pythons = job["strategy"]["matrix"]["python"]
    assert len(pythons) == 3
    assert all(isinstance(python, str) for python in pythons), "3.10 as a number is 3.1"
    needs = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]["requires-python"]
    assert needs == f">={pythons[0]}"
    assert ".ci/run" in job["steps"][-1]["run"]
    assert flow["permissions"] == {"contents": "read"}


def test_the_forms_and_hooks_are_readable() -> None:
    for form in (PROJECT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"):
        body = yaml.safe_load(form.read_text())
        assert "blank_issues_enabled" in body or {"name", "description", "body"} <= body.keys()
    hooks = yaml.safe_load((PROJECT / ".pre-commit-config.yaml").read_text())["repos"][0]["hooks"]
    linted = re.search(r"^lint:.*?\n\n", (PROJECT / "Makefile").read_text(), re.DOTALL | re.M)
    assert linted is not None
    for hook in hooks:
        program = hook["entry"].split()[0].removeprefix(".venv/bin/")
        assert program == "python" or f"/bin/{program}" in linted[0], hook["id"]


def test_a_release_says_what_is_in_it(releasing: Any) -> None:
    notes = releasing.notes
    changes = (
        "# Changes\n\n## Unreleased\n\n## 1.2.0 (May 1, 2026)\n\n### Added\n\n- A.\n\n## 1.1.0\n"
    )
    assert notes("1.2.0", changes) == "### Added\n\n- A."
    for version in ("1.1.0", "1.3.0", "1.2"):
        with pytest.raises(releasing.NotReady, match="says nothing of"):
            notes(version, changes)


def test_the_same_commit_makes_the_same_archive(releasing: Any, tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    one.mkdir()
    other.mkdir()
    name = f"pitboss-{VERSION}"
    first, second = releasing.build(name, one), releasing.build(name, other)
    assert first.name == f"{name}.tar.gz"
    assert first.read_bytes() == second.read_bytes()


def test_the_image_is_named_by_the_version() -> None:
    assert f"image: pitboss:{VERSION}\n" in (PROJECT / "compose.yaml").read_text()


def test_no_release_is_made_of_what_is_not_committed(tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    cloned: list[str | Path] = [
        "git",
        "clone",
        "--quiet",
        "--no-hardlinks",
        "--depth=1",
        f"file://{PROJECT}",
        copy,
    ]
    subprocess.run(cloned, check=True, capture_output=True)
    (copy / "README.md").write_text("changed")
    made = subprocess.run(
        [sys.executable, ".ci/release.py"], cwd=copy, capture_output=True, text=True, check=False
    )
    assert (made.returncode, made.stderr) == (1, "There are changes that are not committed.\n")
    assert not (copy / "dist").exists()
