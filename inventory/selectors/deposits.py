"""What patrons have on deposit at the cage, and which of their checks have not cleared."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime

from django.db.models import Q, Sum
from django.db.models.functions import Coalesce

from inventory.models import DepositAccount, DepositEntry, DepositMove, Patron, PaymentInstrument
from pitboss.services import house


def balance_cents(patron: Patron, account: DepositAccount) -> int:
    """Return all that a patron has on deposit, cleared or not."""
    return _sum(patron, account, Q())


def usable_cents(patron: Patron, account: DepositAccount, now: datetime) -> int:
    """Return what of it can be used now. Lock the patron first, where it decides something."""
    return _sum(patron, account, Q(usable_at__lte=now))


def _sum(patron: Patron, account: DepositAccount, deposited: Q) -> int:
    came = Q(move=DepositMove.DEPOSITED)
    sums = DepositEntry.objects.filter(patron=patron, account=account.value).aggregate(
        came=Coalesce(Sum("amount_cents", filter=came & deposited), 0),
        went=Coalesce(Sum("amount_cents", filter=~came), 0),
    )
    return max(0, int(sums["came"]) - int(sums["went"]))


def uncleared_cents(patron: Patron, now: datetime) -> int:
    """Return what was paid by checks that the bank may still return, and has not."""
    waits = PaymentInstrument.objects.filter(patron=patron, free_at__gt=now, returned=None)
    return int(waits.aggregate(sum=Coalesce(Sum("amount_cents"), 0))["sum"])


def deposits_of(patron: Patron, now: datetime) -> list[dict[str, object]]:
    """Return each account that has something in it, as pages show it."""
    return [
        {
            "label": account.label,
            "balance_cents": balance,
            "usable_cents": usable_cents(patron, account, now),
        }
        for account in DepositAccount
        if (balance := balance_cents(patron, account))
    ]


def bank_holidays(now: datetime) -> Sequence[date]:
    """Return the bank holidays that the house has entered."""
    return [date.fromisoformat(each) for each in house.settings_at(now)["credit.holidays"]]
