"""A payment on markers: in cash or cheques, at a table or at the cage, the newest marker first.

A marker is paid where its original is, so that it can be given back: one that has gone to the cage
is paid at the cage, or brought back to a pit on a transfer first.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from django.db import models
from django.db.models import Q

from inventory.kinds.carrying import CHEQUES, keyed_cheques
from inventory.kinds.marker import OWED_READERS, WITNESSES
from inventory.kinds.of_a_patron import (
    DollarAmount,
    back_to_choice,
    of_chosen_patron,
    patron_choice,
    patron_locked,
    patron_of,
)
from inventory.models import Holder, Patron
from inventory.selectors.credit import Outstanding, found_of
from inventory.selectors.marker_log import PAYMENT_KINDS
from inventory.services.cash_log import Transaction, log_cash, outlook_of
from inventory.services.errands import closing_refusals
from inventory.services.exclusion import Compared, keep_comparison
from inventory.services.ledger import move_cheques
from inventory.services.marker_payments import AT_A_TABLE, payable, still_owed, taken_off
from inventory.services.patrons import lock_patron
from pitboss.middleware import PitRequest
from pitboss.models import Signature, Slip
from pitboss.paper.forms import Form, InBox, Part, Shows
from pitboss.rules.canonical import is_plain
from pitboss.rules.cheques.cheques import (
    format_cheques,
    format_money,
    total_cents,
)
from pitboss.rules.cheques.keys import worth_of
from pitboss.rules.cheques.sets import no_money_refusals
from pitboss.rules.floor.fields import Words
from pitboss.rules.flows.flows import REASON_MAX, Promise, SlipStatus, Step, void_witnessed
from pitboss.rules.patrons.cash_log import CashKind
from pitboss.rules.patrons.credit_line import (
    AMOUNT_MAX_CENTS,
    newest_first,
    payment_refusals,
    redeemed,
)
from pitboss.rules.patrons.exclusion import Moment
from pitboss.rules.patrons.patron_reads import READS, paying_words, reads
from pitboss.rules.refusal import Refusal
from pitboss.rules.roles import AT_THE_CAGE, SUPERVISING, Place, Role
from pitboss.services import house
from pitboss.services.drafts import NewSlip
from pitboss.slips.addresses import new_url, own_url
from pitboss.slips.kind import Kind, Look, Raising
from pitboss.views.forms import TEXT_MAX, new_request_id

_OTHER_MEANS: Final = {
    "marker_payment_check": "Personal check…",
    "marker_payment_issued": "Cashier’s check, money order…",
    "marker_payment_wire": "Wire…",
    "marker_payment_front": "Front money…",
}


def _is_at_table(raising: Raising) -> bool:
    return raising.kind.kind == AT_A_TABLE


def _payable(raising: Raising) -> list[Outstanding]:
    return payable(patron_of(raising), at_table=_is_at_table(raising))


def _drafted(raising: Raising) -> NewSlip:
    """Draft a payment, with what it takes off which marker."""
    cheques, cash_cents = raising.cheques, raising.given.get("cash", 0)
    amount_cents = total_cents(cheques) + max(0, cash_cents)
    return drafted_payment(
        raising, amount_cents, [["Paid", _paid_words(cheques, cash_cents)]], cash_cents=cash_cents
    )


def drafted_payment(
    raising: Raising, amount_cents: int, paid: list[list[str]], **more: Any
) -> NewSlip:
    """Draft a payment in whatever way: what it takes off which marker, newest first."""
    patron = patron_of(raising)
    first_serial, waiver = raising.given.get("first", ""), raising.given.get("waiver", "")
    owed = newest_first(outstanding.owed for outstanding in _payable(raising))
    first = next((item for item in owed if item.serial == first_serial), None)
    order = owed if first is None else [first, *(item for item in owed if item != first)]
    parts = redeemed(order, amount_cents)
    says = [["Patron", patron.full_name], *paid]
    for item, cents in parts:
        left = item.balance_cents - cents
        says.append(
            [item.serial, f"{format_money(cents)} of it, {format_money(left)} still owed"]
            if left
            else [item.serial, f"{format_money(cents)}, paid in full"]
        )
    if waiver:
        says.append(["Order waived", waiver])
    return NewSlip(
        raising.kind.kind,
        raising.table.pk if raising.table else None,
        raising.cheques,
        details={
            "about": f"{patron}, {format_money(amount_cents)}",
            "says": says,
            "patron": patron.pk,
            "patron_name": patron.full_name,
            **more,
            "amount_cents": amount_cents,
            "parts": [[item.marker_id, item.serial, cents] for item, cents in parts],
            "first": first_serial,
            "waiver": waiver,
        },
    )


def with_words(new: NewSlip, patron: Patron, win: str = "") -> NewSlip:
    """Return a payment with what the patron signs: their front money pays it, or a win."""
    details = new.details
    words = paying_words(
        payee=house.the_property().name,
        amount_cents=details["amount_cents"],
        serials=[serial for _, serial, _ in details["parts"]],
        win=win,
    )
    read = reads(details["amount_cents"], words, "Marker payment", patron.language)
    return replace(new, details={**details, READS: read})


def _paid_words(cheques: Mapping[int, int], cash_cents: int) -> str:
    words = []
    if total_cents(cheques):
        words.append(f"{format_money(total_cents(cheques))} in cheques ({format_cheques(cheques)})")
    if cash_cents:
        words.append(f"{format_money(cash_cents)} in cash")
    return " and ".join(words) or "nothing"


def _refusals(raising: Raising) -> list[Refusal]:
    """Return why a payment may not be taken there, now."""
    table = raising.table
    if not 0 <= raising.new().details["cash_cents"] <= AMOUNT_MAX_CENTS:
        return [Refusal("bad_amount", "Enter the cash that was paid, $0 or more.")]
    redeems = house.cheques_now().redeemed_at_cage if table else no_money_refusals
    return [
        *redeems(raising.cheques),
        *(closing_refusals(table) if table else []),
        *payment_judged(raising),
    ]


def payment_judged(raising: Raising) -> list[Refusal]:
    """Return why a payment of this amount may not be taken here, whatever it is paid with."""
    patron, details = patron_of(raising), raising.new().details
    waiver = details["waiver"]
    if not is_plain(waiver) or len(waiver) > REASON_MAX:
        words = f"Reason is too long. Use {REASON_MAX} characters or fewer."
        return [Refusal("reason_too_long", words)]
    owed = [outstanding.owed for outstanding in _payable(raising)]
    first = next((item for item in owed if item.serial == details["first"]), None)
    if details["first"] and first is None:
        return [_not_here(details["first"], patron, at_table=_is_at_table(raising))]
    refusals = payment_refusals(
        owed=owed, first=first, amount_cents=details["amount_cents"], waiver=waiver
    )
    refusals.extend(_under_way(patron))
    return refusals


def _not_here(serial: str, patron: Patron, *, at_table: bool) -> Refusal:
    """Say why the marker that someone wants to pay cannot be paid here."""
    there = payable(patron, at_table=not at_table)
    elsewhere = next(
        (outstanding for outstanding in there if str(outstanding.marker) == serial), None
    )
    if elsewhere is None:
        return Refusal(
            "not_outstanding", f"{serial} isn’t outstanding. Choose a marker from the list."
        )
    where = "pit" if at_table else "cage"
    return Refusal(
        "marker_elsewhere",
        f"The original of {serial} is at the {elsewhere.where}. "
        f"Have it transferred to the {where} first.",
    )


def _under_way(patron: Patron) -> list[Refusal]:
    """Hold off a second payment while one is being signed: its balances would be wrong."""
    # A win that is set off takes effect when it is paid.
    agreed = Q(
        kind="marker_set_off",
        status=SlipStatus.DONE,
        instrument=None,
        refers_to__status=SlipStatus.OPEN,
    )
    waiting = Slip.objects.filter(
        Q(status=SlipStatus.OPEN) | agreed, kind__in=PAYMENT_KINDS, details__patron=patron.pk
    ).first()
    if waiting is None:
        return []
    return [
        Refusal("payment_under_way", f"{waiting} is an open payment of {patron}. Finish it first.")
    ]


def _taken(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Take the payment off the markers, and its cheques into the tray or the cage."""
    details, table = slip.details, slip.table
    patron = lock_patron(details["patron"])
    balances = still_owed(slip, patron)
    transfers = move_cheques(
        slip=slip,
        cheques=slip.cheques_by_cents,
        source=Holder.PUBLIC,
        target=Holder.TRAY if table else Holder.CAGE,
        at=at,
    )
    entries = taken_off(slip, balances, at, cash_cents=details["cash_cents"])
    logged = (
        log_cash(
            patron=patron,
            kind=CashKind.MARKER_PAYMENT,
            amount_cents=details["cash_cents"],
            slip=slip,
            signature=signature,
            at=at,
        )
        if details["cash_cents"]
        else []
    )
    # A debt is taken from anyone; the case opens all the same.
    keep_comparison(Compared(patron, Moment.DEBT, at, table, slip))
    return [*transfers, *entries, *logged]


