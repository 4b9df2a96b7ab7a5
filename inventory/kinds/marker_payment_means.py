"""A payment on markers at the cage by check, by wire, or out of front money.

A personal check replaces the marker, and the credit it pays back waits until the check has cleared.
A cashier’s check, money order or traveler’s check counts once its issuer has confirmed it; a wire
once a second person has seen it on the bank’s statement; front money immediately.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Final

from django.db import models

from inventory.kinds.marker_payment import (
    MARKER_PAYMENT_CAGE,
    drafted_payment,
    payment_judged,
    with_words,
)
from inventory.kinds.of_a_patron import (
    DollarAmount,
    id_on_file,
    patron_of,
    signed_by_patron,
    tells_hand,
)
from inventory.models import DepositAccount, DepositEntry, DepositMove, Patron, PaymentInstrument
from inventory.selectors.credit import found_of
from inventory.selectors.deposits import bank_holidays, deposits_of, usable_cents
from inventory.services.exclusion import Compared, keep_comparison
from inventory.services.marker_payments import payable, still_owed, taken_off
from inventory.services.patrons import lock_patron
from pitboss.middleware import PitRequest
from pitboss.models import Signature, Slip
from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.floor.fields import Pick, Words
from pitboss.rules.flows.flows import Need, Promise, Step
from pitboss.rules.patrons.credit_line import AMOUNT_MAX_CENTS
from pitboss.rules.patrons.exclusion import Moment
from pitboss.rules.patrons.payment_means import (
    ISSUED,
    TEXT_MAX,
    Means,
    deposit_refusals,
    free_at,
    instrument_refusals,
)
from pitboss.rules.refusal import Refusal, Refused
from pitboss.rules.roles import Place, Role
from pitboss.services import house
from pitboss.services.drafts import NewSlip
from pitboss.slips.addresses import own_url
from pitboss.slips.fields import drawn
from pitboss.slips.kind import Look, Raising, nothing_more
from pitboss.views.forms import new_request_id

_BY_KIND: Final = {
    "marker_payment_check": Means.PERSONAL_CHECK,
    "marker_payment_wire": Means.WIRE,
    "marker_payment_front": Means.FRONT_MONEY,
}


def _means(raising: Raising) -> Means:
    return _BY_KIND.get(raising.kind.kind) or Means(raising.given["means"])


def _drafted(raising: Raising) -> NewSlip:
    """Draft a payment, with what it is paid with."""
    means, amount_cents = _means(raising), raising.given["amount"]
    issuer, reference = raising.given.get("issuer", ""), raising.given.get("reference", "")
    paid = [["Paid", f"{format_money(amount_cents)} by {means.label}"]]
    if issuer or reference:
        paid.append(["Issuer and number", f"{issuer}, {reference}"])
    new = drafted_payment(
        raising, amount_cents, paid, means=means.value, issuer=issuer, reference=reference
    )
    return with_words(new, patron_of(raising)) if means is Means.FRONT_MONEY else new


def _refusals(raising: Raising) -> list[Refusal]:
    patron, details = patron_of(raising), raising.new().details
    if not 0 < details["amount_cents"] <= AMOUNT_MAX_CENTS:
        return [Refusal("bad_amount", "Amount must be more than $0. Enter it again.")]
    refusals = payment_judged(raising)
    if details["means"] == Means.FRONT_MONEY:
        usable = usable_cents(patron, DepositAccount.FRONT_MONEY, house.now())
        return [*refusals, *deposit_refusals(usable, details["amount_cents"])]
    return [*refusals, *instrument_refusals(details["issuer"], details["reference"])]


def _taken(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Take the payment off the markers; the line is free of it at once, or once it has cleared."""
    details, means = slip.details, Means(slip.details["means"])
    patron = lock_patron(details["patron"])
    balances = still_owed(slip, patron)
    rows: list[models.Model] = []
    if means is Means.FRONT_MONEY:
        rows.append(_from_front_money(slip, patron, at))
    in_force = house.settings_at(at)
    instrument = PaymentInstrument.objects.create(
        patron=patron,
        means=means.value,
        amount_cents=details["amount_cents"],
        issuer=details["issuer"],
        reference=details["reference"],
        free_at=free_at(
            means,
            at,
            in_force["credit.clear_days"],
            bank_holidays(at),
            house.the_property().zone,
        ),
        slip=slip,
        at=at,
    )
    # A debt is taken from anyone; the case opens all the same.
    keep_comparison(Compared(patron, Moment.DEBT, at, None, slip))
    return [*rows, instrument, *taken_off(slip, balances, at)]


