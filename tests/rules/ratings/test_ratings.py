"""What the cases of the reference leave open: other ends of each rule, and laws that must hold."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from fractions import Fraction
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.rules.day.gaming_day import Clock, Shift
from pitboss.rules.ratings import comps, wire
from pitboss.rules.ratings.bets import BetSeen, average_bet
from pitboss.rules.ratings.play_alerts import PlayLimits, play_time
from pitboss.rules.ratings.rating_audit import Watched, compare, rater_bias
from pitboss.rules.ratings.reckoning import Unreckoned, half_up, merged_spans, seconds_within
from pitboss.rules.ratings.stay import Ended, LastSigns, close, cut_days
from pitboss.rules.ratings.theo import (
    BetBasis,
    Chance,
    MainAction,
    PaceBasis,
    SideAction,
    Skill,
    band,
    theo,
    theo_range,
)
from pitboss.rules.ratings.yields import YieldTerms, fill_due, hour, minimum, spread

PACE = {1: 209, 2: 139, 3: 105, 4: 84, 5: 70, 6: 60, 7: 52}
EDGE = Fraction(4059, 1_000_000)


def asked(ask: str, **case: Any) -> dict[str, Any]:
    return wire.answer({"ask": ask, "case": case})


def code_of(ask: str, **case: Any) -> str:
    answer = asked(ask, **case)
    assert set(answer) == {"error"}
    return str(answer["error"]["code"])


# The stay


OPEN = {
    "table": "BJ-11", "table_open": True, "opened_at": 0, "seats": 7, "seat": 3, "taken": [],
    "patron": 41, "stranger": None, "open_at": None, "standing": "clear", "related": False,
    "now": 7200, "began": 7200, "seat_free_since": 0,
}  # fmt: skip


@pytest.mark.parametrize(
    ("change", "refusals"),
    [
        ({"seat": 0}, ["bad_seat"]),
        ({"seat": 8}, ["bad_seat"]),
        ({"seat": 1}, []),
        ({"seat": 7}, []),
        ({"taken": [3]}, ["seat_taken"]),
        ({"stranger": 5}, ["who_missing"]),
        ({"patron": None}, ["who_missing"]),
        ({"patron": None, "stranger": 5}, []),
        ({"open_at": "BJ-11"}, []),
        ({"began": 7201}, ["in_the_future"]),
        ({"began": 6600}, []),
        ({"began": 7000, "seat_free_since": 7001}, ["begun_too_early"]),
        ({"began": 7000, "opened_at": 7100, "seat_free_since": None}, ["begun_too_early"]),
        ({"break_due": True}, ["break_due"]),
        ({"table_open": False, "opened_at": None, "seat": 9}, ["table_closed", "bad_seat"]),
    ],
)
def test_a_rating_begins_or_says_every_reason(change: dict[str, Any], refusals: list[str]) -> None:
    assert asked("open", **{**OPEN, **change}) == {"refusals": refusals}


@pytest.mark.parametrize(
    ("signs", "ended"),
    [
        (LastSigns(0, 5000, asked=5001), Ended(refusals=("in_the_future", "no_sign_of_play"))),
        (LastSigns(0, 9000, asked=1800), Ended(1800, "left")),
        (LastSigns(0, 9000, asked=1801), Ended(refusals=("no_sign_of_play",))),
        (LastSigns(0, 9000, asked=5610, last_bet=5310), Ended(5610, "left")),
        (LastSigns(0, 9000, asked=5611, last_bet=5310), Ended(refusals=("after_last_bet",))),
        (LastSigns(0, 9000, asked=8000, last_bet=7300, table_closed=7500),
         Ended(7500, "table_closed")),
        (LastSigns(0, 9000, asked=7500, last_bet=7300, table_closed=7500),
         Ended(7500, "table_closed")),
        (LastSigns(0, 9000, asked=7400, last_bet=7300, table_closed=7500), Ended(7400, "left")),
        (LastSigns(0, 9000, table_closed=1000), Ended(1000, "table_closed")),
        (LastSigns(0, 9000, table_closed=8000), Ended(1800, "table_closed")),
        (LastSigns(0, 1799), Ended()),
        (LastSigns(0, 1800), Ended(0, "unattended")),
    ],
)  # fmt: skip
def test_a_stay_ends_at_its_last_sign(signs: LastSigns, ended: Ended) -> None:
    assert close(signs) == ended


def test_a_stay_that_goes_on_has_no_end_yet() -> None:
    assert asked("close", began=0, now=100) == {"ended": None, "end": None}


def test_a_stay_of_no_time_has_no_day() -> None:
    clock = Clock(ZoneInfo("America/New_York"), (Shift("day", time(6)),))
    at = datetime(2026, 5, 2, tzinfo=UTC)
    with pytest.raises(Unreckoned, match="no_time"):
        cut_days(clock, at, at)


@given(
    st.integers(1_767_225_600, 1_798_000_000).map(lambda at: datetime.fromtimestamp(at, UTC)),
    st.integers(1, 400_000),
    st.sampled_from(["America/New_York", "Asia/Kolkata", "Australia/Lord_Howe"]),
)
def test_a_stay_cut_by_days_loses_no_second(began: datetime, seconds: int, zone: str) -> None:
    clock = Clock(ZoneInfo(zone), (Shift("day", time(6)),))
    pieces = cut_days(clock, began, began + timedelta(seconds=seconds))
    assert sum(piece.seconds for piece in pieces) == seconds
    days = [piece.gaming_day for piece in pieces]
    assert days == sorted(set(days))


# Bets


def test_a_look_outside_a_stay_or_none_or_no_time_has_no_average() -> None:
    assert code_of("average", seconds=60, looks=[{"at": 61, "bet_cents": 5}]) == "look_outside"
    assert code_of("average", seconds=60, looks=[{"at": -1, "bet_cents": 5}]) == "look_outside"
    assert code_of("average", seconds=0, looks=[]) == "no_time"
    assert code_of("average", seconds=60, away=[[0, 30], [20, 60]], looks=[]) == "no_time"


def test_of_one_second_the_last_look_counts() -> None:
    looks = [BetSeen(0, 100), BetSeen(30, 900), BetSeen(30, 300)]
    found = average_bet(60, looks)
    assert (found.average, found.looks_used) == (Fraction(200), 2)


@given(
    st.integers(1, 10_000),
    st.lists(
        st.builds(BetSeen, st.integers(0, 10_000), st.integers(1, 10**6), st.booleans()),
        min_size=1,
    ),
)
def test_an_average_lies_between_the_least_and_the_largest_look(
    seconds: int, looks: list[BetSeen]
) -> None:
    within = [look for look in looks if look.at <= seconds]
    if within:
        bets = [look.bet_cents for look in within]
        assert min(bets) <= average_bet(seconds, within).average <= max(bets)


def test_a_raise_is_a_wager_of_its_own() -> None:
    roof = {"wager": "raise_the_roof", "stake_cents": 500, "raise_cents": 1000}
    main = {"wager": "blackjack", "stake_cents": 2500}
    told = asked("told", main="blackjack", rounds=[{"seats": [[main, roof]]}])
    assert told["action_cents"] == {
        "blackjack": 2500, "raise_the_roof": 500, "raise_the_roof.raise": 1000,
    }  # fmt: skip


def test_a_guests_bet_and_a_coupon_are_no_action() -> None:
    bets = [
        {"wager": "blackjack", "stake_cents": 2500},
        {"wager": "blackjack", "stake_cents": 500, "coupon": True},
        {"wager": "trilux", "stake_cents": 500, "for": "guest"},
    ]
    told = asked("told", rounds=[{"seats": [bets]}])
    assert told["action_cents"] == {"blackjack": 2500}
    assert told["coupon_cents"] == 500


def test_above_the_last_row_of_a_pace_the_last_row_holds() -> None:
    pace = {str(players): rate for players, rate in PACE.items()}
    assert asked("pace", players=[[3600, 9]], pace=pace)["decisions"] == "52"


# Theo


def test_one_wager_told_in_two_parts_is_one_line() -> None:
    found = theo(
        None,
        [SideAction("trilux", Fraction(500), Fraction(1, 10)),
         SideAction("trilux", Fraction(700), Fraction(1, 10))],
    )  # fmt: skip
    assert found.lines == {"trilux": 120}


@given(st.fractions(-1000, 1000), st.integers(1, 50), st.sampled_from(PaceBasis))
def test_a_range_holds_its_theo_and_narrows_with_looks(
    value: Fraction, looks: int, pace: PaceBasis
) -> None:
    looked = theo_range(value, BetBasis.LOOKED, pace, looks)
    more = theo_range(value, BetBasis.LOOKED, pace, looks + 1)
    assert looked.low_cents <= value <= looked.high_cents
    assert looked.low_cents <= more.low_cents <= more.high_cents <= looked.high_cents


def test_a_bet_that_nobody_looked_at_has_no_range() -> None:
    assert code_of("range", theo="1", basis="looked", pace="own") == "no_look"


@given(st.fractions(-(10**6), 10**6), st.integers(0, 10**9))
def test_a_band_lies_even_about_its_theo(value: Fraction, squares: int) -> None:
    found = band(value, half_up(value), [Chance(Fraction(33, 25), squares)])
    assert found.high_cents - half_up(value) == half_up(value) - found.low_cents
    assert found.state == "within"


@given(st.lists(st.integers(1, 10**6), min_size=1, max_size=8))
def test_theo_of_a_stay_in_parts_is_theo_of_the_whole(actions: list[int]) -> None:
    parts = sum(theo(MainAction(Fraction(action), EDGE)).total for action in actions)
    assert parts == theo(MainAction(Fraction(sum(actions)), EDGE)).total


def test_a_shoe_without_cards_has_no_count() -> None:
    deck = [f"{rank}{suit}" for rank in "A23456789TJQK" for suit in "shdc"]
    assert code_of("true_count", decks=1, cards=deck) == "no_cards_left"
    assert asked("true_count", decks=1, cards=deck[:-1])["running"] == 1


# Audit


@pytest.mark.parametrize(
    ("seen", "state"), [(8000, "agrees"), (7999, "differs"), (16_666, "differs")]
)
def test_a_rating_agrees_within_its_tolerance(seen: int, state: str) -> None:
    assert compare(Watched(1, 10_000), Watched(1, seen), 2500).state == state


def test_a_rater_who_leans_is_out_of_line_and_one_without_told_theo_unknown() -> None:
    assert rater_bias([(6000, 5000)] * 20, least=20, most_bp=1999).state == "out_of_line"
    assert rater_bias([(4000, 5000)] * 20, least=20, most_bp=1999).state == "out_of_line"
    assert rater_bias([(6000, 5000)] * 20, least=20, most_bp=2000).state == "in_line"
    nothing = rater_bias([(6000, 0)] * 20, least=20, most_bp=2000)
    assert (nothing.bias_bp, nothing.state) == (None, "too_few")


# Comps and rebates


@pytest.mark.parametrize(
    ("change", "refusals"),
    [
        ({"asked_cents": 0}, ["amount_malformed"]),
        ({"standing": "self_excluded", "related": True}, ["self_excluded", "related_to_patron"]),
    ],
)
def test_a_comp_is_refused_with_every_reason(change: dict[str, Any], refusals: list[str]) -> None:
    comp = {
        "theo_cents": [10_500], "share_bp": 3000, "given_cents": 0, "asked_cents": 5000,
        "issuer_limit_cents": 10_000, "issuer_today_cents": 0, "standing": "clear",
        "related": False,
    }  # fmt: skip
    assert asked("comp", **{**comp, **change}) == {"refusals": refusals}


def test_a_patron_who_wins_by_skill_earns_nothing() -> None:
    found = comps.comp(
        comps.CompAsked(comps.earned([(-500, 3000), (100, 3000)]), 200, 1, 100, 100, "clear", False)
    )
    assert (found.earned_cents, found.left_cents) == (0, -200)
    assert found.needs == ("over_earned", "over_own_limit")


@pytest.mark.parametrize(
    ("earned", "limit", "needs"),
    [
        (1_000, 1_500, ()),
        (999, 1_500, ("over_earned",)),
        (1_000, 1_499, ("over_own_limit",)),
    ],
)
def test_a_comp_takes_all_that_is_left_and_all_of_a_limit(
    earned: int, limit: int, needs: tuple[str, ...]
) -> None:
    found = comps.comp(
        comps.CompAsked(
            earned_cents=earned,
            given_cents=0,
            asked_cents=1_000,
            issuer_limit_cents=limit,
            issuer_today_cents=500,
            standing="clear",
            related=False,
        )
    )
    assert (found.refusals, found.needs) == ((), needs)


def test_a_rebate_without_a_least_loss_begins_with_the_first_cent() -> None:
    whole = comps.RebateTerms(100, 10_000, 0, None, 0)
    assert comps.rebate(whole, [comps.RatedResult(100, 1, 300)]) == comps.Rebate(1, 1)
    assert comps.rebate(whole, [comps.RatedResult(100, 0, 300)]) == comps.Rebate(0, 0)


TERMS = comps.RebateTerms(100, 1000, 1_000_000, 120_000, 300)


@pytest.mark.parametrize(
    ("results", "answer"),
    [
        ([], comps.Rebate(refusals=("no_play",))),
        ([comps.RatedResult(50, 1, 300, void=True)], comps.Rebate(refusals=("no_play",))),
        ([comps.RatedResult(99, None, 1)],
         comps.Rebate(refusals=("agreed_too_late", "result_not_known", "too_little_play"))),
        ([comps.RatedResult(100, 999_999, 300)], comps.Rebate(999_999, 0)),
        ([comps.RatedResult(100, -5, 300)], comps.Rebate(-5, 0)),
        ([comps.RatedResult(100, 1_000_000, 300)], comps.Rebate(1_000_000, 100_000)),
        ([comps.RatedResult(100, 2_000_000, 300)], comps.Rebate(2_000_000, 120_000)),
    ],
)  # fmt: skip
def test_a_rebate_pays_as_agreed(results: list[comps.RatedResult], answer: comps.Rebate) -> None:
    assert comps.rebate(TERMS, results) == answer


@given(st.integers(0, 12), st.fractions(0, Fraction(1, 10), max_denominator=50))
def test_a_rebate_costs_what_every_order_of_wins_says(rounds: int, edge: Fraction) -> None:
    win = (1 - edge) / 2
    cost = Fraction(0)
    for order in range(2**rounds):
        wins = order.bit_count()
        lost = max(rounds - 2 * wins, 0)
        cost += win**wins * (1 - win) ** (rounds - wins) * lost
    assert comps.rebate_cost(rounds, 1, edge, 10_000).cost == cost


# Cash and time


def test_cash_follows_matches_and_a_circle_of_them_ends() -> None:
    entries = [{"who": "S1", "direction": "in", "cents": 1}]
    found = asked("cash_day", entries=entries, matches={"S1": "S2", "S2": "P1"})
    assert found["sums"] == {"P1 in": 1}
    assert asked("cash_day", entries=entries, matches={"S1": "S2", "S2": "S1"})["sums"]


LIMITS = PlayLimits(continuous=21_600, pause=900, day=43_200, week=172_800, loss_cents=50_000)


def test_play_that_ended_a_while_ago_is_no_run() -> None:
    assert play_time([(0, 22_000)], 22_899, LIMITS).alerts == ("play_continuous",)
    assert play_time([(0, 22_000)], 22_900, LIMITS).continuous == 0
    assert play_time([], 22_900, LIMITS).alerts == ()


def test_play_at_two_tables_at_once_counts_once() -> None:
    assert play_time([(0, 1000), (500, 1500)], 1500, LIMITS).day == 1500


def test_a_loss_from_its_limit_on_is_an_alert() -> None:
    assert play_time([], 0, LIMITS, 49_999).alerts == ()
    assert play_time([], 0, LIMITS, 50_000).alerts == ("play_loss",)


def test_a_week_of_long_days_is_an_alert() -> None:
    day = 86_400
    spans = [(number * day, number * day + 25_000) for number in range(7)]
    found = play_time(spans, 7 * day, LIMITS)
    assert (found.week, found.alerts) == (175_000, ("play_week",))


@given(st.lists(st.tuples(st.integers(0, 100), st.integers(0, 100)).map(sorted)))
def test_joined_spans_hold_the_same_seconds(pairs: list[list[int]]) -> None:
    spans = [(begins, ends) for begins, ends in pairs]
    seconds = {second for begins, ends in spans for second in range(begins, ends)}
    assert seconds_within(merged_spans(spans), 0, 200) == len(seconds)


# Yield


def test_an_empty_table_costs_its_labor_and_fewer_than_nobody_is_no_table() -> None:
    terms = YieldTerms(PACE, 2500, EDGE, 4150, 675, 0)
    assert hour(0, terms).net == -4150
    with pytest.raises(Unreckoned, match="bad_players"):
        hour(-1, terms)


def test_players_whom_no_seat_holds_bring_nothing() -> None:
    terms = YieldTerms(PACE, 2500, EDGE, 0, 0, 0)
    assert spread(20, 7, 1, terms).net[1] == hour(7, terms).net
    assert spread(0, 7, 3, terms).best == 1


def test_no_minimum_is_best_that_leaves_too_few() -> None:
    found = minimum([1000, 1000], [1000, 5000], seats=7, pace=PACE, edge=EDGE)
    assert found.best_cents is None
    assert found.tried[5000].turned_away == 2


@pytest.mark.parametrize(("open_now", "say"), [(4, "open 2"), (6, "keep"), (9, "close 3")])
def test_a_forecast_says_what_to_do(open_now: int, say: str) -> None:
    history = [23, 31, 27, 40, 26]
    found = asked("forecast", history=history, target="5", least=2, most=12, open_now=open_now)
    assert found["say"] == say


def test_a_tray_at_its_floor_is_due_now() -> None:
    assert fill_due(20, 20, 3600, [-4]).minutes_left == 0
    assert fill_due(10, 20, 3600, [-4]).minutes_left == 0


def test_a_side_bet_without_a_hand_has_no_take_up() -> None:
    nothing = {"wagers": 0, "staked_cents": 0, "squares": 0, "edge": "1/20", "variance": "9"}
    assert code_of("side_bet", main_wagers=0, **nothing) == "nothing_bet"


def test_how_somebody_plays_is_said_on_a_button() -> None:
    assert [skill.label for skill in Skill] == ["By the chart", "Usual", "Weak"]
