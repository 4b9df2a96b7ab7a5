"""What an entry of the floor log asks: each field reads what was keyed, and says it in words.

A tablet posts texts, a terminal sends JSON; both are read here, so that an entry holds the same
plain values whoever made it. Reading refuses with every reason.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, ClassVar, Final

from pitboss.rules.cheques.cheques import (
    COUNT_MAX,
    format_cheques,
    format_money,
    ordered,
    parse_cheques,
    read_money,
    total_cents,
)
from pitboss.rules.cheques.keys import SetKind
from pitboss.rules.floor.irregularities import SEATS_AT_A_TABLE
from pitboss.rules.quoting import quoted
from pitboss.rules.refusal import Refusal, Refused, refuse
from pitboss.rules.said import Said

AMOUNT_MAX_CENTS: Final = 100_000_000
WORDS_MAX: Final = 200
_WHOLE: Final = re.compile(r"[0-9]{1,9}", re.ASCII)

Facts = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Field(ABC):
    """One question: its name, how a screen puts it, and whether an entry can do without it."""

    # How a screen draws it.
    shape: ClassVar[str] = "words"

    name: str
    label: str
    hint: str = ""
    is_needed: bool = True

    @abstractmethod
    def read(self, raw: object) -> Any:
        """Return the plain value of what was keyed or sent. Raises Refused."""

    def words(self, value: Any) -> str:
        """Say a value."""
        return str(value)

    def _refuse(self, message: str) -> Refused:
        told = Said("{label}: {message}", label=Said(self.label), message=message)
        return refuse(f"{self.name}_malformed", told)


@dataclass(frozen=True, slots=True, kw_only=True)
class Money(Field):
    """An amount: keyed in dollars, sent in cents."""

    shape = "money"

    # Whether nothing at all is an amount.
    may_be_none: bool = False

    def read(self, raw: object) -> int:
        """Return the amount in cents.

        >>> Money(name="amount_cents", label="Cash").read("$1,250"), Money(
        ...     name="amount_cents", label="Cash").read(125_000)
        (125000, 125000)
        >>> Money(name="envy", label="Envy", may_be_none=True).read("0")
        0
        """
        if isinstance(raw, str) and (cents := read_money(raw)) is not None:
            raw = cents
        if isinstance(raw, bool) or not isinstance(raw, int):
            raise self._refuse(
                Said("{raw} isn’t a valid amount. Enter dollars, like 1,250.", raw=quoted(raw))
            )
        if raw == 0 and self.may_be_none:
            return raw
        if not 0 < raw <= AMOUNT_MAX_CENTS:
            raise self._refuse(
                Said(
                    "amount must be more than $0 and at most {most_cents}. Enter it again.",
                    most_cents=AMOUNT_MAX_CENTS,
                )
            )
        return raw

    def words(self, value: int) -> str:
        return format_money(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cheques(Field):
    """Cheques by denomination."""

    shape = "cheques"

    def read(self, raw: object) -> dict[str, int]:
        """Return the cheques, by denomination in cents, highest first.

        >>> Cheques(name="taken", label="Taken in").read({"2500": 4, "10000": 1})
        {'10000': 1, '2500': 4}
        """
        cheques = {cents: count for cents, count in parse_cheques(raw).items() if count}
        if not cheques:
            raise self._refuse("no cheques entered. Enter how many of each.")
        return {str(cents): cheques[cents] for cents in ordered(cheques)}

    def words(self, value: Mapping[str, int]) -> str:
        cheques = cheques_of(value)
        return f"{format_cheques(cheques)}, {format_money(total_cents(cheques))}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Count(Cheques):
    """A count by denomination, blind. None at all is a count too: the tray is empty."""

    shape = "count"
    is_needed: bool = False
    # Of which kind of set; none where all that can be there is counted.
    of: SetKind | None = None

    def read(self, raw: object) -> dict[str, int]:
        """Return the cheques that were found, by denomination in cents, highest first.

        >>> Count(name="cheques", label="Count").read({"2500": 4, "500": 0})
        {'2500': 4}
        """
        return {str(cents): count for cents, count in parse_cheques(raw).items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Words(Field):
    """A few words of one's own."""

    most: int = WORDS_MAX

    def read(self, raw: object) -> str:
        if not isinstance(raw, str):
            raise self._refuse("enter it in plain words.")
        told = " ".join(raw.split())
        if len(told) > self.most or not told.isprintable():
            raise self._refuse(Said("too long. Use {most} characters or fewer.", most=self.most))
        return told


