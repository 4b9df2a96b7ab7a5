"""Flows: who signs a slip, in which order, where and on what condition.

A flow is declared once, as data. When a slip is raised its flow is resolved into a plan, the steps
this very slip needs, which is stored with it: a later change of the flow changes no old slip.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum, unique
from typing import Any

from pitboss.rules.cheques import TOP_SIGN_FROM_CENTS
from pitboss.rules.roles import Place, Role, roles_that_may_act_as

REASON_MAX = 500
# The step with which another officer takes cheques over; a database trigger knows it by this name.
TAKEN_OVER = "taken_over"


@unique
class Track(StrEnum):
    """A slip's signatures run on tracks: its main one, and the ways out of it."""

    MAIN = "main"
    VOID = "void"
    RELIEF = "relief"


@unique
class SlipStatus(StrEnum):
    """Where a slip stands. Only open slips can be signed; the last three are final."""

    OPEN = "open"
    RETURNING = "returning"
    DONE = "done"
    VOIDED = "voided"
    RETURNED = "returned"


@dataclass(frozen=True, slots=True)
class PlanFacts:
    """What decides which steps a slip needs, when it is raised."""

    cheques: Mapping[int, int]
    # From which cheque on the pit manager signs, and whether a dealer counts a fill blind.
    top_sign_from_cents: int = TOP_SIGN_FROM_CENTS
    agrees_blind: bool = False
    # A tray that was counted holds another number of some cheque than it should.
    differs: bool = False
    # Who reports on that, by the rules of the property's jurisdiction.
    reported_by: Collection[Role] = ()
    # What else the service of a kind of slip says of it, in words that its own flow knows.
    marks: frozenset[str] = frozenset()
    # A marker asks for more than what remains of its patron's line.
    over_line: bool = False


@dataclass(frozen=True, slots=True)
class Step:
    """One signature: whose, where, and what it attests."""

    name: str
    by: Role | tuple[Role, ...]
    at: Place | None
    attests: str
    # Whether a slip needs this step at all; always, unless told.
    when: Callable[[PlanFacts], bool] | None = None
    # The signer counts by denomination and must agree with the slip, line by line.
    counts: bool = False
    # Where the house says so, the signer keys that count without being shown the slip's.
    may_be_blind: bool = False
    # The signer counts what is there; a difference is recorded, not refused.
    records: bool = False
    # The signer keys every figure of the slip again, unseen, and must find the same.
    figures: bool = False
    # The step, or steps, whose signer may sign this one as well. Otherwise nobody signs twice.
    may_repeat: str | tuple[str, ...] | None = None
    # The step whose signer must sign this one as well, since they carry the cheques.
    same_as: str | None = None
    # The step whose signer must be standing there, badge shown, when this one is signed.
    in_presence_of: str | None = None
    then: str | None = None
    # From here on cheques are under way: a void is no longer possible.
    dispatches: bool = False
    needs_reason: bool = False
    # Somebody who does not work here signs by hand, and the signer matches them with their ID.
    drawn: bool = False
    # What else the signer answers: see `asks`.
    asks: tuple[str, ...] = ()

    @property
    def roles(self) -> tuple[Role, ...]:
        return self.by if isinstance(self.by, tuple) else (self.by,)

    def as_plan(self, track: Track, *, agrees_blind: bool = False) -> dict[str, Any]:
        """Return the step as it is stored with a slip; a database trigger reads it too."""
        repeated = self.may_repeat
        return {
            "track": track.value,
            "name": self.name,
            "by": [role.value for role in self.roles],
            "roles": [r.value for role in self.roles for r in roles_that_may_act_as(role)],
            "at": self.at.value if self.at else None,
            "attests": self.attests,
            "counts": self.counts,
            "blind": self.may_be_blind and agrees_blind,
            "records": self.records,
            "figures": self.figures,
            "may_repeat": list(repeated) if isinstance(repeated, tuple) else repeated,
            "same_as": self.same_as,
            "in_presence_of": self.in_presence_of,
            "then": self.then,
            "dispatches": self.dispatches,
            "needs_reason": self.needs_reason,
            "drawn": self.drawn,
            "asks": list(self.asks),
        }


@dataclass(frozen=True, slots=True)
class Flow:
    """The life of one kind of slip."""

    kind: str
    title: str
    series: str
    steps: tuple[Step, ...]
    void: tuple[Step, ...] = ()
    relief: tuple[Step, ...] = ()
    # What happens when all have signed, whichever step turns out to be the last.
    at_end: str | None = None
    # Whose journal a slip about no table is written in.
    desk: str = "cage"
    # Until this step is signed nobody is told which steps a slip needs: that would tell what a
    # blind count has found.
    blind_until: str | None = None
    # Whether a stepper shows the steps that a slip does not need; not where they are alternatives.
    shows_unneeded: bool = True

    def untold_steps(self, signed: Collection[tuple[str, str]]) -> frozenset[str]:
        """Return the steps of which a slip does not say yet whether it needs them."""
        if self.blind_until is None or (Track.MAIN.value, self.blind_until) in signed:
            return frozenset()
        return frozenset(step.name for step in self.steps if step.when is not None)

    def plan(self, facts: PlanFacts) -> list[dict[str, Any]]:
        """Return the steps that a slip with these facts needs."""
        main = [
            step.as_plan(Track.MAIN, agrees_blind=facts.agrees_blind)
            for step in self.steps
            if step.when is None or step.when(facts)
        ]
        if self.at_end is not None:
            main[-1]["then"] = self.at_end
        return [
            *main,
            *(step.as_plan(Track.VOID) for step in self.void),
            *(step.as_plan(Track.RELIEF) for step in self.relief),
        ]


def repeatable(step: Mapping[str, Any]) -> frozenset[str]:
    """Return the steps whose signer may sign this one as well.

    >>> sorted(repeatable({"may_repeat": ["issued", "patron_signed"]}))
    ['issued', 'patron_signed']
    >>> repeatable({"may_repeat": None}), repeatable({"may_repeat": "issued"})
    (frozenset(), frozenset({'issued'}))
    """
    repeated = step["may_repeat"] or ()
    return frozenset([repeated] if isinstance(repeated, str) else repeated)


def track_steps(plan: Sequence[Mapping[str, Any]], track: str) -> list[Mapping[str, Any]]:
    """Return the planned steps of one track, in order."""
    return [step for step in plan if step["track"] == track]


def next_step(
    plan: Sequence[Mapping[str, Any]], signed: Mapping[tuple[str, str], int], track: str
) -> Mapping[str, Any] | None:
    """Return the step that a track waits for, or None when all have signed."""
    return next((s for s in track_steps(plan, track) if (track, s["name"]) not in signed), None)


def due_step(
    plan: Sequence[Mapping[str, Any]], signed: Mapping[tuple[str, str], int]
) -> Mapping[str, Any] | None:
    """Return the one step that an open slip waits for.

    A way out that was begun comes before the main track: once a cashier has signed that a slip is
    void, nothing may leave on it, and an officer who was relieved hands over before anything else.
    """
    for track in (Track.VOID, Track.RELIEF):
        if any(each == track for each, _ in signed):
            due = next_step(plan, signed, track)
            if due is not None:
                return due
    return next_step(plan, signed, Track.MAIN)


def is_dispatched(plan: Sequence[Mapping[str, Any]], signed: Mapping[tuple[str, str], int]) -> bool:
    """Tell whether cheques have left on this slip."""
    return any(step["dispatches"] and (step["track"], step["name"]) in signed for step in plan)
