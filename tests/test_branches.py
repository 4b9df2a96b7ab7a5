"""Branches of the services: what several processes took is added up, and a fall is found."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest

from bench import branches

MODULE = """
def which(number):
    if number > 0:
        return "above"
    if number < 0:
        return "below"
    return "nothing"
"""


def took(folder: Path, source: Path, number: int) -> None:
    """Take a branch in a process of its own, measured as a worker of a run is."""
    act = (
        "import sys, runpy\n"
        "from pathlib import Path\n"
        "from bench.branches import measuring\n"
        f"measures = measuring(Path({str(folder)!r}), [Path({str(source.parent)!r})])\n"
        "measures.start()\n"
        f"runpy.run_path({str(source)!r})['which']({number})\n"
        "measures.stop()\n"
        "measures.save()\n"
    )
    subprocess.run([sys.executable, "-c", act], check=True, cwd=branches.PROJECT)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    written = tmp_path / "house" / "services" / "numbers.py"
    written.parent.mkdir(parents=True)
    written.write_text(MODULE)
    return written


def test_what_two_processes_took_is_added_up(tmp_path: Path, source: Path) -> None:
    folder = tmp_path / "seen"
    folder.mkdir()
    took(folder, source, 1)
    assert branches.shares_in(folder, tmp_path) == {"house/services": 25.0}
    took(folder, source, -1)
    took(folder, source, -1)
    assert branches.shares_in(folder, tmp_path) == {"house/services": 75.0}


def test_a_share_that_fell_fails_and_one_that_rose_is_written_down(
    tmp_path: Path,
    source: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder, floors = tmp_path / "seen", tmp_path / "floors.json"
    folder.mkdir()
    took(folder, source, 0)
    monkeypatch.setattr(branches, "FLOORS", floors)
    monkeypatch.setattr(branches, "PROJECT", tmp_path)
    floors.write_text('{"house/services": 50.1}')
    assert branches.main([str(folder)]) == 1
    assert "house/services: 50.0% of its branches, was 50.1%" in capsys.readouterr().err
    floors.write_text('{"house/services": 49.9}')
    assert branches.main([str(folder)]) == 0
    assert branches.main([str(folder), "--raise"]) == 0
    assert json.loads(floors.read_text()) == {"house/services": 50.0}


def test_every_measured_package_has_a_floor_and_is_one() -> None:
    floors = json.loads(branches.FLOORS.read_text())
    assert sorted(floors) == sorted(branches.MEASURED)
    for package in branches.MEASURED:
        assert importlib.util.find_spec(package.replace("/", "."))
