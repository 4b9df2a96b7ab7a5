"""What the scripts of a terminal say: sentences as their catalog names them, and those left out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from tests.visible import PROJECT

SCRIPTS = PROJECT / "static" / "pitboss" / "terminal"

# What a text is for is written before it: a class, an address, a name between programs.
_FOR_PROGRAMS = re.compile(
    r"(?:\b(?:class|kind|k|id|for|what|name|key|href|viewBox|d|preserveAspectRatio|Authorization"
    r"|Accept): |\"data-k\": |what [!=]== |\bmethod === |Authorization = |const path = "
    r"|(?:Selector|Listener|With|post|ask|stream|DateTimeFormat|LocaleString|headers)[(\[]"
    r"|ask\(\"\w+\", |\w Error\()$"
)
_CLASSES = re.compile(r"[ ]?[a-z]+(?:[ _-]+[a-z0-9]*|\$\{.*\})*")
_NAMES = {
    "Accept-Language",
    "Last-Event-ID",
    "Retry-After",
    "use strict",
    "INPUT",
    "TJQK",
    "A23456789TJQK",
    "GET",
    "POST",
    "dealer",
}


class Text(NamedTuple):
    """A text of a script: where it begins, where it ends, what it says."""

    begins: int
    ends: int
    words: str


def catalog_key(words: str) -> str:
    """Return a text as its catalog names it, what is filled in numbered.

    >>> catalog_key("Pay ${money(a)}, not ${b.map((c) => `${c}`)}.")
    'Pay {0}, not {1}.'
    """
    key, at, count = "", 0, 0
    while at < len(words):
        if words.startswith("${", at):
            at = _end_of_filled(words, at)
            key += f"{{{count}}}"
            count += 1
        else:
            key += words[at]
            at += 1
    return key


def _end_of_filled(words: str, at: int) -> int:
    depth = 0
    for place in range(at + 1, len(words)):
        depth += {"{": 1, "}": -1}.get(words[place], 0)
        if depth == 0:
            return place + 1
    raise AssertionError(f"nothing ends what is filled in: {words}")


def texts(script: str) -> list[Text]:
    """Return every text of a script, with those inside of others."""
    found: list[Text] = []
    _scan(script, 0, found, "")
    return sorted(found)


def _scan(script: str, at: int, found: list[Text], stop: str) -> int:
    while at < len(script):
        char = script[at]
        if char == stop:
            return at
        if script.startswith("//", at):
            at = script.find("\n", at)
        elif (
            char == "/"
            and (pattern := _PATTERN.match(script, at))
            and _BEFORE_PATTERN.search(script[max(0, at - 3) : at])
        ):
            at = pattern.end()
        elif char in "\"'":
            end = at + 1
            while script[end] != char:
                end += 2 if script[end] == "\\" else 1
            found.append(Text(at, end + 1, script[at + 1 : end]))
            at = end + 1
        elif char == "`":
            end = at + 1
            while script[end] != "`":
                end = (
                    _scan(script, end + 2, found, "}") + 1
                    if script.startswith("${", end)
                    else end + 1
                )
            found.append(Text(at, end + 1, script[at + 1 : end]))
            at = end + 1
        elif char == "{":
            at = _scan(script, at + 1, found, "}") + 1
        else:
            at += 1
    return at


_PATTERN = re.compile(r"/(?:[^/\\\n\[]|\\.|\[[^\]\n]*\])+/[gimsu]*")
_BEFORE_PATTERN = re.compile(r"[(=,:!&|?]\s*$")


def _scripts() -> Iterator[tuple[str, str]]:
    for path in sorted(SCRIPTS.glob("*.js")):
        yield path.name, path.read_text(encoding="utf-8")


def _is_in_catalog(script: str, text: Text) -> bool:
    return bool(re.search(r"(?<!\w)t$", script[max(0, text.begins - 2) : text.begins]))


def said_by_scripts() -> dict[str, str]:
    """Return each sentence that a catalog is asked for, with the script that says it."""
    return {
        catalog_key(text.words): name
        for name, script in _scripts()
        for text in texts(script)
        if _is_in_catalog(script, text)
    }


def said_outside() -> list[str]:
    """Return the words of scripts that no catalog is asked for."""
    return [
        f"{name}: {text.words}"
        for name, script in _scripts()
        for text in texts(script)
        if not _is_in_catalog(script, text) and _is_said(script, text)
    ]


def _is_said(script: str, text: Text) -> bool:
    if text.words in _NAMES or _FOR_PROGRAMS.search(script[max(0, text.begins - 24) : text.begins]):
        return False
    plain = re.sub(r"\{\d\}", "", catalog_key(text.words))
    if _CLASSES.fullmatch(text.words) or not re.search(r"[A-Za-z]{3}", plain):
        return False
    return " " in plain.strip() or plain.strip()[:1].isupper()
