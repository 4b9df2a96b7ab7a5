"""Every refusal a case can be answered with, read from the source of the rules.

Codes are public, so they are listed for those who must act on them. The list is taken from where
the refusals are written: it cannot leave one out.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from pitboss.rules import refusal

_PACKAGE = "pitboss.rules"
_FOLDER = Path(__file__).parents[1]
_REFUSING = frozenset({"Refusal", "refuse"})
# What is filled in when the sentence is said.
_BLANK = "…"
# How far above its refusal a sentence is named.
_NEAR = 12


def refusal_index(*subjects: str, alone: tuple[str, ...] = ()) -> dict[str, tuple[str, ...]]:
    """Return the codes that these modules and all they import can give, each with its sentences.

    Of the modules that stand `alone` the imports are left out.

    >>> refusal_index("cards.playing_cards")["bad_card"]
    ('… is not a card. Write rank and suit, like Qh, Td or 7s.',)
    """
    return dict(_index(subjects, alone))


@cache
def _index(
    subjects: tuple[str, ...], alone: tuple[str, ...]
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the index: the source of a process stays as it is, and to read it takes seconds."""
    found: dict[str, dict[str, None]] = {}
    for tree in (*map(_tree, alone), *_trees(subjects)):
        for written_refusal in written_refusals(tree):
            found.setdefault(written_refusal.code, {})[written_refusal.message] = None
    return tuple((code, tuple(sorted(found[code]))) for code in sorted(found))


class WrittenRefusal(NamedTuple):
    """A refusal as it is written: its code, its sentence, and which no it is to HTTP."""

    code: str
    message: str
    status: int


def written_refusals(tree: ast.Module) -> Iterator[WrittenRefusal]:
    """Yield every refusal that a module writes out, blanks for what is filled in.

    >>> list(written_refusals(ast.parse('refuse("held", f"{slip} is held.", CONFLICT)')))
    [WrittenRefusal(code='held', message='… is held.', status=409)]
    >>> list(written_refusals(ast.parse('refuse("held", Said("{slip} is held.", slip=slip))')))
    [WrittenRefusal(code='held', message='… is held.', status=422)]
    """
    named = _named(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in _REFUSING:
            given = (*node.args, *(keyword.value for keyword in node.keywords if keyword.arg))
            # One that is made of a dictionary is written elsewhere.
            if len(given) > 1 and (code := _words(given[0])) != _BLANK:
                for message in _messages(given[1], named):
                    yield WrittenRefusal(code, message, _status(*given[2:]))


def _named(tree: ast.Module) -> dict[str, list[tuple[int, ast.expr]]]:
    """Return what a module calls by a name, and in which line: sentences are written under one."""
    named: dict[str, list[tuple[int, ast.expr]]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    named.setdefault(target.id, []).append((node.lineno, node.value))
    return named


def _messages(node: ast.expr, named: Mapping[str, list[tuple[int, ast.expr]]]) -> Iterator[str]:
    """Yield every sentence that a refusal may be: either of two, or the last of its name."""
    if isinstance(node, ast.IfExp):
        yield from (*_messages(node.body, named), *_messages(node.orelse, named))
        return
    before = [pair for pair in named.get(getattr(node, "id", ""), ()) if pair[0] < node.lineno]
    # What was called so many lines before is of another function.
    line, last = max(before, default=(0, node), key=lambda pair: pair[0])
    yield _words(last if node.lineno - line <= _NEAR else node)


def _status(node: ast.expr | None = None) -> int:
    """Return the status that a name of the refusals stands for."""
    name = node.id if isinstance(node, ast.Name) else "INPUT"
    status = getattr(refusal, name, refusal.INPUT)
    return status if isinstance(status, int) else refusal.INPUT


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
            name = node.module.removeprefix(f"{_PACKAGE}.")
            yield name
            # Of a package it may be a module that is imported.
            yield from (f"{name}.{alias.name}" for alias in node.names)


def _words(node: ast.expr) -> str:
    """Return a text as it is written, a blank for each value filled in."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(_words(part) for part in node.values)
    if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Said":
        return re.sub(r"\{\w+\}", _BLANK, _words(node.args[0]))
    return _BLANK
