"""The main game: blackjack, doubles, splits, insurance, surrender, coupons and Face Up."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.rules.cards.playing_cards import DECK, cards, hand_total
from pitboss.rules.wagers.settle import settle_case
from tests.rules.cases import case, outcome, refused, settled

CARD = st.sampled_from([card.name for card in DECK])


def split(*hands: str, **doubles: int) -> list[dict[str, Any]]:
    """Write split hands; `double_2=500` doubles the second."""
    written: list[dict[str, Any]] = [{"cards": hand.split()} for hand in hands]
    for name, cents in doubles.items():
        written[int(name.removeprefix("double_")) - 1]["double_cents"] = cents
    return written


# What the house manual says in so many words


def test_manual_split_tens_and_an_ace_is_21_paid_even_money() -> None:
    answer = settled("blackjack", "3:2", "Th Td", "Ts 9c", split_hands=split("Th Ah", "Td 9d"))
    assert answer["payout_cents"] == 1000
    assert answer["readings"] == ["R13"]
    assert [hand["payout_cents"] for hand in answer["detail"]["per_hand"]] == [1000, 0]


def test_manual_irregularity_1_an_exposed_dealer_blackjack_is_a_plain_21() -> None:
    exposed = {"dealer_bj_is_21": True}
    won = settled("blackjack", "3:2", "Ah Kd", "As Kc", **exposed)
    assert (won["category"], won["payout_cents"]) == ("player_blackjack", 1500)
    assert won["rule"] == "blackjack.exposed_hole_card"
    assert outcome("blackjack", "3:2", "7h 7d 7c", "As Kc", **exposed) == ("push", 0, True)
    assert outcome("blackjack", "3:2", "Th 9d", "As Kc", **exposed)[0] == "dealer_wins"
    push = {"exposed_blackjack_v_natural": "push"}
    pushed = outcome("blackjack", "3:2", "Ah Kd", "As Kc", options=push, **exposed)
    assert pushed == ("push", 0, True)
    assert outcome("blackjack", "3:2", "Ah Kd", "9s 8c", **exposed)[0] == "player_blackjack"


def test_manual_irregularity_2_a_double_goes_back_when_a_blackjack_comes_to_light() -> None:
    lost = settled("blackjack", "3:2", "5h 6d Td", "As Kc", double_cents=1000)
    assert (lost["category"], lost["payout_cents"], lost["stake_returned"]) == (
        "dealer_blackjack",
        -1000,
        False,
    )
    assert lost["rule"] == "blackjack.dealer_blackjack_doubled"
    options = {"double_v_dealer_blackjack": "all"}
    both = outcome("blackjack", "3:2", "5h 6d Td", "As Kc", double_cents=700, options=options)
    assert both[1] == -1700
    bust = outcome("blackjack", "3:2", "9h 7d Td", "As Kc", double_cents=1000)
    assert bust == ("player_bust", -2000, False)


def test_manual_irregularity_2_a_paid_blackjack_becomes_a_push() -> None:
    paid = {"blackjack_already_paid": True}
    answer = settled("blackjack", "3:2", "Ah Kd", "Ts Ac", **paid)
    assert (answer["category"], answer["payout_cents"]) == ("push_blackjack", 0)
    assert answer["rule"] == "blackjack.paid_natural_reversed"
    assert "take the payout back" in answer["working"]
    stays = {"paid_natural_v_late_blackjack": "stays_paid"}
    kept = settled("blackjack", "3:2", "Ah Kd", "Ts Ac", options=stays, **paid)
    assert (kept["payout_cents"], kept["rule"]) == (1500, "blackjack.paid_natural_stays")
    assert outcome("blackjack", "3:2", "Ah Kd", "Ts 9c", **paid)[1] == 1500
    assert refused("blackjack", "3:2", "Th 9d", "Ts Ac", **paid) == "no_blackjack_paid"


def test_manual_a_blackjack_wins_automatically_against_a_low_card() -> None:
    assert outcome("blackjack", "3:2", "Ah Kd", "9c") == ("player_blackjack", 1500, True)
    assert refused("blackjack", "3:2", "Ah Kd", "Tc") == "missing_dealer_cards"
    assert refused("blackjack", "3:2", "Ah Kd", "Ac") == "missing_dealer_cards"
    assert refused("blackjack", "3:2", "Ah Kd", "") == "missing_dealer_cards"


def test_manual_pay_or_take_to_the_limit() -> None:
    limit = {"pay_or_take_to_limit": True, "table_max_cents": 50000}
    assert outcome("blackjack", "3:2", "Th 7d", "Ts 8c", 60000, **limit)[1] == -50000
    assert outcome("blackjack", "3:2", "Ah Kd", "9s 8c", 60000, **limit)[1] == 75000


def test_manual_toke_stays_up_on_a_push_and_comes_down_on_a_win() -> None:
    pushed = settled("blackjack", "3:2", "Th 8d", "Ts 8c", 500, dealer_bet=True)
    assert pushed["working"].endswith("the toke stays up for the next round.")
    won = settled("blackjack", "3:2", "Th 9d", "Ts 8c", 500, dealer_bet=True)
    assert (won["payout_cents"], won["working"].endswith("come down.")) == (500, True)


def test_manual_free_bet_coupon_is_only_ever_paid_even_money() -> None:
    assert outcome("free_bet_coupon", "3:2", "Ah Kd", "9c 8d", 2500) == ("coupon_win", 2500, False)
    assert outcome("free_bet_coupon", "3:2", "Th 6d 9d", "9c 8d", 2500) == ("coupon_lose", 0, False)
    assert outcome("free_bet_coupon", "3:2", "Ah Kd", "As Qd", 2500) == ("coupon_push", 0, True)
    collected = outcome(
        "free_bet_coupon", "3:2", "Th 8d", "Ts 8c", 2500, options={"coupon_push": "collected"}
    )
    assert collected == ("coupon_push", 0, False)
    assert refused("free_bet_coupon", "face_up", "Th 8d", "Ts 8c") == "unknown_paytable"
    assert refused("free_bet_coupon", "3:2", "Th 8d", "Ts 8c", double_cents=1) == "unknown_field"


def test_coupon_working_reads_as_a_sentence() -> None:
    for hand, dealer in (("Ah Kd", "9c 8d"), ("Th 6d 9d", "9c 8d"), ("Th 8d", "Ts 8c")):
        working = settled("free_bet_coupon", "3:2", hand, dealer)["working"]
        assert ".:" not in working
        assert ": :" not in working
        assert working.count("wager is lost") == 0


# Face Up


def test_face_up_dealer_wins_all_ties() -> None:
    assert outcome("blackjack", "face_up", "Th 7d", "9s 8c") == ("tie_lost", -1000, False)
    assert outcome("blackjack", "face_up", "Ah Kd", "As Kc") == ("tie_lost", -1000, False)
    push = {"face_up_double_blackjack": "push"}
    assert outcome("blackjack", "face_up", "Ah Kd", "As Kc", options=push)[0] == "push_blackjack"


def test_face_up_blackjack_pays_even_money_or_three_to_two_by_table() -> None:
    even = settled("blackjack", "face_up", "Ah Kd", "7s 7c 7d")
    assert even["payout_cents"] == 1000
    assert even["readings"] == ["R22", "R20"]
    assert settled("blackjack", "face_up_3:2", "Ah Kd", "9c 8d")["payout_cents"] == 1500


def test_a_blackjack_may_only_tie_a_drawn_21() -> None:
    tie = {"natural_v_drawn_21": "tie"}
    assert outcome("blackjack", "3:2", "Ah Kd", "7s 7c 7d", options=tie) == ("push", 0, True)
    assert outcome("blackjack", "face_up", "Ah Kd", "7s 7c 7d", options=tie)[0] == "tie_lost"
    assert outcome("blackjack", "3:2", "Ah Kd", "7s 7c 6d", options=tie)[1] == 1500
    assert refused("blackjack", "3:2", "Ah Kd", "7s 7c", options=tie) == "dealer_not_finished"


@pytest.mark.parametrize(
    "extra",
    [
        {"insurance_cents": 100},
        {"surrender": True},
        {"even_money": True},
        {"dealer_bj_is_21": True},
    ],
)
def test_face_up_offers_no_insurance_even_money_or_surrender(extra: dict[str, Any]) -> None:
    assert refused("blackjack", "face_up", "Ah Kd", "As Kc", **extra) == "not_offered"


@pytest.mark.parametrize("player", ["5h 3d Th", "Th 2d 9c", "Ah 8d 2c"])
@pytest.mark.parametrize("table", ["face_up", "face_up_3:2"])
def test_face_up_doubles_nine_to_eleven_only(table: str, player: str) -> None:
    assert refused("blackjack", table, player, "Ts 7c", 1000, double_cents=1000) == "double_total"
    split = [{"cards": ["4h", "4c", "Th"], "double_cents": 500}, {"cards": ["4d", "Td"]}]
    assert refused("blackjack", table, "4h 4d", "Ts 7c", 1000, split_hands=split) == "double_total"
    assert outcome("blackjack", "3:2", player, "Ts 7c", 1000, double_cents=1000)[1] == 2000


def test_face_up_hits_20_or_less_and_no_more() -> None:
    assert outcome("blackjack", "face_up", "Th 2d 8c Ac", "Ts 9c")[1] == 1000
    assert refused("blackjack", "face_up", "Th 2d 9c 3c", "Ts 9c") == "drew_after_21"


def test_face_up_a_better_hand_wins_even_money_and_a_worse_one_is_collected() -> None:
    assert outcome("blackjack", "face_up", "Th 9d", "Ts 8c") == ("player_wins", 1000, True)
    assert outcome("blackjack", "face_up", "Th 7d", "Ts 8c") == ("dealer_wins", -1000, False)


def test_face_up_splits_once_and_lets_split_aces_be_hit() -> None:
    hands = split("Ah 5h 4c", "Ad Qc")
    assert outcome("blackjack", "face_up", "Ah Ad", "Ts 9c", split_hands=hands)[1] == 2000
    three = split("8h Th", "8d Th", "8c Th")
    assert refused("blackjack", "face_up", "8h 8d", "Ts 9c", split_hands=three) == "bad_split_hands"


# Insurance, even money, surrender


def test_full_insurance_breaks_even_against_a_dealer_blackjack() -> None:
    assert outcome("blackjack", "3:2", "Th 9d", "As Kc", 2500, insurance_cents=1250) == (
        "dealer_blackjack",
        0,
        None,
    )


def test_insured_blackjack_against_blackjack_wins_one_bet() -> None:
    insured = settled("blackjack", "3:2", "Ah Kd", "As Kc", 2500, insurance_cents=1250)
    assert (insured["payout_cents"], insured["readings"]) == (2500, ["R16"])
    partial = {"insurance_cents": 1000}
    assert outcome("blackjack", "3:2", "Ah Kd", "As Kc", 2500, **partial)[1] == 2000
    options = {"insured_double_blackjack": "one_to_one"}
    paid = outcome("blackjack", "3:2", "Ah Kd", "As Kc", 2500, options=options, **partial)
    assert paid == ("push_blackjack", 2500, None)
    alone = outcome("blackjack", "3:2", "Th 9d", "As Kc", 2500, options=options, **partial)
    assert alone[1] == -500


def test_insurance_is_lost_beside_a_bust_and_a_surrender() -> None:
    bust = outcome("blackjack", "3:2", "Th 6d 9c", "As 8c", insurance_cents=500)
    assert bust == ("player_bust", -1500, None)
    given_up = outcome("blackjack", "3:2", "Th 6d", "As 8c", insurance_cents=500, surrender=True)
    assert given_up == ("surrender", -1000, None)


@pytest.mark.parametrize(
    ("code", "dealer", "extra"),
    [
        ("insurance_over_half", "As Kc", {"insurance_cents": 501}),
        ("insurance_without_ace", "Ks 9c", {"insurance_cents": 500}),
        ("missing_dealer_cards", "As", {"insurance_cents": 500, "surrender": True}),
        ("bad_amount", "As Kc", {"insurance_cents": -1}),
        ("bad_amount", "As Kc", {"insurance_cents": 2.5}),
        ("not_offered", "As Kc", {"insurance_cents": 500, "dealer_bj_is_21": True}),
    ],
)
def test_insurance_that_cannot_be_is_refused(code: str, dealer: str, extra: dict[str, Any]) -> None:
    assert refused("blackjack", "3:2", "Th 9d", dealer, **extra) == code


def test_insurance_beside_a_bust_needs_the_dealers_cards() -> None:
    bust = {"insurance_cents": 500}
    assert refused("blackjack", "3:2", "Th 6d 9c", "", **bust) == "missing_dealer_cards"


def test_insurance_alone_pays_two_to_one() -> None:
    main = {"main_stake_cents": 1500}
    assert outcome("insurance", "2:1", "Th 9d", "As Kc", 750, **main) == (
        "insurance_wins",
        1500,
        True,
    )
    assert outcome("insurance", "2:1", "", "As 5c 2d", 750, **main) == (
        "insurance_loses",
        -750,
        False,
    )


@pytest.mark.parametrize(
    ("code", "dealer", "extra"),
    [
        ("missing_main_stake", "As Kc", {}),
        ("insurance_over_half", "As Kc", {"main_stake_cents": 1999}),
        ("insurance_without_ace", "Ks Ac", {"main_stake_cents": 2000}),
        ("missing_dealer_cards", "As", {"main_stake_cents": 2000}),
        ("missing_dealer_cards", "", {"main_stake_cents": 2000}),
        ("bad_amount", "As Kc", {"main_stake_cents": 0}),
        ("dealer_drew_too_far", "As Kc 5d", {"main_stake_cents": 2000}),
    ],
)
def test_insurance_alone_that_cannot_be_is_refused(
    code: str, dealer: str, extra: dict[str, Any]
) -> None:
    assert refused("insurance", "2:1", "", dealer, **extra) == code


def test_even_money_settles_at_once() -> None:
    even = {"even_money": True}
    assert outcome("blackjack", "6:5", "Ts Ad", "Ac", 700, **even) == ("even_money", 700, True)
    assert outcome("blackjack", "6:5", "Ts Ad", "Ac Kd", 700, **even)[1] == 700
    assert refused("blackjack", "3:2", "Ah Kd", "Ks", **even) == "even_money_without_ace"
    assert refused("blackjack", "3:2", "Ah 9d", "As", **even) == "even_money_without_blackjack"
    assert refused("blackjack", "3:2", "Ah Kd", "", **even) == "missing_dealer_cards"


def test_surrender_loses_half_and_the_player_gets_the_smaller_half_of_an_odd_stake() -> None:
    up = {"surrender": True}
    assert outcome("blackjack", "3:2", "Th 6d", "Ts 8c", 700, **up) == ("surrender", -350, None)
    assert outcome("blackjack", "3:2", "Th 6d", "9s", 25, **up) == ("surrender", -13, None)
    nearest = {"fractions_of_a_cent": "nearest"}
    assert outcome("blackjack", "3:2", "Th 6d", "9s", 25, options=nearest, **up)[1] == -12


def test_surrender_against_a_dealer_blackjack_is_late_or_early() -> None:
    up = {"surrender": True}
    late = settled("blackjack", "3:2", "Th 6d", "As Kc", **up)
    assert (late["category"], late["payout_cents"], late["stake_returned"]) == (
        "surrender_refused_dealer_blackjack",
        -1000,
        False,
    )
    early = settled("blackjack", "3:2", "Th 6d", "As Kc", surrender_mode="early", **up)
    assert (early["category"], early["payout_cents"]) == ("surrender", -500)
    assert late["readings"] == early["readings"] == ["R18"]
    option = {"surrender_mode": "early"}
    assert outcome("blackjack", "3:2", "Th 6d", "As Kc", options=option, **up)[1] == -500
    assert outcome("blackjack", "3:2", "Th 6d", "As", surrender_mode="early", **up)[1] == -500


@pytest.mark.parametrize(
    ("code", "player", "dealer", "extra"),
    [
        ("surrender_too_late", "Th 2d 3c", "Ts 8c", {}),
        ("surrender_blackjack", "Ah Kd", "Ts 8c", {}),
        ("missing_dealer_cards", "Th 6d", "As", {}),
        ("missing_dealer_cards", "Th 6d", "", {"surrender_mode": "early"}),
        ("bad_surrender_mode", "Th 6d", "Ts 8c", {"surrender_mode": "never"}),
        ("bad_surrender_mode", "Th 6d", "Ts 8c", {"surrender_mode": None}),
        ("cannot_combine", "Th 6d", "Ts 8c", {"even_money": True}),
        ("cannot_combine", "Th 6d 2c", "Ts 8c", {"double_cents": 500}),
        ("cannot_combine", "Th 6d", "Ts 8c", {"from_split": True}),
    ],
)
def test_a_surrender_that_cannot_be_is_refused(
    code: str, player: str, dealer: str, extra: dict[str, Any]
) -> None:
    assert refused("blackjack", "3:2", player, dealer, surrender=True, **extra) == code


def test_even_money_excludes_insurance_and_every_reason_is_told() -> None:
    answer = settle_case(
        case("blackjack", "3:2", "Ah Kd", "As", even_money=True, insurance_cents=501)
    )
    codes = [reason["code"] for reason in answer["error"]["reasons"]]
    assert codes == ["cannot_combine", "insurance_over_half"]


# Doubles and hands


def test_a_double_for_less_wins_and_loses_what_was_put_up() -> None:
    assert outcome("blackjack", "3:2", "5h 6d Td", "Ts 8c", double_cents=400)[1] == 1400
    assert outcome("blackjack", "3:2", "5h 6d 2d", "Ts 8c", double_cents=400)[1] == -1400
    assert outcome("blackjack", "3:2", "5h 6d 7d", "Ts 8c", double_cents=400)[1] == 0
    assert outcome("blackjack", "3:2", "5h 6d", "Ts 8c", double_cents=0)[1] == -1000


@pytest.mark.parametrize(
    ("code", "player", "dealer", "extra"),
    [
        ("double_above_wager", "5h 6d Td", "Ts 8c", {"double_cents": 1001}),
        ("bad_amount", "5h 6d Td", "Ts 8c", {"double_cents": True}),
        ("missing_player_cards", "5h 6d", "Ts 8c", {"double_cents": 1000}),
        ("double_on_21", "Ah Kd", "Ts 8c", {"double_cents": 1000}),
        ("drew_after_21", "Ah Kd 2c", "Ts 8c", {"double_cents": 1000}),
        ("continued_after_double", "5h 2d 3c 4s", "Ts 8c", {"double_cents": 1000}),
        ("missing_player_cards", "5h", "Ts 8c", {}),
        ("missing_player_cards", "", "Ts 8c", {}),
        ("drew_after_bust", "Th 6d 9c 2d", "Ts 8c", {}),
        ("drew_after_21", "Th 6d 5c 2d", "Ts 8c", {}),
        ("missing_dealer_cards", "Th 6d", "Ts", {}),
        ("missing_dealer_cards", "Th 6d", "", {}),
        ("dealer_not_finished", "Th 6d", "Ts 6c", {}),
        ("dealer_not_finished", "Th 6d", "As 6c", {"dealer_soft_17": "hit"}),
        ("dealer_drew_too_far", "Th 6d", "As 6c 2d", {"dealer_soft_17": "stand"}),
        ("dealer_drew_too_far", "Th 6d", "As 7c 2d", {}),
        ("dealer_drew_too_far", "Th 6d 9c", "Ts 8c 2d", {}),
        ("dealer_drew_too_far", "Th 6d", "Ts 8c 2d", {"surrender": True}),
        ("bad_dealer_soft_17", "Th 6d", "Ts 8c", {"dealer_soft_17": "maybe"}),
        ("too_many_of_a_card", "2h 2h 2h 2h 2h", "2h 2h 2h 2h 9h", {}),
        ("unknown_field", "Th 6d", "Ts 8c", {"jackpot_cents": 1}),
    ],
)
def test_a_hand_that_cannot_have_been_played_is_refused(
    code: str, player: str, dealer: str, extra: dict[str, Any]
) -> None:
    assert refused("blackjack", "3:2", player, dealer, **extra) == code


def test_a_dealer_may_stand_or_draw_on_soft_17_where_the_table_does_not_say() -> None:
    assert outcome("blackjack", "3:2", "Th 8d", "As 6c")[0] == "player_wins"
    assert outcome("blackjack", "3:2", "Th 8d", "As 6c Ad")[0] == "push"


def test_a_dealer_who_breaks_pays_every_hand_that_is_left_even_money() -> None:
    for hand in ("Th 2d", "Th 8d", "7h 7d 7c"):
        assert outcome("blackjack", "3:2", hand, "Ts 6c 9d")[1] == 1000
    assert outcome("blackjack", "3:2", "Th 6d 9c", "Ts 6c 9d")[1] == -1000


def test_a_busted_hand_needs_no_dealer_hand() -> None:
    assert outcome("blackjack", "3:2", "Th 6d 9c", "")[1] == -1000
    assert outcome("blackjack", "3:2", "Th 6d 9c", "Ts 6c")[1] == -1000


@pytest.mark.parametrize(
    ("table", "cents", "how", "paid"),
    [("3:2", 25, "down", 37), ("3:2", 25, "up", 38), ("6:5", 1, "down", 1), ("6:5", 7, "down", 8)],
)
def test_a_blackjack_on_an_odd_stake(table: str, cents: int, how: str, paid: int) -> None:
    answer = settled(
        "blackjack", table, "Ah Kd", "9c 8d", cents, options={"fractions_of_a_cent": how}
    )
    assert answer["payout_cents"] == paid
    assert "R03" in answer["readings"]


@given(st.lists(CARD, min_size=2, max_size=2), st.lists(CARD, min_size=2, max_size=2))
def test_swapping_two_cards_of_a_hand_changes_nothing(player: list[str], dealer: list[str]) -> None:
    there = settle_case(case("blackjack", "3:2", " ".join(player), " ".join(dealer)))
    back = settle_case(case("blackjack", "3:2", " ".join(reversed(player)), " ".join(dealer)))
    assert there == back


@given(
    st.lists(CARD, min_size=2, max_size=6),
    st.lists(CARD, min_size=2, max_size=6),
    st.integers(min_value=1, max_value=10**6),
)
def test_a_doubled_stake_doubles_what_the_main_bet_pays(
    player: list[str], dealer: list[str], half: int
) -> None:
    hands = " ".join(player), " ".join(dealer)
    once = settle_case(case("blackjack", "3:2", *hands, 2 * half))
    twice = settle_case(case("blackjack", "3:2", *hands, 4 * half))
    if "error" in once:
        assert once == twice
    else:
        assert twice["payout_cents"] == 2 * once["payout_cents"]


@given(st.lists(CARD, min_size=2, max_size=8), st.lists(CARD, min_size=2, max_size=8))
def test_a_settled_hand_was_played_by_the_rules(player: list[str], dealer: list[str]) -> None:
    answer = settle_case(case("blackjack", "6:5", " ".join(player), " ".join(dealer)))
    if "error" in answer:
        return
    assert all(hand_total(cards(player[:n]))[0] < 21 for n in range(2, len(player)))
    assert all(hand_total(cards(dealer[:n]))[0] < 18 for n in range(2, len(dealer)))
    assert -1000 <= answer["payout_cents"] <= 1200


# Splits


def test_split_hands_settle_one_by_one() -> None:
    hands = split("8h Th", "8d 3c 2h", double_2=500)
    assert outcome("blackjack", "3:2", "8h 8d", "Ts 8c", split_hands=hands) == (
        "split",
        -1500,
        None,
    )
    four = split("8h Th", "8d Tc", "8c 3d Td", "8s 9d")
    assert outcome("blackjack", "3:2", "8h 8d", "Ts 8c", split_hands=four)[1] == 0
    tens = split("Kh Th", "Qd Tc")
    assert outcome("blackjack", "3:2", "Kh Qd", "Ts 8c", split_hands=tens)[1] == 2000


@pytest.mark.parametrize(
    ("how", "hands", "cents"),
    [
        ("original_and_busted", split("8h Th", "8d 3c"), -1000),
        ("original_and_busted", split("8h 3h Th", "8d 3c 2d", double_1=1000, double_2=500), -1000),
        ("original_and_busted", split("8h Th 9c", "8d 3c"), -1000),
        ("original_and_busted", split("8h 3c", "8d Th 9c", double_2=500), -2500),
        ("original_and_busted", split("8h Th 9c", "8d Th 9d"), -2000),
        ("original_again", split("8h Th", "8d 3c"), -1000),
        ("original_again", split("8h Th 9c", "8d 3c"), -2000),
        ("original_again", split("8h Th 9c", "8d 3c", "8c Tc"), -2000),
        ("original_again", split("8h Th 9c", "8d Th 9d"), -2000),
        ("original_again", split("8h Th", "8d Th 9d", "8c Tc"), -2000),
        ("original_and_busted", split("8h Th 9c", "8d Th", "8c Tc 9d"), -2000),
        ("all", split("8h Th", "8d 3c 2d", double_2=500), -2500),
    ],
)
def test_a_dealer_blackjack_against_split_hands(
    how: str, hands: list[dict[str, Any]], cents: int
) -> None:
    answer = settled(
        "blackjack", "3:2", "8h 8d", "As Kc", split_hands=hands,
        options={"split_v_dealer_blackjack": how},
    )  # fmt: skip
    assert answer["payout_cents"] == cents
    assert answer["rule"] == "blackjack.split_dealer_blackjack"
    assert sum(hand["payout_cents"] for hand in answer["detail"]["per_hand"]) == cents


def test_insurance_on_a_split_is_settled_beside_it() -> None:
    hands = split("8h Th", "8d 3c")
    both = {"split_hands": hands, "insurance_cents": 500}
    assert outcome("blackjack", "3:2", "8h 8d", "As Kc", **both)[1] == 0
    hands = split("8h Th", "8d Tc")
    both = {"split_hands": hands, "insurance_cents": 500}
    assert outcome("blackjack", "3:2", "8h 8d", "As 7c", **both)[1] == -500


def test_ace_and_ten_after_a_split_may_be_a_blackjack() -> None:
    hands = split("Ah Kh", "Ad Qc")
    options = {"split_ace_ten": "blackjack"}
    assert outcome("blackjack", "3:2", "Ah Ad", "Ts 9c", split_hands=hands)[1] == 2000
    paid = outcome("blackjack", "3:2", "Ah Ad", "Ts 9c", split_hands=hands, options=options)
    assert paid[1] == 3000


@pytest.mark.parametrize("how", ["original_and_busted", "original_again"])
def test_a_split_blackjack_pushes_with_the_dealers_where_it_counts_as_one(how: str) -> None:
    options = {"split_ace_ten": "blackjack", "split_v_dealer_blackjack": how}
    first = split("Ah Kh", "Ad 5c")
    assert outcome("blackjack", "3:2", "Ah Ad", "As Kc", split_hands=first, options=options)[1] == 0
    second = split("Ah 5c", "Ad Kh")
    lost = outcome("blackjack", "3:2", "Ah Ad", "As Kc", split_hands=second, options=options)
    assert lost[1] == -1000


def test_a_hand_from_a_split_is_never_a_blackjack() -> None:
    one = {"from_split": True}
    assert outcome("blackjack", "6:5", "Th Ad", "Ts 6c 5d", **one) == ("push", 0, True)
    assert outcome("blackjack", "6:5", "Ah 5d", "As Kc", **one) == (
        "dealer_blackjack",
        -1000,
        False,
    )


@pytest.mark.parametrize(
    ("code", "player", "hands"),
    [
        ("split_not_pair", "8h 7d", split("8h Th", "7d Th")),
        ("split_not_pair", "8h 8d 8c", split("8h Th", "8d Th")),
        ("bad_split_hands", "8h 8d", split("8h Th")),
        ("bad_split_hands", "8h 8d", split(*["8h Th"] * 5)),
        ("bad_split_hands", "8h 8d", "8h Th"),
        ("bad_split_hands", "8h 8d", ["8h", "8d"]),
        ("bad_split_hands", "8h 8d", [{}, {}]),
        ("unknown_field", "8h 8d", [{"cards": ["8h", "Th"], "colour": 1}] * 2),
        ("split_hand_without_pair", "8h 8d", split("8h Th", "9d Th")),
        ("split_hand_without_pair", "8h 8d", split("8h Th", "8c Th")),
        ("split_hand_without_pair", "8h 8d", split("8h Th", "")),
        ("missing_player_cards", "8h 8d", split("8h Th", "8d")),
        ("bad_cards", "8h 8d", [{"cards": "8h"}, {"cards": ["8d"]}]),
        ("aces_split_again", "Ah Ad", split("Ah Th", "Ad Th", "Ac 2h")),
        ("split_ace_drew", "Ah Ad", split("Ah 2h 3h", "Ad Th")),
        ("split_ace_drew", "Ah Ad", split("Ah 2h", "Ad Th", double_1=500)),
        ("double_above_wager", "8h 8d", split("8h 3h Th", "8d Th", double_1=1001)),
        ("bad_amount", "8h 8d", [{"cards": ["8h", "3h", "Th"], "double_cents": 1.5},
                                 {"cards": ["8d", "Th"]}]),
        ("bad_amount", "8h 8d", [{"cards": ["8h", "Th"], "double_cents": ""},
                                 {"cards": ["8d", "Th"]}]),
        ("bad_amount", "8h 8d", [{"cards": ["8h", "Th"], "double_cents": None},
                                 {"cards": ["8d", "Th"]}]),
        ("bad_amount", "8h 8d", [{"cards": ["8h", "Th"], "double_cents": -1},
                                 {"cards": ["8d", "Th"]}]),
        ("drew_after_bust", "8h 8d", split("8h Th 9c 2d", "8d Th")),
    ],
)  # fmt: skip
def test_a_split_that_cannot_be_is_refused(code: str, player: str, hands: object) -> None:
    assert refused("blackjack", "3:2", player, "Ts 9c", split_hands=hands) == code


@pytest.mark.parametrize(
    "extra",
    [{"double_cents": 500}, {"surrender": True}, {"even_money": True}, {"from_split": True}],
)
def test_a_split_excludes_what_ends_a_hand(extra: dict[str, Any]) -> None:
    hands = split("8h Th", "8d Tc")
    assert (
        refused("blackjack", "3:2", "8h 8d", "Ts 9c", split_hands=hands, **extra)
        == "cannot_combine"
    )
