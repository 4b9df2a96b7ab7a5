"""Suspicious activity by its rules: the clock, and who decides."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from pitboss.rules.patrons.sar import (
    ProposalFacts,
    SarOutcome,
    SarPolicy,
    StepKind,
    answer_refusals,
    case_refusals,
    proposal_refusals,
)
from pitboss.rules.roles import Role

DAY = date(2026, 5, 1)
FILED = ProposalFacts(
    role=Role.COMPLIANCE,
    outcome=SarOutcome.FILED,
    is_decided=False,
    is_proposed=False,
    detected_on=DAY,
    today=DAY,
    bsa_id="31000000000123",
    filed_on=DAY,
)


def test_days_with_and_without_a_suspect_and_until_a_review() -> None:
    policy = SarPolicy()
    assert policy.due_on(DAY, has_suspect=False) == date(2026, 6, 30)
    assert policy.review_on(DAY) == date(2026, 8, 29)
    assert [sar_outcome.label for sar_outcome in SarOutcome] == ["filed", "not filed"]
    assert StepKind.WRITTEN.label == "written"


@pytest.mark.parametrize(
    ("code", "changed"),
    [
        ("wrong_role", {"role": Role.SHIFT_MANAGER}),
        ("case_decided", {"is_decided": True}),
        ("already_proposed", {"is_proposed": True}),
        ("bsa_id_malformed", {"bsa_id": "31"}),
        ("date_missing", {"filed_on": None}),
        ("date_impossible", {"filed_on": date(2026, 4, 30)}),
        ("reason_missing", {"outcome": SarOutcome.NOT_FILED}),
    ],
)
def test_one_change_is_one_reason_not_to_propose(code: str, changed: dict[str, Any]) -> None:
    assert proposal_refusals(FILED) == []
    assert [refusal.code for refusal in proposal_refusals(replace(FILED, **changed))] == [code]


def test_a_case_says_what_and_when() -> None:
    assert case_refusals(Role.COMPLIANCE, "Odd.", DAY, DAY) == []
    codes = [refusal.code for refusal in case_refusals(Role.HOST, "", None, DAY)]
    assert codes == ["wrong_role", "reason_missing", "date_missing"]
    late = case_refusals(Role.COMPLIANCE, "Odd.", date(2026, 5, 2), DAY)
    assert [refusal.code for refusal in late] == ["date_impossible"]


def test_an_answer_is_anothers_and_a_withdrawal_says_why() -> None:
    facts: dict[str, Any] = {"agrees": True, "is_open": True, "by_proposer": False, "reason": ""}

    def codes(**changed: Any) -> list[str]:
        return [
            refusal.code for refusal in answer_refusals(Role.COMPLIANCE, **{**facts, **changed})
        ]

    assert codes() == []
    assert codes(by_proposer=True) == ["signed_before"]
    assert codes(is_open=False) == ["already_answered"]
    assert codes(agrees=False) == ["reason_missing"]
    assert codes(agrees=False, by_proposer=True, reason="More came up.") == []
