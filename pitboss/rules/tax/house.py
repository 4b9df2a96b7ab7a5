"""What a house and its tax adviser have set about tax, and the tables that follow from it.

The published figures stand in `tax_tables`. What a house enters instead holds from the date of its
setting, so a figure of next year needs no new release.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, Final

from pitboss.rules.canonical import is_plain
from pitboss.rules.quoting import quoted
from pitboss.rules.refusal import Refusal, Refused, refuse
from pitboss.rules.tax.lines import TaxLineTerms
from pitboss.rules.tax.tables import STANDARD, Base, FederalRule, StateRule, TaxTables, Treaty
from pitboss.rules.tax.win import Nonresident, NonresidentTrigger, Win

TREATIES: Final[dict[str, int]] = {
    treaty.country: treaty.basis_points for treaty in STANDARD.treaties
}
STATES: Final = tuple(sorted({rule.state for rule in STANDARD.states}))
_TREATY: Final = re.compile(r"([A-Z]{2})(?::([0-9]{1,2}))?", re.ASCII)
# A line of the payer's card: what is keyed before the colon, and how long the rest may be.
PAYER_LINES: Final = {
    "name": ("Name", 80),
    "street": ("Street", 80),
    "city": ("City", 60),
    "region": ("State", 2),
    "postal_code": ("ZIP", 10),
    "phone": ("Phone", 20),
    "tin": ("TIN", 10),
    "state_id": ("State id", 20),
    "trade_name": ("Trade name", 80),
    "contact": ("Contact", 60),
    "transmitter_code": ("Transmitter code", 8),
}
_EIN: Final = re.compile(r"[0-9]{2}-[0-9]{7}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Payer:
    """Who pays, as a form names them."""

    name: str = ""
    street: str = ""
    city: str = ""
    region: str = ""
    postal_code: str = ""
    phone: str = ""
    tin: str = ""
    # The number that the state of the house has given it.
    state_id: str = ""
    # Besides, for currency reports: the name on the door, which office answers questions, and the
    # code that lets the house transmit files.
    trade_name: str = ""
    contact: str = ""
    transmitter_code: str = ""

    @property
    def may_transmit(self) -> bool:
        """Whether a file of currency reports can name who sends it."""
        needed = (self.region, self.postal_code, self.phone, self.contact, self.transmitter_code)
        return self.is_known and all(needed)

    @property
    def is_known(self) -> bool:
        """Whether a form can name the payer at all."""
        return bool(self.name and self.street and self.city and self.tin)

    @property
    def address_lines(self) -> list[str]:
        town = " ".join(part for part in (self.region, self.postal_code) if part)
        lines = (self.street, ", ".join(part for part in (self.city, town) if part), self.phone)
        return [line for line in lines if line]


class PayerCard:
    """A kind of setting: the payer, one line each."""

    def read(self, keyed: str) -> dict[str, str]:
        """Return the payer as it is stored. Every line that is wrong is named.

        >>> PayerCard().read("Name: Tide LLC\\nTIN: 12-3456789")
        {'name': 'Tide LLC', 'tin': '12-3456789'}
        """
        columns = {label.lower(): name for name, (label, _) in PAYER_LINES.items()}
        found: dict[str, str] = {}
        refusals = []
        for number, line in enumerate(filter(None, map(str.strip, keyed.splitlines())), 1):
            label, _, value = (part.strip() for part in line.partition(":"))
            name = columns.get(label.lower(), "")
            longest = PAYER_LINES[name][1] if name else 0
            is_wrong = name in found or not 0 < len(value) <= longest
            if is_wrong or not is_plain(value) or (name == "tin" and not _EIN.fullmatch(value)):
                message = f"Line {number}, {quoted(line)}, isn’t a line of the payer. {self.hint}"
                refusals.append(Refusal("payer_malformed", message))
            else:
                found[name] = value
        if refusals:
            raise Refused(refusals)
        return found

    def words(self, value: dict[str, str]) -> str:
        """Say the payer in one line.

        >>> PayerCard().words({}), PayerCard().words({"name": "Tide LLC", "city": "Reno"})
        ('not entered yet', 'Name: Tide LLC; City: Reno')
        """
        return "; ".join(self._lines(value)) or "not entered yet"

    def text(self, value: dict[str, str]) -> str:
        """Write the payer as it would be keyed."""
        return "\n".join(self._lines(value))

    @staticmethod
    def _lines(value: dict[str, str]) -> list[str]:
        return [
            f"{label}: {value[name]}" for name, (label, _) in PAYER_LINES.items() if name in value
        ]

    @property
    def hint(self) -> str:
        labels = ", ".join(label for label, _ in PAYER_LINES.values())
        return f"Enter one of these per line: {labels}. Write the TIN as 12-3456789."


class TreatyList:
    """A kind of setting: countries whose residents may claim a treaty, with a rate above 0%."""

    def read(self, keyed: str) -> dict[str, int]:
        """Return rates in hundredths of a percent by country. Raises Refused.

        >>> TreatyList().read("de MT:10")
        {'DE': 0, 'MT': 1000}
        """
        rates: dict[str, int] = {}
        for word in keyed.upper().split():
            found = _TREATY.fullmatch(word)
            if found is None or found[1] in rates:
                raise refuse("treaties_malformed", f"{quoted(word)} cannot be. {self.hint}")
            rates[found[1]] = int(found[2] or 0) * 100
        return rates

    def words(self, value: dict[str, int]) -> str:
        return self.text(value) or "none"

    def text(self, value: dict[str, int]) -> str:
        """Write the list as it would be keyed.

        >>> TreatyList().text({"DE": 0, "MT": 1000})
        'DE MT:10'
        """
        return " ".join(
            f"{country}:{rate // 100}" if rate else country for country, rate in value.items()
        )

    @property
    def hint(self) -> str:
        return "Write countries as two letters, with a rate in percent where it is not 0: DE MT:10."


@dataclass(frozen=True, slots=True)
class HouseTax:
    """Every choice of a house about tax, as it holds at one instant."""

    basis: Base = Base.NET
    state: str = ""
    nonresident: Nonresident = Nonresident.ASK
    nonresident_trigger: NonresidentTrigger = NonresidentTrigger.AS_W2G
    nonresident_base: Base = Base.GROSS
    # None leaves the published figure.
    report_cents: int | None = None
    withhold_over_cents: int | None = None
    regular_basis_points: int | None = None
    backup_basis_points: int | None = None
    nonresident_basis_points: int | None = None
    state_basis_points: int | None = None
    treaties: tuple[tuple[str, int], ...] = tuple(TREATIES.items())
    payer: Payer = Payer()
    lines: tuple[TaxLineTerms, ...] = ()

    def tables(self, paid_on: date) -> TaxTables:
        """Return the published tables with what the house entered in their place."""
        return TaxTables(
            federal=tuple(self._federal(rule, paid_on) for rule in STANDARD.federal),
            states=tuple(self._state(rule) for rule in STANDARD.states),
            treaties=tuple(Treaty(country, rate) for country, rate in self.treaties),
            lines=self.lines,
        )

    def _federal(self, rule: FederalRule, paid_on: date) -> FederalRule:
        entered: dict[str, Any] = {
            name: value
            for name, value in (
                ("report_cents", self.report_cents),
                ("withhold_over_cents", self.withhold_over_cents),
                ("regular_basis_points", self.regular_basis_points),
                ("backup_basis_points", self.backup_basis_points),
                ("nonresident_basis_points", self.nonresident_basis_points),
            )
            if value is not None
        }
        if not entered:
            return rule
        # Only the reporting amount moves with the year: once it is entered nothing is provisional.
        until = rule.published_until
        if self.report_cents is not None:
            until = max(until, paid_on)
        return replace(rule, **entered, published_until=until, source="Settings of the house")

    def _state(self, rule: StateRule) -> StateRule:
        if rule.state != self.state or self.state_basis_points is None:
            return rule
        return replace(
            rule,
            basis_points=self.state_basis_points,
            is_confirmed=True,
            source="Settings of the house",
        )

    def win(
        self,
        *,
        paid_on: date,
        wager_cents: int,
        received_cents: int,
        is_resident: bool,
        has_tin: bool,
        winners: int = 1,
        nonresident: Nonresident | None = None,
        country: str | None = None,
        has_w8ben: bool = False,
        is_state_resident: bool | None = None,
        region: str = "",
        city: str = "",
    ) -> Win:
        """Return a win as this house tests it."""
        return Win(
            paid_on=paid_on,
            wager_cents=wager_cents,
            received_cents=received_cents,
            is_resident=is_resident,
            has_tin=has_tin,
            state=self.state or None,
            is_state_resident=is_state_resident,
            basis=self.basis,
            winners=winners,
            nonresident=nonresident or self.nonresident,
            nonresident_base=self.nonresident_base,
            nonresident_trigger=self.nonresident_trigger,
            country=country,
            has_w8ben=has_w8ben,
            region=region,
            city=city,
        )
