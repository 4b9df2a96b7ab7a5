"""Meters: how each came from what it showed to what it shows, and what was paid of it."""

from __future__ import annotations

from django.urls import reverse

from jackpots.models import JackpotPayment, Meter, MeterEntry
from jackpots.selectors.jackpots import payments_between, source_words
from jackpots.selectors.meters import RollForward, roll_forward
from pitboss.reports.book import Group, report
from pitboss.reports.report import (
    Bar,
    Cell,
    Chart,
    Choice,
    Column,
    Finding,
    Link,
    Report,
    Row,
    Section,
    Shape,
    Tone,
    report_link,
    row_of,
    slip_cell,
)
from pitboss.rules.meters import Cause, in_cents

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
    Column("differs", "Read, differs by", Shape.CHANGE),
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
_ENTRIES = (
    Column("number", "Entry", Shape.COUNT),
    Column("at", "When", Shape.TIME),
    Column("cause", "Cause"),
    Column("amount", "Amount", Shape.CHANGE),
    Column("balance", "Shows", Shape.MONEY),
    Column("slip", "Slip", Shape.CODE),
)


@report(
    key=KEY,
    title="Meters",
    group=Group.PLAY,
    says="Opening, wagers, won, seeded, adjusted and closing of each meter, and jackpots paid.",
    page=PAGE,
)
def meters(choice: Choice) -> Report:
    """Return how meters rolled forward, or the entries of one."""
    found = [roll_forward(each, choice.first, choice.last) for each in Meter.objects.all()]
    if choice.of:
        return Report((_entries(choice),))
    paid = payments_between(choice.first, choice.last)
    differing = [each for each in found if each.difference_cents]
    names = ", ".join(each.meter.name for each in differing)
    return Report(
        (
            Section(
                "Roll-forward",
                _METERS,
                tuple(_rolled(each, choice) for each in found),
                "No meter runs.",
            ),
            Section("Jackpots paid", _PAID, tuple(map(_paid, paid)), "No jackpot was paid."),
        ),
        Finding(Tone.BAD, f"Read otherwise than by the book: {names}.") if differing else None,
        Chart(
            "What meters show at the end",
            Shape.MONEY,
            tuple(
                Bar(each.meter.name, each.closing_cents, link=_own(each.meter, choice))
                for each in found
            ),
        ),
        (
            "Closing = opening + wagers + won + seeded + adjusted, to the cent. A wager counts on "
            "the gaming day on which it was made.",
        ),
    )


def _own(meter: Meter, choice: Choice) -> Link:
    return report_link(KEY, PAGE, choice, of=meter.name)


def _rolled(each: RollForward, choice: Choice) -> Row:
    link = _own(each.meter, choice)
    return row_of(
        Cell(each.meter.name, Link(reverse("meter", args=[each.meter.pk]), "meters")),
        each.opening_cents,
        Cell(each.wagered_cents, link),
        Cell(each.won_cents, link),
        Cell(each.seeded_cents, link),
        Cell(each.adjusted_cents, link),
        each.closing_cents,
        each.reserve_cents,
        each.difference_cents,
        str(each.readings[-1].read_by) if each.readings else "not read",
        tone=Tone.BAD if each.difference_cents else Tone.PLAIN,
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
    )


def _entries(choice: Choice) -> Section:
    """Return every entry of one meter in some gaming days."""
    entries = MeterEntry.objects.filter(
        meter__name=choice.of, gaming_day__range=(choice.first, choice.last)
    )
    rows = [
        row_of(
            entry.number,
            entry.at,
            Cause(entry.cause).words,
            in_cents(entry.amount_microcents),
            in_cents(entry.balance_microcents),
            slip_cell(entry.slip.serial if entry.slip else None),
        )
        for entry in entries.select_related("slip").order_by("number")
    ]
    return Section(choice.of, _ENTRIES, tuple(rows))
