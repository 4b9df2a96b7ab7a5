"""Every setting decides something: one that no code reads would be a promise nobody keeps."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from pitboss.rules.book.options import OPTIONS
from pitboss.rules.floor.incident_reports import CLOCK
from pitboss.rules.settings.book import BOOK, LIMIT, OPTION, SERIES
from pitboss.rules.settings.in_force import SettingsInForce
from pitboss.rules.settings.ratings import PACE_OF

PROJECT = Path(__file__).resolve().parents[2]
BOOKKEEPING = {"pitboss/rules/settings/book.py", "pitboss/rules/settings/in_force.py"}
FAMILIES = {
    LIMIT: "limit_refusals",
    SERIES: "series",
    OPTION: "options",
    CLOCK: "incident_minutes",
    PACE_OF: "pace_of",
}


@cache
def modules() -> dict[str, ast.Module]:
    files = (
        path
        for app in ("pitboss", "tables", "inventory", "jackpots")
        for path in sorted((PROJECT / app).rglob("*.py"))
        if "migrations" not in path.parts
    )
    return {str(path.relative_to(PROJECT)): ast.parse(path.read_text()) for path in files}


def is_settings(node: ast.expr) -> bool:
    """Tell whether an expression is settings in force: by the names that this code gives them."""
    match node:
        case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name)):
            return name in ("settings_at", "settings_of", "in_force")
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name in ("in_force", "house", "settings")
    return False


def read_outside() -> Iterator[str]:
    """Yield each key, and each property of the settings in force, that code asks for."""
    for name, module in modules().items():
        if name in BOOKKEEPING:
            continue
        for node in ast.walk(module):
            match node:
                case ast.Subscript(slice=ast.Constant(value=str(key))):
                    yield key
                case ast.Call(
                    func=ast.Name(id="value_by_day"), args=[ast.Constant(value=str(key))]
                ):
                    yield key
                case ast.Attribute(value=value, attr=attribute):
                    if is_settings(value):
                        yield attribute


def read_by_properties() -> dict[str, set[str]]:
    """Return for each property of the settings in force the keys that it reads itself."""
    module = modules()["pitboss/rules/settings/in_force.py"]
    found: dict[str, set[str]] = {}
    for node in ast.walk(module):
        if isinstance(node, ast.FunctionDef):
            strings = {
                item.value
                for item in ast.walk(node)
                if isinstance(item, ast.Constant) and isinstance(item.value, str)
            }
            found[node.name] = strings & BOOK.keys()
    return found


def keys_read() -> set[str]:
    asked = set(read_outside())
    read = asked & BOOK.keys()
    for name, keys in read_by_properties().items():
        if name in asked:
            read |= keys
    for prefix, reader in FAMILIES.items():
        if reader in asked:
            read |= {key for key in BOOK if key.startswith(prefix)}
    return read


def test_every_setting_is_read_by_the_code_that_it_is_for() -> None:
    assert sorted(BOOK.keys() - keys_read()) == []


def test_every_reading_of_the_rules_is_asked_for_by_a_rule() -> None:
    asked = {
        node.attr
        for name, module in modules().items()
        if name.startswith("pitboss/rules/") and Path(name).name != "options.py"
        for node in ast.walk(module)
        if isinstance(node, ast.Attribute)
    }
    assert sorted({option.name for option in OPTIONS} - asked) == []


def test_every_family_of_settings_is_read_whole() -> None:
    chosen = {key: "read" for key in BOOK if key.startswith(SERIES)}
    in_force = SettingsInForce(chosen)
    letters = [key.removeprefix(SERIES) for key in chosen]
    assert {in_force.series(letter) for letter in letters} == {"read"}
