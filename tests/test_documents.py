"""What the documents say of the project is so: links, paths, commands and tests that they name."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from django.core.management import get_commands

from pitboss.rules.roles import MAY_MANAGE, MAY_OFFER, MAY_WITNESS, Role

PROJECT = Path(__file__).resolve().parents[1]
DOCUMENTS = [*sorted(PROJECT.glob("*.md")), *sorted((PROJECT / "docs").rglob("*.md"))]
# The desk of a group has commands of its own, which no house loads.
OF_THE_DESK = PROJECT / "pitboss" / "group" / "management" / "commands"
CONTROLS = PROJECT / "docs" / "controls.md"

LINK = re.compile(r"\]\((?!https?://)([^)#\s]*)(?:#([^)\s]+))?\)")
CODE = re.compile(r"`([^`\n]+)`")
# A path of the tree, as documents write it: a folder of ours, then more.
PATH = re.compile(
    r"(?:pitboss|tables|inventory|jackpots|templates|static|tests|docs|bench)/[\w./-]+"
)


def documents() -> list[Any]:
    return [pytest.param(path, id=str(path.relative_to(PROJECT))) for path in DOCUMENTS]


def anchors(path: Path) -> set[str]:
    """Return the anchors that a document's headings make."""
    headings = re.findall(r"^#+ (.+)$", path.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("document", documents())
def test_every_link_leads_somewhere(document: Path) -> None:
    for target, anchor in LINK.findall(document.read_text()):
        path = (document.parent / target).resolve() if target else document
        assert path.exists(), f"{document.name} links to {target}"
        if anchor:
            assert anchor in anchors(path), f"{document.name} links to {target}#{anchor}"


@pytest.mark.parametrize("document", documents())
def test_every_path_that_is_named_exists(document: Path) -> None:
    for code in CODE.findall(document.read_text()):
        if PATH.fullmatch(code):
            assert (PROJECT / code).exists(), f"{document.name} names {code}"


@pytest.mark.parametrize("document", documents())
def test_every_command_that_is_named_exists(document: Path) -> None:
    text = document.read_text()
    targets = set(re.findall(r"^([a-z]+):", (PROJECT / "Makefile").read_text(), re.MULTILINE))
    for target in re.findall(r"(?:`|^    )make ([a-z]+)", text, re.MULTILINE):
        assert target in targets, f"{document.name} says make {target}"
    known = {*get_commands(), *(path.stem for path in OF_THE_DESK.glob("*.py"))}
    for command in re.findall(r"manage\.py ([a-z_]+)", text):
        assert command in known, f"{document.name} says manage.py {command}"


def names_of_tests() -> set[str]:
    return {
        name
        for path in (PROJECT / "tests").rglob("test_*.py")
        for name in re.findall(r"^def (test_\w+)", path.read_text(), re.MULTILINE)
    }


def test_every_control_names_tests_that_exist() -> None:
    known = names_of_tests()
    for code in CODE.findall(CONTROLS.read_text()):
        if code.startswith("test_"):
            assert any(name.startswith(code) for name in known), f"no test is named {code}"


def test_every_scenario_that_is_tested_is_a_control() -> None:
    rows = re.findall(r"^\| (A\d\d) \|", CONTROLS.read_text(), re.MULTILINE)
    assert rows == sorted(set(rows)), "a scenario stands here twice, or out of order"
    tested = {
        f"A{number}" for name in names_of_tests() for number in re.findall(r"^test_a(\d\d)_", name)
    }
    assert tested == set(rows)


def test_the_table_of_who_gives_a_pin_is_that_of_the_rules() -> None:
    page = CONTROLS.read_text()
    for role in Role:
        who = [
            ", ".join(item.label for item in table[role])
            for table in (MAY_OFFER, MAY_WITNESS, MAY_MANAGE)
        ]
        assert f"| {role.label} | {' | '.join(who)} |" in page
