"""Whole rounds: order of paying, the dealer's hand, hands as they were played, and properties."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.rules.book.options import HouseOptions
from pitboss.rules.cards.playing_cards import DECK, hand_total
from pitboss.rules.games.dealer import must_draw
from pitboss.rules.games.eligibility import Bet, Whose
from pitboss.rules.games.games import Surrender, TableRules, table_rules
from pitboss.rules.games.play_options import as_played
from pitboss.rules.games.printed import GAMES
from pitboss.rules.refusal import Refused
from pitboss.rules.rounds.round import DealtRound, Hand, Phase, Seat, settle_round
from pitboss.rules.wagers.settle import settle
from tests.rules.rounds import (
    ANTE,
    BIGGER,
    BLAZING,
    CLASSIC,
    MAIN,
    ROOF,
    c,
    paid,
    play,
    refused,
    seat,
    table,
    toke,
)

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


def test_insurance_is_paid_in_turn_from_the_right_when_the_dealer_has_blackjack() -> None:
    seats = (seat(1, "Th 9d", insurance_cents=2_500), seat(2, "Th 8d"), seat(4, "Ah Kd"))
    assert paid(play(CLASSIC, "As Kh", *seats)) == [
        (4, "blackjack", 0),
        (2, "blackjack", -5_000),
        (1, "blackjack", 0),
    ]


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


def _toked(cards: str, *hands: Hand, **decided: Any) -> Seat:
    return seat(1, cards, MAIN, toke("blackjack", 500), hands=hands, **decided)


@pytest.mark.parametrize(
    ("play", "dealer", "player", "code"),
    [
        ({"double_after_split": "no"}, "Ts 7s",
         _toked("8h 8d", Hand(c("8h 3d Tc"), toke_double_cents=500), Hand(c("8d 9c"))),
         "double_after_split"),
        ({"doubles": "10-11"}, "Ts 7s", _toked("5h 4d", Hand(c("5h 4d Tc"), toke_double_cents=500)),
         "double_total"),
        ({}, "Ts 7s",
         _toked("Ah Ad", Hand(c("Ah 3d 7c"), toke_double_cents=500), Hand(c("Ad 9c"))),
         "double_split_aces"),
        ({"insurance": "no"}, "As Ks", _toked("Th 4d", toke_insurance_cents=200),
         "insurance_not_offered"),
        ({"insurance": "no"}, "As Qs", _toked("Ah Td", toke_takes_even_money=True),
         "insurance_not_offered"),
        ({}, "As Ks", seat(1, "Th 4d", toke_insurance_cents=200), "insurance_over_half"),
    ],
)  # fmt: skip
def test_tokes_5_what_is_decided_for_a_dealer_bet_follows_the_rules_of_players(
    play: dict[str, str], dealer: str, player: Seat, code: str
) -> None:
    game, told = as_played(GAMES["classic"], play)
    rules = table_rules(game, minimum_cents=500, maximum_cents=100_000, **told)
    assert code in refused(rules, dealer, player)


def test_tokes_5_a_dealer_bet_is_doubled_and_insured_where_players_do() -> None:
    doubled = _toked("6h 5d", Hand(c("6h 5d Tc"), toke_double_cents=500))
    verdict = play(CLASSIC, "Ts 7s", doubled)
    assert paid(verdict) == [(1, "blackjack", 5_000), (1, "blackjack", 1_000)]
    insured = play(CLASSIC, "As Ks", _toked("Th 4d", toke_insurance_cents=200))
    assert paid(insured) == [(1, "blackjack", -5_000), (1, "blackjack", -100)]


def test_what_rides_on_a_hand_is_given_up_with_it() -> None:
    game, told = as_played(GAMES["classic"], {"surrender": "enabled"})
    rules = table_rules(game, minimum_cents=500, maximum_cents=100_000, **told)
    guest = Bet("blackjack", 1_000, whose=Whose.PIGGYBACK)
    # The dealer busts: who had played on would have won.
    given_up = seat(1, "Th 6d", MAIN, toke("blackjack", 500), guest, surrenders=True)
    verdict = play(rules, "Ts 6s 9s", given_up, seat(2, "Th 9d"))
    assert [line.net_cents for line in verdict.lines if line.seat == 1] == [-2_500, -500, -250]


@pytest.mark.parametrize(
    ("cards", "decided"),
    [
        ("Th 6d", {"insurance_cents": 200}),
        ("Ah Td", {"takes_even_money": True}),
        ("Th 6d", {"surrenders": True}),
    ],
)
def test_a_coupon_is_played_out(cards: str, decided: dict[str, Any]) -> None:
    game, told = as_played(GAMES["classic"], {"surrender": "enabled"})
    rules = table_rules(game, minimum_cents=500, maximum_cents=100_000, **told)
    coupon = Bet("blackjack", 1_000, is_coupon=True)
    assert "coupon_decided" in refused(rules, "As Ks", seat(1, cards, coupon, **decided))


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
    verdict = settle_round(CLASSIC, DealtRound(players, tuple(dealer)))
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
