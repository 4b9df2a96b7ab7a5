"""Punto banco: what hands are worth, and who draws a third card."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from pitboss.rules.cards.playing_cards import Card
from pitboss.rules.refusal import refuse
from pitboss.rules.said import Said

NATURALS: Final = (8, 9)
# On which third cards of the player the banker draws, by the banker's total of two cards.
BANKER_DRAWS_ON: Final[dict[int, frozenset[int]]] = {
    0: frozenset(range(10)),
    1: frozenset(range(10)),
    2: frozenset(range(10)),
    3: frozenset(range(10)) - {8},
    4: frozenset({2, 3, 4, 5, 6, 7}),
    5: frozenset({4, 5, 6, 7}),
    6: frozenset({6, 7}),
    7: frozenset(),
}
STANDS_FROM: Final = 6


class Coup(NamedTuple):
    """One coup: both totals, and with how many cards each was made."""

    player: int
    banker: int
    player_cards: int
    banker_cards: int

    @property
    def is_tie(self) -> bool:
        return self.player == self.banker

    @property
    def player_natural(self) -> bool:
        return self.player_cards == 2 and self.player in NATURALS

    @property
    def banker_natural(self) -> bool:
        return self.banker_cards == 2 and self.banker in NATURALS


def card_points(card: Card) -> int:
    """Return what a card counts: an ace 1, tens and faces nothing."""
    return card.value % 10


def total(hand: Sequence[Card]) -> int:
    """Return the last digit of what a hand counts."""
    return sum(card_points(card) for card in hand) % 10


def player_draws(player: int, banker: int) -> bool:
    """Tell whether the player draws, by both totals of two cards.

    >>> player_draws(5, 7), player_draws(6, 0), player_draws(0, 9)
    (True, False, False)
    """
    return banker not in NATURALS and player < STANDS_FROM


def banker_draws(player: int, banker: int, third: int | None) -> bool:
    """Tell whether the banker draws, by both totals of two cards and the player's third card.

    >>> banker_draws(5, 3, 8), banker_draws(5, 6, 6), banker_draws(6, 5, None)
    (False, True, True)
    """
    if player in NATURALS or banker in NATURALS:
        return False
    if third is None:
        return banker < STANDS_FROM
    return third in BANKER_DRAWS_ON[banker]


def outcome_of(player: Sequence[Card], banker: Sequence[Card]) -> Coup:
    """Return what two hands came to. Raises Refused where the table draws otherwise."""
    if not (2 <= len(player) <= 3 and 2 <= len(banker) <= 3):
        raise refuse(
            "bad_cards", "Player and banker have two or three cards each. Check the cards."
        )
    first, other = total(player[:2]), total(banker[:2])
    draws = player_draws(first, other)
    _demand("player", draws, len(player) == 3, first)
    third = card_points(player[2]) if draws else None
    _demand("banker", banker_draws(first, other, third), len(banker) == 3, other)
    return Coup(total(player), total(banker), len(player), len(banker))


def _demand(who: str, must: bool, did: bool, on: int) -> None:
    if must and not did:
        raise refuse(
            "third_card_missing",
            Said("The {who} draws on {on}. Enter the third card.", who=Said(who), on=on),
        )
    if did and not must:
        raise refuse(
            "third_card_extra",
            Said("The {who} stands on {on}. Check the third card.", who=Said(who), on=on),
        )
