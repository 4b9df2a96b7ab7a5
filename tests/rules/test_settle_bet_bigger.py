"""Bet Bigger: every spot settled alike, insured equally, doubled and split bet by bet."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.cases import outcome, refused, settled

SPOTS = ["2x", "3x", "4x"]


def test_bet_bigger_settles_every_spot_alike() -> None:
    assert outcome("bet_bigger", "3:2", "Th 9d", "9c 8d", 500, spots=SPOTS)[1] == 2000
    assert outcome("bet_bigger", "3:2", "Th 9d", "9c 8d", 500)[1] == 500
    assert outcome("bet_bigger", "3:2", "Th 6d 8c", "9c 8d", 1000, spots=SPOTS)[1] == -4000
    natural = outcome("bet_bigger", "3:2", "Ah Kd", "9s 8c", 250, spots=["2x"])
    assert natural == ("player_blackjack", 750, None)


def test_bet_bigger_blackjack_against_a_ten_is_paid_in_full_or_even_money() -> None:
    full = settled("bet_bigger", "3:2", "Ah Kd", "Ts 9c", 250, spots=["2x"])
    assert full["payout_cents"] == 750
    assert "R12" in full["readings"]
    options = {"natural_after_check": "even_money"}
    assert outcome("bet_bigger", "3:2", "Ah Kd", "Ts 9c", 250, options=options)[1] == 250
    assert outcome("bet_bigger", "3:2", "Ah Kd", "9s 9c", 250, options=options)[1] == 375


def test_bet_bigger_a_ten_with_an_ace_beneath_takes_every_bet_and_pushes_a_blackjack() -> None:
    for up in ("Ts Ac", "Ks Ac"):
        assert outcome("bet_bigger", "3:2", "Th 9d", up, 500, spots=SPOTS)[1] == -2000
        assert outcome("bet_bigger", "3:2", "Ah Kd", up, 500, spots=SPOTS)[1] == 0


def test_bet_bigger_spots_may_hold_as_many_antes_as_their_name_says() -> None:
    options = {"bet_bigger_spot": "multiple"}
    paid = outcome("bet_bigger", "3:2", "Th 9d", "9c 8d", 500, spots=SPOTS, options=options)
    assert paid[1] == 500 * (1 + 2 + 3 + 4)


def test_bet_bigger_insures_every_bet_equally() -> None:
    each = {"spots": ["2x", "3x"], "insurance_each_cents": 500}
    assert outcome("bet_bigger", "3:2", "Th 9d", "As Td", 1000, **each)[1] == 0
    assert outcome("bet_bigger", "3:2", "Th 9d", "As 9c", 1000, **each)[1] == -4500


def test_bet_bigger_even_money_and_surrender() -> None:
    even = {"spots": ["4x"], "even_money": True}
    assert outcome("bet_bigger", "3:2", "Ah Kd", "As Td", 500, **even) == ("even_money", 1000, None)
    gone = {"spots": ["4x"], "surrender": True}
    assert outcome("bet_bigger", "3:2", "Th 6d", "Ts 9c", 500, **gone)[1] == -500


def test_bet_bigger_doubles_may_differ_unless_the_house_wants_them_equal() -> None:
    uneven = {"spots": ["2x"], "double_cents_by_bet": {"ante": 1000, "2x": 400}}
    won = settled("bet_bigger", "3:2", "5h 6d Td", "Ts 8c", 1000, **uneven)
    assert won["payout_cents"] == 3400
    assert "R32" in won["readings"]
    equal = {"bet_bigger_doubles": "equal"}
    code = refused("bet_bigger", "3:2", "5h 6d Td", "Ts 8c", 1000, options=equal, **uneven)
    assert code == "doubles_differ"
    same = {"spots": ["2x"], "double_cents_by_bet": {"ante": 400, "2x": 400}}
    assert outcome("bet_bigger", "3:2", "5h 6d Td", "Ts 8c", 1000, options=equal, **same)[1] == 2800


def test_bet_bigger_splits_by_printed_rank_with_doubles_by_bet() -> None:
    hands = [
        {"cards": ["8h", "Th"]},
        {"cards": ["8d", "3c", "Td"], "double_cents_by_bet": {"ante": 500}},
    ]
    split_hands = {"spots": ["2x"], "split_hands": hands}
    # Hand 1 pushes on ante and 2x; hand 2 wins ante, its double and 2x.
    assert outcome("bet_bigger", "3:2", "8h 8d", "Ts 8c", 500, **split_hands)[1] == 1500
    unlike = [{"cards": ["Kh", "Th"]}, {"cards": ["Qd", "Td"]}]
    assert refused("bet_bigger", "3:2", "Kh Qd", "Ts 8c", split_hands=unlike) == "split_not_pair"


def test_bet_bigger_dealer_hits_soft_17_unless_the_table_says_otherwise() -> None:
    assert refused("bet_bigger", "3:2", "Th 8d", "As 6c", 500) == "dealer_not_finished"
    assert outcome("bet_bigger", "3:2", "Th 8d", "As 6c", 500, dealer_soft_17="stand")[1] == 500


@pytest.mark.parametrize(
    ("code", "stake_cents", "extra"),
    [
        ("ante_above_limit", 1001, {}),
        ("bad_spots", 500, {"spots": "2x"}),
        ("bad_spots", 500, {"spots": ["5x"]}),
        ("bad_spots", 500, {"spots": [2]}),
        ("bad_spots", 500, {"spots": ["2x", "2x"]}),
        ("bad_spots", 500, {"spots": ["2x"] * 4}),
        ("insurance_over_half", 500, {"insurance_each_cents": 251}),
        ("bad_doubles", 500, {"double_cents_by_bet": 500}),
        ("double_without_bet", 500, {"double_cents_by_bet": {"2x": 500}}),
        ("double_above_wager", 500, {"double_cents_by_bet": {"ante": 501}}),
        ("bad_amount", 500, {"double_cents_by_bet": {"ante": 0}}),
        ("cannot_combine", 500, {"even_money": True, "surrender": True}),
        ("cannot_combine", 500, {"surrender": True, "double_cents_by_bet": {"ante": 500}}),
        ("cannot_combine", 500, {"even_money": True, "from_split": True}),
        ("cannot_combine", 500, {"even_money": True, "insurance_each_cents": 100}),
        ("unknown_field", 500, {"table_max_cents": 100}),
        ("unknown_paytable", 500, {"table": "6:5"}),
    ],
)  # fmt: skip
def test_a_bet_bigger_case_that_cannot_be_is_refused(
    code: str, stake_cents: int, extra: dict[str, Any]
) -> None:
    table = extra.pop("table", "3:2")
    assert refused("bet_bigger", table, "5h 6d Td", "As 8c", stake_cents, **extra) == code
