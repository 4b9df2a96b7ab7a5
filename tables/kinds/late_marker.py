"""A marker that was lent on paper, and a payment of markers that was taken on paper.

The patron has signed the form, so it is owed whatever the line says: a marker over the line is
posted and flagged for the cage manager. A payment goes to the newest markers of its time first.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from django.db import models

from inventory.kinds.carrying import CHEQUES
from inventory.kinds.marker import MARKER, OWED_READERS
from inventory.kinds.marker_payment import MARKER_PAYMENT
from inventory.kinds.of_a_patron import (
    DollarAmount,
    back_to_choice,
    of_chosen_patron,
    patron_choice,
    patron_locked,
    patron_of,
)
from inventory.models import Holder, Marker, MarkerEntry, MarkerMove
from inventory.selectors.credit import credit_of
from inventory.services.cash_log import log_cash
from inventory.services.exclusion import Compared, keep_comparison
from inventory.services.marker_payments import payable, paying_order, still_owed, taken_off
from inventory.services.patrons import lock_patron
from pitboss.models import Signature, Slip, Table
from pitboss.rules.cheques.cheques import format_money, total_cents
from pitboss.rules.day import late_papers
from pitboss.rules.patrons.cash_log import CashKind
from pitboss.rules.patrons.credit_line import amount_refusals, redeemed
from pitboss.rules.patrons.exclusion import Moment
from pitboss.rules.refusal import Refusal
from pitboss.services.drafts import NewSlip
from pitboss.services.exceptions import LATE_OVER_LINE, open_exception
from pitboss.slips.kind import Raising
from pitboss.slips.late import (
    FROM_PAPER,
    entered_time,
    form_entered,
    on_paper,
    paper_details,
    paper_refusals,
    true_time_of,
)
from tables.kinds.late_page import (
    closed_day,
    late_kind,
    late_look_of_patron,
)
from tables.services.contradictions import name_contradictions
from tables.services.restating import post_with_the_public

_MARKER_CODE: Final = "MK"
_PAYMENT_CODE: Final = "MP"


def _table_of(raising: Raising) -> Table:
    assert raising.table is not None, "it was done at a table"
    return raising.table


def _drafted(raising: Raising, what: str, says: list[list[str]], **more: Any) -> NewSlip:
    patron = patron_of(raising)
    return NewSlip(
        raising.kind.kind,
        _table_of(raising).pk,
        raising.cheques,
        details={
            "what": what,
            "about": str(patron),
            "patron": patron.pk,
            "patron_name": patron.full_name,
            "player_card": patron.player_card,
            "says": [["Patron", patron.full_name], *says],
            **more,
            **paper_details(raising),
        },
        happened_at=entered_time(raising),
    )


def _drafted_marker(raising: Raising) -> NewSlip:
    amount_cents = total_cents(raising.cheques)
    says = [["Marker", format_money(amount_cents)]]
    return _drafted(raising, "marker", says, amount_cents=amount_cents)


def _marker_refusals(raising: Raising) -> list[Refusal]:
    return [
        *paper_refusals(raising, _MARKER_CODE),
        *closed_day(raising),
        *amount_refusals(total_cents(raising.cheques), raising.cheques),
    ]


def _marker_posted(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Lend what was lent: the line, the marker, and the cheques that left the tray then."""
    patron = lock_patron(slip.details["patron"])
    true_time = true_time_of(slip)
    credit = credit_of(patron, true_time)
    marker = Marker.objects.create(
        slip=slip,
        patron=patron,
        amount_cents=slip.total_cents,
        line_cents=credit.line_cents,
        over_line_cents=credit.over_line_cents(slip.total_cents),
        remaining_cents=max(0, credit.remaining_cents - slip.total_cents),
        issued_at=true_time,
    )
    entries = [_entry(marker, move, slip, at) for move in (MarkerMove.RESERVED, MarkerMove.ISSUED)]
    # It was lent on paper: nothing is stopped, but the case opens.
    keep_comparison(Compared(patron, Moment.MARKER, at, slip.table, slip), is_past=True)
    over = marker.over_line_cents
    if over:
        open_exception(
            code=LATE_OVER_LINE,
            sentence=f"{slip.serial} was lent in an outage, {format_money(over)} over the line.",
            details={"over_cents": over},
            at=at,
            person=None,
            table=slip.table,
            slip=slip,
        )
    moved = post_with_the_public(
        slip, gave=Holder.TRAY, got=Holder.PUBLIC, signature=signature, at=at
    )
    name_contradictions(slip, signature, at)
    return [marker, *entries, *moved, *form_entered(slip, at)]


