"""Which cards a terminal asks for: those that settle the wager, for every wager there is."""

from __future__ import annotations

import pytest

from pitboss.rules.wagers.settle import WAGERS
from pitboss.rules.wagers.wager_cards import HAND_MOST, cards_of


@pytest.mark.parametrize("wager", WAGERS)
def test_every_wager_says_which_cards_decide_it(wager: str) -> None:
    cards = cards_of(wager)
    for least, most in (cards.player, cards.dealer):
        assert 0 <= least <= most <= HAND_MOST
    assert cards.player[1] + cards.dealer[1] > 0


def test_a_game_of_its_own_module_says_its_cards_itself() -> None:
    baccarat, roulette = cards_of("baccarat"), cards_of("roulette")
    assert (baccarat.player, baccarat.dealer) == ((2, 3), (2, 3))
    assert (roulette.player, roulette.dealer) == ((0, 0), (0, 0))
