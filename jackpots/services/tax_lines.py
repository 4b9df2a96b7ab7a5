"""The tax rules of the house, with the lines of its state and city."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from jackpots.models import TaxLine
from pitboss.rules.tax import lines
from pitboss.rules.tax.house import HouseTax
from pitboss.services import house
from tables.services.in_force import reads_tax_lines


def tax_rules(at: datetime) -> HouseTax:
    """Return what the house has set about tax at an instant, its own tax lines with it."""
    return replace(house.settings_at(at).tax, lines=tax_lines())


@reads_tax_lines
def tax_lines() -> tuple[lines.TaxLineTerms, ...]:
    """Return every line that two people signed; each says for which days it holds."""
    return tuple(row.as_rule() for row in TaxLine.objects.order_by("id"))
