"""May this person sign this step of this slip now? Every reason why not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from pitboss.rules.cheques.cheques import BY_CENTS, difference
from pitboss.rules.flows.asks import answer_refusals
from pitboss.rules.flows.book import house_kinds
from pitboss.rules.flows.flows import (
    REASON_MAX,
    TAKEN_OVER,
    SlipStatus,
    Track,
    due_steps,
    is_dispatched,
    open_steps,
    repeatable,
)
from pitboss.rules.flows.fresh_pins import fresh_amount_refusals, fresh_power_refusal
from pitboss.rules.flows.limits import own_limit_refusals
from pitboss.rules.refusal import CONFLICT, NOT_YOURS, Refusal
from pitboss.rules.roles import Place, Role, may_act_as
from pitboss.rules.said import Said


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
    # A tray that was counted has given or taken cheques since.
    tray_moved: bool = False
    # The slip's figures by line, and what the signer keyed of them.
    figures: Mapping[str, int] = field(default_factory=dict)
    figures_keyed: Mapping[str, int] | None = None
    # The table whose closer the signer has signed while its tray is not yet locked.
    held_at: str = ""
    # Another table at which the signer deals now.
    deals_at: str = ""
    # The signer would verify the work of a table at which they dealt this shift themselves.
    dealt_here: bool = False
    # The signer only acts as shift manager, and this is left to one.
    barred_as_acting: bool = False
    # A table's terminal signs at its own table alone.
    device_table_id: int | None = None
    slip_table_id: int | None = None
    # What the slip is limited as, its worth, and how much the signer may sign for in one such slip.
    kind: str = ""
    total_cents: int = 0
    own_limit_cents: int | None = None
    # What the slip is about at most, and what the signer's PIN signs for if others set it lately.
    worth_cents: int = 0
    fresh_limit_cents: int | None = None
    # Someone from outside signed by hand, and was matched with an ID on file.
    has_drawing: bool = False
    id_matched: bool = False
    # What the signer answered to what the step asks.
    said: Mapping[str, str] = field(default_factory=dict)


def planned_step(
    plan: Sequence[Mapping[str, Any]], track: str, name: str
) -> Mapping[str, Any] | None:
    """Return a step of a slip's plan by its name, or None when the slip has no such step."""
    return next((step for step in plan if (step["track"], step["name"]) == (track, name)), None)


def is_of_a_dealer(plan: Sequence[Mapping[str, Any]], track: str, name: str) -> bool:
    """Tell whether a step is for a dealer: only those ask where the signer deals or is held."""
    step = planned_step(plan, track, name)
    return step is not None and Role.DEALER.value in step["by"]


def sign_refusals(facts: SignFacts) -> list[Refusal]:
    """Return every reason why this person may not sign this step now; none allows it."""
    step = planned_step(facts.plan, facts.track, facts.step)
    if step is None:
        return [
            Refusal(
                "unknown_step",
                Said("This slip has no step “{step}”. Reload the page.", step=facts.step),
            )
        ]
    return [
        *_person_refusals(facts, step),
        *_place_refusals(facts, step),
        *_order_refusals(facts, step),
        *_same_hands_refusals(facts, step),
        *_tray_refusals(facts),
        *_limit_refusals(facts),
        *_fresh_pin_refusals(facts),
        *_content_refusals(facts, step),
    ]


def _one_of(roles: Sequence[Role]) -> Said:
    """Return which roles may sign, in words."""
    first, *others = (Said(role.label) for role in roles)
    for other in others:
        first = Said("{first} or {other}", first=first, other=other)
    return first


