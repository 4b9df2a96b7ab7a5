"""Read the hands of a split pair."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from pitboss.rules.cards.playing_cards import Card
from pitboss.rules.facts import hand as read_hand
from pitboss.rules.quoting import quoted
from pitboss.rules.refusal import Refusal, Refused, refuse
from pitboss.rules.wagers.main_game import PlayerHand


def by_value(one: Card, other: Card) -> bool:
    """Say whether two cards count the same, so that king and queen may be split."""
    return one.value == other.value


def by_rank(one: Card, other: Card) -> bool:
    """Say whether two cards bear the same number or letter."""
    return one.order == other.order


def read_split(
    value: object,
    player: tuple[Card, ...],
    *,
    is_pair: Callable[[Card, Card], bool],
    hands_max: int,
    aces_hands_max: int,
    aces_take_one_card: bool,
    double_field: str,
    no_double: object,
) -> list[tuple[PlayerHand, Any]]:
    """Return the hands of a split, left to right, each with what its double field says.

    Every hand must begin with one of the pair, and the two cards first dealt must be among those.
    """
    if len(player) != 2 or not is_pair(*player):
        raise refuse("split_not_pair", "Only a pair can be split. Enter the first two cards.")
    if not isinstance(value, list | tuple) or not 2 <= len(value) <= hands_max:
        raise refuse("bad_split_hands", f"split_hands must list 2 to {hands_max} hands.")
    hands: list[tuple[PlayerHand, Any]] = []
    for entry in value:
        if not isinstance(entry, Mapping) or "cards" not in entry:
            raise refuse("bad_split_hands", "Each split hand must give its cards.")
        for name in entry:
            if name not in ("cards", double_field):
                raise refuse(
                    "unknown_field",
                    f"A split hand has no use for {quoted(name)}. Use: cards, {double_field}.",
                )
        cards = read_hand(entry["cards"], "cards of a split hand")
        double = entry.get(double_field, no_double)
        if not cards or not is_pair(cards[0], player[0]):
            raise refuse(
                "split_hand_without_pair",
                "Each split hand begins with one of the pair. Check the cards.",
            )
        hands.append((PlayerHand(cards, is_doubled=bool(double), is_split=True), double))
    first_cards = Counter(hand.cards[0] for hand, _ in hands)
    if Counter(player) - first_cards:
        raise refuse(
            "split_hand_without_pair",
            "The two cards first dealt must begin two of the hands. Check the cards.",
        )
    if player[0].is_ace:
        if len(hands) > aces_hands_max:
            message = "Aces are split once, into two hands. Check the hands."
            raise refuse("aces_split_again", message)
        if aces_take_one_card and any(hand.is_doubled or len(hand.cards) > 2 for hand, _ in hands):
            raise Refused([split_ace_drew()])
    return hands


def split_ace_drew() -> Refusal:
    """Say that a split ace was hit or doubled."""
    return Refusal(
        "split_ace_drew", "A split ace takes one card only, and no double. Check the cards."
    )
