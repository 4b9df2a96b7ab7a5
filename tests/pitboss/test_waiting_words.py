"""What waits says what is asked for, never what is not done yet."""

from __future__ import annotations

from pitboss.rules.flow_book import FLOWS
from pitboss.selectors.slips import TITLES, TO_DO


def test_every_step_has_a_word_for_what_is_asked_and_another_for_what_is_done() -> None:
    steps = {
        step.name for flow in FLOWS.values() for step in (*flow.steps, *flow.void, *flow.relief)
    }
    assert steps <= TITLES.keys()
    assert TITLES.keys() == TO_DO.keys()
    assert [step for step in steps if TITLES[step] == TO_DO[step]] == []
