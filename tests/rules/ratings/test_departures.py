"""Moves of told hands, and what a move off the chart costs, exactly."""

from __future__ import annotations

from fractions import Fraction

import pytest

from pitboss.rules.games.strategy import Move
from pitboss.rules.ratings.departures import Departure, Made, departure, moves_of
from pitboss.rules.ratings.main_odds import MainRules
from pitboss.rules.ratings.reckoning import Unreckoned

SIX = MainRules(6, "stand", Fraction(3, 2), 4)
STAND, HIT, DOUBLE, SPLIT = Move.STAND, Move.HIT, Move.DOUBLE, Move.SPLIT


def test_w39_a_departure_costs_what_the_chart_gives_more() -> None:
    made = Made((10, 6), STAND)
    cost = Fraction(27445807592216429, 404491992711304410)
    assert departure(SIX, 7, made) == Departure(made, HIT, cost)
    better = departure(SIX, 4, Made((10, 2), HIT))
    assert better is not None
    assert (better.chart, better.cost < 0) == (STAND, True)
    assert departure(SIX, 7, Made((10, 6), HIT)) is None


@pytest.mark.parametrize(
    ("values", "told", "moves"),
    [
        ([10, 6], {}, [((10, 6), STAND)]),
        ([10, 2, 5], {}, [((10, 2), HIT), ((10, 2, 5), STAND)]),
        # A bust has ended by itself, and on 21 nobody decides.
        ([10, 2, 10], {}, [((10, 2), HIT)]),
        ([10, 2, 9], {}, [((10, 2), HIT)]),
        ([6, 5, 10], {"is_doubled": True}, [((6, 5), DOUBLE)]),
        ([8, 8], {"is_split": True}, [((8, 8), SPLIT)]),
        ([1, 10], {}, []),
        ([10], {}, []),
    ],
)
def test_a_hand_tells_its_moves(
    values: list[int], told: dict[str, bool], moves: list[tuple[tuple[int, ...], Move]]
) -> None:
    assert moves_of(values, **told) == [Made(*move) for move in moves]


@pytest.mark.parametrize(
    ("values", "move", "code"),
    [
        ((10, 10, 5), STAND, "bad_hand"),
        ((10,), STAND, "bad_hand"),
        ((1, 10), STAND, "bad_hand"),
        ((1,) * 10, STAND, "bad_hand"),
        ((10, 6), SPLIT, "bad_move"),
        ((2, 3, 4), DOUBLE, "bad_move"),
    ],
)
def test_cards_and_moves_that_cannot_be_are_not_reckoned(
    values: tuple[int, ...], move: Move, code: str
) -> None:
    one = MainRules(1, "stand", Fraction(3, 2), 4) if len(values) > 4 else SIX
    with pytest.raises(Unreckoned, match=code):
        departure(one, 7, Made(values, move))
