"""Read the fields of a question about a rating: each checked for its type, nothing guessed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date, datetime
from enum import StrEnum
from fractions import Fraction
from typing import Any, Final, TypeVar
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pitboss.rules.quoting import quoted
from pitboss.rules.ratings.reckoning import PaceTable, Span
from pitboss.rules.refusal import Refused, refuse

T = TypeVar("T")
Named = TypeVar("Named", bound=StrEnum)

# A number beyond it is no amount, no second and no count of anything on a floor.
WHOLE_MAX: Final = 10**24
LIST_MAX: Final = 100_000
_FRACTION: Final = re.compile(r"-?[0-9]{1,80}(?:/[1-9][0-9]{0,79})?")
_RATIO: Final = re.compile(r"[0-9]{1,3}:[1-9][0-9]{0,2}")
_REQUIRED: Final = object()


class Fields:
    """The fields of one object. Every reader names its field when it refuses. Raises Refused."""

    def __init__(self, given: object, name: str = "case") -> None:
        if not isinstance(given, Mapping):
            raise refuse("bad_case", f"{name} must be an object.")
        self._given: Mapping[str, Any] = given

    def has(self, name: str) -> bool:
        """Tell whether a field is there and says something."""
        return self._given.get(name) is not None

    def whole(self, name: str, default: object = _REQUIRED, *, least: int | None = None) -> int:
        """Return a whole number."""
        value = self._value(name, default)
        if (
            type(value) is not int
            or abs(value) > WHOLE_MAX
            or (least is not None and value < least)
        ):
            from_least = "" if least is None else f", {least} or more"
            raise self._bad(name, f"a whole number{from_least}")
        return value

    def whole_or_none(self, name: str) -> int | None:
        """Return a whole number, or None where the field is absent or null."""
        return self.whole(name) if self.has(name) else None

    def fraction(self, name: str, default: object = _REQUIRED) -> Fraction:
        """Return a fraction, written as odds writes it: "4059/125333", "9", "-1"."""
        value = self._value(name, default)
        if isinstance(value, Fraction):
            return value
        if type(value) is int and abs(value) <= WHOLE_MAX:
            return Fraction(value)
        if not isinstance(value, str) or not _FRACTION.fullmatch(value):
            raise self._bad(name, 'a fraction like "3/2"')
        return Fraction(value)

    def ratio(self, name: str) -> Fraction:
        """Return odds such as 3:2."""
        value = self._value(name, _REQUIRED)
        if not isinstance(value, str) or not _RATIO.fullmatch(value):
            raise self._bad(name, 'odds like "3:2"')
        pays, of = value.split(":")
        return Fraction(int(pays), int(of))

    def flag(self, name: str) -> bool:
        """Return a yes or no; absent is no."""
        value = self._value(name, False)
        if not isinstance(value, bool):
            raise self._bad(name, "true or false")
        return value

    def text(self, name: str, default: object = _REQUIRED) -> str:
        """Return a short text."""
        value = self._value(name, default)
        if not isinstance(value, str) or len(value) > 100:
            raise self._bad(name, "a text of 100 characters or fewer")
        return value

    def choice(self, name: str, choices: type[Named]) -> Named:
        """Return one of the named choices."""
        try:
            return choices(self.text(name))
        except ValueError:
            raise self._bad(name, " or ".join(choices)) from None

    def instant(self, name: str) -> datetime:
        """Return an instant with its offset from UTC."""
        try:
            at = datetime.fromisoformat(self.text(name))
        except ValueError:
            raise self._bad(name, "a time like 2026-05-02T05:10:00-04:00") from None
        if at.tzinfo is None:
            raise self._bad(name, "a time with its offset from UTC")
        return at

    def zone(self, name: str) -> ZoneInfo:
        """Return a time zone by its name."""
        try:
            return ZoneInfo(self.text(name))
        except (ZoneInfoNotFoundError, ValueError):
            raise self._bad(name, "a time zone like America/New_York") from None

    def object_at(self, name: str) -> Fields:
        """Return an object within this one; absent is one without fields."""
        return Fields(self._value(name, {}), name)

    def named(self, name: str) -> Iterator[tuple[str, Fields]]:
        """Yield the objects within an object, by their names."""
        given = self._mapping(name)
        for key, value in given.items():
            yield str(key), Fields(value, f"{name} {quoted(key)}")

    def names(self, name: str) -> list[str]:
        """Return a list of short texts."""
        return self._list(name, lambda value: Fields({name: value}).text(name))

    def wholes(self, name: str, *, least: int | None = None) -> list[int]:
        """Return a list of whole numbers; absent is none."""
        return self._list(name, lambda value: Fields({name: value}).whole(name, least=least))

    def objects(self, name: str) -> list[Fields]:
        """Return a list of objects; absent is none."""
        return self._list(name, lambda value: Fields(value, name))

    def pairs(self, name: str) -> list[tuple[int, int]]:
        """Return a list of two whole numbers each; absent is none."""
        return [(first, second) for first, second in self._pairs(name) if second is not None]

    def spans(self, name: str, *, now: int | None = None) -> list[Span]:
        """Return spans of seconds; one without an end lasts until now."""
        found: list[Span] = []
        for begins, ends in self._pairs(name, open_ended=now is not None):
            until = now if ends is None else ends
            assert until is not None
            if until < begins:
                raise self._bad(name, "spans that end after they begin")
            found.append((begins, until))
        return found

    def lists(self, name: str) -> list[list[Any]]:
        """Return a list of lists; absent is none."""

        def inner(value: object) -> list[Any]:
            if not isinstance(value, list):
                raise self._bad(name, "a list of lists")
            return value

        return self._list(name, inner)

    def text_by_name(self, name: str) -> dict[str, str]:
        """Return short texts by their names; absent is none."""
        given = self._mapping(name)
        return {str(key): Fields(given).text(key) for key in given}

    def whole_by_name(self, name: str) -> dict[str, int]:
        """Return whole numbers by their names; absent is none."""
        given = self._mapping(name)
        return {str(key): Fields(given).whole(key) for key in given}

    def whole_by_day(self, name: str) -> dict[date, int]:
        """Return whole numbers by their days."""
        try:
            return {
                date.fromisoformat(day): number for day, number in self.whole_by_name(name).items()
            }
        except ValueError:
            raise self._bad(name, "an object by days like 2026-05-01") from None

    def pace(self, name: str = "pace") -> PaceTable:
        """Return rounds an hour by number of players, from one player up without a gap."""
        given = self.whole_by_name(name)
        if not given or set(given) != {str(players) for players in range(1, len(given) + 1)}:
            raise self._bad(name, "rounds an hour by 1, 2, 3 and more players")
        return {int(players): rate for players, rate in given.items()}

    def _pairs(self, name: str, *, open_ended: bool = False) -> list[tuple[int, int | None]]:
        def pair(value: object) -> tuple[int, int | None]:
            if not isinstance(value, list) or len(value) != 2:
                raise self._bad(name, "a list of two numbers each")
            first, second = value
            read = Fields({name: first, "second": second})
            return read.whole(name), None if second is None and open_ended else read.whole("second")

        return self._list(name, pair)

    def _mapping(self, name: str) -> Mapping[str, Any]:
        given = self._value(name, {})
        if not isinstance(given, Mapping):
            raise self._bad(name, "an object")
        return given

    def _list(self, name: str, read: Callable[[object], T]) -> list[T]:
        given = self._value(name, [])
        if not isinstance(given, list) or len(given) > LIST_MAX:
            raise self._bad(name, "a list")
        return [read(value) for value in given]

    def _value(self, name: str, default: object) -> Any:
        value = self._given.get(name, default)
        if value is _REQUIRED:
            raise refuse(f"bad_{name}", f"Add {name}: this question needs it.")
        return value

    def _bad(self, name: str, wanted: str) -> Refused:
        return refuse(f"bad_{name}", f"{name} must be {wanted}.")


Answer = dict[str, Any]
# What answers one question, of the fields of its case.
Ask = Callable[[Fields], Answer]
