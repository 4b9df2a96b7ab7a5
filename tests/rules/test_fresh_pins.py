"""A PIN that others set signs for little until its time is over."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from pitboss.rules.flows.fresh_pins import (
    FreshPinPolicy,
    fresh_amount_refusals,
    fresh_power_refusal,
    worth_cents,
)
from pitboss.rules.settings.in_force import in_force

NOW = datetime(2026, 5, 1, 13, tzinfo=UTC)
POLICY = FreshPinPolicy(hours=24, most_cents=100_000)


@pytest.mark.parametrize(
    ("set_at", "limit"),
    [
        (None, None),
        (NOW, 100_000),
        (NOW - timedelta(hours=24) + timedelta(microseconds=1), 100_000),
        (NOW - timedelta(hours=24), None),
    ],
)
def test_a_reset_pin_is_fresh_for_its_hours(set_at: datetime | None, limit: int | None) -> None:
    assert POLICY.limit_cents(set_at, NOW) == limit


def test_the_house_sets_hours_and_limit() -> None:
    assert in_force([], NOW).fresh_pins == POLICY


@pytest.mark.parametrize(
    ("limit", "worth", "codes"),
    [
        (None, 10**9, []),
        (100_000, 100_000, []),
        (100_000, 100_001, ["fresh_pin"]),
        (0, 1, ["fresh_pin"]),
    ],
)
def test_it_signs_for_no_more_than_its_limit(
    limit: int | None, worth: int, codes: list[str]
) -> None:
    assert [refusal.code for refusal in fresh_amount_refusals("A. Ruiz", limit, worth)] == codes


def test_it_has_no_power_over_people() -> None:
    assert fresh_power_refusal("A. Ruiz").code == "fresh_pin"


def test_a_slip_is_worth_the_most_that_it_says() -> None:
    assert worth_cents(500, {}) == 500
    assert worth_cents(0, {"amount_cents": 7, "locked_cents": None, "note_cents": 9}) == 7
