"""Why something waits for somebody, and what one PIN may acknowledge together."""

from __future__ import annotations

import pytest

from pitboss.rules.acknowledging import BATCH_MAX, NOTICES, Ticked, batch_refusals, is_notice
from pitboss.rules.flow_book import FLOWS
from pitboss.rules.needs import _ALWAYS, need_of
from pitboss.rules.settings_book import BOOK


def need(step: str, kind: str = "fill", **details: int) -> str:
    return need_of(
        step,
        kind=kind,
        cheques={500_000: 1, 2_500: 20},
        details=details,
        top_sign_from_cents=100_000,
    ).sentence


def test_a_threshold_is_named_with_its_figure() -> None:
    assert need("top_signed") == (
        "it holds a $5,000 cheque, and from $1,000 on a pit manager top-signs."
    )
    assert need("top_signed", kind="closer") == "a pit manager top-signs every closer."
    assert "by $250," in need("authorised", over_line_cents=25_000)
    assert need("issued") == "the next signature is yours."


def test_every_reason_is_for_a_step_that_some_flow_has_and_a_setting_of_the_book() -> None:
    steps = {
        step.name for flow in FLOWS.values() for step in (*flow.steps, *flow.void, *flow.relief)
    }
    assert _ALWAYS.keys() <= steps
    assert {each.setting for each in _ALWAYS.values()} - {""} <= BOOK.keys()


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
    assert not is_notice(code)
    assert "badge_locked" in NOTICES
