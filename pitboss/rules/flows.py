"""Flows: who signs a slip, in which order, where and on what condition.

A flow is declared once, as data. When a slip is raised its flow is resolved into a plan, the steps
this very slip needs, which is stored with it: a later change of the flow changes no old slip.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum, unique
from typing import Any

from pitboss.rules.cheques import BY_CENTS, difference, needs_top_sign
from pitboss.rules.refusal import Refusal
from pitboss.rules.roles import Place, Role, may_act_as, roles_that_may_act_as

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
class Step:
    """One signature: whose, where, and what it attests."""

    name: str
    by: Role | tuple[Role, ...]
    at: Place | None
    attests: str
    when: str | None = None
    # The signer counts by denomination and must agree with the slip, line by line.
    counts: bool = False
    # The signer counts what is there; a difference is recorded, not refused.
    records: bool = False
    # The one step whose signer may sign this one as well. Otherwise nobody signs twice.
    may_repeat: str | None = None
    # The step whose signer must sign this one as well, since they carry the cheques.
    same_as: str | None = None
    # The step whose signer must be standing there, badge shown, when this one is signed.
    in_presence_of: str | None = None
    then: str | None = None
    # From here on cheques are under way: a void is no longer possible.
    dispatches: bool = False
    needs_reason: bool = False

    @property
    def roles(self) -> tuple[Role, ...]:
        return self.by if isinstance(self.by, tuple) else (self.by,)

    def as_plan(self, track: Track) -> dict[str, Any]:
        """Return the step as it is stored with a slip; a database trigger reads it too."""
        return {
            "track": track.value,
            "name": self.name,
            "by": [role.value for role in self.roles],
            "roles": [r.value for role in self.roles for r in roles_that_may_act_as(role)],
            "at": self.at.value if self.at else None,
            "attests": self.attests,
            "counts": self.counts,
            "records": self.records,
            "may_repeat": self.may_repeat,
            "same_as": self.same_as,
            "in_presence_of": self.in_presence_of,
            "then": self.then,
            "dispatches": self.dispatches,
            "needs_reason": self.needs_reason,
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

    def plan(self, cheques: Mapping[int, int]) -> list[dict[str, Any]]:
        """Return the steps that a slip with these cheques needs."""
        main = [step for step in self.steps if step.when is None or CONDITIONS[step.when](cheques)]
        return [
            *(step.as_plan(Track.MAIN) for step in main),
            *(step.as_plan(Track.VOID) for step in self.void),
            *(step.as_plan(Track.RELIEF) for step in self.relief),
        ]


CONDITIONS: Mapping[str, Callable[[Mapping[int, int]], bool]] = {
    "holds_cheques_of_5000_or_more": needs_top_sign,
}

_VOIDED_AT_THE_CAGE = (
    Step(
        "voided",
        by=Role.CASHIER,
        at=Place.CAGE,
        attests="This slip is void. No cheques left the cage on it.",
        needs_reason=True,
        may_repeat="issued",
    ),
    Step(
        "void_witnessed",
        by=(Role.SECURITY, Role.SURVEILLANCE, Role.PIT_MANAGER, Role.CAGE_MANAGER),
        at=None,
        attests="I had no part in this slip and saw it voided.",
        then="slip_voided",
    ),
)

_CARRIER_RELIEVED = (
    Step(
        "relieved",
        by=Role.SHIFT_MANAGER,
        at=None,
        attests="The officer who carries these cheques cannot go on. Another takes over.",
        needs_reason=True,
    ),
    Step(
        TAKEN_OVER,
        by=Role.SECURITY,
        at=None,
        attests="I counted the cheques and carry them from here.",
        counts=True,
    ),
)

FILL = Flow(
    kind="fill",
    title="Fill",
    series="F",
    steps=(
        Step(
            "requested",
            by=Role.SUPERVISOR,
            at=Place.PIT,
            attests="This table needs these cheques.",
        ),
        Step(
            "top_signed",
            by=Role.PIT_MANAGER,
            at=None,
            when="holds_cheques_of_5000_or_more",
            attests="I approve a fill with cheques of $5,000 or more.",
        ),
        Step(
            "issued",
            by=Role.CASHIER,
            at=Place.CAGE,
            attests="I prepared these cheques as the slip says.",
        ),
        Step(
            "carried",
            by=Role.SECURITY,
            at=Place.CAGE,
            attests="I compared request, slip and cheques, and carry them to the table.",
            then="cheques_to_carrier",
            dispatches=True,
        ),
        Step(
            "agreed",
            by=Role.DEALER,
            at=Place.PIT,
            attests="I counted every line with the supervisor and agree.",
            counts=True,
            in_presence_of="carried",
        ),
        Step(
            "received",
            by=Role.SUPERVISOR,
            at=Place.PIT,
            may_repeat="requested",
            attests="I verified every line. Duplicate dropped, original to security.",
            then="cheques_into_tray",
        ),
    ),
    void=_VOIDED_AT_THE_CAGE,
    relief=_CARRIER_RELIEVED,
)

FILL_RETURN = Flow(
    kind="fill_return",
    title="Return of a fill",
    series="R",
    steps=(
        Step(
            "sent_back",
            by=Role.SUPERVISOR,
            at=Place.PIT,
            attests="This fill is wrong. Nothing entered the tray; it goes back as it came.",
            needs_reason=True,
            then="fill_sent_back",
        ),
        Step(
            "carried_back",
            by=Role.SECURITY,
            at=Place.PIT,
            same_as="original:carried",
            attests="I carry back all the cheques I brought.",
        ),
        Step(
            "counted_in",
            by=Role.CASHIER,
            at=Place.CAGE,
            records=True,
            attests="I counted the cheques that came back.",
            then="cheques_back_to_cage",
        ),
    ),
    relief=_CARRIER_RELIEVED,
)

FLOWS: Mapping[str, Flow] = {flow.kind: flow for flow in (FILL, FILL_RETURN)}


@dataclass(frozen=True, slots=True)
class SignFacts:
    """Everything that decides whether one person may sign one step of one slip."""

    plan: Sequence[Mapping[str, Any]]
    track: str
    step: str
    status: SlipStatus
    # (track, step) -> who signed it; steps of the slip this one refers to under "original:<step>".
    signed: Mapping[tuple[str, str], int]
    signer_id: int
    signer_role: Role
    signer_name: str
    signer_may_work: bool
    licence_ends: date | None
    gaming_day: date
    device_place: Place | None
    device_pit_id: int | None
    slip_pit_id: int | None
    shown_is_current: bool
    cheques: Mapping[int, int]
    counted: Mapping[int, int] | None
    present_id: int | None
    reason: str
    names: Mapping[int, str]


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


def sign_refusals(facts: SignFacts) -> list[Refusal]:
    """Return every reason why this person may not sign this step now; none allows it."""
    step = next(
        (s for s in facts.plan if s["track"] == facts.track and s["name"] == facts.step), None
    )
    if step is None:
        return [Refusal("unknown_step", f"This slip has no step “{facts.step}”.")]
    return [
        *_person_refusals(facts, step),
        *_place_refusals(facts, step),
        *_order_refusals(facts, step),
        *_same_hands_refusals(facts, step),
        *_content_refusals(facts, step),
    ]


def _person_refusals(facts: SignFacts, step: Mapping[str, Any]) -> list[Refusal]:
    refusals = []
    roles = [Role(value) for value in step["by"]]
    if facts.signer_role == Role.ADMINISTRATOR:
        refusals.append(
            Refusal("administrators_sign_nothing", "An administrator signs no slip of the floor.")
        )
    elif not any(may_act_as(facts.signer_role, role) for role in roles):
        wanted = " or ".join(role.label for role in roles)
        refusals.append(
            Refusal(
                "wrong_role",
                f"{facts.signer_name} works as {facts.signer_role.label}. "
                f"This signature is for a {wanted}.",
            )
        )
    if not facts.signer_may_work:
        refusals.append(
            Refusal("not_employed", f"{facts.signer_name} no longer works here and signs nothing.")
        )
    if facts.licence_ends is not None and facts.gaming_day > facts.licence_ends:
        refusals.append(
            Refusal(
                "licence_expired",
                f"The licence of {facts.signer_name} ended on {facts.licence_ends:%d %b %Y}. "
                "Call the shift manager.",
            )
        )
    return refusals


def _place_refusals(facts: SignFacts, step: Mapping[str, Any]) -> list[Refusal]:
    if facts.device_place is None:
        return [
            Refusal("unknown_device", "This device is not enrolled. A manager can enrol it here.")
        ]
    if step["at"] is not None and facts.device_place != step["at"]:
        return [
            Refusal(
                "wrong_place",
                f"This is signed on a device of the {step['at']}, "
                f"and this one belongs to the {facts.device_place.value}.",
            )
        ]
    at_the_pit = facts.device_place == Place.PIT and facts.device_pit_id is not None
    if at_the_pit and facts.slip_pit_id not in (None, facts.device_pit_id):
        return [Refusal("wrong_pit", "This slip is of another pit. Sign it on a tablet there.")]
    return []


def _order_refusals(facts: SignFacts, step: Mapping[str, Any]) -> list[Refusal]:
    refusals = []
    if (facts.track, facts.step) in facts.signed:
        signer = facts.names.get(facts.signed[facts.track, facts.step], "Someone")
        refusals.append(Refusal("already_signed", f"{signer} has already signed this step."))
    elif facts.status != SlipStatus.OPEN:
        refusals.append(
            Refusal(
                "slip_closed", f"This slip is {facts.status.value}. Nothing more is signed on it."
            )
        )
    else:
        on_main = facts.track == Track.MAIN
        due = (
            due_step(facts.plan, facts.signed)
            if on_main
            else next_step(facts.plan, facts.signed, facts.track)
        )
        if due is not None and due["name"] != facts.step:
            wanted = " or ".join(Role(value).label for value in due["by"])
            refusals.append(Refusal("out_of_order", f"The {wanted} signs first."))
    dispatched = is_dispatched(facts.plan, facts.signed)
    if facts.track == Track.VOID and dispatched:
        refusals.append(
            Refusal(
                "already_dispatched",
                "The cheques have left the cage, so this slip cannot be voided. Send them back.",
            )
        )
    # What comes back is carried from the first; a fill that replaces another is not.
    carried = dispatched or any(_is_of_the_original(each["same_as"]) for each in facts.plan)
    if facts.track == Track.RELIEF and not carried:
        refusals.append(Refusal("nobody_to_relieve", "Nobody carries these cheques yet."))
    if not facts.shown_is_current:
        refusals.append(
            Refusal(
                "stale_screen",
                "This slip has changed since it was shown. Look at it again, then sign.",
            )
        )
    return refusals


def _is_of_the_original(step: str | None) -> bool:
    return step is not None and step.startswith("original:")


def carrier_of(signed: Mapping[tuple[str, str], int], step: str) -> int | None:
    """Return who carries the cheques: the last to take them over, else who signed that step.

    >>> carrier_of({("original", "carried"): 6, ("original", "taken_over"): 7}, "original:carried")
    7
    """
    track, _, name = step.rpartition(":")
    hands = [(Track.RELIEF.value, TAKEN_OVER), (track or Track.MAIN.value, name)]
    if track:
        hands.insert(1, (track, TAKEN_OVER))
    return next((signed[hand] for hand in hands if hand in signed), None)


def _same_hands_refusals(facts: SignFacts, step: Mapping[str, Any]) -> list[Refusal]:
    """Four eyes: nobody twice, and the cheques stay in the hands they were given to."""
    refusals = []
    own = {
        name
        for (track, name), person_id in facts.signed.items()
        if person_id == facts.signer_id and track != "original" and name != facts.step
    }
    may_have_signed = {step["may_repeat"]}
    if step["same_as"] is not None:
        # Whoever took the cheques over is the one who must sign, and so has signed before.
        may_have_signed |= {step["same_as"], TAKEN_OVER}
    if own - may_have_signed:
        refusals.append(
            Refusal(
                "signed_before",
                f"{facts.signer_name} has signed this slip. This step needs another person.",
            )
        )
    if step["same_as"] is not None:
        must_be = carrier_of(facts.signed, step["same_as"])
        if must_be != facts.signer_id:
            name = facts.names.get(must_be or 0, "The same officer")
            refusals.append(
                Refusal("other_officer", f"{name} carries these cheques and must sign this step.")
            )
    if step["in_presence_of"] is not None:
        must_be = carrier_of(facts.signed, step["in_presence_of"])
        if facts.present_id is None:
            refusals.append(
                Refusal("officer_missing", "Scan the badge of the officer who brought the cheques.")
            )
        elif must_be != facts.present_id:
            name = facts.names.get(must_be or 0, "Another officer")
            refusals.append(
                Refusal("other_officer", f"{name} carries these cheques, not the badge shown.")
            )
    return refusals


def _content_refusals(facts: SignFacts, step: Mapping[str, Any]) -> list[Refusal]:
    refusals = []
    if (step["counts"] or step["records"]) and facts.counted is None:
        refusals.append(Refusal("count_missing", "Count every denomination before signing."))
    if step["counts"] and facts.counted is not None:
        refusals.extend(count_refusals(facts.cheques, facts.counted))
    if step["needs_reason"] and not facts.reason.strip():
        refusals.append(Refusal("reason_missing", "Give the reason in a few words."))
    if len(facts.reason) > REASON_MAX:
        refusals.append(Refusal("reason_too_long", f"Keep the reason under {REASON_MAX} signs."))
    return refusals


def count_refusals(slip: Mapping[int, int], counted: Mapping[int, int]) -> list[Refusal]:
    """Return a refusal for each denomination that differs. An equal total is not enough.

    >>> for refusal in count_refusals({2500: 100}, {2500: 80, 10000: 5}):
    ...     print(refusal.message)
    Count differs: $100 black. Slip says 0, you counted 5.
    Count differs: $25 green. Slip says 100, you counted 80.
    """
    return [
        Refusal(
            "count_differs",
            f"Count differs: {BY_CENTS[cents].name}. "
            f"Slip says {slip.get(cents, 0)}, you counted {counted.get(cents, 0)}.",
        )
        for cents in sorted(difference(slip, counted), reverse=True)
    ]
