"""By which rules a table was dealt at an instant that is past."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Max, Q, QuerySet

from pitboss.models import Signature, Slip, Table
from pitboss.rules.cheques.tray_counts import OPENER
from pitboss.rules.flows.flows import SlipStatus
from pitboss.rules.flows.house_flows import TABLE_CHANGE
from pitboss.rules.games.games import TableRules
from pitboss.rules.refusal import refuse
from pitboss.rules.settings.in_force import SettingsInForce
from pitboss.services.table_changes import (
    rules_as_set_up,
    rules_by,
    rules_of_setup,
    version_at,
)


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
        f"Nothing says by which rules {table} was dealt at that time. Ask the shift manager.",
    )


def _changes_of(table: Table) -> QuerySet[Slip]:
    own = Q(details__table=table.pk) | Q(details__is__name=table.name)
    return Slip.objects.filter(own, kind=TABLE_CHANGE.kind)


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
