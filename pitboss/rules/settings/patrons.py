"""Settings of patrons: their cash and what is reported of it, exclusion lists, and their age."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pitboss.rules.patrons.cash_log import CashPolicy
from pitboss.rules.patrons.sar import SarPolicy
from pitboss.rules.patrons.shared_lists import TrustedHouses
from pitboss.rules.settings.kinds import Amount, Choice, Whole
from pitboss.rules.settings.setting import OUR_OWN, Setting

# As FinCEN numbers them.
INSTITUTIONS: Final = {
    "101": "state-licensed casino",
    "102": "tribal casino",
    "103": "card club",
}


def cash_settings() -> Iterator[Setting]:
    """Yield every setting about cash and its reports."""
    """Yield what a day's cash is watched by: one day is judged by one set of amounts."""
    policy = CashPolicy()
    subject = "Cash of the day"
    yield Setting(
        "cash.who_from",
        subject,
        "Cash in one transaction that needs a name",
        "From this amount, cash is taken only once the patron is chosen or described.",
        Amount(100, 1_000_000_000),
        policy.who_from_cents,
        OUR_OWN,
        by_the_day=True,
    )
    yield Setting(
        "cash.seat_window",
        subject,
        "Time for which unnamed cash at one seat counts together",
        "When unnamed cash at one seat reaches the amount of the multiple-transaction log within "
        "this time, the next transaction needs a name.",
        Whole(1, 1_440, "minute"),
        int(policy.seat_window.total_seconds()) // 60,
        "68 IAC 15-2-3",
        by_the_day=True,
    )
    yield Setting(
        "cash.log_from",
        subject,
        "Cash that starts the multiple-transaction log",
        "At this total of cash in or cash out by one person in a gaming day, each of "
        "their transactions goes on the log.",
        Amount(100, 1_000_000_000),
        policy.log_from_cents,
        "68 IAC 15-2-3",
        by_the_day=True,
    )
    yield Setting(
        "cash.near",
        subject,
        "Cash from which a currency report is near",
        "At this total, the person logging cash is reminded to have the ID ready.",
        Amount(100, 1_000_000_000),
        policy.near_cents,
        OUR_OWN,
        by_the_day=True,
    )
    yield Setting(
        "cash.report_over",
        subject,
        "Cash over which a currency report is due",
        "When cash in or cash out by one person in a gaming day is more than this, a "
        "report goes to compliance.",
        Amount(100, 1_000_000_000),
        policy.report_over_cents,
        "31 CFR 1021.311",
        by_the_day=True,
    )
    yield Setting(
        "cash.report_days",
        subject,
        "Days within which a currency report is filed",
        "Counted from the gaming day of the cash.",
        Whole(1, 90, "day"),
        policy.report_days,
        "31 CFR 1010.306",
        by_the_day=True,
    )
    yield Setting(
        "cash.instruments_from",
        subject,
        "Amount at which a check goes on the instrument list",
        "Checks, money orders and traveler’s checks of this face value or more are listed by time.",
        Amount(100, 1_000_000_000),
        300_000,
        "31 CFR 1021.410",
        by_the_day=True,
    )
    suspicion = SarPolicy()
    yield Setting(
        "sar.from",
        subject,
        "Amount at which suspicious activity must be reported",
        "Below this amount a report is voluntary.",
        Amount(100, 1_000_000_000),
        suspicion.from_cents,
        "31 CFR 1021.320",
    )
    for key, title, days in (
        ("sar.days_suspect", "Days to file with a known suspect", suspicion.days_with_suspect),
        ("sar.days_unknown", "Days to file without a suspect", suspicion.days_without),
        ("sar.review_days", "Days after a filing until its review", suspicion.review_days),
    ):
        yield Setting(
            key,
            subject,
            title,
            "Calendar days. Only compliance sees the count.",
            Whole(1, 365, "day"),
            days,
            "31 CFR 1021.320",
        )
    yield Setting(
        "cash.institution",
        subject,
        "What currency reports call this house",
        "The type of gaming institution on FinCEN Form 112.",
        Choice(INSTITUTIONS),
        "101",
        "FinCEN Form 112, Part III",
    )


def exclusion_settings() -> Iterator[Setting]:
    """Yield every setting about exclusion lists."""
    yield Setting(
        "exclusion.stale_after",
        "Exclusion",
        "Business days after which a list is too old",
        "Counted from its last import. After that, compliance is alerted until it is "
        "imported again.",
        Whole(1, 30, "day"),
        2,
        "58 Pa. Code 503a",
    )
    yield Setting(
        "exclusion.trusted",
        "Exclusion",
        "Properties whose lists are imported",
        "Signed lists of these properties of the group can be imported next to your own. Compare "
        "each key with the property over the phone.",
        TrustedHouses(),
        {},
        OUR_OWN,
    )


def patron_settings() -> Iterator[Setting]:
    """Yield every setting about who may play."""
    yield Setting(
        "patron.least_age",
        "Patrons",
        "Minimum age to play",
        "A birth date of someone younger is refused, so that the ID is read again.",
        Whole(18, 25, "year"),
        21,
        "State gaming regulations",
    )
