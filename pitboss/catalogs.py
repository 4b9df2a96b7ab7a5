"""Catalogs of translations, compiled without gettext's own tools: see docs/decisions.md.

The text of a catalog (`.po`) is what people edit. What Django reads (`.mo`) is made of it by
`manage.py catalogs`, is kept beside it, and a test compares the two.
"""

from __future__ import annotations

import ast
import struct
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

LOCALE = Path(__file__).resolve().parents[1] / "locale"
_MAGIC = 0x950412DE


def sources() -> list[Path]:
    """Return the text of every catalog."""
    return sorted(LOCALE.glob("*/LC_MESSAGES/*.po"))


@cache
def catalogs_of_scripts() -> dict[str, dict[str, str]]:
    """Return what the scripts of the terminal say, by language: the page brings it along.

    Their own catalog has the name that Django gives one of scripts.
    """
    return {
        source.parts[-3]: read_catalog(source.read_text(encoding="utf-8"))
        for source in sources()
        if source.stem == "djangojs"
    }


def read_catalog(text: str) -> dict[str, str]:
    """Return what a catalog says: each message with its translation, those without left out.

    >>> read_catalog('msgid "Sign"\\nmsgstr "Firmar"\\n\\nmsgid "PIN"\\nmsgstr ""\\n')
    {'Sign': 'Firmar'}
    """
    messages: dict[str, str] = {}
    for entry in text.split("\n\n"):
        parts = {"msgid": "", "msgstr": ""}
        for name, said in _lines(entry):
            parts[name] += said
        if parts["msgstr"]:
            messages[parts["msgid"]] = parts["msgstr"]
    return messages


def _lines(entry: str) -> Iterator[tuple[str, str]]:
    name = ""
    for line in entry.splitlines():
        if line.startswith(("msgid ", "msgstr ")):
            name, _, line = line.partition(" ")
        if line.startswith('"'):
            yield name, ast.literal_eval(line)


def compiled(messages: Mapping[str, str]) -> bytes:
    """Return a catalog as gettext reads it: sorted, its numbers in the order of the least byte."""
    pairs = sorted((message.encode(), messages[message].encode()) for message in messages)
    at = 28 + 16 * len(pairs)
    tables: list[bytes] = []
    texts = b""
    for side in (0, 1):
        for pair in pairs:
            tables.append(struct.pack("<II", len(pair[side]), at + len(texts)))
            texts += pair[side] + b"\0"
    head = struct.pack("<7I", _MAGIC, 0, len(pairs), 28, 28 + 8 * len(pairs), 0, 0)
    return head + b"".join(tables) + texts


def compile_catalogs() -> list[Path]:
    """Write what Django reads beside the text of every catalog, and return where."""
    made = []
    for source in sources():
        target = source.with_suffix(".mo")
        target.write_bytes(compiled(read_catalog(source.read_text(encoding="utf-8"))))
        made.append(target)
    return made
