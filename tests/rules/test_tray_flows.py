"""Who signs the counts of a tray, and what a blind count tells before both have signed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from inventory.kinds.fill import FILL
from pitboss.rules.flows.flows import Flow, PlanFacts, SlipStatus, Track, track_steps
from pitboss.rules.flows.signing import SignFacts, relieves_a_carrier, sign_refusals
from pitboss.rules.roles import Place, Role
from tables.kinds.closer import CLOSER
from tables.kinds.count import COUNT, SHIFT_COUNT
from tables.kinds.opener import OPENER, RECOUNT

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


CLOSER_FACTS = SignFacts(
    plan=CLOSER.plan(AGREES),
    track="relief",
    step="released",
    status=SlipStatus.OPEN,
    signed={("main", "counted"): 4},
    signer_id=8,
    signer_role=Role.SHIFT_MANAGER,
    signer_name="H. Heidison",
    signer_may_work=True,
    licence_ends=None,
    gaming_day=date(2026, 5, 1),
    device_place=Place.OFFICE,
    device_pit_id=None,
    slip_pit_id=1,
    shown_is_current=True,
    cheques={2_500: 7},
    counted=None,
    present_id=None,
    reason="Fell ill.",
    names={},
)


def test_a_dealer_can_be_let_go_although_no_cheques_are_under_way() -> None:
    assert sign_refusals(CLOSER_FACTS) == []
    assert not relieves_a_carrier(CLOSER_FACTS.plan)
    assert relieves_a_carrier(FILL.plan(AGREES))
    carried_by_nobody = replace(
        CLOSER_FACTS,
        plan=FILL.plan(AGREES),
        step="relieved",
        signed={("main", "requested"): 1},
    )
    assert [r.code for r in sign_refusals(carried_by_nobody)] == ["nobody_to_relieve"]


@pytest.mark.parametrize(
    ("change", "codes"),
    [
        ({"tray_moved": True}, ["tray_moved"]),
        ({"held_at": "BJ-12"}, []),
        (
            {"signer_role": Role.DEALER, "step": "counted", "signed": {}, "held_at": "BJ-12"},
            ["dealer_held"],
        ),
    ],
)
def test_a_count_holds_for_the_tray_it_saw_and_a_held_dealer_signs_for_no_other(
    change: dict[str, Any], codes: list[str]
) -> None:
    verified = replace(
        CLOSER_FACTS,
        track="main",
        step="verified",
        signer_role=Role.SUPERVISOR,
        device_place=Place.PIT,
        device_pit_id=1,
        counted={2_500: 7},
    )
    assert [refusal.code for refusal in sign_refusals(replace(verified, **change))] == codes


def test_a_void_is_signed_although_the_tray_moved() -> None:
    voided = replace(
        CLOSER_FACTS,
        track="void",
        step="voided",
        signer_role=Role.SUPERVISOR,
        device_place=Place.PIT,
        device_pit_id=1,
        tray_moved=True,
    )
    assert sign_refusals(voided) == []