def _from_front_money(slip: Slip, patron: Patron, at: datetime) -> DepositEntry:
    """Take a payment out of the deposit, under the patron’s lock. Raises Refused."""
    amount_cents = slip.details["amount_cents"]
    usable = usable_cents(patron, DepositAccount.FRONT_MONEY, at)
    if refusals := deposit_refusals(usable, amount_cents):
        raise Refused(refusals)
    return DepositEntry.objects.create(
        patron=patron,
        account=DepositAccount.FRONT_MONEY.value,
        move=DepositMove.PAID_MARKER.value,
        amount_cents=amount_cents,
        usable_at=at,
        slip=slip,
        gaming_day=slip.gaming_day,
        shift=slip.shift,
        at=at,
    )


def _look(request: PitRequest, raising: Raising, refused: Refused | None) -> Look:
    """Return the page that asks what it is paid with, beside what is owed."""
    given = request.POST or request.GET
    patron = patron_of(raising)
    return "inventory/marker_payment_means.html", {
        "url": own_url(raising),
        "request_id": new_request_id(),
        "found": found_of(patron),
        "owed": payable(patron, at_table=False),
        "elsewhere": payable(patron, at_table=True),
        "deposits": deposits_of(patron, house.now()),
        "fields": [drawn(field, given) for field in raising.kind.asked],
    }


_AMOUNT: Final = DollarAmount(name="amount", label="Amount ($)")
_ORDER: Final = (
    Words(name="first", label="Pay first", is_needed=False, most=40),
    Words(name="waiver", label="Why the newest isn’t paid", is_needed=False, most=500),
)
_ISSUER: Final = Words(name="issuer", label="Bank or issuer", most=TEXT_MAX)
_NUMBER: Final = Words(name="reference", label="Number", most=TEXT_MAX)
_RECEIVED: Final = Step(
    "payment_received",
    done="Payment received",
    do="Receive",
    by=Role.CASHIER,
    at=Place.CAGE,
    attests="I certify that I received the personal check described on this slip and that it is "
    "drawn by the patron.",
)
_VERIFIED: Final = Step(
    "payment_verified",
    done="Payment verified",
    do="Verify",
    by=Role.CASHIER,
    at=Place.CAGE,
    attests="I certify that I examined the personal check described on this slip. It replaces "
    "the markers it pays and is deposited by their due day.",
    then="marker_payment_by_means",
)

MARKER_PAYMENT_CHECK = replace(
    MARKER_PAYMENT_CAGE,
    kind="marker_payment_check",
    title="Marker payment by personal check",
    asked=(_AMOUNT, _ISSUER, _NUMBER, *_ORDER),
    refusals=_refusals,
    drafted=_drafted,
    steps=(_RECEIVED, _VERIFIED),
    effects={"marker_payment_by_means": _taken},
    look=_look,
    heading=lambda raising: "Marker payment by personal check",
    review=nothing_more,
)

MARKER_PAYMENT_ISSUED = replace(
    MARKER_PAYMENT_CHECK,
    kind="marker_payment_issued",
    title="Marker payment by cashier’s check or money order",
    asked=(
        Pick(
            name="means",
            label="Paid with",
            choices={item.value: item.label.capitalize() for item in ISSUED},
        ),
        _AMOUNT,
        _ISSUER,
        _NUMBER,
        *_ORDER,
    ),
    steps=(
        replace(
            _RECEIVED,
            attests="I certify that I received the instrument described on this slip from the "
            "patron.",
        ),
        replace(
            _VERIFIED,
            attests="I certify that I verified with its issuer that the instrument described on "
            "this slip is genuine.",
        ),
    ),
    heading=lambda raising: "Marker payment by cashier’s check or money order",
)

