"""Settings of patrons' credit: the bank calendar, and how long a check takes to clear."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pitboss.rules.patrons.bank_days import NEW_JERSEY, DayList, DueTerms, default_holidays
from pitboss.rules.settings.kinds import Amount, Whole
from pitboss.rules.settings.setting import OUR_OWN, Setting

_SUBJECT: Final = "Credit"


def credit_settings() -> Iterator[Setting]:
    """Yield every setting about credit."""
    yield Setting(
        "credit.clear_days",
        _SUBJECT,
        "Banking days until a personal check has cleared",
        "The credit that a personal check pays back can be used after this many banking days.",
        Whole(0, 60, "day"),
        10,
        OUR_OWN,
    )
    yield Setting(
        "credit.due",
        _SUBJECT,
        "Days until a marker is deposited",
        "The last day to deposit a marker, in calendar days after its date, by its amount. "
        "A marker keeps the due day it was issued with.",
        DueTerms(),
        [list(term) for term in NEW_JERSEY],
        "N.J.A.C. 13:69D-1.28",
    )
    yield Setting(
        "credit.no_payment_days",
        _SUBJECT,
        "Days without a payment until credit stops",
        "A patron who owes and made no payment for this many days gets no new credit. "
        "Enter 0 for no limit. Ohio has 30 days.",
        Whole(0, 365, "day"),
        0,
        OUR_OWN,
    )
    yield Setting(
        "credit.write_off_most",
        _SUBJECT,
        "Largest write-off that the controller approves",
        "A settlement, discount or write-off above this amount needs the shift manager too.",
        Amount(0, 1_000_000_000),
        2_500_000,
        OUR_OWN,
    )
    yield Setting(
        "deposit.dormant",
        _SUBJECT,
        "Days until a deposit is unclaimed",
        "A deposit without any movement for this many days goes on the list of unclaimed deposits.",
        Whole(1, 3_650, "day"),
        365,
        OUR_OWN,
    )
    yield Setting(
        "credit.holidays",
        _SUBJECT,
        "Bank holidays",
        "Days on which banks are closed. A marker due on one of them, or on a weekend, is "
        "due on the next banking day.",
        DayList(),
        default_holidays(),
        "Holiday schedule of the Federal Reserve Banks",
    )
