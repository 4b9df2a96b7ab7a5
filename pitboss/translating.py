"""What a rule or a service says, in the language that is read now: said at the edge, not there."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from django.utils.formats import date_format
from django.utils.translation import get_language, gettext

from pitboss.rules.people.languages import ENGLISH
from pitboss.rules.said import Said, english_day, filled


def translated(sentence: str) -> str:
    """Return a sentence, with all that it names, in the language of the reader."""
    if isinstance(sentence, Said):
        return translated_words(sentence.words, sentence.names)
    return gettext(sentence)


def translated_words(words: str, names: Mapping[str, str | int]) -> str:
    """Return a sentence by what it was made of; of what it names, what has words of its own too."""
    read = {
        name: translated(value) if isinstance(value, Said) else value
        for name, value in names.items()
    }
    return filled(gettext(words), read, _day)


def _day(day: date) -> str:
    if get_language() == ENGLISH:
        return english_day(day)
    return date_format(day, "j \\d\\e F \\d\\e Y")
