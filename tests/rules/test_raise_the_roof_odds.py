"""Raise the Roof: how often a dealer busts with which card, and what raising is worth."""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from functools import cache
from math import perm
from typing import Any

import pytest

from pitboss.rules.cards.playing_cards import CARDS, RANKS
from pitboss.rules.odds import odds
from pitboss.rules.odds.dealer_odds import dealer_endings
from pitboss.rules.odds.raise_the_roof_odds import raise_the_roof_odds
from pitboss.rules.odds.wager_odds import WagerOdds, warnings
from pitboss.rules.paytables.paytables import PAY_TABLES
from pitboss.rules.refusal import Refused

PRINTED = [
    (table, decks) for table in PAY_TABLES["raise_the_roof"].values() for decks in table.decks
]
EVEN_MONEY = {f"bust_{last}": "1:1" for last in (6, 7, 8, 9, 10)}
FOUR_TO_SEVEN = {"4", "5", "6", "7"}


def odds_of(paytable: Any, decks: int, **extra: Any) -> WagerOdds:
    return odds.odds_of(
        {"wager": "raise_the_roof", "paytable": paytable, "decks": decks, "extra": extra}
    )


@cache
def played_out(decks: int, hits_soft_17: bool) -> dict[tuple[str, str], Fraction]:
    """Play the dealer rank by rank, in fractions; return probabilities by up card and ending.

    Written apart from the rules, the slow and plain way, to compare with.
    """
    shoe = Counter(dict.fromkeys(RANKS, 4 * decks))
    found: defaultdict[tuple[str, str], Fraction] = defaultdict(Fraction)

    def total(hand: list[str]) -> tuple[int, bool]:
        hard = sum(CARDS[rank + "c"].value for rank in hand)
        return (hard + 10, True) if "A" in hand and hard <= 11 else (hard, False)

    def play(hand: list[str], probability: Fraction) -> None:
        best, soft = total(hand)
        if len(hand) >= 2 and best > 16 and not (best == 17 and soft and hits_soft_17):
            if best <= 21:
                ending = "blackjack" if best == 21 and len(hand) == 2 else "stands"
            elif set(hand) == FOUR_TO_SEVEN and len(hand) == 4:
                ending = "bust_4567"
            else:
                ending = f"bust_{CARDS[hand[-1] + 'c'].value}"
            found[hand[0], ending] += probability
            return
        left = sum(shoe.values())
        for rank in RANKS:
            if shoe[rank]:
                chance = probability * Fraction(shoe[rank], left)
                shoe[rank] -= 1
                play([*hand, rank], chance)
                shoe[rank] += 1

    play([], Fraction(1))
    return dict(found)


