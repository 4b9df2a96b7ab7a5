"""Flows: who signs a slip, in which order, where and on what condition.

A flow is declared once, as data. When a slip is raised its flow is resolved into a plan, the steps
this very slip needs, which is stored with it: a later change of the flow changes no old slip.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum, unique
from typing import Any

from pitboss.rules.cheques.cheques import TOP_SIGN_FROM_CENTS, needs_top_sign
from pitboss.rules.floor.urgency import Urgency
from pitboss.rules.people.proofs import Proved
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
    """Where a slip stands. Only open slips can be signed; the last four are final."""

    OPEN = "open"
    RETURNING = "returning"
    DONE = "done"
    VOIDED = "voided"
    RETURNED = "returned"
    # A win that the house keeps apart, by a receipt that two have signed.
    WITHHELD = "withheld"


@dataclass(frozen=True, slots=True)
class PlanFacts:
    """What decides which steps a slip needs, when it is raised."""

    cheques: Mapping[int, int]
    # From which cheque on the pit manager signs, and whether its cheques are counted blind.
    top_sign_from_cents: int = TOP_SIGN_FROM_CENTS
    agrees_blind: bool = False
    # A tray that was counted differs from its last count, and someone signs that first.
    differs: bool = False
    # Who reports on that, by the rules of the property's jurisdiction.
    reported_by: Collection[Role] = ()
    # What else the service of a kind of slip says of it, in words that its own flow knows.
    marks: frozenset[str] = frozenset()
    # A marker asks for more than what remains of its patron's line.
    over_line: bool = False


def holds_high_cheques(facts: PlanFacts) -> bool:
    """Tell whether the pit manager top-signs (manual, "Fills" 4, "Credits" 5)."""
    return needs_top_sign(facts.cheques, facts.top_sign_from_cents)


@dataclass(frozen=True, slots=True)
class Need:
    """Why a step is this person's, and the setting that made it so, where one did."""

    sentence: str
    setting: str = ""


# Why no one does it alone.
BY_ANOTHER = Need("This needs approval from someone other than the person who proposed it.")
BY_THE_UNINVOLVED = Need("Someone who wasn’t involved must confirm this. Check it yourself.")


@dataclass(frozen=True, slots=True)
class NeedFacts:
    """What the reason for a step may go by: the slip, and the house's top-sign amount."""

    cheques: Mapping[int, int]
    details: Mapping[str, Any]
    top_sign_from_cents: int = TOP_SIGN_FROM_CENTS


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
    # The step, or steps, whose signer may sign this one as well. Otherwise no one signs twice.
    may_repeat: str | tuple[str, ...] | None = None
    # The step whose signer must sign this one as well, since they carry the cheques.
    same_as: str | None = None
    # The step whose signer must be standing there, badge shown, when this one is signed.
    in_presence_of: str | None = None
    then: str | None = None
    # From here on cheques are under way: a void is no longer possible.
    dispatches: bool = False
    needs_reason: bool = False
    # Someone who does not work here signs by hand, and the signer matches them with their ID.
    drawn: bool = False
    # What else the signer answers: see `asks`.
    asks: tuple[str, ...] = ()
    # The steps before it that it need not wait for: both are waited for at once.
    beside: tuple[str, ...] = ()
    # What is said of it once it is signed, and what is asked of the person it waits for.
    done: str = ""
    do: str = ""
    # Why it needs just this person.
    why: Need | Callable[[NeedFacts], Need] | None = None
    reason_label: str = "Reason"

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
            "beside": list(self.beside),
        }


def void_witnessed(
    by: Role | tuple[Role, ...],
    *,
    attests: str = "I certify that I took no other part in this slip "
    "and witnessed it being voided.",
    then: str = "slip_voided",
) -> Step:
    """Return the last step of a void: someone who had no part in the slip saw it voided."""
    return Step(
        "void_witnessed",
        done="Void witnessed",
        do="Witness the void",
        by=by,
        at=None,
        why=Need("A void needs two signatures. One is done."),
        attests=attests,
        then=then,
    )


@dataclass(frozen=True, slots=True)
class Readers:
    """Who reads one kind of slip."""

    roles: frozenset[Role]
    # Devices of these places read it by their token alone.
    places: frozenset[Place] = frozenset()
    # So does the terminal of the slip's own table.
    at_terminal: bool = False
    # It names a patron: what it is about is told to no one else, in no list.
    names_patron: bool = False


