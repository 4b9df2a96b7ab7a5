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