def _person_refusals(facts: SignFacts, step: Mapping[str, Any]) -> list[Refusal]:
    refusals = []
    roles = [Role(value) for value in step["by"]]
    if facts.signer_role == Role.ADMINISTRATOR:
        refusals.append(
            Refusal(
                "administrators_sign_nothing",
                "Administrators can’t sign floor slips. Ask someone else to sign.",
                NOT_YOURS,
            )
        )
    elif not any(may_act_as(facts.signer_role, role) for role in roles):
        wanted = _one_of(roles)
        refusals.append(
            Refusal(
                "wrong_role",
                Said(
                    "{signer} is signed in as {role}. This step needs: {wanted}.",
                    signer=facts.signer_name,
                    role=Said(facts.signer_role.label),
                    wanted=wanted,
                ),
                NOT_YOURS,
            )
        )
    if facts.dealt_here:
        refusals.append(
            Refusal(
                "dealt_here",
                Said(
                    "{signer} dealt at this table this shift and can’t verify it. "
                    "Ask another supervisor.",
                    signer=facts.signer_name,
                ),
                NOT_YOURS,
            )
        )
    if facts.barred_as_acting:
        refusals.append(
            Refusal(
                "acting_manager",
                "An acting shift manager can’t change settings, limits, or people. "
                "Leave it pending for a shift manager.",
                NOT_YOURS,
            )
        )
    if not facts.signer_may_work:
        refusals.append(
            Refusal(
                "not_employed",
                Said(
                    "{signer} no longer works here and can’t sign. Ask someone else to sign.",
                    signer=facts.signer_name,
                ),
                NOT_YOURS,
            )
        )
    if facts.licence_ends is not None and facts.gaming_day > facts.licence_ends:
        refusals.append(
            Refusal(
                "licence_expired",
                Said(
                    "{signer}’s license expired on {expired_on}. Call the shift manager.",
                    signer=facts.signer_name,
                    expired_on=facts.licence_ends,
                ),
                NOT_YOURS,
            )
        )
    return refusals


def _place_refusals(facts: SignFacts, step: Mapping[str, Any]) -> list[Refusal]:
    if facts.device_place is None:
        return [
            Refusal(
                "unknown_device",
                "This device isn’t enrolled. A manager can enroll it here.",
                NOT_YOURS,
            )
        ]
    if step["at"] is not None and facts.device_place != step["at"]:
        return [
            Refusal(
                "wrong_place",
                Said(
                    "This step is signed at the {place}. This device belongs to the {other_place}.",
                    place=Said(str(step["at"])),
                    other_place=Said(facts.device_place.value),
                ),
                NOT_YOURS,
            )
        ]
    at_the_pit = facts.device_place == Place.PIT and facts.device_pit_id is not None
    if at_the_pit and facts.slip_pit_id not in (None, facts.device_pit_id):
        return [
            Refusal(
                "wrong_pit",
                "This slip belongs to another pit. Sign it on a tablet there.",
                NOT_YOURS,
            )
        ]
    if facts.device_table_id not in (None, facts.slip_table_id):
        return [
            Refusal(
                "wrong_table",
                "This terminal is assigned to another table. Sign at that table.",
                NOT_YOURS,
            )
        ]
    return []


def _order_refusals(facts: SignFacts, step: Mapping[str, Any]) -> list[Refusal]:
    refusals = []
    if (facts.track, facts.step) in facts.signed:
        signer = facts.names.get(facts.signed[facts.track, facts.step], "Someone")
        refusals.append(
            Refusal(
                "already_signed",
                Said("{signer} has already signed this step. Reload the page.", signer=signer),
                CONFLICT,
            )
        )
    elif facts.status != SlipStatus.OPEN:
        refusals.append(
            Refusal(
                "slip_closed",
                Said(
                    "This slip is {status}. It can’t be signed.",
                    status=Said(facts.status.value),
                ),
                CONFLICT,
            )
        )
    else:
        on_main = facts.track == Track.MAIN
        due = (
            due_steps(facts.plan, facts.signed)
            if on_main
            else open_steps(facts.plan, facts.signed, facts.track)
        )
        if due and all(fields["name"] != facts.step for fields in due):
            wanted = _one_of([Role(value) for value in due[0]["by"]])
            refusals.append(
                Refusal(
                    "out_of_order", Said("The {wanted} has to sign first.", wanted=wanted), CONFLICT
                )
            )
    dispatched = is_dispatched(facts.plan, facts.signed)
    if facts.track == Track.VOID and dispatched:
        refusals.append(
            Refusal(
                "already_dispatched",
                "The cheques are already on the way, so this slip can’t be voided. "
                "Send them back instead."
                if relieves_a_carrier(facts.plan)
                else "It was counted out, so this slip cannot be rejected. Pay the winner.",
                CONFLICT,
            )
        )
    # What comes back is carried from the first; a fill that replaces another is not.
    carried = dispatched or any(_is_of_the_original(fields["same_as"]) for fields in facts.plan)
    if facts.track == Track.RELIEF and relieves_a_carrier(facts.plan) and not carried:
        refusals.append(
            Refusal(
                "nobody_to_relieve",
                "No officer is carrying these cheques yet. Wait for security.",
                CONFLICT,
            )
        )
    if not facts.shown_is_current:
        refusals.append(
            Refusal(
                "stale_screen",
                "This slip changed while you had it open. Review it, then sign.",
                CONFLICT,
            )
        )
    return refusals


