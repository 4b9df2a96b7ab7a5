"""When withheld tax is deposited: Form 945 by the month, Form 1042 by the quarter of a month.

26 CFR 31.6302-1 and 1.6302-2, as a house that deposits 945 monthly. A tax adviser confirms it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from pitboss.rules.patrons.bank_days import banking_day_from, banking_days_after
from pitboss.rules.tax.tax import TaxFormName

RETURNS: Final = {TaxFormName.W2G: "Form 945", TaxFormName.F1042S: "Form 1042"}
# From so much in a quarter of a month it is due three banking days later.
QUARTER_CENTS: Final = 200_000
_QUARTERS: Final = (7, 15, 22)
_BANKING_DAYS: Final = 3


@dataclass(frozen=True, slots=True)
class Withheld:
    """What one form withheld, on which day."""

    form: TaxFormName
    paid_on: date
    cents: int


@dataclass(frozen=True, slots=True, order=True)
class Deposit:
    """What was withheld in some days, and the day by which it is deposited."""

    due: date
    return_name: str
    first: date
    last: date
    cents: int


def deposits(withheld: Iterable[Withheld], holidays: Collection[date]) -> list[Deposit]:
    """Return what is to be deposited, the next first.

    >>> won = Withheld(TaxFormName.W2G, date(2026, 5, 3), 720_000)
    >>> [(each.return_name, each.cents, each.due.isoformat()) for each in deposits([won], ())]
    [('Form 945', 720000, '2026-06-15')]
    """
    months: dict[tuple[TaxFormName, date], int] = {}
    quarters: dict[tuple[date, date], int] = {}
    for item in withheld:
        if item.cents and item.form is TaxFormName.F1042S:
            span = quarter_of_month(item.paid_on)
            quarters[span] = quarters.get(span, 0) + item.cents
        elif item.cents:
            month = (item.form, item.paid_on.replace(day=1))
            months[month] = months.get(month, 0) + item.cents
    for (first, last), cents in list(quarters.items()):
        if cents < QUARTER_CENTS:
            month = (TaxFormName.F1042S, first.replace(day=1))
            months[month] = months.get(month, 0) + quarters.pop((first, last))
    found = [
        Deposit(
            banking_days_after(last, _BANKING_DAYS, holidays),
            RETURNS[TaxFormName.F1042S],
            first,
            last,
            cents,
        )
        for (first, last), cents in quarters.items()
    ]
    for (form, first), cents in months.items():
        following = (first + timedelta(days=32)).replace(day=15)
        due = banking_day_from(following, holidays)
        last = following.replace(day=1) - timedelta(days=1)
        found.append(Deposit(due, RETURNS[form], first, last, cents))
    return sorted(found)


def quarter_of_month(day: date) -> tuple[date, date]:
    """Return the quarter of a month that a day lies in: to the 7th, 15th, 22nd, and the last.

    >>> quarter_of_month(date(2026, 2, 23))
    (datetime.date(2026, 2, 23), datetime.date(2026, 2, 28))
    """
    first = 1
    for last in _QUARTERS:
        if day.day <= last:
            return day.replace(day=first), day.replace(day=last)
        first = last + 1
    next_month = (day.replace(day=1) + timedelta(days=32)).replace(day=1)
    return day.replace(day=first), next_month - timedelta(days=1)
