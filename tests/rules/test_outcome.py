"""How a bet came out, in a few words, and what that comes to."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from pitboss.rules.games.games import table_rules
from pitboss.rules.games.printed import GAMES
from pitboss.rules.payouts.check import TableNow, TableTerms, check_payout
from pitboss.rules.payouts.claims import read_claim
from pitboss.rules.payouts.outcome import outcome_sentence

RULES = table_rules(GAMES["classic"], minimum_cents=500, maximum_cents=300_000)
CLASSIC = TableNow(TableTerms.of(RULES), {10_000: 100, 2_500: 200, 500: 200}, date(2026, 5, 1))
TRILUX: dict[str, Any] = {
    "wager": "trilux",
    "stake_cents": 1_000,
    "player_cards": ["9c", "9d"],
    "dealer_up": "9s",
    "paid_cents": 9_000,
}


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({}, "Three of a kind, 9 to 1. $10 wins $90."),
        ({"player_cards": ["2c", "9d"]}, "No win. $10 is taken."),
        (
            {
                "wager": "blackjack",
                "player_cards": ["Tc", "9d"],
                "dealer_up": None,
                "dealer_cards": ["9s", "Th"],
            },
            "19 ties 19.",
        ),
        # Nothing was judged, so that what is missing is said.
        ({"player_cards": ["9c"]}, "Enter exactly the player's first two cards."),
    ],
)
def test_how_a_bet_came_out_is_said_with_what_it_comes_to(
    changes: dict[str, Any], sentence: str
) -> None:
    claim = read_claim(
        {name: value for name, value in {**TRILUX, **changes}.items() if value is not None}
    )
    assert outcome_sentence(claim, check_payout(claim, CLASSIC)) == sentence
