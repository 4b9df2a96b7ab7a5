"""What a table is judged by now, read once for each version of it.

A set-up that was approved, the settings of an instant and a tray between two transfers never
change: each is kept in this process under its version, which every request reads anew. So nothing
here can be stale.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Generic, TypeVar

from django.db.models import TextField
from django.db.models.functions import MD5, Cast
from django.utils.functional import SimpleLazyObject

from inventory.selectors.cheques import tray_holding
from pitboss.models import RulesVersion, Table
from pitboss.rules.payouts.check import TableTerms
from pitboss.rules.settings.in_force import SettingsInForce
from pitboss.rules.tax.house import HouseTax
from pitboss.rules.tax.lines import TaxLineTerms
from pitboss.selectors.table_rules import rules_as_set_up, rules_by
from pitboss.services import house
from tables.services.terminals import Terminal

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")

_FAR_AWAY = datetime.max.replace(tzinfo=UTC)


class Versions(Generic[Key, Value]):
    """The newest versions that were asked for, as many as a large floor has tables."""

    def __init__(self, most: int = 1_024) -> None:
        self._kept: dict[Key, Value] = {}
        self._most = most

    def get(self, key: Key) -> Value | None:
        return self._kept.get(key)

    def keep(self, key: Key, value: Value) -> Value:
        # A dictionary is ordered by age. Another thread may have taken the oldest out by now.
        while len(self._kept) >= self._most:
            self._kept.pop(next(iter(self._kept), key), None)
        self._kept[key] = value
        return value


_settings = Versions[int, tuple[datetime, datetime, SettingsInForce]]()
_terms = Versions[tuple[Hashable, ...], TableTerms]()
_trays = Versions[tuple[int, int], Mapping[int, int]]()


def settings_of(terminal: Terminal, now: datetime) -> SettingsInForce:
    """Return the settings that hold now; read when one was approved or came into force since."""
    kept = _settings.get(terminal.settings_version)
    if kept is not None and kept[0] <= now < kept[1]:
        return kept[2]
    the_property = house.the_property()
    starts = [setting_value.holds_from for setting_value in the_property.setting_values]
    ends = min((start for start in starts if start > now), default=_FAR_AWAY)
    begun = max((start for start in starts if start <= now), default=now)
    in_force = the_property.settings_at(now)
    _settings.keep(terminal.settings_version, (begun, ends, in_force))
    return in_force


def settings_then(terminal: Terminal, at: datetime, now: datetime) -> SettingsInForce:
    """Return the settings that held at a time, read only where one came into force since."""
    settings_of(terminal, now)
    kept = _settings.get(terminal.settings_version)
    if kept is not None and kept[0] <= at < kept[1]:
        return kept[2]
    return house.settings_at(at)


def terms_of(terminal: Terminal, in_force: SettingsInForce) -> TableTerms:
    """Return the rules and pay tables of the round that is dealt, or of now. Raises Refused."""
    table = terminal.table
    options = in_force.options
    own = (table.pk, table.game, table.decks, table.minimum_cents, table.maximum_cents, options)
    kept = _terms.get((*own, terminal.setup_version, terminal.rules_version))
    if kept is not None:
        return kept
    fresh = Table.objects.annotate(setup_version=MD5(Cast("setup", TextField()))).get(pk=table.pk)
    own = (fresh.pk, fresh.game, fresh.decks, fresh.minimum_cents, fresh.maximum_cents, options)
    fresh.require_seal()
    version = (
        RulesVersion.objects.select_related("slip").filter(pk=terminal.rules_version or 0).first()
    )
    rules = rules_by(version, in_force) if version else rules_as_set_up(fresh, in_force)
    key = (*own, fresh.setup_version, terminal.rules_version)
    return _terms.keep(key, TableTerms.of(rules))


def tray_of(table: Table) -> Mapping[int, int]:
    """Return what the ledger says a tray holds; an empty tube is still a color of the table."""
    kept = _trays.get((table.pk, table.tray_sequence))
    if kept is not None:
        return kept
    # A tray wins what the ledger does not hear of: more may have left a tube than it should hold.
    held = {cents: max(count, 0) for cents, count in tray_holding(table).items()}
    tray = {**dict.fromkeys(table.par_cheques, 0), **held}
    is_same = Table.objects.filter(pk=table.pk, tray_sequence=table.tray_sequence).exists()
    # A transfer that came in between belongs to a later sequence than the one we read.
    return _trays.keep((table.pk, table.tray_sequence), tray) if is_same else tray


MeterReader = Callable[[Table], Mapping[str, int]]
_meter_readers: list[MeterReader] = []


def reads_meters(reader: MeterReader) -> MeterReader:
    """Register how the meters of a table are read, by the person who keeps them."""
    _meter_readers.append(reader)
    return reader


def meters_of(table: Table) -> dict[str, int]:
    """Return the meters that this table's wagers are paid from, by name, in cents."""
    return {name: cents for read in _meter_readers for name, cents in read(table).items()}


TaxLineReader = Callable[[], tuple[TaxLineTerms, ...]]
_tax_line_readers: list[TaxLineReader] = []


def reads_tax_lines(reader: TaxLineReader) -> TaxLineReader:
    """Register how the tax lines of state and city are read, by the person who keeps them."""
    _tax_line_readers.append(reader)
    return reader


def tax_of(in_force: SettingsInForce) -> HouseTax:
    """Return the tax rules of the house with its dated lines.

    They are read when a win owes papers: nearly none does, and a check asks the database twice.
    """
    lines: Any = SimpleLazyObject(
        lambda: tuple(line for read in _tax_line_readers for line in read())
    )
    return replace(in_force.tax, lines=lines)
