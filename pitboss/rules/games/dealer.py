"""The dealer's own hand: when it must draw, when it must stand, and whether it was played so."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pitboss.rules.cards.playing_cards import Card, hand_total, total_words
from pitboss.rules.refusal import refuse
from pitboss.rules.said import Said

HIT: Final = "hit"
STAND: Final = "stand"
SOFT_17: Final = (HIT, STAND)


def must_draw(total: int, soft: bool, soft_17: str | None) -> bool:
    """Say whether the dealer's rules demand a card. Without a known rule a soft 17 may stand."""
    return total <= 16 or (total == 17 and soft and soft_17 == HIT)


def check_not_overdrawn(dealer: Sequence[Card], soft_17: str | None) -> None:
    """Refuse a hand that drew although it had to stand.

    >>> from pitboss.rules.cards.playing_cards import cards
    >>> check_not_overdrawn(cards(["4d", "7c", "6h", "5d"]), None)
    Traceback (most recent call last):
    pitboss.rules.refusal.Refused: The dealer drew on 17 and had to stand. Call the supervisor.
    """
    for drawn in range(2, len(dealer)):
        total, soft = hand_total(dealer[:drawn])
        may_draw = total <= 16 or (total == 17 and soft and soft_17 != STAND)
        if not may_draw:
            raise refuse(
                "dealer_drew_too_far",
                Said(
                    "The dealer drew on {total} and had to stand. Call the supervisor.",
                    total=total_words(dealer[:drawn]),
                ),
            )


def check_finished(dealer: Sequence[Card], soft_17: str | None) -> None:
    """Refuse a hand that is not played out as the dealer's rules demand."""
    if len(dealer) < 2:
        raise refuse(
            "missing_dealer_cards", "Enter the dealer's whole hand: this wager depends on it."
        )
    check_not_overdrawn(dealer, soft_17)
    total, soft = hand_total(dealer)
    if must_draw(total, soft, soft_17):
        raise refuse(
            "dealer_not_finished",
            Said(
                "The dealer stopped on {total} and must draw. Play the hand out.",
                total=total_words(dealer),
            ),
        )
