"""Sentences that know what they were made of, so that they can be said in other languages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date

from pitboss.rules.cheques.cheques import format_money


class Said(str):
    """A sentence in English that knows what it was made of, so that it is read in others too.

    What it names says by its ending what it is: cents are money, and `_on` is a day.
    """

    words: str
    names: Mapping[str, str | int]

    def __new__(cls, words: str, **given: object) -> Said:
        names = {
            name: value if isinstance(value, str | int) else str(value)
            for name, value in given.items()
        }
        said = super().__new__(cls, filled(words, names, english_day))
        said.words, said.names = words, names
        return said


def filled(words: str, names: Mapping[str, str | int], day: Callable[[date], str]) -> str:
    """Return a sentence with what it names, days as the reader writes them.

    >>> filled("{amount_cents} by {due_on}", {"amount_cents": 500, "due_on": "2026-05-15"},
    ...        english_day)
    '$5 by May 15, 2026'
    """
    return words.format(**{name: _named(name, value, day) for name, value in names.items()})


def _named(name: str, value: str | int, day: Callable[[date], str]) -> str:
    if name.endswith("_cents"):
        return format_money(int(value))
    return day(date.fromisoformat(str(value))) if name.endswith("_on") else str(value)


def english_day(day: date) -> str:
    """Return a day as it is written in English."""
    return f"{day:%b %-d, %Y}"
