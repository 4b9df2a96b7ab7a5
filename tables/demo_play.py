"""Hands that nobody holds: shuffled, dealt and played for the demo and its simulation."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pitboss.rules.cards import cards, is_blackjack, total_of

_RANKS = "A23456789TJQK"
_SUITS = "cdhs"
# Bets that the first two cards decide, beside the dealer's first.
TWO_CARD_BETS = ("trilux", "super_3", "match_the_dealer", "perfect_pair", "two_card_bonus")
# From here on the shoe is shuffled.
_CUT_CARD = 40
_HITS_BELOW = 15
_SEVENTEEN = 17


class Shoe:
    """Some decks, shuffled by the given dice; shuffled again when the cut card comes.

    >>> shoe = Shoe(1, random.Random(7))
    >>> shoe.before_a_round()
    >>> len({shoe.draw() for _ in range(12)})
    12
    """

    def __init__(self, decks: int, dice: random.Random) -> None:
        self._whole = [rank + suit for rank in _RANKS for suit in _SUITS] * decks
        self._dice = dice
        self._cards: list[str] = []

    def draw(self) -> str:
        """Return the next card."""
        return self._cards.pop()

    def before_a_round(self) -> None:
        """Shuffle, if the cut card has come."""
        if len(self._cards) < _CUT_CARD:
            self._cards = self._whole.copy()
            self._dice.shuffle(self._cards)


@dataclass(frozen=True, slots=True)
class Hand:
    """One seat's hand against the dealer's, to its end."""

    seat: int
    player: tuple[str, ...]
    dealer: tuple[str, ...]


def deal(shoe: Shoe, seat: int) -> Hand:
    """Deal one seat, which draws below 15, and the dealer, who stands on every 17."""
    shoe.before_a_round()
    player = [shoe.draw(), shoe.draw()]
    dealer = [shoe.draw(), shoe.draw()]
    is_natural = is_blackjack(cards(player)) or is_blackjack(cards(dealer))
    while not is_natural and total_of(cards(player)) < _HITS_BELOW:
        player.append(shoe.draw())
    # The dealer draws against nobody who is out or has a blackjack.
    is_on = not is_natural and total_of(cards(player)) <= 21
    while is_on and total_of(cards(dealer)) < _SEVENTEEN:
        dealer.append(shoe.draw())
    return Hand(seat, tuple(player), tuple(dealer))


def claims_of(hand: Hand, stakes: Mapping[str, int]) -> Iterator[dict[str, Any]]:
    """Yield what a terminal would have checked of a hand, but for the amount about to be paid.

    `stakes` are cents by wager; a wager that takes more than these cards is left out.
    """
    if "blackjack" in stakes:
        yield {
            "wager": "blackjack",
            "seat": hand.seat,
            "stake_cents": stakes["blackjack"],
            "player_cards": list(hand.player),
            "dealer_cards": list(hand.dealer),
        }
    for wager in TWO_CARD_BETS:
        if wager in stakes:
            yield {
                "wager": wager,
                "seat": hand.seat,
                "stake_cents": stakes[wager],
                "player_cards": list(hand.player[:2]),
                "dealer_up": hand.dealer[0],
            }
