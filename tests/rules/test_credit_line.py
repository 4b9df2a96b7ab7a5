"""What remains of a line, why it is not lent, and which marker a payment redeems."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.rules.patrons.credit_line import (
    AMOUNT_MAX_CENTS,
    Credit,
    IssueFacts,
    LineGranted,
    Owed,
    amount_refusals,
    completion_refusals,
    issue_refusals,
    line_cents,
    newest_first,
    payment_refusals,
    redeemed,
)
from pitboss.rules.patrons.patrons import Standing

NOW = datetime(2026, 5, 1, 13, tzinfo=UTC)
MAY = date(2026, 5, 1)
PERMANENT = LineGranted(1_000_000, NOW - timedelta(days=30))
BASELINE = IssueFacts(
    patron="Ana Ruiz",
    credit=Credit(1_000_000, 500_000, 100_000),
    amount_cents=300_000,
    cheques={10_000: 30},
    shown_remaining_cents=400_000,
    asks_authority=False,
    has_identity=True,
    granted_by_extender=False,
)


@pytest.mark.parametrize(
    ("temporary", "expected"),
    [
        (None, 1_000_000),
        (LineGranted(500_000, NOW, NOW + timedelta(hours=1)), 1_500_000),
        (LineGranted(500_000, NOW - timedelta(hours=1), NOW), 1_000_000),
        (LineGranted(500_000, NOW + timedelta(hours=1), NOW + timedelta(hours=2)), 1_000_000),
    ],
)
def test_a_temporary_line_adds_while_it_holds(temporary: LineGranted | None, expected: int) -> None:
    assert line_cents(PERMANENT, temporary, NOW) == expected
    assert line_cents(None, temporary, NOW) == expected - 1_000_000


def test_the_baseline_is_lent() -> None:
    assert issue_refusals(BASELINE) == []


@pytest.mark.parametrize(
    ("change", "codes"),
    [
        ({"amount_cents": 0, "cheques": {}}, ["bad_amount"]),
        ({"amount_cents": -1, "cheques": {}}, ["bad_amount"]),
        ({"amount_cents": 300_100}, ["cut_differs"]),
        ({"shown_remaining_cents": 500_000}, ["stale_line"]),
        ({"amount_cents": 500_000, "cheques": {10_000: 50}}, ["over_line"]),
        (
            {"amount_cents": 500_000, "cheques": {10_000: 50}, "asks_authority": True},
            [],
        ),
        ({"asks_authority": True}, ["authority_not_needed"]),
        ({"has_identity": False}, ["no_identity"]),
        ({"granted_by_extender": True}, ["granted_by_extender"]),
        (
            {"credit": Credit(1_000_000, 500_000, 100_000, Standing.SELF_EXCLUDED)},
            ["credit_stopped"],
        ),
        ({"credit": Credit(0, 0, 0)}, ["no_line", "over_line"]),
    ],
)
def test_one_change_is_one_reason(change: dict[str, Any], codes: list[str]) -> None:
    assert [refusal.code for refusal in issue_refusals(replace(BASELINE, **change))] == codes


def test_a_refusal_says_what_remains() -> None:
    facts = replace(BASELINE, amount_cents=500_000, cheques={10_000: 50})
    (refusal,) = issue_refusals(facts)
    assert "has $4,000 of credit left" in refusal.message
    assert "is $1,000 over" in refusal.message


def test_an_amount_beyond_any_line_is_refused() -> None:
    assert [refusal.code for refusal in amount_refusals(AMOUNT_MAX_CENTS + 1, {})] == ["bad_amount"]
    # The largest and the smallest amount are amounts, for which no cheques were cut.
    for amount_cents in (AMOUNT_MAX_CENTS, 1):
        assert [refusal.code for refusal in amount_refusals(amount_cents, {})] == ["cut_differs"]


def test_a_patron_who_owes_more_than_the_line_has_nothing_left() -> None:
    assert Credit(100_000, 150_000, 0).remaining_cents == 0


@pytest.mark.parametrize(
    ("credit", "over", "codes"),
    [
        (Credit(1_000_000, 700_000, 300_000), 0, []),
        (Credit(1_000_000, 700_000, 350_000), 50_000, []),
        (Credit(999_999, 700_000, 300_000), 0, ["line_lowered"]),
        (Credit(900_000, 700_000, 300_000), 0, ["line_lowered"]),
        (Credit(1_000_000, 0, 300_000, Standing.SUSPENDED), 0, ["credit_stopped"]),
    ],
)
def test_a_marker_is_paid_out_while_its_line_still_holds(
    credit: Credit, over: int, codes: list[str]
) -> None:
    assert [refusal.code for refusal in completion_refusals("Ana Ruiz", credit, over)] == codes


OLD = Owed(1, "M-1", 300_000, MAY, 1)
NEW = Owed(2, "M-2", 100_000, MAY, 2)
NEWER = Owed(3, "M-3", 50_000, MAY + timedelta(days=1), 3)


def test_the_newest_comes_first() -> None:
    assert newest_first([OLD, NEWER, NEW]) == [NEWER, NEW, OLD]


@given(st.lists(st.integers(0, 500_000), max_size=5), st.integers(0, 2_000_000))
def test_a_payment_takes_no_more_than_it_is_and_no_more_than_is_owed(
    balances: list[int], amount: int
) -> None:
    owed = [Owed(n, f"M-{n}", cents, MAY, n) for n, cents in enumerate(balances)]
    parts = redeemed(owed, amount)
    assert sum(cents for _, cents in parts) == min(amount, sum(balances))
    assert all(0 < cents <= item.balance_cents for item, cents in parts)
    # Only the last of them may be left with something.
    assert all(cents == item.balance_cents for item, cents in parts[:-1])


@pytest.mark.parametrize(
    ("change", "codes"),
    [
        ({}, []),
        ({"amount_cents": 0}, ["bad_amount"]),
        ({"owed": []}, ["nothing_owed"]),
        ({"amount_cents": 1}, []),
        ({"amount_cents": 400_000}, []),
        ({"amount_cents": 400_001}, ["more_than_owed"]),
        ({"first": NEW}, []),
        ({"first": OLD}, ["out_of_redemption_order"]),
        ({"first": OLD, "waiver": "Promised by the host."}, []),
        ({"first": OLD, "waiver": " "}, ["out_of_redemption_order"]),
    ],
)
def test_a_payment_is_refused_for_one_reason(change: dict[str, Any], codes: list[str]) -> None:
    facts: dict[str, Any] = {
        "owed": [OLD, NEW],
        "first": None,
        "amount_cents": 150_000,
        "waiver": "",
    }
    assert [refusal.code for refusal in payment_refusals(**(facts | change))] == codes
