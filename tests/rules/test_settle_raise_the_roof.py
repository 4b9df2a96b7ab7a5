"""Raise the Roof: the procedures' sample hands, its limits, and a dealer who must play out."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.rules.cards.playing_cards import DECK, cards, hand_total
from pitboss.rules.paytables.categories import raise_the_roof as bust_rows
from pitboss.rules.paytables.paytables import PAY_TABLES
from pitboss.rules.wagers.settle import settle_case
from tests.rules.cases import case, outcome, refused, settled

TABLE_A = ("raise_the_roof", "H17_6_8_A")


# The sample hands


def test_sample_hand_1_ante_only_loses() -> None:
    assert outcome(*TABLE_A, "Th 9d", "Ts Kc", 500) == ("no_bust", -500, False)


def test_sample_hand_2_ante_only_wins_even_money() -> None:
    assert outcome(*TABLE_A, "Th 9d", "Ts 6c 6d", 500) == ("bust_6", 500, True)


def test_sample_hand_3_ante_and_raise_lose_fifteen_dollars() -> None:
    assert outcome(*TABLE_A, "Th 9d", "Ts Kc", 500, raise_cents=1000) == ("no_bust", -1500, False)


def test_sample_hand_4_ante_and_raise_win_a_hundred_and_fifty_dollars() -> None:
    won = settled(*TABLE_A, "Th 9d", "Ts 6c 6d", 500, raise_cents=1000)
    assert won["payout_cents"] == 15000
    assert won["rule"] == "raise_the_roof.bust_6"
    assert won["working"] == (
        "Dealer busts with a 6: ante and raise pay 10 to 1, table A, hits soft 17. $15 wins $150."
    )


def test_sample_hand_5_a_busted_player_still_loses_fifteen_dollars() -> None:
    lost = outcome(*TABLE_A, "Th 5d 7c", "Ts 6c 4d", 500, raise_cents=1000)
    assert lost == ("no_bust", -1500, False)


def test_sample_hand_6_a_players_blackjack_still_wins_a_hundred_and_fifty_dollars() -> None:
    won = outcome(*TABLE_A, "Ah Kd", "Ts 6c 6d", 500, raise_cents=1000)
    assert won == ("bust_6", 15000, True)


def test_two_player_example_the_dealer_draws_out_and_collects() -> None:
    assert outcome(*TABLE_A, "9h 7d 7c", "9s 6c 2d", 500) == ("no_bust", -500, False)


# What the procedures say in so many words


@given(st.lists(st.sampled_from([card.name for card in DECK]), min_size=2, max_size=7))
def test_a_bust_ante_wins_or_loses_and_is_never_a_push(dealer: list[str]) -> None:
    answer = settle_case(case(*TABLE_A, "Th 9d", " ".join(dealer), 500))
    if "error" not in answer:
        busts = hand_total(cards(dealer))[0] > 21
        assert answer["payout_cents"] == (500 if busts else -500)
        assert answer["stake_returned"] is busts


def test_a_bust_ante_is_not_insured() -> None:
    assert refused(*TABLE_A, "Th 9d", "As 9c", 500, insurance_cents=250) == "unknown_field"


# Busts


def test_4567_in_any_order_the_dealer_can_draw_it() -> None:
    settled_orders = 0
    for order in itertools.permutations(["4h", "5d", "6c", "7s"]):
        hand = " ".join(order)
        if order[3] in ("4h", "5d"):
            # Three of them make 17 or 18, and the dealer stands.
            assert refused(*TABLE_A, "", hand) == "dealer_drew_too_far"
        else:
            assert outcome(*TABLE_A, "", hand)[0] == "bust_4567_unsuited"
            settled_orders += 1
    assert settled_orders == 12


@pytest.mark.parametrize(
    ("how", "dealer", "row"),
    [
        ("any_order", "5d 4c 6h 7s", "bust_4567_unsuited"),
        ("in_order", "5d 4c 6h 7s", "bust_7"),
        ("in_order", "4c 5d 6h 7s", "bust_4567_unsuited"),
        ("any_order", "4d 5c 6h Ad 7s", "bust_7"),
        ("among_others", "4d 5c 6h Ad 7s", "bust_4567_unsuited"),
        ("among_others", "4d 5d 6d Ac 7d", "bust_4567_suited"),
        ("among_others", "4d 5c 6h Ad 6s", "bust_6"),
    ],
)
def test_which_bust_is_4567_is_a_house_option(how: str, dealer: str, row: str) -> None:
    answer = settled(*TABLE_A, "", dealer, options={"bust_4567": how})
    assert answer["category"] == row
    assert ("R40" in answer.get("readings", [])) is ("7s" in dealer or "7d" in dealer)


def test_cumulative_awards_pay_4567_and_its_last_card() -> None:
    options = {"awards": "cumulative"}
    won = outcome(*TABLE_A, "", "4d 5c 6h 7s", 500, raise_cents=500, options=options)
    assert won == ("bust_4567_unsuited", 1000 * (40 + 5), True)
    plain = outcome(*TABLE_A, "", "Td 6c 6h", 500, raise_cents=500, options=options)
    assert plain[1] == 10000


def test_the_ante_may_be_paid_even_money_beside_a_raise() -> None:
    options = {"ante_with_raise": "even_money"}
    won = settled(*TABLE_A, "", "Td 6c 6h", 500, raise_cents=1000, options=options)
    assert won["payout_cents"] == 500 + 10000
    assert "R46" in won["readings"]


def test_dealer_blackjack_takes_the_ante_and_allows_no_raise() -> None:
    assert outcome(*TABLE_A, "", "Ad Kc", 500) == ("dealer_blackjack", -500, False)
    code = refused(*TABLE_A, "", "Ad Kc", 500, raise_cents=500)
    assert code == "raise_against_dealer_blackjack"


def test_a_hand_that_does_not_bust_fits_no_row() -> None:
    assert bust_rows((), cards(["Td", "7c"])) == ()
    assert bust_rows((), cards(["Td", "6c", "Kh"])) == ("bust_10",)


# Raises and limits


@pytest.mark.parametrize("times", [1, 2, 3, 4, 5])
def test_a_raise_is_one_to_five_antes(times: int) -> None:
    assert outcome(*TABLE_A, "", "Td 6c 8h", 500, raise_cents=500 * times)[1] == 1000 * (1 + times)


@pytest.mark.parametrize(
    ("code", "cents"),
    [("raise_out_of_range", 3000), ("raise_out_of_range", 499), ("raise_not_multiple", 750),
     ("bad_amount", -500), ("bad_amount", "500")],
)  # fmt: skip
def test_another_raise_is_refused(code: str, cents: object) -> None:
    assert refused(*TABLE_A, "", "Td 6c 6h", 500, raise_cents=cents) == code


def test_a_house_may_take_any_raise_between_one_and_five_antes() -> None:
    options = {"raise_multiples": "any"}
    won = settled(*TABLE_A, "", "Td 6c 8h", 500, raise_cents=750, options=options)
    assert (won["payout_cents"], won["readings"]) == (2500, ["R41"])
    lost = settled(*TABLE_A, "", "Td Kc", 500, raise_cents=750, options=options)
    assert (lost["payout_cents"], lost["readings"]) == (-1250, ["R41"])


def test_a_called_limit_bounds_ante_and_raise() -> None:
    limit = {"pay_or_take_to_limit": True, "table_max_cents": 500}
    assert outcome(*TABLE_A, "", "Td 6c 8h", 1000, raise_cents=5000, **limit)[1] == 2 * 3000
    assert outcome(*TABLE_A, "", "Td Kc", 1000, raise_cents=1000, **limit)[1] == -1500


def test_a_fraction_of_a_cent_on_a_house_table_is_dropped_once_said() -> None:
    pays = {"bust_10": "3:2", "bust_9": "1:1", "bust_8": "2:1", "bust_7": "5:1", "bust_6": "11:1"}
    won = settled("raise_the_roof", pays, "", "Td 6c Kh", 25, raise_cents=25, dealer_soft_17="hit")
    assert (won["payout_cents"], won["readings"]) == (74, ["R03"])


# A dealer who must play out


@pytest.mark.parametrize(
    ("code", "table", "dealer"),
    [
        ("dealer_not_finished", "H17_6_8_A", "Ad 6c"),
        ("dealer_not_finished", "H17_2_B", "Td 6c"),
        ("dealer_drew_too_far", "S17_6_8_A", "Ad 6c 2h"),
        ("dealer_drew_too_far", "H17_6_8_A", "Ad 7c 2h"),
        ("missing_dealer_cards", "H17_6_8_A", "Ad"),
        ("missing_dealer_cards", "H17_6_8_A", ""),
    ],
)
def test_a_dealer_who_did_not_play_out_cannot_be_settled(
    code: str, table: str, dealer: str
) -> None:
    assert refused("raise_the_roof", table, "", dealer) == code


def test_soft_17_follows_the_pay_table() -> None:
    assert outcome("raise_the_roof", "S17_6_8_A", "", "Ad 6c")[0] == "no_bust"
    assert outcome("raise_the_roof", "H17_6_8_A", "", "Ad 6c Ah")[0] == "no_bust"
    assert outcome("raise_the_roof", "H17_6_8_A", "", "Ad 6c Ah", dealer_soft_17="hit")[1] == -1000
    code = refused("raise_the_roof", "H17_6_8_A", "", "Ad 6c", dealer_soft_17="stand")
    assert code == "soft_17_differs"


def test_there_is_no_two_deck_table_that_stands_on_soft_17() -> None:
    assert refused("raise_the_roof", "S17_2_A", "", "Td 6c 6h") == "unknown_paytable"
    assert {table.soft_17 for table in PAY_TABLES["raise_the_roof"].values()} == {"hit", "stand"}


def test_a_dealer_bet_comes_down_with_its_payoff() -> None:
    facts: dict[str, Any] = {"raise_cents": 500, "dealer_bet": True}
    assert settled(*TABLE_A, "", "Td 6c 6h", 500, **facts)["working"].endswith("come down.")
