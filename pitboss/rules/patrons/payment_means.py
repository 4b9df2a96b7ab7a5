"""How a marker is paid besides cash and cheques: what each way needs, and when credit is back."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date, datetime, time
from enum import StrEnum, unique
from typing import Final
from zoneinfo import ZoneInfo

from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.patrons.bank_days import banking_days_after
from pitboss.rules.refusal import Refusal

TEXT_MAX: Final = 60


@unique
class Means(StrEnum):
    """What a marker is paid with. The values are stored."""

    PERSONAL_CHECK = "personal_check"
    CASHIERS_CHECK = "cashiers_check"
    MONEY_ORDER = "money_order"
    TRAVELERS_CHECK = "travelers_check"
    WIRE = "wire"
    FRONT_MONEY = "front_money"
    SET_OFF = "set_off"

    @property
    def label(self) -> str:
        return _LABELS.get(self, self.value.replace("_", " "))

    @property
    def clears_later(self) -> bool:
        """Whether the bank may still return it, so that the credit line waits."""
        return self is Means.PERSONAL_CHECK


_LABELS: Final = {
    Means.CASHIERS_CHECK: "cashier’s check",
    Means.TRAVELERS_CHECK: "traveler’s check",
    Means.SET_OFF: "set-off against a win",
}
# What is listed by time from an amount on. Markers, wires and deposits are not on that list.
LISTED: Final = (
    Means.PERSONAL_CHECK,
    Means.CASHIERS_CHECK,
    Means.MONEY_ORDER,
    Means.TRAVELERS_CHECK,
)
# Instruments whose issuer is called before they count.
ISSUED: Final = (Means.CASHIERS_CHECK, Means.MONEY_ORDER, Means.TRAVELERS_CHECK)


def free_at(
    means: Means, at: datetime, clear_days: int, holidays: Collection[date], zone: ZoneInfo
) -> datetime:
    """Return when the credit that a payment gives back can be used.

    >>> utc, may = ZoneInfo("UTC"), datetime(2026, 5, 1, 21, tzinfo=ZoneInfo("UTC"))
    >>> free_at(Means.WIRE, may, 10, (), utc) == may
    True
    >>> free_at(Means.PERSONAL_CHECK, may, 10, (), utc).isoformat()
    '2026-05-15T00:00:00+00:00'
    """
    if not means.clears_later:
        return at
    day = banking_days_after(at.astimezone(zone).date(), clear_days, holidays)
    return datetime.combine(day, time(), zone)


def instrument_refusals(issuer: str, reference: str) -> list[Refusal]:
    """Return what is missing of a check or wire: who issued it, and its number."""
    refusals = []
    if not issuer:
        refusals.append(Refusal("issuer_missing", "Enter the bank or issuer."))
    if not reference:
        refusals.append(Refusal("reference_missing", "Enter its number."))
    return refusals


def deposit_refusals(available_cents: int, amount_cents: int) -> list[Refusal]:
    """Return why an amount can’t be taken from a deposit.

    >>> [each.code for each in deposit_refusals(200_000, 300_000)]
    ['deposit_short']
    """
    if amount_cents <= 0:
        return [Refusal("bad_amount", "Amount must be more than $0. Enter it again.")]
    if amount_cents > available_cents:
        return [
            Refusal(
                "deposit_short",
                f"{format_money(available_cents)} is available on deposit, and this is "
                f"{format_money(amount_cents)}. Enter less.",
            )
        ]
    return []


@unique
class DepositedIn(StrEnum):
    """What a deposit is made in. The values are stored."""

    CASH = "cash"
    CHEQUES = "cheques"
    PERSONAL_CHECK = "personal_check"
    CASHIERS_CHECK = "cashiers_check"
    WIRE = "wire"

    @property
    def label(self) -> str:
        means = self.clears_as
        return means.label if means else self.value

    @property
    def clears_as(self) -> Means | None:
        """Return what it is as a payment, where a bank stands behind it.

        >>> DepositedIn.CASH.clears_as, DepositedIn.WIRE.clears_as
        (None, <Means.WIRE: 'wire'>)
        """
        return None if self in (DepositedIn.CASH, DepositedIn.CHEQUES) else Means(self.value)

    @property
    def has_issuer(self) -> bool:
        return self.clears_as is not None
