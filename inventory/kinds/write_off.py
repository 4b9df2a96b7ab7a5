"""A settlement, discount or write-off of a marker, and what is recovered of it later.

Two people sign, and one of them had no part in granting, issuing or collecting that credit. What is
written off is no longer owed; money that comes all the same is a recovery, and never a payment.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.db import models
from django.db.models import Sum

from inventory.kinds.marker import OWED_READERS, WITNESSES
from inventory.kinds.of_a_patron import DollarAmount
from inventory.models import Marker, MarkerEntry, MarkerMove, PatronStanding
from inventory.selectors.checks import involved_in
from inventory.selectors.credit import outstanding, standing_of
from inventory.services.cash_log import log_cash
from inventory.services.exclusion import Compared, keep_comparison
from inventory.services.patrons import lock_patron
from pitboss.models import Person, Signature, Slip
from pitboss.paper.forms import Form, Part, Shows
from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.floor.fields import Pick, Words
from pitboss.rules.flows.flows import (
    Need,
    NeedFacts,
    PlanFacts,
    Promise,
    SlipStatus,
    Step,
    void_witnessed,
)
from pitboss.rules.patrons.cash_log import CashKind
from pitboss.rules.patrons.checks import WriteOffFacts, recovery_refusals, write_off_refusals
from pitboss.rules.patrons.exclusion import Moment
from pitboss.rules.patrons.patrons import Standing
from pitboss.rules.patrons.payment_means import TEXT_MAX, DepositedIn, instrument_refusals
from pitboss.rules.refusal import CONFLICT, Refusal, Refused
from pitboss.rules.roles import AT_THE_CAGE, Place, Role
from pitboss.services import house
from pitboss.services.drafts import NewSlip
from pitboss.slips.kind import Kind, Raising

_WHAT: Final = {
    "settlement": "Settlement, with the rest given up",
    "discount": "Discount",
    "write_off": "Write-off, uncollectible",
}
_PROPOSERS: Final = (Role.COLLECTOR, Role.CAGE_MANAGER)
_ABOVE: Final = "above_controller"
_RECOVERED_IN: Final = (DepositedIn.CASH, DepositedIn.CASHIERS_CHECK, DepositedIn.WIRE)


def _paper_of(raising: Raising) -> Slip:
    assert raising.original is not None, "it is about a marker, or about what was written off"
    return raising.original


def _balance_cents(marker: Marker) -> int:
    """Return what is owed on a marker that is at the cage; nothing of one elsewhere."""
    today = house.period_at(house.now()).gaming_day
    owed = outstanding(today, marker.patron)
    return sum(item.balance_cents for item in owed if item.marker == marker and item.at_cage)


def _drafted(raising: Raising) -> NewSlip:
    marker, what, cents = _paper_of(raising).marker, raising.given["what"], raising.given["amount"]
    left = _balance_cents(marker) - cents
    return NewSlip(
        raising.kind.kind,
        None,
        {},
        # It is of no table: which marker it is about stands in its details.
        details={
            "about": f"{marker.patron}, {format_money(cents)}",
            "says": [
                ["Patron", marker.patron.full_name],
                ["Marker", str(marker)],
                ["What", _WHAT[what]],
                ["Given up", format_money(cents)],
                ["Still owed", format_money(max(0, left))],
                # Whether revenue tax lets it be deducted is for the state to say.
                ["Tax", "Accounting reviews how the state taxes it."],
            ],
            "patron": marker.patron_id,
            "patron_name": marker.patron.full_name,
            "marker": marker.pk,
            "what": what,
            "amount_cents": cents,
        },
    )


def _refusals(raising: Raising) -> list[Refusal]:
    marker, cents = _paper_of(raising).marker, raising.given["amount"]
    waiting = Slip.objects.filter(
        kind=raising.kind.kind, status=SlipStatus.OPEN, details__marker=marker.pk
    ).first()
    if waiting is not None:
        words = f"{waiting} is pending for {marker}. Sign or decline it first."
        return [Refusal("already_proposed", words)]
    return write_off_refusals(WriteOffFacts(str(marker), _balance_cents(marker), cents))


def _facts(raising: Raising) -> PlanFacts:
    most = house.settings_at(house.now())["credit.write_off_most"]
    above = raising.given["amount"] > most
    return PlanFacts({}, marks=frozenset({_ABOVE}) if above else frozenset())


def _is_above(facts: PlanFacts) -> bool:
    return _ABOVE in facts.marks


def _above_the_controller(facts: NeedFacts) -> Need:
    return Need("The controller can’t approve this amount alone.", "credit.write_off_most")


def _signers(slip: Slip, last: Person) -> frozenset[int]:
    return frozenset({last.pk, *slip.signatures.values_list("person", flat=True)})


def _written_off(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Take what is given up off the marker. Raises Refused where no one was independent."""
    details = slip.details
    patron = lock_patron(details["patron"])
    marker = Marker.objects.select_related("slip", "patron").get(pk=details["marker"])
    facts = WriteOffFacts(
        str(marker),
        _balance_cents(marker),
        details["amount_cents"],
        _signers(slip, signature.person),
        involved_in(marker),
    )
    if refusals := write_off_refusals(facts):
        raise Refused(refusals)
    rows: list[models.Model] = [_entry(marker, MarkerMove.WRITTEN_OFF, slip, at)]
    if details["what"] != "discount" and standing_of(patron) is Standing.CLEAR:
        # What was not paid back is not lent again.
        rows.append(
            PatronStanding.objects.create(
                patron=patron, standing=Standing.SUSPENDED.value, since=at, slip=slip
            )
        )
    return rows


