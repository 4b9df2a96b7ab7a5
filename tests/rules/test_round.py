"""Whole rounds: order of paying, the dealer's hand, shared meters, dealer bets, irregularities."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.rules.cards import DECK, cards, hand_total
from pitboss.rules.dealer import must_draw
from pitboss.rules.eligibility import Bet, Whose
from pitboss.rules.games import SideBetRules, Surrender, TableRules, table_rules
from pitboss.rules.games_printed import GAMES
from pitboss.rules.options import HouseOptions
from pitboss.rules.refusal import Refused
from pitboss.rules.round import Hand, Phase, Round, RoundVerdict, Seat, settle_round
from pitboss.rules.round_reading import read_round, write_verdict
from pitboss.rules.settle import settle

STADIUM = {"keep_standoff_bet": "disabled", "auto_stand": {"soft": 17, "hard": 17}}


def table(game: str, **choices: Any) -> TableRules:
    limits = {"minimum_cents": 500, "maximum_cents": 1_000 if game == "bet_bigger" else 100_000}
    if game == "stadium":
        limits["stadium"] = STADIUM
    return table_rules(GAMES[game], **{**limits, **choices})


CLASSIC, BLAZING, BIGGER = table("classic"), table("blazing_7s"), table("bet_bigger")
ROOF = table("raise_the_roof", side_bets={"raise_the_roof": SideBetRules("H17_6_8_A", 500, 5_000)})
MAIN = Bet("blackjack", 5_000)
ANTE = Bet("bet_bigger", 500)


def c(text: str) -> Any:
    return cards(text.split())


def toke(wager: str, cents: int) -> Bet:
    return Bet(wager, cents, whose=Whose.DEALER)


def seat(number: int, text: str, *bets: Bet, **facts: Any) -> Seat:
    """Seat a player; cards beyond the second were drawn."""
    dealt = c(text)
    if len(dealt) > 2:
        facts.setdefault("hands", (Hand(dealt),))
    return Seat(number, bets or (MAIN,), dealt[:2], **facts)


def play(rules: TableRules, dealer: str, *seats: Seat, **facts: Any) -> RoundVerdict:
    return settle_round(rules, Round(seats, c(dealer), **facts))


def paid(verdict: RoundVerdict) -> list[tuple[int, str, int]]:
    return [(line.seat, line.wager, line.settlement.payout_cents) for line in verdict.lines]


def refused(rules: TableRules, dealer: str, *seats: Seat, **facts: Any) -> list[str]:
    with pytest.raises(Refused) as caught:
        play(rules, dealer, *seats, **facts)
    return list(caught.value.codes)


# --- Order of paying


def test_trilux_4_side_bets_are_paid_from_right_to_left_before_the_main_game() -> None:
    side = (MAIN, Bet("trilux", 500))
    verdict = play(CLASSIC, "9s 8h", seat(1, "9c 9d", *side), seat(4, "Th 9h", *side))
    assert paid(verdict) == [
        (4, "trilux", -500),
        (1, "trilux", 4_500),
        (4, "blackjack", 5_000),
        (1, "blackjack", 5_000),
    ]


def test_trilux_5_blazing_7s_is_paid_before_trilux_hand_by_hand() -> None:
    side = (MAIN, Bet("super_3", 500), Bet("trilux", 500), Bet("blazing_7s", 500))
    verdict = play(BLAZING, "9s 8h", seat(1, "7c 9d", *side), seat(2, "7h 2d", *side))
    assert [(line.seat, line.wager) for line in verdict.lines[:6]] == [
        (2, "blazing_7s"),
        (2, "trilux"),
        (2, "super_3"),
        (1, "blazing_7s"),
        (1, "trilux"),
        (1, "super_3"),
    ]


def test_trilux_7_envy_comes_with_the_players_win_and_dealer_bets_right_after() -> None:
    bets = (toke("trilux", 100), MAIN, Bet("trilux", 500), Bet("blazing_7s", 500))
    verdict = play(BLAZING, "7s Th", seat(3, "7c 7d", *bets), meters={"JACKPOT": 10_000_000})
    assert [(line.wager, line.whose.value) for line in verdict.lines] == [
        ("blazing_7s", "player"),
        ("trilux", "player"),
        ("trilux", "dealer"),
        ("blackjack", "player"),
    ]
    assert verdict.lines[0].settlement.envy_cents == 500
    assert verdict.envy_cents == 500


def test_taking_and_paying_2_a_toke_follows_the_bet_it_stands_beside() -> None:
    verdict = play(
        CLASSIC,
        "Ts 8h",
        seat(1, "Th 9h", toke("blackjack", 500), MAIN),
        seat(2, "Tc 9c", MAIN, toke("blackjack", 500)),
    )
    assert [(line.seat, line.whose.value) for line in verdict.lines] == [
        (2, "player"),
        (2, "dealer"),
        (1, "player"),
        (1, "dealer"),
    ]


def test_blackjack_payouts_2_what_ends_early_is_settled_from_first_base() -> None:
    verdict = play(
        CLASSIC,
        "6s Th 5c",
        seat(1, "Ah Kd"),
        seat(2, "Th 6d Tc"),
        seat(3, "Tc 9c"),
        seat(5, "Ac Qd"),
    )
    assert paid(verdict) == [
        (1, "blackjack", 7_500),
        (2, "blackjack", -5_000),
        (5, "blackjack", 7_500),
        (3, "blackjack", -5_000),
    ]
    assert [line.phase for line in verdict.lines] == [Phase.PLAYER_ACTION] * 3 + [
        Phase.AFTER_DEALER
    ]


def test_ace_finder_a_dealer_blackjack_is_taken_from_third_base_to_first() -> None:
    verdict = play(CLASSIC, "As Kh", seat(1, "Ah Kd"), seat(2, "Th 6d"))
    assert paid(verdict) == [(2, "blackjack", -5_000), (1, "blackjack", 0)]
    assert {line.phase for line in verdict.lines} == {Phase.AFTER_DEALER}


def test_a_round_adds_up_to_what_the_house_won() -> None:
    bets = (MAIN, Bet("blazing_7s", 500), Bet("trilux", 1_000))
    verdict = play(BLAZING, "9s 8h", seat(1, "7c 7d", *bets), seat(2, "Th 9d", *bets))
    # Seat 2 loses $5 and TriLux; seat 1 is awarded $125 less the $5 and loses TriLux; then the main
    # bets, from the right.
    assert [line.net_cents for line in verdict.lines] == [
        -500,
        -1_000,
        12_000,
        -1_000,
        5_000,
        -5_000,
    ]
    assert verdict.house_cents == -9_500 - verdict.envy_cents
    assert verdict.envy_cents == 200


# --- The dealer's hand


def test_a_dealer_must_play_out_for_a_hand_that_is_still_alive() -> None:
    assert refused(CLASSIC, "6s Th", seat(1, "Tc 9c")) == ["dealer_not_finished"]


def test_a_dealer_who_drew_too_far_cannot_be_verified() -> None:
    assert refused(CLASSIC, "Ts 7h 4c", seat(1, "Tc 9c")) == ["dealer_drew_too_far"]


def test_a_dealer_stands_on_soft_17_in_the_manual_and_hits_it_at_bet_bigger() -> None:
    assert paid(play(CLASSIC, "As 6h", seat(1, "Tc 8c"))) == [(1, "blackjack", 5_000)]
    assert refused(CLASSIC, "As 6h 2c", seat(1, "Tc 8c")) == ["dealer_drew_too_far"]
    assert refused(BIGGER, "6s Ah", seat(1, "Tc 8c", ANTE)) == ["dealer_not_finished"]


def test_a_dealer_draws_nothing_when_every_hand_has_ended() -> None:
    ended = (seat(1, "Ah Kd"), seat(2, "Th 6d Tc"))
    assert paid(play(CLASSIC, "6s Th", *ended)) == [
        (1, "blackjack", 7_500),
        (2, "blackjack", -5_000),
    ]
    assert refused(CLASSIC, "6s Th 5c", *ended) == ["dealer_drew_needlessly"]
    assert refused(CLASSIC, "Ts 7h 5c", *ended) == ["dealer_drew_too_far"]


def test_raise_the_roof_2d_the_dealer_plays_out_for_a_live_bust_ante() -> None:
    # The document's two players: one has blackjack, one busts, nobody raised; 9 + 6 + 2 stands.
    ante = (MAIN, Bet("raise_the_roof", 500))
    seats = (seat(1, "Ah Kd", *ante), seat(2, "9h 7d 7c", *ante))
    assert refused(ROOF, "9s 6h", *seats) == ["dealer_not_finished"]
    assert paid(play(ROOF, "9s 6h 2c", *seats)) == [
        (1, "blackjack", 7_500),
        (2, "blackjack", -5_000),
        (2, "raise_the_roof", -500),
        (1, "raise_the_roof", -500),
    ]


def test_raise_the_roof_hand_6_both_bets_pay_ten_to_one_beside_a_blackjack() -> None:
    bets = (MAIN, Bet("raise_the_roof", 500, raise_cents=1_000))
    verdict = play(ROOF, "Ts 6h 6c", seat(1, "Ah Kd", *bets))
    assert paid(verdict) == [(1, "blackjack", 7_500), (1, "raise_the_roof", 15_000)]
    assert [line.stake_cents for line in verdict.lines] == [5_000, 1_500]


def test_a_house_that_lets_a_drawn_21_tie_a_blackjack_plays_the_dealer_out() -> None:
    ties = table("classic", options=HouseOptions(natural_v_drawn_21="tie"))
    assert refused(ties, "6s Th", seat(1, "Ah Kd")) == ["dealer_not_finished"]
    assert paid(play(ties, "6s Th 5c", seat(1, "Ah Kd"))) == [(1, "blackjack", 0)]
    assert paid(play(ties, "As Kh", seat(1, "Ah Kd"))) == [(1, "blackjack", 0)]


def test_a_round_without_dealer_cards_cannot_be_verified() -> None:
    assert refused(CLASSIC, "", seat(1, "Tc 9c")) == ["missing_dealer_cards"]
    assert refused(CLASSIC, "9s", seat(1, "Tc 9c")) == ["missing_dealer_cards"]


# --- Hands as they were played


def test_splits_doubles_and_insurance_settle_together() -> None:
    hands = (Hand(c("8c Th")), Hand(c("8d 3c 9h"), {"main": 5_000}))
    split = seat(1, "8c 8d", hands=hands, insurance_cents=2_500)
    verdict = play(CLASSIC, "As 6h", split)
    # Hand 1 wins $50, the doubled hand $100, the insurance of $25 is lost.
    assert paid(verdict) == [(1, "blackjack", 12_500)]
    assert verdict.lines[0].stake_cents == 17_500


def test_even_money_and_surrender_end_a_hand_before_the_dealer_plays() -> None:
    even = seat(1, "Ah Kd", takes_even_money=True)
    assert paid(play(CLASSIC, "As 6h", even)) == [(1, "blackjack", 5_000)]
    given_up = seat(1, "Th 6d", ANTE, surrenders=True)
    assert paid(play(BIGGER, "9s 7h", given_up)) == [(1, "bet_bigger", -250)]
    late, early = "not_against_blackjack", "enabled"
    for how, lost in ((late, -500), (early, -250)):
        rules = table("bet_bigger", surrender=Surrender(how))
        assert paid(play(rules, "As Kh", given_up)) == [(1, "bet_bigger", lost)]


def test_bet_bigger_settles_its_spots_doubles_and_equal_insurance() -> None:
    ante = Bet("bet_bigger", 500, spots={"2x": 500, "4x": 500})
    doubled = Hand(c("5h 6d 9c"), {"main": 500, "2x": 250})
    verdict = play(BIGGER, "As 7c", seat(1, "5h 6d", ante, hands=(doubled,), insurance_cents=250))
    # Three bets of $5 and $7.50 of doubles win, three insurances of $2.50 lose.
    assert paid(verdict) == [(1, "bet_bigger", 1_500)]
    assert verdict.lines[0].stake_cents == 3_000
    split = (Hand(c("Kh 9c"), {"main": 500}), Hand(c("Kd 9d")))
    assert refused(BIGGER, "9s 8c", seat(1, "Kh Kd", ANTE, hands=split)) == ["missing_player_cards"]


@pytest.mark.parametrize(
    ("rules", "player", "codes"),
    [
        (CLASSIC, seat(1, "Tc 6c", surrenders=True), ["surrender_disabled"]),
        (
            CLASSIC,
            seat(1, "Tc 9c", insurance_cents=2_501),
            ["insurance_without_ace", "insurance_over_half"],
        ),
        (
            CLASSIC,
            seat(1, "Tc 9c", takes_even_money=True),
            ["insurance_without_ace", "even_money_without_blackjack"],
        ),
        (
            CLASSIC,
            seat(1, "5h 6d", hands=(Hand(c("5h 6d 9c"), {"main": 400}),)),
            ["double_under_minimum"],
        ),
        (
            CLASSIC,
            seat(1, "5h 6d", hands=(Hand(c("5h 6d 9c"), {"2x": 400}),)),
            ["double_above_wager"],
        ),
        (
            table("double_deck"),
            seat(1, "8h 8d", hands=(Hand(c("8h 9d")), Hand(c("8d 9c")), Hand(c("8c 9h")))),
            ["split_too_many"],
        ),
        (
            CLASSIC,
            seat(1, "8h 8d", hands=(Hand(c("8h")), Hand(c("8d 9c")))),
            ["missing_player_cards"],
        ),
        (CLASSIC, seat(1, "8h 8d", hands=(Hand(c("8h 9d 2c")),)), ["hand_differs_from_deal"]),
        (CLASSIC, seat(1, "8h"), ["two_cards_needed"]),
        (
            CLASSIC,
            seat(
                1,
                "8h 8d",
                MAIN,
                toke("blackjack", 500),
                hands=(Hand(c("8h 9d")), Hand(c("8d 9c"), toke_cents=100)),
            ),
            ["toke_split_not_matched"],
        ),
        (CLASSIC, seat(1, "Tc 9c", MAIN, Bet("super_3", 500)), ["needs_trilux"]),
        (CLASSIC, seat(1, "Tc 9c 5h 9h"), ["drew_after_bust"]),
    ],
)
def test_a_seat_that_cannot_have_been_played_so_is_refused(
    rules: TableRules, player: Seat, codes: list[str]
) -> None:
    assert refused(rules, "Ts 7s", player) == codes


def test_every_seat_and_every_reason_is_named_at_once() -> None:
    with pytest.raises(Refused) as caught:
        play(
            CLASSIC,
            "6s Th",
            seat(2, "Tc 9c", MAIN, Bet("super_3", 500)),
            seat(5, "Tc 6c", surrenders=True),
            seat(5, "Tc 6c"),
        )
    assert caught.value.codes == (
        "seat_twice",
        "needs_trilux",
        "surrender_disabled",
        "dealer_not_finished",
    )
    assert "Seat 2: Super 3" in str(caught.value)
    assert "Seat 5: Classic" in str(caught.value)


def test_wagers_that_cannot_be_settled_are_all_named() -> None:
    bets = (MAIN, Bet("blazing_7s", 500))
    jackpot = (seat(1, "7s 7s", *bets), seat(2, "7s 7s", *bets))
    assert refused(BLAZING, "7s Th", *jackpot) == ["missing_meter", "missing_meter"]


def test_one_player_on_two_seats_must_bet_twice_the_minimum() -> None:
    low = Bet("blackjack", 500)
    seats = (seat(1, "Tc 9c", low, player="A"), seat(2, "Th 9h", low, player="A"))
    verdict = play(CLASSIC, "Ts 8h", *seats)
    assert [(flag.seat, flag.reason.code) for flag in verdict.flags] == [
        (1, "under_minimum"),
        (2, "under_minimum"),
    ]
    apart = (seat(1, "Tc 9c", low, player="A"), seat(2, "Th 9h", low, player="B"))
    assert play(CLASSIC, "Ts 8h", *apart).flags == ()


def test_an_over_limit_bet_is_paid_to_the_limit_once_that_was_called() -> None:
    big = seat(1, "Tc 9c", Bet("blackjack", 120_000))
    called = play(CLASSIC, "Ts 8h", big, limit_called=True)
    assert paid(called) == [(1, "blackjack", 100_000)]
    silent = play(CLASSIC, "Ts 8h", big)
    assert paid(silent) == [(1, "blackjack", 120_000)]
    assert [flag.reason.code for flag in silent.flags] == ["over_maximum"]


def test_a_flat_bet_player_is_held_to_the_first_bets() -> None:
    player = seat(1, "Tc 9c", ANTE, first_bets=(Bet("bet_bigger", 1_000),))
    assert refused(BIGGER, "Ts 8h", player) == ["flat_bet_differs"]


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
    assert "Ts lies on the table 3 times" in verdict.flags[0].reason.message


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


def test_stadium_terminals_settle_from_the_same_community_cards() -> None:
    rules = table("stadium")
    main = Bet("stadium_blackjack", 1_000)
    stands = Seat(1, (main, toke("stadium_blackjack", 100)), c("Th 4d"), decisions=("stand",))
    hits = Seat(2, (main, Bet("trilux", 500)), c("Th 4d"), decisions=("hit", "stand"))
    verdict = settle_round(rules, Round((stands, hits), c("6c"), community=c("5c 9d Td")))
    assert paid(verdict) == [
        (2, "trilux", -500),
        (2, "stadium_blackjack", 1_000),
        (1, "stadium_blackjack", -1_000),
        (1, "stadium_blackjack", -100),
    ]
    assert settle_round(rules, Round((), c("6c"))).lines == ()


def test_stadium_5c_viii_a_dealer_bet_is_doubled_only_when_the_player_says_so() -> None:
    rules = table("stadium")
    bets = (Bet("stadium_blackjack", 1_000), toke("stadium_blackjack", 100))
    doubles = Seat(1, bets, c("6h 5d"), decisions=("double",))
    community = c("9c Td 5s")
    assert refused_stadium(rules, doubles, community) == ["toke_decisions_missing"]
    single = Seat(1, bets, c("6h 5d"), decisions=("double",), toke_decisions=("hit", "stand"))
    verdict = settle_round(rules, Round((single,), c("6c"), community=community))
    assert paid(verdict) == [(1, "stadium_blackjack", -2_000), (1, "stadium_blackjack", -100)]


def refused_stadium(rules: TableRules, player: Seat, community: Any) -> list[str]:
    with pytest.raises(Refused) as caught:
        settle_round(rules, Round((player,), c("6c"), community=community))
    return list(caught.value.codes)


# --- Properties


@given(st.integers(0, 2**32), st.integers(1, 7))
def test_a_round_settles_each_wager_as_it_would_stand_alone(seed: int, seats: int) -> None:
    shoe = Random(seed).sample(DECK * 6, 60)
    dealt = [tuple(shoe[2 * place : 2 * place + 2]) for place in range(seats)]
    dealer = shoe[20:22]
    drawn = iter(shoe[22:])
    natural_only = all(hand_total(hand)[0] == 21 for hand in dealt)
    while not natural_only and must_draw(*hand_total(dealer), "stand"):
        dealer.append(next(drawn))
    bets = (MAIN, Bet("trilux", 500), Bet("super_3", 500))
    players = tuple(Seat(place, bets, hand) for place, hand in enumerate(dealt, 1))
    verdict = settle_round(CLASSIC, Round(players, tuple(dealer)))
    assert len(verdict.lines) == 3 * seats
    names = [held.name for held in dealer]
    for line in verdict.lines:
        case: dict[str, Any] = {
            "wager": line.wager,
            "paytable": {"blackjack": "3:2", "trilux": "MANUAL-9", "super_3": "1"}[line.wager],
            "stake_cents": line.stake_cents,
            "player_cards": [held.name for held in dealt[line.seat - 1]],
        }
        if line.wager == "blackjack":
            case["dealer_cards"] = names
        else:
            case["dealer_up"] = names[0]
        alone = settle(case)
        assert (alone.category, alone.payout_cents, alone.working) == (
            line.settlement.category,
            line.settlement.payout_cents,
            line.settlement.working,
        )
    assert verdict.house_cents == -sum(line.net_cents for line in verdict.lines)


# --- Over the wire

POSTED: dict[str, Any] = {
    "dealer_cards": ["9s", "8h"],
    "seats": [
        {
            "seat": 5,
            "player": "A. Moreau",
            "cards": ["5h", "6d"],
            "hands": [{"cards": ["5h", "6d", "9c"], "doubles": {"main": 5000, "2x": 0}}],
            "bets": [
                {"wager": "blackjack", "stake_cents": 5000},
                {"wager": "trilux", "stake_cents": 500, "for": "dealer"},
            ],
        }
    ],
}


def test_a_posted_round_is_read_settled_and_written() -> None:
    written = write_verdict(settle_round(CLASSIC, read_round(POSTED)))
    assert [(line["wager"], line["for"], line["payout_cents"]) for line in written["lines"]] == [
        ("trilux", "dealer", -500),
        ("blackjack", "player", 10_000),
    ]
    assert written["lines"][1]["phase"] == "after_dealer"
    assert written["lines"][1]["staked_cents"] == 10_000
    assert (written["house_cents"], written["envy_cents"], written["flags"]) == (-9_500, 0, [])


def test_flags_are_written_with_their_seat() -> None:
    low = seat(3, "Tc 9c", Bet("blackjack", 100))
    written = write_verdict(play(CLASSIC, "Ts 8h", low))
    assert [(flag["seat"], flag["code"]) for flag in written["flags"]] == [(3, "under_minimum")]


def test_everything_a_round_can_carry_is_read() -> None:
    posted = {
        "dealer_cards": ["6c"],
        "community": ["5c"] * 30,
        "meters": {"JACKPOT": 100},
        "limit_called": True,
        "hole_card_shown": True,
        "blackjack_found_late": True,
        "coupons_approved": True,
        "seats": [
            {
                "seat": 1,
                "cards": ["Th", "4d"],
                "bets": [
                    {
                        "wager": "bet_bigger",
                        "stake_cents": 500,
                        "coupon": True,
                        "raise_cents": 5,
                        "spots": {"2x": 500},
                    }
                ],
                "hands": [{"cards": ["Th"], "toke_cents": 1, "toke_double_cents": 2}],
                "insurance_cents": 3,
                "even_money": True,
                "surrender": True,
                "decisions": ["hit"],
                "toke_decisions": ["stand"],
                "toke_insurance_cents": 4,
                "toke_even_money": True,
                "first_bets": [{"wager": "trilux", "stake_cents": 5, "for": "piggyback"}],
            }
        ],
    }
    bet = Bet("bet_bigger", 500, is_coupon=True, raise_cents=5, spots={"2x": 500})
    assert read_round(posted) == Round(
        seats=(
            Seat(
                1,
                (bet,),
                c("Th 4d"),
                hands=(Hand(c("Th"), toke_cents=1, toke_double_cents=2),),
                insurance_cents=3,
                takes_even_money=True,
                surrenders=True,
                decisions=("hit",),
                toke_decisions=("stand",),
                toke_insurance_cents=4,
                toke_takes_even_money=True,
                first_bets=(Bet("trilux", 5, whose=Whose.PIGGYBACK),),
            ),
        ),
        dealer=c("6c"),
        community=c("5c " * 30),
        meters={"JACKPOT": 100},
        limit_called=True,
        hole_card_shown=True,
        blackjack_found_late=True,
        coupons_approved=True,
    )


@pytest.mark.parametrize(
    ("posted", "code"),
    [
        (None, "bad_round"),
        ([], "bad_round"),
        ({"bank": 1}, "unknown_field"),
        ({"seats": {}}, "bad_round"),
        ({"seats": [{}] * 501}, "bad_round"),
        ({"seats": [3]}, "bad_round"),
        ({"seats": [{"seat": 0}]}, "bad_seat"),
        ({"seats": [{"seat": True}]}, "bad_seat"),
        ({"seats": [{"seat": 1, "player": 3}]}, "bad_player"),
        ({"seats": [{"seat": 1, "bets": [{"wager": 3}]}]}, "unknown_wager"),
        ({"seats": [{"seat": 1, "bets": [{"wager": "trilux"}]}]}, "bad_amount"),
        (
            {"seats": [{"seat": 1, "bets": [{"wager": "x", "stake_cents": 1, "for": "me"}]}]},
            "bad_for",
        ),
        ({"seats": [{"seat": 1, "cards": ["1x"]}]}, "bad_card"),
        ({"seats": [{"seat": 1, "hands": [{"doubles": 3}]}]}, "bad_round"),
        ({"seats": [{"seat": 1, "decisions": [3]}]}, "bad_decision"),
        ({"seats": [{"seat": 1, "even_money": 1}]}, "bad_flag"),
        ({"dealer_cards": "Qh"}, "bad_cards"),
        ({"meters": {"JACKPOT": -1}}, "bad_amount"),
        ({"community": 3}, "bad_round"),
    ],
)
def test_a_posted_round_that_cannot_be_read_is_refused(posted: Any, code: str) -> None:
    with pytest.raises(Refused) as caught:
        read_round(posted)
    assert caught.value.codes[0] == code


def test_every_unreadable_seat_is_named() -> None:
    with pytest.raises(Refused) as caught:
        read_round({"seats": [{"seat": 1}, {"seat": "x"}, {"seat": 3, "cards": 3}]})
    assert caught.value.codes == ("bad_seat", "bad_cards")
    assert "Seat entry 2" in str(caught.value)