def _look(request: PitRequest, raising: Raising, refused: object) -> Look:
    """Return the page that asks what is paid: cheques by color, cash, and which marker first."""
    # What was refused, or what the signer wants to change.
    keyed = request.POST or request.GET
    counts = keyed_cheques(keyed)
    return "inventory/marker_payment.html", {
        "url": own_url(raising),
        "request_id": new_request_id(),
        "found": found_of(patron_of(raising)),
        "owed": _payable(raising),
        "elsewhere": payable(patron_of(raising), at_table=not raising.kind.at_a_table),
        # A patron may pay in any color of the house, whatever the tray holds.
        "colours": [
            {"cents": cents, "count": counts.get(cents, "")}
            for cents in house.cheques_now().begun
            if worth_of(cents)
        ],
        "keyed": {name: keyed.get(name, "") for name in ("cash", "first", "waiver")},
        "other_means": [] if raising.kind.at_a_table else _other_means(patron_of(raising)),
    }


def _other_means(patron: Patron) -> list[dict[str, str]]:
    """Return the ways to pay at the cage that are neither cash nor cheques."""
    return [
        {"url": new_url(kind, patron=patron.pk), "label": label}
        for kind, label in _OTHER_MEANS.items()
    ]


def _review(raising: Raising, new: NewSlip) -> dict[str, Any]:
    # The person who counts it signs first, on the tablet of another.
    return {"badge": "", "note": _cash_note(raising, new.details["cash_cents"])}


