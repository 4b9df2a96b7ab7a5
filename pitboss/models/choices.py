"""How the pure rules' own words become choices of a column."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from django.db.models import Q


def choices(words: type[StrEnum]) -> list[tuple[str, str]]:
    """Return an enum as choices, each word shown as it is said."""
    return [(word.value, word.value.replace("_", " ").capitalize()) for word in words]


def known(column: str, words: Iterable[str]) -> Q:
    """Return the condition that a column holds one of these words."""
    return Q(**{f"{column}__in": [str(word) for word in words]})
