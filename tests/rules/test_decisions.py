"""Which hands may be doubled, split, surrendered, insured and raised, game by game (R29)."""

from __future__ import annotations

from typing import Any

import pytest

from pitboss.rules.cards.playing_cards import card, cards
from pitboss.rules.games.decisions import Decision, Situation, decision_refusals
from pitboss.rules.games.games import Surrender, TableRules, table_rules
from pitboss.rules.games.printed import GAMES

STADIUM = {"keep_standoff_bet": "disabled", "auto_stand": {"soft": 17, "hard": 17}}


def table(game: str, **choices: Any) -> TableRules:
    most = 1_000 if game == "bet_bigger" else 100_000
    limits: dict[str, Any] = {"minimum_cents": 500, "maximum_cents": most}
    if game == "stadium":
        limits["stadium"] = STADIUM
    return table_rules(GAMES[game], **{**limits, **choices})


def hand(text: str, *, up: str = "6c", stake_cents: int = 1_000, **facts: Any) -> Situation:
    facts.setdefault("added_cents", stake_cents)
    return Situation(cards(text.split()), stake_cents, card(up), **facts)


def codes(rules: TableRules, decision: Decision, now: Situation) -> list[str]:
    return [refusal.code for refusal in decision_refusals(rules, decision, now)]


PAYTABLE_5 = table("stadium", doubling=GAMES["stadium"].doubling[2])
CLASSIC, FACE_UP, BIGGER = table("classic"), table("face_up"), table("bet_bigger")


@pytest.mark.parametrize(
    ("rules", "now", "refused"),
    [
        # Doubling Down 1 and 3; glossary
        (CLASSIC, hand("5h 6d"), []),
        (CLASSIC, hand("Ah 6d"), []),
        (CLASSIC, hand("Th Td"), []),
        (CLASSIC, hand("Ah Kd"), ["double_on_blackjack"]),
        (CLASSIC, hand("Ah Kd", hands=2), ["double_total", "double_split_aces"]),
        (CLASSIC, hand("Kd Ah", hands=2), ["double_total"]),
        (CLASSIC, hand("5h 6d 2c"), ["double_not_two_cards"]),
        (CLASSIC, hand("5h 6d", hands=2), []),
        (CLASSIC, hand("Ah 6d", hands=2), ["double_split_aces"]),
        (CLASSIC, hand("5h 6d", added_cents=500), []),
        (CLASSIC, hand("5h 6d", added_cents=400), ["double_under_minimum"]),
        (CLASSIC, hand("5h 6d", added_cents=1_001), ["double_above_wager"]),
        (CLASSIC, hand("5h 6d", added_cents=0), ["double_without_money"]),
        (BIGGER, hand("5h 6d", added_cents=1), []),
        # A bet under the minimum that was played all the same may be doubled in full.
        (CLASSIC, hand("5h 6d", stake_cents=400), []),
        # Double Deck 3
        (table("double_deck"), hand("5h 6d", added_cents=400), ["double_under_minimum"]),
        # Stadium 5.c
        (table("stadium"), hand("5h 6d"), []),
        (table("stadium"), hand("2h 2d"), []),
        (table("stadium"), hand("Ah 6d"), ["double_with_ace"]),
        (table("stadium"), hand("5h 6d", added_cents=500), ["double_for_less"]),
        (PAYTABLE_5, hand("5h 4d"), ["double_total"]),
        (PAYTABLE_5, hand("5h 6d", hands=2), ["double_after_split"]),
        # Face Up 4
        (FACE_UP, hand("5h 4d"), []),
        (FACE_UP, hand("5h 3d"), ["double_total"]),
        (FACE_UP, hand("6h 6d"), ["double_total"]),
        (FACE_UP, hand("5h 6d", added_cents=100), []),
        (FACE_UP, hand("5h 6d", hands=2), []),
        # Bet Bigger, double down
        (BIGGER, hand("2h 3d", added_cents=100), []),
        (BIGGER, hand("Ah 3d", hands=2), ["double_split_aces"]),
    ],
)
def test_doubling(rules: TableRules, now: Situation, refused: list[str]) -> None:
    assert codes(rules, Decision.DOUBLE, now) == refused


@pytest.mark.parametrize(
    ("rules", "now", "refused"),
    [
        # Splitting Pairs 1
        (CLASSIC, hand("8h 8d"), []),
        (CLASSIC, hand("Kh Qd"), []),
        (CLASSIC, hand("8h 9d"), ["split_not_pair"]),
        (CLASSIC, hand("8h 8d 2c"), ["split_not_pair"]),
        (CLASSIC, hand("8h 8d", hands=3), []),
        (CLASSIC, hand("8h 8d", hands=4), ["split_too_many"]),
        (CLASSIC, hand("Ah Ad"), []),
        (CLASSIC, hand("Ah Ad", hands=2), ["split_too_many"]),
        (CLASSIC, hand("8h 8d", added_cents=500), ["split_not_matched"]),
        # Double Deck 4
        (table("double_deck"), hand("8h 8d", hands=2), ["split_too_many"]),
        # Stadium 5.d.iii
        (table("stadium"), hand("Kh Td", hands=2), []),
        (table("stadium"), hand("Kh Td", hands=3), ["split_too_many"]),
        (
            table("stadium", splitting=GAMES["stadium"].splitting[1]),
            hand("8h 8d", hands=2),
            ["split_too_many"],
        ),
        # Face Up 4
        (FACE_UP, hand("8h 8d", hands=2), ["split_too_many"]),
        # Bet Bigger, split
        (BIGGER, hand("Kh Qd"), ["split_not_pair"]),
        (BIGGER, hand("Kh Kd", hands=3), []),
        (BIGGER, hand("Kh Kd", hands=4), ["split_too_many"]),
        (BIGGER, hand("Ah Ad", hands=2), ["split_too_many"]),
    ],
)
def test_splitting(rules: TableRules, now: Situation, refused: list[str]) -> None:
    assert codes(rules, Decision.SPLIT, now) == refused


