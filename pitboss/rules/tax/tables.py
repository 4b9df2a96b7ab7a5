"""Tax thresholds, rates, state lines and treaties as dated rows.

None of this is a constant of the program. A property's tax adviser adds a row with the date from
which it holds; `STANDARD` is only what was published when this was written. Dates are dates of
payment: a hand won on New Year's Eve and paid on New Year's Day falls under the new year's row.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import TYPE_CHECKING

from pitboss.rules.money import BASIS_POINTS

if TYPE_CHECKING:
    from pitboss.rules.tax.lines import TaxLineTerms


class StateTrigger(StrEnum):
    """What makes a state take its line."""

    NONE = "none"
    FEDERAL_WITHHOLDING = "federal_withholding"
    ANY_W2G = "any_w2g"
    OWN_AMOUNT = "own_amount"


class Base(StrEnum):
    """The amount a test or a rate looks at: what was received, or that less the wager."""

    NET = "net"
    GROSS = "gross"


@dataclass(frozen=True, slots=True)
class FederalRule:
    """The federal figures for payments from one date on.

    `published_until` is the last day for which the figures are known to hold; a payment after it
    uses the newest row and is marked provisional.
    """

    paid_from: date
    published_until: date
    report_cents: int
    withhold_over_cents: int
    ratio: int
    regular_basis_points: int
    backup_basis_points: int
    payer_pays_basis_points: int
    nonresident_basis_points: int
    source: str

    def __post_init__(self) -> None:
        if self.published_until < self.paid_from:
            raise ValueError("a federal rule is published at least for the day it starts")
        if min(self.report_cents, self.withhold_over_cents, self.ratio) <= 0:
            raise ValueError("federal thresholds are positive")
        _check_rates(
            self.regular_basis_points,
            self.backup_basis_points,
            self.payer_pays_basis_points,
            self.nonresident_basis_points,
        )


@dataclass(frozen=True, slots=True)
class StateRule:
    """One state's line for payments between two dates.

    A rate of None means that the state is known to withhold but its present rate is not confirmed:
    a win that triggers it is refused until the adviser enters the rate.
    """

    state: str
    trigger: StateTrigger
    source: str
    basis_points: int | None = 0
    base: Base = Base.NET
    own_amount_cents: int = 0
    only_nonresidents_of_state: bool = False
    is_refundable: bool = True
    is_confirmed: bool = True
    paid_from: date = date.min
    paid_until: date = date.max

    def __post_init__(self) -> None:
        if self.basis_points is not None:
            _check_rates(self.basis_points)
        if (self.trigger is StateTrigger.OWN_AMOUNT) != (self.own_amount_cents > 0):
            raise ValueError("an own amount goes with the own_amount trigger, and only with it")


@dataclass(frozen=True, slots=True)
class Treaty:
    """A country whose residents may claim a lower rate on gambling winnings, while in force."""

    country: str
    basis_points: int = 0
    paid_from: date = date.min
    paid_until: date = date.max


@dataclass(frozen=True, slots=True)
class TaxTables:
    """Everything the tax rules look up; a property may bring its own."""

    federal: tuple[FederalRule, ...]
    states: tuple[StateRule, ...]
    treaties: tuple[Treaty, ...]
    # Lines of the house's own state and city, which come before the states above.
    lines: tuple[TaxLineTerms, ...] = ()

    def __post_init__(self) -> None:
        if not self.federal:
            raise ValueError("tax tables need at least one federal rule")

    def federal_on(self, paid_on: date) -> FederalRule | None:
        """Return the newest federal rule that had started by a date, if any had."""
        started = [rule for rule in self.federal if rule.paid_from <= paid_on]
        return max(started, key=lambda rule: rule.paid_from, default=None)

    def state_on(self, state: str, paid_on: date) -> StateRule | None:
        """Return a state's rule in force on a date, the latest to start if several are."""
        in_force = (
            rule
            for rule in self.states
            if rule.state == state and rule.paid_from <= paid_on <= rule.paid_until
        )
        return max(in_force, key=lambda rule: rule.paid_from, default=None)

    def treaty_on(self, country: str, paid_on: date) -> Treaty | None:
        """Return a country's treaty in force on a date."""
        in_force = (
            treaty
            for treaty in self.treaties
            if treaty.country == country and treaty.paid_from <= paid_on <= treaty.paid_until
        )
        return max(in_force, key=lambda treaty: treaty.paid_from, default=None)


