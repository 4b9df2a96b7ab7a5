"""A win as the tax rules see it, and how one is read from JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Any, TypeVar

from pitboss.rules.facts import AMOUNT_CENTS_MAX
from pitboss.rules.refusal import Refusal, Refused
from pitboss.rules.tax.tables import Base

Choice = TypeVar("Choice", bound=StrEnum)


class Nonresident(StrEnum):
    """How a bet is treated when a non-resident wins it, and what came of it."""

    EXEMPT = "exempt"
    WITHHOLD_30 = "withhold_30"
    TREATY = "treaty"
    ASK = "ask"


class NonresidentTrigger(StrEnum):
    """Which of a non-resident's wins are reported: the law names no minimum; a house may."""

    ANY_WIN = "any"
    AS_W2G = "w2g"


@dataclass(frozen=True, slots=True)
class Win:
    """What was won, by whom, and how this property has decided to test it.

    Wagers and receipts of identical bets are already added together. `tin` is whether a taxpayer
    number was furnished; for a treaty claim a foreign one will do. `winners` counts the people
    entitled to a part: the tests look at the whole win, never at a share.
    """

    paid_on: date
    wager_cents: int
    received_cents: int
    is_resident: bool
    has_tin: bool
    state: str | None = None
    is_state_resident: bool | None = None
    basis: Base = Base.NET
    winners: int = 1
    payer_pays_tax: bool = False
    nonresident: Nonresident = Nonresident.ASK
    nonresident_base: Base = Base.GROSS
    nonresident_trigger: NonresidentTrigger = NonresidentTrigger.ANY_WIN
    country: str | None = None
    has_w8ben: bool = False
    # The address on file, for lines that are kept from residents or from others.
    region: str = ""
    city: str = ""

    @property
    def net_cents(self) -> int:
        return self.received_cents - self.wager_cents

    def amount_cents(self, base: Base) -> int:
        """Return the winnings net of the wager or gross."""
        return self.net_cents if base is Base.NET else self.received_cents


def read_win(case: Mapping[str, Any]) -> Win:
    """Read a win from a case. Raises Refused with every fault found, not only the first."""
    reader = _Reader(case)
    paid_on = reader.date("paid_on")
    wager_cents = reader.cents("wager_cents")
    received_cents = reader.cents("received_cents")
    for wager, received in reader.identical_wagers():
        wager_cents += wager
        received_cents += received
    is_resident = reader.flag("resident")
    win = Win(
        paid_on=paid_on,
        wager_cents=wager_cents,
        received_cents=received_cents,
        is_resident=is_resident,
        # Without an answer no one may be taken to have given a number: it decides the tax.
        has_tin=reader.flag("tin"),
        state=reader.code("state"),
        is_state_resident=reader.optional_flag("state_resident"),
        basis=reader.choice("basis", Base, Base.NET),
        winners=reader.whole("winners", default=1, least=1),
        payer_pays_tax=reader.optional_flag("payer_pays_tax") or False,
        nonresident=reader.choice("nra", Nonresident, Nonresident.ASK),
        nonresident_base=reader.choice("nra_base", Base, Base.GROSS),
        nonresident_trigger=reader.choice(
            "nra_trigger", NonresidentTrigger, NonresidentTrigger.ANY_WIN
        ),
        country=reader.code("country"),
        has_w8ben=reader.optional_flag("w8ben") or False,
    )
    if reader.refusals:
        raise Refused(reader.refusals)
    return win


class _Reader:
    """Takes typed values out of a case and collects what is wrong with the others.

    A faulty value is replaced by a harmless one, so that reading goes on and finds every fault.
    """

    def __init__(self, case: Mapping[str, Any]) -> None:
        self._case = case
        self.refusals: list[Refusal] = []

    def _value(self, key: str, default: Any) -> Any:
        """Return a value; null says no more than leaving it out."""
        value = self._case.get(key)
        return default if value is None else value

    def _fault(self, code: str, message: str) -> None:
        self.refusals.append(Refusal(code, message))

    def date(self, key: str) -> date:
        value = self._case.get(key)
        try:
            day = date.fromisoformat(value) if isinstance(value, str) else None
        except ValueError:
            day = None
        # fromisoformat also reads week dates and undashed ones, which no person would notice.
        if day is None or day.isoformat() != value:
            self._fault(f"bad_{key}", f"{key} must be a date written YYYY-MM-DD.")
            return date.min
        return day

    def whole(self, key: str, *, least: int, default: int | None = None) -> int:
        value = self._value(key, default)
        if not _is_whole(value, least):
            self._fault(f"bad_{key}", f"{key} must be a whole number from {least}.")
            return least
        return int(value)

    def cents(self, key: str) -> int:
        return self.whole(key, least=0)

    def flag(self, key: str) -> bool:
        value = self.optional_flag(key)
        if value is None and self._case.get(key) is None:
            self._fault(f"bad_{key}", f"Enter whether {key} is true or false.")
        return bool(value)

    def optional_flag(self, key: str) -> bool | None:
        value = self._case.get(key)
        if value is None or isinstance(value, bool):
            return value
        self._fault(f"bad_{key}", f"{key} must be true or false.")
        return None

    def code(self, key: str) -> str | None:
        """Read a two-letter code, as "NJ" or "DE", or nothing."""
        value = self._case.get(key)
        if value is None:
            return None
        if isinstance(value, str) and len(value) == 2 and value.isascii() and value.isupper():
            return value
        self._fault(f"bad_{key}", f"{key} must be a code of two capital letters, or null.")
        return None

    def choice(self, key: str, choices: type[Choice], default: Choice) -> Choice:
        value = self._value(key, default)
        try:
            return choices(value)
        except ValueError:
            known = ", ".join(choices)
            self._fault(f"bad_{key}", f"{key} must be one of {known}.")
            return default

    def identical_wagers(self) -> list[tuple[int, int]]:
        """Read further wins on the same bet and hand, which are judged together with this one."""
        further = self._value("identical_wagers", [])
        if not isinstance(further, list) or not all(
            isinstance(win, Mapping)
            and _is_whole(win.get("wager_cents"), 0)
            and _is_whole(win.get("received_cents"), 0)
            for win in further
        ):
            self._fault(
                "bad_identical_wagers",
                "identical_wagers must be a list of wager_cents and received_cents.",
            )
            return []
        return [(win["wager_cents"], win["received_cents"]) for win in further]


def _is_whole(value: object, least: int) -> bool:
    return type(value) is int and least <= value <= AMOUNT_CENTS_MAX
