"""Tax lines of states and cities as data: what is kept back besides federal tax, and since when.

A line holds only with the name of who confirmed it. Those that are shipped have none: they are a
start for the tax adviser, and withhold nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from enum import StrEnum, unique
from typing import Final

from pitboss.rules.money import BASIS_POINTS
from pitboss.rules.refusal import Refusal
from pitboss.rules.tax.tables import Base

PLACE_MAX: Final = 40


@unique
class LineLevel(StrEnum):
    """Whose line it is: boxes 13 to 15 of a W-2G, or boxes 16 to 18."""

    STATE = "state"
    LOCAL = "local"


@unique
class LineTrigger(StrEnum):
    """What makes a state or city take its line."""

    FEDERAL_WITHHOLDING = "federal_withholding"
    ANY_W2G = "any_w2g"
    OWN_AMOUNT = "own_amount"
    OWN_RATIO = "own_ratio"


@unique
class WithheldFrom(StrEnum):
    """From whom it is kept, by the address on file."""

    ALL = "all"
    RESIDENTS = "residents"
    NONRESIDENTS = "nonresidents"


@dataclass(frozen=True, slots=True)
class TaxLineTerms:
    """One line of one place, for payments from one day to another."""

    place: str
    level: LineLevel
    basis_points: int
    trigger: LineTrigger
    paid_from: date
    source: str
    base: Base = Base.NET
    who: WithheldFrom = WithheldFrom.ALL
    # For a trigger of its own: so many cents, or so many times the wager.
    threshold: int = 0
    paid_until: date | None = None
    payer_number: str = ""
    confirmed_by: str = ""

    def is_in_force(self, day: date) -> bool:
        """Tell whether it holds for a payment of a day: confirmed, begun, and not over."""
        until = self.paid_until or date.max
        return bool(self.confirmed_by) and self.paid_from <= day <= until

    def takes(self, region: str, city: str) -> bool:
        """Tell whether it is kept from someone with this address."""
        own = region if self.level is LineLevel.STATE else city
        is_resident = own.strip().casefold() == self.place.casefold()
        return self.who is WithheldFrom.ALL or is_resident == (self.who is WithheldFrom.RESIDENTS)


_OHIO: Final = "Ohio rates by trade pages and old law firm pages; not confirmed"


def _city(name: str, basis_points: int, who: WithheldFrom = WithheldFrom.ALL) -> TaxLineTerms:
    return TaxLineTerms(
        name,
        LineLevel.LOCAL,
        basis_points,
        LineTrigger.FEDERAL_WITHHOLDING,
        date(2026, 1, 1),
        _OHIO,
        who=who,
    )


# Not confirmed by anyone, so that none of them withholds a cent.
SHIPPED: Final = (
    TaxLineTerms(
        "OH",
        LineLevel.STATE,
        275,
        LineTrigger.FEDERAL_WITHHOLDING,
        date(2026, 1, 1),
        "Ohio, from January 1, 2026, by a trade page; not confirmed",
    ),
    _city("Columbus", 250),
    _city("Toledo", 250),
    _city("Cincinnati", 180),
    _city("Cleveland", 250, WithheldFrom.RESIDENTS),
)


def lines_on(lines: Iterable[TaxLineTerms], day: date) -> dict[LineLevel, TaxLineTerms]:
    """Return the line of each level that holds on a day: of several, the one that began last.

    >>> lines_on(SHIPPED, date(2026, 5, 1))
    {}
    """
    found: dict[LineLevel, TaxLineTerms] = {}
    for line in lines:
        if not line.is_in_force(day):
            continue
        earlier = found.get(line.level)
        if earlier is None or earlier.paid_from <= line.paid_from:
            found[line.level] = line
    return found


def line_refusals(line: TaxLineTerms) -> list[Refusal]:
    """Return why a line may not hold: every reason."""
    refusals = []
    is_state = line.level is LineLevel.STATE
    if is_state and not (len(line.place) == 2 and line.place.isalpha() and line.place.isupper()):
        refusals.append(Refusal("place_malformed", "Enter the state as two letters, like OH."))
    if not 0 <= line.basis_points <= BASIS_POINTS // 2:
        refusals.append(Refusal("rate_out_of_range", "Enter a rate from 0% to 50%."))
    own = line.trigger in (LineTrigger.OWN_AMOUNT, LineTrigger.OWN_RATIO)
    if own != (line.threshold > 0):
        words = "Enter an own amount or multiple only with its trigger, and always with it."
        refusals.append(Refusal("threshold_malformed", words))
    if line.paid_until is not None and line.paid_until < line.paid_from:
        refusals.append(
            Refusal("line_ends_first", "The last day is before the first. Enter them again.")
        )
    if not line.confirmed_by:
        refusals.append(
            Refusal(
                "line_unconfirmed",
                "Enter who confirmed this line. Without that it can’t be switched on.",
            )
        )
    return refusals
