"""Roulette: every bet of the layout, every number of the wheel, and odds to the last fraction."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.rules.games.game_modules import game_modules
from pitboss.rules.odds.odds import answer, odds_of
from pitboss.rules.refusal import Refused
from pitboss.rules.roulette.game import GAME, PAYS, STYLES, covered
from pitboss.rules.roulette.layout import OUTSIDE, PLAIN, REDS, Wheel, inside
from pitboss.rules.wagers.settle import settle, settle_case

INSIDE_COUNTS = {
    Wheel.SINGLE: {
        "straight": 37,
        "split": 60,
        "street": 14,
        "corner": 22,
        "six_line": 11,
        "first_four": 1,
    },
    Wheel.DOUBLE: {
        "straight": 38,
        "split": 62,
        "street": 15,
        "corner": 22,
        "six_line": 11,
        "five_number": 1,
    },
}


def spin(bet: str, result: object, paytable: str = "double_zero", **more: Any) -> dict[str, Any]:
    stake_cents = more.pop("stake_cents", 500)
    return {
        "wager": "roulette",
        "paytable": paytable,
        "stake_cents": stake_cents,
        "extra": {"bet": bet, "result": result, **more},
    }


def every_bet(paytable: str) -> list[tuple[str, dict[str, Any], frozenset[str]]]:
    """Return every bet that a layout has, as a case names it, with the numbers it covers."""
    wheel = STYLES[paytable].wheel
    found: list[tuple[str, dict[str, Any], frozenset[str]]] = [
        (bet, {"numbers": sorted(numbers)}, numbers)
        for bet, sets in inside(wheel).items()
        for numbers in sets
    ]
    for bet, sets in OUTSIDE.items():
        for which, numbers in enumerate(sets, 1):
            found.append((bet, {"which": which} if len(sets) > 1 else {}, numbers))
    return found


@pytest.mark.parametrize("wheel", Wheel)
def test_the_layout_has_as_many_of_each_bet_as_any_table(wheel: Wheel) -> None:
    assert {bet: len(sets) for bet, sets in inside(wheel).items()} == INSIDE_COUNTS[wheel]
    assert all(len(numbers) == 12 for bet in ("column", "dozen") for numbers in OUTSIDE[bet])
    assert all(len(OUTSIDE[bet][0]) == 18 for bet in ("red", "black", "odd", "even", "low", "high"))
    assert len(REDS) == 18


@pytest.mark.parametrize("paytable", STYLES)
def test_every_bet_on_every_number_is_settled_as_the_odds_say(paytable: str) -> None:
    style = STYLES[paytable]
    pockets = style.wheel.pockets
    for bet, named, numbers in every_bet(paytable):
        won = []
        for result in pockets:
            verdict = settle(spin(bet, result, paytable, stake_cents=200, **named))
            won.append(verdict.payout_cents)
            assert (verdict.payout_cents > 0) == (result in numbers)
        edge = Fraction(-sum(won), 200 * len(pockets))
        odds = odds_of({"wager": "roulette", "paytable": paytable, "extra": {"bet": bet}})
        assert odds.edge == edge, (bet, named)
        assert sum(row.probability for row in odds.rows.values()) == 1


@pytest.mark.parametrize(
    ("paytable", "bet", "edge"),
    [
        ("double_zero", "straight", "1/19"),
        ("double_zero", "red", "1/19"),
        ("double_zero", "five_number", "3/38"),
        ("double_zero_surrender", "even", "1/38"),
        ("double_zero_surrender", "dozen", "1/19"),
        ("single_zero", "six_line", "1/37"),
        ("single_zero", "first_four", "1/37"),
        ("single_zero_la_partage", "low", "1/74"),
        ("single_zero_la_partage", "straight", "1/37"),
    ],
)
def test_the_edges_that_every_book_has(paytable: str, bet: str, edge: str) -> None:
    assert answer({"wager": "roulette", "paytable": paytable, "extra": {"bet": bet}})["edge"] == (
        edge
    )


@pytest.mark.parametrize(
    ("case", "payout_cents", "working"),
    [
        (
            spin("straight", "00", numbers=["00"]),
            17_500,
            "00 green. Straight up (00) pays 35 to 1, double zero. $5 wins $175.",
        ),
        (
            spin("corner", 17, numbers=[16, 17, 19, 20]),
            4_000,
            "17 black. Corner (16, 17, 19, 20) pays 8 to 1, double zero. $5 wins $40.",
        ),
        (
            spin("dozen", 24, which=2),
            1_000,
            "24 black. Dozen 2 pays 2 to 1, double zero. $5 wins $10.",
        ),
        (spin("even", 0), -500, "0 green. Even loses. $5 is taken."),
        (
            spin("red", "0", "single_zero_la_partage", stake_cents=1_000),
            -500,
            "0 green. Red gets half back, single zero with la partage. $10 gives back $5.",
        ),
    ],
)
def test_the_sentence_to_read_out(case: dict[str, Any], payout_cents: int, working: str) -> None:
    verdict = settle(case)
    assert (verdict.payout_cents, verdict.working) == (payout_cents, working)
    detail: dict[str, Any] = {**verdict.as_answer()["detail"]}
    assert detail["proof"] == GAME.prove(case)


def test_half_of_an_odd_cent_is_rounded_as_the_house_says() -> None:
    verdict = settle(spin("red", 0, "single_zero_la_partage", stake_cents=25))
    assert (verdict.payout_cents, verdict.stake_returned, verdict.readings) == (-13, None, ("R03",))
    up = {"options": {"fractions_of_a_cent": "up"}}
    assert settle(spin("red", 0, "single_zero_la_partage", stake_cents=25, **up)).payout_cents == (
        -12
    )


def test_a_dealer_bet_and_a_called_limit_are_as_at_any_game() -> None:
    verdict = settle(spin("red", 1, dealer_bet=True))
    assert verdict.working.endswith("Dealer bet: the toke and its payoff come down.")
    called: dict[str, Any] = {"pay_or_take_to_limit": True, "table_max_cents": 300}
    assert settle(spin("red", 1, **called)).payout_cents == 300


def test_the_proof_says_what_the_number_is() -> None:
    assert GAME.prove(spin("column", 17, which=1)) == [
        "The ball came to rest in 17 black, odd, 1 to 18, second dozen, second column.",
        "Column covers 1, 4, 7, 10, 13, 16, 19, 22, 25, 28, 31, 34.",
        "17 is not one of them.",
    ]


@pytest.mark.parametrize(
    ("case", "code"),
    [
        (spin("red", "00", "single_zero"), "bad_result"),
        (spin("red", 37), "bad_result"),
        (spin("red", None), "bad_result"),
        (spin("red", True), "bad_result"),
        (spin("split", 1, numbers=[1, 3]), "bad_numbers"),
        (spin("split", 1, numbers=[1, 1]), "bad_numbers"),
        (spin("split", 1, numbers=[1, 38]), "bad_numbers"),
        (spin("split", 1, numbers="1,2"), "bad_numbers"),
        (spin("split", 1, numbers=[3, 4]), "bad_numbers"),
        (spin("red", 1, numbers=[1]), "bad_numbers"),
        (spin("red", 1, which=1), "bad_which"),
        (spin("straight", 1, numbers=[1], which=1), "bad_which"),
        (spin("dozen", 1), "bad_which"),
        (spin("dozen", 1, which=4), "bad_which"),
        (spin("first_four", 1, numbers=[0, 1, 2, 3]), "bet_not_offered"),
        (spin("five_number", 1, "single_zero", numbers=[0, 1, 2, 3]), "bet_not_offered"),
        (spin("voisins", 1), "unknown_bet"),
        (spin("red", 1, "triple_zero"), "unknown_paytable"),
        (spin("red", 1, side="left"), "unknown_field"),
        (spin("red", 1, stake_cents=0), "bad_stake"),
    ],
)
def test_what_no_layout_has_is_refused(case: dict[str, Any], code: str) -> None:
    assert settle_case(case)["error"]["code"] == code


def test_a_bet_that_a_wheel_lacks_has_no_odds() -> None:
    with pytest.raises(Refused, match="isn’t offered in single zero"):
        odds_of({"wager": "roulette", "paytable": "single_zero", "extra": {"bet": "five_number"}})


@given(
    st.sampled_from(sorted(STYLES)),
    st.data(),
    st.integers(1, 10_000_000),
)
def test_whatever_is_bet_the_money_is_the_odds(
    paytable: str, data: st.DataObject, stake_cents: int
) -> None:
    bet, named, numbers = data.draw(st.sampled_from(every_bet(paytable)))
    result = data.draw(st.sampled_from(STYLES[paytable].wheel.pockets))
    verdict = settle(spin(bet, result, paytable, stake_cents=stake_cents, **named))
    if result in numbers:
        assert verdict.payout_cents == stake_cents * PAYS[bet].to
        assert verdict.stake_returned is True
    else:
        assert -stake_cents <= verdict.payout_cents < 0 or verdict.category == "half_back"
    assert covered(STYLES[paytable], bet, named) == numbers
    assert result in PLAIN or result in ("0", "00")


def test_the_game_is_found_by_being_there() -> None:
    assert game_modules()["roulette"] is GAME
    assert set(GAME.bets) == set(PAYS)
