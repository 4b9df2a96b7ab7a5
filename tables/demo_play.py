"""Hands that no one holds: shuffled, dealt and played for the demo and its simulation."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pitboss.rules.cards.playing_cards import cards, hand_total, is_blackjack, total_of
from pitboss.rules.games.dealer import must_draw

_RANKS = "A23456789TJQK"
_SUITS = "cdhs"
# Cards as a terminal tells them: each to a seat, or to the dealer.
_Cards = list[dict[str, Any]]
# Bets that the first two cards decide, beside the dealer's first.
TWO_CARD_BETS = ("trilux", "super_3", "match_the_dealer", "perfect_pair", "two_card_bonus")
# From here on the shoe is shuffled.
_CUT_CARD = 60
_HITS_BELOW = 15


class DemoShoe:
    """Some decks, shuffled by the given dice; shuffled again when the cut card comes.

    >>> shoe = DemoShoe(1, random.Random(7))
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
class DemoHand:
    """One seat's hand against the dealer's, to its end."""

    seat: int
    player: tuple[str, ...]
    dealer: tuple[str, ...]


def deal(shoe: DemoShoe, seats: Iterable[int], soft_17: str) -> list[DemoHand]:
    """Deal some seats, which draw below 15, and the dealer, who plays by the table's soft 17."""
    shoe.before_a_round()
    players = {seat: [shoe.draw(), shoe.draw()] for seat in seats}
    dealer = [shoe.draw(), shoe.draw()]
    if not is_blackjack(cards(dealer)):
        for player in players.values():
            while not is_blackjack(cards(player)) and total_of(cards(player)) < _HITS_BELOW:
                player.append(shoe.draw())
        # The dealer draws against no one who is out or has a blackjack.
        is_on = any(_is_in_play(player) for player in players.values())
        while is_on and must_draw(*hand_total(cards(dealer)), soft_17):
            dealer.append(shoe.draw())
    return [DemoHand(seat, tuple(player), tuple(dealer)) for seat, player in players.items()]


def _is_in_play(player: list[str]) -> bool:
    hand = cards(player)
    return not is_blackjack(hand) and total_of(hand) <= 21


def fallen(hands: Iterable[DemoHand]) -> tuple[_Cards, _Cards]:
    """Return the cards of a round as a shoe tells them: those first dealt, and those drawn after.

    >>> first, drawn = fallen([DemoHand(3, ("9c", "5d", "4h"), ("Ts", "8h"))])
    >>> [card["card"] for card in first], drawn
    (['9c', 'Ts', '5d', '8h'], [{'seat': 3, 'card': '4h'}])
    """
    hands = list(hands)
    dealer: _Cards = [{"to": "dealer", "card": card} for card in hands[0].dealer]
    rows: list[_Cards] = [
        [{"seat": hand.seat, "card": card} for card in hand.player] for hand in hands
    ]
    first = [*(row[0] for row in rows), dealer[0], *(row[1] for row in rows), dealer[1]]
    return first, [*(card for row in rows for card in row[2:]), *dealer[2:]]


def bets_of(stakes: Mapping[str, int]) -> list[dict[str, Any]]:
    """Return what a seat bets in a round: the main wager, and all that its first cards decide."""
    return [
        {"wager": wager, "stake_cents": stakes[wager]}
        for wager in ("blackjack", *TWO_CARD_BETS, "blazing_7s")
        if wager in stakes
    ]


def claims_of(hand: DemoHand, stakes: Mapping[str, int]) -> Iterator[dict[str, Any]]:
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
