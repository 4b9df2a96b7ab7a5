"""Exact odds of the bets on the first cards, against counts worked out by hand."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from math import comb, perm, prod
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pitboss.rules.book.options import DEFAULT_OPTIONS, HouseOptions, house_options
from pitboss.rules.cards.playing_cards import DECK, Card, cards
from pitboss.rules.odds import odds
from pitboss.rules.odds.deal_counting import DEALS, all_ways, row_ways
from pitboss.rules.odds.side_bet_odds import insurance_odds, side_bet_odds
from pitboss.rules.odds.wager_odds import WagerOdds, as_percent, warnings
from pitboss.rules.paytables.categories import CATEGORISERS
from pitboss.rules.paytables.paytables import PAY_TABLES, ROWS, house_pay_table
from pitboss.rules.refusal import Refused

DECKS = [1, 2, 6, 8]


def odds_of(wager: str, paytable: Any, decks: int, **extra: Any) -> WagerOdds:
    return odds.odds_of({"wager": wager, "paytable": paytable, "decks": decks, "extra": extra})


def probabilities(found: WagerOdds) -> dict[str, Fraction]:
    return {name: row.probability for name, row in found.rows.items()}


def refused_code(**case: Any) -> str:
    with pytest.raises(Refused) as refused:
        odds.answer(case)
    (code,) = refused.value.codes
    return code


# Counts by hand, in decks of d


@pytest.mark.parametrize("d", DECKS)
def test_pairs(d: int) -> None:
    hands = comb(52 * d, 2)
    suited = Fraction(52 * comb(d, 2), hands)
    unsuited = Fraction(13 * 6 * d * d, hands)
    assert probabilities(odds_of("perfect_pair", "A", d)) == {
        "suited_pair": suited,
        "non_suited_pair": unsuited,
        "lose": 1 - suited - unsuited,
    }
    bet_the_set = odds_of("bet_the_set_21", "A", d)
    assert bet_the_set.rows["suited_pair"].probability == suited
    assert bet_the_set.rows["pair"].probability == unsuited
    assert bet_the_set.edge == 1 - 16 * suited - 11 * unsuited


@pytest.mark.parametrize("d", DECKS)
def test_royal_match(d: int) -> None:
    found = odds_of("royal_match_21", "A", d)
    hands = comb(52 * d, 2)
    royal = Fraction(4 * d * d, hands)
    suited = Fraction(4 * comb(13 * d, 2), hands) - royal
    assert probabilities(found) == {
        "royal_match": royal,
        "suited": suited,
        "lose": 1 - royal - suited,
    }
    assert found.edge == 1 - 26 * royal - Fraction(7, 2) * suited


@pytest.mark.parametrize("d", DECKS)
def test_three_card_poker(d: int) -> None:
    hands = comb(52 * d, 3)
    # Twelve sequences, the ace high or low; three identical cards are three of a kind.
    mini_royal, straight_flush, straight = 4 * d**3, 44 * d**3, 12 * 60 * d**3
    trips, identical = 13 * comb(4 * d, 3), 52 * comb(d, 3)
    flush = 4 * comb(13 * d, 3) - 48 * d**3 - identical
    lose = hands - mini_royal - straight_flush - straight - trips - flush
    assert probabilities(odds_of("trilux", "TRI-02", d)) == {
        "mini_royal": Fraction(mini_royal, hands),
        "straight_flush": Fraction(straight_flush, hands),
        "three_of_a_kind": Fraction(trips, hands),
        "straight": Fraction(straight, hands),
        "flush": Fraction(flush, hands),
        "lose": Fraction(lose, hands),
    }
    assert probabilities(odds_of("super_3", "1", d)) == {
        "suited_three_of_a_kind": Fraction(identical, hands),
        "straight_flush": Fraction(48 * d**3, hands),
        "three_of_a_kind": Fraction(trips - identical, hands),
        "lose": 1 - Fraction(trips + 48 * d**3, hands),
    }


@pytest.mark.parametrize("d", DECKS)
def test_match_the_dealer(d: int) -> None:
    # Beside the up card lie d - 1 like it, 3d of its rank in other suits, and 48d others.
    same, rank, other = d - 1, 3 * d, 48 * d
    hands = comb(52 * d - 1, 2)
    assert probabilities(odds_of("match_the_dealer", "A", d)) == {
        "two_suited": Fraction(comb(same, 2), hands),
        "one_non_suited_one_suited": Fraction(same * rank, hands),
        "one_suited": Fraction(same * other, hands),
        "two_non_suited": Fraction(comb(rank, 2), hands),
        "one_non_suited": Fraction(rank * other, hands),
        "lose": Fraction(comb(other, 2), hands),
    }


@pytest.mark.parametrize("d", DECKS)
def test_lucky_ladies(d: int) -> None:
    deals = comb(52 * d, 2) * (52 * d - 2)
    up_cards = 52 * d - 2
    hearts = comb(d, 2) * (d - 2)
    one_colour = comb(2 * d, 2) * (2 * d - 2) - 2 * hearts
    any_queens = comb(4 * d, 2) * (4 * d - 2) - 4 * hearts - 2 * one_colour
    matched = 16 * comb(d, 2) * up_cards - 4 * comb(d, 2) * (4 * d - 2)
    suited = (24 + 4) * d * d * up_cards
    unlike = comb(16 * d, 2) - 4 * comb(4 * d, 2) + 12 * d * d
    non_suited = unlike * up_cards - 6 * d * d * (4 * d - 2)
    ways = {
        "three_queens_hearts": hearts,
        "three_queens_same_suit": 3 * hearts,
        "three_queens_same_colour": 2 * one_colour,
        "three_queens": any_queens,
        "matched_20": matched,
        "suited_20": suited,
        "non_suited_20": non_suited,
    }
    ways["lose"] = deals - sum(ways.values())
    expected = {name: Fraction(count, deals) for name, count in ways.items()}
    assert probabilities(odds_of("lucky_ladies", "A", d)) == expected


@pytest.mark.parametrize("d", DECKS)
def test_blazing_7s(d: int) -> None:
    deals = comb(52 * d, 2) * (52 * d - 2)
    same_suit = 4 * comb(d, 2) * (d - 2)
    same_colour = 2 * comb(2 * d, 2) * (2 * d - 2) - same_suit
    ways = {
        "three_sevens_same_suit": same_suit,
        "three_sevens_same_colour": same_colour,
        "three_sevens_mixed": comb(4 * d, 2) * (4 * d - 2) - same_suit - same_colour,
        "two_sevens": comb(4 * d, 2) * 48 * d,
        "one_seven": 4 * d * 48 * d * (52 * d - 2),
    }
    ways["lose"] = deals - sum(ways.values())
    expected = {name: Fraction(count, deals) for name, count in ways.items()}
    assert probabilities(odds_of("blazing_7s", "A", d)) == expected


@pytest.mark.parametrize("d", DECKS)
def test_four_card_rows(d: int) -> None:
    hands = comb(52 * d, 4)
    ways = {
        "four_identical": 52 * comb(d, 4),
        "four_of_a_kind": 13 * comb(4 * d, 4),
        "straight_flush": 11 * 4 * d**4,
        "straight": 11 * (4 * d) ** 4,
        "three_of_a_kind": 13 * (comb(4 * d, 4) + comb(4 * d, 3) * 48 * d),
        "two_pair": comb(13, 2) * comb(4 * d, 2) ** 2,
        "flush": 4 * comb(13 * d, 4),
        "same_colour": 2 * comb(26 * d, 4),
        "pair": hands - comb(13, 4) * (4 * d) ** 4,
    }
    for row, count in ways.items():
        found = odds_of("four_card_bonus", {row: "2:1"}, d)
        assert found.rows[row].probability == Fraction(count, hands), row
        assert found.edge == 1 - 3 * Fraction(count, hands)


@pytest.mark.parametrize("d", DECKS)
def test_two_card_rows(d: int) -> None:
    hands = comb(52 * d, 2)
    ways = {
        "suited_blackjack": 4 * 4 * d * d,
        "blackjack": 4 * d * 16 * d,
        "suited_pair": 52 * comb(d, 2),
        "coloured_pair": 26 * comb(2 * d, 2),
        "pair": 13 * comb(4 * d, 2),
        "royal_match": 4 * d * d,
        "suited_20": 4 * (comb(4 * d, 2) + d * d),
        "total_20": comb(16 * d, 2) + 16 * d * d,
        "suited_connectors": 4 * 13 * d * d,
        "suited": 4 * comb(13 * d, 2),
        "same_colour": 2 * comb(26 * d, 2),
    }
    for row, count in ways.items():
        assert odds_of("two_card_bonus", {row: "1:1"}, d).rows[row].probability == Fraction(
            count, hands
        ), row


@pytest.mark.parametrize("d", DECKS)
def test_insurance(d: int) -> None:
    found = odds_of("insurance", "2:1", d)
    wins = Fraction(16 * d, 52 * d - 1)
    assert probabilities(found) == {"insurance_wins": wins, "lose": 1 - wins}
    assert found.edge == 1 - 3 * wins


def test_insurance_counts_the_cards_seen() -> None:
    twenty = odds_of("insurance", "2:1", 6, seen=["Kh", "Qd"])
    assert twenty.rows["insurance_wins"].probability == Fraction(94, 309)
    nothing = odds_of("insurance", "2:1", 6, seen=["2h", "3d"])
    assert nothing.rows["insurance_wins"].probability == Fraction(96, 309)


# Published figures


def test_the_double_deck_table_as_printed_keeps_two_thirds() -> None:
    printed = odds_of("trilux", "DD-5:2", 2)
    assert as_percent(printed.edge) == "67.54%"
    (warning,) = warnings(printed)
    assert warning.code == "edge_high"
    assert "keeps 67.54%" in warning.message
    with_pair = odds_of("trilux", "DD-5:2", 2, options={"double_deck_pair": "pair_pays_5:2"})
    assert as_percent(with_pair.edge) == "2.78%"
    assert warnings(with_pair) == ()


def test_the_six_deck_nine_to_one_table() -> None:
    assert odds.answer({"wager": "trilux", "paytable": "TRI-01", "decks": 6}) == {
        "edge": "4059/125333",
        "categories": {
            "straight_flush": {"probability": "1296/626665", "pays": "9"},
            "three_of_a_kind": {"probability": "253/48205", "pays": "9"},
            "straight": {"probability": "3888/125333", "pays": "9"},
            "flush": {"probability": "36612/626665", "pays": "9"},
            "lose": {"probability": "566028/626665", "pays": "-1"},
        },
        "warnings": [],
    }


# Money


def test_a_meter_adds_to_what_the_player_gets_back() -> None:
    empty = odds_of("lucky_ladies", "A", 8)
    posted = {"MEGA": 5_000_000, "MAJOR": 1_500_000, "MINOR": 250_000}
    full = odds_of("lucky_ladies", "A", 8, jackpots_cents=posted)
    assert full.rows["three_queens_hearts"].pays == 5_000  # 50% of $50,000 on $5
    assert empty.rows["three_queens_hearts"].pays == 0
    gained = sum(
        full.rows[row].probability * full.rows[row].pays
        for row in ("three_queens_hearts", "three_queens_same_suit", "three_queens_same_colour")
    )
    assert empty.edge - full.edge == gained


def test_a_ten_dollar_bet_is_entitled_to_twice_a_five_dollar_bet() -> None:
    posted = {"MEGA": 5_000_000, "MAJOR": 1_500_000, "MINOR": 250_000}
    five = odds_of("lucky_ladies", "A", 8, jackpots_cents=posted, stake_cents=500)
    ten = odds_of("lucky_ladies", "A", 8, jackpots_cents=posted, stake_cents=1_000)
    assert five == ten


def test_blazing_7s_pays_for_one() -> None:
    found = odds_of("blazing_7s", "A", 6, jackpot_cents=10_000_000)
    assert {name: row.pays for name, row in found.rows.items()} == {
        "three_sevens_same_suit": 20_000,
        "three_sevens_same_colour": 2_000,
        "three_sevens_mixed": 200,
        "two_sevens": 25,
        "one_seven": 2,
        "lose": -1,
    }
    returned = sum(row.probability * row.pays for row in found.rows.values() if row.pays > 0)
    assert found.edge == 1 - returned


def test_a_stake_that_goes_back_makes_an_award_profit() -> None:
    kept = odds_of("blazing_7s", "A", 6)
    back = odds_of("blazing_7s", "A", 6, options={"blazing_stake": "returned"})
    assert kept.edge - back.edge == 1 - kept.rows["lose"].probability
    profit = odds_of("lucky_ladies", "A", 6)
    included = odds_of("lucky_ladies", "A", 6, options={"award_stake": "included"})
    assert included.edge - profit.edge == 1 - profit.rows["lose"].probability


def test_cumulative_awards_pay_every_row_a_hand_fits() -> None:
    highest = odds_of("bet_the_set_21", "A", 6)
    cumulative = odds_of("bet_the_set_21", "A", 6, options={"awards": "cumulative"})
    assert probabilities(highest) == probabilities(cumulative)
    also_a_pair = 10 * highest.rows["suited_pair"].probability
    assert highest.edge - cumulative.edge == also_a_pair


def test_a_house_table_pays_its_best_row() -> None:
    found = odds_of("two_card_bonus", {"pair": "8:1", "suited": "5 to 2"}, 2)
    assert list(found.rows) == ["pair", "suited", "lose"]
    assert found.rows["suited"].pays == Fraction(5, 2)
    assert found.rows["pair"].probability == Fraction(13 * comb(8, 2), comb(104, 2))


# Readings change the counts


@pytest.mark.parametrize(
    ("wager", "paytable", "options", "row", "ways", "size"),
    [
        ("bet_the_set_21", "A", {"pair_by": "value"}, "pair", lambda d: 6 * (9 + 16) * d * d, 2),
        (
            "royal_match_21",
            "A",
            {"royal_match": "two_faces"},
            "royal_match",
            lambda d: 12 * d * d,
            2,
        ),
        (
            "trilux",
            "TRI-02",
            {"ace_in_straight": "round_the_corner"},
            "straight",
            lambda d: 13 * 60 * d**3,
            3,
        ),
        ("trilux", "TRI-02", {"ace_in_straight": "low_only"}, "straight", lambda d: 660 * d**3, 3),
        ("trilux", "TRI-02", {"mini_royal": "any_suits"}, "mini_royal", lambda d: 64 * d**3, 3),
    ],
)
def test_a_reading_changes_what_is_counted(
    wager: str, paytable: str, options: dict[str, str], row: str, ways: Any, size: int
) -> None:
    for d in (2, 6):
        found = odds_of(wager, paytable, d, options=options)
        assert found.rows[row].probability == Fraction(ways(d), comb(52 * d, size))


# The shortcuts of counting against every deal, one by one


def every_deal(wager: str, decks: int, options: HouseOptions) -> Counter[tuple[str, ...]]:
    """Count all ordered deals of up to three cards without any shortcut."""
    read = CATEGORISERS[wager]
    ways: Counter[tuple[str, ...]] = Counter()
    for hand in product(DECK, repeat=sum(DEALS[wager].places)):
        count = prod(perm(decks, drawn) for drawn in Counter(hand).values())
        ways[read.rows(hand[:2], hand[2:], options)] += count
    return +ways


@pytest.mark.parametrize("wager", [name for name, deal in DEALS.items() if sum(deal.places) < 4])
def test_counting_agrees_with_dealing_every_hand(wager: str) -> None:
    assert row_ways(wager, 2, DEFAULT_OPTIONS) == every_deal(wager, 2, DEFAULT_OPTIONS)


@given(
    hand=st.lists(st.sampled_from(DECK), min_size=4, max_size=4),
    order=st.permutations(range(4)),
    exchange=st.sampled_from(DEALS["four_card_bonus"].exchanges),
)
def test_four_cards_are_read_alike_in_any_order_and_exchange_of_suits(
    hand: list[Card], order: list[int], exchange: tuple[str, ...]
) -> None:
    read = CATEGORISERS["four_card_bonus"].rows
    suits = dict(zip("cdhs", exchange, strict=True))
    turned = cards([hand[at].rank + suits[hand[at].suit] for at in order])
    assert read(hand[:2], hand[2:], DEFAULT_OPTIONS) == read(
        turned[:2], turned[2:], DEFAULT_OPTIONS
    )


# Properties


any_options = st.builds(
    house_options,
    st.fixed_dictionaries(
        {},
        optional={
            "pair_by": st.sampled_from(["rank", "value"]),
            "ace_in_straight": st.sampled_from(["high_or_low", "high_only", "low_only"]),
            "awards": st.sampled_from(["highest_only", "cumulative"]),
            "ace_nine": st.sampled_from(["is_20", "is_not_20"]),
            "one_seven_v_seven": st.sampled_from(["pays", "loses"]),
        },
    ),
)


@settings(deadline=None, max_examples=60)
@given(wager=st.sampled_from([*DEALS]), decks=st.integers(1, 8), options=any_options)
def test_every_deal_is_counted_once(wager: str, decks: int, options: HouseOptions) -> None:
    assert sum(row_ways(wager, decks, options).values()) == all_ways(wager, decks)


@st.composite
def house_tables(draw: st.DrawFn) -> tuple[str, dict[str, str]]:
    wager = draw(st.sampled_from([name for name in DEALS if name != "four_card_bonus"]))
    rows = draw(st.lists(st.sampled_from(ROWS[wager]), min_size=1, unique=True))
    return wager, {row: f"{draw(st.integers(1, 300))}:{draw(st.integers(1, 3))}" for row in rows}


@settings(deadline=None, max_examples=60)
@given(house_tables(), st.integers(1, 8))
def test_probabilities_sum_to_one_and_make_the_edge(
    wager_and_pays: tuple[str, dict[str, str]], decks: int
) -> None:
    wager, pays = wager_and_pays
    found = side_bet_odds(house_pay_table(wager, pays), decks)
    assert sum(row.probability for row in found.rows.values()) == 1
    kept = -sum(row.probability * row.pays for row in found.rows.values())
    if wager == "blazing_7s":
        kept += 1 - found.rows["lose"].probability
    assert found.edge == kept


@given(st.integers(1, 8))
def test_raising_a_payout_lowers_the_edge_by_its_probability(decks: int) -> None:
    before = odds_of("trilux", {"flush": "5:1", "straight": "6:1"}, decks)
    after = odds_of("trilux", {"flush": "5:1", "straight": "7:1"}, decks)
    assert before.edge - after.edge == before.rows["straight"].probability


# Warnings


def test_a_bet_that_favours_the_player_is_named() -> None:
    codes = [warning.code for warning in warnings(odds_of("trilux", {"pair": "9:1"}, 6))]
    assert codes == ["favours_player"]


def test_a_row_that_cannot_come_up_is_named() -> None:
    found = odds_of("super_3", "1", 2)
    assert [warning.code for warning in warnings(found)] == ["edge_high", "row_impossible"]
    assert found.rows["suited_three_of_a_kind"].probability == 0


def test_percentages_round_half_up() -> None:
    assert as_percent(Fraction(1, 20_000)) == "0.01%"
    assert as_percent(Fraction(-1, 30_000)) == "0.00%"
    assert as_percent(Fraction(1)) == "100.00%"


# Refusals


@pytest.mark.parametrize("decks", [None, 0, 9, 6.0, "6", True])
def test_decks_must_be_a_shoe(decks: object) -> None:
    assert refused_code(wager="trilux", paytable="TRI-01", decks=decks) == "bad_decks"


@pytest.mark.parametrize(
    "wager", ["blackjack", "free_bet_coupon", "stadium_blackjack", None, 7, []]
)
def test_a_wager_that_depends_on_play_has_no_odds(wager: object) -> None:
    assert refused_code(wager=wager, paytable="3:2", decks=6) == "no_odds"


@pytest.mark.parametrize(
    ("wager", "paytable", "extra", "code"),
    [
        ("trilux", "TRI-99", {}, "unknown_paytable"),
        ("trilux", {"royal": "9:1"}, {}, "unknown_row"),
        ("trilux", "TRI-01", {"jackpot_cents": 1}, "unknown_meter"),
        ("lucky_ladies", "A", {"jackpot_cents": 1}, "unknown_meter"),
        ("lucky_ladies", "A", {"jackpots_cents": {"GIGA": 1}}, "unknown_meter"),
        ("lucky_ladies", "A", {"jackpots_cents": [1]}, "bad_meters"),
        ("blazing_7s", "A", {"jackpot_cents": -1}, "bad_amount"),
        ("lucky_ladies", "A", {"stake_cents": 250}, "stake_not_taken"),
        ("trilux", "TRI-01", {"seen": []}, "unknown_field"),
        ("trilux", "TRI-01", {"options": {"pair_by": "hue"}}, "bad_option"),
        ("insurance", "2:1", {"seen": ["Kh"] * 7}, "too_many_of_a_card"),
        ("insurance", "2:1", {"seen": "Kh"}, "bad_cards"),
    ],
)
def test_a_case_that_cannot_be(wager: str, paytable: Any, extra: dict[str, Any], code: str) -> None:
    assert refused_code(wager=wager, paytable=paytable, decks=6, extra=extra) == code


def test_the_dealers_own_ace_must_be_left_in_the_shoe() -> None:
    table = PAY_TABLES["insurance"]["2:1"]
    with pytest.raises(Refused) as refused:
        insurance_odds(table, 1, seen=cards(["Ac", "Ad", "Ah", "As"]))
    assert refused.value.codes == ("too_many_aces",)


def test_a_stake_is_allowed_where_it_changes_nothing() -> None:
    assert odds_of("trilux", "TRI-01", 6, stake_cents=700) == odds_of("trilux", "TRI-01", 6)
