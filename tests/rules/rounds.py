"""Short ways to play a round in a test."""

from __future__ import annotations

from typing import Any

import pytest

from pitboss.rules.cards.playing_cards import cards
from pitboss.rules.games.eligibility import Bet, Whose
from pitboss.rules.games.games import SideBetRules, TableRules, table_rules
from pitboss.rules.games.printed import GAMES
from pitboss.rules.refusal import Refused
from pitboss.rules.rounds.round import DealtRound, Hand, RoundVerdict, Seat, settle_round

STADIUM = {"keep_standoff_bet": "disabled", "auto_stand": {"soft": 17, "hard": 17}}


def table(game: str, **choices: Any) -> TableRules:
    most = 1_000 if game == "bet_bigger" else 100_000
    limits: dict[str, Any] = {"minimum_cents": 500, "maximum_cents": most}
    if game == "stadium":
        limits["stadium"] = STADIUM
    return table_rules(GAMES[game], **{**limits, **choices})


CLASSIC, BLAZING, BIGGER = table("classic"), table("blazing_7s"), table("bet_bigger")
ROOF = table("raise_the_roof", side_bets={"raise_the_roof": SideBetRules("H17_6_8_A", 500, 5_000)})
MAIN = Bet("blackjack", 5_000)
ANTE = Bet("bet_bigger", 500)


def c(text: str) -> Any:
    return cards(text.split())


def toke(wager: str, cents: int) -> Bet:
    return Bet(wager, cents, whose=Whose.DEALER)


def seat(number: int, text: str, *bets: Bet, **facts: Any) -> Seat:
    """Seat a player; cards beyond the second were drawn."""
    dealt = c(text)
    if len(dealt) > 2:
        facts.setdefault("hands", (Hand(dealt),))
    return Seat(number, bets or (MAIN,), dealt[:2], **facts)


def play(rules: TableRules, dealer: str, *seats: Seat, **facts: Any) -> RoundVerdict:
    return settle_round(rules, DealtRound(seats, c(dealer), **facts))


def paid(verdict: RoundVerdict) -> list[tuple[int, str, int]]:
    return [(line.seat, line.wager, line.settlement.payout_cents) for line in verdict.lines]


def refused(rules: TableRules, dealer: str, *seats: Seat, **facts: Any) -> list[str]:
    with pytest.raises(Refused) as caught:
        play(rules, dealer, *seats, **facts)
    return list(caught.value.codes)
