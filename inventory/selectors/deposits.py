"""What patrons have on deposit at the cage, and which of their checks have not cleared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from django.db.models import Exists, Max, OuterRef, Q, QuerySet, Sum
from django.db.models.functions import Coalesce

from inventory.models import (
    CheckDeposit,
    DepositAccount,
    DepositEntry,
    DepositMove,
    Patron,
    PaymentInstrument,
)
from pitboss.models import Slip
from pitboss.rules.flows.corrections import PAYMENT_CORRECTION
from pitboss.rules.flows.flows import SlipStatus
from pitboss.rules.patrons.bank_days import due_on
from pitboss.services import house


def balance_cents(patron: Patron, account: DepositAccount) -> int:
    """Return all that a patron has on deposit, cleared or not."""
    return _sum(patron, account, Q())


def usable_cents(patron: Patron, account: DepositAccount, now: datetime) -> int:
    """Return what of it can be used now. Lock the patron first, where it decides something."""
    return _sum(patron, account, Q(usable_at__lte=now))


def settled_cents(patron: Patron, account: DepositAccount) -> int:
    """Return what a deposit should have, below nothing where more was used than was in it."""
    return _net(patron, account, Q())


def _sum(patron: Patron, account: DepositAccount, deposited: Q) -> int:
    return max(0, _net(patron, account, deposited))


def _net(patron: Patron, account: DepositAccount, deposited: Q) -> int:
    came = Q(move__in=[DepositMove.DEPOSITED, DepositMove.RAISED])
    back = Q(move=DepositMove.PUT_BACK)
    # A correction takes from the deposit that was wrong, so from when that can be used.
    lowered = Q(move=DepositMove.LOWERED)
    sums = DepositEntry.objects.filter(patron=patron, account=account.value).aggregate(
        came=Coalesce(Sum("amount_cents", filter=came & deposited | back), 0),
        went=Coalesce(
            Sum("amount_cents", filter=~(came | back | lowered) | lowered & deposited), 0
        ),
    )
    return int(sums["came"]) - int(sums["went"])


def standing_instruments() -> QuerySet[PaymentInstrument]:
    """Return what paid markers, but for payments that a correction has put right since."""
    corrected = Slip.objects.filter(
        refers_to=OuterRef("slip"), kind=PAYMENT_CORRECTION, status=SlipStatus.DONE.value
    )
    return PaymentInstrument.objects.filter(~Exists(corrected))


def uncleared_cents(patron: Patron, now: datetime) -> int:
    """Return what was paid by checks that the bank may still return, and has not."""
    return sum(
        int(waits.aggregate(sum=Coalesce(Sum("amount_cents"), 0))["sum"])
        for waits in (
            standing_instruments().filter(patron=patron, free_at__gt=now, returned=None),
            CheckDeposit.objects.filter(patron=patron, free_at__gt=now, returned=None),
        )
    )


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


@dataclass(frozen=True, slots=True)
class Unclaimed:
    """A deposit that no one moved for long."""

    patron: Patron
    account: DepositAccount
    balance_cents: int
    last_on: date


def unclaimed(before: date) -> list[Unclaimed]:
    """Return the deposits that were last moved on or before a day, the oldest first."""
    last = (
        DepositEntry.objects.values_list("patron", "account")
        .annotate(last=Max("gaming_day"))
        .filter(last__lte=before)
        .order_by("last", "patron", "account")
    )
    rows = list(last)
    patrons = Patron.objects.in_bulk([patron_id for patron_id, _, _ in rows])
    found = [
        Unclaimed(
            patrons[patron_id],
            DepositAccount(account),
            balance_cents(patrons[patron_id], DepositAccount(account)),
            day,
        )
        for patron_id, account, day in rows
    ]
    return [item for item in found if item.balance_cents]


def due_day(amount_cents: int, dated: date, now: datetime) -> date:
    """Return the last day to deposit a check of this amount and date, as the house has it now."""
    terms = house.settings_at(now)["credit.due"]
    return due_on(amount_cents, dated, bank_holidays(now), terms)


def bank_holidays(now: datetime) -> Sequence[date]:
    """Return the bank holidays that the house has entered."""
    return [date.fromisoformat(setting) for setting in house.settings_at(now)["credit.holidays"]]