@pytest.mark.parametrize(
    ("rules", "now", "refused"),
    [
        (BIGGER, hand("Th 6d"), []),
        (BIGGER, hand("Th 6d", hands=2), ["surrender_too_late"]),
        (BIGGER, hand("Th 4d 2c"), ["surrender_too_late"]),
        (BIGGER, hand("Ah Kd"), ["surrender_blackjack"]),
        (CLASSIC, hand("Th 6d"), ["surrender_disabled"]),
        (FACE_UP, hand("Th 6d"), ["surrender_disabled"]),
        (table("stadium"), hand("Th 6d"), ["surrender_disabled"]),
        (table("stadium", surrender=Surrender.NOT_AGAINST_BLACKJACK), hand("Th 6d"), []),
    ],
)
def test_surrender(rules: TableRules, now: Situation, refused: list[str]) -> None:
    assert codes(rules, Decision.SURRENDER, now) == refused


@pytest.mark.parametrize(
    ("rules", "now", "refused"),
    [
        # Insurance Wagers 1 and 3
        (CLASSIC, hand("Th 9d", up="Ac", added_cents=500), []),
        (CLASSIC, hand("Th 9d", up="Ac", added_cents=100), []),
        (CLASSIC, hand("Th 9d", up="Ac", added_cents=501), ["insurance_over_half"]),
        (CLASSIC, hand("Th 9d", up="Kc", added_cents=500), ["insurance_without_ace"]),
        (CLASSIC, hand("Th 9d", up="Ac", added_cents=0), ["insurance_without_money"]),
        (CLASSIC, hand("Th 9d", up="Ac", added_cents=1), []),
        (FACE_UP, hand("Th 9d", up="Ac", added_cents=500), ["insurance_not_offered"]),
        # Bet Bigger, insurance: each bet equally
        (
            BIGGER,
            hand("Th 9d", up="Ac", added_cents=500, spot_insurance_cents=(500, 500)),
            [],
        ),
        (
            BIGGER,
            hand("Th 9d", up="Ac", added_cents=500, spot_insurance_cents=(250,)),
            ["insurance_not_equal"],
        ),
        (
            BIGGER,
            hand("Th 9d", up="Ac", added_cents=500, spot_insurance_cents=(600,)),
            ["insurance_over_half", "insurance_not_equal"],
        ),
    ],
)
def test_insurance(rules: TableRules, now: Situation, refused: list[str]) -> None:
    assert codes(rules, Decision.INSURANCE, now) == refused


@pytest.mark.parametrize(
    ("rules", "now", "refused"),
    [
        (CLASSIC, hand("Ah Kd", up="Ac"), []),
        (CLASSIC, hand("Ah Kd", up="Kc"), ["insurance_without_ace"]),
        (CLASSIC, hand("Ah 9d", up="Ac"), ["even_money_without_blackjack"]),
        (CLASSIC, hand("Ah Kd", up="Ac", hands=2), ["even_money_without_blackjack"]),
        (FACE_UP, hand("Ah Kd", up="Ac"), ["insurance_not_offered"]),
    ],
)
def test_even_money(rules: TableRules, now: Situation, refused: list[str]) -> None:
    assert codes(rules, Decision.EVEN_MONEY, now) == refused


@pytest.mark.parametrize(
    ("rules", "now", "refused"),
    [
        (table("raise_the_roof"), hand("Th 9d", stake_cents=500, added_cents=2_500), []),
        (
            table("raise_the_roof"),
            hand("Th 9d", stake_cents=500, added_cents=3_000),
            ["raise_out_of_range"],
        ),
        (
            table("raise_the_roof"),
            hand("Th 9d", stake_cents=500, added_cents=750),
            ["raise_not_multiple"],
        ),
        (
            table("raise_the_roof"),
            hand("Th 9d", stake_cents=500, added_cents=500, dealer_has_blackjack=True),
            ["raise_against_dealer_blackjack"],
        ),
        (table("raise_the_roof"), hand("Th 9d", stake_cents=0), ["raise_without_ante"]),
        (
            table("raise_the_roof"),
            hand("Th 9d", stake_cents=500, added_cents=0),
            ["raise_without_money"],
        ),
        (
            table("raise_the_roof"),
            hand("Th 9d", stake_cents=500, added_cents=1),
            ["raise_not_multiple"],
        ),
        (CLASSIC, hand("Th 9d"), ["raise_not_offered"]),
    ],
)
def test_raising(rules: TableRules, now: Situation, refused: list[str]) -> None:
    assert codes(rules, Decision.RAISE, now) == refused
