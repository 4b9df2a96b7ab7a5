"""The bank calendar, the means of payment and deposits: every branch of their rules."""

from __future__ import annotations

from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest

from pitboss.rules.patrons.bank_days import (
    HOLIDAYS_MAX,
    DayList,
    banking_days_after,
    default_holidays,
    due_on,
    federal_holidays,
    is_banking_day,
)
from pitboss.rules.patrons.credit_line import Credit, completion_refusals
from pitboss.rules.patrons.payment_means import (
    DepositedIn,
    Means,
    deposit_refusals,
    free_at,
    instrument_refusals,
)
from pitboss.rules.refusal import Refused

HOLIDAYS = {date.fromisoformat(holiday) for holiday in default_holidays()}


@pytest.mark.parametrize(
    ("cents", "dated", "due"),
    [
        (500_000, date(2026, 1, 2), date(2026, 1, 16)),
        (500_001, date(2026, 1, 2), date(2026, 2, 17)),
        (100_000, date(2026, 1, 3), date(2026, 1, 12)),
        (100_001, date(2026, 1, 3), date(2026, 1, 20)),
    ],
)
def test_a130_a_marker_is_due_by_its_amount_and_moves_off_weekends_and_holidays(
    cents: int, dated: date, due: date
) -> None:
    assert due_on(cents, dated, HOLIDAYS) == due


def test_a_holiday_on_sunday_is_kept_on_monday() -> None:
    assert date(2027, 7, 5) in federal_holidays(2027)
    assert not is_banking_day(date(2026, 2, 16), HOLIDAYS)
    assert is_banking_day(date(2026, 2, 17), HOLIDAYS)


def test_banking_days_skip_weekends_and_holidays() -> None:
    assert banking_days_after(date(2026, 2, 6), 10, HOLIDAYS) == date(2026, 2, 23)
    assert banking_days_after(date(2026, 2, 6), 0, HOLIDAYS) == date(2026, 2, 6)


def test_a_list_of_days_is_read_and_written_back() -> None:
    kind = DayList()
    assert kind.read(kind.text(default_holidays())) == default_holidays()
    assert kind.words(["2026-12-25"]) == "Dec 25, 2026"
    assert kind.words([]) == "none"
    with pytest.raises(Refused) as refused:
        kind.read("2026-12-25\nChristmas")
    assert refused.value.codes == ("days_malformed",)
    with pytest.raises(Refused):
        kind.read("\n".join(f"{1800 + n}-01-01" for n in range(HOLIDAYS_MAX + 1)))


def test_only_a_personal_check_keeps_the_line_waiting() -> None:
    zone = ZoneInfo("America/New_York")
    at = datetime(2026, 2, 6, 23, tzinfo=zone)
    for means in Means:
        free = free_at(means, at, 10, HOLIDAYS, zone)
        if means is Means.PERSONAL_CHECK:
            assert free == datetime(2026, 2, 23, tzinfo=zone)
        else:
            assert free == at
        assert means.label


def test_f22_what_has_not_cleared_is_not_lent_again() -> None:
    waits = Credit(1_000_000, 100_000, 0, uncleared_cents=500_000)
    assert waits.remaining_cents == 400_000
    assert Credit(1_000_000, 100_000, 0).remaining_cents == 900_000
    assert completion_refusals("Ana", waits, 0) == []
    lowered = Credit(500_000, 100_000, 0, uncleared_cents=500_000)
    assert [refusal.code for refusal in completion_refusals("Ana", lowered, 0)] == ["line_lowered"]
    # What was paid over the line by check does not stop a marker that somebody authorizes.
    over = Credit(1_000_000, 0, 100_000, uncleared_cents=1_200_000)
    assert completion_refusals("Ana", over, 100_000) == []


def test_an_instrument_says_who_issued_it_and_its_number() -> None:
    assert instrument_refusals("First Bank", "1042") == []
    codes = [refusal.code for refusal in instrument_refusals("", "")]
    assert codes == ["issuer_missing", "reference_missing"]


def test_a_deposit_pays_out_what_is_there() -> None:
    assert deposit_refusals(300_000, 300_000) == []
    assert [refusal.code for refusal in deposit_refusals(300_000, 300_001)] == ["deposit_short"]
    assert [refusal.code for refusal in deposit_refusals(300_000, 0)] == ["bad_amount"]


def test_what_a_deposit_is_made_in() -> None:
    assert [deposited_in.label for deposited_in in DepositedIn] == [
        "cash",
        "cheques",
        "personal check",
        "cashier’s check",
        "wire",
    ]
    assert [deposited_in.has_issuer for deposited_in in DepositedIn] == [
        False,
        False,
        True,
        True,
        True,
    ]
