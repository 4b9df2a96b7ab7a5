"""Which steps a jackpot needs, and what its signatures say of it: released, held, pending."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from pitboss.rules.flows.flows import PlanFacts, SlipStatus, Track

# What jackpots, and another review of one, are called wherever slips are told apart.
JACKPOT: Final = "jackpot"
JACKPOT_REVIEW: Final = "jackpot_review"
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