def _entry(marker: Marker, move: MarkerMove, slip: Slip, at: datetime) -> MarkerEntry:
    when = house.period_at(at)
    return MarkerEntry.objects.create(
        marker=marker,
        move=move.value,
        amount_cents=slip.details["amount_cents"],
        slip=slip,
        gaming_day=when.gaming_day,
        shift=when.shift,
        at=at,
    )


WRITE_OFF = Kind(
    "write_off",
    title="Settlement or write-off",
    series="WO",
    open_to=frozenset(_PROPOSERS),
    lit_by="credit_desk",
    at_a_table=False,
    refers_to=("marker", "consolidation", "marker_correction"),
    must_refer=True,
    asked=(
        Pick(name="what", label="What it is", choices=_WHAT),
        DollarAmount(name="amount", label="Amount given up ($)"),
    ),
    refusals=_refusals,
    facts=_facts,
    drafted=_drafted,
    steps=(
        Step(
            "proposed",
            done="Proposed",
            do="Propose",
            by=_PROPOSERS,
            at=None,
            needs_reason=True,
            reason_label="What was tried, and why it is given up",
            attests="I certify that this amount cannot be collected, and I propose to write it "
            "off.",
        ),
        Step(
            "approved",
            done="Approved",
            do="Approve",
            by=Role.CONTROLLER,
            at=None,
            why=Need("Someone who didn’t grant, issue, or collect this credit must approve it."),
            attests="I reviewed the patron’s file and approve giving this amount up.",
        ),
        Step(
            "top_approved",
            done="Approved above the limit",
            do="Approve above the limit",
            by=Role.SHIFT_MANAGER,
            at=None,
            when=_is_above,
            why=_above_the_controller,
            attests="I approve giving this amount up above the controller’s limit.",
        ),
    ),
    at_end="marker_written_off",
    void=(
        Step(
            "refused",
            done="Refused",
            do="Refuse",
            by=(Role.CONTROLLER, Role.CAGE_MANAGER),
            at=None,
            may_repeat="proposed",
            needs_reason=True,
            attests="I decline this proposal. The whole amount stays owed.",
            then="slip_voided",
        ),
    ),
    effects={"marker_written_off": _written_off},
    readers=OWED_READERS,
    promises=(Promise(2, 2),),
    paper=Form(
        parts=(Part("Original", "Into the patron's credit file, kept by accounting."),),
        shows=Shows.FACTS,
        caption="Patron credit",
        refers_as="Gives up",
        referred_as="Given up by",
    ),
    heading=lambda raising: f"Settlement or write-off of {raising.original}",
    raised=lambda slip: f"{slip.serial} proposed. The controller approves it.",
)


def _left_cents(written: Slip) -> int:
    """Return what was written off on a slip and is not recovered."""
    back = MarkerEntry.objects.filter(move=MarkerMove.RECOVERED, slip__refers_to=written).aggregate(
        cents=Sum("amount_cents")
    )
    return int(written.details["amount_cents"]) - int(back["cents"] or 0)


