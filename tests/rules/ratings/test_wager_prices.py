"""Each wager at its own price: exact cases worked by hand, and what holds of any."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.rules.book.options import DEFAULT_OPTIONS
from pitboss.rules.games.games import SideBetRules, TableRules, table_rules
from pitboss.rules.games.printed import GAMES
from pitboss.rules.odds.odds import odds_of
from pitboss.rules.ratings.bets import (
    PaceSample,
    ToldBet,
    own_pace,
    seated_within,
    stretches,
    told_play,
)
from pitboss.rules.ratings.reckoning import Unreckoned
from pitboss.rules.ratings.theo import OddsOutcome, Spread, variance
from pitboss.rules.ratings.wager_prices import (
    MeterPrice,
    PriceKey,
    Staked,
    blended,
    key_of,
    raise_crosses,
    seen_stakes,
    side_price,
    told_stakes,
)

F = Fraction
SEVENS = MeterPrice("JACKPOT", 1_000_000, 200_000)


def table_of(game: str, **terms: object) -> TableRules:
    most = {"bet_bigger": 1_000}.get(game, 100_000)
    least = {"bet_bigger": 500}.get(game, 2_500)
    return table_rules(GAMES[game], minimum_cents=least, maximum_cents=most, **terms)  # type: ignore[arg-type]


def price(rules: TableRules, key: PriceKey, *meters: MeterPrice) -> Spread:
    found = side_price(rules, key, meters)
    assert found is not None
    return found


def test_w11_a_counted_meter_costs_its_rate_and_its_seed() -> None:
    rules = table_of("blazing_7s")
    found = price(rules, key_of(0, "blazing_7s", 500), SEVENS)
    assert found.edge == F(65141, 125333) - F(1, 5) - F(4000, 125333) == F(180372, 626665)


def test_w12_variance_of_trilux_and_of_a_stake_that_is_collected() -> None:
    assert price(table_of("blazing_7s"), key_of(0, "blazing_7s", 500)) == Spread(
        F(65141, 125333), F(255744041328, 15708360889)
    )
    assert price(table_of("classic"), key_of(0, "trilux", 500)) == Spread(
        F(4059, 125333), F(137288959344, 15708360889)
    )


def test_the_jackpot_widens_the_band_by_its_seed() -> None:
    rules = table_of("blazing_7s")
    empty = price(rules, key_of(0, "blazing_7s", 500))
    metered = price(rules, key_of(0, "blazing_7s", 500), SEVENS)
    # Of a suit 2/125333 pays the seed, of a color 9/125333 a tenth of it: each less the stake.
    whole, tenth = F(2, 125333), F(9, 125333)
    more = whole * (1_999**2 - 1) + tenth * (199**2 - 1)
    mean = whole * 2_000 + tenth * 200
    edge = F(65141, 125333)
    assert metered.variance == empty.variance + more + edge**2 - (edge - mean) ** 2


def test_a_posted_meter_is_paid_whole_by_the_house() -> None:
    rules = table_of("classic")
    offer = SideBetRules(paytable="A", minimum_cents=500, maximum_cents=1_000)
    rules = replace(rules, side_bets={"lucky_ladies": offer}, decks=6)
    posted = [
        MeterPrice(level, cents, is_posted=True)
        for level, cents in (("MEGA", 5_000_000), ("MAJOR", 500_000), ("MINOR", 50_000))
    ]
    amounts = {meter_price.level: meter_price.seed_cents for meter_price in posted}
    for stake in (500, 1_000):
        extra = {"jackpots_cents": amounts, "stake_cents": stake}
        case = {"wager": "lucky_ladies", "paytable": "A", "decks": 6, "extra": extra}
        assert price(rules, key_of(0, "lucky_ladies", stake), *posted).edge == odds_of(case).edge
    # A stake that the table does not take is priced as its smallest.
    assert price(rules, key_of(0, "lucky_ladies", 700), *posted) == price(
        rules, key_of(0, "lucky_ladies", 500), *posted
    )


def test_raise_the_roof_is_priced_raised_not_raised_and_the_raise_itself() -> None:
    rules = table_of("raise_the_roof")
    paytable = rules.side_bets["raise_the_roof"].paytable
    odds = odds_of({"wager": "raise_the_roof", "paytable": paytable, "decks": rules.decks})
    assert odds.raising is not None
    alone = price(rules, PriceKey(0, "raise_the_roof"))
    raised = price(rules, PriceKey(0, "raise_the_roof", is_raised=True))
    the_raise = price(rules, PriceKey(0, "raise_the_roof.raise"))
    assert (alone.edge, raised.edge) == (odds.raising.ante_only_edge, odds.edge)
    assert the_raise.edge == odds.raising.raise_edge
    rows = [OddsOutcome(row.probability, row.pays) for row in odds.rows.values()]
    assert variance(rows) == raised
    even = [
        OddsOutcome(row.probability, F(1) if name != "lose" else F(-1))
        for name, row in odds.rows.items()
    ]
    assert variance(even) == alone
    # Behind a dealer without blackjack: of what loses, the blackjacks are left out.
    decks = rules.decks
    blackjack = F(2 * 4 * decks * 16 * decks, 52 * decks * (52 * decks - 1))
    left = [
        OddsOutcome(
            (row.probability - (blackjack if name == "lose" else 0)) / (1 - blackjack), row.pays
        )
        for name, row in odds.rows.items()
    ]
    assert variance(left) == the_raise


def test_an_ante_that_a_raise_leaves_at_even_money_keeps_its_edge() -> None:
    rules = table_of("raise_the_roof")
    own = replace(DEFAULT_OPTIONS, ante_with_raise="even_money")
    rules = replace(rules, options=own)
    assert price(rules, PriceKey(0, "raise_the_roof", is_raised=True)) == price(
        rules, PriceKey(0, "raise_the_roof")
    )


def test_the_dealers_rule_decides_a_raise_the_roof_of_the_house() -> None:
    rows = {f"bust_{card}": "2 to 1" for card in ("6", "7", "8", "9", "10")}
    rows |= {"bust_4567_suited": "100 to 1", "bust_4567_unsuited": "10 to 1"}
    edges = set()
    for soft_17 in ("hit", "stand"):
        rules = table_of("raise_the_roof")
        offer = SideBetRules(paytable=rows, minimum_cents=500, maximum_cents=5_000)
        rules = replace(rules, soft_17=soft_17, side_bets={"raise_the_roof": offer})
        edges.add(price(rules, PriceKey(0, "raise_the_roof", is_raised=True)).edge)
    assert len(edges) == 2


def test_what_has_no_odds_or_is_not_offered_has_no_price() -> None:
    rules = table_of("classic")
    assert side_price(rules, PriceKey(0, "blazing_7s")) is None
    offer = SideBetRules(paytable="A", minimum_cents=500, maximum_cents=5_000)
    assert (
        side_price(replace(rules, side_bets={"insurance": offer}), PriceKey(0, "insurance")) is None
    )
    unknown = replace(rules, side_bets={"trilux": replace(offer, paytable="no such table")})
    assert side_price(unknown, PriceKey(0, "trilux")) is None


def bets(*told: ToldBet) -> list[list[ToldBet]]:
    return [list(told)]


def test_stakes_are_told_by_price_and_a_raise_with_its_ante() -> None:
    ante = ToldBet("raise_the_roof", 1_000)
    raised = ToldBet("raise_the_roof", 1_000, raise_cents=3_000)
    rounds = [
        (0, bets(ToldBet("blackjack", 2_500), ante)),
        (1, bets(ToldBet("blackjack", 5_000), raised)),
        (1, bets(ToldBet("blackjack", 5_000), ToldBet("lucky_ladies", 500))),
        (
            1,
            bets(
                ToldBet("blackjack", 9_900, coupon=True), ToldBet("trilux", 500, is_players=False)
            ),
        ),
    ]
    assert told_stakes(rounds) == {
        PriceKey(0, "blackjack"): Staked(F(2_500), F(2_500**2)),
        PriceKey(0, "raise_the_roof"): Staked(F(1_000), F(1_000**2)),
        PriceKey(1, "blackjack"): Staked(F(10_000), F(2 * 5_000**2)),
        PriceKey(1, "raise_the_roof", is_raised=True): Staked(F(1_000), F(1_000**2)),
        PriceKey(1, "raise_the_roof.raise"): Staked(F(3_000), F(3_000**2)),
        PriceKey(1, "lucky_ladies", 500): Staked(F(500), F(500**2)),
    }
    crosses = raise_crosses([own for _, own in rounds] * 2)
    assert crosses == {"raise_the_roof.raise": 2 * 2 * 1_000 * 3_000}


def test_seen_stakes_are_spread_over_rules_hands_and_looks() -> None:
    found = seen_stakes(
        "blackjack", F(5_000), {0: F(100), 1: F(50)}, [{"trilux": 500}, {}], hands=F(2)
    )
    assert found[PriceKey(0, "blackjack")] == Staked(F(500_000), F(5_000**2 * 50))
    assert found[PriceKey(1, "trilux")] == Staked(F(500 * 25), F(500**2 * 25))
    assert seen_stakes("blackjack", F(1), {0: F(2)}, []) == {
        PriceKey(0, "blackjack"): Staked(F(2), F(2))
    }


def test_two_prices_are_one_edge_by_what_lay_on_each() -> None:
    cheap, dear = Spread(F(1, 100), F(1)), Spread(F(3, 100), F(2))
    found = blended(
        [
            (Staked(F(300), F(90)), cheap),
            (Staked(F(100), F(10)), dear),
            (Staked(F(100), F(10)), dear),
        ]
    )
    assert (found.edge, found.variance) == (F(9, 500), F(13, 11))
    assert found.parts == ((F(300), F(1, 100)), (F(200), F(3, 100)))
    assert blended([(Staked(F(300), F(90)), cheap)]).parts == ()
    assert blended([(Staked(F(300), F(90)), None)]).edge is None
    assert blended([(Staked(), cheap)]).edge is None
    # What has no price is action without an edge.
    half = blended([(Staked(F(100), F(1)), dear), (Staked(F(100), F(1)), None)])
    assert (half.action, half.edge) == (F(200), F(3, 200))


STAKE = st.integers(1, 100_000)
BET = st.builds(
    ToldBet,
    wager=st.sampled_from(["blackjack", "trilux", "lucky_ladies"]),
    stake_cents=STAKE,
    is_players=st.booleans(),
    coupon=st.booleans(),
)
ROUNDS = st.lists(
    st.tuples(st.integers(0, 2), st.lists(st.lists(BET, max_size=3), max_size=2)), max_size=6
)


@given(ROUNDS)
def test_stakes_by_price_add_up_to_what_was_told(
    rounds: list[tuple[int, list[list[ToldBet]]]],
) -> None:
    found = told_stakes(rounds)
    action: dict[str, Fraction] = {}
    for key, staked in found.items():
        action[key.wager] = action.get(key.wager, F(0)) + staked.action
    try:
        told = told_play("blackjack", [own for _, own in rounds])
    except Unreckoned:
        assert "blackjack" not in action
    else:
        assert action == told.action_cents


PARTS = st.lists(
    st.tuples(
        st.builds(Staked, st.fractions(1, 1_000), st.fractions(1, 1_000)),
        st.builds(Spread, st.fractions(-1, 1), st.fractions(0, 5)),
    ),
    min_size=1,
    max_size=5,
)


@given(PARTS)
def test_a_blend_gives_what_its_parts_give(parts: list[tuple[Staked, Spread]]) -> None:
    found = blended(parts)
    assert found.edge is not None
    assert found.variance is not None
    assert found.action * found.edge == sum(staked.action * spread.edge for staked, spread in parts)
    strays = sum(staked.squares * spread.variance for staked, spread in parts)
    assert found.squares * found.variance == strays


def test_rounds_counted_at_the_table_set_its_own_pace() -> None:
    # Two players for half an hour, by the table 60 rounds; 75 were dealt.
    seated = [(0, 1_800, 2), (1_800, 3_600, 3)]
    pace = {1: 200, 2: 120, 3: 90}
    assert own_pace(seated, [PaceSample(0, 1_800, 75)], pace) == F(5, 4)
    both = [PaceSample(0, 1_800, 75), PaceSample(1_800, 3_600, 30)]
    assert own_pace(seated, both, pace) == F(1)
    with pytest.raises(Unreckoned, match="too_little_counted"):
        own_pace(seated, [PaceSample(0, 299, 40)], pace)
    with pytest.raises(Unreckoned, match="too_little_counted"):
        own_pace(seated, [], pace)


def test_spans_are_cut_and_stretches_end_at_a_gap() -> None:
    assert seated_within([(0, 100, 1), (100, 200, 2)], 50, 100) == [(50, 1)]
    assert stretches([], 600) == []
    assert stretches([10, 700], 600) == [PaceSample(10, 10, 0), PaceSample(700, 700, 0)]