# Mail is opened by people who neither take checks nor collect on markers: what they list can’t
# disappear on its way to the cage.
MARKER_PAYMENT_MAIL = replace(
    MARKER_PAYMENT_ISSUED,
    kind="marker_payment_mail",
    title="Marker payment by mail",
    open_to=frozenset({Role.ACCOUNTING}),
    lit_by="credit_desk",
    asked=(
        Pick(
            name="means",
            label="Paid with",
            choices={
                item.value: item.label.capitalize() for item in (Means.PERSONAL_CHECK, *ISSUED)
            },
        ),
        _AMOUNT,
        _ISSUER,
        _NUMBER,
        *_ORDER,
    ),
    steps=(
        Step(
            "mail_listed",
            done="Mail listed",
            do="List",
            by=Role.ACCOUNTING,
            at=None,
            attests="I certify that I opened this mail, that it held what is described on this "
            "slip, and that I neither keep patrons' checks nor collect on markers.",
        ),
        Step(
            "payment_verified",
            done="Payment verified",
            do="Verify",
            by=Role.CASHIER,
            at=Place.CAGE,
            why=Need("A cashier compares what came by mail with this list."),
            attests="I certify that I received from accounting what is described on this slip, "
            "unaltered, and examined it. I verified with its issuer that a cashier's check, money "
            "order, or traveler's check is genuine.",
            then="marker_payment_by_means",
        ),
    ),
    void=(
        Step(
            "voided",
            done="Voided",
            do="Void",
            by=(Role.ACCOUNTING, Role.CASHIER),
            at=None,
            may_repeat="mail_listed",
            needs_reason=True,
            attests="I void this payment. I certify that what came by mail was returned to its "
            "sender.",
        ),
        MARKER_PAYMENT_CAGE.void[-1],
    ),
    promises=(Promise(2, 2),),
    heading=lambda raising: "Marker payment by mail",
    raised=lambda slip: f"{slip.serial} listed. A cashier receives it.",
)

MARKER_PAYMENT_WIRE = replace(
    MARKER_PAYMENT_CHECK,
    kind="marker_payment_wire",
    title="Marker payment by wire",
    asked=(
        _AMOUNT,
        replace(_ISSUER, label="Sending bank"),
        replace(_NUMBER, label="Wire reference"),
        *_ORDER,
    ),
    steps=(
        replace(
            _RECEIVED,
            attests="I certify that I received notice of the wire described on this slip.",
        ),
        Step(
            "wire_credited",
            done="Wire credited",
            do="Confirm",
            # Someone who does not receive wires sees that the bank has credited it.
            by=(Role.ACCOUNTING, Role.CAGE_MANAGER),
            at=None,
            why=Need("Someone who didn’t receive the wire confirms that the bank credited it."),
            attests="I certify that I took no part in receiving this wire and saw that the bank "
            "credited its amount to the house.",
            then="marker_payment_by_means",
        ),
    ),
    heading=lambda raising: "Marker payment by wire",
    raised=lambda slip: f"{slip.serial} received. Someone else confirms that the bank credited it.",
)

MARKER_PAYMENT_FRONT = replace(
    MARKER_PAYMENT_CHECK,
    kind="marker_payment_front",
    title="Marker payment from front money",
    asked=(_AMOUNT, *_ORDER),
    steps=(
        replace(
            _RECEIVED,
            attests="I certify that the patron asked to pay the markers on this slip from their "
            "front money.",
        ),
        signed_by_patron(
            Role.CASHIER,
            Place.CAGE,
            may_repeat="payment_received",
        ),
        replace(
            _VERIFIED,
            attests="I certify that the patron’s front money covers this payment. A marker paid "
            "in full is returned to the patron.",
        ),
    ),
    promises=(Promise(2, 1),),
    matches=id_on_file,
    tells=tells_hand,
    heading=lambda raising: "Marker payment from front money",
    raised=lambda slip: f"{slip.serial} started. Hand the tablet to the patron.",
)
