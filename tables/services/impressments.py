"""Impressment: the pieces of a table's own set are counted at least every so many days.

Openers, closers and counts count the whole tray, pieces included, by two people. A table that stays
shut is counted by no one, and so is on the list.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import Q

from inventory.models import TrayCount
from pitboss.models import FloorException, Table
from pitboss.rules.cheques.keys import SETS, SetKind
from pitboss.rules.cheques.sets import set_key
from pitboss.rules.day.gaming_day import day_start
from pitboss.services import house
from pitboss.services.exceptions import IMPRESSMENT_DUE, open_exception


def find_due_impressments(*, now: datetime) -> None:
    """Open an exception for each table whose pieces no one has counted for too long."""
    here = house.the_property()
    in_force = here.settings_at(now)
    days = in_force["count.impressment_days"]
    today = day_start(here.clock, here.period_at(now).gaming_day)
    sets = [SETS[number] for number in in_force.cheques.sets]
    for known in sets if days else ():
        if known.kind is not SetKind.NON_VALUE:
            continue
        came = max(
            setting_value.holds_from
            for setting_value in here.setting_values
            if setting_value.key == set_key(known.number) and setting_value.holds_from <= now
        )
        for table in Table.objects.filter(name__in=known.tables):
            counts = TrayCount.objects.filter(table=table, at__gt=came).order_by("-at")
            last = counts.values_list("at", flat=True).first() or came
            # One that was answered comes again on the next gaming day, until they are counted.
            floor_exceptions = FloorException.objects.filter(
                Q(resolved_at=None) | Q(resolved_at__gte=today), code=IMPRESSMENT_DUE, table=table
            )
            if now - last < timedelta(days=days) or floor_exceptions.exists():
                continue
            counted_on = last.astimezone(here.zone)
            open_exception(
                code=IMPRESSMENT_DUE,
                sentence=f"{table}: no one has counted its {known.name} cheques since "
                f"{counted_on:%m/%d/%Y}. Count the tray.",
                details={"set": known.number, "days": days},
                at=now,
                person=None,
                table=table,
            )
