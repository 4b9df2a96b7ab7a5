"""One check of each wager as a terminal sends it, for the schema. All but two are paid right."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

_SIDE: Final = {"stake_cents": 500, "seat": 5}

CHECKS: Final[Mapping[str, Mapping[str, Any]]] = {
    "blackjack": {
        "stake_cents": 2_500,
        "player_cards": ["5h", "6d", "9c"],
        "dealer_cards": ["9s", "8h"],
        "extra": {"double_cents": 1_000},
        "paid_cents": 3_500,
        "seat": 5,
    },
    "insurance": {
        "stake_cents": 1_250,
        "player_cards": ["Th", "9d"],
        "dealer_cards": ["As", "Kh"],
        "extra": {"main_stake_cents": 2_500},
        "paid_cents": 2_500,
        "seat": 5,
    },
    "free_bet_coupon": {
        "stake_cents": 2_500,
        "player_cards": ["Th", "9d"],
        "dealer_cards": ["9s", "8h"],
        "paid_cents": 2_500,
        "seat": 5,
    },
    "bet_bigger": {
        "stake_cents": 500,
        "player_cards": ["Th", "9d"],
        "dealer_cards": ["9s", "8h"],
        "extra": {"spots": ["2x", "3x"]},
        "paid_cents": 1_500,
        "seat": 5,
    },
    "raise_the_roof": {
        "stake_cents": 1_000,
        "dealer_cards": ["6h", "9d", "Tc"],
        "extra": {"raise_cents": 2_000},
        "paid_cents": 3_000,
        "seat": 5,
    },
    "bet_the_set_21": {**_SIDE, "player_cards": ["9c", "9d"], "paid_cents": 5_000},
    "royal_match_21": {**_SIDE, "player_cards": ["Kc", "Qc"], "paid_cents": 12_500},
    "trilux": {**_SIDE, "player_cards": ["9c", "9d"], "dealer_up": "9s", "paid_cents": 4_500},
    "super_3": {**_SIDE, "player_cards": ["9c", "9d"], "dealer_up": "9s", "paid_cents": 90_000},
    "match_the_dealer": {
        **_SIDE,
        "player_cards": ["9c", "8d"],
        "dealer_up": "9s",
        "paid_cents": 2_000,
    },
    "perfect_pair": {**_SIDE, "player_cards": ["Tc", "Ts"], "paid_cents": 5_000},
    "two_card_bonus": {**_SIDE, "player_cards": ["9c", "9d"], "paid_cents": 1_000},
    "four_card_bonus": {
        **_SIDE,
        "player_cards": ["9c", "9d"],
        "dealer_cards": ["9s", "9h"],
        "paid_cents": 1_000,
    },
    "lucky_ladies": {
        **_SIDE,
        "player_cards": ["Qh", "Qh"],
        "dealer_up": "9s",
        "extra": {"other_winner_stakes_cents": [500]},
        "paid_cents": 12_500,
    },
    "blazing_7s": {
        **_SIDE,
        "player_cards": ["7h", "7h"],
        "dealer_up": "7h",
        "extra": {"winners_same_hand": 3, "winner_number": 2},
        "paid_cents": 0,
    },
    "stadium_blackjack": {
        "stake_cents": 1_000,
        "player_cards": ["Th", "9d"],
        "dealer_up": "6s",
        "extra": {"community": ["Tc", "9h"], "decisions": ["stand"]},
        "paid_cents": 1_000,
        "seat": 120,
    },
}