@dataclass(frozen=True, slots=True, kw_only=True)
class Text(Field):
    """A text of several lines, kept as it was entered."""

    shape = "text"

    def read(self, raw: object) -> str:
        """Return the text as it is.

        >>> Text(name="value", label="New value").read("05:00 Day\\n13:00 Swing")
        '05:00 Day\\n13:00 Swing'
        """
        if not isinstance(raw, str):
            raise self._refuse("enter it as text.")
        return raw


@dataclass(frozen=True, slots=True, kw_only=True)
class Pick(Field):
    """One of a few choices."""

    shape = "pick"

    choices: Mapping[str, str]
    # Whether nothing is chosen until someone chooses: a judgment is no one's first line.
    starts_empty: bool = False

    def read(self, raw: object) -> str:
        if not isinstance(raw, str) or raw not in self.choices:
            raise self._refuse(Said("choose {listed}.", listed=", ".join(self.choices)))
        return raw

    def words(self, value: str) -> str:
        return self.choices.get(value, value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Day(Field):
    """A date, as a calendar gives it."""

    shape = "day"

    def read(self, raw: object) -> str:
        """Return the date as it is stored.

        >>> Day(name="dated", label="Dated").read("2026-05-01")
        '2026-05-01'
        """
        try:
            return date.fromisoformat(raw if isinstance(raw, str) else "").isoformat()
        except ValueError:
            raise self._refuse("choose a day, like 2026-05-01.") from None

    def words(self, value: str) -> str:
        return f"{date.fromisoformat(value):%b %-d, %Y}"


@dataclass(frozen=True, slots=True, kw_only=True)
class DayAndTime(Field):
    """A day and a time, by the clock of the house where no offset is given."""

    shape = "moment"

    def read(self, raw: object) -> str:
        """Return the day and time as they are stored.

        >>> DayAndTime(name="true_time", label="Time").read("2026-05-01T10:00")
        '2026-05-01T10:00:00'
        """
        try:
            at = datetime.fromisoformat(raw.strip() if isinstance(raw, str) else "")
        except ValueError:
            raise self._refuse("choose a day and a time.") from None
        # At the ends of the calendar no clock of another zone can be read.
        if not date.min.year < at.year < date.max.year:
            raise self._refuse("choose a day and a time.")
        return at.isoformat()

    def words(self, value: str) -> str:
        return f"{datetime.fromisoformat(value):%b %-d, %Y, %H:%M}"


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeOfDay(Field):
    """A time as the clock of the house shows it."""

    shape = "clock"

    def read(self, raw: object) -> str:
        """Return the hour and minute as they are stored.

        >>> TimeOfDay(name="told_at", label="Told at").read("14:05")
        '14:05'
        """
        try:
            at = datetime.strptime(raw if isinstance(raw, str) else "", "%H:%M")  # noqa: DTZ007
        except ValueError:
            raise self._refuse("enter the time as the clock shows it, like 14:05.") from None
        return f"{at:%H:%M}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Yes(Field):
    """Something that is so, or is not: a box to tick."""

    shape = "yes"
    is_needed: bool = False

    def read(self, raw: object) -> bool:
        if raw not in (True, False, "yes"):
            raise self._refuse("enter true or false.")
        return raw in (True, "yes")

    def words(self, value: bool) -> str:
        return "yes" if value else "no"


@dataclass(frozen=True, slots=True, kw_only=True)
class Number(Field):
    """A whole number of something, within limits."""

    shape = "number"

    least: int = 0
    most: int = COUNT_MAX
    unit: str = ""

    def read(self, raw: object) -> int:
        if isinstance(raw, str) and _WHOLE.fullmatch(raw.strip()):
            raw = int(raw)
        if isinstance(raw, bool) or not isinstance(raw, int) or not self.least <= raw <= self.most:
            raise self._refuse(
                Said(
                    "enter a whole number from {least} to {most}.",
                    least=self.least,
                    most=self.most,
                )
            )
        return raw

    def words(self, value: int) -> str:
        return f"{value} {self.unit}".strip()


_SEATS: Final = {str(seat): str(seat) for seat in range(1, SEATS_AT_A_TABLE + 1)}


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatNumber(Field):
    """One seat of a table, counted from the dealer's left."""

    shape = "seat"
    choices: ClassVar[Mapping[str, str]] = _SEATS

    def read(self, raw: object) -> int:
        seat = int(raw) if isinstance(raw, str) and _WHOLE.fullmatch(raw.strip()) else raw
        if type(seat) is not int or not 1 <= seat <= SEATS_AT_A_TABLE:
            raise self._refuse(Said("choose a seat from 1 to {most}.", most=SEATS_AT_A_TABLE))
        return seat


@dataclass(frozen=True, slots=True, kw_only=True)
class Seats(Field):
    """Several seats of a table, or none."""

    shape = "seats"
    choices: ClassVar[Mapping[str, str]] = _SEATS
    is_needed: bool = False

    def read(self, raw: object) -> list[int]:
        """Return the seats in their order, each once.

        >>> Seats(name="out", label="Out").read(["6", 4, "6"])
        [4, 6]
        """
        if not isinstance(raw, list):
            raise self._refuse("enter a list of seats.")
        one = SeatNumber(name=self.name, label=self.label)
        return sorted({one.read(item) for item in raw})

    def words(self, value: list[int]) -> str:
        return ", ".join(map(str, value))


@dataclass(frozen=True, slots=True, kw_only=True)
class Several(Field):
    """Any of what a page offers, ticked by hand, or nothing. No name has a blank in it."""

    shape = "several"
    is_needed: bool = False

    def read(self, raw: object) -> list[str]:
        if not isinstance(raw, list) or not all(isinstance(item, str) for item in raw):
            raise self._refuse("enter a list of names.")
        # Ticked one by one, and carried together to the signature.
        return [name for item in raw for name in item.split()]

    def words(self, value: list[str]) -> str:
        return ", ".join(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Each(Field):
    """A word for each of several things that a page offers, posted as `<name>_<thing>`."""

    shape = "each"

    def read(self, raw: object) -> dict[str, str]:
        """Return the words by their things.

        >>> Each(name="seal", label="Seals").read({"06-R-0001": "77-1"})
        {'06-R-0001': '77-1'}
        """
        if not isinstance(raw, dict) or not all(isinstance(item, str) for item in raw.values()):
            raise self._refuse("enter a word for each.")
        return dict(raw)

    def words(self, value: Mapping[str, str]) -> str:
        return ", ".join(f"{thing} {word}" for thing, word in value.items())


def read_facts(asks: Iterable[Field], given: Mapping[str, object]) -> dict[str, Any]:
    """Return the plain values of what was given to each field. Raises Refused, with all reasons.

    >>> asks = (Money(name="amount_cents", label="Cash"), Words(name="note", label="Note",
    ...     is_needed=False))
    >>> read_facts(asks, {"amount_cents": "500", "note": ""})
    {'amount_cents': 50000}
    """
    asks = tuple(asks)
    refusals: list[Refusal] = []
    facts: dict[str, Any] = {}
    for field in asks:
        raw = given.get(field.name)
        if raw is None or raw in ({}, []) or (isinstance(raw, str) and not raw.strip()):
            if field.is_needed:
                missing = Said("{label}: enter it first.", label=Said(field.label))
                refusals.append(Refusal(f"{field.name}_missing", missing))
            continue
        try:
            facts[field.name] = field.read(raw)
        except Refused as refused:
            refusals.extend(refused.refusals)
    strange = sorted(set(given) - {field.name for field in asks})
    if strange:
        refusals.append(
            Refusal(
                "not_asked",
                Said("{name} is not asked here. Leave it out.", name=quoted(strange[0])),
            )
        )
    if refusals:
        raise Refused(refusals)
    return facts


def told(asks: Iterable[Field], facts: Facts) -> list[tuple[str, str]]:
    """Return each answer in words, under the label of its field."""
    return [(field.label, field.words(facts[field.name])) for field in asks if field.name in facts]


def cheques_of(value: Mapping[str, int]) -> dict[int, int]:
    """Return stored cheques as the rules take them."""
    return {int(cents): count for cents, count in value.items()}
