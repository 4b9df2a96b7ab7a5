"""Coupons: what was approved at each table, and what the count room found in its boxes."""

from __future__ import annotations

from datetime import date

from django.db.models import Sum
from django.urls import reverse

from pitboss.models import Slip
from pitboss.reports.book import Group, report
from pitboss.reports.report import (
    Asked,
    Cell,
    Choice,
    Column,
    Finding,
    Link,
    Report,
    Row,
    Section,
    Shape,
    Tone,
    row_of,
    slip_link,
)
from pitboss.rules.drop.figures import COUPONS, DROP_COUNT
from pitboss.rules.floor.nods import COUPON
from pitboss.rules.flows.flows import SlipStatus
from pitboss.services.shown import FIGURES
from tables.models import FloorEntry

_COLUMNS = (
    Column("day", "Gaming day", Shape.DAY),
    Column("table", "Table", Shape.CODE),
    Column("logged", "Logged", Shape.MONEY),
    Column("counted", "In the box", Shape.MONEY),
    Column("differs", "Difference", Shape.CHANGE),
)


@report(
    key="coupons",
    title="Coupons",
    group=Group.PLAY,
    says="Coupons that were approved at each table, against coupons in its drop boxes.",
    page="win",
    asked=Asked(days_max=31, pit=True),
)
def coupons(choice: Choice) -> Report:
    """Return coupons by gaming day and table, those that don't agree marked."""
    logged, counted = _logged(choice), _counted(choice)
    rows = [
        _row(day, name, logged.get((day, name), 0), counted.get((day, name), (0, "")))
        for day, name in sorted({*logged, *counted})
    ]
    apart = sum(row.tone is Tone.BAD for row in rows)
    return Report(
        sections=(Section("By table", _COLUMNS, tuple(rows)),),
        finding=Finding(Tone.BAD, f"{apart} of {len(rows)} don’t match. Find the coupons.")
        if apart
        else Finding(Tone.PLAIN, "All coupons that were counted match the log."),
        formulas=("A coupon counts on the gaming day of its entry, a box on that of its pull.",),
    )


def _row(day: date, name: str, logged_cents: int, counted: tuple[int, str]) -> Row:
    counted_cents, serial = counted
    return row_of(
        day,
        name,
        logged_cents,
        Cell(counted_cents, slip_link(serial)),
        counted_cents - logged_cents,
        tone=Tone.PLAIN if logged_cents == counted_cents else Tone.BAD,
        opens=Link(f"{reverse('floor-log')}?table={name}&day={day.isoformat()}", "floor_log"),
    )


def _logged(choice: Choice) -> dict[tuple[date, str], int]:
    entries = FloorEntry.objects.filter(
        kind=COUPON.code, outcome="granted", gaming_day__range=(choice.first, choice.last)
    )
    if choice.pit is not None:
        entries = entries.filter(table__pit=choice.pit)
    sums = entries.values_list("gaming_day", "table__name").annotate(cents=Sum("amount_cents"))
    return {(day, name): cents for day, name, cents in sums}


def _counted(choice: Choice) -> dict[tuple[date, str], tuple[int, str]]:
    """Return the coupons of boxes that were posted, by the day and table of their pull.

    With each comes the newest count behind it.
    """
    counts = {
        slip.details["pull"]: slip
        for slip in Slip.objects.filter(
            kind=DROP_COUNT, status=SlipStatus.DONE.value, gaming_day__gte=choice.first
        )
    }
    pulls = Slip.objects.filter(
        serial__in=counts, gaming_day__range=(choice.first, choice.last)
    ).select_related("table__pit")
    found: dict[tuple[date, str], tuple[int, str]] = {}
    for pull in pulls.order_by("id"):
        slip = counts[pull.serial]
        cents = slip.details[FIGURES][COUPONS]
        if pull.table is not None and cents and choice.pit in (None, pull.table.pit):
            before, _ = found.get((pull.gaming_day, pull.table.name), (0, ""))
            found[pull.gaming_day, pull.table.name] = (before + cents, slip.serial)
    return found
