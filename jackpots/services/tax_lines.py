"""The tax rules of the house, with the lines of its state and city."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from jackpots.models import TaxLine
from pitboss.rules.tax.house import HouseTax
from pitboss.services import house


def tax_rules(at: datetime) -> HouseTax:
    """Return what the house has set about tax at an instant, its own tax lines with it."""
    rules = house.settings_at(at).tax
    return replace(rules, lines=tuple(row.as_rule() for row in TaxLine.objects.order_by("id")))