def _entry(marker: Marker, move: MarkerMove, slip: Slip, at: datetime) -> MarkerEntry:
    assert slip.table is not None, "it was lent at a table"
    return MarkerEntry.objects.create(
        marker=marker,
        move=move.value,
        amount_cents=marker.amount_cents,
        pit=slip.table.pit,
        table=slip.table,
        slip=slip,
        gaming_day=slip.gaming_day,
        shift=slip.shift,
        at=at,
    )


def _drafted_payment(raising: Raising) -> NewSlip:
    """Draft a payment, with what it takes off which marker, the newest of its time first."""
    cash_cents = max(0, raising.given.get("cash", 0))
    amount_cents = total_cents(raising.cheques) + cash_cents
    owed = payable(patron_of(raising), at_table=True)
    lent = ((item.marker.issued_at, item.owed) for item in owed)
    parts = redeemed(paying_order(lent, entered_time(raising)), amount_cents)
    return _drafted(
        raising,
        "payment",
        [
            ["Paid", format_money(amount_cents)],
            *([["In cash", format_money(cash_cents)]] if cash_cents else []),
            *([item.serial, format_money(cents)] for item, cents in parts),
        ],
        amount_cents=amount_cents,
        cash_cents=cash_cents,
        parts=[[item.marker_id, item.serial, cents] for item, cents in parts],
    )


def _payment_refusals(raising: Raising) -> list[Refusal]:
    details = raising.new().details
    refusals = [*paper_refusals(raising, _PAYMENT_CODE), *closed_day(raising)]
    if not details["amount_cents"]:
        refusals.append(Refusal("nothing_paid", "Enter the cheques or the cash from the form."))
    paid = sum(cents for _, _, cents in details["parts"])
    if paid != details["amount_cents"]:
        refusals.append(
            Refusal(
                "more_than_owed",
                f"{patron_of(raising)} owes {format_money(paid)} on markers in the pit. Check the "
                "form, or enter its marker first.",
            )
        )
    return refusals


def _payment_posted(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Take what was paid off the markers, and its cheques into the tray at their time."""
    patron = lock_patron(slip.details["patron"])
    balances = still_owed(slip, patron)
    cash_cents = slip.details["cash_cents"]
    entries = taken_off(slip, balances, at, cash_cents=cash_cents)
    logged = (
        log_cash(
            patron=patron,
            kind=CashKind.MARKER_PAYMENT,
            amount_cents=cash_cents,
            slip=slip,
            signature=signature,
            at=true_time_of(slip),
        )
        if cash_cents
        else []
    )
    moved = post_with_the_public(
        slip, gave=Holder.PUBLIC, got=Holder.TRAY, signature=signature, at=at
    )
    name_contradictions(slip, signature, at)
    return [*entries, *logged, *moved, *form_entered(slip, at)]


LATE_MARKER = late_kind(
    late_papers.LATE_MARKER,
    title="Late marker",
    begins=of_chosen_patron,
    chooses=patron_choice,
    locks=patron_locked,
    asked=(CHEQUES, *FROM_PAPER),
    refusals=_marker_refusals,
    drafted=_drafted_marker,
    posted=_marker_posted,
    readers=OWED_READERS,
    on_paper=on_paper(
        _MARKER_CODE,
        MARKER,
        writes=("Patron, card", "Amount in words", "Available credit on the outage sheet", "ID"),
        is_money=True,
    ),
    look=late_look_of_patron,
    heading=lambda raising: f"Late marker, {raising.table}",
    back=back_to_choice,
)

LATE_PAYMENT = replace(
    LATE_MARKER,
    kind=late_papers.LATE_PAYMENT,
    title="Late marker payment",
    asked=(
        CHEQUES,
        DollarAmount(name="cash", label="Cash in dollars", is_needed=False),
        *FROM_PAPER,
    ),
    refusals=_payment_refusals,
    drafted=_drafted_payment,
    effects={"late_posted": _payment_posted},
    on_paper=on_paper(
        _PAYMENT_CODE,
        MARKER_PAYMENT,
        writes=("Patron, card", "Marker", "Cash"),
        is_money=True,
    ),
    heading=lambda raising: f"Late marker payment, {raising.table}",
)
