"""The instrument list: checks, money orders and traveler's checks from an amount on, by time."""

from __future__ import annotations

from inventory.models import PaymentInstrument
from pitboss.reports.book import Group, report
from pitboss.reports.report import (
    Asked,
    Choice,
    Column,
    Report,
    Row,
    Section,
    Shape,
    row_of,
    slip_cell,
    slip_link,
)
from pitboss.rules.patrons.payment_means import LISTED, Means
from pitboss.services import house

_COLUMNS = (
    Column("at", "When", Shape.TIME),
    Column("amount", "Amount", Shape.MONEY),
    Column("name", "Name"),
    Column("address", "Address", is_minor=True),
    Column("kind", "Type"),
    Column("issuer", "Drawee or issuer"),
    Column("reference", "Number", Shape.CODE),
    Column("employee", "Employee and license", is_minor=True),
    Column("slip", "Slip", Shape.CODE),
)


@report(
    key="instruments",
    title="Instrument list",
    group=Group.PAPERS,
    says="Checks, money orders and traveler’s checks from $3,000, by time. Markers are not on it.",
    page="instruments",
    asked=Asked(days_before=6),
)
def instruments(choice: Choice) -> Report:
    """Return what was taken in some gaming days from the amount that was set then."""
    found = (
        PaymentInstrument.objects.filter(
            means__in=[means.value for means in LISTED],
            slip__gaming_day__range=(choice.first, choice.last),
        )
        .select_related("patron", "slip")
        .prefetch_related("slip__signatures")
        .order_by("at", "id")
    )
    rows = tuple(_row(each) for each in found if each.amount_cents >= _from(each))
    return Report((Section("Instruments", _COLUMNS, rows, "None of this amount was taken."),))


def _from(instrument: PaymentInstrument) -> int:
    settings = house.the_property().settings_of(instrument.slip.gaming_day)
    return int(settings["cash.instruments_from"])


def _row(each: PaymentInstrument) -> Row:
    signatures = sorted(each.slip.signatures.all(), key=lambda signature: signature.pk)
    return row_of(
        each.at,
        each.amount_cents,
        each.patron.full_name,
        ", ".join(each.patron.address_lines),
        Means(each.means).label.capitalize(),
        each.issuer,
        each.reference,
        signatures[0].signed_as if signatures else "",
        slip_cell(each.slip.serial),
        opens=slip_link(each.slip.serial),
    )
