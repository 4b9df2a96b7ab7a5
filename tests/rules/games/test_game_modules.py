"""A house's own game is one file: found by being there, settled and answered like the others."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest

from pitboss.rules import own_games
from pitboss.rules.book.document import rules_page
from pitboss.rules.games.game_modules import by_id, game_modules
from pitboss.rules.odds.odds import answer
from pitboss.rules.roulette.game import GAME as ROULETTE
from pitboss.rules.wagers.settle import settle_case

WAR = '''
"""Casino war: the higher card wins."""
from fractions import Fraction

from pitboss.rules.facts import dealer_hand, extra_of, player_hand, stake, terms
from pitboss.rules.games.game_modules import BetRule, GameModule, PUSH, decided
from pitboss.rules.paytables.pays import Odds, Source
from pitboss.rules.odds.wager_odds import RowOdds, WagerOdds


def settle(case):
    extra = extra_of(case, frozenset({"bet"}))
    GAME.bet(extra), GAME.paytable(case)
    (mine,), (theirs,) = player_hand(case), dealer_hand(case)
    odds = PUSH if mine.order == theirs.order else Odds(1) if mine.order > theirs.order else None
    return decided(terms(stake(case), {}), odds, category="war", rule="casino_war.war",
                   text=f"{mine.name} against {theirs.name}.", detail={})


def odds(case):
    return WagerOdds(Fraction(0), {"war": RowOdds(Fraction(1), Fraction(0))})


GAME = GameModule("casino_war", "Casino war", {"house": "house rules"},
                  {"war": BetRule("war", "War", "The higher card.", Source("House", "1"))},
                  settle, odds, lambda case: [])
'''


@pytest.fixture
def war(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Put one file into the house's own games."""
    (tmp_path / "casino_war.py").write_text(WAR)
    monkeypatch.setattr(own_games, "__path__", [str(tmp_path)])
    monkeypatch.delitem(sys.modules, "pitboss.rules.own_games.casino_war", raising=False)
    game_modules.cache_clear()
    yield
    game_modules.cache_clear()
    sys.modules.pop("pitboss.rules.own_games.casino_war", None)


@pytest.mark.usefixtures("war")
def test_one_file_settles_answers_and_is_in_the_rules() -> None:
    case = {
        "wager": "casino_war",
        "paytable": "house",
        "stake_cents": 500,
        "player_cards": ["Kh"],
        "dealer_cards": ["9s"],
        "extra": {"bet": "war"},
    }
    assert settle_case(case)["working"] == "Kh against 9s. $5 wins $5."
    assert settle_case(case | {"player_cards": ["9h"]})["working"] == (
        "9h against 9s. $5 is a push."
    )
    assert answer({"wager": "casino_war", "paytable": "house"})["edge"] == str(Fraction(0))
    assert "### `casino_war`" in rules_page()


def test_without_the_file_there_is_no_such_game() -> None:
    error = settle_case({"wager": "casino_war"})["error"]
    assert error["code"] == "unknown_wager"
    assert "roulette, baccarat" in error["message"]


def test_two_games_of_one_name_are_a_mistake() -> None:
    assert by_id([ROULETTE, ROULETTE]) == {"roulette": ROULETTE}
    with pytest.raises(ValueError, match="two games called roulette"):
        by_id(
            [
                ROULETTE,
                type(ROULETTE)(
                    "roulette", "", {}, {}, ROULETTE.settle, ROULETTE.odds, ROULETTE.prove
                ),
            ]
        )


def test_a_pay_table_takes_the_bets_of_its_own_wheel() -> None:
    double = {bet.id for bet in ROULETTE.offered("double_zero")}
    single = {bet.id for bet in ROULETTE.offered("single_zero")}
    assert double - single == {"five_number"}
    assert single - double == {"first_four"}
