"""Cards, hands and what a hand totals."""

from __future__ import annotations

import copy
import pickle
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.rules.cards.playing_cards import (
    DECK,
    Card,
    card,
    cards,
    check_decks,
    hand_total,
    is_blackjack,
    total_words,
)
from pitboss.rules.quoting import quoted
from pitboss.rules.refusal import Refused

HANDS = st.lists(st.sampled_from(DECK), min_size=1, max_size=12)


def test_there_are_52_cards_each_one_object() -> None:
    assert len({c.name for c in DECK}) == 52
    assert all(card(c.name) is c for c in DECK)
    assert {c.name for c in DECK if c.is_red} == {c.name for c in DECK if c.suit in "hd"}
    assert sum(c.is_ten for c in DECK) == 16
    assert sum(c.is_ace for c in DECK) == 4


def test_a_copied_or_pickled_card_is_the_same_card() -> None:
    queen = card("Qh")
    assert copy.deepcopy(queen) is queen
    assert pickle.loads(pickle.dumps(queen)) is queen
    assert str(queen) == "Qh"
    assert (queen.word, card("Td").word, card("As").word) == ("queen", "10", "ace")


@pytest.mark.parametrize("name", ["", "Q", "10h", "qh", "QH", "1c", "Qx", "Qhh", 7, None, ["Qh"]])
def test_what_is_no_card_is_refused(name: object) -> None:
    with pytest.raises(Refused) as caught:
        card(name)
    assert caught.value.codes == ("bad_card",)


def _slow_totals(hand: list[Card]) -> tuple[int, bool]:
    """Try every way to count the aces."""
    ways = [
        (sum(values), 11 in values)
        for values in product(*[(1, 11) if c.rank == "A" else (c.value,) for c in hand])
    ]
    alive = [way for way in ways if way[0] <= 21]
    return max(alive) if alive else (min(ways)[0], False)


@given(HANDS)
def test_a_total_is_the_best_way_to_count_the_aces(hand: list[Card]) -> None:
    assert hand_total(hand) == _slow_totals(hand)


@given(HANDS, st.randoms())
def test_the_order_of_cards_does_not_change_a_total(hand: list[Card], random: object) -> None:
    assert hand_total(hand) == hand_total(sorted(hand, key=lambda c: c.name))


@pytest.mark.parametrize(
    ("hand", "is_one"),
    [("Ah Kd", True), ("Td As", True), ("Ah 9d", False), ("5h 6d", False), ("7h 7d 7c", False),
     ("Ah", False), ("Ah Ad", False)],
)  # fmt: skip
def test_a_blackjack_is_an_ace_and_a_ten(hand: str, is_one: bool) -> None:
    assert is_blackjack(cards(hand.split())) is is_one


def test_totals_are_said_as_a_dealer_calls_them() -> None:
    assert total_words(cards(["Ah", "6d"])) == "soft 17"
    assert total_words(cards(["Ah", "Kd"])) == "21"
    assert total_words(cards(["Th", "6d"])) == "16"


def test_a_ninth_copy_of_a_card_is_refused() -> None:
    check_decks([card("7h")] * 5, [card("7h")] * 3)
    with pytest.raises(Refused) as caught:
        check_decks([card("7h")] * 5, [card("7h")] * 4)
    assert caught.value.codes == ("too_many_of_a_card",)


@pytest.mark.parametrize(
    ("value", "text"),
    [("x" * 60, repr("x" * 39 + "…")), (True, "True"), (1.5, "1.5"), ((), "a list"),
     ({}, "an object"), (-(10**20), "a huge number"), (12, "12")],
)  # fmt: skip
def test_a_quoted_value_is_short(value: object, text: str) -> None:
    assert quoted(value) == text
