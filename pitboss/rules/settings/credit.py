"""Settings of patrons' credit: the bank calendar, and how long a check takes to clear."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pitboss.rules.patrons.bank_days import DayList, default_holidays
from pitboss.rules.settings.kinds import Whole
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
        "credit.holidays",
        _SUBJECT,
        "Bank holidays",
        "Days on which banks are closed. A marker due on one of them, or on a weekend, is "
        "due on the next banking day.",
        DayList(),
        default_holidays(),
        "Holiday schedule of the Federal Reserve Banks",
    )
