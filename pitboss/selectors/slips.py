"""How a slip stands: its steps, its lines, and what the screen says about them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from pitboss.models import FloorException, Signature, Slip
from pitboss.rules.cheques.cheques import format_money, ordered
from pitboss.rules.cheques.keys import worth_of
from pitboss.rules.flows.book import FLOWS
from pitboss.rules.flows.flows import SlipStatus, Step, Track, due_steps
from pitboss.rules.flows.reading import readers_of
from pitboss.rules.people.one_pin import FOLLOWS
from pitboss.rules.roles import Role
from pitboss.slips.kind import kind_named
from pitboss.slips.plan import Plan, PlannedStep

# More than these would make a paragraph of a button.
_ROLES_ON_A_BUTTON = 2


def step_title(kind: str, step: str) -> str:
    """Return what a step of a kind of slip is called once it is signed.

    Slips of an earlier release may have steps that their kind has no more.
    """
    declared = FLOWS[kind].step_named(step) if kind in FLOWS else None
    return declared.done if declared else step


def to_do(kind: str, step: str) -> str:
    """Return what is asked of the person a step waits for: “Top-sign”."""
    declared = FLOWS[kind].step_named(step) if kind in FLOWS else None
    return declared.do if declared else step


def signed_of(signatures: Sequence[Signature]) -> dict[tuple[str, str], int]:
    """Return who signed which step."""
    return {(signature.track, signature.step): signature.person_id for signature in signatures}


def due_step(slip: Slip) -> PlannedStep | None:
    """Return the step that a slip waits for, or None when it waits for no one."""
    if slip.status != SlipStatus.OPEN.value:
        return None
    return Plan(slip.plan).due(signed_of(list(slip.signatures.all())))


def _due_names(slip: Slip) -> frozenset[str]:
    """Return the names of the steps that a slip waits for: mostly one."""
    if slip.status != SlipStatus.OPEN.value:
        return frozenset()
    due = due_steps(slip.plan, signed_of(list(slip.signatures.all())))
    return frozenset(step["name"] for step in due)


def role_words(step: Step | PlannedStep) -> str:
    """Return whose signature a step is, as said: “security officer or pit manager”."""
    by = step.roles if isinstance(step, Step) else step.by
    return " or ".join(role.label for role in by)


def sign_words(roles: Sequence[Role], do: str = "") -> str:
    """Return what the button of a signature says: whose it is if those are few, else what is done.

    >>> sign_words([Role.SUPERVISOR, Role.CASHIER])
    'Sign as supervisor or cashier'
    >>> sign_words([Role.SUPERVISOR, Role.PIT_MANAGER, Role.CASHIER])
    'Sign'
    """
    if len(roles) > _ROLES_ON_A_BUTTON:
        return do or "Sign"
    return f"Sign as {' or '.join(role.label for role in roles)}"


def by_tap(signature: Signature) -> str:
    """Return what stands beside a name that was signed by a tap after a PIN; nothing otherwise."""
    return ", by tap after own PIN" if FOLLOWS in signature.facts else ""


def steps_of(slip: Slip) -> list[dict[str, Any]]:
    """Return the steps of a slip as a stepper shows them, those that it did not need included."""
    signatures = list(slip.signatures.all())
    by_step = {(item.track, item.step): item for item in signatures}
    planned = {step.name: step for step in Plan(slip.plan).steps(Track.MAIN)}
    due, now = due_step(slip), _due_names(slip)
    # A count that differed stops the slip only while the table still has to agree on it.
    is_stopped = (
        due is not None
        and due.counts
        and FloorException.objects.filter(
            slip=slip, code="count_differs", resolved_at=None
        ).exists()
    )
    steps = []
    untold = FLOWS[slip.kind].untold_steps(by_step.keys())
    # One name may stand for alternatives, of which a slip has one: the plan says whose it is.
    for step in {step.name: step for step in FLOWS[slip.kind].steps}.values():
        is_unneeded = step.name not in planned and not FLOWS[slip.kind].shows_unneeded
        if step.name in untold or is_unneeded:
            continue
        signature = by_step.get((Track.MAIN.value, step.name))
        state, who = "next", role_words(planned.get(step.name, step))
        if signature is not None:
            state, who = "done", f"{signature.signed_as}{by_tap(signature)}"
        elif step.name not in planned:
            state, who = "skipped", "not needed"
        elif step.name in now:
            state = "stopped" if is_stopped else "now"
            who = "count doesn’t match" if is_stopped else who
        elif slip.status != SlipStatus.OPEN.value:
            state, who = "skipped", slip.status
        steps.append(
            {
                "title": step_title(slip.kind, step.name),
                "state": state,
                "who": who,
                "at": signature.signed_at if signature else None,
            }
        )
    steps.extend(
        {
            "title": step_title(slip.kind, item.step),
            "state": "done",
            "who": f"{item.signed_as}{by_tap(item)}{f': {item.reason}' if item.reason else ''}",
            "at": item.signed_at,
        }
        for item in signatures
        if item.track != Track.MAIN.value
    )
    return steps


def lines_of(
    slip: Slip, counted: dict[int, int] | None = None, colours: Iterable[int] = ()
) -> list[dict[str, Any]]:
    """Return the lines of a slip, highest first, with what was counted where that differs.

    Of `colours` there is a line even when the slip has none of them: an empty tube was counted too.
    """
    cheques = slip.cheques_by_cents
    return [
        {
            "cents": cents,
            "count": cheques.get(cents, 0),
            "amount_cents": worth_of(cents) * cheques.get(cents, 0),
            "counted": counted.get(cents, 0)
            if counted is not None and counted.get(cents, 0) != cheques.get(cents, 0)
            else None,
        }
        for cents in ordered(cheques.keys() | (counted or {}).keys() | set(colours))
    ]


def told_of(slip: Slip) -> dict[str, Any] | None:
    """Return what a slip tells besides what every slip tells."""
    kind = kind_named(slip.kind)
    return kind.tells(slip) if kind is not None and kind.tells is not None else None


def heading_of(slip: Slip) -> str:
    """Return what a slip is called on a screen: “Fill $6,700”, or “Drop box” without cheques."""
    if "about" in slip.details:
        return f"{slip.title}: {slip.details['about']}"
    if not slip.total_cents:
        return slip.title
    return f"{slip.title} {format_money(slip.total_cents)}"


def headline_of(slip: Slip) -> str:
    """Return what a slip is called in a list that more people see than read it: no patron's name.

    What a slip says of a patron stands on its own page, for those who read that kind.
    """
    readers = readers_of(slip.kind)
    if readers is None or readers.names_patron:
        return f"{slip.title} {format_money(slip.total_cents)}" if slip.total_cents else slip.title
    return heading_of(slip)


def says_of(slip: Slip) -> list[dict[str, str]]:
    """Return what a slip about no cheques says, line by line, as it stands in ink."""
    return [{"name": name, "value": value} for name, value in slip.details.get("says", [])]
