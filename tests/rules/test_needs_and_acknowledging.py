"""Why something waits for somebody, and what one PIN may acknowledge together."""

from __future__ import annotations

import pytest

from pitboss.rules.floor.acknowledging import BATCH_MAX, NOTICES, Ticked, batch_refusals, is_notice
from pitboss.rules.floor.needs import need_of
from pitboss.rules.flows.book import FLOWS
from pitboss.rules.flows.flows import Need, NeedFacts
from pitboss.rules.settings.book import BOOK


def need(step: str, kind: str = "fill", **details: int) -> str:
    facts = NeedFacts({500_000: 1, 2_500: 20}, details, top_sign_from_cents=100_000)
    return need_of(step, kind=kind, facts=facts).sentence


def test_a_threshold_is_named_with_its_figure() -> None:
    for kind in ("fill", "late_fill"):
        assert need("top_signed", kind=kind) == (
            "Includes a $5,000 cheque. A pit manager must top-sign a $1,000 cheque or higher."
        )
    assert need("top_signed", kind="closer") == "A pit manager must top-sign every closer."
    over = need("authorised", kind="marker", over_line_cents=25_000)
    assert "$250 over the patron’s credit line" in over
    assert need("patron_signed", kind="marker") == "The patron hasn’t signed yet."
    assert need("issued") == "You’re next to sign."


def test_every_reason_names_a_setting_of_the_book_or_none() -> None:
    steps = [step for flow in FLOWS.values() for step in (*flow.steps, *flow.void, *flow.relief)]
    reasons = [step.why for step in steps if isinstance(step.why, Need)]
    assert {reason.setting for reason in reasons} - {""} <= BOOK.keys()


@pytest.mark.parametrize("step", ["approved", "void_witnessed", "confirmed", "reject_agreed"])
def test_whoever_signs_second_is_told_why(step: str) -> None:
    having = [flow.kind for flow in FLOWS.values() if flow.step_named(step) is not None]
    assert having
    for kind in having:
        assert need(step, kind=kind) != "You’re next to sign.", kind


def test_every_step_of_every_kind_has_its_words() -> None:
    for flow in FLOWS.values():
        for step in (*flow.steps, *flow.void, *flow.relief):
            assert step.done, f"{flow.kind}.{step.name}"
            assert step.do, f"{flow.kind}.{step.name}"
        assert flow.readers is not None, flow.kind
        assert flow.promises, flow.kind


@pytest.mark.parametrize(
    ("ticked", "codes"),
    [
        ([], ["nothing_ticked"]),
        ([Ticked("Called.", code="supervisor_called")], []),
        ([Ticked("Called.", code="supervisor_called")] * BATCH_MAX, []),
        ([Ticked("Called.", code="supervisor_called")] * (BATCH_MAX + 1), ["too_many_ticked"]),
        ([Ticked("Fill", serial="F-1"), Ticked("Short.", code="count_differs")],
         ["signed_alone", "explained_alone"]),
    ],
)  # fmt: skip
def test_only_notices_are_acknowledged_together(ticked: list[Ticked], codes: list[str]) -> None:
    assert [refusal.code for refusal in batch_refusals(ticked)] == codes


@pytest.mark.parametrize(
    "code", ["count_differs", "tray_variance", "marker_log_differs", "meter_differs", "card_count"]
)
def test_nothing_about_money_or_cards_is_a_notice(code: str) -> None:
    assert not is_notice(code, {})
    assert "badge_locked" in NOTICES
