"""Who signs the counts of a tray, and what a blind count tells before both have signed."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from pitboss.rules.flows import Flow, PlanFacts, Track, track_steps
from pitboss.rules.roles import Role
from pitboss.rules.tray_flows import CLOSER, COUNT, OPENER, RECOUNT, SHIFT_COUNT

AGREES = PlanFacts({})
DIFFERS = PlanFacts({}, differs=True)
REPORTED = PlanFacts({}, differs=True, reported_by=(Role.SECURITY, Role.SURVEILLANCE))
SECURITY_ONLY = PlanFacts({}, differs=True, reported_by=(Role.SECURITY,))
VARIANCE = {"accepted", "security_reported", "surveillance_reported"}


@pytest.mark.parametrize(
    ("flow", "facts", "steps", "at_end"),
    [
        (OPENER, AGREES, ["counted", "verified"], "table_opened"),
        (OPENER, DIFFERS, ["counted", "verified", "accepted"], "table_opened"),
        (
            OPENER,
            SECURITY_ONLY,
            ["counted", "verified", "accepted", "security_reported"],
            "table_opened",
        ),
        (
            OPENER,
            REPORTED,
            ["counted", "verified", "accepted", "security_reported", "surveillance_reported"],
            "table_opened",
        ),
        (RECOUNT, AGREES, ["counted", "verified"], "recount_posted"),
        (RECOUNT, DIFFERS, ["counted", "verified", "accepted"], "recount_posted"),
        (CLOSER, AGREES, ["counted", "verified", "top_signed", "locked"], "table_closed"),
        (COUNT, AGREES, ["counted", "verified"], "count_posted"),
        (SHIFT_COUNT, AGREES, ["counted", "verified", "taken_on"], "count_posted"),
    ],
)
def test_a_count_is_signed_by_these_and_ends_so(
    flow: Flow, facts: PlanFacts, steps: Sequence[str], at_end: str
) -> None:
    main = track_steps(flow.plan(facts), Track.MAIN)
    assert [step["name"] for step in main] == steps
    assert main[-1]["then"] == at_end


def test_nobody_reports_on_a_tray_that_agrees() -> None:
    facts = PlanFacts({}, differs=False, reported_by=(Role.SECURITY, Role.SURVEILLANCE))
    assert len(track_steps(OPENER.plan(facts), Track.MAIN)) == 2


def test_the_variance_is_acted_on_when_both_have_signed_not_when_all_have() -> None:
    verified = track_steps(OPENER.plan(DIFFERS), Track.MAIN)[1]
    assert verified["then"] == "variance_found"


@pytest.mark.parametrize("flow", [OPENER, RECOUNT])
def test_a_blind_count_does_not_tell_whether_it_needs_a_shift_manager(flow: Flow) -> None:
    counted = {("main", "counted")}
    assert flow.untold_steps(set()) == VARIANCE
    assert flow.untold_steps(counted) == VARIANCE
    # A void that was begun signs nothing of the count.
    assert flow.untold_steps(counted | {("void", "verified")}) == VARIANCE
    assert flow.untold_steps(counted | {("main", "verified")}) == frozenset()


@pytest.mark.parametrize("flow", [CLOSER, COUNT, SHIFT_COUNT])
def test_a_count_of_an_open_table_has_nothing_to_hide(flow: Flow) -> None:
    assert flow.untold_steps(set()) == frozenset()


def test_a_recount_is_begun_by_a_dealer_or_a_supervisor_and_an_opener_by_a_dealer() -> None:
    assert RECOUNT.steps[0].roles == (Role.DEALER, Role.SUPERVISOR)
    assert OPENER.steps[0].roles == (Role.DEALER,)
