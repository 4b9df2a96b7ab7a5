"""Drills: the same number deals the same hand, and its answer is what a check would say."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import date

import pytest

from pitboss.rules.games.games import SideBetRules, table_rules
from pitboss.rules.games.printed import GAMES
from pitboss.rules.payouts.check import TableNow, TableTerms
from pitboss.rules.refusal import Refused
from pitboss.rules.rounds.drills import deal_drill, wagers_drilled
from pitboss.rules.wagers.settle import settle

TRAY = dict.fromkeys((100_000, 10_000, 2_500, 500, 250, 100, 50, 25), 10_000)
DRILLED = {
    "classic": {"blackjack", "trilux", "super_3"},
    "blazing_7s": {"blackjack", "blazing_7s", "trilux", "super_3"},
    "raise_the_roof": {"blackjack", "raise_the_roof"},
    "face_up": {"blackjack"},
    "bet_bigger": {"match_the_dealer", "perfect_pair", "lucky_ladies"},
}


def at_table(game: str, **more: object) -> TableNow:
    the_game = GAMES[game]
    rules = table_rules(
        the_game,
        minimum_cents=1_000 if the_game.maximum_cents else 2_500,
        maximum_cents=the_game.maximum_cents or 200_000,
        **more,  # type: ignore[arg-type]
    )
    return TableNow(TableTerms.of(rules), TRAY, date(2026, 5, 1))


@pytest.mark.parametrize("game", DRILLED)
def test_a_drill_asks_each_bet_of_the_table_and_knows_its_answer(game: str) -> None:
    now = at_table(game)
    assert set(wagers_drilled(now)) == DRILLED[game]
    asked: Counter[str] = Counter()
    lost = 0
    for number in range(120):
        drill = deal_drill(now, number)
        assert drill == deal_drill(now, number)
        assert drill.question.endswith("What do you pay?")
        asked[drill.wager] += 1
        lost += drill.owed_cents == 0
        assert "JACKPOT" not in drill.working, "what a meter pays is no drill"
    assert asked.keys() == DRILLED[game]
    assert lost < 60, "most hands are worth asking"


def test_the_answer_is_what_the_rules_settle() -> None:
    now = at_table("classic")
    for number in range(40):
        drill = deal_drill(now, number)
        if drill.wager != "super_3":
            continue
        case = {
            "wager": "super_3",
            "paytable": now.terms.paytables["super_3"],
            "stake_cents": drill.stake_cents,
            "player_cards": list(drill.player),
            "dealer_up": drill.dealer[0],
        }
        assert drill.owed_cents == max(settle(case).payout_cents, 0)


def test_a_raise_is_said_and_none_is_made_against_a_blackjack() -> None:
    now = at_table("raise_the_roof")
    drills = [deal_drill(now, number) for number in range(200)]
    raised = [drill for drill in drills if drill.raise_cents]
    assert raised
    assert all("and a raise of $" in drill.question for drill in raised)


def test_a_bet_with_one_stake_is_asked_with_it() -> None:
    bets = {"trilux": SideBetRules("MANUAL-9", 1_100, 1_400)}
    now = at_table("classic", side_bets=bets)
    stakes = {
        drill.stake_cents
        for drill in (deal_drill(now, number) for number in range(40))
        if drill.wager == "trilux"
    }
    assert stakes == {1_100}


def test_a_table_without_a_bet_to_practice_says_so() -> None:
    now = at_table("classic")
    bare = replace(now, terms=replace(now.terms, paytables={}))
    with pytest.raises(Refused, match="no bet to practice"):
        deal_drill(bare, 1)
    broken = replace(now, terms=replace(now.terms, options={"no": "such"}))
    with pytest.raises(Refused, match="no bet to practice"):
        deal_drill(broken, 1)
