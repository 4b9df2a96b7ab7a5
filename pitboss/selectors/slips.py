"""How a slip stands: its steps, its lines, and what the screen says about them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from pitboss.models import FloorException, Signature, Slip
from pitboss.rules import flows
from pitboss.rules.cheques import format_money, ordered
from pitboss.rules.flow_book import FLOWS
from pitboss.rules.flows import SlipStatus, Track, track_steps
from pitboss.rules.roles import Role

# More than these would make a paragraph of a button.
_ROLES_ON_A_BUTTON = 2

TITLES = {
    "counted": "Counted",
    "verified": "Verified",
    "accepted": "Variance accepted",
    "security_reported": "Security reported",
    "surveillance_reported": "Surveillance reported",
    "locked": "Locked",
    "taken_on": "Taken on",
    "released": "Dealer released",
    "counted_again": "Counted again",
    "requested": "Requested",
    "top_signed": "Top-signed",
    "issued": "Issued",
    "carried": "Carried",
    "agreed": "Agreed",
    "received": "Received",
    "proved": "Proved",
    "acknowledged": "Acknowledged",
    "matched": "Matched",
    "recounted": "Recounted",
    "taken_in": "Taken in",
    "destroyed": "Destroyed",
    "sent_back": "Sent back",
    "carried_back": "Carried back",
    "counted_in": "Counted in",
    "proposed": "Proposed",
    "put_out": "Put out",
    "confirmed": "Confirmed",
    "taken_back": "Taken back",
    "refused": "Refused",
    "voided": "Voided",
    "void_witnessed": "Void witnessed",
    "relieved": "Officer relieved",
    "taken_over": "Taken over",
    "pulled": "Pulled",
    "witnessed": "Witnessed",
    "posted": "Posted",
    "keyed": "Keyed late",
    "approved": "Approved",
    "taken_out": "Taken out",
    "put_back": "Put back",
    "brought": "Brought",
    "inspected": "Inspected",
    "replaced": "Replaced",
    "bag_signed": "Bag signed",
    "cancelled": "Cancelled",
    "bagged": "Bagged",
    "collected": "Collected",
    "held": "Held",
    "let_go": "Let go",
    "waived": "Waived",
    "entered": "Entered",
    "phone_confirmed": "Confirmed by phone",
    "jackpot_released": "Released",
    "pending_cleared": "Released by a supervisor",
    "paid": "Paid",
    "rejected": "Rejected",
    "reject_agreed": "Rejection agreed",
    "held_witnessed": "Hold witnessed",
    "reviewed_again": "Reviewed again",
    "handed_over": "Handed over",
    "day_taken_on": "Day taken on",
    "shift_taken_on": "Shift taken on",
    "authorised": "Authorised",
    "patron_signed": "Patron signed",
    "dealer_signed": "Dealer signed",
    "payment_received": "Payment received",
    "payment_verified": "Payment verified",
    "sent_to_cage": "Sent to the cage",
    "taken_by_cage": "Taken by the cage",
    "sent_to_pit": "Sent to the pit",
    "taken_by_pit": "Taken by the pit",
    "credit_stopped": "Credit stopped",
    "papers_prepared": "Papers prepared",
    "treatment_decided": "Treatment decided",
    "winner_signed": "Winner signed",
    "papers_voided": "Papers voided",
    "void_agreed": "Void agreed",
}


# What is asked of whoever it waits for: a slip that waits to be top-signed is not top-signed.
TO_DO = {
    "counted": "Count",
    "verified": "Verify",
    "accepted": "Accept the variance",
    "security_reported": "Report",
    "surveillance_reported": "Report",
    "locked": "Lock",
    "taken_on": "Take on",
    "released": "Let the dealer go",
    "counted_again": "Count again",
    "requested": "Ask",
    "top_signed": "Top-sign",
    "issued": "Issue",
    "carried": "Carry",
    "agreed": "Agree",
    "received": "Receive",
    "proved": "Prove",
    "acknowledged": "Acknowledge",
    "matched": "Match",
    "recounted": "Recount",
    "taken_in": "Take in",
    "destroyed": "Destroy",
    "sent_back": "Send back",
    "carried_back": "Carry back",
    "counted_in": "Count in",
    "proposed": "Propose",
    "put_out": "Put out",
    "confirmed": "Confirm",
    "taken_back": "Take back",
    "refused": "Refuse",
    "voided": "Void",
    "void_witnessed": "Witness the void",
    "relieved": "Relieve the officer",
    "taken_over": "Take over",
    "pulled": "Pull",
    "witnessed": "Witness",
    "posted": "Post",
    "keyed": "Key late",
    "approved": "Approve",
    "taken_out": "Take out",
    "put_back": "Put back",
    "brought": "Bring",
    "inspected": "Inspect",
    "replaced": "Replace",
    "bag_signed": "Sign the bag",
    "cancelled": "Cancel",
    "bagged": "Bag",
    "collected": "Collect",
    "held": "Hold",
    "let_go": "Let go",
    "waived": "Waive",
    "entered": "Enter",
    "phone_confirmed": "Confirm by phone",
    "jackpot_released": "Release",
    "pending_cleared": "Release",
    "paid": "Pay",
    "rejected": "Reject",
    "reject_agreed": "Agree to reject",
    "held_witnessed": "Witness the hold",
    "reviewed_again": "Review again",
    "handed_over": "Hand over",
    "day_taken_on": "Take the day on",
    "shift_taken_on": "Take the shift on",
    "authorised": "Authorise",
    "patron_signed": "Patron signs",
    "dealer_signed": "Dealer signs",
    "payment_received": "Receive",
    "payment_verified": "Verify",
    "sent_to_cage": "Send to the cage",
    "taken_by_cage": "Take in",
    "sent_to_pit": "Send to the pit",
    "taken_by_pit": "Take in",
    "credit_stopped": "Stop credit",
    "papers_prepared": "Prepare papers",
    "treatment_decided": "Decide",
    "winner_signed": "Winner signs",
    "papers_voided": "Void the papers",
    "void_agreed": "Agree to void",
}


def signed_of(signatures: Sequence[Signature]) -> dict[tuple[str, str], int]:
    """Return who signed which step."""
    return {(each.track, each.step): each.person_id for each in signatures}


def due_step(slip: Slip) -> dict[str, Any] | None:
    """Return the step that a slip waits for, or None when it waits for nobody."""
    if slip.status != SlipStatus.OPEN.value:
        return None
    due = flows.due_step(slip.plan, signed_of(list(slip.signatures.all())))
    return dict(due) if due is not None else None


def role_words(step: Mapping[str, Any]) -> str:
    """Return whose signature a step is, as said: “security officer or pit manager”."""
    return " or ".join(Role(value).label for value in step["by"])


def sign_words(roles: Sequence[Role]) -> str:
    """Return what the button of a signature says: whose it is, while those are few.

    >>> sign_words([Role.SUPERVISOR, Role.CASHIER])
    'Sign as supervisor or cashier'
    >>> sign_words([Role.SUPERVISOR, Role.PIT_MANAGER, Role.CASHIER])
    'Sign'
    """
    if len(roles) > _ROLES_ON_A_BUTTON:
        return "Sign"
    return f"Sign as {' or '.join(role.label for role in roles)}"


def steps_of(slip: Slip) -> list[dict[str, Any]]:
    """Return the steps of a slip as a stepper shows them, those that it did not need included."""
    signatures = list(slip.signatures.all())
    by_step = {(each.track, each.step): each for each in signatures}
    planned = {step["name"]: step for step in track_steps(slip.plan, Track.MAIN)}
    due = due_step(slip)
    # A count that differed stops the slip only while the table still has to agree on it.
    is_stopped = (
        due is not None
        and due["counts"]
        and FloorException.objects.filter(
            slip=slip, code="count_differs", resolved_at=None
        ).exists()
    )
    steps = []
    untold = FLOWS[slip.kind].untold_steps(by_step.keys())
    for step in FLOWS[slip.kind].steps:
        is_unneeded = step.name not in planned and not FLOWS[slip.kind].shows_unneeded
        if step.name in untold or is_unneeded:
            continue
        signature = by_step.get((Track.MAIN.value, step.name))
        state, who = "next", " or ".join(role.label for role in step.roles)
        if signature is not None:
            state, who = "done", str(signature.signed_as)
        elif step.name not in planned:
            state, who = "skipped", "not needed"
        elif due is not None and due["name"] == step.name:
            state = "stopped" if is_stopped else "now"
            who = "count differs" if is_stopped else who
        elif slip.status != SlipStatus.OPEN.value:
            state, who = "skipped", slip.status
        steps.append(
            {
                "title": TITLES[step.name],
                "state": state,
                "who": who,
                "at": signature.signed_at if signature else None,
            }
        )
    steps.extend(
        {
            "title": TITLES[each.step],
            "state": "done",
            "who": f"{each.signed_as}: {each.reason}" if each.reason else each.signed_as,
            "at": each.signed_at,
        }
        for each in signatures
        if each.track != Track.MAIN.value
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
            "amount_cents": cents * cheques.get(cents, 0),
            "counted": counted.get(cents, 0)
            if counted is not None and counted.get(cents, 0) != cheques.get(cents, 0)
            else None,
        }
        for cents in ordered(cheques.keys() | (counted or {}).keys() | set(colours))
    ]


# What a kind of slip tells besides its cheques and signatures, registered by its app: what a
# template of its own shows, or nothing yet.
Told = Callable[[Slip], dict[str, Any] | None]
_TOLD_WITH: dict[str, Told] = {}


def told_with(*kinds: str) -> Callable[[Told], Told]:
    """Register what some kinds of slip tell besides what every slip tells."""

    def register(function: Told) -> Told:
        for kind in kinds:
            assert kind not in _TOLD_WITH, f"{kind} tells two things"
            _TOLD_WITH[kind] = function
        return function

    return register


def told_of(slip: Slip) -> dict[str, Any] | None:
    """Return what a slip tells besides what every slip tells."""
    tell = _TOLD_WITH.get(slip.kind)
    return tell(slip) if tell else None


def heading_of(slip: Slip) -> str:
    """Return what a slip is called on a screen: “Fill $6,700”, or “Drop box” without cheques."""
    if "about" in slip.details:
        return f"{slip.title}: {slip.details['about']}"
    if not slip.total_cents:
        return slip.title
    return f"{slip.title} {format_money(slip.total_cents)}"


def says_of(slip: Slip) -> list[dict[str, str]]:
    """Return what a slip about no cheques says, line by line, as it stands in ink."""
    return [{"name": name, "value": value} for name, value in slip.details.get("says", [])]
