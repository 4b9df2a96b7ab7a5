"""Every flow is proven by a search of all its states, and the search finds what is weak."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from inventory.kinds.cage_count import CAGE_COUNT
from inventory.kinds.credit import CREDIT
from inventory.kinds.fill import FILL, FILL_RETURN
from jackpots.kinds.jackpot import JACKPOT_KIND as JACKPOT
from pitboss.rules.flows import flow_proof
from pitboss.rules.flows.book import FLOWS
from pitboss.rules.flows.flow_proof import FlowProof, everybody, normal_shift, prove, prove_all
from pitboss.rules.flows.flows import Flow, PlanFacts, Promise, SlipStatus, Step
from pitboss.rules.flows.page import flows_page
from pitboss.rules.flows.signing import SignFacts, sign_refusals
from pitboss.rules.flows.states import AbleSigner, SignerGroup, SlipState, explore, plans_of
from pitboss.rules.refusal import Refusal
from pitboss.rules.roles import Place, Role
from tables.kinds.closer import CLOSER
from tables.kinds.count import COUNT
from tables.kinds.opener import OPENER

PAGE = Path(__file__).resolve().parents[2] / "docs" / "flows.md"


@pytest.fixture(scope="module")
def proofs() -> list[FlowProof]:
    """The proof of every flow of the house: some seconds, so once for all tests."""
    return prove_all(FLOWS)


def test_every_flow_holds_what_the_house_promises(proofs: list[FlowProof]) -> None:
    assert [finding for proof in proofs for finding in proof.findings] == []
    assert {proof.flow.kind for proof in proofs} == FLOWS.keys()


def test_no_promise_is_less_than_what_holds(proofs: list[FlowProof]) -> None:
    """A promise that lags behind would let a flow grow weaker unseen."""
    for proof in proofs:
        assert [finished.promise for finished in proof.finished] == list(proof.flow.promises)
        for finished in proof.finished:
            found = (finished.people, finished.departments)
            assert found == (finished.promise.people, finished.promise.departments), proof.flow.kind


def test_the_page_shows_what_was_proven(proofs: list[FlowProof]) -> None:
    assert PAGE.read_text() == flows_page(proofs), "run: manage.py prove_flows > docs/flows.md"


def test_no_department_moves_cheques_between_cage_and_table_alone(proofs: list[FlowProof]) -> None:
    moving = {"fill", "credit", "fill_return", "credit_return"}
    for proof in proofs:
        if proof.flow.kind in moving:
            assert {finished.departments for finished in proof.finished} == {3}


def test_a_form_that_all_have_signed_is_entered_by_one_and_approved_by_another(
    proofs: list[FlowProof],
) -> None:
    late = {"late_fill", "late_credit", "correction"}
    found = {proof.flow.kind: proof.finished for proof in proofs if proof.flow.kind in late}
    assert found.keys() == late
    for finished in found.values():
        assert sorted(item.people for item in finished) == [2, 3]


# The search finds what is weak: each flow below lacks one thing.


def findings(flow: Flow, *promises: Promise, **more: Any) -> tuple[str, ...]:
    row = prove(flow, {**FLOWS, flow.kind: flow}, promises=promises, **more).findings
    assert all(item.startswith(f"{flow.title}: ") for item in row)
    return tuple(item.removeprefix(f"{flow.title}: ") for item in row)


def test_a_flow_that_fewer_people_finish_is_found() -> None:
    alone = replace(CAGE_COUNT.steps[1], may_repeat="counted")
    weak = replace(CAGE_COUNT, steps=(CAGE_COUNT.steps[0], alone))
    assert findings(CAGE_COUNT, Promise(2, 1)) == ()
    assert findings(weak, Promise(2, 1)) == ("people who finish a slip: 1, promised 2.",)


def test_a_flow_that_one_department_finishes_is_found() -> None:
    by_the_pit = tuple(
        replace(step, by=Role.SUPERVISOR, at=Place.PIT) if step.name != "top_signed" else step
        for step in CREDIT.steps
    )
    found = findings(replace(CREDIT, steps=by_the_pit), *CREDIT.promises)
    assert "departments that finish a slip: 1, promised 3." in found
    assert findings(CREDIT, *CREDIT.promises) == ()


def test_a_state_without_a_way_out_is_found() -> None:
    """Only a pit manager saw counts voided, until this search said who is left to see it."""
    one_rank = replace(OPENER.void[1], by=Role.PIT_MANAGER)
    row = findings(replace(OPENER, void=(OPENER.void[0], one_rank)), *OPENER.promises)
    stuck = "counted by dealer, verified by pit manager, voided by shift manager"
    assert f"no way out for 2 states of a normal shift, such as: {stuck}." in row
    nobody = replace(COUNT, void=(replace(COUNT.void[0], by=Role.AUDITOR), COUNT.void[1]))
    (found,) = findings(nobody, Promise(2, 1))
    assert found == "no way out for 1 states of a normal shift, such as: counted by dealer."


def test_a_jackpot_that_nobody_is_left_to_reject_is_found() -> None:
    of_old = replace(JACKPOT.void[1], by=(Role.PIT_MANAGER, Role.SURVEILLANCE))
    row = findings(replace(JACKPOT, void=(JACKPOT.void[0], of_old)), *JACKPOT.promises)
    assert any("no way out" in item for item in row)


def test_cheques_under_way_without_a_return_are_stuck() -> None:
    sent = replace(FILL, kind="gift", steps=FILL.steps[:5], sent_back=None)
    (found,) = findings(sent, *FILL.promises)[-1:]
    assert "no way out" in found
    assert "carried by security officer" in found


def test_a_way_out_is_the_next_step_where_a_flow_has_no_other() -> None:
    assert findings(replace(COUNT, void=()), Promise(2, 1)) == ()
    beyond = replace(COUNT.steps[1], by=Role.AUDITOR)
    row = findings(replace(COUNT, void=(), steps=(COUNT.steps[0], beyond)), Promise(2, 1))
    assert row == ("no way out for 1 states of a normal shift, such as: counted by dealer.",)


def test_a_slip_that_nobody_can_finish_is_found() -> None:
    never = Step("blessed", by=Role.ADMINISTRATOR, at=None, attests="Nobody says this.")
    row = findings(replace(COUNT, steps=(*COUNT.steps, never)), Promise(2, 1))
    assert row == ("no one can finish a slip.",)


def test_a_kind_without_a_promise_is_found() -> None:
    assert findings(COUNT) == ("there is no promise of it.",)


# The search finds a weak judge too: each one below forgets one reason.


def forgetting(*codes: str) -> Any:
    def judge(facts: SignFacts) -> list[Refusal]:
        return [refusal for refusal in sign_refusals(facts) if refusal.code not in codes]

    return judge


@pytest.mark.parametrize(
    ("forgotten", "found"),
    [
        (("signed_before",), "verified is signed by someone who signed counted."),
        (("wrong_place",), "counted is signed at: pit of pit 1."),
        (("wrong_pit",), "void_witnessed is signed at: pit of pit 2."),
        (("unknown_device",), "counted is signed at: None."),
        (("out_of_order", "already_signed"), "counted is signed out of turn."),
        (("slip_closed", "already_signed", "out_of_order"), "voided is signed out of turn."),
    ],
)
def test_a_judge_that_forgets_a_reason_is_found(forgotten: Sequence[str], found: str) -> None:
    row = findings(CAGE_COUNT, Promise(2, 1), judge=forgetting(*forgotten))
    assert found in row


def test_a_judge_that_refuses_a_right_device_is_found() -> None:
    def strict(facts: SignFacts) -> list[Refusal]:
        at_security = facts.device_place is Place.SECURITY
        return [*sign_refusals(facts), *([Refusal("no", "No.")] if at_security else [])]

    row = findings(CAGE_COUNT, Promise(2, 1), judge=strict)
    assert "void_witnessed is not signed at: security." in row


# What the search rests on.


def test_people_who_can_sign_the_same_stand_in_one_group() -> None:
    groups = {group.name: group for group in everybody()}
    pit = groups["dealer or supervisor or pit manager"]
    assert (pit.department, pit.people) == ("pit", 9)
    assert pit.roles == (Role.DEALER, Role.SUPERVISOR, Role.PIT_MANAGER)
    assert groups["shift manager"].roles == (*pit.roles, Role.SHIFT_MANAGER)
    assert groups["cashier or cage manager"].roles == (Role.CASHIER, Role.CAGE_MANAGER)
    assert {role for group in groups.values() for role in group.roles} == set(Role)
    assert all(len(group.roles) == 1 for group in normal_shift())


def test_every_plan_of_a_flow_is_looked_at() -> None:
    def names(flow: Flow) -> set[tuple[str, ...]]:
        return {tuple(s["name"] for s in plan if s["track"] == "main") for plan in plans_of(flow)}

    first, last = ("entered", "verified"), ("paid",)
    assert names(JACKPOT) == {
        (*first, confirms, releases, *last)
        for confirms in ("confirmed", "phone_confirmed")
        for releases in ("jackpot_released", "pending_cleared")
    }
    assert len(names(OPENER)) == 5
    assert [len(plans_of(flow)) for flow in (CLOSER, CREDIT, FILL)] == [2, 2, 4]


def test_the_search_ends_in_the_states_that_people_know() -> None:
    """Two cashiers: one counts, the other verifies, or the first voids it before an officer."""
    groups = [
        SignerGroup("cashier", "cage", (Role.CASHIER,), 2),
        SignerGroup("officer", "security", (Role.SECURITY,), 1),
    ]
    explored = explore(CAGE_COUNT.plan(PlanFacts({})), groups)
    assert sorted(map(str, explored.ended(SlipStatus.DONE))) == [
        "counted by cashier, verified by cashier"
    ]
    voided = "counted by cashier, void_witnessed by officer, voided by cashier"
    (one, two) = explored.ended(SlipStatus.VOIDED)
    assert str(one) == str(two) == voided
    assert {len(one.hands), len(two.hands)} == {2, 3}
    assert len(explored.moves) == 7


def test_a_return_begins_with_whoever_carries_the_cheques() -> None:
    starts = flow_proof._starts(FILL_RETURN, FLOWS, normal_shift())
    officer = "security officer"
    assert [signers(state) for state in starts] == [
        {"carried": AbleSigner(officer, 0)},
        {"carried": AbleSigner(officer, 0), "taken_over": AbleSigner(officer, 1)},
    ]


def signers(state: SlipState) -> Mapping[str, AbleSigner]:
    assert {track for (track, _), _ in state.signed} == {"original"}
    return {step: hand for (_, step), hand in state.signed}
