"""The cut of payouts, converted bets and buy-ins: worked examples of the manual, and properties."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.rules.cheques.change import make_change, nearest_payable
from pitboss.rules.cheques.cheques import DENOMINATIONS, total_cents
from pitboss.rules.cheques.cut import (
    Breakage,
    CutOptions,
    TrayShort,
    cut_buy_in,
    cut_converted_bet,
    cut_payout,
)
from pitboss.rules.refusal import Refused

ALL_CENTS = [denomination.cents for denomination in DENOMINATIONS]
FULL = dict.fromkeys(ALL_CENTS, 400)
# What most tables carry: no quarters.
TRAY = {100_000: 8, 50_000: 18, 10_000: 60, 2_500: 96, 500: 118, 250: 31, 100: 44}
COUNTS = st.dictionaries(st.sampled_from(ALL_CENTS), st.integers(0, 60))
BETS = st.dictionaries(st.sampled_from([100, 500, 2_500, 10_000]), st.integers(1, 30), min_size=1)


def codes(cut: Any) -> set[str]:
    return {reason.code for reason in cut.reasons}


# --- Taking and paying


def test_taking_and_paying_8_pays_colour_for_colour() -> None:
    cut = cut_payout(amount_cents=17_500, tray=TRAY, bet={2_500: 7}, table_minimum_cents=2_500)
    assert (cut.cheques, cut.approval, cut.breakage_cents) == ({2_500: 7}, (), 0)
    assert cut.stacks == {2_500: (3, 3, 1)}
    assert cut.working == "Color for color: 7 × $25 green."


def test_taking_and_paying_7_pays_a_multi_colour_bet_in_its_colours() -> None:
    bet = {10_000: 3, 2_500: 3, 500: 3}
    cut = cut_payout(amount_cents=39_000, tray=TRAY, bet=bet, table_minimum_cents=10_000)
    assert cut.cheques == bet
    assert cut.approval == ()


def test_taking_and_paying_13_colours_175_green_up_to_one_black_and_three_green() -> None:
    cut = cut_payout(
        amount_cents=17_500, tray=TRAY, bet={2_500: 7}, table_minimum_cents=2_500, colour_up=True
    )
    assert cut.cheques == {10_000: 1, 2_500: 3}
    assert cut.approval == ("supervisor",)
    assert codes(cut) == {"pays_with_100", "coloured_up_to_100"}
    assert cut.working == "Colored up: 1 × $100 black, 3 × $25 green."


def test_taking_and_paying_10_black_needs_approval_below_a_100_game_even_colour_for_colour() -> (
    None
):
    low = cut_payout(amount_cents=20_000, tray=TRAY, bet={10_000: 2}, table_minimum_cents=2_500)
    high = cut_payout(amount_cents=20_000, tray=TRAY, bet={10_000: 2}, table_minimum_cents=10_000)
    assert low.cheques == high.cheques == {10_000: 2}
    assert codes(low) == {"pays_with_100"}
    assert codes(high) == set()


@pytest.mark.parametrize(
    ("bet", "amount_cents", "cheques"),
    [
        ({500: 1}, 750, {500: 1, 250: 1}),
        ({500: 3}, 2_250, {500: 4, 250: 1}),
        ({500: 2}, 1_500, {500: 3}),
        ({2_500: 1}, 3_750, {2_500: 1, 500: 2, 250: 1}),
        ({2_500: 1, 500: 1}, 4_500, {2_500: 1, 500: 4}),
        ({10_000: 1}, 15_000, {10_000: 1, 2_500: 2}),
        ({100: 1}, 150, {100: 1, 25: 2}),
    ],
)
def test_blackjack_payouts_2_pays_three_to_two_with_a_pink_on_odd_fives(
    bet: dict[int, int], amount_cents: int, cheques: dict[int, int]
) -> None:
    assert cut_payout(amount_cents=amount_cents, tray=FULL, bet=bet).cheques == cheques


# --- Conversions and totals


def test_conversions_1c_a_tray_low_on_green_pays_in_black() -> None:
    cut = cut_payout(
        amount_cents=17_500,
        tray={10_000: 20, 2_500: 5, 500: 80},
        bet={2_500: 7},
        table_minimum_cents=2_500,
    )
    assert cut.cheques == {10_000: 1, 2_500: 3}
    assert "coloured_up_to_100" in codes(cut)


def test_conversions_1d_more_than_one_stack_is_coloured_up() -> None:
    stack = cut_payout(amount_cents=50_000, tray=TRAY, bet={2_500: 20})
    more = cut_payout(amount_cents=52_500, tray=TRAY, bet={2_500: 21})
    assert stack.cheques == {2_500: 20}
    assert more.cheques == {10_000: 5, 2_500: 1}


def test_conversions_3b_red_goes_to_green_without_approval() -> None:
    cut = cut_payout(amount_cents=27_500, tray=TRAY, bet={500: 55}, table_minimum_cents=500)
    assert cut.cheques == {2_500: 11}
    assert cut.approval == ()


def test_conversions_3c_black_and_higher_needs_approval_on_a_100_game_too() -> None:
    cut = cut_payout(amount_cents=400_000, tray=TRAY, bet={10_000: 40}, table_minimum_cents=10_000)
    assert cut.cheques == {50_000: 8}
    assert codes(cut) == {"coloured_up_to_100", "sends_out_300"}


def test_super_3_of_five_dollars_at_90_to_1_is_four_black_and_two_green() -> None:
    cut = cut_payout(amount_cents=45_000, tray=TRAY, bet={500: 1}, table_minimum_cents=2_500)
    assert cut.cheques == {10_000: 4, 2_500: 2}
    assert codes(cut) == {"pays_with_100", "coloured_up_to_100", "sends_out_300"}


def test_money_handling_waits_for_approval_from_300_when_cheques_are_sent_out() -> None:
    without_black = {2_500: 60, 500: 80}
    below = cut_payout(amount_cents=29_500, tray=without_black, bet={500: 1})
    above = cut_payout(amount_cents=30_000, tray=without_black, bet={500: 1})
    assert codes(below) == set()
    assert (above.cheques, codes(above)) == ({2_500: 12}, {"sends_out_300"})


def test_a_player_may_name_the_colour_to_be_coloured_up_to() -> None:
    cut = cut_payout(amount_cents=60_000, tray=TRAY, bet={500: 20}, colour_up=50_000)
    assert cut.cheques == {50_000: 1, 10_000: 1}


def test_colouring_up_what_is_too_small_stays_in_its_colour() -> None:
    cut = cut_payout(amount_cents=2_000, tray=TRAY, bet={500: 4}, colour_up=True)
    assert cut.cheques == {500: 4}


def test_a_tray_that_only_lacks_the_change_pays_it_in_smaller_change() -> None:
    cut = cut_payout(amount_cents=750, tray={500: 10, 100: 10, 25: 10}, bet={500: 1})
    assert cut.cheques == {500: 1, 100: 2, 25: 2}


def test_a_tray_without_larger_cheques_breaks_the_payout_down() -> None:
    cut = cut_payout(amount_cents=17_500, tray={2_500: 5, 500: 80}, bet={2_500: 7})
    assert cut.cheques == {2_500: 5, 500: 10}
    assert cut.working == "In the cheques this tray has: 5 × $25 green, 10 × $5 red."


def test_a_payout_over_one_stack_is_paid_all_the_same_when_nothing_larger_is_there() -> None:
    cut = cut_payout(amount_cents=15_000, tray={500: 80}, bet={500: 30})
    assert cut.cheques == {500: 30}
    assert cut.stacks == {500: (5,) * 6}


def test_a_colour_below_nothing_in_the_ledger_gives_no_cheque() -> None:
    tray = {10_000: 5, 2_500: -19, 500: 40, 100: 20}
    cut = cut_payout(amount_cents=5_000, tray=tray, bet={2_500: 2})
    assert cut.cheques == {500: 10}
    with pytest.raises(TrayShort) as caught:
        cut_payout(amount_cents=5_000, tray={2_500: -19}, bet={2_500: 2})
    # One stack is enough: what the ledger owes is not asked for.
    assert caught.value.fill == {2_500: 20}


def test_a_tray_that_cannot_pay_names_what_to_fill() -> None:
    with pytest.raises(TrayShort) as short:
        cut_payout(amount_cents=17_500, tray={2_500: 5, 500: 2}, bet={2_500: 7})
    assert short.value.fill == {2_500: 20}
    assert str(short.value) == "The tray cannot pay $175. Request a fill: 20 × $25 green."


@pytest.mark.parametrize(
    ("bet", "tubes", "fill"),
    [
        ({}, {100_000: 2}, {500_000: 12, 100_000: 5}),
        ({500: 1}, {100_000: 2}, {500_000: 12, 100_000: 5}),
        ({}, {2_000_000: 0, 500_000: 0, 100_000: 4}, {2_000_000: 5, 500_000: 4}),
    ],
)
def test_a_large_award_is_filled_in_high_cheques(
    bet: dict[int, int], tubes: dict[int, int], fill: dict[int, int]
) -> None:
    tray = {50_000: 4, 10_000: 40, 2_500: 80, 500: 100, 100: 100, **tubes}
    with pytest.raises(TrayShort) as short:
        cut_payout(amount_cents=4_969_400, tray=tray, bet=bet)
    assert short.value.fill == fill


def test_high_cheques_are_filled_by_the_unit() -> None:
    with pytest.raises(TrayShort) as short:
        cut_payout(amount_cents=600_000, tray={50_000: 1}, bet={50_000: 12})
    assert short.value.fill == {50_000: 12}


def test_conversions_2_a_converted_bet_goes_into_the_tray_with_approval() -> None:
    cut = cut_converted_bet(amount_cents=5_000, tray=TRAY, bet={500: 10})
    assert (cut.cheques, cut.taken) == ({2_500: 4}, {500: 10})
    assert codes(cut) == {"bet_converted"}


def test_a_converted_bet_may_be_paid_with_the_bet_itself() -> None:
    cut = cut_converted_bet(amount_cents=500, tray={2_500: 1}, bet={500: 4})
    assert cut.cheques == {2_500: 1}


def test_a_converted_bet_still_knows_which_colours_the_table_carries() -> None:
    with pytest.raises(TrayShort) as short:
        cut_converted_bet(amount_cents=125, tray={500: 9, 25: 0}, bet={100: 2})
    assert short.value.fill == {100: 20, 25: 20}


def test_conversions_3e_a_bet_paid_at_odds_is_converted_only_on_instruction() -> None:
    with pytest.raises(Refused) as refused:
        cut_converted_bet(amount_cents=45_000, tray=TRAY, bet={500: 10})
    assert refused.value.codes == ("convert_needs_instruction",)
    cut = cut_converted_bet(amount_cents=45_000, tray=TRAY, bet={500: 10}, instructed=True)
    assert cut.cheques == {10_000: 5}


def test_no_bet_cannot_be_converted() -> None:
    with pytest.raises(Refused) as refused:
        cut_converted_bet(amount_cents=500, tray=TRAY, bet={500: 0})
    assert refused.value.codes == ("bet_missing",)


# --- No bet given


@pytest.mark.parametrize(
    ("amount_cents", "minimum_cents", "cheques"),
    [
        (12_500, 500, {2_500: 5}),
        (12_500, 10_000, {10_000: 1, 2_500: 1}),
        (29_900, 500, {2_500: 11, 500: 4, 100: 4}),
        (30_000, 500, {10_000: 3}),
        (45_000, 500, {10_000: 4, 2_500: 2}),
        (500_000, 500, {50_000: 10}),
    ],
)
def test_without_a_bet_black_is_used_where_it_needs_no_further_approval(
    amount_cents: int, minimum_cents: int, cheques: dict[int, int]
) -> None:
    cut = cut_payout(amount_cents=amount_cents, tray=TRAY, table_minimum_cents=minimum_cents)
    assert cut.cheques == cheques
    assert cut.working.startswith("Cut: ")


def test_nothing_owed_is_no_cheques() -> None:
    cut = cut_payout(amount_cents=0, tray={}, bet={500: 1})
    assert (cut.cheques, cut.stacks, cut.approval) == ({}, {}, ())


# --- Breakage


def test_six_to_five_on_seven_dollars_leaves_breakage_with_the_house() -> None:
    cut = cut_payout(amount_cents=840, tray=TRAY, bet={500: 1, 100: 2})
    assert (cut.cheques, cut.breakage_cents) == ({500: 1, 100: 3}, 40)
    assert cut.working.endswith("; $0.40, which no cheque pays, stays with the house.")


def test_a_table_with_quarters_breaks_to_quarters() -> None:
    cut = cut_payout(amount_cents=840, tray={**TRAY, 25: 40}, bet={500: 1, 100: 2})
    assert total_cents(cut.cheques) == 825
    assert cut.breakage_cents == 15


def test_a_house_may_round_breakage_up() -> None:
    cut = cut_payout(
        amount_cents=840,
        tray=TRAY,
        bet={500: 1, 100: 2},
        options=CutOptions(breakage=Breakage.UP),
    )
    assert (total_cents(cut.cheques), cut.breakage_cents) == (850, -10)
    assert cut.working.endswith("; $0.10, which no cheque pays, is added.")


def test_a_house_may_pay_in_nothing_smaller_than_a_red() -> None:
    options = CutOptions(smallest_cheque_cents=500)
    cut = cut_payout(amount_cents=1_840, tray=TRAY, bet={500: 3}, options=options)
    assert (cut.cheques, cut.breakage_cents) == ({500: 3}, 340)


def test_an_odd_part_that_is_no_amount_of_cheques_is_paid_with_the_whole() -> None:
    cut = cut_payout(amount_cents=650, tray=TRAY, bet={500: 1})
    assert cut.cheques == {250: 1, 100: 4}


@pytest.mark.parametrize("amount_cents", [-1, 100_000_000_001])
def test_an_amount_that_cannot_be_is_refused(amount_cents: int) -> None:
    with pytest.raises(Refused) as refused:
        cut_payout(amount_cents=amount_cents, tray=TRAY)
    assert refused.value.codes == ("bad_amount",)


# --- Buy-ins


@pytest.mark.parametrize("minimum_cents", [500, 1_000, 1_500])
@pytest.mark.parametrize(
    ("dollars", "cheques"),
    [
        (20, {500: 4}),
        (100, {500: 20}),
        (200, {2_500: 4, 500: 20}),
        (125, {2_500: 1, 500: 20}),
        (120, {500: 24}),
        (103, {500: 20, 100: 3}),
        (500, {2_500: 16, 500: 20}),
    ],
)
def test_buy_ins_on_a_5_10_and_15_game(
    minimum_cents: int, dollars: int, cheques: dict[int, int]
) -> None:
    cut = cut_buy_in(amount_cents=dollars * 100, tray=FULL, table_minimum_cents=minimum_cents)
    assert cut.cheques == cheques


@pytest.mark.parametrize(
    ("dollars", "cheques"),
    [
        (100, {2_500: 4}),
        (500, {2_500: 20}),
        (600, {10_000: 1, 2_500: 20}),
        (950, {10_000: 4, 2_500: 22}),
        (1_000, {10_000: 5, 2_500: 20}),
        (3_000, {10_000: 25, 2_500: 20}),
        (110, {2_500: 4, 500: 2}),
    ],
)
@pytest.mark.parametrize("minimum_cents", [2_500, 5_000])
def test_buy_ins_on_a_25_game(dollars: int, cheques: dict[int, int], minimum_cents: int) -> None:
    cut = cut_buy_in(amount_cents=dollars * 100, tray=FULL, table_minimum_cents=minimum_cents)
    assert cut.cheques == cheques


@pytest.mark.parametrize(
    ("dollars", "cheques"),
    [
        (500, {10_000: 5}),
        (3_000, {10_000: 30}),
        (5_000, {50_000: 6, 10_000: 20}),
        (3_100, {50_000: 2, 10_000: 21}),
        (450, {10_000: 4, 2_500: 2}),
    ],
)
def test_buy_ins_on_a_100_game(dollars: int, cheques: dict[int, int]) -> None:
    cut = cut_buy_in(amount_cents=dollars * 100, tray=FULL, table_minimum_cents=10_000)
    assert cut.cheques == cheques


def test_making_change_4_waits_for_approval_from_300() -> None:
    below = cut_buy_in(amount_cents=29_900, tray=FULL, table_minimum_cents=500)
    at = cut_buy_in(amount_cents=30_000, tray=FULL, table_minimum_cents=500)
    assert below.approval == ()
    assert codes(at) == {"sends_out_300"}


def test_a_buy_in_from_a_short_tray_uses_discretion() -> None:
    cut = cut_buy_in(
        amount_cents=20_000, tray={10_000: 5, 2_500: 40, 500: 10}, table_minimum_cents=500
    )
    assert cut.cheques == {2_500: 6, 500: 10}
    black = cut_buy_in(
        amount_cents=20_000, tray={10_000: 5, 2_500: 2, 500: 10}, table_minimum_cents=500
    )
    assert black.cheques == {10_000: 1, 2_500: 2, 500: 10}
    assert codes(black) == {"pays_with_100"}


def test_a_buy_in_gives_up_the_guide_rather_than_the_exact_amount() -> None:
    # Keeping the two reds would leave $90, which green cannot make.
    cut = cut_buy_in(amount_cents=10_000, tray={2_500: 4, 500: 2}, table_minimum_cents=500)
    assert cut.cheques == {2_500: 4}


def test_a_buy_in_that_the_tray_cannot_change_names_the_fill() -> None:
    with pytest.raises(TrayShort) as short:
        cut_buy_in(amount_cents=10_000, tray={10_0000: 4}, table_minimum_cents=500)
    assert short.value.fill == {500: 20}


@pytest.mark.parametrize(("amount_cents", "code"), [(0, "bad_amount"), (1_010, "not_payable")])
def test_a_buy_in_that_is_no_money_is_refused(amount_cents: int, code: str) -> None:
    with pytest.raises(Refused) as refused:
        cut_buy_in(amount_cents=amount_cents, tray=FULL, table_minimum_cents=500)
    assert refused.value.codes == (code,)


# --- Properties


def payable_by_hand(amount_cents: int, supply: dict[int, int]) -> bool:
    reachable = {0}
    for cents, count in supply.items():
        reachable |= {
            base + cents * number
            for base in reachable
            for number in range(1, count + 1)
            if base + cents * number <= amount_cents
        }
    return amount_cents in reachable


@given(
    st.integers(0, 160).map(lambda quarters: quarters * 25),
    st.dictionaries(st.sampled_from([25, 100, 250, 500, 2_500]), st.integers(0, 9)),
)
def test_change_is_exact_and_found_whenever_there_is_any(
    amount_cents: int, supply: dict[int, int]
) -> None:
    way = make_change(amount_cents, supply)
    assert (way is not None) == payable_by_hand(amount_cents, supply)
    if way is not None:
        assert total_cents(way) == amount_cents
        assert all(supply[cents] >= count for cents, count in way.items())


@given(st.integers(0, 5_000), st.booleans())
def test_the_nearest_payable_amount_is_less_than_a_dollar_away(
    amount_cents: int, round_up: bool
) -> None:
    payable_cents = nearest_payable(amount_cents, {100: 999, 250: 999}, round_up=round_up)
    distance_cents = payable_cents - amount_cents if round_up else amount_cents - payable_cents
    assert 0 <= distance_cents < 100


@given(
    st.integers(0, 400_000),
    COUNTS,
    BETS | st.none(),
    st.sampled_from([500, 2_500, 10_000]),
    st.booleans(),
    st.sampled_from(Breakage),
)
def test_a_cut_pays_the_amount_less_breakage_from_what_the_tray_holds(
    amount_cents: int,
    tray: dict[int, int],
    bet: dict[int, int] | None,
    minimum_cents: int,
    colour_up: bool,
    breakage: Breakage,
) -> None:
    try:
        cut = cut_payout(
            amount_cents=amount_cents,
            tray=tray,
            bet=bet,
            table_minimum_cents=minimum_cents,
            colour_up=colour_up,
            options=CutOptions(breakage=breakage),
        )
    except TrayShort:
        assert not payable_from(tray, amount_cents, breakage)
        return
    assert total_cents(cut.cheques) == amount_cents - cut.breakage_cents
    assert all(0 < count <= tray[cents] for cents, count in cut.cheques.items())
    assert abs(cut.breakage_cents) < 100
    assert all(sum(heights) == cut.cheques[cents] for cents, heights in cut.stacks.items())
    if max(cut.cheques, default=0) >= 10_000 and minimum_cents < 10_000:
        assert cut.approval == ("supervisor",)


def payable_from(tray: dict[int, int], amount_cents: int, breakage: Breakage) -> bool:
    house = {cents: 10**9 for cents in ALL_CENTS if cents >= 100 or 25 in tray}
    target = nearest_payable(amount_cents, house, round_up=breakage is Breakage.UP)
    return make_change(target, tray) is not None


@given(BETS)
def test_an_even_money_bet_of_one_stack_is_paid_in_its_own_colours(bet: dict[int, int]) -> None:
    cut = cut_payout(amount_cents=total_cents(bet), tray=FULL, bet=bet)
    if sum(bet.values()) <= 20:
        assert cut.cheques == bet
    else:
        assert max(cut.cheques) >= max(bet)


@given(st.integers(1, 5_000), COUNTS, st.sampled_from([500, 2_500, 10_000]))
def test_a_buy_in_is_always_given_in_full(
    dollars: int, tray: dict[int, int], minimum_cents: int
) -> None:
    try:
        cut = cut_buy_in(amount_cents=dollars * 100, tray=tray, table_minimum_cents=minimum_cents)
    except TrayShort:
        assert make_change(dollars * 100, tray) is None
        return
    assert total_cents(cut.cheques) == dollars * 100
    assert all(0 < count <= tray[cents] for cents, count in cut.cheques.items())
