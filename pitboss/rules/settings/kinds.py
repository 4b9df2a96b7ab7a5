"""Kinds of settings: how a value is read as a manager keys it, checked, and said in words.

A value is stored as plain JSON. Reading refuses with every reason; what was read is written back by
`text`, so that a form opens on the value in force.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import time
from fractions import Fraction
from typing import Any, Final, Protocol
from zoneinfo import ZoneInfo

from pitboss.rules.cheques.cheques import format_money, read_money
from pitboss.rules.day.gaming_day import Clock, Shift
from pitboss.rules.quoting import quoted
from pitboss.rules.refusal import Refusal, Refused, refuse

SHIFT_NAME_MAX: Final = 20
SHIFTS_MAX: Final = 6
_WHOLE: Final = re.compile(r"[0-9]{1,6}", re.ASCII)
_PERCENT: Final = re.compile(r"([0-9]{1,3})(?:\.([0-9]{1,2}))? ?%?", re.ASCII)
_RATIO: Final = re.compile(r"[0-9]{1,3}(/[1-9][0-9]{0,3}|\.[0-9]{1,4})?", re.ASCII)
_PREFIX: Final = re.compile(r"[A-Z]{1,4}", re.ASCII)
_SHIFT: Final = re.compile(r"([0-9]{1,2}):([0-9]{2})\s+(\S.*)", re.ASCII)


class SettingKind(Protocol):
    """What every kind of setting can do."""

    def read(self, keyed: str) -> Any:
        """Return the value that was keyed. Raises Refused."""

    def words(self, value: Any) -> str:
        """Say a value as a sentence would."""

    def text(self, value: Any) -> str:
        """Write a value as it would be keyed."""

    @property
    def hint(self) -> str:
        """Say what may be keyed."""


@dataclass(frozen=True, slots=True)
class Amount:
    """An amount of money, within limits; or none, where none has a meaning of its own."""

    least_cents: int
    most_cents: int
    none_means: str = ""

    def read(self, keyed: str) -> int | None:
        """Return the amount in cents.

        >>> Amount(0, 10_000_000).read("$5,000"), Amount(0, 100, none_means="no limit").read("")
        (500000, None)
        """
        keyed = keyed.strip()
        if self.none_means and keyed.lower() in ("", "none"):
            return None
        cents = read_money(keyed)
        if cents is None:
            raise refuse("amount_malformed", f"{quoted(keyed)} isn’t a valid amount. {self.hint}")
        if not self.least_cents <= cents <= self.most_cents:
            raise refuse("amount_out_of_range", f"{format_money(cents)} cannot be. {self.hint}")
        return cents

    def words(self, value: int | None) -> str:
        return self.none_means if value is None else format_money(value)

    def text(self, value: int | None) -> str:
        return "" if value is None else format_money(value).removeprefix("$")

    @property
    def hint(self) -> str:
        least, most = format_money(self.least_cents), format_money(self.most_cents)
        empty = f", or leave it empty for {self.none_means}" if self.none_means else ""
        return f"Enter {least} to {most}{empty}."


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number of something, within limits."""

    least: int
    most: int
    unit: str

    def read(self, keyed: str) -> int:
        """Return the number.

        >>> Whole(1, 60, "minute").read(" 15 ")
        15
        """
        if not _WHOLE.fullmatch(keyed.strip()):
            raise refuse("number_malformed", f"{quoted(keyed)} isn’t a whole number. {self.hint}")
        number = int(keyed)
        if not self.least <= number <= self.most:
            raise refuse("number_out_of_range", f"{number} cannot be. {self.hint}")
        return number

    def words(self, value: int) -> str:
        return f"{value} {self.unit}" if value == 1 else f"{value} {_plural(self.unit)}"

    def text(self, value: int) -> str:
        return str(value)

    @property
    def hint(self) -> str:
        return f"Enter {self.least} to {self.most} {_plural(self.unit)}."


def _plural(unit: str) -> str:
    """Say a unit of more than one.

    >>> _plural("minute"), _plural("try")
    ('minutes', 'tries')
    """
    return f"{unit[:-1]}ies" if unit.endswith("y") and unit != "day" else f"{unit}s"


@dataclass(frozen=True, slots=True)
class Ratio:
    """An exact number, also between two whole ones. It is stored as a fraction in lowest terms."""

    least: Fraction
    most: Fraction

    def read(self, keyed: str) -> str:
        """Return the number as a fraction.

        >>> Ratio(Fraction(0), Fraction(5)).read("1.32")
        '33/25'
        """
        if not _RATIO.fullmatch(keyed.strip()):
            raise refuse("number_malformed", f"{quoted(keyed)} isn’t a valid number. {self.hint}")
        number = Fraction(keyed.strip())
        if not self.least <= number <= self.most:
            raise refuse("number_out_of_range", f"{number} cannot be. {self.hint}")
        return str(number)

    def words(self, value: str) -> str:
        return value

    def text(self, value: str) -> str:
        return value

    @property
    def hint(self) -> str:
        return f"Enter {self.least} to {self.most}, like 1.5 or 3/2."


