"""Prove the flows: every reachable state of every kind is held to what the house promises.

Two searches a plan. In the first there are several people of each role and everyone may act in
each rank that can be granted: no slip may be finished by fewer people or departments than promised.
In the second a normal shift is there and no one acts: no state may be without a way out that these
people can sign. A way out is the void; cheques under way go back on a return; where a flow has
neither, its own last step.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pitboss.rules.flows.flows import TAKEN_OVER, Flow, Promise, SlipStatus, Track, is_dispatched
from pitboss.rules.flows.promises import (
    NORMAL_SHIFT,
    SEVERAL,
    returned_by,
)
from pitboss.rules.flows.signing import relieves_a_carrier, sign_refusals
from pitboss.rules.flows.states import (
    NOTHING_SIGNED,
    ORIGINAL,
    Explored,
    Judge,
    Plan,
    SignerGroup,
    SlipState,
    canonical_state,
    explore,
    plans_of,
)
from pitboss.rules.roles import Role, acting_roles, department, department_name

_CARRIER_STEPS = ("carried", TAKEN_OVER)


@dataclass(frozen=True, slots=True)
class Finished:
    """The fewest people and departments that finish a slip of which there is one promise."""

    promise: Promise
    people: int
    departments: int


@dataclass(frozen=True, slots=True)
class FlowProof:
    """What was shown of one flow; it holds when there are no findings."""

    flow: Flow
    finished: tuple[Finished, ...]
    # The fewest people on a slip that was voided, where it can be.
    voided_by: int | None
    returned_by: str
    states: int
    findings: tuple[str, ...]


def everybody() -> list[SignerGroup]:
    """Return several people of each role, in groups of those who can sign the same."""
    groups: dict[frozenset[Role], list[Role]] = {}
    for role in Role:
        groups.setdefault(frozenset({role, *acting_roles(role)}), []).append(role)
    return [
        SignerGroup(
            name=" or ".join(role.label for role in homes),
            department=department_name(homes[0]),
            roles=tuple(role for role in department(homes[0]) if role in may_be),
            people=SEVERAL * len(homes),
        )
        for may_be, homes in groups.items()
    ]


def normal_shift() -> list[SignerGroup]:
    """Return who is there on a quiet shift, each in the one role that they have."""
    return [
        SignerGroup(role.label, department_name(role), (role,), people)
        for role, people in NORMAL_SHIFT.items()
    ]


def prove_all(flows: Mapping[str, Flow], judge: Judge = sign_refusals) -> list[FlowProof]:
    """Prove every flow of a book."""
    return [prove(flow, flows, judge=judge) for flow in flows.values()]


def prove(
    flow: Flow,
    flows: Mapping[str, Flow],
    *,
    promises: tuple[Promise, ...] | None = None,
    judge: Judge = sign_refusals,
) -> FlowProof:
    """Explore a flow to its end and say what it holds, and every promise that it breaks."""
    promises = flow.promises if promises is None else promises
    findings: dict[str, None] = {}
    finished: dict[Promise, list[Finished]] = {}
    voided: list[int] = []
    states = 0
    people, shift = everybody(), normal_shift()
    departments = {group.name: group.department for group in people}
    many_starts, few_starts = (_starts(flow, flows, groups) for groups in (people, shift))
    for plan in plans_of(flow):
        many = explore(plan, people, many_starts, judge)
        few = explore(plan, shift, few_starts, judge)
        states += len(many.moves) + len(few.moves)
        findings.update(dict.fromkeys([*many.faults, *few.faults]))
        findings.update(dict.fromkeys(_stuck(flow, few)))
        voided += [len(state.hands) for state in many.ended(SlipStatus.VOIDED)]
        promise = promised(promises, plan)
        if promise is None:
            findings["there is no promise of it"] = None
            continue
        least = _least(promise, many, departments)
        finished.setdefault(promise, []).append(least)
        findings.update(dict.fromkeys(_broken(least)))
    return FlowProof(
        flow=flow,
        finished=tuple(
            min(finished[item], key=_by_strength) for item in promises if item in finished
        ),
        voided_by=min(voided, default=None),
        returned_by=returned_by(flow),
        states=states,
        findings=tuple(f"{flow.title}: {finding}." for finding in findings),
    )


def _by_strength(each: Finished) -> tuple[int, int]:
    return each.people, each.departments


def promised(promises: Iterable[Promise], plan: Plan) -> Promise | None:
    """Return what is promised of a slip with this plan: the last promise that fits it."""
    names = {step["name"] for step in plan}
    fitting = [promise for promise in promises if not promise.having or promise.having in names]
    return fitting[-1] if fitting else None


def _least(promise: Promise, many: Explored, departments: Mapping[str, str]) -> Finished:
    done = [state.hands for state in many.ended(SlipStatus.DONE)]
    return Finished(
        promise,
        people=min((len(hands) for hands in done), default=0),
        departments=min((len({departments[h.group] for h in hands}) for hands in done), default=0),
    )


def _broken(least: Finished) -> Iterator[str]:
    promise = least.promise
    what = f" with {promise.having}" if promise.having else ""
    if not least.people:
        yield f"no one can finish a slip{what}"
    elif least.people < promise.people:
        yield f"people who finish a slip{what}: {least.people}, promised {promise.people}"
    elif least.departments < promise.departments:
        found = f"{least.departments}, promised {promise.departments}"
        yield f"departments that finish a slip{what}: {found}"


def _starts(
    flow: Flow, flows: Mapping[str, Flow], groups: Sequence[SignerGroup]
) -> list[SlipState]:
    """Return how a slip begins: with nothing, or what a return finds on the slip it returns."""
    originals = [item.kind for item in flows.values() if returned_by(item) == flow.kind]
    if not originals:
        return [NOTHING_SIGNED]
    carried = {
        canonical_state(
            {(ORIGINAL, step): hand for (_, step), hand in state.signed if step in _CARRIER_STEPS}
        )
        for kind in originals
        for plan in plans_of(flows[kind])
        for state in explore(plan, groups).moves
        if state.status is SlipStatus.OPEN and _is_under_way(plan, state)
    }
    return sorted(carried, key=str)


def _is_under_way(plan: Plan, state: SlipState) -> bool:
    return is_dispatched(plan, dict.fromkeys((key for key, _ in state.signed), 0))


def _stuck(flow: Flow, few: Explored) -> Iterator[str]:
    """Yield the states of a slip from which people on a normal shift find no way out.

    What was counted out, and no one carries, goes on to its end: nothing else is a way out.
    """
    ends = {
        state
        for state in few.moves
        if state.status is not SlipStatus.OPEN
        or (returned_by(flow) and _is_under_way(few.plan, state))
    }
    before: dict[SlipState, list[SlipState]] = {}
    for state, moves in few.moves.items():
        is_out = not relieves_a_carrier(few.plan) and _is_under_way(few.plan, state)
        only_forward = not flow.void or is_out
        for move in moves:
            if only_forward or move.track != Track.MAIN:
                before.setdefault(move.to, []).append(state)
    waiting = list(ends)
    while waiting:
        for state in before.get(waiting.pop(), ()):
            if state not in ends:
                ends.add(state)
                waiting.append(state)
    stuck = [state for state in few.moves if state.hands and state not in ends]
    for state in sorted(stuck, key=lambda slip_state: (len(slip_state.signed), str(slip_state)))[
        :1
    ]:
        yield f"no way out for {len(stuck)} states of a normal shift, such as: {state}"
