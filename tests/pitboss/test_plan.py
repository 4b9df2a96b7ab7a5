"""A slip's plan, typed: the JSON that is stored is read and written as it is."""

from __future__ import annotations

import json

import pytest

from pitboss.rules.flows.book import FLOWS
from pitboss.rules.flows.flows import Track
from pitboss.rules.flows.states import plans_of
from pitboss.rules.roles import Place, Role
from pitboss.slips.plan import Plan, PlannedStep


@pytest.mark.parametrize("kind", list(FLOWS))
def test_every_plan_is_read_and_written_to_the_byte(kind: str) -> None:
    for plan in plans_of(FLOWS[kind]):
        written = [PlannedStep.read(step).stored() for step in plan]
        assert json.dumps(written) == json.dumps(plan)


def test_a_step_of_an_earlier_release_asks_nothing_and_is_seen() -> None:
    (first, *_), *_ = plans_of(FLOWS["fill"])
    stored = dict(first)
    for newer in ("asks", "blind", "drawn"):
        del stored[newer]
    step = PlannedStep.read(stored)
    assert (step.asks, step.blind, step.drawn) == ((), False, False)
    assert (step.by, step.at, step.key) == ((Role.SUPERVISOR,), Place.PIT, ("main", "requested"))


def test_a_plan_says_what_is_due_and_what_it_has() -> None:
    plan = Plan(plans_of(FLOWS["fill"])[0])
    due = plan.due({("main", "requested"): 1})
    assert due is not None
    assert due.name == plan.steps(Track.MAIN)[1].name
    assert plan.has("received")
    assert not plan.has("sealed")