def _check_rates(*rates: int) -> None:
    if any(not 0 <= rate <= BASIS_POINTS for rate in rates):
        raise ValueError("a rate lies between 0 and 10,000 basis points")


def _federal(first_year: int, last_year: int, report_cents: int, source: str) -> FederalRule:
    """Build a row; only the reporting amount has moved since the rates of 2018."""
    return FederalRule(
        paid_from=date(first_year, 1, 1),
        published_until=date(last_year, 12, 31),
        report_cents=report_cents,
        withhold_over_cents=500_000,
        ratio=300,
        regular_basis_points=2_400,
        backup_basis_points=2_400,
        payer_pays_basis_points=3_158,
        nonresident_basis_points=3_000,
        source=source,
    )


def _without_line(states: Iterable[str], source: str) -> tuple[StateRule, ...]:
    return tuple(StateRule(state, StateTrigger.NONE, source) for state in states)


def _rate_to_be_entered(states: Iterable[str]) -> tuple[StateRule, ...]:
    """States known to withhold on a W-2G whose old rates have changed since."""
    return tuple(
        StateRule(state, StateTrigger.ANY_W2G, "rate to be confirmed", basis_points=None)
        for state in states
    )


# Hungary's treaty ended on 1 January 2024 and Russia's has been suspended since 16 August 2024;
# both are left out, so a claim under either is withheld until an adviser says otherwise.
# fmt: off
_TREATY_COUNTRIES = (
    "AT", "BE", "BG", "CZ", "DK", "FI", "FR", "DE", "IS", "IE", "IT", "JP", "LV",
    "LT", "LU", "NL", "SK", "SI", "ZA", "ES", "SE", "TN", "TR", "UA", "GB",
)
# fmt: on

STANDARD = TaxTables(
    federal=(
        _federal(2018, 2025, 60_000, "Instructions for Forms W-2G and 5754, to 2025"),
        _federal(2026, 2026, 200_000, "26 USC 6041(a) as amended by P.L. 119-21"),
    ),
    states=(
        StateRule("NJ", StateTrigger.FEDERAL_WITHHOLDING, "N.J.A.C. 18:35-7.6", basis_points=300),
        StateRule("MA", StateTrigger.FEDERAL_WITHHOLDING, "M.G.L. c. 62B s. 2", basis_points=500),
        StateRule(
            "PA",
            StateTrigger.FEDERAL_WITHHOLDING,
            "flat income tax rate",
            basis_points=307,
            is_confirmed=False,
        ),
        StateRule(
            "MS",
            StateTrigger.ANY_W2G,
            "published guides",
            basis_points=300,
            is_refundable=False,
            is_confirmed=False,
        ),
        StateRule(
            "CT", StateTrigger.FEDERAL_WITHHOLDING, "rate to be confirmed", basis_points=None
        ),
        StateRule(
            "MI",
            StateTrigger.ANY_W2G,
            "rate to be confirmed",
            basis_points=None,
            only_nonresidents_of_state=True,
        ),
        *_rate_to_be_entered(("IN", "IA", "LA", "MO")),
        *_without_line(("NV", "SD", "WA", "WY", "TX", "AK"), "no income tax"),
        *_without_line(("NH",), "no tax on winnings since 2011"),
    ),
    treaties=(
        *(Treaty(country) for country in _TREATY_COUNTRIES),
        Treaty("MT", basis_points=1_000),
    ),
)
