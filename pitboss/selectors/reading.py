"""Whose signature a slip waits for, for those who read it only while it waits for them."""

from __future__ import annotations

from pitboss.models import Slip, Waiting
from pitboss.rules.flows.reading import StepAsked
from pitboss.rules.roles import Place, Role, roles_that_may_act_as
from pitboss.selectors.waiting import waiting_now


def asked_of(slip: Slip, pit_id: int | None) -> StepAsked | None:
    """Return whom a slip waits for, as seen from a device of a pit or of none; no one, else."""
    wait = waiting_now().filter(slip=slip).first()
    return asked_by(wait, pit_id) if wait is not None else None


def asked_by(wait: Waiting, pit_id: int | None) -> StepAsked:
    """Return whom one waiting step asks, as seen from a device of a pit or of none."""
    # A step of the pit is signed in the slip's own pit.
    is_elsewhere = wait.place == Place.PIT.value and pit_id not in (None, wait.pit_id)
    named = [Role(item) for item in wait.by]
    return StepAsked(
        roles=frozenset()
        if is_elsewhere
        else frozenset(role for item in named for role in roles_that_may_act_as(item)),
        place=Place(wait.place) if wait.place else None,
        told=frozenset(Role(item) for item in wait.escalated_to),
    )
