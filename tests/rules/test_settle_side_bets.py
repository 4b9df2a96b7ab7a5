"""Side bets: the documents' own examples, every row, and what each house option changes."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.rules.book.options import HouseOptions
from pitboss.rules.cards.playing_cards import DECK, Card
from pitboss.rules.paytables.categories import CATEGORISERS, category
from pitboss.rules.paytables.paytables import PAY_TABLES, ROWS
from pitboss.rules.wagers.settle import settle_case
from tests.rules.cases import case, outcome, refused, settled

CARD = st.sampled_from([card.name for card in DECK])
ODDS_BETS = [
    (wager, table)
    for wager in (
        "bet_the_set_21",
        "royal_match_21",
        "perfect_pair",
        "trilux",
        "super_3",
        "match_the_dealer",
    )
    for table in PAY_TABLES[wager]
]


# The documents' own examples


@pytest.mark.parametrize(
    ("hand", "row"),
    [("Jh Jh", "suited_pair"), ("4c 4s", "non_suited_pair"), ("Tc Ts", "non_suited_pair")],
)
def test_perfect_pair_examples_of_the_bet_bigger_rules(hand: str, row: str) -> None:
    assert outcome("perfect_pair", "A", hand)[0] == row


def test_lucky_ladies_twenty_dollars_on_five_is_profit() -> None:
    assert outcome("lucky_ladies", "A", "Kd Ts", "8s", 500) == ("non_suited_20", 2000, True)


def test_blazing_7s_ten_dollars_on_five_leaves_five() -> None:
    answer = settled("blazing_7s", "A", "9d 7h", "Kc", 500)
    assert (answer["payout_cents"], answer["net_cents"], answer["stake_returned"]) == (
        1000,
        500,
        False,
    )


# Three-card poker against an independent reading


def _poker(hand: tuple[Card, ...]) -> str:
    """Name the best TRI-02 row the slow way."""
    ranks = ["A23456789TJQK".index(card.rank) for card in hand]
    suited = len({card.suit for card in hand}) == 1
    runs = [{low, low + 1, low + 2} for low in range(11)] + [{11, 12, 0}]
    if set(ranks) == {0, 11, 12} and suited:
        return "mini_royal"
    if set(ranks) in runs and suited:
        return "straight_flush"
    if len(set(ranks)) == 1:
        return "three_of_a_kind"
    if set(ranks) in runs:
        return "straight"
    return "flush" if suited else "lose"


def test_trilux_names_every_three_cards_as_an_independent_reading_does() -> None:
    table = PAY_TABLES["trilux"]["TRI-02"]
    for hand in itertools.combinations_with_replacement(DECK, 3):
        assert category(table, hand[:2], hand[2:]) == _poker(hand), hand


@given(st.lists(CARD, min_size=3, max_size=3), st.sampled_from(ODDS_BETS))
def test_swapping_the_players_two_cards_changes_nothing(
    names: list[str], bet: tuple[str, str]
) -> None:
    one, other, up = names
    there = outcome(*bet, f"{one} {other}", up)
    back = outcome(*bet, f"{other} {one}", up)
    assert there == back


@given(
    st.lists(CARD, min_size=3, max_size=3),
    st.sampled_from(ODDS_BETS),
    st.integers(min_value=1, max_value=10**7),
)
def test_a_doubled_even_stake_doubles_the_payout(
    names: list[str], bet: tuple[str, str], half: int
) -> None:
    if bet[0] in ("match_the_dealer", "perfect_pair"):
        # These take at most $10.
        half = 1 + half % 250
    hand, up = " ".join(names[:2]), names[2]
    once = outcome(*bet, hand, up, 2 * half)
    twice = outcome(*bet, hand, up, 4 * half)
    assert twice == (once[0], 2 * once[1], once[2])


@given(st.lists(CARD, min_size=4, max_size=4), st.sampled_from(sorted(CATEGORISERS)))
def test_a_hand_only_fits_rows_its_wager_has(names: list[str], wager: str) -> None:
    hand = tuple(card for card in DECK for name in names if card.name == name)
    rows = CATEGORISERS[wager].rows(hand[:2], hand[2:], HouseOptions())
    assert set(rows) <= set(ROWS[wager])


# House options


@pytest.mark.parametrize(
    ("wager", "table", "player", "up", "options", "usual", "otherwise"),
    [
        ("bet_the_set_21", "A", "Jc Qs", "", {"pair_by": "value"}, "lose", "pair"),
        ("perfect_pair", "A", "Ts Ks", "", {"pair_by": "value"}, "lose", "suited_pair"),
        ("royal_match_21", "A", "Js Qs", "", {"royal_match": "two_faces"}, "suited", "royal_match"),
        ("trilux", "TRI-01", "Ah 2d", "3c", {"ace_in_straight": "high_only"}, "straight", "lose"),
        ("trilux", "TRI-01", "Ah Kd", "Qc", {"ace_in_straight": "low_only"}, "straight", "lose"),
        (
            "trilux", "TRI-02", "Ah Kh", "Qh", {"ace_in_straight": "low_only"},
            "mini_royal", "mini_royal",
        ),
        (
            "trilux", "TRI-02", "Ah Kd", "Qc",
            {"ace_in_straight": "low_only", "mini_royal": "any_suits"}, "straight", "mini_royal",
        ),
        ("trilux", "TRI-02", "Ah Kd", "Qc", {"mini_royal": "any_suits"}, "straight", "mini_royal"),
        (
            "trilux", "TRI-01", "Kh Ad", "2c", {"ace_in_straight": "round_the_corner"},
            "lose", "straight",
        ),
        (
            "super_3", "1", "Kh Ah", "2h", {"ace_in_straight": "round_the_corner"},
            "lose", "straight_flush",
        ),
        (
            "trilux", "TRI-03", "Kh Kh", "Kh", {"three_identical_cards": "flush"},
            "three_of_a_kind", "flush",
        ),
        ("trilux", "DD-5:2", "8c 9d", "8h", {"double_deck_pair": "pair_pays_5:2"}, "lose", "pair"),
        ("lucky_ladies", "A", "Ah 9h", "2c", {"ace_nine": "is_not_20"}, "suited_20", "lose"),
        ("blazing_7s", "A", "7h 5h", "7s", {"one_seven_v_seven": "loses"}, "one_seven", "lose"),
    ],
)  # fmt: skip
def test_a_house_option_changes_the_row_and_says_so(
    wager: str, table: str, player: str, up: str, options: dict[str, str], usual: str,
    otherwise: str,
) -> None:  # fmt: skip
    plain = settled(wager, table, player, up, 500)
    assert plain["category"] == usual
    assert "House option: " in plain["working"]
    assert plain["readings"]
    chosen = settled(wager, table, player, up, 500, options=options)
    assert chosen["category"] == otherwise
    assert "House option: " in chosen["working"]


def test_two_identical_faces_are_never_a_royal_match() -> None:
    answer = settled("royal_match_21", "A", "Qs Qs", options={"royal_match": "two_faces"})
    assert answer["category"] == "suited"
    assert "readings" not in answer


def test_the_double_deck_pair_pays_five_to_two_only_if_the_house_says_so() -> None:
    options = {"double_deck_pair": "pair_pays_5:2"}
    assert outcome("trilux", "DD-5:2", "8c 9d", "8h", 500, options=options)[1] == 1250
    assert outcome("trilux", "TRI-01", "8c 9d", "8h", 500, options=options)[1] == -500


def test_cumulative_awards_pay_every_row_the_hand_fits() -> None:
    options = {"awards": "cumulative"}
    royal = settled("trilux", "TRI-02", "Ah Kh", "Qh", options=options)
    assert royal["payout_cents"] == 1000 * (100 + 35 + 10 + 5)
    assert "R02" in royal["readings"]
    plain = settled("trilux", "TRI-02", "2h 9h", "Jh", options=options)
    assert plain["payout_cents"] == 5000
    assert "readings" not in plain
    queens = outcome("lucky_ladies", "A", "Qh Qh", "Qc", 500, options=options)
    assert queens == ("three_queens", 25000 + 12500 + 5000, True)
    twenty = outcome("lucky_ladies", "A", "Kh Qd", "2c", 500, options=options)
    assert twenty == ("non_suited_20", 2000, True)


@pytest.mark.parametrize(("how", "cents"), [("down", 62), ("nearest", 63), ("up", 63)])
def test_a_fraction_of_a_cent_goes_where_the_house_says(how: str, cents: int) -> None:
    answer = settled("royal_match_21", "A", "7c 4c", "", 25, options={"fractions_of_a_cent": how})
    assert answer["payout_cents"] == cents
    assert answer["readings"] == ["R03"]


# Meters


@pytest.mark.parametrize(
    ("how", "stake_cents", "others", "cents"),
    [
        ("divide_then_entitle", 500, [500], 1_250_000),
        ("divide_then_entitle", 1000, [500], 2_500_000),
        ("divide_then_entitle", 1000, [500, 500], 1_666_666),
        ("scale_entitlements", 500, [500], 2_500_000),
        ("scale_entitlements", 1000, [500], 3_333_333),
        ("scale_entitlements", 500, [], 2_500_000),
        ("divide_and_cap", 500, [500], 2_500_000),
        ("divide_and_cap", 500, [], 2_500_000),
        ("divide_and_cap", 1000, [500], 2_500_000),
        ("divide_and_cap", 500, [1000, 500], 1_666_666),
    ],
)
def test_a_posted_jackpot_is_shared_as_the_house_reads_it(
    how: str, stake_cents: int, others: list[int], cents: int
) -> None:
    answer = settled(
        "lucky_ladies", "A", "Qh Qh", "Qh", stake_cents,
        jackpots_cents={"MEGA": 5_000_000}, other_winner_stakes_cents=others,
        options={"jackpot_shares": how},
    )  # fmt: skip
    assert answer["payout_cents"] == cents
    assert ("R72" in answer.get("readings", [])) is bool(others)


def test_an_award_may_include_the_stake() -> None:
    options = {"award_stake": "included"}
    assert outcome("lucky_ladies", "A", "Kd Ts", "8s", 500, options=options)[1] == 1500


@pytest.mark.parametrize(
    ("how", "turn", "cents"),
    [("shared", 1, 333_333), ("in_turn", 1, 1_000_000), ("in_turn", 3, 810_000),
     ("each_in_full", 2, 1_000_000)],
)  # fmt: skip
def test_the_same_seven_jackpot_hand_is_paid_as_the_house_reads_it(
    how: str, turn: int, cents: int
) -> None:
    answer = settled(
        "blazing_7s", "A", "7h 7d", "7h", 500, jackpot_cents=10_000_000, winners_same_hand=3,
        winner_number=turn, options={"same_jackpot_hand": how},
    )  # fmt: skip
    assert answer["payout_cents"] == cents
    assert answer["envy_cents"] == 2500
    assert "R82" in answer["readings"]


def test_a_second_jackpot_of_a_round_is_paid_on_the_frozen_meter() -> None:
    facts = {"jackpot_cents": 10_000_000, "taken_before_cents": 1_000_000}
    frozen = settled("blazing_7s", "A", "7h 7h", "7h", 500, **facts)
    assert frozen["payout_cents"] == 10_000_000
    assert "R85" in frozen["readings"]
    reduced = {"meter_in_one_round": "reduced"}
    assert outcome("blazing_7s", "A", "7h 7h", "7h", 500, options=reduced, **facts)[1] == 9_000_000


def test_a_blazing_stake_may_go_back() -> None:
    answer = settled("blazing_7s", "A", "7h 9d", "Kc", 500, options={"blazing_stake": "returned"})
    assert (answer["payout_cents"], answer["net_cents"], answer["stake_returned"]) == (
        1000,
        1000,
        True,
    )


def test_a_losing_blazing_bet_pays_no_envy() -> None:
    answer = settled("blazing_7s", "A", "6h 8d", "7c", 500)
    assert (answer["payout_cents"], answer["net_cents"]) == (-500, -500)
    assert "envy_cents" not in answer


@pytest.mark.parametrize(
    ("code", "wager", "player", "up", "stake_cents", "extra"),
    [
        ("stake_not_taken", "lucky_ladies", "Th Td", "2c", 250, {}),
        ("stake_not_taken", "blazing_7s", "7h 9d", "Kc", 1000, {}),
        ("missing_meter", "lucky_ladies", "Qh Qh", "Qh", 500, {"jackpots_cents": {"MINOR": 1}}),
        ("missing_meter", "blazing_7s", "7h 7h", "7h", 500, {}),
        ("unknown_meter", "lucky_ladies", "Qh Qh", "Qh", 500, {"jackpots_cents": {"HUGE": 1}}),
        ("bad_meters", "lucky_ladies", "Qh Qh", "Qh", 500, {"jackpots_cents": 5}),
        ("bad_amount", "lucky_ladies", "Qh Qh", "Qh", 500, {"jackpots_cents": {"MEGA": 1.5}}),
        ("bad_amount", "lucky_ladies", "Qh Qh", "Qh", 500, {"jackpots_cents": {"MEGA": -1}}),
        ("bad_amount", "blazing_7s", "7h 7h", "7h", 500, {"jackpot_cents": 10**15}),
        ("bad_winners", "lucky_ladies", "Qh Qh", "Qh", 500, {"other_winner_stakes_cents": 500}),
        ("bad_winners", "lucky_ladies", "Qh Qh", "Qh", 500, {"other_winner_stakes_cents": [700]}),
        ("bad_winners", "lucky_ladies", "Qh Qh", "Qh", 500, {"other_winner_stakes_cents": [True]}),
        (
            "no_award_to_share", "lucky_ladies", "Kh 2d", "2c", 500,
            {"other_winner_stakes_cents": [500]},
        ),
        (
            "too_many_winners", "lucky_ladies", "Qh Qh", "Qh", 500,
            {"other_winner_stakes_cents": [500, 500, 500]},
        ),
        (
            "too_many_winners", "blazing_7s", "7h 7h", "7h", 500,
            {"jackpot_cents": 1, "winners_same_hand": 4},
        ),
        (
            "too_many_winners", "lucky_ladies", "Kh Kd", "2c", 500,
            {"other_winner_stakes_cents": [500] * 7},
        ),
        ("no_award_to_share", "blazing_7s", "6h 9d", "Kc", 500, {"winners_same_hand": 2}),
        ("bad_winners_same_hand", "blazing_7s", "7h 9d", "Kc", 500, {"winners_same_hand": 0}),
        ("bad_winners_same_hand", "blazing_7s", "7h 9d", "Kc", 500, {"winners_same_hand": True}),
        ("bad_winner_number", "blazing_7s", "7h 9d", "Kc", 500, {"winner_number": 2}),
        ("dealer_bet_not_taken", "blazing_7s", "7h 9d", "Kc", 500, {"dealer_bet": True}),
        ("unknown_field", "lucky_ladies", "Kh Kd", "2c", 500, {"table_max_cents": 500}),
    ],
)  # fmt: skip
def test_a_meter_bet_that_cannot_be_is_refused(
    code: str, wager: str, player: str, up: str, stake_cents: int, extra: dict[str, object]
) -> None:
    assert refused(wager, "A", player, up, stake_cents, **extra) == code


def test_a_fixed_award_is_paid_in_full_to_each_of_several_winners() -> None:
    mixed = outcome("blazing_7s", "A", "7s 7d", "7c", 500, winners_same_hand=2)
    assert mixed == ("three_sevens_mixed", 100_000, False)
    ladies = outcome("lucky_ladies", "A", "Qs Qd", "Qc", 500, other_winner_stakes_cents=[1000])
    assert ladies == ("three_queens", 25_000, True)


# Facts every bet may carry


@pytest.mark.parametrize("wager", ["match_the_dealer", "perfect_pair"])
def test_ten_dollars_is_the_most_on_match_the_dealer_and_perfect_pair(wager: str) -> None:
    assert settled(wager, "A", "7h 7d", "7c", 1000)["payout_cents"] > 0
    assert refused(wager, "A", "7h 7d", "7c", 1001) == "stake_above_limit"
    called = {"pay_or_take_to_limit": True, "table_max_cents": 1000}
    capped = outcome(wager, "A", "7h 7d", "7c", 1500, **called)
    assert capped == outcome(wager, "A", "7h 7d", "7c", 1000)


def test_a_dealer_bet_is_decided_like_the_players() -> None:
    won = settled("trilux", "TRI-01", "7h 7d", "7c", 500, dealer_bet=True)
    assert won["payout_cents"] == 4500
    assert won["working"].endswith("the toke and its payoff come down.")
    lost = settled("trilux", "TRI-01", "7h 8d", "Kc", 500, dealer_bet=True)
    assert lost["payout_cents"] == -500
    assert "toke" not in lost["working"]


def test_a_called_limit_bounds_what_is_paid() -> None:
    facts = {"pay_or_take_to_limit": True, "table_max_cents": 50000}
    answer = settled("trilux", "MANUAL-9", "4h 5d", "6h", 60000, **facts)
    assert (answer["payout_cents"], answer["readings"]) == (450000, ["R35"])
    whole = settled(
        "trilux", "MANUAL-9", "4h 5d", "6h", 60000, options={"over_limit": "whole_bet"}, **facts
    )
    assert whole["payout_cents"] == 540000
    within = settled("trilux", "MANUAL-9", "4h 5d", "6h", 40000, **facts)
    assert within["payout_cents"] == 360000


def test_an_over_limit_bet_without_a_call_is_flagged() -> None:
    answer = settled("trilux", "MANUAL-9", "4h 5d", "6h", 60000, table_max_cents=50000)
    assert answer["payout_cents"] == 540000
    assert "Call the supervisor" in answer["working"]


def test_a_side_bet_reads_the_first_of_the_dealers_cards() -> None:
    assert outcome("trilux", "TRI-01", "7h 7d", "7c Kd")[0] == "three_of_a_kind"
    both = case("trilux", "TRI-01", "7h 7d", "7c Kd") | {"dealer_up": "7c"}
    assert settle_case(both)["category"] == "three_of_a_kind"
    assert settle_case(both | {"dealer_up": "Kd"})["error"]["code"] == "dealer_up_differs"


@pytest.mark.parametrize(
    ("code", "player", "up", "extra"),
    [
        ("two_cards_needed", "7h", "7c", {}),
        ("two_cards_needed", "7h 7d 7s", "7c", {}),
        ("two_cards_needed", "", "7c", {"dealer_bet": False}),
        ("missing_dealer_cards", "7h 7d", "", {}),
        ("bad_card", "7h 7x", "7c", {}),
        ("bad_card", "7h 7d", "1c", {}),
        ("unknown_field", "7h 7d", "7c", {"double_cents": 500}),
        ("missing_limit", "7h 7d", "7c", {"pay_or_take_to_limit": True}),
        ("bad_flag", "7h 7d", "7c", {"dealer_bet": 1}),
        ("bad_options", "7h 7d", "7c", {"options": []}),
        ("unknown_option", "7h 7d", "7c", {"options": {"colour": "red"}}),
        ("bad_option", "7h 7d", "7c", {"options": {"pair_by": "colour"}}),
        ("bad_option", "7h 7d", "7c", {"options": {"pair_by": 1}}),
        ("too_many_of_a_card", "7h 7h", " ".join(["7h"] * 7), {}),
        ("too_many_cards", "7h 7h", " ".join(["7h"] * 25), {}),
    ],
)
def test_a_side_bet_that_cannot_be_is_refused(
    code: str, player: str, up: str, extra: dict[str, object]
) -> None:
    assert refused("trilux", "TRI-01", player, up, **extra) == code
