"""The edge of the main game, against a slow second opinion that deals in table order."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import pytest

from pitboss.rules.games.dealer import must_draw
from pitboss.rules.games.strategy import Move, chart_move
from pitboss.rules.ratings import wire
from pitboss.rules.ratings.main_odds import VALUES, Gone, MainRules, OddsPlay, held, main_edge


@dataclass(frozen=True, slots=True)
class SmallShoe(MainRules):
    """A shoe with few values, so that every order of its cards can be dealt."""

    cards: tuple[tuple[int, int], ...] = ()

    @property
    def shoe(self) -> Gone:
        counts = dict(self.cards)
        return tuple(counts.get(value, 0) for value in range(11))


Shoe = tuple[int, ...]
Hand = tuple[int, ...]


class InTableOrder:
    """Deals one card after another: to each split hand in turn, then to the dealer."""

    def __init__(self, rules: SmallShoe) -> None:
        self.rules = rules

    def edge(self) -> Fraction:
        won = Fraction(0)
        for first, p1, shoe1 in drawn(self.rules.shoe):
            for up, p2, shoe2 in drawn(shoe1):
                for second, p3, shoe3 in drawn(shoe2):
                    won += p1 * p2 * p3 * self.dealt((first, second), up, shoe3)
        return -won

    def dealt(self, hand: Hand, up: int, shoe: Shoe) -> Fraction:
        won = Fraction(0)
        for hole, chance, left in drawn(shoe):
            natural = sorted(hand) == [1, 10]
            if sorted((up, hole)) == [1, 10]:
                won += chance * (0 if natural else -1)
            elif natural:
                won += chance * self.rules.blackjack_pays
            else:
                won += chance * self.played((), (hand,), up, hole, left)
        return won

    @cache  # noqa: B019
    def played(
        self, done: tuple[tuple[int, int], ...], waiting: tuple[Hand, ...], up: int, hole: int,
        shoe: Shoe,
    ) -> Fraction:  # fmt: skip
        """Play the first waiting hand to its end; `done` are totals with their stakes."""
        if not waiting:
            return self.settled(done, (up, hole), shoe)
        hand, rest = waiting[0], waiting[1:]
        hands = len(done) + len(waiting)
        if len(hand) == 1:
            return sum(
                (p * self.played(done, ((*hand, card), *rest), up, hole, left)
                 for card, p, left in drawn(shoe)),
                Fraction(0),
            )  # fmt: skip
        of = held(hand)
        if of.total > 21:
            return self.played((*done, (22, 1)), rest, up, hole, shoe)
        split_aces = hand[0] == 1 and hands > 1 and len(hand) == 2
        is_pair = len(hand) == 2 and hand[0] == hand[1] and not split_aces
        pair_of = hand[0] if is_pair and hands < self.rules.hands_max else None
        if split_aces:
            move = Move.STAND
        else:
            move = chart_move(of.total, soft=of.soft, pair_of=pair_of, up=up)
        if move is Move.DOUBLE and len(hand) > 2:
            move = Move.STAND if of.soft and of.total == 18 else Move.HIT
        if move is Move.STAND:
            return self.played((*done, (of.total, 1)), rest, up, hole, shoe)
        if move is Move.SPLIT:
            return self.played(done, (hand[:1], hand[:1], *rest), up, hole, shoe)
        worth = Fraction(0)
        for card, chance, left in drawn(shoe):
            after = (*hand, card)
            if move is Move.DOUBLE:
                total = min(held(after).total, 22)
                worth += chance * self.played((*done, (total, 2)), rest, up, hole, left)
            else:
                worth += chance * self.played(done, (after, *rest), up, hole, left)
        return worth

    def settled(self, done: tuple[tuple[int, int], ...], dealer: Hand, shoe: Shoe) -> Fraction:
        hand = held(dealer)
        if must_draw(hand.total, hand.soft, self.rules.soft_17):
            return sum(
                (p * self.settled(done, (*dealer, card), left) for card, p, left in drawn(shoe)),
                Fraction(0),
            )
        won = 0
        for total, stake in done:
            if total > 21:
                won -= stake
            elif hand.total > 21 or total > hand.total:
                won += stake
            elif total < hand.total:
                won -= stake
        return Fraction(won)


def drawn(shoe: Shoe) -> list[tuple[int, Fraction, Shoe]]:
    cards = sum(shoe)
    return [
        (value, Fraction(shoe[value], cards),
         (*shoe[:value], shoe[value] - 1, *shoe[value + 1 :]))
        for value in VALUES
        if shoe[value]
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("hands_max", "soft_17", "cards"),
    [
        (2, "stand", ((1, 4), (6, 8), (8, 8), (10, 16))),
        (3, "hit", ((1, 6), (7, 10), (8, 8), (10, 12))),
        (4, "stand", ((6, 10), (8, 8), (10, 18))),
    ],
)
def test_split_hands_are_worth_what_dealing_in_table_order_gives(
    hands_max: int, soft_17: str, cards: tuple[tuple[int, int], ...]
) -> None:
    rules = SmallShoe(0, soft_17, Fraction(3, 2), hands_max, cards=cards)
    assert main_edge(rules) == InTableOrder(rules).edge()


def test_what_a_blackjack_pays_moves_the_edge_by_how_often_it_comes() -> None:
    cards = ((1, 4), (7, 10), (9, 10), (10, 10))
    three_to_two, even = (
        main_edge(SmallShoe(0, "hit", pays, 4, cards=cards))
        for pays in (Fraction(3, 2), Fraction(1))
    )
    shoe = SmallShoe(0, "hit", Fraction(1), 4, cards=cards).shoe
    paid = Fraction(0)
    for first, p1, shoe1 in drawn(shoe):
        for second, p2, shoe2 in drawn(shoe1):
            if sorted((first, second)) == [1, 10]:
                blackjack = Fraction(2 * shoe2[1] * shoe2[10], sum(shoe2) * (sum(shoe2) - 1))
                paid += p1 * p2 * (1 - blackjack)
    assert even - three_to_two == paid / 2


@pytest.mark.parametrize(
    ("hand", "up", "move", "chart"),
    [
        (["8", "8"], "T", "hit", "split"),
        (["A", "7"], "3", "stand", "double"),
        (["A", "3", "4"], "3", "hit", "stand"),
        (["2", "3", "6"], "5", "stand", "hit"),
        (["A", "A"], "6", "hit", "split"),
        (["T", "6"], "T", "double", "hit"),
        (["T", "T"], "6", "split", "stand"),
    ],
)
def test_a_departure_names_what_the_chart_says(
    hand: list[str], up: str, move: str, chart: str
) -> None:
    case = {"decks": 1, "soft_17": "hit", "hands_max": 4, "hand": hand, "up": up, "move": move}
    answer = wire.answer({"ask": "departure", "case": case})
    assert answer["chart"] == chart
    assert Fraction(answer["cost"]) > 0
    followed = wire.answer({"ask": "departure", "case": {**case, "move": chart}})
    assert followed["cost"] == "0"


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"hand": ["T"]}, "bad_hand"),
        ({"hand": ["T", "9", "5"]}, "bad_hand"),
        ({"hand": ["A", "K"]}, "bad_hand"),
        ({"hand": ["2"] * 5}, "bad_hand"),
        ({"hand": ["T", "6"], "move": "split"}, "bad_move"),
        ({"hand": ["2", "3", "6"], "move": "double"}, "bad_move"),
    ],
)
def test_a_hand_or_move_that_cannot_be_has_no_cost(change: dict[str, object], code: str) -> None:
    case = {"decks": 1, "soft_17": "hit", "hands_max": 4, "hand": ["T", "6"], "up": "7",
            "move": "stand", **change}  # fmt: skip
    assert wire.answer({"ask": "departure", "case": case}) == {"error": {"code": code}}


def test_a_dealer_with_nothing_but_tens_always_stands_on_twenty() -> None:
    rules = SmallShoe(0, "stand", Fraction(3, 2), 2, cards=((10, 40),))
    assert OddsPlay(rules, 10).chart(10, 10) == 0
