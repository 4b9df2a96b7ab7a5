"""Up to where the record is proven, for the next verification to go on from.

It is keyed: a position that was moved by hand is void, and then everything is verified.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from django.conf import settings

from pitboss.rules.canonical import canonical
from pitboss.services.journal import make_link

# What the key is used over besides entries, seals and sheets: none of those follows this.
_FOLLOWS = "position"


@dataclass(frozen=True, slots=True)
class Position:
    """Proven so far: each chain's entry and link, the newest seal, and how far in the file."""

    chains: Mapping[str, list[Any]] = field(default_factory=dict)
    seal: int = 0
    seal_link: str = ""
    seal_heads: Mapping[str, list[Any]] = field(default_factory=dict)
    seal_at: str = ""
    guards: str = ""
    file_bytes: int = 0


def position_text(position: Position) -> tuple[str, str, str]:
    """Return a position as it is stored: its text, the name of the key, and its mark."""
    keys = settings.KEYS
    text = canonical(asdict(position))
    key = keys.journal_keys[keys.journal_key_name]
    return text, keys.journal_key_name, make_link(key, _FOLLOWS, text)


def read(text: str, key_name: str, mark: str) -> Position | None:
    """Return a position that was stored, None when it is not the site's."""
    key = settings.KEYS.journal_keys.get(key_name)
    if key is None or make_link(key, _FOLLOWS, text) != mark:
        return None
    return Position(**json.loads(text))
