"""The flow of a jackpot: entered at once, verified, confirmed, released, paid.

The way out is a rejection by two people, which gives the meter back what it lost. A winner who
cannot be paid lets the jackpot be held by two people: the round ends, and it stays owed. (Manual,
Blazing 7's, jackpot and supervisor procedures.)
"""

from __future__ import annotations

from collections.abc import Collection

from pitboss.rules.flows import Flow, PlanFacts, SlipStatus, Step, Track
from pitboss.rules.roles import Place, Role

# What a service says of a jackpot about to be entered.
TAKES_METER = "takes_meter"
BY_PHONE = "by_phone"
# When a jackpot lets its round end, as the house had it when the hit was entered.
ENDS_ROUND = "ends_round"
CONFIRMS = ("confirmed", "phone_confirmed")
RELEASES = ("jackpot_released", "pending_cleared")
Signed = Collection[tuple[str, str]]


def takes_meter(facts: PlanFacts) -> bool:
    """Tell whether the hit takes a part of a meter, which another than the verifier releases."""
    return TAKES_METER in facts.marks


def is_fixed(facts: PlanFacts) -> bool:
    """Tell whether the hit pays an award that does not hang on a meter."""
    return TAKES_METER not in facts.marks


def confirmed_by_phone(facts: PlanFacts) -> bool:
    """Tell whether surveillance confirms by phone, as a house may choose."""
    return BY_PHONE in facts.marks


def confirmed_on_screen(facts: PlanFacts) -> bool:
    """Tell whether surveillance signs its confirmation itself."""
    return BY_PHONE not in facts.marks


JACKPOT = Flow(
    kind="jackpot",
    title="Jackpot",
    series="J",
    shows_unneeded=False,
    steps=(
        Step(
            "entered",
            by=Role.DEALER,
            at=Place.PIT,
            attests="This seat holds this hand, and its bet lay there before the deal.",
            then="jackpot_entered",
        ),
        Step(
            "verified",
            by=Role.SUPERVISOR,
            at=Place.PIT,
            attests="I saw the cards: the entry is right. Surveillance and the shift manager know.",
        ),
        Step(
            "confirmed",
            by=Role.SURVEILLANCE,
            at=Place.SURVEILLANCE,
            when=confirmed_on_screen,
            asks=("review",),
            attests="I reviewed the recording: bet, deal and hand are as entered.",
        ),
        Step(
            "phone_confirmed",
            by=Role.SHIFT_MANAGER,
            at=None,
            when=confirmed_by_phone,
            asks=("officer", "review"),
            attests="Surveillance confirmed this to me by phone after reviewing the recording.",
        ),
        Step(
            "jackpot_released",
            by=Role.SHIFT_MANAGER,
            at=None,
            when=takes_meter,
            may_repeat="phone_confirmed",
            attests="I release this jackpot for payment. I did not verify it.",
            then="jackpot_released",
        ),
        Step(
            "pending_cleared",
            by=Role.SUPERVISOR,
            at=None,
            when=is_fixed,
            may_repeat=("verified", "phone_confirmed"),
            attests="I release this award for payment.",
            then="jackpot_released",
        ),
        Step(
            "paid",
            by=(Role.SUPERVISOR, Role.CASHIER),
            at=None,
            may_repeat=("verified", "phone_confirmed", "jackpot_released", "pending_cleared"),
            asks=("source",),
            attests="I saw the winner paid this amount.",
            then="jackpot_paid",
        ),
    ),
    void=(
        Step(
            "rejected",
            by=(Role.SUPERVISOR, Role.SURVEILLANCE),
            at=None,
            may_repeat=("verified", "confirmed"),
            needs_reason=True,
            attests="This is no such jackpot. Nothing is paid on it.",
        ),
        Step(
            "reject_agreed",
            by=(Role.PIT_MANAGER, Role.SURVEILLANCE),
            at=None,
            attests="I looked into the reason. The meter gets back what it lost.",
            then="jackpot_rejected",
        ),
    ),
    relief=(
        Step(
            "held",
            by=Role.SHIFT_MANAGER,
            at=None,
            may_repeat=("phone_confirmed", "jackpot_released", "pending_cleared"),
            needs_reason=True,
            asks=("held_for",),
            attests="The winner cannot be paid now. The round may end; the house still owes this.",
            then="jackpot_hold_begun",
        ),
        Step(
            "held_witnessed",
            by=(Role.SECURITY, Role.SURVEILLANCE, Role.PIT_MANAGER),
            at=None,
            attests="I know why this jackpot is held.",
        ),
    ),
)

JACKPOT_REVIEW = Flow(
    kind="jackpot_review",
    title="Review of a jackpot",
    series="JR",
    steps=(
        Step(
            "reviewed_again",
            by=(Role.SURVEILLANCE, Role.SHIFT_MANAGER),
            at=None,
            asks=("officer", "review"),
            attests="The recording was reviewed again: bet, deal and hand are as entered.",
        ),
    ),
)


def is_released(signed: Signed) -> bool:
    """Tell whether a jackpot was released: its figure is final."""
    return any((Track.MAIN.value, step) in signed for step in RELEASES)


def is_held(signed: Signed) -> bool:
    """Tell whether two people hold a jackpot for a winner who cannot be paid."""
    return (Track.RELIEF.value, "held_witnessed") in signed


def is_pending(status: SlipStatus, signed: Signed, ends_round: str) -> bool:
    """Tell whether a jackpot still holds its table's round open.

    >>> released = {("main", "jackpot_released"): 8}
    >>> [is_pending(SlipStatus.OPEN, released, when) for when in ("paid", "released")]
    [True, False]
    """
    if status is not SlipStatus.OPEN or is_held(signed):
        return False
    return not (ends_round == "released" and is_released(signed))
