"""By which rules a table was dealt at an instant that is past."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Max, Q, QuerySet

from pitboss.models import Signature, Slip, Table
from pitboss.rules.flows import SlipStatus
from pitboss.rules.games import TableRules
from pitboss.rules.house_flows import TABLE_CHANGE
from pitboss.rules.refusal import refuse
from pitboss.rules.settings_in_force import SettingsInForce
from pitboss.rules.table_setup import stored_setup
from pitboss.rules.tray_flows import OPENER
from pitboss.services.table_changes import rules_in_force


def rules_at(table: Table, at: datetime, in_force: SettingsInForce) -> TableRules:
    """Return the rules of a table at an instant, on the settings of that instant. Raises Refused.

    A set-up holds from the opening after it was approved, so the last opening before the instant
    says which it was. Where the table has only ever stood on its game's print, that was it.
    """
    opener, opened_at = _last_signed(Slip.objects.filter(kind=OPENER.kind, table=table), at)
    changes = _changes_of(table)
    if opener is not None:
        approved, _ = _last_signed(changes, opened_at)
        if approved is not None:
            return stored_setup(approved.details["is"]).rules(in_force.options)
        if not changes.filter(status=SlipStatus.DONE.value).exists():
            return rules_in_force(table, in_force)
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