def relieves_a_carrier(plan: Sequence[Mapping[str, Any]]) -> bool:
    """Tell whether the relief of a slip takes cheques over; a closer's lets its dealer go."""
    return any(step["name"] == TAKEN_OVER for step in plan)


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
    """Four eyes: no one twice, and the cheques stay in the hands they were given to."""
    refusals = []
    own = {
        name
        for (track, name), person_id in facts.signed.items()
        if person_id == facts.signer_id and track != "original" and name != facts.step
    }
    may_have_signed = set(repeatable(step))
    if step["same_as"] is not None:
        # The person who took the cheques over is the one who must sign, and so has signed before.
        may_have_signed |= {step["same_as"], TAKEN_OVER}
    if own - may_have_signed:
        refusals.append(
            Refusal(
                "signed_before",
                Said(
                    "{signer} has signed this slip. Someone else must sign this step.",
                    signer=facts.signer_name,
                ),
                CONFLICT,
            )
        )
    if step["same_as"] is not None:
        must_be = carrier_of(facts.signed, step["same_as"])
        if must_be != facts.signer_id:
            name = facts.names.get(must_be or 0, "The same officer")
            refusals.append(
                Refusal(
                    "other_officer",
                    Said("{name} is carrying these cheques and must sign this step.", name=name),
                    CONFLICT,
                )
            )
    if step["in_presence_of"] is not None:
        must_be = carrier_of(facts.signed, step["in_presence_of"])
        if facts.present_id is None:
            refusals.append(
                Refusal("officer_missing", "Scan the badge of the officer who carried the cheques.")
            )
        elif must_be != facts.present_id:
            name = facts.names.get(must_be or 0, "Another officer")
            refusals.append(
                Refusal(
                    "other_officer",
                    Said(
                        "{name} is carrying these cheques. The badge scanned belongs to "
                        "someone else.",
                        name=name,
                    ),
                    CONFLICT,
                )
            )
    return refusals


def _tray_refusals(facts: SignFacts) -> list[Refusal]:
    """A count holds for the tray it saw, and a dealer signs at the table where they deal.

    Who signed a closer deals there until its tray is locked.
    """
    refusals = []
    if facts.tray_moved and facts.track == Track.MAIN:
        refusals.append(
            Refusal(
                "tray_moved",
                "Cheques moved since this count began. Void the count, then count again.",
                CONFLICT,
            )
        )
    if not is_of_a_dealer(facts.plan, facts.track, facts.step):
        return refusals
    if facts.held_at:
        refusals.append(
            Refusal(
                "dealer_held",
                Said(
                    "{signer} signed the closer of {held_at} and its tray is not locked. "
                    "Lock the tray first.",
                    signer=facts.signer_name,
                    held_at=facts.held_at,
                ),
                CONFLICT,
            )
        )
    elif facts.deals_at:
        refusals.append(
            Refusal(
                "dealer_elsewhere",
                Said(
                    "{signer} is tapped in at {deals_at}. The dealer at this table must sign. "
                    "If that’s you, tap in here first.",
                    signer=facts.signer_name,
                    deals_at=facts.deals_at,
                ),
            )
        )
    return refusals


def _limit_refusals(facts: SignFacts) -> list[Refusal]:
    """No one signs for more than they may; what is under way already must be able to arrive."""
    if facts.track != Track.MAIN or is_dispatched(facts.plan, facts.signed):
        return []
    return own_limit_refusals(
        facts.signer_name, facts.kind, facts.own_limit_cents, facts.total_cents
    )


