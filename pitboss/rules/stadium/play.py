"""Playing a stadium hand: decisions answer the terminal's questions, community cards are drawn.

The left hand is finished before the next gets its second card, and the dealer has what is left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from pitboss.rules.cards.playing_cards import Card, hand_total, is_blackjack
from pitboss.rules.refusal import Refusal, Refused, refuse
from pitboss.rules.stadium.selected import StadiumRules

DECISIONS: Final = ("hit", "stand", "double", "split", "even_money", "surrender", "auto")


@dataclass(slots=True)
class StadiumHand:
    """One hand of a spot, in play."""

    cards: list[Card]
    wager_cents: int
    is_split: bool = False

    @property
    def total(self) -> int:
        return hand_total(self.cards)[0]

    @property
    def is_bust(self) -> bool:
        return self.total > 21


@dataclass(slots=True)
class Community:
    """The cards in the middle, taken from the front."""

    cards: Sequence[Card]
    used: int = 0

    def draw(self, purpose: str) -> Card:
        """Take the next card. Raises Refused when none was dealt."""
        if self.used == len(self.cards):
            raise refuse(
                "community_short",
                f"No community card is left for {purpose}. Enter the cards still dealt.",
            )
        self.used += 1
        return self.cards[self.used - 1]


@dataclass(slots=True)
class Spot:
    """What a player's decisions led to, before the dealer plays."""

    hands: list[StadiumHand]
    community: Community
    is_surrendered: bool = False
    asked_at_21: bool = False
    met_21: bool = False
    decisions: list[str] = field(default_factory=list)

    def next_decision(self) -> str | None:
        return self.decisions.pop(0) if self.decisions else None


def play_spot(
    cards: Sequence[Card],
    stake_cents: int,
    community: Sequence[Card],
    decisions: Sequence[str],
    rules: StadiumRules,
) -> Spot:
    """Play out a spot that is not a blackjack. Raises Refused for a decision that cannot be.

    A terminal does not ask about a 21. A record that answers at every 21 all the same is taken as
    well, if it makes sense only so.
    """
    refusals = []
    for asked_at_21 in (False, True):
        spot = Spot(
            hands=[StadiumHand(list(cards), stake_cents)],
            community=Community(community),
            asked_at_21=asked_at_21,
            decisions=list(decisions),
        )
        try:
            _play(spot, rules)
        except Refused as refused:
            refusals.append(refused)
        else:
            return spot
        if not spot.met_21:
            break
    raise refusals[0]


def _play(spot: Spot, rules: StadiumRules) -> None:
    at = 0
    while at < len(spot.hands):
        _play_hand(spot, at, rules)
        at += 1
    if spot.decisions:
        raise refuse(
            "surplus_decision",
            f"{spot.decisions[0]!r} comes after every hand was finished. Leave it out.",
        )


def _play_hand(spot: Spot, at: int, rules: StadiumRules) -> None:
    hand = spot.hands[at]
    while True:
        if len(hand.cards) == 1:
            hand.cards.append(spot.community.draw("a split hand"))
            if hand.cards[0].is_ace:
                return
        total, is_soft = hand_total(hand.cards)
        if total > 21:
            return
        if total == 21:
            spot.met_21 = True
            if not spot.asked_at_21:
                return
        decision = spot.next_decision()
        if decision == "auto":
            limit = rules.auto_stand[0 if is_soft else 1]
            decision = "stand" if total >= limit else "hit"
        match decision:
            case "stand":
                return
            case "hit" if total < 21:
                hand.cards.append(spot.community.draw("a hit"))
            case "double":
                _check_double(hand, total, rules)
                hand.wager_cents *= 2
                hand.cards.append(spot.community.draw("a double"))
                return
            case "split":
                _check_split(spot, hand, rules)
                moved = hand.cards.pop()
                hand.is_split = True
                spot.hands.insert(at + 1, StadiumHand([moved], hand.wager_cents, is_split=True))
            case "surrender":
                _check_surrender(hand, rules)
                spot.is_surrendered = True
                return
            case None:
                raise refuse(
                    "decision_missing",
                    f"The hand of {total} still needs a decision. Enter what was chosen.",
                )
            case "hit":
                raise refuse("hit_on_21", "A hand of 21 takes no more cards.")
            case _:
                raise refuse(
                    "even_money_without_blackjack",
                    "Even money is only for a player's blackjack. Check the cards.",
                )


def _check_double(hand: StadiumHand, total: int, rules: StadiumRules) -> None:
    low, high = rules.double_totals
    refusals = []
    if len(hand.cards) != 2:
        refusals.append(Refusal("double_too_late", "Only the first two cards may be doubled."))
    if any(card.is_ace for card in hand.cards):
        refusals.append(
            Refusal("double_with_ace", "A hand with an ace can’t be doubled. Check the cards.")
        )
    if not low <= total <= high:
        refusals.append(
            Refusal("double_total", f"{total} can’t be doubled. Only totals {low} to {high} can.")
        )
    if hand.is_split and not rules.double_after_split:
        refusals.append(
            Refusal(
                "double_after_split",
                "A split hand can’t be doubled at this stadium. Check the decisions.",
            )
        )
    if refusals:
        raise Refused(refusals)


def _check_split(spot: Spot, hand: StadiumHand, rules: StadiumRules) -> None:
    refusals = []
    if len(hand.cards) != 2:
        refusals.append(Refusal("split_too_late", "Only the first two cards may be split."))
    elif hand.cards[0].value != hand.cards[1].value:
        refusals.append(
            Refusal(
                "split_not_pair", "The two cards have different values, so they can’t be split."
            )
        )
    if len(spot.hands) >= rules.max_split_hands:
        refusals.append(
            Refusal("split_too_many", f"A spot may hold at most {rules.max_split_hands} hands.")
        )
    if refusals:
        raise Refused(refusals)


def _check_surrender(hand: StadiumHand, rules: StadiumRules) -> None:
    refusals = []
    if rules.surrender == "disabled":
        refusals.append(
            Refusal(
                "surrender_disabled",
                "Surrender is not offered at this stadium. Check the decisions.",
            )
        )
    if hand.is_split:
        refusals.append(
            Refusal(
                "surrender_after_split", "A split hand can’t be surrendered. Check the decisions."
            )
        )
    if len(hand.cards) != 2:
        refusals.append(Refusal("surrender_too_late", "Only the first two cards surrender."))
    if refusals:
        raise Refused(refusals)


def play_dealer(up: Card, community: Community, rules: StadiumRules) -> list[Card]:
    """Draw the dealer's hand out of the community cards the player did not use."""
    hand = [up, community.draw("the dealer")]
    if is_blackjack(hand):
        return hand
    while True:
        total, is_soft = hand_total(hand)
        must_hit = total < 17 or (total == 17 and is_soft and rules.dealer_soft_17 == "hit")
        if not must_hit:
            return hand
        hand.append(community.draw("the dealer"))
