"""Every string of the product that a person may read, with the place it is written at."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
PACKAGES = ("pitboss", "tables", "inventory", "jackpots")
# Read by nobody on the floor: statements of the database, and what starts servers.
_UNSEEN = ("migrations", "embedded", "postgres", "models", "ratings")
# A call whose words are for whoever reads a log or a traceback.
_FOR_ENGINEERS = re.compile(r"(?:Error|Configured|Exists|logger|_log)\b")
_SQL = re.compile(r"\b(?:SELECT|INSERT|UPDATE|DELETE|CREATE|WHERE|FROM|SET)\b")
_COMMENT = re.compile(r"\{#.*?#\}|\{% comment %\}.*?\{% endcomment %\}", re.DOTALL)
_SAID_IN_A_TAG = re.compile(
    r"(?:aria-label|title|placeholder|data-busy|text|label|default:)=?\"([^\"{]*)\""
)
_SCRIPTED = re.compile(r"\"((?:[^\"\\]|\\.)*)\"|`((?:[^`\\]|\\.)*)`")


@cache
def visible() -> tuple[tuple[str, str], ...]:
    """Return where each string is written, and its words; a value filled in is in braces."""
    return tuple(_found())


def _found() -> Iterator[tuple[str, str]]:
    for package in PACKAGES:
        for path in sorted((PROJECT / package).rglob("*.py")):
            if not set(path.relative_to(PROJECT).parts) & set(_UNSEEN):
                yield from _of_python(path)
    for folder in ("templates", "pitboss/group/templates"):
        for path in sorted((PROJECT / folder).rglob("*.html")):
            yield from _of_template(path)
    for path in sorted((PROJECT / "static" / "pitboss").rglob("*.js")):
        yield from _of_script(path)


def _of_python(path: Path) -> Iterator[tuple[str, str]]:
    tree = ast.parse(path.read_text())
    unseen = {id(part) for node in ast.walk(tree) for part in _unseen_in(node)}
    for node in ast.walk(tree):
        if id(node) in unseen:
            continue
        if isinstance(node, ast.JoinedStr):
            text = "".join(_part(value) for value in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = node.value
        else:
            continue
        if _is_said(text):
            yield f"{path.relative_to(PROJECT)}:{node.lineno}", text


def _unseen_in(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the strings under a node that are docstrings, parts of others, or for engineers."""
    if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
        first = node.body[0] if node.body else None
        if isinstance(first, ast.Expr):
            yield first.value
    elif isinstance(node, ast.JoinedStr):
        yield from (part for part in ast.walk(node) if part is not node)
    elif isinstance(node, ast.Assert) or _is_for_engineers(node):
        yield from ast.walk(node)


def _is_for_engineers(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and bool(_FOR_ENGINEERS.search(ast.unparse(node.func)))


def _part(value: ast.expr) -> str:
    if isinstance(value, ast.Constant):
        return str(value.value)
    assert isinstance(value, ast.FormattedValue)
    return "{" + ast.unparse(value.value) + "}"


def _is_said(text: str) -> bool:
    """Tell words from codes, names of fields, addresses and statements."""
    return (
        bool(re.search(r"[A-Za-z]{3}", text))
        and not _SQL.search(text)
        and (" " in text.strip() or text[:1].isupper())
    )


def _of_template(path: Path) -> Iterator[tuple[str, str]]:
    text = _COMMENT.sub(lambda found: "\n" * found[0].count("\n"), path.read_text())
    for number, line in enumerate(text.splitlines(), 1):
        for words in (*_SAID_IN_A_TAG.findall(line), _between_tags(line)):
            if re.search(r"[A-Za-z]{3}", words):
                yield f"{path.relative_to(PROJECT)}:{number}", words


def _between_tags(line: str) -> str:
    """Return the words of a line without its tags; a tag may begin or end on another line."""
    line = re.sub(r"\{%.*?%\}|\{\{.*?\}\}", "{…}", line)
    line = re.sub(r"<[^<>]*>", " ", line)
    line = re.sub(r"<[^<>]*$", " ", line)
    if re.match(r"\s*[\w-]+=\"", line) or ('">' in line and "<" not in line.split('">')[0]):
        line = line.rpartition(">")[2] if ">" in line else ""
    return line


def _of_script(path: Path) -> Iterator[tuple[str, str]]:
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if line.strip().startswith(("//", "*", "/*")):
            continue
        for plain, filled in _SCRIPTED.findall(line):
            if _is_said(plain or filled):
                yield f"{path.relative_to(PROJECT)}:{number}", plain or filled