def _fresh_pin_refusals(facts: SignFacts) -> list[Refusal]:
    """On every way a slip may go: a PIN that others set lately is not proof enough for it."""
    if facts.fresh_limit_cents is not None and facts.kind in house_kinds():
        return [fresh_power_refusal(facts.signer_name)]
    return fresh_amount_refusals(facts.signer_name, facts.fresh_limit_cents, facts.worth_cents)


def _content_refusals(facts: SignFacts, step: Mapping[str, Any]) -> list[Refusal]:
    refusals = []
    if (step["counts"] or step["records"]) and facts.counted is None:
        refusals.append(Refusal("count_missing", "Count every denomination before signing."))
    if step["counts"] and facts.counted is not None:
        # Slips of an earlier release have steps that say nothing of being blind.
        tells = not step.get("blind")
        refusals.extend(count_refusals(facts.cheques, facts.counted, tells_the_slip=tells))
    if step["figures"] and facts.figures_keyed is None:
        refusals.append(Refusal("figures_missing", "Enter every amount before you sign."))
    if step["figures"] and facts.figures_keyed is not None:
        refusals.extend(figure_refusals(facts.figures, facts.figures_keyed))
    # Slips of an earlier release have steps that say nothing of drawings.
    if step.get("drawn") and not facts.has_drawing:
        refusals.append(
            Refusal("drawing_missing", "The patron hasn’t signed. Hand them the tablet.")
        )
    if step.get("drawn") and not facts.id_matched:
        refusals.append(
            Refusal(
                "id_not_matched",
                "Compare the patron’s face and signature "
                "with an ID on file, then confirm they match.",
            )
        )
    if step["needs_reason"] and not facts.reason.strip():
        refusals.append(Refusal("reason_missing", "Enter a reason."))
    # Slips of an earlier release have steps that ask nothing.
    refusals.extend(answer_refusals(step.get("asks", ()), facts.said))
    if len(facts.reason) > REASON_MAX:
        refusals.append(
            Refusal(
                "reason_too_long",
                Said(
                    "Reason is too long. Use {reason_max} characters or fewer.",
                    reason_max=REASON_MAX,
                ),
            )
        )
    return refusals


def figure_refusals(slip: Mapping[str, int], keyed: Mapping[str, int]) -> list[Refusal]:
    """Return a refusal for each line that differs. It names the line, never the other's figure.

    >>> [r.message for r in figure_refusals({"coupons": 500, "cash_100": 0}, {"coupons": 400})]
    ['The counts don’t match: coupons. Count again together.']
    """
    return [
        Refusal(
            "figures_differ",
            Said(
                "The counts don’t match: {line}. Count again together.",
                line=line.replace("_", " "),
            ),
            CONFLICT,
        )
        for line in sorted(slip.keys() | keyed.keys())
        if slip.get(line, 0) != keyed.get(line, 0)
    ]


def count_refusals(
    slip: Mapping[int, int], counted: Mapping[int, int], *, tells_the_slip: bool = True
) -> list[Refusal]:
    """Return a refusal for each denomination that differs. An equal total is not enough.

    Who counts on their own is told which denomination it is, and not what the slip says.

    >>> for refusal in count_refusals({2500: 100}, {2500: 80, 10000: 5}):
    ...     print(refusal.message)
    Count doesn’t match: $100 black. Slip says 0, you counted 5.
    Count doesn’t match: $25 green. Slip says 100, you counted 80.
    >>> count_refusals({2500: 100}, {2500: 80}, tells_the_slip=False)[0].message
    'Count doesn’t match: $25 green. Count it again together.'
    """
    return [
        _count_refusal(cents, slip.get(cents, 0), counted.get(cents, 0), tells_the_slip)
        for cents in sorted(difference(slip, counted), reverse=True)
    ]


def _count_refusal(cents: int, on_slip: int, counted: int, tells_the_slip: bool) -> Refusal:
    cheque = Said(BY_CENTS[cents].name)
    if tells_the_slip:
        return Refusal(
            "count_differs",
            Said(
                "Count doesn’t match: {cheque}. Slip says {on_slip}, you counted {counted}.",
                cheque=cheque,
                on_slip=on_slip,
                counted=counted,
            ),
            CONFLICT,
        )
    return Refusal(
        "count_differs",
        Said("Count doesn’t match: {cheque}. Count it again together.", cheque=cheque),
        CONFLICT,
    )
