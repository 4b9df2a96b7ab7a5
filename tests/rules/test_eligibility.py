"""Which bets a table takes: one allowed baseline, and single changes that are refused."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pitboss.rules.book.options import HouseOptions
from pitboss.rules.games.eligibility import Bet, RoundMoment, Whose, judge_wagers
from pitboss.rules.games.games import SideBetRules, TableRules, table_rules
from pitboss.rules.games.printed import GAMES

STADIUM = {"keep_standoff_bet": "disabled", "auto_stand": {"soft": 17, "hard": 17}}


def table(game: str, **choices: Any) -> TableRules:
    most = 1_000 if game == "bet_bigger" else 100_000
    limits: dict[str, Any] = {"minimum_cents": 500, "maximum_cents": most}
    if game == "stadium":
        limits["stadium"] = STADIUM
    return table_rules(GAMES[game], **{**limits, **choices})


CLASSIC = table("classic")
BLAZING = table("blazing_7s")
ROOF = table("raise_the_roof")
BIGGER = table("bet_bigger")
STADIUM_TABLE = table("stadium")

MAIN = Bet("blackjack", 2_500)
ANTE = Bet("bet_bigger", 500)


def toke(wager: str, cents: int) -> Bet:
    return Bet(wager, cents, whose=Whose.DEALER)


def rider(wager: str, cents: int) -> Bet:
    return Bet(wager, cents, whose=Whose.PIGGYBACK)


def codes(rules: TableRules, *bets: Bet, **facts: Any) -> list[str]:
    return [refusal.code for refusal in judge_wagers(rules, bets, **facts).refusals]


@pytest.mark.parametrize(
    ("rules", "bets"),
    [
        (CLASSIC, [MAIN]),
        (CLASSIC, [MAIN, Bet("trilux", 500), Bet("super_3", 5_000)]),
        (CLASSIC, [MAIN, toke("blackjack", 25), toke("trilux", 100)]),
        (CLASSIC, [MAIN, rider("blackjack", 500), rider("blackjack", 1_000)]),
        (BLAZING, [MAIN, Bet("blazing_7s", 500), Bet("trilux", 50_000)]),
        # Raise the Roof, Summary 2a and Procedure 1: neither is a must, and they need not be equal.
        (ROOF, [MAIN]),
        (ROOF, [MAIN, Bet("raise_the_roof", 500)]),
        (BIGGER, [Bet("bet_bigger", 500, spots={"2x": 500, "3x": 500, "4x": 500})]),
        (BIGGER, [Bet("bet_bigger", 500, spots={"4x": 500})]),
        (BIGGER, [ANTE, Bet("lucky_ladies", 1_000), Bet("perfect_pair", 250)]),
        (STADIUM_TABLE, [Bet("stadium_blackjack", 500), Bet("royal_match_21", 500)]),
        # Stadium 3: a side bet for the dealer stands without one of the player's own.
        (STADIUM_TABLE, [Bet("stadium_blackjack", 500), toke("trilux", 500)]),
    ],
)
def test_bets_within_the_rules_are_taken(rules: TableRules, bets: list[Bet]) -> None:
    assert codes(rules, *bets) == []


@pytest.mark.parametrize(
    ("rules", "bets", "refused"),
    [
        # Trilux 1
        (CLASSIC, [MAIN, Bet("super_3", 500)], ["needs_trilux"]),
        (CLASSIC, [Bet("trilux", 500)], ["needs_main_wager"]),
        (CLASSIC, [Bet("super_3", 500)], ["needs_main_wager", "needs_trilux"]),
        (CLASSIC, [MAIN, toke("trilux", 500), Bet("super_3", 500)], ["needs_trilux"]),
        (CLASSIC, [MAIN, Bet("trilux", 400)], ["under_minimum"]),
        (CLASSIC, [MAIN, Bet("trilux", 50_500)], ["over_maximum"]),
        (CLASSIC, [MAIN, Bet("trilux", 500), Bet("super_3", 5_500)], ["over_maximum"]),
        # Minimum and Maximum Wagers 2 and 5
        (CLASSIC, [Bet("blackjack", 400)], ["under_minimum"]),
        (CLASSIC, [Bet("blackjack", 100_500)], ["over_maximum"]),
        # Blazing 7's 2
        (BLAZING, [MAIN, Bet("blazing_7s", 1_000)], ["stake_not_taken", "over_maximum"]),
        (BLAZING, [MAIN, Bet("blazing_7s", 250)], ["stake_not_taken", "under_minimum"]),
        (BLAZING, [Bet("blazing_7s", 500)], ["needs_main_wager"]),
        (BLAZING, [MAIN, toke("blazing_7s", 500)], ["dealer_bet_not_taken"]),
        (BLAZING, [MAIN, rider("blazing_7s", 500)], ["piggyback_not_allowed"]),
        # Not offered here
        (CLASSIC, [MAIN, Bet("blazing_7s", 500)], ["wager_not_offered"]),
        (table("double_deck"), [MAIN, Bet("super_3", 500)], ["wager_not_offered"]),
        (CLASSIC, [ANTE], ["wager_not_offered"]),
        (CLASSIC, [MAIN, Bet("raise_the_roof", 500)], ["wager_not_offered"]),
        # Bet Bigger, placing bets
        (BIGGER, [Bet("bet_bigger", 1_500)], ["over_maximum"]),
        (BIGGER, [Bet("bet_bigger", 400)], ["under_minimum"]),
        (BIGGER, [Bet("bet_bigger", 500, spots={"2x": 1_000})], ["spot_differs_from_ante"]),
        (BIGGER, [Bet("bet_bigger", 500, spots={"5x": 500})], ["unknown_spot"]),
        (CLASSIC, [Bet("blackjack", 500, spots={"2x": 500})], ["unknown_spot"]),
        (BIGGER, [ANTE, Bet("match_the_dealer", 225)], ["under_minimum"]),
        (BIGGER, [ANTE, Bet("match_the_dealer", 1_025)], ["over_maximum"]),
        (BIGGER, [ANTE, Bet("lucky_ladies", 750)], ["stake_not_taken"]),
        (BIGGER, [Bet("lucky_ladies", 500)], ["needs_main_wager"]),
        (BIGGER, [ANTE, toke("bet_bigger", 500)], ["dealer_bet_not_taken"]),
        (BIGGER, [ANTE, rider("bet_bigger", 500)], ["piggyback_not_allowed"]),
        # Keyed wrong
        (CLASSIC, [MAIN, MAIN], ["wager_twice"]),
        (CLASSIC, [Bet("blackjack", 0)], ["bad_stake"]),
        (CLASSIC, [Bet("blackjack", -500)], ["bad_stake"]),
        (BIGGER, [Bet("bet_bigger", 500, spots={"2x": 0})], ["bad_stake"]),
        (ROOF, [MAIN, Bet("raise_the_roof", 500, raise_cents=-500)], ["bad_stake"]),
    ],
)
def test_a_bet_the_game_forbids_is_refused_with_every_reason(
    rules: TableRules, bets: list[Bet], refused: list[str]
) -> None:
    assert codes(rules, *bets) == refused


def test_a_house_may_read_the_spots_as_multiples_of_the_ante() -> None:
    multiples = table("bet_bigger", options=HouseOptions(bet_bigger_spot="multiple"))
    assert codes(multiples, Bet("bet_bigger", 500, spots={"2x": 1_000, "4x": 2_000})) == []
    assert codes(multiples, Bet("bet_bigger", 500, spots={"2x": 500})) == ["spot_differs_from_ante"]


def test_all_reasons_come_at_once() -> None:
    bets = [Bet("blackjack", 100), Bet("super_3", 6_000), Bet("perfect_pair", 500)]
    assert codes(CLASSIC, *bets, hands=4) == [
        "too_many_hands",
        "needs_trilux",
        "wager_not_offered",
        "under_minimum",
        "over_maximum",
    ]


def test_every_refusal_says_what_to_do_in_a_sentence() -> None:
    bets = [Bet("blackjack", 100), Bet("super_3", 6_000)]
    for refusal in judge_wagers(CLASSIC, bets).refusals:
        assert refusal.message.endswith(".")
        assert "$" in refusal.message or "Place" in refusal.message


# --- Several hands: Minimum and Maximum Wagers 6


@pytest.mark.parametrize(
    ("hands", "stake_cents", "refused"),
    [
        (1, 500, []),
        (2, 995, ["under_minimum"]),
        (2, 1_000, []),
        (3, 2_400, ["under_minimum"]),
        (3, 2_500, []),
        (4, 2_500, ["too_many_hands"]),
        (0, 2_500, ["too_many_hands"]),
    ],
)
def test_two_hands_cost_twice_and_three_five_times_the_minimum(
    hands: int, stake_cents: int, refused: list[str]
) -> None:
    assert codes(CLASSIC, Bet("blackjack", stake_cents), hands=hands) == refused


def test_trilux_3_a_side_bet_is_not_doubled_for_a_second_hand() -> None:
    assert codes(CLASSIC, Bet("blackjack", 1_000), Bet("trilux", 500), hands=2) == []


def test_the_vip_room_asks_no_more_for_several_hands() -> None:
    assert codes(table("classic", is_vip=True), Bet("blackjack", 500), hands=3) == []


def test_double_deck_5_allows_two_hands() -> None:
    assert codes(table("double_deck"), Bet("blackjack", 5_000), hands=3) == ["too_many_hands"]


def test_a_stadium_terminal_plays_one_hand() -> None:
    assert codes(STADIUM_TABLE, Bet("stadium_blackjack", 500), hands=2) == ["too_many_hands"]


# --- Tokes 8 and 9


@pytest.mark.parametrize(
    ("own_cents", "toke_cents", "refused"),
    [
        (100_000, 10_000, []),
        (100_000, 10_100, ["toke_over_cap"]),
        (90_000, 10_000, []),
        (90_000, 10_500, ["toke_over_cap"]),
        (500, 99_500, []),
        (500, 99_600, ["toke_over_cap"]),
        (500, 25, []),
    ],
)
def test_a_toke_stays_within_a_tenth_of_the_maximum_or_the_maximum_with_the_bet(
    own_cents: int, toke_cents: int, refused: list[str]
) -> None:
    assert codes(CLASSIC, Bet("blackjack", own_cents), toke("blackjack", toke_cents)) == refused


def test_a_toke_on_a_side_bet_has_the_side_bets_own_cap() -> None:
    side = [MAIN, Bet("trilux", 50_000)]
    assert codes(CLASSIC, *side, toke("trilux", 5_000)) == []
    assert codes(CLASSIC, *side, toke("trilux", 5_100)) == ["toke_over_cap"]


def test_stadium_3_a_blackjack_bet_for_the_dealer_needs_the_players_own() -> None:
    assert codes(STADIUM_TABLE, toke("stadium_blackjack", 500)) == ["toke_needs_own_bet"]


def test_a_table_may_take_no_dealer_bets() -> None:
    quiet = table("stadium", takes_dealer_bets=False)
    assert codes(quiet, Bet("stadium_blackjack", 500), toke("trilux", 500)) == [
        "dealer_bet_not_taken"
    ]


# --- Tokes 10: piggybacks


def test_nobody_rides_on_odds_of_300_to_1_or_more() -> None:
    low = {"raise_the_roof": SideBetRules("H17_6_8_A", 500, 5_000)}
    high = {"raise_the_roof": SideBetRules("H17_6_8_B", 500, 5_000)}
    ante = Bet("raise_the_roof", 500)
    ride = rider("raise_the_roof", 500)
    assert codes(table("raise_the_roof", side_bets=low), MAIN, ante, ride) == []
    assert codes(table("raise_the_roof", side_bets=high), MAIN, ante, ride) == ["piggyback_odds"]
    exactly = table(
        "raise_the_roof",
        decks=2,
        side_bets={"raise_the_roof": SideBetRules("H17_2_A", 500, 5_000)},
    )
    assert codes(exactly, MAIN, ante, ride) == ["piggyback_odds"]
    # Super 3 pays 270 to 1 at most.
    bets = [MAIN, Bet("trilux", 500), Bet("super_3", 500), rider("super_3", 500)]
    assert codes(CLASSIC, *bets) == []


def test_management_may_ask_riders_for_a_spot_of_their_own() -> None:
    strict = table("classic", piggyback_needs_own_spot=True)
    ride = rider("blackjack", 500)
    assert codes(strict, MAIN, ride) == []
    assert codes(strict, MAIN, ride, has_own_spot=False) == ["piggyback_needs_own_spot"]
    assert codes(CLASSIC, MAIN, ride, has_own_spot=False) == []


# --- Free Bet Coupons 1


def test_a_coupon_is_for_the_even_money_bet_unless_the_supervisor_allows_another() -> None:
    main = Bet("blackjack", 2_500, is_coupon=True)
    side = Bet("trilux", 500, is_coupon=True)
    assert codes(CLASSIC, main) == []
    assert codes(CLASSIC, MAIN, side) == ["coupon_needs_approval"]
    assert codes(CLASSIC, MAIN, side, coupon_approved=True) == []
    assert codes(BIGGER, Bet("bet_bigger", 500, is_coupon=True)) == ["coupon_not_taken"]


# --- Raise the Roof, Dealing 3


@pytest.mark.parametrize(
    ("raise_cents", "refused"),
    [
        (500, []),
        (1_000, []),
        (1_500, []),
        (2_000, []),
        (2_500, []),
        (750, ["raise_not_multiple"]),
        (250, ["raise_not_multiple"]),
        (3_000, ["raise_out_of_range"]),
        (2_750, ["raise_not_multiple", "raise_out_of_range"]),
    ],
)
def test_a_raise_is_one_to_five_times_the_ante(raise_cents: int, refused: list[str]) -> None:
    bets = [MAIN, Bet("raise_the_roof", 500, raise_cents=raise_cents)]
    assert codes(ROOF, *bets, moment=RoundMoment.AFTER_DEAL) == refused


def test_a_raise_waits_for_the_cards() -> None:
    assert codes(ROOF, MAIN, Bet("raise_the_roof", 500, raise_cents=500)) == ["raise_too_early"]


def test_a_house_may_take_raises_between_whole_multiples() -> None:
    loose = table("raise_the_roof", options=HouseOptions(raise_multiples="any"))
    bets = [MAIN, Bet("raise_the_roof", 500, raise_cents=750)]
    assert codes(loose, *bets, moment=RoundMoment.AFTER_DEAL) == []
    less = [MAIN, Bet("raise_the_roof", 500, raise_cents=499)]
    assert codes(loose, *less, moment=RoundMoment.AFTER_DEAL) == ["raise_not_multiple"]


def test_only_the_bust_ante_is_raised() -> None:
    assert codes(CLASSIC, Bet("blackjack", 500, raise_cents=500)) == ["raise_not_offered"]


# --- Bet Bigger, flat bet

FIRST = [Bet("bet_bigger", 1_000, spots={"2x": 1_000, "3x": 1_000})]


@pytest.mark.parametrize(
    ("bets", "refused"),
    [
        (FIRST, []),
        ([Bet("bet_bigger", 1_000, spots={"3x": 1_000, "2x": 1_000})], []),
        ([Bet("bet_bigger", 1_000, spots={"3x": 1_000, "4x": 1_000})], ["flat_bet_differs"]),
        ([Bet("bet_bigger", 500, spots={"2x": 500, "3x": 500})], ["flat_bet_differs"]),
        ([*FIRST, Bet("lucky_ladies", 500)], ["flat_bet_differs"]),
        ([Bet("bet_bigger", 1_000)], ["flat_bet_differs"]),
    ],
)
def test_a_flat_bet_player_repeats_the_first_bets_of_the_shoe(
    bets: list[Bet], refused: list[str]
) -> None:
    assert codes(BIGGER, *bets, first_bets=FIRST) == refused


def test_only_bet_bigger_knows_a_flat_bet_order() -> None:
    assert codes(CLASSIC, MAIN, first_bets=[MAIN]) == ["no_flat_bet"]


# --- After the deal: Minimum and Maximum Wagers 2, 4 and 5 (R35)


def test_a_bet_found_under_the_minimum_too_late_is_played_and_flagged() -> None:
    verdict = judge_wagers(CLASSIC, [Bet("blackjack", 400)], moment=RoundMoment.AFTER_DEAL)
    assert verdict.refusals == ()
    assert [flag.code for flag in verdict.flags] == ["under_minimum"]
    assert verdict.in_action == (Bet("blackjack", 400),)


def test_a_bet_found_over_the_maximum_too_late_is_played_whole_and_flagged() -> None:
    verdict = judge_wagers(CLASSIC, [Bet("blackjack", 120_000)], moment=RoundMoment.AFTER_DEAL)
    assert [flag.code for flag in verdict.flags] == ["over_maximum"]
    assert verdict.in_action[0].stake_cents == 120_000


def test_pay_or_take_to_the_limit_leaves_only_the_limit_in_action() -> None:
    bets = [Bet("blackjack", 120_000), Bet("trilux", 500)]
    verdict = judge_wagers(CLASSIC, bets, moment=RoundMoment.AFTER_DEAL, limit_called=True)
    assert verdict.in_action == (Bet("blackjack", 100_000), Bet("trilux", 500))
    assert [flag.code for flag in verdict.flags] == ["over_maximum"]


def test_calling_the_limit_leaves_a_bet_under_the_minimum_as_it_is() -> None:
    low = [Bet("blackjack", 400)]
    verdict = judge_wagers(CLASSIC, low, moment=RoundMoment.AFTER_DEAL, limit_called=True)
    assert verdict.in_action == (Bet("blackjack", 400),)
    assert [flag.code for flag in verdict.flags] == ["under_minimum"]


def test_a_house_may_play_the_whole_bet_although_the_limit_was_called() -> None:
    whole = table("classic", options=HouseOptions(over_limit="whole_bet"))
    verdict = judge_wagers(
        whole, [Bet("blackjack", 120_000)], moment=RoundMoment.AFTER_DEAL, limit_called=True
    )
    assert verdict.in_action[0].stake_cents == 120_000


def test_raises_and_spots_follow_their_ante_to_the_limit() -> None:
    roof = table(
        "raise_the_roof", side_bets={"raise_the_roof": SideBetRules("H17_6_8_A", 500, 5_000)}
    )
    raised = [MAIN, Bet("raise_the_roof", 6_000, raise_cents=18_000)]
    verdict = judge_wagers(roof, raised, moment=RoundMoment.AFTER_DEAL, limit_called=True)
    assert verdict.in_action[1] == Bet("raise_the_roof", 5_000, raise_cents=15_000)
    spots = [Bet("bet_bigger", 1_500, spots={"2x": 1_500})]
    verdict = judge_wagers(BIGGER, spots, moment=RoundMoment.AFTER_DEAL, limit_called=True)
    assert verdict.in_action[0] == Bet("bet_bigger", 1_000, spots={"2x": 1_000})


def test_what_is_no_matter_of_limits_is_refused_after_the_deal_too() -> None:
    assert codes(CLASSIC, MAIN, Bet("super_3", 500), moment=RoundMoment.AFTER_DEAL) == [
        "needs_trilux"
    ]


def test_roof_limits_2_the_bets_of_a_hand_stay_within_what_the_house_takes_together() -> None:
    rules = replace(ROOF, together_max_cents=5_000)
    ante = Bet("raise_the_roof", 500, raise_cents=2_000)
    assert codes(rules, MAIN, Bet("raise_the_roof", 2_500), toke("blackjack", 500)) == []
    assert codes(rules, MAIN, Bet("raise_the_roof", 2_600)) == ["over_together"]
    # Once cards are out it is played, and the floorperson called.
    played = judge_wagers(rules, [MAIN, ante], moment=RoundMoment.AFTER_DEAL)
    assert (played.refusals, played.flags) == ((), ())
    more = [MAIN, replace(ante, raise_cents=2_500)]
    assert [
        flag.code for flag in judge_wagers(rules, more, moment=RoundMoment.AFTER_DEAL).flags
    ] == ["over_together"]


def test_roof_limits_1_a_raise_has_the_houses_own_minimum_and_maximum() -> None:
    rules = replace(ROOF, raise_min_cents=1_000, raise_max_cents=2_000)

    def flags(raise_cents: int) -> list[str]:
        bets = [MAIN, Bet("raise_the_roof", 500, raise_cents=raise_cents)]
        return [
            flag.code for flag in judge_wagers(rules, bets, moment=RoundMoment.AFTER_DEAL).flags
        ]

    assert flags(1_000) == flags(2_000) == []
    assert flags(500) == ["raise_under_minimum"]
    assert flags(2_500) == ["raise_over_maximum"]
    early = codes(rules, MAIN, Bet("raise_the_roof", 500, raise_cents=500))
    assert early == ["raise_too_early", "raise_under_minimum"]
