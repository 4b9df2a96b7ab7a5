"""Checks from their due day to a write-off, contacts and due terms: every branch of their rules."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import pytest

from pitboss.rules.patrons.bank_days import NEW_JERSEY, TERMS_MAX, DueTerms, default_holidays
from pitboss.rules.patrons.checks import (
    AGES,
    Check,
    CheckState,
    WriteOffFacts,
    age_of,
    bank_refusals,
    consolidated_check,
    joining_refusals,
    no_payment_refusals,
    recovery_refusals,
    write_off_refusals,
)
from pitboss.rules.patrons.collecting import SAYS_MAX, ContactBy, contact_refusals
from pitboss.rules.refusal import Refusal, Refused
from pitboss.rules.roles import Role

HOLIDAYS = {date.fromisoformat(holiday) for holiday in default_holidays()}
DAY = date(2026, 1, 16)
HELD = Check("M-1", 400_000, date(2026, 1, 2), DAY)


def codes(refusals: list[Refusal]) -> list[str]:
    return [refusal.code for refusal in refusals]


@pytest.mark.parametrize(
    ("late", "age"),
    [
        (-1, "Not due"),
        (0, "Due today"),
        (1, "1–7 days past due"),
        (7, "1–7 days past due"),
        (8, "8–14 days past due"),
        (14, "8–14 days past due"),
        (15, "15–30 days past due"),
        (30, "15–30 days past due"),
        (31, "31–45 days past due"),
        (45, "31–45 days past due"),
        (46, "46–90 days past due"),
        (90, "46–90 days past due"),
        (91, "91–180 days past due"),
        (180, "91–180 days past due"),
        (181, "Over 180 days past due"),
    ],
)
def test_a_check_stands_in_one_line_of_the_aging_report(late: int, age: str) -> None:
    assert age_of(HELD, DAY + timedelta(days=late)) == age
    assert age in AGES


def test_a_check_that_came_back_is_returned_then_in_collection() -> None:
    back = replace(HELD, deposits=1, returns=1)
    assert age_of(back, DAY) == "Returned"
    assert age_of(replace(back, is_contacted=True), DAY) == "In collection"
    assert replace(back, deposits=2, returns=2).state is CheckState.IN_COLLECTION
    assert all(state.label for state in CheckState)


def test_f21_one_check_has_the_earliest_date_and_due_day() -> None:
    second = Check("M-2", 300_000, date(2026, 1, 9), date(2026, 1, 23))
    assert consolidated_check([second, HELD], HOLIDAYS, NEW_JERSEY) == (
        700_000,
        date(2026, 1, 2),
        DAY,
    )
    # Where the sum alone would be due sooner, it is.
    late = replace(HELD, due_on=date(2026, 3, 1))
    assert consolidated_check([late], HOLIDAYS, NEW_JERSEY)[2] == DAY


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({}, []),
        ({"deposits": 1}, ["was_deposited"]),
        ({"returns": 1}, ["was_deposited"]),
        ({"is_replaced": True}, ["was_deposited"]),
        ({"due_on": DAY - timedelta(days=1)}, ["past_due"]),
        ({"at_cage": False}, ["marker_elsewhere"]),
    ],
)
def test_each_reason_why_checks_are_not_joined(
    change: dict[str, object], expected: list[str]
) -> None:
    two = [HELD, replace(HELD, **change)]  # type: ignore[arg-type]
    assert codes(joining_refusals(two, DAY)) == expected


def test_one_check_alone_is_not_joined() -> None:
    assert codes(joining_refusals([HELD], DAY)) == ["nothing_to_join"]


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({}, []),
        ({"deposits": 1, "returns": 1}, []),
        ({"deposits": 1}, ["nothing_to_deposit"]),
        ({"balance_cents": 0}, ["nothing_to_deposit"]),
        ({"deposits": 2, "returns": 2}, ["deposited_twice"]),
        ({"is_replaced": True}, ["replaced_by_check"]),
        ({"at_cage": False}, ["marker_elsewhere"]),
        ({"has_bank": False}, ["no_bank"]),
    ],
)
def test_each_reason_why_a_check_does_not_go_to_the_bank(
    change: dict[str, object], expected: list[str]
) -> None:
    assert codes(bank_refusals(replace(HELD, **change))) == expected  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("signers", "involved", "expected"),
    [
        ((1, 2), (), []),
        ((1, 2), (1,), []),
        ((1, 2), (1, 2, 3), ["not_independent"]),
        ((), (1,), []),
    ],
)
def test_a136_one_of_the_two_is_independent(
    signers: tuple[int, ...], involved: tuple[int, ...], expected: list[str]
) -> None:
    facts = WriteOffFacts("M-1", 100, 100, frozenset(signers), frozenset(involved))
    assert codes(write_off_refusals(facts)) == expected
    assert codes(write_off_refusals(replace(facts, amount_cents=0, signers=frozenset()))) == [
        "bad_amount"
    ]


def test_a_recovery_is_an_amount() -> None:
    assert codes(recovery_refusals(100, 0)) == ["bad_amount"]


@pytest.mark.parametrize(
    ("since", "paid", "days", "is_refused"),
    [
        (None, None, 30, False),
        (DAY - timedelta(days=31), None, 0, False),
        (DAY - timedelta(days=30), None, 30, False),
        (DAY - timedelta(days=31), None, 30, True),
        (DAY - timedelta(days=31), DAY - timedelta(days=5), 30, False),
        (DAY - timedelta(days=31), DAY - timedelta(days=90), 30, True),
    ],
)
def test_a137_no_payment_for_30_days(
    since: date | None, paid: date | None, days: int, is_refused: bool
) -> None:
    found = codes(no_payment_refusals("Ana", since, paid, DAY, days))
    assert found == (["no_payment_30_days"] if is_refused else [])


def test_a_contact_says_something_short_and_plain() -> None:
    for says in ("", "x" * (SAYS_MAX + 1), "\ud800"):
        found = contact_refusals(Role.COLLECTOR, says, None, DAY, owes=True)
        assert codes(found) == ["contact_missing"]
    tomorrow = DAY + timedelta(days=1)
    assert contact_refusals(Role.COLLECTOR, "Call.", tomorrow, DAY, owes=True) == []
    assert all(way.label for way in ContactBy)


def test_due_terms_are_read_and_written_back() -> None:
    kind = DueTerms()
    stored = [list(term) for term in NEW_JERSEY]
    assert kind.read(kind.text(stored)) == stored
    many = "\n".join(f"${n}: 1" for n in range(1, TERMS_MAX + 1))
    for wrong in (
        "",
        "$1,000: 7",
        "above: 7\nabove: 9",
        "$5,000: 7\n$1,000: 9\nabove: 45",
        "some: 7\nabove: 45",
        "$1,000: week\nabove: 45",
        "$1,000: 400\nabove: 45",
        f"{many}\nabove: 45",
    ):
        with pytest.raises(Refused) as refused:
            kind.read(wrong)
        assert set(refused.value.codes) == {"due_terms_malformed"}
