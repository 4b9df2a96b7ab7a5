"""The parts of a pay table: odds, awards in dollars, shares of a meter, and the table of rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from types import MappingProxyType
from typing import Final

from pitboss.rules.money import format_money
from pitboss.rules.said import Said, joined

LOSE: Final = "lose"
# The documents carry no dates: their tables hold from the beginning.
FROM_THE_BEGINNING: Final = date(1, 1, 1)
NOTHING: Final[Mapping[str, int]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Source:
    """Where a rule is written: the document, in short, and the paragraph."""

    document: str
    paragraph: str

    def __str__(self) -> str:
        return f"{self.document}, {self.paragraph}"


@dataclass(frozen=True, slots=True)
class Odds:
    """Profit on top of the returned stake: `Odds(5, 2)` pays 5 to 2.

    >>> Odds(5, 2).award(500), str(Odds(5, 2))
    (Fraction(1250, 1), '5 to 2')
    """

    to: int
    per: int = 1

    def award(self, stake_cents: int, meters: Mapping[str, int] = NOTHING) -> Fraction:
        """Return the exact award in cents."""
        return Fraction(stake_cents * self.to, self.per)

    def spoken(self, stake_cents: int) -> str:
        """Say what it pays on this stake."""
        return str(self)

    @property
    def said(self) -> Said:
        """What it pays, for any language."""
        return Said("{to} to {per}", to=self.to, per=self.per)

    def __str__(self) -> str:
        return f"{self.to} to {self.per}"


@dataclass(frozen=True, slots=True)
class Award:
    """An amount in dollars, printed for each stake that may be bet.

    >>> Award({500: 25000, 1000: 50000}).award(1000)
    Fraction(50000, 1)
    >>> str(Award({500: 25000, 1000: 50000}).said)
    '$250 or $500'
    """

    cents_by_stake: Mapping[int, int]

    def award(self, stake_cents: int, meters: Mapping[str, int] = NOTHING) -> Fraction:
        """Return the exact award in cents."""
        return Fraction(self.cents_by_stake[stake_cents])

    def spoken(self, stake_cents: int) -> str:
        """Say what it pays on this stake."""
        return format_money(self.cents_by_stake[stake_cents])

    @property
    def said(self) -> Said:
        """What it pays, for any language."""
        return joined(map(format_money, self.cents_by_stake.values()), " or ")

    def __str__(self) -> str:
        return " or ".join(format_money(cents) for cents in self.cents_by_stake.values())


@dataclass(frozen=True, slots=True)
class MeterShare:
    """A percentage of a posted or progressive meter, by stake.

    >>> MeterShare("MEGA", {500: 50, 1000: 100}).award(500, {"MEGA": 5_000_001})
    Fraction(5000001, 2)
    >>> str(MeterShare("MEGA", {500: 50, 1000: 100}).said)
    '50% or 100% of MEGA'
    """

    meter: str
    percent_by_stake: Mapping[int, int]

    def award(self, stake_cents: int, meters: Mapping[str, int] = NOTHING) -> Fraction:
        """Return the exact award in cents, on the meters given."""
        return Fraction(meters.get(self.meter, 0) * self.percent_by_stake[stake_cents], 100)

    def spoken(self, stake_cents: int) -> str:
        """Say what it pays on this stake."""
        return f"{self.percent_by_stake[stake_cents]}% of {self.meter}"

    @property
    def said(self) -> Said:
        """What it pays, for any language."""
        shares = joined([f"{percent}%" for percent in self.percent_by_stake.values()], " or ")
        return Said("{shares} of {meter}", shares=shares, meter=self.meter)

    def __str__(self) -> str:
        shares = " or ".join(f"{percent}%" for percent in self.percent_by_stake.values())
        return f"{shares} of {self.meter}"


Pay = Odds | Award | MeterShare


@dataclass(frozen=True, slots=True)
class PayTable:
    """What one wager pays, row by row, best row first.

    `ante_pays` is Raise the Roof's column for an ante without a raise; `envy_cents` is what goes to
    the dealers' tokes beside a winning hand; `stakes_cents` are the only stakes the table takes.
    """

    wager: str
    id: str
    name: str
    pays: Mapping[str, Pay]
    source: Source
    version: int = 1
    valid_from: date = FROM_THE_BEGINNING
    ante_pays: Mapping[str, Pay] = field(default_factory=dict)
    envy_cents: Mapping[str, int] = field(default_factory=dict)
    stakes_cents: tuple[int, ...] = ()
    soft_17: str | None = None
    decks: tuple[int, ...] = ()
    dealer_wins_ties: bool = False
    is_house_defined: bool = False

    def best(self, rows: Iterable[str]) -> str:
        """Return the best row that this table pays among those a hand fits, or "lose"."""
        pays = self.pays
        if self.is_house_defined:
            # The house may rank its rows as it likes: the best row is the first of its own order.
            fits = frozenset(rows)
            for row in pays:
                if row in fits:
                    return row
            return LOSE
        for row in rows:
            if row in pays:
                return row
        return LOSE
