"""Payments on markers: in cash or cheques, at a table or at the cage, the newest marker first."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from django.db import models

from inventory.models import Holder, MarkerEntry, MarkerMove, Patron
from inventory.selectors.credit import Outstanding, outstanding
from inventory.services.cash_log import log_cash
from inventory.services.errands import closing_refusals
from inventory.services.ledger import move_cheques
from inventory.services.patrons import lock_patron
from pitboss.models import Signature, Slip, Table
from pitboss.rules.canonical import is_plain
from pitboss.rules.cash_log import CashKind
from pitboss.rules.cheques import format_cheques, format_money, total_cents
from pitboss.rules.credit_line import AMOUNT_MAX_CENTS, newest_first, payment_refusals, redeemed
from pitboss.rules.flows import REASON_MAX, SlipStatus
from pitboss.rules.marker_flows import MARKER_PAYMENT, MARKER_PAYMENT_CAGE, PAYMENT_KINDS
from pitboss.rules.refusal import Refusal, Refused
from pitboss.services import house
from pitboss.services.effects import effect
from pitboss.services.signing import Judgement, NewSlip, Pen, raise_slip

Cheques = Mapping[int, int]


def payable(patron: Patron, *, at_table: bool) -> list[Outstanding]:
    """Return the patron's markers that can be paid there, newest first.

    A marker is paid where its original is, so that it can be given back: one that has gone to the
    cage is paid at the cage, or brought back to a pit on a transfer first.
    """
    today = house.period_at(house.now()).gaming_day
    return [each for each in outstanding(today, patron) if each.at_cage != at_table]


def new_payment(
    table: Table | None,
    patron: Patron,
    *,
    cheques: Cheques,
    cash_cents: int,
    first_serial: str = "",
    waiver: str = "",
) -> NewSlip:
    """Return a payment about to be taken, with what it takes off which marker."""
    owed = newest_first(each.owed for each in payable(patron, at_table=table is not None))
    amount_cents = total_cents(cheques) + max(0, cash_cents)
    first = next((each for each in owed if each.serial == first_serial), None)
    order = owed if first is None else [first, *(each for each in owed if each != first)]
    parts = redeemed(order, amount_cents)
    says = [["Patron", patron.full_name], ["Paid", _paid_words(cheques, cash_cents)]]
    for each, cents in parts:
        left = each.balance_cents - cents
        says.append(
            [each.serial, f"{format_money(cents)} of it, {format_money(left)} still owed"]
            if left
            else [each.serial, f"{format_money(cents)}, paid in full"]
        )
    if waiver.strip():
        says.append(["Order waived", waiver.strip()])
    return NewSlip(
        MARKER_PAYMENT.kind if table else MARKER_PAYMENT_CAGE.kind,
        table.pk if table else None,
        cheques,
        details={
            "about": f"{patron}, {format_money(amount_cents)}",
            "says": says,
            "patron": patron.pk,
            "patron_name": patron.full_name,
            "cash_cents": cash_cents,
            "amount_cents": amount_cents,
            "parts": [[each.marker_id, each.serial, cents] for each, cents in parts],
            "first": first_serial,
            "waiver": waiver.strip(),
        },
    )


def _paid_words(cheques: Cheques, cash_cents: int) -> str:
    words = []
    if total_cents(cheques):
        words.append(f"{format_money(total_cents(cheques))} in cheques ({format_cheques(cheques)})")
    if cash_cents:
        words.append(f"{format_money(cash_cents)} in cash")
    return " and ".join(words) or "nothing"


def take_payment(new: NewSlip, *, pen: Pen, shown: str) -> Slip:
    """Take a payment, signed by whoever counted it: a dealer or a cashier. Raises Refused."""

    def judge(table: Table | None, _: object) -> Judgement:
        return Judgement(taking_refusals(new, table, lock_patron(new.details["patron"])))

    return raise_slip(new, pen=pen, shown=shown, judge=judge)


def taking_refusals(new: NewSlip, table: Table | None, patron: Patron) -> list[Refusal]:
    """Return why a payment may not be taken there, now."""
    return [*(closing_refusals(table) if table else []), *_payment_refusals(new, patron)]


def _payment_refusals(new: NewSlip, patron: Patron) -> list[Refusal]:
    details = new.details
    if not 0 <= details["cash_cents"] <= AMOUNT_MAX_CENTS:
        return [Refusal("bad_amount", "Key the cash that was paid, $0 or more.")]
    waiver = details["waiver"]
    if not is_plain(waiver) or len(waiver) > REASON_MAX:
        return [Refusal("reason_too_long", f"Keep the reason under {REASON_MAX} signs.")]
    at_table = new.table_id is not None
    owed = [each.owed for each in payable(patron, at_table=at_table)]
    first = next((each for each in owed if each.serial == details["first"]), None)
    if details["first"] and first is None:
        return [_not_here(details["first"], patron, at_table=at_table)]
    refusals = payment_refusals(
        owed=owed, first=first, amount_cents=details["amount_cents"], waiver=waiver
    )
    refusals.extend(_under_way(patron))
    return refusals


def _not_here(serial: str, patron: Patron, *, at_table: bool) -> Refusal:
    """Say why the marker that somebody wants to pay cannot be paid here."""
    elsewhere = next(
        (each for each in payable(patron, at_table=not at_table) if str(each.marker) == serial),
        None,
    )
    if elsewhere is None:
        return Refusal("not_outstanding", f"{serial} is not outstanding: void, paid or unknown.")
    where = "pit" if at_table else "cage"
    return Refusal(
        "marker_elsewhere",
        f"The original of {serial} is at the {elsewhere.where}. "
        f"Have it transferred to the {where} first.",
    )


def _under_way(patron: Patron) -> list[Refusal]:
    """Hold off a second payment while one is being signed: its balances would be wrong."""
    waiting = Slip.objects.filter(
        kind__in=PAYMENT_KINDS, status=SlipStatus.OPEN, details__patron=patron.pk
    ).first()
    if waiting is None:
        return []
    return [
        Refusal("payment_under_way", f"{waiting} takes a payment of {patron}. Finish it first.")
    ]


@effect("marker_payment_taken")
def _marker_payment_taken(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Take the payment off the markers, and its cheques into the tray or the cage."""
    details = slip.details
    patron = lock_patron(details["patron"])
    table = slip.table
    balances = {each.marker.pk: each for each in payable(patron, at_table=table is not None)}
    for marker_id, serial, cents in details["parts"]:
        found = balances.get(marker_id)
        if found is None or found.balance_cents < cents:
            raise Refused(
                [
                    Refusal(
                        "balance_changed",
                        f"{serial} was moved or paid meanwhile. Void this payment, take it anew.",
                    )
                ]
            )
    transfers = move_cheques(
        slip=slip,
        cheques=slip.cheques_by_cents,
        source=Holder.PUBLIC,
        target=Holder.TRAY if table else Holder.CAGE,
        at=at,
    )
    cash_left = details["cash_cents"]
    entries = []
    for marker_id, _, cents in details["parts"]:
        cash_cents = min(cash_left, cents)
        cash_left -= cash_cents
        entries.append(
            MarkerEntry.objects.create(
                marker_id=marker_id,
                move=MarkerMove.PAID.value,
                amount_cents=cents,
                cash_cents=cash_cents,
                pit=balances[marker_id].pit if table else None,
                table=table,
                slip=slip,
                gaming_day=slip.gaming_day,
                shift=slip.shift,
                at=at,
            )
        )
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
    return [*transfers, *entries, *logged]
