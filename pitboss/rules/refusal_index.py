"""Every refusal a case can be answered with, read from the source of the rules.

Codes are public, so they are listed for those who must act on them. The list is taken from where
the refusals are written: it cannot leave one out.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

_PACKAGE = "pitboss.rules"
_FOLDER = Path(__file__).parent
_REFUSING = frozenset({"Refusal", "refuse"})
# What is filled in when the sentence is said.
_BLANK = "…"


def refusal_index(*subjects: str, alone: tuple[str, ...] = ()) -> dict[str, tuple[str, ...]]:
    """Return the codes that these modules and all they import can give, each with its sentences.

    Of the modules that stand `alone` the imports are left out.

    >>> refusal_index("cards")["bad_card"]
    ('… is not a card. Write rank and suit, like Qh, Td or 7s.',)
    """
    found: dict[str, dict[str, None]] = {}
    for tree in (*map(_tree, alone), *_trees(subjects)):
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in _REFUSING:
                code, message = node.args[:2]
                found.setdefault(_words(code), {})[_words(message)] = None
    return {code: tuple(sorted(found[code])) for code in sorted(found) if code != _BLANK}


def _trees(subjects: tuple[str, ...]) -> Iterator[ast.Module]:
    """Yield the source of modules of this package and of every other one they import."""
    waiting, seen = list(subjects), set(subjects)
    while waiting:
        tree = _tree(waiting.pop())
        yield tree
        for name in _imported(tree):
            if name not in seen and _file(name).exists():
                seen.add(name)
                waiting.append(name)


def _tree(name: str) -> ast.Module:
    return ast.parse(_file(name).read_text(encoding="utf-8"))


def _file(name: str) -> Path:
    return _FOLDER / f"{name.replace('.', '/')}.py"


def _imported(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.ImportFrom) or node.module is None:
            continue
        if node.module == _PACKAGE:
            yield from (alias.name for alias in node.names)
        elif node.module.startswith(f"{_PACKAGE}."):
            yield node.module.removeprefix(f"{_PACKAGE}.")


def _words(node: ast.expr) -> str:
    """Return a text as it is written, a blank for each value filled in."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(_words(part) for part in node.values)
    return _BLANK
