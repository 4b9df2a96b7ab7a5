"""What every formula of ratings keeps to, whatever it is asked, besides the reference's cases."""

from __future__ import annotations

from datetime import date, timedelta
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.rules.ratings import comps, theo, yields
from pitboss.rules.ratings.bets import ToldBet, decisions_by_pace, told_play
from pitboss.rules.ratings.play_alerts import PlayLimits, play_time
from pitboss.rules.ratings.rating_audit import (
    SeenOnVideo,
    Watched,
    compare,
    is_picked,
    rater_bias,
    seen_refusals,
)
from pitboss.rules.ratings.reckoning import Unreckoned
from pitboss.rules.ratings.stay import StayMoney, house_win_cents

CENTS = st.integers(1, 10**7)
PACE = {1: 209, 2: 139, 3: 105, 4: 84, 5: 70, 6: 60, 7: 52}
EDGES = st.fractions(0, Fraction(3, 10), max_denominator=1_000)
SPANS = st.lists(st.tuples(st.integers(0, 7_200), st.integers(0, 7_200)).map(sorted).map(tuple))


@given(st.lists(st.lists(CENTS, min_size=1, max_size=3), min_size=1, max_size=8))
def test_told_action_is_what_was_staked_and_crosses_are_the_rest_of_the_square(
    rounds: list[list[int]],
) -> None:
    told = told_play(
        "blackjack", [[[ToldBet("blackjack", item)] for item in row] for row in rounds]
    )
    assert told.action_cents == {"blackjack": sum(map(sum, rounds))}
    assert told.average * told.decisions == sum(map(sum, rounds))
    squares = told.squares["blackjack"] + told.crosses
    assert squares == sum(sum(row) ** 2 for row in rounds)


@given(st.lists(st.tuples(st.integers(0, 7_200), st.integers(1, 9)), max_size=8))
def test_rounds_by_pace_add_up_and_more_players_play_fewer(
    stretches: list[tuple[int, int]],
) -> None:
    whole = decisions_by_pace(stretches, PACE)
    assert whole == sum((decisions_by_pace([stretch], PACE) for stretch in stretches), Fraction(0))
    crowded = decisions_by_pace([(seconds, 7) for seconds, _ in stretches], PACE)
    assert crowded <= whole


@given(CENTS, CENTS, CENTS, st.none() | CENTS)
def test_the_house_wins_what_was_brought_and_not_walked_with(
    cash: int, cheques: int, marker: int, walked: int | None
) -> None:
    found = house_win_cents(StayMoney(cash=cash, cheques=cheques, marker=marker, walked=walked))
    assert found == (None if walked is None else cash + cheques + marker - walked)


@given(EDGES, st.integers(0, 10**6), EDGES, CENTS, CENTS)
def test_a_meter_takes_its_rate_and_its_seed_from_the_edge(
    edge: Fraction, rate_ppm: int, whole: Fraction, seed: int, stake: int
) -> None:
    found = theo.metered_edge(edge, rate_ppm, whole, seed, stake)
    assert edge - found == Fraction(rate_ppm, 10**6) + whole * seed / stake


@given(st.lists(st.tuples(st.integers(1, 50), st.integers(-1, 100)), min_size=1, max_size=8))
def test_a_variance_is_none_below_zero_and_edge_and_mean_are_one(
    rows: list[tuple[int, int]],
) -> None:
    total = sum(weight for weight, _ in rows)
    outcomes = [theo.OddsOutcome(Fraction(weight, total), Fraction(pays)) for weight, pays in rows]
    found = theo.variance(outcomes)
    assert found.variance >= 0
    assert found.edge == -sum(outcome.probability * outcome.pays for outcome in outcomes)


@given(st.integers(1, 8), st.lists(st.sampled_from("A23456789TJQK"), max_size=40))
def test_a_count_is_its_ranks_and_its_opposite_the_other_way(decks: int, ranks: list[str]) -> None:
    found = theo.true_count(decks, ranks)
    low, high = (sum(rank in item for rank in ranks) for item in ("23456", "TJQKA"))
    assert found.running == low - high
    assert found.true == Fraction(found.running * 52, decks * 52 - len(ranks))


@given(EDGES, st.lists(CENTS, max_size=6))
def test_at_a_count_of_nothing_the_count_changes_no_theo(edge: Fraction, bets: list[int]) -> None:
    found = theo.count_theo(edge, 50, [theo.CountedBet(bet, Fraction(0)) for bet in bets])
    assert found.theo == found.flat == sum(bets) * edge


