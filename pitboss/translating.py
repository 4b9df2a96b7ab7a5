"""What a rule or a service says, in the language that is read now: said at the edge, not there."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from django.http import HttpRequest
from django.utils.formats import date_format
from django.utils.translation import get_language, gettext, override
from rest_framework.request import Request

from pitboss.catalogs import catalogs_of_scripts
from pitboss.rules.people.languages import ENGLISH, first_known
from pitboss.rules.said import Said, english_day, filled


def translated(sentence: str) -> str:
    """Return a sentence, with all that it names, in the language of the reader."""
    if isinstance(sentence, Said):
        return translated_words(sentence.words, sentence.names)
    return _read(sentence)


def translated_answer(answer: Any) -> Any:
    """Return an answer of the API with every sentence in it in the language of the reader.

    Only what is still known by what it was made of is a sentence: a code or a name stays.
    """
    if isinstance(answer, Said):
        return translated(answer)
    if isinstance(answer, Mapping):
        return {name: translated_answer(value) for name, value in answer.items()}
    if isinstance(answer, list | tuple):
        return [translated_answer(value) for value in answer]
    return answer


def in_language(answer: Mapping[str, Any], language: str) -> Mapping[str, Any]:
    """Return an answer of the API as it is read in a language."""
    if language == ENGLISH:
        return answer
    with override(language):
        fields: Mapping[str, Any] = translated_answer(answer)
    return fields


def asked_language(request: HttpRequest | Request | None) -> str:
    """Return the language that a program asks to be answered in; English as a rule."""
    asked = request.headers.get("Accept-Language", "") if request is not None else ""
    return first_known(asked.partition(",")[0].partition("-")[0].strip().lower())


def _read(words: str) -> str:
    """Return words in the language of the reader; what the terminal says too is said alike."""
    said = gettext(words)
    if said != words:
        return said
    return catalogs_of_scripts().get(get_language() or ENGLISH, {}).get(words, words)


def translated_words(words: str, names: Mapping[str, str | int]) -> str:
    """Return a sentence by what it was made of; of what it names, what has words of its own too."""
    read = {
        name: translated(value) if isinstance(value, Said) else value
        for name, value in names.items()
    }
    return filled(_read(words), read, _day)


def _day(day: date) -> str:
    if get_language() == ENGLISH:
        return english_day(day)
    return date_format(day, "j \\d\\e F \\d\\e Y")
