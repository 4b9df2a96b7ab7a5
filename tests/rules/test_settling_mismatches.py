"""Who settles a payout that differs, and how: one allowed settling, and each single change."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pitboss.rules.facts import AMOUNT_CENTS_MAX
from pitboss.rules.payouts.mismatches import (
    MismatchDirection,
    Settling,
    Way,
    direction_of,
    settling_refusals,
)
from pitboss.rules.roles import Place, Role

CORRECTED = Settling(
    role=Role.SUPERVISOR,
    place=Place.PIT,
    is_their_pit=True,
    is_the_dealer=False,
    owed_cents=45_000,
    paid_cents=90_000,
    way=Way.CORRECTED,
    reason="",
)
FOUND = replace(CORRECTED, owed_cents=None, found_cents=0, reason="Dealer had 20.")


@pytest.mark.parametrize(
    ("settling", "stands_cents"),
    [
        (CORRECTED, 45_000),
        (replace(CORRECTED, role=Role.SHIFT_MANAGER), 45_000),
        (replace(CORRECTED, reason="Taken back."), 45_000),
        (replace(CORRECTED, way=Way.OVERRIDDEN, reason="He left."), 90_000),
        (FOUND, 0),
        (replace(FOUND, way=Way.OVERRIDDEN, found_cents=None), 90_000),
    ],
)
def test_a_settling_that_is_allowed_says_what_stands(settling: Settling, stands_cents: int) -> None:
    assert settling_refusals(settling) == []
    assert settling.stands_cents == stands_cents


@pytest.mark.parametrize(
    ("settling", "change", "codes"),
    [
        (CORRECTED, {"role": Role.DEALER}, ["wrong_role"]),
        (CORRECTED, {"place": None}, ["wrong_place"]),
        (CORRECTED, {"place": Place.CAGE, "is_their_pit": False}, ["wrong_place"]),
        (CORRECTED, {"is_their_pit": False}, ["wrong_pit"]),
        (CORRECTED, {"is_the_dealer": True}, ["signed_before"]),
        (CORRECTED, {"way": Way.OVERRIDDEN}, ["reason_missing"]),
        (CORRECTED, {"found_cents": 1}, ["amount_is_known"]),
        (CORRECTED, {"reason": "x" * 501}, ["reason_too_long"]),
        (FOUND, {"found_cents": None}, ["amount_missing"]),
        (FOUND, {"found_cents": -1}, ["amount_missing"]),
        (FOUND, {"found_cents": AMOUNT_CENTS_MAX}, []),
        (FOUND, {"found_cents": AMOUNT_CENTS_MAX + 1}, ["amount_missing"]),
        (FOUND, {"found_cents": 90_000}, ["nothing_to_correct"]),
        (FOUND, {"reason": ""}, ["reason_missing"]),
        (FOUND, {"way": Way.OVERRIDDEN}, ["amount_is_known"]),
    ],
)
def test_each_single_change_is_refused_for_its_own_reason(
    settling: Settling, change: dict[str, Any], codes: list[str]
) -> None:
    refusals = settling_refusals(replace(settling, **change))
    assert [refusal.code for refusal in refusals] == codes


def test_what_nobody_verified_is_never_right() -> None:
    assert direction_of(None, 0) is MismatchDirection.UNVERIFIED
    assert direction_of(500, 500) is None
    assert direction_of(500, 400) is MismatchDirection.UNDERPAID
