"""What a payment takes off a patron’s markers, whatever it is paid with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Final

from inventory.models import MarkerEntry, MarkerMove, Patron
from inventory.selectors.credit import Outstanding, outstanding
from pitboss.models import Slip
from pitboss.rules.day.late_papers import LATE_PAYMENT
from pitboss.rules.patrons.credit_line import Owed, newest_first
from pitboss.rules.refusal import refuse
from pitboss.services import house

# The one kind of payment that is taken at a table. A win is set off at the cage.
AT_A_TABLE: Final = "marker_payment"
# As that one, on a form that was entered afterwards.
AT_TABLES: Final = frozenset({AT_A_TABLE, LATE_PAYMENT})


def payable(patron: Patron, *, at_table: bool) -> list[Outstanding]:
    """Return the patron's markers that can be paid there, newest first."""
    today = house.period_at(house.now()).gaming_day
    return [item for item in outstanding(today, patron) if item.at_cage != at_table]


def paying_order(found: Iterable[tuple[datetime, Owed]], paid_at: datetime) -> list[Owed]:
    """Return markers, by when each was lent, in the order in which a payment goes to them.

    The newest of its time first, as at the window; what was lent since comes last.
    """
    found = list(found)
    lent_by_then = (owed for lent_at, owed in found if lent_at <= paid_at)
    since = (owed for lent_at, owed in found if lent_at > paid_at)
    return [*newest_first(lent_by_then), *newest_first(since)]


def still_owed(slip: Slip, patron: Patron) -> dict[int, Outstanding]:
    """Return the markers that a payment is for, as they are under the lock. Raises Refused."""
    at_table = slip.kind in AT_TABLES
    balances = {item.marker.pk: item for item in payable(patron, at_table=at_table)}
    for marker_id, serial, cents in slip.details["parts"]:
        found = balances.get(marker_id)
        if found is None or found.balance_cents < cents:
            raise refuse(
                "balance_changed",
                f"{serial} was moved or paid while you had it open. Void this payment "
                "and enter it again.",
            )
    return balances


def taken_off(
    slip: Slip, balances: Mapping[int, Outstanding], at: datetime, *, cash_cents: int = 0
) -> list[MarkerEntry]:
    """Write what a payment takes off each marker, its cash first."""
    entries = []
    table = slip.table if slip.kind in AT_TABLES else None
    for marker_id, _, cents in slip.details["parts"]:
        in_cash = min(cash_cents, cents)
        cash_cents -= in_cash
        entries.append(
            MarkerEntry.objects.create(
                marker_id=marker_id,
                move=MarkerMove.PAID.value,
                amount_cents=cents,
                cash_cents=in_cash,
                pit=balances[marker_id].pit if table else None,
                table=table,
                slip=slip,
                gaming_day=slip.gaming_day,
                shift=slip.shift,
                at=at,
            )
        )
    return entries