@given(st.binary(min_size=32, max_size=32), st.integers(0, 10_000), st.integers(0, 10_000))
def test_who_is_drawn_at_a_share_is_drawn_at_a_larger_one(drawn: bytes, one: int, two: int) -> None:
    digest = drawn.hex()
    assert not is_picked(digest, 0)
    assert is_picked(digest, 10_000)
    assert is_picked(digest, min(one, two)) <= is_picked(digest, max(one, two))


@given(CENTS, st.integers(1, 86_400), st.integers(0, 10_000))
def test_a_rating_agrees_with_itself_and_with_nothing_it_was_not_there(
    bet: int, seconds: int, tolerance: int
) -> None:
    rated = Watched(seconds, bet)
    assert compare(rated, rated, tolerance).state == "agrees"
    assert compare(rated, Watched(0, 0), tolerance).state == "not_there"


@given(st.lists(CENTS, min_size=1, max_size=30), st.integers(0, 10_000))
def test_a_rater_who_sees_what_was_told_leans_nowhere(told: list[int], most: int) -> None:
    found = rater_bias([(item, item) for item in told], least=1, most_bp=most)
    assert (found.bias_bp, found.state) == (0, "in_line")


@given(st.lists(st.integers(-(10**6), 10**6), max_size=8), st.integers(0, 10**6))
def test_what_is_left_of_a_comp_is_earned_less_given_and_more_needs_authority(
    theos: list[int], asked: int
) -> None:
    earned = comps.earned((cents, 3_000) for cents in theos)
    assert earned == max(0, sum(theos) * 3_000 // 10_000 if sum(theos) > 0 else 0)
    found = comps.comp(
        comps.CompAsked(
            earned_cents=earned,
            given_cents=0,
            asked_cents=asked + 1,
            issuer_limit_cents=10**9,
            issuer_today_cents=0,
            standing="clear",
            related=False,
        )
    )
    assert ("over_earned" in found.needs) is (asked + 1 > earned)


@given(st.lists(st.integers(-(10**6), 10**6), max_size=8), st.integers(1, 10_000))
def test_splitting_a_stay_gains_no_point(theos: list[int], cents: int) -> None:
    whole = comps.points_of_day(theos, cents)
    assert whole == comps.points_of_day([sum(theos)], cents)
    assert whole >= 0


@given(st.dictionaries(st.integers(0, 60), st.integers(0, 10**6)), st.integers(0, 5))
def test_trips_hold_every_day_once_and_all_the_theo(days: dict[int, int], gap: int) -> None:
    first = date(2026, 1, 1)
    found = comps.trips({first + timedelta(days=day): cents for day, cents in days.items()}, gap)
    assert sum(trip.days for trip in found) == len(days)
    assert sum(trip.theo_cents for trip in found) == sum(days.values())


@pytest.mark.parametrize(
    ("days", "trips"),
    [
        ([1], [1]),
        ([1, 2], [2]),
        # Two idle days end no trip where the gap is two, three do.
        ([1, 4], [2]),
        ([1, 5], [1, 1]),
        ([1, 2, 9, 10, 11], [2, 3]),
    ],
)
def test_a_trip_ends_after_more_idle_days_than_the_gap(days: list[int], trips: list[int]) -> None:
    found = comps.trips({date(2026, 1, day): 100 for day in days}, 2)
    assert [trip.days for trip in found] == trips
    assert [trip.theo_cents for trip in found] == [trip * 100 for trip in trips]


@given(SPANS)
def test_no_one_plays_longer_than_the_clock_and_alerts_follow_the_limits(
    spans: list[tuple[int, int]],
) -> None:
    limits = PlayLimits(continuous=3_600, pause=900, day=5_400, week=10**6)
    found = play_time(spans, 7_200, limits)
    assert 0 <= found.day <= found.week <= 7_200
    assert ("play_day" in found.alerts) is (found.day >= 5_400)
    assert ("play_continuous" in found.alerts) is (found.continuous >= 3_600)


@given(st.integers(1, 86_400), st.integers(1, 12), SPANS)
def test_occupancy_is_seat_seconds_of_those_there_are(
    open_seconds: int, seats: int, spans: list[tuple[int, int]]
) -> None:
    found = yields.occupancy(open_seconds, seats, spans)
    assert found.mean_players == Fraction(found.occupied_seconds, open_seconds)
    assert found.occupied_seconds <= sum(ends - begins for begins, ends in spans)


@given(SPANS)
def test_the_mean_of_an_hour_is_never_over_its_most(spans: list[tuple[int, int]]) -> None:
    for hour_heads in yields.headcount(2, spans):
        assert hour_heads.mean <= hour_heads.most


@given(CENTS, st.integers(1, 240), st.integers(0, 120), CENTS, st.integers(1, 12))
def test_labor_is_a_dealer_and_their_breaks_and_a_share_of_a_supervisor(
    dealer: int, after: int, rest: int, supervisor: int, tables: int
) -> None:
    found = yields.labor(dealer, after, rest, supervisor, tables)
    assert found.dealers == Fraction(after + rest, after)
    assert found.cost == dealer * found.dealers + Fraction(supervisor, tables)


@given(st.integers(1, 7), st.integers(0, 10**6), EDGES, st.integers(0, 5_000))
def test_net_of_an_hour_is_theo_less_its_shares_and_labor(
    players: int, average: int, edge: Fraction, tax: int
) -> None:
    terms = yields.YieldTerms(PACE, average, edge, labor_cents=4_150, tax_bp=tax, comp_bp=1_000)
    found = yields.hour(players, terms)
    assert found.theo == players * PACE[players] * average * edge
    assert found.net == found.theo * (1 - Fraction(tax + 1_000, 10_000)) - 4_150
    spread = yields.spread(players, 7, 3, terms)
    assert spread.net[spread.best] == max(spread.net.values())


@given(
    st.lists(CENTS, min_size=1, max_size=10), st.lists(CENTS, min_size=1, max_size=5, unique=True)
)
def test_a_minimum_seats_no_more_than_there_are_and_says_whom_it_turns_away(
    bets: list[int], minimums: list[int]
) -> None:
    found = yields.minimum(bets, minimums, seats=7, pace=PACE, edge=Fraction(1, 100))
    for tried in found.tried.values():
        assert 0 <= tried.seated <= min(7, len(bets))
        assert tried.seated + tried.turned_away <= len(bets)
    if found.best_cents is not None:
        worth = {
            cents: minimum_tried.theo
            for cents, minimum_tried in found.tried.items()
            if minimum_tried.seated >= 3
        }
        assert worth[found.best_cents] == max(worth.values())


@given(st.lists(st.integers(0, 60), min_size=4, max_size=9), st.integers(0, 9))
def test_a_forecast_stays_within_the_tables_there_are(history: list[int], open_now: int) -> None:
    found = yields.forecast(history, target=Fraction(7, 2), least=1, most=8, open_now=open_now)
    assert 1 <= found.tables <= 8
    assert found.to_open == found.tables - open_now
    assert min(history) <= found.players <= max(history)


@given(st.integers(0, 500), st.integers(0, 100), st.lists(st.integers(-50, 50), max_size=8))
def test_a_tray_that_gains_needs_no_fill(held: int, floor: int, moves: list[int]) -> None:
    found = yields.fill_due(held, floor, 3_600, moves)
    if found.out_an_hour <= 0:
        assert found.minutes_left is None
    else:
        assert found.minutes_left is not None
        assert found.minutes_left >= 0


@given(st.integers(1, 10_000), st.integers(0, 10_000), CENTS, EDGES)
def test_a_side_bet_is_worth_its_edge_of_what_was_staked(
    hands: int, wagers: int, staked: int, edge: Fraction
) -> None:
    played = yields.SidePlayed(hands, wagers, staked, staked**2, edge, Fraction(9))
    found = yields.side_bet(played)
    assert found.theo == staked * edge
    assert found.band.low_cents <= found.theo_cents <= found.band.high_cents


@given(st.integers(-(10**6), 10**6), st.integers(1, 10**7), st.integers(-(10**6), 10**6))
def test_a_hold_gap_is_the_two_shares_apart(theo_cents: int, drop: int, win: int) -> None:
    found = yields.hold_gap(theo_cents, drop, win)
    assert found.hold_bp is not None
    assert found.expected_bp is not None
    assert found.gap_bp is not None
    assert abs(found.gap_bp - (found.hold_bp - found.expected_bp)) <= 1


def test_no_hand_has_no_side_bet() -> None:
    with pytest.raises(Unreckoned, match="nothing_bet"):
        yields.side_bet(yields.SidePlayed(0, 0, 0, 0, Fraction(0), Fraction(0)))


@pytest.mark.parametrize(
    ("seen", "codes"),
    [
        (SeenOnVideo(50, 5_000), []),
        (SeenOnVideo(None, None, not_there=True), []),
        (SeenOnVideo(50, None, not_there=True), ["seen_both"]),
        (SeenOnVideo(None, None), ["minutes_malformed", "amount_malformed"]),
        (SeenOnVideo(1_441, 0), ["minutes_malformed", "amount_malformed"]),
    ],
)
def test_what_was_seen_on_video_is_kept_or_says_why_not(
    seen: SeenOnVideo, codes: list[str]
) -> None:
    assert [refusal.code for refusal in seen_refusals(seen)] == codes
    assert seen.watched.play == (seen.minutes or 0) * 60 * (seen.average_cents or 0)