@dataclass(frozen=True, slots=True)
class Promise:
    """The fewest people and departments that finish a slip."""

    people: int
    departments: int
    # Only for slips whose plan has this step; of several that fit, the last one holds.
    having: str = ""


@dataclass(frozen=True, slots=True)
class SentBack:
    """How a slip's cheques go back while they are under way, and what is said of it then."""

    # The kind of slip on which they go.
    by: str
    # The steps at which it can still be sent back: someone else has the cheques to count.
    while_due: frozenset[str]
    nothing: str
    can_replace: str
    replace_label: str


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
    # Until this step is signed no one is told which steps a slip needs: that would tell what a
    # blind count has found.
    blind_until: str | None = None
    # Whether a stepper shows the steps that a slip does not need; not where they are alternatives.
    shows_unneeded: bool = True
    # It was done on paper and is entered afterwards: its details say what it was, and when.
    is_late: bool = False
    # It sends cheques to a tray, or hands them to a patron: only such as are in play.
    ships: bool = False
    # It changes what the house goes by: a report lists it with what was before.
    is_change: bool = False
    # It changes the house or its people: a PIN that others set lately is not proof enough for it.
    changes_house: bool = False
    # How soon it is answered beside all else that waits.
    urgency: Urgency = Urgency.SLIP
    # What it is to sign it, where the house may ask for a passkey besides.
    proves: Proved | None = None
    # Who reads it, how many finish it, and how its cheques go back.
    readers: Readers | None = None
    promises: tuple[Promise, ...] = ()
    sent_back: SentBack | None = None

    def step_named(self, name: str) -> Step | None:
        """Return a step by its name, of whichever track; none where the flow has it no more."""
        every = (*self.steps, *self.void, *self.relief)
        return next((step for step in every if step.name == name), None)

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


def open_steps(
    plan: Sequence[Mapping[str, Any]], signed: Mapping[tuple[str, str], int], track: str
) -> list[Mapping[str, Any]]:
    """Return the steps that a track waits for: the next one, and those that may be beside it.

    >>> plan = [{"track": "main", "name": "seen"}, {"track": "main", "name": "let_go",
    ...          "beside": ["seen"]}, {"track": "main", "name": "paid"}]
    >>> [step["name"] for step in open_steps(plan, {}, "main")]
    ['seen', 'let_go']
    >>> [step["name"] for step in open_steps(plan, {("main", "let_go"): 7}, "main")]
    ['seen']
    """
    found = []
    unsigned: list[str] = []
    for step in track_steps(plan, track):
        if (track, step["name"]) in signed:
            continue
        # Slips of an earlier release have steps that say nothing of others beside them.
        if set(unsigned) <= set(step.get("beside", ())):
            found.append(step)
        unsigned.append(step["name"])
    return found


def next_step(
    plan: Sequence[Mapping[str, Any]], signed: Mapping[tuple[str, str], int], track: str
) -> Mapping[str, Any] | None:
    """Return the step that a track waits for, or None when all have signed."""
    return next(iter(open_steps(plan, signed, track)), None)


def due_steps(
    plan: Sequence[Mapping[str, Any]], signed: Mapping[tuple[str, str], int]
) -> list[Mapping[str, Any]]:
    """Return the steps that an open slip waits for: mostly one.

    A way out that was begun comes before the main track: once a cashier has signed that a slip is
    void, nothing may leave on it, and an officer who was relieved hands over before anything else.
    """
    for track in (Track.VOID, Track.RELIEF):
        if any(item == track for item, _ in signed):
            due = open_steps(plan, signed, track)
            if due:
                return due
    return open_steps(plan, signed, Track.MAIN)


def due_step(
    plan: Sequence[Mapping[str, Any]], signed: Mapping[tuple[str, str], int]
) -> Mapping[str, Any] | None:
    """Return the first step that an open slip waits for."""
    return next(iter(due_steps(plan, signed)), None)


def is_dispatched(plan: Sequence[Mapping[str, Any]], signed: Mapping[tuple[str, str], int]) -> bool:
    """Tell whether cheques have left on this slip."""
    return any(step["dispatches"] and (step["track"], step["name"]) in signed for step in plan)


def is_yet_to_leave(
    plan: Sequence[Mapping[str, Any]], signed: Mapping[tuple[str, str], int]
) -> bool:
    """Tell whether cheques will leave on this slip that have not left."""
    return any(step["dispatches"] for step in plan) and not is_dispatched(plan, signed)
