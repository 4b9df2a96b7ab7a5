"""Bets that ride on a hand, meters that winners share, irregularities, Face Up and Stadium."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pitboss.rules.book.options import HouseOptions
from pitboss.rules.games.eligibility import Bet, Whose
from pitboss.rules.games.games import SideBetRules, TableRules
from pitboss.rules.refusal import Refused
from pitboss.rules.rounds.round import DealtRound, Hand, Seat, settle_round
from tests.rules.rounds import (
    ANTE,
    BIGGER,
    BLAZING,
    CLASSIC,
    MAIN,
    c,
    paid,
    play,
    refused,
    seat,
    table,
    toke,
)

# --- Bets that ride on a hand


def test_splitting_pairs_2_a_toke_stays_with_the_left_hand_unless_it_is_split_too() -> None:
    hands = (Hand(c("8c Th")), Hand(c("8d Tc")))
    bets = (MAIN, toke("blackjack", 500))
    left = play(CLASSIC, "Ts 7h", seat(1, "8c 8d", *bets, hands=hands))
    assert [line.settlement.payout_cents for line in left.lines] == [10_000, 500]
    both = (hands[0], Hand(c("8d 3c Tc"), {"main": 5_000}, toke_cents=500, toke_double_cents=500))
    split = play(CLASSIC, "Ts 7h", seat(1, "8c 8d", *bets, hands=both))
    assert [line.settlement.payout_cents for line in split.lines] == [15_000, 500, 1_000]
    assert [line.stake_cents for line in split.lines] == [15_000, 500, 1_000]


def test_tokes_5_a_dealer_bet_may_be_insured_or_paid_even_money() -> None:
    bets = (MAIN, toke("blackjack", 500))
    insured = seat(1, "Th 9d", *bets, toke_insurance_cents=250)
    assert paid(play(CLASSIC, "As Kh", insured)) == [(1, "blackjack", -5_000), (1, "blackjack", 0)]
    even = seat(1, "Ah Kd", *bets, toke_takes_even_money=True)
    verdict = play(CLASSIC, "As 7h", even)
    assert [line.settlement.payout_cents for line in verdict.lines] == [7_500, 500]


def test_tokes_10_a_guest_rides_on_another_players_bets() -> None:
    ride = Bet("trilux", 1_000, whose=Whose.PIGGYBACK)
    main_ride = Bet("blackjack", 2_000, whose=Whose.PIGGYBACK)
    bets = (MAIN, Bet("trilux", 500), ride, main_ride)
    verdict = play(CLASSIC, "9s 8h", seat(1, "9c 9d", *bets))
    assert [line.settlement.payout_cents for line in verdict.lines] == [4_500, 9_000, 5_000, 2_000]
    assert [line.whose.value for line in verdict.lines] == [
        "player",
        "piggyback",
        "player",
        "piggyback",
    ]


def test_a_guest_and_a_coupon_stay_with_the_left_hand_of_a_split() -> None:
    hands = (Hand(c("8c Th")), Hand(c("8d 9c")))
    ride = Bet("blackjack", 2_000, whose=Whose.PIGGYBACK)
    verdict = play(CLASSIC, "Ts 7h", seat(1, "8c 8d", MAIN, ride, hands=hands))
    assert [line.settlement.payout_cents for line in verdict.lines] == [5_000, 2_000]
    coupon = Bet("blackjack", 2_500, is_coupon=True)
    verdict = play(CLASSIC, "Ts 7h", seat(1, "8c 8d", coupon, hands=hands))
    assert paid(verdict) == [(1, "blackjack", 2_500)]


def test_free_bet_coupons_pay_even_money_on_any_bet_and_lose_no_cash() -> None:
    coupon = Bet("blackjack", 2_500, is_coupon=True)
    assert paid(play(CLASSIC, "9s 8h", seat(1, "Ah Kd", coupon))) == [(1, "blackjack", 2_500)]
    assert paid(play(CLASSIC, "9s 8h", seat(1, "Th 6d", coupon))) == [(1, "blackjack", 0)]
    side = Bet("trilux", 500, is_coupon=True)
    won = play(CLASSIC, "9s 8h", seat(1, "9c 9d", MAIN, side), coupons_approved=True)
    assert paid(won)[0] == (1, "trilux", 500)
    assert won.lines[0].settlement.rule == "free_bet_coupon.coupon_win"
    lost = play(CLASSIC, "9s 8h", seat(1, "9c 2d", MAIN, side), coupons_approved=True)
    assert paid(lost)[0] == (1, "trilux", 0)
    assert lost.lines[0].settlement.category == "coupon_lose"
    doubled = seat(1, "5h 6d", coupon, hands=(Hand(c("5h 6d 9c"), {"main": 2_500}),))
    assert refused(CLASSIC, "9s 8h", doubled) == ["coupon_doubled"]


# --- Meters shared by several winners


def test_supervisor_3_two_patrons_with_the_same_jackpot_hand_share_it() -> None:
    bets = (MAIN, Bet("blazing_7s", 500))
    seats = (seat(1, "7s 7s", *bets), seat(2, "7s 7s", *bets))
    verdict = play(BLAZING, "7s Th", *seats, meters={"JACKPOT": 10_000_000})
    assert paid(verdict)[:2] == [(2, "blazing_7s", 5_000_000), (1, "blazing_7s", 5_000_000)]


def test_patrons_in_turn_are_paid_from_the_right_on_what_the_meter_still_holds() -> None:
    rules = table("blazing_7s", options=HouseOptions(same_jackpot_hand="in_turn"))
    bets = (MAIN, Bet("blazing_7s", 500))
    seats = (seat(1, "7h 7d", *bets), seat(2, "7d 7h", *bets))
    verdict = play(rules, "7h Th", *seats, meters={"JACKPOT": 10_000_000})
    assert paid(verdict)[:2] == [(2, "blazing_7s", 1_000_000), (1, "blazing_7s", 900_000)]


@pytest.mark.parametrize(
    ("option", "left_award_cents"), [("frozen", 10_000_000), ("reduced", 9_000_000)]
)
def test_different_jackpots_of_one_round_use_the_frozen_meter_or_what_is_left(
    option: str, left_award_cents: int
) -> None:
    rules = table("blazing_7s", options=HouseOptions(meter_in_one_round=option))
    bets = (MAIN, Bet("blazing_7s", 500))
    seats = (seat(1, "7s 7s", *bets), seat(2, "7c 7s", *bets))
    verdict = play(rules, "7s Th", *seats, meters={"JACKPOT": 10_000_000})
    assert paid(verdict)[:2] == [
        (2, "blazing_7s", 1_000_000),
        (1, "blazing_7s", left_award_cents),
    ]


def test_lucky_ladies_winners_of_one_hand_split_the_posted_jackpot() -> None:
    seats = (
        seat(1, "Qh Qh", ANTE, Bet("lucky_ladies", 500)),
        seat(2, "Qh Qh", ANTE, Bet("lucky_ladies", 1_000)),
    )
    meters = {"MEGA": 5_000_000, "MAJOR": 1_500_000, "MINOR": 250_000}
    verdict = play(BIGGER, "Qh Th", *seats, meters=meters)
    assert paid(verdict)[:2] == [(2, "lucky_ladies", 2_500_000), (1, "lucky_ladies", 1_250_000)]


def test_lucky_ladies_entitlements_are_scaled_by_the_other_winners_stakes() -> None:
    rules = table("bet_bigger", options=HouseOptions(jackpot_shares="scale_entitlements"))
    seats = (
        seat(1, "Qh Qh", ANTE, Bet("lucky_ladies", 500)),
        seat(2, "Qh Qh", ANTE, Bet("lucky_ladies", 1_000)),
    )
    verdict = play(rules, "Qh Th", *seats, meters={"MEGA": 6_000_000})
    assert paid(verdict)[:2] == [(2, "lucky_ladies", 4_000_000), (1, "lucky_ladies", 2_000_000)]


# --- Irregularities and flags


def test_irregularities_1_a_shown_hole_card_makes_a_dealer_blackjack_a_plain_21() -> None:
    bets = (MAIN, Bet("trilux", 500))
    seats = (seat(1, "Ah Kd", *bets), seat(2, "7h 7d 7c", MAIN, toke("blackjack", 500)))
    verdict = play(CLASSIC, "As Kh", *seats, hole_card_shown=True)
    assert paid(verdict) == [
        (1, "trilux", -500),
        (1, "blackjack", 7_500),
        (2, "blackjack", 0),
        (2, "blackjack", 0),
    ]
    assert refused(BIGGER, "As Kh", seat(1, "Tc 9c", ANTE), hole_card_shown=True) == [
        "no_rule_for_hole_card"
    ]


def test_irregularities_2_a_blackjack_found_late_takes_only_the_original_wagers() -> None:
    doubled = seat(1, "5h 6d", hands=(Hand(c("5h 6d 9c"), {"main": 5_000}),))
    verdict = play(CLASSIC, "Ts Ah", doubled, seat(2, "Ac Kd"), blackjack_found_late=True)
    assert paid(verdict) == [(2, "blackjack", 0), (1, "blackjack", -5_000)]
    assert [flag.reason.code for flag in verdict.flags] == ["blackjack_found_late"]


def test_a_missed_peek_is_flagged_even_when_nobody_said_so() -> None:
    split = seat(1, "8h 8d", hands=(Hand(c("8h 9d")), Hand(c("8d 9c"))))
    verdict = play(CLASSIC, "Ts Ah", split)
    assert [flag.reason.code for flag in verdict.flags] == ["blackjack_found_late"]
    assert play(CLASSIC, "Ts Ah", seat(1, "8h 8d")).flags == ()


def test_more_of_a_card_than_the_shoe_holds_is_flagged() -> None:
    verdict = play(table("double_deck"), "Ts 8h", seat(1, "Ts 9c"), seat(2, "Ts 9h"))
    assert [flag.reason.code for flag in verdict.flags] == ["too_many_of_a_card"]
    assert "10♠ lies on the table 3 times" in verdict.flags[0].reason.message


def test_bet_bigger_hands_of_one_player_lie_side_by_side() -> None:
    seats = [seat(number, "Tc 9c", ANTE, player="A. Moreau") for number in (2, 3, 5)]
    stranger = seat(4, "Th 9h", ANTE)
    assert play(BIGGER, "Ts 8h", *seats[:2], stranger).flags == ()
    apart = play(BIGGER, "Ts 8h", *seats, stranger).flags
    assert [(flag.seat, flag.reason.code) for flag in apart] == [(5, "hands_not_adjacent")]
    assert (
        play(
            CLASSIC, "Ts 8h", seat(1, "Tc 9c", MAIN, player="A"), seat(3, "Th 9h", MAIN, player="A")
        ).flags
        == ()
    )


# --- Face Up and Stadium


def test_face_up_reads_all_four_cards_and_the_dealer_wins_ties() -> None:
    rules = table(
        "face_up",
        side_bets={
            "two_card_bonus": SideBetRules({"pair": "8:1"}, 500, 5_000),
            "four_card_bonus": SideBetRules({"three_of_a_kind": "20:1"}, 500, 5_000),
        },
    )
    bets = (MAIN, Bet("four_card_bonus", 500), Bet("two_card_bonus", 500))
    verdict = play(rules, "9s 9h", seat(1, "9c 9d", *bets))
    assert paid(verdict) == [
        (1, "two_card_bonus", 4_000),
        (1, "four_card_bonus", 10_000),
        (1, "blackjack", -5_000),
    ]


def test_face_up_dealer_draws_to_a_hard_17_and_a_bust_pays_even_money() -> None:
    rules = table("face_up")
    for unfinished in ("As 6c", "Ts 6c"):
        assert refused(rules, unfinished, seat(1, "Th 8d")) == ["dealer_not_finished"]
    assert paid(play(rules, "As 6c Td", seat(1, "Th 8d"))) == [(1, "blackjack", 5_000)]
    broken = play(rules, "Ts 6c 9d", seat(1, "Th 2d"), seat(2, "Th 8d"))
    assert paid(broken) == [(2, "blackjack", 5_000), (1, "blackjack", 5_000)]


def test_stadium_terminals_settle_from_the_same_community_cards() -> None:
    rules = table("stadium")
    main = Bet("stadium_blackjack", 1_000)
    stands = Seat(1, (main, toke("stadium_blackjack", 100)), c("Th 4d"), decisions=("stand",))
    hits = Seat(2, (main, Bet("trilux", 500)), c("Th 4d"), decisions=("hit", "stand"))
    verdict = settle_round(rules, DealtRound((stands, hits), c("6c"), community=c("5c 9d Td")))
    assert paid(verdict) == [
        (2, "trilux", -500),
        (2, "stadium_blackjack", 1_000),
        (1, "stadium_blackjack", -1_000),
        (1, "stadium_blackjack", -100),
    ]
    assert settle_round(rules, DealtRound((), c("6c"))).lines == ()


def test_stadium_5c_viii_a_dealer_bet_is_doubled_only_when_the_player_says_so() -> None:
    rules = table("stadium")
    bets = (Bet("stadium_blackjack", 1_000), toke("stadium_blackjack", 100))
    doubles = Seat(1, bets, c("6h 5d"), decisions=("double",))
    community = c("9c Td 5s")
    assert refused_stadium(rules, doubles, community) == ["toke_decisions_missing"]
    single = Seat(1, bets, c("6h 5d"), decisions=("double",), toke_decisions=("hit", "stand"))
    verdict = settle_round(rules, DealtRound((single,), c("6c"), community=community))
    assert paid(verdict) == [(1, "stadium_blackjack", -2_000), (1, "stadium_blackjack", -100)]


def refused_stadium(rules: TableRules, player: Seat, community: Any) -> list[str]:
    with pytest.raises(Refused) as caught:
        settle_round(rules, DealtRound((player,), c("6c"), community=community))
    return list(caught.value.codes)


def test_stadium_5d_vi_a_dealer_bet_is_split_only_when_the_player_says_so() -> None:
    rules = table("stadium")
    bets = (Bet("stadium_blackjack", 1_000), toke("stadium_blackjack", 100))
    community = c("2c Td Tc 5s")
    splits = Seat(1, bets, c("8h 8d"), decisions=("split", "stand", "stand"))
    assert refused_stadium(rules, splits, community) == ["toke_decisions_missing"]
    for row, lost_cents in ((("split", "stand", "stand"), 200), (("stand",), 100)):
        own = replace(splits, toke_decisions=row)
        verdict = settle_round(rules, DealtRound((own,), c("6c"), community=community))
        lost = [line.settlement.payout_cents for line in verdict.lines]
        assert lost == [-2_000, -lost_cents]
