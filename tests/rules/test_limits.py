"""A limit of one's own: the latest that has begun, for its kind alone."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from pitboss.rules.flows.limits import OwnLimit, own_limit_cents, own_limit_refusals

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


def limit(most_cents: int | None, hours: int, kind: str = "fill") -> OwnLimit:
    return OwnLimit(kind, most_cents, NOON + timedelta(hours=hours))


@pytest.mark.parametrize(
    ("limits", "expected"),
    [
        ([], None),
        ([limit(100, 0)], 100),
        ([limit(100, 1)], None),
        ([limit(100, 0, "credit")], None),
        ([limit(100, -1), limit(200, -2)], 100),
        ([limit(100, -1), limit(None, 0)], None),
        # Two of one time: what was approved last holds.
        ([limit(100, -1), limit(200, -1)], 200),
    ],
)
def test_the_latest_limit_that_has_begun_holds(
    limits: list[OwnLimit], expected: int | None
) -> None:
    assert own_limit_cents(limits, "fill", NOON) == expected


@pytest.mark.parametrize(
    ("most_cents", "total_cents", "is_refused"),
    [(None, 10**9, False), (500, 500, False), (500, 501, True), (0, 1, True)],
)
def test_the_amount_itself_may_be_signed_for_and_a_cent_more_may_not(
    most_cents: int | None, total_cents: int, is_refused: bool
) -> None:
    refusals = own_limit_refusals("A. Ruiz", "fill", most_cents, total_cents)
    assert [refusal.code for refusal in refusals] == ["over_own_limit"] * is_refused