@dataclass(frozen=True, slots=True)
class Percent:
    """A share in hundredths of a percent: no float comes near it. Or none, as of amounts."""

    least: int
    most: int
    none_means: str = ""

    def read(self, keyed: str) -> int | None:
        """Return the share in hundredths of a percent.

        >>> Percent(0, 10_000).read("2.5%"), Percent(0, 10_000, none_means="as published").read("")
        (250, None)
        """
        keyed = keyed.strip()
        if self.none_means and keyed.lower() in ("", "none"):
            return None
        found = _PERCENT.fullmatch(keyed)
        if found is None:
            raise refuse(
                "percent_malformed", f"{quoted(keyed)} isn’t a valid percentage. {self.hint}"
            )
        share = int(found[1]) * 100 + int((found[2] or "").ljust(2, "0"))
        if not self.least <= share <= self.most:
            raise refuse("percent_out_of_range", f"{self.words(share)} cannot be. {self.hint}")
        return share

    def words(self, value: int | None) -> str:
        return self.none_means if value is None else f"{self.text(value)}%"

    def text(self, value: int | None) -> str:
        if value is None:
            return ""
        whole, hundredths = divmod(value, 100)
        return f"{whole}.{hundredths:02}".rstrip("0").rstrip(".") if hundredths else str(whole)

    @property
    def hint(self) -> str:
        empty = f", or leave it empty for {self.none_means}" if self.none_means else ""
        return f"Enter {self.words(self.least)} to {self.words(self.most)}{empty}."


@dataclass(frozen=True, slots=True)
class Choice:
    """One of a few named ways, each with the words for it."""

    choices: Mapping[str, str]

    def read(self, keyed: str) -> str:
        """Return the name of the choice."""
        if keyed not in self.choices:
            raise refuse("choice_unknown", f"{quoted(keyed)} isn’t one of the choices. {self.hint}")
        return keyed

    def words(self, value: str) -> str:
        return self.choices.get(value, value)

    def text(self, value: str) -> str:
        return value

    @property
    def hint(self) -> str:
        return f"Choose one of: {', '.join(self.choices)}."


@dataclass(frozen=True, slots=True)
class Prefix:
    """The letters before the number of a slip."""

    def read(self, keyed: str) -> str:
        """Return the letters.

        >>> Prefix().read(" fl ")
        'FL'
        """
        prefix = keyed.strip().upper()
        if not _PREFIX.fullmatch(prefix):
            raise refuse("prefix_malformed", f"{quoted(keyed)} isn’t a valid prefix. {self.hint}")
        return prefix

    def words(self, value: str) -> str:
        return value

    def text(self, value: str) -> str:
        return value

    @property
    def hint(self) -> str:
        return "Enter one to four letters from A to Z."


@dataclass(frozen=True, slots=True)
class ShiftList:
    """The shifts of a gaming day, one a line. The first starts the day."""

    def read(self, keyed: str) -> list[dict[str, str]]:
        """Return the shifts as they are stored. Every line that is wrong is named.

        >>> ShiftList().read("6:00 Day\\n18:00 Night")
        [{'name': 'Day', 'starts': '06:00'}, {'name': 'Night', 'starts': '18:00'}]
        """
        lines = [line.strip() for line in keyed.splitlines() if line.strip()]
        if not 1 <= len(lines) <= SHIFTS_MAX:
            raise refuse("shifts_malformed", f"A day has 1 to {SHIFTS_MAX} shifts. {self.hint}")
        shifts, refusals = [], []
        for number, line in enumerate(lines, 1):
            found = _SHIFT.fullmatch(line)
            hour, minute = (int(found[1]), int(found[2])) if found else (24, 0)
            name = found[3].strip() if found else ""
            if hour > 23 or minute > 59 or not 0 < len(name) <= SHIFT_NAME_MAX:
                message = f"Line {number}, {quoted(line)}, isn’t a valid shift. {self.hint}"
                refusals.append(Refusal("shifts_malformed", message))
            shifts.append({"name": name, "starts": f"{hour:02}:{minute:02}"})
        if refusals:
            raise Refused(refusals)
        try:
            clock_of(shifts, ZoneInfo("UTC"))
        except ValueError as error:
            sentence = str(error)
            raise refuse(
                "shifts_out_of_order", f"{sentence[0].upper()}{sentence[1:]}. {self.hint}"
            ) from None
        return shifts

    def words(self, value: list[dict[str, str]]) -> str:
        return ", ".join(f"{shift['name']} from {shift['starts']}" for shift in value)

    def text(self, value: list[dict[str, str]]) -> str:
        return "\n".join(f"{shift['starts']} {shift['name']}" for shift in value)

    @property
    def hint(self) -> str:
        return "Enter one shift per line, such as 06:00 Day, from the first of the gaming day."


def clock_of(shifts: list[dict[str, str]], zone: ZoneInfo) -> Clock:
    """Return the clock by which a house with these shifts divides time."""
    return Clock(
        zone,
        tuple(Shift(shift["name"], time.fromisoformat(shift["starts"])) for shift in shifts),
    )