def _cash_note(raising: Raising, cash_cents: int) -> dict[str, str] | None:
    """Warn before the cash that takes the patron's day over the limit of a currency report."""
    if not cash_cents:
        return None
    patron = patron_of(raising)
    paid = Transaction(CashKind.MARKER_PAYMENT, cash_cents, raising.table, patron=patron)
    outlook = outlook_of(paid, house.period_at(house.now()).gaming_day)
    if not outlook.needs_confirmation:
        return None
    return {"tone": "wait", "bold": "Currency report.", "text": outlook.sentence}


_COUNTED: Final = Step(
    "payment_received",
    done="Payment received",
    do="Receive",
    by=Role.DEALER,
    at=Place.PIT,
    attests="I certify that I counted this payment in open view and accepted it.",
)
_VOIDED: Final = Step(
    "voided",
    done="Voided",
    do="Void",
    by=Role.SUPERVISOR,
    at=Place.PIT,
    needs_reason=True,
    attests="I void this payment. I certify that everything the patron tendered was returned "
    "to them.",
)
_VOID_WITNESSED: Final = void_witnessed(
    WITNESSES,
    attests="I certify that I took no other part in this payment and witnessed that nothing "
    "was accepted.",
)
_PAYMENT_PAPER: Final = Form(
    parts=(
        Part(
            "Original",
            "Into the table's drop box by the dealer, immediately.",
            box=InBox.ON_TABLE,
        ),
        Part("Duplicate", "Pinned to the marker that it pays."),
        Part("Receipt", "To the patron."),
    ),
    original_at=Place.PIT,
    shows=Shows.FACTS,
    caption="Patron credit",
)

MARKER_PAYMENT = Kind(
    "marker_payment",
    title="Marker payment",
    series="MP",
    open_to=SUPERVISING,
    lit_by="board",
    begins=of_chosen_patron,
    chooses=patron_choice,
    locks=patron_locked,
    asked=(
        CHEQUES,
        DollarAmount(name="cash", label="Cash in dollars", is_needed=False),
        Words(name="first", label="Pay first", is_needed=False),
        # How long it may be is judged with the payment, as any reason is.
        Words(name="waiver", label="Why the newest isn’t paid", is_needed=False, most=TEXT_MAX),
    ),
    refusals=_refusals,
    drafted=_drafted,
    steps=(
        _COUNTED,
        Step(
            "payment_verified",
            done="Payment verified",
            do="Verify",
            by=Role.SUPERVISOR,
            at=Place.PIT,
            attests="I certify that I verified this payment, that the cheques are in the tray, "
            "and that the cash and the copy were dropped.",
            then="marker_payment_taken",
        ),
    ),
    void=(_VOIDED, _VOID_WITNESSED),
    effects={"marker_payment_taken": _taken},
    readers=OWED_READERS,
    promises=(Promise(2, 1),),
    paper=_PAYMENT_PAPER,
    look=_look,
    heading=lambda raising: f"Marker payment at {raising.table or 'the cage'}",
    back=back_to_choice,
    review=_review,
    raised=lambda slip: f"{slip.serial} received. A second person verifies it.",
)

# Where the original lies.
MARKER_PAYMENT_CAGE = replace(
    MARKER_PAYMENT,
    kind="marker_payment_cage",
    title="Marker payment at the cage",
    open_to=AT_THE_CAGE,
    lit_by="cage",
    at_a_table=False,
    steps=(
        replace(_COUNTED, by=Role.CASHIER, at=Place.CAGE),
        Step(
            "payment_verified",
            done="Payment verified",
            do="Verify",
            by=Role.CASHIER,
            at=Place.CAGE,
            attests="I certify that I also counted this payment. A marker paid in full is "
            "returned to the patron.",
            then="marker_payment_taken",
        ),
    ),
    void=(
        replace(_VOIDED, by=Role.CASHIER, at=Place.CAGE, may_repeat="payment_received"),
        _VOID_WITNESSED,
    ),
    paper=replace(
        _PAYMENT_PAPER,
        parts=(
            Part("Original", "To accounting with the slips of the shift."),
            *_PAYMENT_PAPER.parts[1:],
        ),
        original_at=Place.CAGE,
        title="Marker payment",
    ),
)
