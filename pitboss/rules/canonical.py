"""One text for one value: what is hashed, signed and compared is this text, nothing looser."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from typing import Any, Final


def canonical(value: Any) -> str:
    """Return the one JSON text of a plain value: sorted keys, no spaces, no floats.

    >>> canonical({"b": 1, "a": ["é", None]})
    '{"a":["é",null],"b":1}'
    """
    _refuse_floats(value)
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def digest(text: str) -> str:
    """Return the SHA-256 of a text, in hex."""
    return hashlib.sha256(text.encode()).hexdigest()


def is_plain(text: object) -> bool:
    """Tell whether a text can be hashed, signed and stored: no NUL, no half of a character.

    >>> is_plain("Greens are short."), is_plain("a\\x00b"), is_plain("\\ud800"), is_plain(7)
    (True, False, False, False)
    """
    if not isinstance(text, str) or "\x00" in text:
        return False
    # JSON and forms can carry a lone surrogate, which no encoding can.
    return text.isascii() or not any("\ud800" <= sign <= "\udfff" for sign in text)


# What nearly every value is: it needs no look inside.
_SAFE: Final = frozenset({str, int, bool, type(None)})
_TEXT: Final = frozenset({str})


def _refuse_floats(value: Any) -> None:
    # A float has more than one text; a signature over one could be argued about.
    if isinstance(value, float):
        raise TypeError("a float has no canonical text")
    if isinstance(value, dict):
        if not _TEXT.issuperset(map(type, value)):
            for key in value:
                if not isinstance(key, str):
                    raise TypeError(f"a key must be text, not {type(key).__name__}")
        items: Iterable[Any] = value.values()
    elif isinstance(value, list | tuple):
        items = value
    else:
        return
    if not _SAFE.issuperset(map(type, items)):
        for item in items:
            if type(item) not in _SAFE:
                _refuse_floats(item)
