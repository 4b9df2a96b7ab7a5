"""Meters: how each came from what it showed to what it shows, and what was paid of it."""

from __future__ import annotations

from datetime import timedelta

from django.urls import reverse

from jackpots.models import JackpotPayment, Meter
from jackpots.selectors.jackpots import payments_between, source_words
from jackpots.selectors.meters import MeterMove, RollForward, changes_of, roll_forward
from pitboss.reports.book import Group, report
from pitboss.reports.report import (
    Bar,
    Cell,
    Chart,
    Column,
    Finding,
    Link,
    Report,
    ReportChoice,
    Row,
    Section,
    Shape,
    Tone,
    report_link,
    row_of,
    slip_cell,
    slip_link,
)
from pitboss.rules.payouts.meters import in_cents

KEY, PAGE = "meters", "meters"

_METERS = (
    Column("meter", "Meter"),
    Column("opening", "Opening", Shape.MONEY),
    Column("wagers", "Wagers", Shape.CHANGE),
    Column("won", "Won", Shape.CHANGE),
    Column("seeded", "Seeded", Shape.CHANGE, is_minor=True),
    Column("adjusted", "Adjusted", Shape.CHANGE, is_minor=True),
    Column("closing", "Closing", Shape.MONEY),
    Column("reserve", "Reserve", Shape.MONEY, is_minor=True),
    Column("differs", "Read, difference", Shape.CHANGE),
    Column("read_by", "Read by", is_minor=True),
)
_PAID = (
    Column("slip", "Slip", Shape.CODE),
    Column("table", "Table"),
    Column("meter", "Meter"),
    Column("from", "Paid from", is_minor=True),
    Column("award", "Award", Shape.MONEY),
    Column("withheld", "Withheld", Shape.MONEY, is_minor=True),
)
_CHANGES = (
    Column("number", "Entry", Shape.COUNT),
    Column("at", "When", Shape.TIME, is_minor=True),
    Column("cause", "Cause"),
    Column("counts_as", "Counts as", is_minor=True),
    Column("amount", "Amount", Shape.CHANGE),
    Column("shows", "Shows", Shape.MONEY),
    Column("into_reserve", "Into the reserve", Shape.CHANGE, is_minor=True),
    Column("reserve", "Reserve", Shape.MONEY),
    Column("slip", "Slip", Shape.CODE, is_minor=True),
)
_READINGS = (
    Column("at", "When", Shape.TIME),
    Column("read_by", "Read by"),
    Column("read", "Read", Shape.MONEY),
    Column("book", "Expected", Shape.MONEY),
    Column("differs", "Difference", Shape.CHANGE),
)

_FORMULAS = (
    "Closing = opening + wagers + won + seeded + adjusted, to the cent. A wager counts on the "
    "gaming day on which it was made.",
    "The reserve is what wagers add without showing it. It pays the next seed.",
)


@report(
    key=KEY,
    title="Meters",
    group=Group.PLAY,
    says="Opening, wagers, won, seeded, adjusted and closing of each meter, and jackpots paid.",
    page=PAGE,
)
def meters(choice: ReportChoice) -> Report:
    """Return how meters rolled forward, or the entries of one."""
    opened = Meter.objects.filter(name=choice.of).first() if choice.of else None
    if opened is not None:
        rolled = roll_forward(opened, choice.first, choice.last)
        return Report((_changes(rolled, choice), _readings(rolled)), formulas=_FORMULAS)
    found = [roll_forward(meter, choice.first, choice.last) for meter in Meter.objects.all()]
    paid = payments_between(choice.first, choice.last)
    differing = [item for item in found if item.difference_cents]
    names = ", ".join(item.meter.name for item in differing)
    return Report(
        (
            Section(
                "Roll-forward",
                _METERS,
                tuple(_rolled(item, choice) for item in found),
                "No meter is running.",
            ),
            Section("Jackpots paid", _PAID, tuple(map(_paid, paid)), "No jackpot was paid."),
        ),
        Finding(Tone.BAD, f"Readings that don’t match: {names}.") if differing else None,
        Chart(
            "What meters show at the end",
            Shape.MONEY,
            tuple(
                Bar(item.meter.name, item.closing_cents, link=_own(item.meter, choice))
                for item in found
            ),
        ),
        _FORMULAS,
    )


def _own(meter: Meter, choice: ReportChoice) -> Link:
    return report_link(KEY, PAGE, choice, of=meter.name)


def _before(meter: Meter, choice: ReportChoice) -> Link:
    """Return the day before, whose closing is the opening of these days."""
    day = (choice.first - timedelta(days=1)).isoformat()
    return report_link(KEY, PAGE, choice, of=meter.name, **{"from": day, "to": day})


def _page(meter: Meter) -> Link:
    return Link(reverse("meter", args=[meter.pk]), "meters")


def _rolled(each: RollForward, choice: ReportChoice) -> Row:
    return row_of(
        Cell(each.meter.name, _page(each.meter)),
        Cell(each.opening_cents, _before(each.meter, choice)),
        each.wagered_cents,
        each.won_cents,
        each.seeded_cents,
        each.adjusted_cents,
        each.closing_cents,
        each.reserve_cents,
        each.difference_cents,
        str(each.readings[-1].read_by) if each.readings else "not read",
        tone=Tone.BAD if each.difference_cents else Tone.PLAIN,
        opens=_own(each.meter, choice),
    )


def _paid(each: JackpotPayment) -> Row:
    slip = each.jackpot.slip
    freeze = each.jackpot.freeze
    return row_of(
        slip_cell(slip.serial),
        str(slip.table),
        freeze.meter.name if freeze else "fixed award",
        source_words(each.source),
        each.award_cents,
        each.withheld_cents,
        opens=slip_link(slip.serial),
    )


def _changes(rolled: RollForward, choice: ReportChoice) -> Section:
    """Return how one meter and its reserve came from their opening to their closing."""
    opening = in_cents(rolled.opening.reserve)
    before = row_of(
        "",
        "",
        "opening, the closing of the day before",
        "Opening",
        None,
        rolled.opening_cents,
        None,
        opening,
        "",
        opens=_before(rolled.meter, choice),
    )
    changes = changes_of(rolled, choice.first, choice.last)
    rows = [_change(change, rolled.meter) for change in changes]
    sums = row_of(
        "",
        "",
        "closing",
        "",
        sum(change.amount_cents for change in changes),
        rolled.closing_cents,
        sum(change.reserve_change_cents for change in changes),
        rolled.reserve_cents,
        "",
        opens=_page(rolled.meter),
    )
    return Section(rolled.meter.name, _CHANGES, (before, *rows), sums=sums)


def _change(each: MeterMove, meter: Meter) -> Row:
    entry = each.entry
    serial = entry.slip.serial if entry and entry.slip else None
    return row_of(
        entry.number if entry else None,
        entry.at if entry else None,
        each.words,
        each.figure,
        each.amount_cents,
        each.shown_cents,
        each.reserve_change_cents,
        each.reserve_cents,
        slip_cell(serial),
        opens=slip_link(serial) or _page(meter),
    )


def _readings(rolled: RollForward) -> Section:
    rows = [
        row_of(
            reading.at,
            str(reading.read_by),
            reading.read_cents,
            reading.expected_cents,
            reading.difference_cents,
            tone=Tone.BAD if reading.difference_cents else Tone.PLAIN,
            opens=_page(rolled.meter),
        )
        for reading in rolled.readings
    ]
    return Section("Readings", _READINGS, tuple(rows), "No reading.")
