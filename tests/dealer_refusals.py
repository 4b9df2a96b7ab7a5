"""The refusals that a dealer or a patron meets, read from where they are written."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tests.visible import PROJECT

# Where a dealer taps in and out, signs, calls, asks, and is approved; where a PIN is entered.
WRITTEN_IN = (
    "pitboss/rules/flows/signing.py",
    "pitboss/services/attempts.py",
    "pitboss/services/pads.py",
    "pitboss/services/pins.py",
    "pitboss/services/signing.py",
    "tables/services/approvals.py",
    "tables/services/calls.py",
    "tables/services/dealers.py",
    "tables/services/shoes.py",
)


def dealer_refusals() -> Iterator[tuple[str, str]]:
    """Yield each sentence that refuses, as a catalog names it, with where it is written.

    One that no catalog can name, because it is filled in where it is written, is "".
    """
    for where in WRITTEN_IN:
        tree = ast.parse((PROJECT / where).read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and len(node.args) > 1 and _is(node, "refuse", "Refusal"):
                yield from ((f"{where}:{node.lineno}", each) for each in _words(node.args[1]))
            elif isinstance(node, ast.Call) and _is(node, "Said"):
                yield from ((f"{where}:{node.lineno}", each) for each in _words(node))


def _is(call: ast.Call, *names: str) -> bool:
    return getattr(call.func, "id", "") in names


def _words(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.Constant):
        yield str(node.value)
    elif isinstance(node, ast.IfExp):
        yield from (*_words(node.body), *_words(node.orelse))
    elif isinstance(node, ast.Call) and _is(node, "Said") and not _is_word(node.args[0]):
        yield from _words(node.args[0])
    elif isinstance(node, ast.JoinedStr):
        yield ""


def _is_word(node: ast.expr) -> bool:
    """Tell the name of a role or of a place from a sentence: it is tried by its own test."""
    return not isinstance(node, ast.Constant | ast.IfExp)
