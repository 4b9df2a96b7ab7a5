"""How a hand was played decides what it is paid."""

from __future__ import annotations

from typing import Any

import pytest

from pitboss.rules.wagers.played import played_extra
from pitboss.rules.wagers.settle import settle

AGAINST_19 = {"dealer_cards": ["9c", "Td"]}
BUST_6 = {"player_cards": [], "dealer_cards": ["Td", "6c", "6h"]}
ELEVEN = ["6h", "5d", "Tc"]
ACE_KING = ["Ah", "Kd"]


@pytest.mark.parametrize(
    ("wager", "paytable", "cards", "how", "owed_cents"),
    [
        ("blackjack", "3:2", ELEVEN, {}, 1_000),
        ("blackjack", "3:2", ELEVEN, {"played": ["doubled"]}, 2_000),
        ("blackjack", "3:2", ACE_KING, {}, 1_500),
        ("blackjack", "3:2", ACE_KING, {"played": ["split"]}, 1_000),
        ("blackjack", "3:2", ["9h", "7d"], {"played": ["surrender", "2x"]}, -500),
        ("bet_bigger", "3:2", ACE_KING, {"played": ["2x", "4x"]}, 4_500),
        ("bet_bigger", "3:2", ELEVEN, {"played": ["2x", "doubled"]}, 4_000),
        ("free_bet_coupon", "3:2", ACE_KING, {"played": ["split", "doubled"]}, 1_000),
        ("raise_the_roof", "H17_6_8_A", BUST_6, {}, 1_000),
        ("raise_the_roof", "H17_6_8_A", BUST_6, {"raise_times": 2}, 30_000),
    ],
)
def test_what_is_owed_follows_how_the_hand_was_played(
    wager: str, paytable: str, cards: Any, how: dict[str, Any], owed_cents: int
) -> None:
    laid = cards if isinstance(cards, dict) else {"player_cards": cards, **AGAINST_19}
    case = {"wager": wager, "paytable": paytable, "stake_cents": 1_000, **laid}
    assert settle({**case, "extra": played_extra(wager, 1_000, **how)}).payout_cents == owed_cents


def test_insurance_is_judged_beside_the_bet_it_insures_and_a_side_bet_by_its_cards() -> None:
    assert played_extra("insurance", 1_250, played=["doubled"]) == {"main_stake_cents": 2_500}
    assert played_extra("trilux", 500, played=["doubled"], raise_times=3) == {}
