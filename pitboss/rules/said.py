"""Sentences that know what they were made of, so that they can be said in other languages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import date

from pitboss.rules.money import format_money


class Said(str):
    """A sentence in English that knows what it was made of, so that it is read in others too.

    What it names says by its ending what it is: cents are money, and `_on` is a day.
    """

    words: str
    names: Mapping[str, str | int]

    def __new__(cls, words: str, **given: object) -> Said:
        names: dict[str, str | int] = {}
        for name, value in given.items():
            # The exact types are asked first: they are the common ones, and quick to ask.
            is_plain = type(value) is str or type(value) is int or isinstance(value, str | int)
            names[name] = value if is_plain else str(value)  # type: ignore[assignment]
        said = super().__new__(cls, filled(words, names, english_day))
        said.words, said.names = words, names
        return said


def filled(words: str, names: Mapping[str, str | int], day: Callable[[date], str]) -> str:
    """Return a sentence with what it names, days as the reader writes them.

    >>> filled("{amount_cents} by {due_on}", {"amount_cents": 500, "due_on": "2026-05-15"},
    ...        english_day)
    '$5 by May 15, 2026'
    """
    if not names:
        return words
    read = dict(names)
    for name, value in names.items():
        if name.endswith("_cents"):
            read[name] = format_money(int(value))
        elif name.endswith("_on"):
            read[name] = day(date.fromisoformat(str(value)))
    return words.format_map(read)


def english_day(day: date) -> str:
    """Return a day as it is written in English."""
    return f"{day:%b %-d, %Y}"


def whole(sentence: str) -> Said:
    """Return a sentence in which nothing is filled in as one that is read in other languages too.

    >>> whole("Send {}.").words
    'Send {}.'
    """
    return sentence if isinstance(sentence, Said) else Said(sentence)


def joined(parts: Iterable[str], between: str = " ") -> Said:
    """Return sentences one after another, each of which is still known for itself.

    >>> said = joined([Said("{count} cards.", count=2), "Check them."])
    >>> said, said.words
    ('2 cards. Check them.', '{part_0} {part_1}')
    """
    names = {f"part_{place}": whole(part) for place, part in enumerate(parts)}
    return Said(between.join(f"{{{name}}}" for name in names), **names)
