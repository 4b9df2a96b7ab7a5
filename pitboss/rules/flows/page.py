"""The page of the documentation that shows what was proven of every flow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pitboss.rules.flows.flow_proof import Finished, FlowProof
from pitboss.rules.flows.flows import Step
from pitboss.rules.flows.house_flows import MANAGERS

_MANAGERS = frozenset(MANAGERS)
_INTRODUCTION = (
    "# Flows\n\nThis page is written by `manage.py prove_flows`; a test keeps it true. The "
    "command puts every signer\nbefore the rule that decides on the floor, in every state "
    "that a slip of each kind can come to:\nseveral people of each role, in every role "
    "that they may act in, on a device of each place, through\nvoids, returns, and "
    "reliefs. It ends with 1 when one of these fails:\n\n- No slip is finished by fewer "
    "people or departments than its kind promises. The numbers are below.\n- No one signs "
    "two steps unless the step says so, or out of turn, or on a device of another "
    "place.\n- From every state the people of a normal shift find a way out: the void, a "
    "return for cheques on the\n  way, or, where a kind has neither, its own next steps. A "
    "normal shift has one pit manager, one\n  shift manager, and one surveillance "
    "officer.\n\nA role in brackets signs only some slips of that kind. A manager is of "
    "pit, shift, cage, security, or\nsurveillance. Departments are pit, cage, security, "
    "surveillance, count room, and each office on its\nown. A void counts everyone who had "
    "signed the slip.\n\n"
)


def flows_page(proofs: Iterable[FlowProof]) -> str:
    """Return the page that shows what was proven of every flow."""
    return "\n".join(_page(list(proofs))) + "\n"


def _page(proofs: Sequence[FlowProof]) -> Iterator[str]:
    yield _INTRODUCTION
    yield "| Kind | Signed by, in order | People | Departments | Way out | States |"
    yield "|---|---|---|---|---|---|"
    for proof in sorted(proofs, key=lambda proof: proof.flow.title):
        people = [(finished, finished.people) for finished in proof.finished]
        departments = [(finished, finished.departments) for finished in proof.finished]
        yield (
            f"| {proof.flow.title} | {_steps(proof.flow.steps)} | "
            f"{_numbers(people)} | {_numbers(departments)} | "
            f"{_way_out(proof)} | {proof.states:,} |"
        )
    yield ""
    total = sum(proof.states for proof in proofs)
    yield f"{len(proofs)} kinds, {total:,} states."


def _numbers(least: Sequence[tuple[Finished, int]]) -> str:
    """Say a number for every slip, and the other one for those that have some step."""
    said = [str(least[0][1])]
    for finished, number in least[1:]:
        if number != least[0][1]:
            said.append(f"{number} with {finished.promise.having.replace('_', ' ')}")
    return "; ".join(said)


def _steps(steps: Iterable[Step]) -> str:
    return ", ".join(f"({_who(step)})" if step.when else _who(step) for step in steps)


def _who(step: Step) -> str:
    names = [role.label for role in step.roles]
    if _MANAGERS.issubset(step.roles):
        names = ["manager", *(role.label for role in step.roles if role not in _MANAGERS)]
    return " or ".join(names)


def _way_out(proof: FlowProof) -> str:
    ways = []
    if proof.voided_by is not None:
        least = "1 person" if proof.voided_by == 1 else f"{proof.voided_by} people"
        ways.append(f"void by {least}: {', then '.join(_who(step) for step in proof.flow.void)}")
    if proof.returned_by:
        ways.append("return")
    return "; ".join(ways) or "its own next steps"
