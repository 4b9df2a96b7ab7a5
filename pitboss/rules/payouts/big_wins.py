"""Big wins: who signs one, when its round goes on, and which of them are one wager to the tax law.

A big win is a payout without a meter that needs a slip. What it is stands in its check: odds and
amount decide who confirms and who releases it, by the settings of the house.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from pitboss.rules.flows.flows import PlanFacts, SlipStatus
from pitboss.rules.payouts.jackpot_flows import BY_PHONE, CONFIRMS, is_held
from pitboss.rules.payouts.levels import Level
from pitboss.rules.refusal import CONFLICT, Refusal

BIG_WIN: Final = "big_win"
# What a service says of a big win about to be entered.
REVIEWED: Final = "reviewed"
TO_RELEASE: Final = "to_release"
Signed = Collection[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class BigWinTerms:
    """From which odds and amounts others than the supervisor look at a big win."""

    long_odds_from: int = 300
    review_from_cents: int = 2_500_000
    release_from_cents: int = 1_000_000
    id_from_cents: int = 1_000_000
    # When the round goes on: verified, confirmed or paid.
    ends_round: str = "verified"
    by_phone: bool = False


def marks_of(amount_cents: int, wager_cents: int, terms: BigWinTerms) -> frozenset[str]:
    """Return what decides who signs a big win, ante and raise being one wager.

    >>> sorted(marks_of(3_000_000, 6_000, BigWinTerms())), sorted(
    ...     marks_of(1_350_000, 5_000, BigWinTerms()))
    (['reviewed', 'to_release'], ['to_release'])
    """
    marks = set()
    if amount_cents >= min(terms.review_from_cents, terms.long_odds_from * wager_cents):
        marks.add(REVIEWED)
        if terms.by_phone:
            marks.add(BY_PHONE)
    if amount_cents >= terms.release_from_cents:
        marks.add(TO_RELEASE)
    return frozenset(marks)


def reviewed_on_screen(facts: PlanFacts) -> bool:
    """Tell whether surveillance signs on its own screen."""
    return REVIEWED in facts.marks and BY_PHONE not in facts.marks


def reviewed_by_phone(facts: PlanFacts) -> bool:
    """Tell whether surveillance confirms by phone, and a shift manager records it."""
    return REVIEWED in facts.marks and BY_PHONE in facts.marks


def is_to_release(facts: PlanFacts) -> bool:
    """Tell whether a pit manager releases it."""
    return TO_RELEASE in facts.marks


def holds_round(
    status: SlipStatus, plan: Sequence[Mapping[str, Any]], signed: Signed, ends_round: str
) -> bool:
    """Tell whether a big win still holds its table's round open.

    What no one has to confirm lets the round go on once it is verified.
    """
    if status is not SlipStatus.OPEN or is_held(signed):
        return False
    if ends_round == "paid":
        return True
    needed = ["verified"]
    if ends_round == "confirmed":
        needed += [step["name"] for step in plan if step["name"] in CONFIRMS]
    return any(("main", name) not in signed for name in needed)


def check_refusals(answer: Mapping[str, Any], *, is_confirmed: bool) -> list[Refusal]:
    """Return why a check cannot be entered as a big win."""
    refusals = []
    level = answer.get("level")
    if level == Level.JACKPOT.value:
        refusals.append(Refusal("is_a_jackpot", "This hand is a jackpot. Enter it as a jackpot."))
    elif level != Level.BIG_WIN.value:
        refusals.append(
            Refusal("no_big_win", "This payout isn’t a big win. Pay it as the check says.")
        )
    if is_confirmed:
        refusals.append(
            Refusal(
                "already_confirmed",
                "This payout was confirmed as paid. Call the supervisor.",
                CONFLICT,
            )
        )
    return refusals
