"""The languages that people read pads in, each by its code and by its own name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pitboss.rules.refusal import Refusal

ENGLISH: Final = "en"
LANGUAGES: Final[Mapping[str, str]] = {ENGLISH: "English", "es": "Español"}


def language_refusals(chosen: str) -> list[Refusal]:
    """Return why a language can’t be chosen; nothing chosen is English.

    >>> language_refusals("es"), language_refusals(""), language_refusals("xx")[0].code
    ([], [], 'language_unknown')
    """
    if not chosen or chosen in LANGUAGES:
        return []
    return [Refusal("language_unknown", "Choose a language from the list.")]


def first_known(*given: str | None) -> str:
    """Return the first language of those given that people can read in; English otherwise.

    >>> first_known(None, "xx", "es"), first_known("", None)
    ('es', 'en')
    """
    return next((item for item in given if item and item in LANGUAGES), ENGLISH)
