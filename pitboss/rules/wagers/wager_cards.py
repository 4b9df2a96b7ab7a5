"""Which cards decide a wager: how many of the player's and of the dealer's a terminal asks for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from pitboss.rules.games.game_modules import game_modules
from pitboss.rules.paytables.categories import CATEGORISERS

# As many as a hand of blackjack can have without going over.
HAND_MOST: Final = 11


@dataclass(frozen=True, slots=True)
class WagerCards:
    """How many cards are keyed, at least and at most, before a wager can be judged."""

    player: tuple[int, int]
    dealer: tuple[int, int]

    @property
    def dealer_field(self) -> str:
        """The field in which a claim carries the dealer's cards."""
        return "dealer_up" if self.dealer == (1, 1) else "dealer_cards"


_HAND: Final = (2, HAND_MOST)
_PLAYED_OUT: Final = WagerCards(_HAND, _HAND)
_OF: Final = {
    **dict.fromkeys(("blackjack", "insurance", "free_bet_coupon", "bet_bigger"), _PLAYED_OUT),
    "stadium_blackjack": WagerCards((2, 2), (1, 1)),
    **{
        wager: WagerCards((categoriser.player_cards,) * 2, _HAND)
        if categoriser.dealer_cards is None
        else WagerCards((categoriser.player_cards,) * 2, (categoriser.dealer_cards,) * 2)
        for wager, categoriser in CATEGORISERS.items()
    },
}


def cards_of(wager: str) -> WagerCards:
    """Return which cards a wager is decided by.

    >>> cards_of("super_3").dealer_field, cards_of("royal_match_21").dealer
    ('dealer_up', (0, 0))
    >>> cards_of("raise_the_roof").player, cards_of("blackjack").dealer_field
    ((0, 0), 'dealer_cards')
    """
    if wager in _OF:
        return _OF[wager]
    return WagerCards(*game_modules()[wager].cards)
