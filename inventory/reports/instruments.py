"""The instrument list: checks from an amount on, by time; and payments that came by mail."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any, Final

from inventory.models import Patron
from pitboss.models import Signature, Slip
from pitboss.reports.book import Group, report
from pitboss.reports.report import (
    Column,
    Finding,
    Report,
    ReportChoice,
    ReportScope,
    Row,
    Section,
    Shape,
    Tone,
    row_of,
    slip_cell,
    slip_link,
)
from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.flows.corrections import DEPOSIT_CORRECTION, PAYMENT_CORRECTION
from pitboss.rules.flows.flows import SlipStatus
from pitboss.rules.patrons.payment_means import LISTED, Means
from pitboss.services import house

# Checks are taken for these. Markers are not on the list.
_TAKEN_FOR: Final = (
    "marker_payment_check",
    "marker_payment_issued",
    "marker_payment_mail",
    "front_deposit",
    "late_deposit",
    "marker_recovery",
)
_STATES: Final = {
    SlipStatus.OPEN.value: "not yet received",
    SlipStatus.VOIDED.value: "void, returned to its sender",
}
_MAIL = (
    Column("at", "Listed", Shape.TIME),
    Column("name", "Name"),
    Column("amount", "Amount", Shape.MONEY),
    Column("kind", "Type"),
    Column("instrument", "Issuer and number"),
    Column("listed_by", "Listed by", is_minor=True),
    Column("received_by", "Received by"),
    Column("slip", "Slip", Shape.CODE),
)
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
    asked=ReportScope(days_before=6),
)
def instruments(choice: ReportChoice) -> Report:
    """Return what was taken in some gaming days from the amount that was set then.

    Whatever it was taken for: a payment, a deposit, or what was recovered. Where that was
    corrected, the list says what was right.
    """
    found = Slip.objects.filter(
        kind__in=_TAKEN_FOR,
        status=SlipStatus.DONE.value,
        details__means__in=[means.value for means in LISTED],
        gaming_day__range=(choice.first, choice.last),
    ).prefetch_related("signatures__person")
    taken = sorted(found, key=lambda slip: (_taken_at(slip), slip.pk))
    says = _as_corrected(taken)
    patrons = Patron.objects.in_bulk([item["patron"] for item in says.values()])
    rows = tuple(
        _row(slip, patrons[says[slip.serial]["patron"]], says[slip.serial]["amount_cents"])
        for slip in taken
        if says[slip.serial]["amount_cents"] >= _from(slip.gaming_day)
    )
    return Report((Section("Instruments", _COLUMNS, rows, "None of this amount was accepted."),))


def _as_corrected(taken: Sequence[Slip]) -> dict[str, Mapping[str, Any]]:
    """Return what each slip says, or its newest correction does, by its own number."""
    says: dict[str, Mapping[str, Any]] = {slip.serial: slip.details for slip in taken}
    corrections = Slip.objects.filter(
        kind__in=(PAYMENT_CORRECTION, DEPOSIT_CORRECTION),
        status=SlipStatus.DONE.value,
        details__root__in=list(says),
    )
    return says | {
        correction.details["root"]: correction.details for correction in corrections.order_by("id")
    }


def _from(day: date) -> int:
    return int(house.the_property().settings_of(day)["cash.instruments_from"])


def _signatures(slip: Slip) -> list[Signature]:
    return sorted(slip.signatures.all(), key=lambda signature: signature.pk)


def _taken_at(slip: Slip) -> datetime:
    """Return when it counted: when the last of them signed."""
    return _signatures(slip)[-1].signed_at


def _row(slip: Slip, patron: Patron, amount_cents: int) -> Row:
    details = slip.details
    return row_of(
        _taken_at(slip),
        amount_cents,
        patron.full_name,
        ", ".join(patron.address_lines),
        Means(details["means"]).label.capitalize(),
        details["issuer"],
        details["reference"],
        _signatures(slip)[0].signed_as,
        slip_cell(slip.serial),
        opens=slip_link(slip.serial),
    )


@report(
    key="mail-payments",
    title="Mail payments",
    group=Group.PAPERS,
    says="Payments on markers that came by mail, as accounting listed them, and who received each.",
    page="instruments",
    asked=ReportScope(days_before=6),
)
def mail_payments(choice: ReportChoice) -> Report:
    """Return what accounting listed in some gaming days, held against what the cage received."""
    found = list(
        Slip.objects.filter(
            kind="marker_payment_mail", gaming_day__range=(choice.first, choice.last)
        )
        .prefetch_related("signatures__person")
        .order_by("raised_at", "id")
    )
    open_ones = [slip for slip in found if slip.status == SlipStatus.OPEN.value]
    waiting = sum(slip.details["amount_cents"] for slip in open_ones)
    finding = (
        Finding(Tone.WAIT, f"The cage has not received {format_money(waiting)} of this mail.")
        if open_ones
        else Finding(Tone.GOOD, "The cage received or returned all of this mail.")
    )
    rows = tuple(_mail_row(slip) for slip in found)
    return Report((Section("Mail", _MAIL, rows, "No payment came by mail."),), finding)


def _mail_row(slip: Slip) -> Row:
    details, signatures = slip.details, _signatures(slip)
    received = [
        signature.signed_as for signature in signatures if signature.step == "payment_verified"
    ]
    return row_of(
        slip.raised_at,
        details["patron_name"],
        details["amount_cents"],
        Means(details["means"]).label.capitalize(),
        f"{details['issuer']}, {details['reference']}",
        signatures[0].signed_as,
        received[0] if received else _STATES[slip.status],
        slip_cell(slip.serial),
        opens=slip_link(slip.serial),
    )
