"""Coupons and promotional cheques: what each table took, and what was found in its boxes."""

from __future__ import annotations

from collections import defaultdict
from datetime import date, datetime, time, timedelta

from django.db.models import Sum
from django.urls import reverse

from pitboss.models import Slip
from pitboss.reports.book import Group, report
from pitboss.reports.report import (
    Cell,
    Column,
    Finding,
    Link,
    Report,
    ReportChoice,
    ReportScope,
    Row,
    Section,
    Shape,
    Tone,
    row_of,
    slip_link,
)
from pitboss.rules.cheques.keys import face_of, worth_of
from pitboss.rules.drop.figures import COUPONS, DROP_COUNT, PROMOTIONAL
from pitboss.rules.floor.nods import COUPON
from pitboss.rules.flows.flows import SlipStatus
from pitboss.services import house
from pitboss.services.shown import FIGURES
from tables.models import FloorEntry, PayoutConfirmation

_COLUMNS = (
    Column("day", "Gaming day", Shape.DAY),
    Column("table", "Table", Shape.CODE),
    Column("logged", "Logged", Shape.MONEY),
    Column("counted", "In the box", Shape.MONEY),
    Column("differs", "Difference", Shape.CHANGE),
)


_PROMOTIONAL_COLUMNS = (
    Column("day", "Gaming day", Shape.DAY),
    Column("table", "Table", Shape.CODE),
    Column("expected", "Paid on", Shape.MONEY),
    Column("counted", "In the box", Shape.MONEY),
    Column("missing", "Missing", Shape.MONEY),
)
_PROMOTIONAL_FORMULA = (
    "A promotional cheque goes into the box, won or lost, so the box has at "
    "least the ones that were paid."
)


@report(
    key="coupons",
    title="Coupons",
    group=Group.PLAY,
    says="Coupons that were approved at each table, against coupons in its drop boxes.",
    page="win",
    asked=ReportScope(days_max=31, pit=True),
)
def coupons(choice: ReportChoice) -> Report:
    """Return coupons by gaming day and table, those that don't agree marked."""
    logged, counted = _logged(choice), _counted(choice, COUPONS)
    rows = [
        _row(day, name, logged.get((day, name), 0), counted.get((day, name), (0, "")))
        for day, name in sorted({*logged, *counted})
    ]
    apart = sum(row.tone is Tone.BAD for row in rows)
    sections = [Section("By table", _COLUMNS, tuple(rows))]
    # A house without such cheques has no such section.
    if promotional := _promotional(choice):
        sections.append(Section("Promotional cheques", _PROMOTIONAL_COLUMNS, tuple(promotional)))
        apart += sum(row.tone is Tone.BAD for row in promotional)
    every = len(rows) + len(promotional)
    return Report(
        sections=tuple(sections),
        finding=Finding(Tone.BAD, f"{apart} of {every} don’t match. Find the coupons.")
        if apart
        else Finding(Tone.PLAIN, "All coupons that were counted match the log."),
        formulas=(
            "A coupon counts on the gaming day of its entry, a box on that of its pull.",
            *([_PROMOTIONAL_FORMULA] if promotional else []),
        ),
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


def _logged(choice: ReportChoice) -> dict[tuple[date, str], int]:
    entries = FloorEntry.objects.filter(
        kind=COUPON.code, outcome="granted", gaming_day__range=(choice.first, choice.last)
    )
    if choice.pit is not None:
        entries = entries.filter(table__pit=choice.pit)
    sums = entries.values_list("gaming_day", "table__name").annotate(cents=Sum("amount_cents"))
    return {(day, name): cents for day, name, cents in sums}


def _promotional(choice: ReportChoice) -> list[Row]:
    """Return promotional cheques by gaming day and table: bet and paid, and found in boxes."""
    counted = _counted(choice, PROMOTIONAL)
    expected = _paid_on(choice)
    rows = []
    for day, name in sorted({*counted, *expected}):
        paid_cents = expected.get((day, name), 0)
        counted_cents, serial = counted.get((day, name), (0, ""))
        missing_cents = max(0, paid_cents - counted_cents)
        rows.append(
            row_of(
                day,
                name,
                paid_cents,
                Cell(counted_cents, slip_link(serial)) if serial else counted_cents,
                missing_cents,
                tone=Tone.BAD if missing_cents else Tone.PLAIN,
            )
        )
    return rows


def _paid_on(choice: ReportChoice) -> dict[tuple[date, str], int]:
    """Return the promotional cheques of bets that a dealer confirmed as paid, by day and table."""
    here = house.the_property()
    if not here.settings_at(house.now()).cheques.has_promotional:
        return {}
    noon = datetime.combine(choice.first, time(12), here.zone)
    paid = PayoutConfirmation.objects.filter(
        check_of__claim__has_key="bet",
        at__gte=noon - timedelta(days=1),
        at__lt=noon + timedelta(days=2 + (choice.last - choice.first).days),
    ).select_related("check_of__table__pit")
    found: dict[tuple[date, str], int] = defaultdict(int)
    for payout_confirmation in paid:
        check, day = payout_confirmation.check_of, here.period_at(payout_confirmation.at).gaming_day
        bet = {int(key): n for key, n in check.claim["bet"].items()}
        cents = sum(face_of(key) * n for key, n in bet.items() if not worth_of(key))
        is_asked = choice.first <= day <= choice.last and choice.pit in (None, check.table.pit)
        if cents and is_asked:
            found[day, check.table.name] += cents
    return dict(found)


def _counted(choice: ReportChoice, line: str) -> dict[tuple[date, str], tuple[int, str]]:
    """Return a line of the boxes that were posted, by the day and table of their pull.

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
        cents = slip.details[FIGURES].get(line, 0)
        if pull.table is not None and cents and choice.pit in (None, pull.table.pit):
            before, _ = found.get((pull.gaming_day, pull.table.name), (0, ""))
            found[pull.gaming_day, pull.table.name] = (before + cents, slip.serial)
    return found