@pytest.fixture(scope="module", params=[True, False], ids=["hits soft 17", "stands on soft 17"])
def hits_soft_17(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


def test_every_ending_agrees_with_playing_it_out(hits_soft_17: bool) -> None:
    """On one deck, where removing cards matters most."""
    slow = played_out(1, hits_soft_17)
    quick: defaultdict[tuple[str, str], Fraction] = defaultdict(Fraction)
    for ending, probability in dealer_endings(1, "hit" if hits_soft_17 else "stand").items():
        name = "blackjack" if ending.is_blackjack else "stands"
        if ending.bust:
            exactly = sorted(ending.bust) == [4, 5, 6, 7]
            name = "bust_4567" if exactly else f"bust_{ending.bust[-1]}"
        up = {1: "A", 10: "T"}.get(ending.up, str(ending.up))
        quick[up, name] += probability
    merged: defaultdict[tuple[str, str], Fraction] = defaultdict(Fraction)
    for (up, name), probability in slow.items():
        merged["T" if up in "TJQK" else up, name] += probability
    assert quick == merged


@pytest.mark.parametrize(("table", "decks"), PRINTED, ids=lambda value: getattr(value, "id", value))
def test_probabilities_sum_to_one_and_make_the_edge(table: Any, decks: int) -> None:
    found = raise_the_roof_odds(table, decks)
    assert sum(row.probability for row in found.rows.values()) == 1
    assert found.edge == -sum(row.probability * row.pays for row in found.rows.values())
    assert {name: row.pays for name, row in found.rows.items() if name != "lose"} == {
        name: pay.award(1) for name, pay in table.pays.items()
    }
    assert warnings(found) == ()


@pytest.mark.parametrize("decks", [2, 6, 8])
def test_a_bust_of_4567_by_hand(decks: int) -> None:
    """Twelve of the 24 orders end in a bust: the last card is a 6 or a 7."""
    table = "H17_2_A" if decks == 2 else "H17_6_8_A"
    rows = odds_of(table, decks).rows
    orders = Fraction(12, perm(52 * decks, 4))
    suited, every = orders * 4 * decks**4, orders * (4 * decks) ** 4
    assert rows["bust_4567_suited"].probability == suited
    assert rows["bust_4567_unsuited"].probability == every - suited


def test_how_4567_is_read_changes_how_often_it_pays() -> None:
    any_order = odds_of("H17_6_8_A", 6).rows["bust_4567_suited"].probability
    in_order = odds_of("H17_6_8_A", 6, options={"bust_4567": "in_order"})
    among = odds_of("H17_6_8_A", 6, options={"bust_4567": "among_others"})
    assert in_order.rows["bust_4567_suited"].probability == any_order / 12
    assert sum(row.probability for row in among.rows.values()) == 1
    # An ace may lie among them, the 7 last: after 4, 5 and 6 in any order (six ways), third after
    # 5 and 6, or first or second with the 5, then 6-4, or with the 6, then 5-4 (two ways each).
    # Ace and 6 is a soft 17, on which not every dealer draws.
    for table, ways in (("H17_6_8_A", 12), ("S17_6_8_A", 10)):
        found = odds_of(table, 6, options={"bust_4567": "among_others"})
        with_ace = Fraction(ways * 24 * 4 * 6**4, perm(312, 5))
        assert found.rows["bust_4567_suited"].probability == any_order + with_ace


def test_what_raising_is_worth_agrees_with_playing_it_out(hits_soft_17: bool) -> None:
    pays = {
        "bust_4567_suited": "300:1", "bust_4567_unsuited": "30:1", "bust_6": "10:1",
        "bust_7": "5:1", "bust_8": "2:1", "bust_9": "1:1", "bust_10": "1:1",
    }  # fmt: skip
    soft_17 = "hit" if hits_soft_17 else "stand"
    raising = odds_of(pays, 1, soft_17=soft_17).raising
    assert raising is not None

    by_ending = {"stands": Fraction(-1), "bust_4567": Fraction(63 * 30 + 300, 64)}
    by_ending |= {
        f"bust_{at}": Fraction(to) for at, to in ((6, 10), (7, 5), (8, 2), (9, 1), (10, 1))
    }
    by_table: defaultdict[str, Fraction] = defaultdict(Fraction)
    ante_only: defaultdict[str, Fraction] = defaultdict(Fraction)
    dealt: defaultdict[str, Fraction] = defaultdict(Fraction)
    blackjack = Fraction(0)
    for (up, ending), probability in played_out(1, hits_soft_17).items():
        value = "T" if up in "TJQK" else up
        if ending == "blackjack":
            blackjack += probability
            continue
        dealt[value] += probability
        by_table[value] += probability * by_ending[ending]
        ante_only[value] += probability * (-1 if ending == "stands" else 1)
    assert raising.ante_only_edge == blackjack - sum(ante_only.values())
    assert raising.raise_edge == -sum(by_table.values()) / (1 - blackjack)

    best = {
        up: max([ante_only[up]] + [(1 + times) * by_table[up] for times in range(1, 6)])
        for up in dealt
    }
    assert raising.best_edge == blackjack - sum(best.values())
    staked = 1 + sum(raising.best_raises[up] * dealt[up] for up in dealt)
    assert raising.best_risk_edge == raising.best_edge / staked
    for up, times in raising.best_raises.items():
        won = (1 + times) * by_table[up] if times else ante_only[up]
        assert won == best[up]


def test_the_best_play_raises_most_against_a_4_5_or_6() -> None:
    raising = odds_of("H17_6_8_A", 8).raising
    assert raising is not None
    assert raising.best_raises == {
        "A": 0, "2": 1, "3": 1, "4": 5, "5": 5, "6": 5, "7": 0, "8": 0, "9": 0, "T": 0,
    }  # fmt: skip
    assert raising.best_edge < raising.raise_edge < raising.ante_only_edge


def test_an_ante_paid_even_money_beside_a_raise_is_worth_less() -> None:
    by_table = odds_of("H17_6_8_A", 6).raising
    even_money = odds_of("H17_6_8_A", 6, options={"ante_with_raise": "even_money"}).raising
    assert by_table is not None
    assert even_money is not None
    assert even_money.best_edge > by_table.best_edge
    assert even_money.ante_only_edge == by_table.ante_only_edge
    assert even_money.best_raises["2"] == 0


def test_a_house_table_may_leave_out_4567() -> None:
    found = odds_of(EVEN_MONEY, 4, soft_17="stand")
    assert list(found.rows) == ["bust_6", "bust_7", "bust_8", "bust_9", "bust_10", "lose"]
    busts = 1 - found.rows["lose"].probability
    assert found.edge == 1 - 2 * busts
    assert found.raising is not None
    assert found.raising.ante_only_edge == found.edge


def test_a_table_a_skilled_player_beats_is_named() -> None:
    found = odds_of(EVEN_MONEY | {"bust_6": "30:1"}, 6, soft_17="hit")
    assert "favours_best_play" in [warning.code for warning in warnings(found)]


def test_the_answer_writes_fractions() -> None:
    answer = odds.answer({"wager": "raise_the_roof", "paytable": "S17_6_8_B", "decks": 8})
    assert Fraction(answer["raising"]["best_edge"]) < Fraction(answer["edge"])
    assert answer["raising"]["best_raises"]["6"] == 5
    assert set(answer["raising"]) == {
        "ante_only_edge",
        "raise_edge",
        "best_edge",
        "best_risk_edge",
        "best_raises",
    }


@pytest.mark.parametrize(
    ("paytable", "decks", "extra", "code"),
    [
        ("H17_6_8_A", 2, {}, "wrong_decks"),
        ("H17_2_A", 6, {}, "wrong_decks"),
        ("S17_2_A", 2, {}, "unknown_paytable"),
        (EVEN_MONEY, 6, {}, "missing_soft_17"),
        (EVEN_MONEY, 6, {"soft_17": "maybe"}, "bad_soft_17"),
        ("H17_6_8_A", 6, {"soft_17": "stand"}, "soft_17_differs"),
    ],
)
def test_a_case_that_cannot_be(paytable: Any, decks: int, extra: dict[str, Any], code: str) -> None:
    with pytest.raises(Refused) as refused:
        odds_of(paytable, decks, **extra)
    assert refused.value.codes == (code,)


def test_a_printed_table_may_repeat_its_soft_17() -> None:
    assert odds_of("H17_6_8_A", 6, soft_17="hit") == odds_of("H17_6_8_A", 6)
