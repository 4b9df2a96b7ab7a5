"""By which rules a table was dealt at an instant that is past."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from datetime import datetime

from django.db.models import Max, Q, QuerySet

from inventory.models import TrayCount
from pitboss.models import RulesVersion, Signature, Slip, Table
from pitboss.rules.cheques.tray_counts import CLOSERS, OPENER, OPENERS
from pitboss.rules.flows.flows import SlipStatus
from pitboss.rules.flows.house_flows import TABLE_CHANGE
from pitboss.rules.games.games import TableRules
from pitboss.rules.refusal import Refused, refuse
from pitboss.rules.settings.in_force import SettingsInForce
from pitboss.selectors.table_rules import (
    rules_as_set_up,
    rules_by,
    rules_in_force,
    rules_of_setup,
    version_at,
)
from pitboss.services import house


def rules_at(table: Table, at: datetime, in_force: SettingsInForce) -> TableRules:
    """Return the rules of a table at an instant, on the settings of that instant. Raises Refused.

    The newest version that had begun says it. Where there was none yet, a set-up held from the
    opening after it was approved; and where there never was one, the print of the game.
    """
    opener, opened_at = _last_signed(Slip.objects.filter(kind=OPENER, table=table), at)
    changes = _changes_of(table)
    if opener is not None:
        version = version_at(table, at)
        if version is not None:
            return rules_by(version, in_force)
        approved, _ = _last_signed(changes, opened_at)
        if approved is not None:
            return rules_of_setup(approved.details["is"], in_force)
        if not changes.filter(status=SlipStatus.DONE.value).exists():
            # A terminal's table comes without its set-up: the seal is over the whole row.
            whole = Table.objects.get(pk=table.pk)
            whole.require_seal()
            return rules_as_set_up(whole, in_force)
    raise refuse(
        "rules_unknown_then",
        f"No rules of {table} are on record for that time. Ask the shift manager.",
    )


def was_closed(table: Table, at: datetime) -> bool:
    """Tell whether the last count by then that opened or closed a table was a closer.

    One that was made on paper and entered late counts from when it was made.
    """
    counts = TrayCount.objects.filter(
        table=table, slip__status=SlipStatus.DONE.value, slip__kind__in=OPENERS | CLOSERS
    )
    last = counts.filter(at__lte=at).order_by("-at", "-pk").values_list("slip__kind", flat=True)
    return last.first() in CLOSERS


class DealtBy:
    """By which rules a table was dealt between two instants, each set of them read once.

    A place is the time from one change of the rules, or of the house's settings, to the next; and
    from any further instant that is named.
    """

    def __init__(
        self, table: Table, since: datetime, until: datetime, also: Iterable[datetime] = ()
    ) -> None:
        self._table, self._since = table, since
        self._property = house.the_property()
        versions = RulesVersion.objects.filter(table=table).select_related("slip")
        before = versions.filter(from_at__lte=since).order_by("-id").first()
        self._versions = [
            *([before] if before else []),
            *versions.filter(from_at__gt=since, from_at__lte=until).order_by("id"),
        ]
        instants = {*also, *(version.from_at for version in self._versions)}
        instants |= {setting_value.holds_from for setting_value in self._property.setting_values}
        self.changes = sorted(at for at in instants if since < at <= until)
        self._known: dict[int, TableRules] = {}

    def place(self, at: datetime) -> int:
        """Return the place of an instant."""
        return bisect_right(self.changes, at)

    def began(self, place: int) -> datetime:
        """Return from when on a place is."""
        return self.changes[place - 1] if place else self._since

    def settings(self, place: int) -> SettingsInForce:
        return self._property.settings_at(self.began(place))

    def rules(self, place: int) -> TableRules:
        """Return the rules of a place. Raises Refused if the table's row was altered."""
        if place not in self._known:
            self._known[place] = self._read(self.began(place), self.settings(place))
        return self._known[place]

    def _read(self, at: datetime, in_force: SettingsInForce) -> TableRules:
        # Of those that have begun the newest row counts.
        begun = [version for version in self._versions if version.from_at <= at]
        if begun:
            return rules_by(max(begun, key=lambda item: item.pk), in_force)
        try:
            return rules_at(self._table, at, in_force)
        except Refused:
            return rules_in_force(Table.objects.get(pk=self._table.pk), in_force)


def _changes_of(table: Table) -> QuerySet[Slip]:
    own = Q(details__table=table.pk) | Q(details__is__name=table.name)
    return Slip.objects.filter(own, kind=TABLE_CHANGE)


def _last_signed(slips: QuerySet[Slip], by: datetime) -> tuple[Slip | None, datetime]:
    """Return the slip that was signed through last by an instant, and when that was."""
    done = slips.filter(status=SlipStatus.DONE.value)
    last = (
        Signature.objects.filter(slip__in=done)
        .values("slip")
        .annotate(ended_at=Max("signed_at"), order=Max("id"))
        .filter(ended_at__lte=by)
        .order_by("-ended_at", "-order")
        .first()
    )
    if last is None:
        return None, by
    return Slip.objects.get(pk=last["slip"]), last["ended_at"]