def _drafted_recovery(raising: Raising) -> NewSlip:
    written, cents = _paper_of(raising), raising.given["amount"]
    means = DepositedIn(raising.given["means"])
    issuer, reference = raising.given.get("issuer", ""), raising.given.get("reference", "")
    said = [["Issuer and number", f"{issuer}, {reference}"]] if issuer or reference else []
    return NewSlip(
        raising.kind.kind,
        None,
        {},
        written.pk,
        details={
            "about": f"{written.details['patron_name']}, {format_money(cents)}",
            "says": [
                ["Patron", written.details["patron_name"]],
                ["Written off on", written.serial],
                ["Recovered", f"{format_money(cents)} in {means.label}"],
                *said,
            ],
            "patron": written.details["patron"],
            "marker": written.details["marker"],
            "means": means.value,
            "issuer": issuer,
            "reference": reference,
            "amount_cents": cents,
        },
    )


def _recovery_refusals(raising: Raising) -> list[Refusal]:
    written, given = _paper_of(raising), raising.given
    refusals = recovery_refusals(_left_cents(written), given["amount"])
    if written.status != SlipStatus.DONE.value:
        words = f"{written} isn’t approved. Take a payment on the marker instead."
        refusals.append(Refusal("not_written_off", words, CONFLICT))
    if DepositedIn(given["means"]).has_issuer:
        refusals += instrument_refusals(given.get("issuer", ""), given.get("reference", ""))
    return refusals


def _recovered(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Write what came in down beside what was written off. Raises Refused."""
    details, written = slip.details, slip.refers_to
    assert written is not None, "a recovery is of what was written off"
    patron = lock_patron(details["patron"])
    if refusals := recovery_refusals(_left_cents(written), details["amount_cents"]):
        raise Refused(refusals)
    marker = Marker.objects.get(pk=details["marker"])
    rows: list[models.Model] = [_entry(marker, MarkerMove.RECOVERED, slip, at)]
    if details["means"] == DepositedIn.CASH:
        rows += log_cash(
            patron=patron,
            kind=CashKind.MARKER_PAYMENT,
            amount_cents=details["amount_cents"],
            slip=slip,
            signature=signature,
            at=at,
        )
    # A debt is taken from anyone; the case opens all the same.
    keep_comparison(Compared(patron, Moment.DEBT, at, None, slip))
    return rows


MARKER_RECOVERY = Kind(
    "marker_recovery",
    title="Recovery",
    series="RV",
    open_to=AT_THE_CAGE,
    lit_by="credit_desk",
    at_a_table=False,
    refers_to=(WRITE_OFF.kind,),
    must_refer=True,
    offers="Recovery…",
    asked=(
        Pick(
            name="means",
            label="Paid with",
            choices={item.value: item.label.capitalize() for item in _RECOVERED_IN},
        ),
        DollarAmount(name="amount", label="Amount ($)"),
        Words(name="issuer", label="Bank or issuer", is_needed=False, most=TEXT_MAX),
        Words(name="reference", label="Number", is_needed=False, most=TEXT_MAX),
    ),
    refusals=_recovery_refusals,
    drafted=_drafted_recovery,
    steps=(
        Step(
            "payment_received",
            done="Payment received",
            do="Receive",
            by=Role.CASHIER,
            at=Place.CAGE,
            attests="I certify that I received this payment on credit that was written off.",
        ),
        Step(
            "payment_verified",
            done="Payment verified",
            do="Verify",
            by=Role.CASHIER,
            at=Place.CAGE,
            attests="I certify that I also counted this payment and that the patron was given "
            "the receipt.",
            then="write_off_recovered",
        ),
    ),
    void=(
        Step(
            "voided",
            done="Voided",
            do="Void",
            by=Role.CASHIER,
            at=Place.CAGE,
            may_repeat="payment_received",
            needs_reason=True,
            attests="I void this payment. I certify that everything tendered was returned.",
        ),
        void_witnessed(WITNESSES),
    ),
    effects={"write_off_recovered": _recovered},
    readers=OWED_READERS,
    promises=(Promise(2, 1),),
    paper=Form(
        parts=(
            Part("Original", "To accounting with the slips of the shift."),
            Part("Receipt", "To the patron."),
        ),
        original_at=Place.CAGE,
        shows=Shows.FACTS,
        caption="Patron credit",
        refers_as="Recovers",
        referred_as="Recovered by",
    ),
    heading=lambda raising: f"Recovery of {raising.original}",
    raised=lambda slip: f"{slip.serial} received. A second person verifies it.",
)
