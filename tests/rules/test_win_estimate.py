"""Estimated win: by hand, and for any facts; hours always add up to the whole."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.rules.day.hold import Experience, band_of_games
from pitboss.rules.day.win_estimate import (
    NO_PAST,
    Error,
    EstimateBasis,
    Fact,
    Past,
    Span,
    What,
    bases_of,
    by_hour,
    edges_of,
    error_of,
    estimate,
    within,
)

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
# Held 20% of $20,000 over two days: 10% and 30% of $10,000.
PAST = Experience(days=2, win_cents=400_000, drop_cents=2_000_000, squares_cents=100_000)


def at(hours: float) -> datetime:
    return NOON + timedelta(hours=hours)


OPENED = Fact(What.OPENED, NOON, 500_000)
# A supervisor looked and found no cash in the box.
NONE_SOLD = Fact(What.GUESS, at(2), 0, since=NOON)


def wins(facts: list[Fact], now: float, past: Past = NO_PAST) -> list[int]:
    table = estimate(facts, at(now), past)
    return [hour.win_cents for hour in by_hour([table], edges_of(NOON, at(now)))]


def test_a_stretch_between_counts_is_known_but_for_its_cash() -> None:
    facts = [
        OPENED,
        Fact(What.MOVED, at(0.5), 100_000),  # a fill
        Fact(What.MOVED, at(1), -50_000),  # a credit
        Fact(What.MARKER, at(1.5), 30_000),
        Fact(What.MARKER, at(1.6), -10_000),  # paid back in cheques
        Fact(What.BUY_IN, at(1.7), 250_000),
        NONE_SOLD,
        Fact(What.CLOSED, at(2), 400_000),
    ]
    table = estimate(facts, at(5))
    # 4,000 - 5,000 - 1,000 + 500 + 300 - 100 + 2,500
    assert table.win_cents(NOON, at(5)) == 120_000
    assert table.drop_cents(NOON, at(5)) == 270_000
    assert [part.basis for part in table.parts] == [EstimateBasis.COUNTED]
    assert wins(facts, 3) == [60_000, 60_000, 0], "nothing told: spread evenly, none when closed"


def test_what_a_recount_and_an_opener_find_is_no_win() -> None:
    facts = [
        Fact(What.CLOSED, NOON, 500_000),
        Fact(What.RECOUNTED, at(1), 490_000),
        Fact(What.OPENED, at(2), 480_000),
    ]
    assert estimate(facts, at(3)).win_cents(NOON, at(3)) == 0
    assert estimate(facts[:2], at(3)).parts == ()
    assert estimate([], at(3)).parts == ()


def test_told_payouts_and_rounds_give_a_stretch_its_course_and_never_its_sum() -> None:
    paid = Fact(What.PAYOUT, at(1.5), 200_000)
    jackpot = Fact(What.PAID, at(1.5), 40_000)
    closed = Fact(What.CLOSED, at(2), 400_000)
    # 1,000 lost, of it 2,400 in the second hour; so 1,400 came in over the two hours.
    assert wins([OPENED, NONE_SOLD, paid, jackpot, closed], 2) == [70_000, -170_000]
    rounds = [Fact(What.ROUND, at(0.5), 30_000), Fact(What.ROUND, at(1.5), -130_000)]
    assert wins([OPENED, NONE_SOLD, *rounds, paid, closed], 2) == [30_000, -130_000]


def test_a_big_win_counts_once_where_rounds_report_it() -> None:
    big = Fact(What.BIG_WIN, at(0.5), 60_000)
    rounds = Fact(What.ROUND, at(0.5), -55_000)
    assert wins([OPENED, big], 1, Past(PAST)) == [-60_000]
    assert wins([OPENED, big, rounds], 1, Past(PAST)) == [-55_000]
    closed = Fact(What.CLOSED, at(2), 500_000)
    assert wins([OPENED, NONE_SOLD, big, closed], 2) == [-30_000, 30_000]


def test_since_the_last_count_reported_rounds_say_what_was_won() -> None:
    facts = [
        OPENED,
        NONE_SOLD,
        Fact(What.ROUND, at(0.5), 5_000),
        Fact(What.COUNTED, at(1), 500_000),
        Fact(What.ROUND, at(1.5), 70_000),
        Fact(What.PAID, at(1.6), 20_000),
        Fact(What.BUY_IN, at(1.7), 90_000),
    ]
    assert wins(facts, 2, Past(PAST)) == [0, 50_000]
    table = estimate(facts, at(2), Past(PAST))
    assert [part.basis for part in table.parts] == [EstimateBasis.COUNTED, EstimateBasis.REPORTED]
    assert bases_of([table], NOON, at(2)) == {EstimateBasis.REPORTED: 1}
    assert bases_of([table, table], NOON, at(0.5)) == {EstimateBasis.COUNTED: 2}


def test_without_rounds_the_game_is_expected_to_hold_what_it_held() -> None:
    facts = [
        OPENED,
        Fact(What.BUY_IN, at(-1), 77_777),  # before the count: in the tray's figure already
        Fact(What.BUY_IN, at(0.5), 100_000),
        Fact(What.MARKER, at(1.5), 50_000),
    ]
    assert wins(facts, 2, Past(PAST)) == [20_000, 10_000]
    table = estimate(facts, at(2), Past(PAST))
    assert table.parts[-1].basis is EstimateBasis.EXPECTED
    # 150,000 · 10%² · 2 · 10,000 dollars, in cents; 1.96 roots of it.
    assert PAST.variance_cents == 20_000
    assert error_of([table], NOON, at(2)) == Error(107_353, known=1, unknown=0)
    unknown = estimate(facts, at(2))
    assert unknown.parts[-1].basis is EstimateBasis.UNKNOWN
    assert unknown.win_cents(NOON, at(2)) == 0
    assert error_of([table, unknown], NOON, at(2)) == Error(107_353, known=1, unknown=1)
    assert error_of([table], at(-2), at(-1)) == Error(0, 0, 0), "it had not opened"


def test_an_estimate_of_the_box_adds_what_was_not_logged() -> None:
    facts = [
        OPENED,
        Fact(What.BUY_IN, at(0.5), 100_000),
        Fact(What.GUESS, at(1), 90_000, since=NOON),
        Fact(What.GUESS, at(2), 300_000, since=NOON),
        Fact(What.BUY_IN, at(3), 40_000),
        Fact(What.COUNTED, at(4), 500_000),
    ]
    table = estimate(facts, at(4), Past(missed=Fraction(1, 100)))
    assert [table.drop_cents(at(h), at(h + 1)) for h in range(4)] == [200_000, 100_000, 40_000, 0]
    assert table.win_cents(NOON, at(4)) == 340_000
    # A tenth of the cash, and 1.96 times that.
    assert error_of([table], NOON, at(4)) == Error(66_640, known=1, unknown=0)
    less = [fact for fact in facts if fact.cents != 300_000]
    assert estimate(less, at(4)).drop_cents(NOON, at(4)) == 140_000, "what is logged stays"
    assert error_of([estimate(facts, at(4))], NOON, at(4)).unknown == 1, "nothing to compare with"
    nobody = [fact for fact in facts if fact.what is not What.GUESS]
    late = [*nobody, Fact(What.GUESS, at(6), 90_000, since=at(5))]
    for item in (nobody, late):
        part = estimate(item, at(7), Past(missed=Fraction(1))).parts[0]
        assert (part.basis, part.variance) == (EstimateBasis.UNKNOWN, None)


def test_estimated_cash_came_while_the_table_was_open() -> None:
    """Estimated after the close, for a shift that began before the table opened."""
    guess = Fact(What.GUESS, at(5), 80_000, since=at(-4))
    closed = Fact(What.CLOSED, at(2), 450_000)
    table = estimate([OPENED, closed, guess], at(5))
    assert [table.drop_cents(at(h), at(h + 1)) for h in range(-1, 3)] == [0, 40_000, 40_000, 0]
    assert table.win_cents(NOON, at(2)) == 30_000
    earlier = [Fact(What.COUNTED, at(-5), 0), OPENED, guess]
    assert estimate(earlier, at(5)).drop_cents(at(-4), at(5)) == 80_000
    never = estimate([guess], at(5))
    assert (never.drop_cents(at(-4), at(0.5)), never.parts) == (40_000, ())


def test_cheques_that_were_sold_for_cash_no_one_logged_are_no_loss() -> None:
    """$4,000 of cheques left the tray. Holding 20%, the game took $5,000 in cash: $1,000 of win."""
    facts = [
        OPENED,
        Fact(What.BUY_IN, at(1), 50_000),
        Fact(What.COUNTED, at(2), 100_000),
    ]
    table = estimate(facts, at(2), Past(PAST))
    assert table.parts[0].basis is EstimateBasis.EXPECTED
    assert (table.win_cents(NOON, at(2)), table.drop_cents(NOON, at(2))) == (100_000, 500_000)
    # 5,000 dollars · 20,000 / 0.8², as it strays.
    assert table.parts[0].variance == Fraction(500_000 * 20_000 * 25, 16)
    # A marker is drop as well: 20% of 6,000 is 1,200, of which 5,000 in cash and 1,000 on paper.
    marked = [*facts, Fact(What.MARKER, at(1), 100_000)]
    both = estimate(marked, at(2), Past(PAST))
    assert (both.win_cents(NOON, at(2)), both.drop_cents(NOON, at(2))) == (100_000, 500_000)


def test_a_tray_that_grew_is_win_beside_what_was_logged() -> None:
    facts = [OPENED, Fact(What.BUY_IN, at(1), 50_000), Fact(What.COUNTED, at(2), 600_000)]
    table = estimate(facts, at(2), Past(PAST))
    assert (table.win_cents(NOON, at(2)), table.drop_cents(NOON, at(2))) == (150_000, 50_000)
    always = Experience(days=2, win_cents=2, drop_cents=2, squares_cents=2)
    assert estimate(facts, at(2), Past(always)).parts[0].basis is EstimateBasis.UNKNOWN


def test_without_an_estimate_of_the_cash_reported_rounds_say_what_was_won() -> None:
    facts = [
        OPENED,
        Fact(What.ROUND, at(0.5), 5_000),
        Fact(What.PAID, at(1), 2_000),
        Fact(What.COUNTED, at(2), 100_000),
    ]
    table = estimate(facts, at(2), Past(PAST))
    assert (table.parts[0].basis, table.win_cents(NOON, at(2))) == (EstimateBasis.REPORTED, 3_000)


def test_a_guess_since_before_the_count_is_expected_for_the_time_after_it_alone() -> None:
    counted = Fact(What.COUNTED, NOON, 500_000)
    facts = [Fact(What.OPENED, at(-2), 0), counted, Fact(What.GUESS, at(1), 100_000, since=at(-1))]
    assert estimate(facts, at(1), Past(PAST)).win_cents(NOON, at(1)) == 10_000


def test_an_estimate_must_say_from_when_on_it_counts() -> None:
    with pytest.raises(AssertionError):
        estimate([OPENED, Fact(What.GUESS, at(1), 5)], at(1))


def test_games_stray_apart() -> None:
    other = Experience(days=2, win_cents=0, drop_cents=2_000_000, squares_cents=0)
    band = band_of_games([(PAST, 1_000_000), (other, 1_000_000)])
    assert band is not None
    assert (band.expected, band.low, band.high) == (1_000, 1_000 - 1_385, 1_000 + 1_385)
    assert band_of_games([(PAST, 0)]) is None


INSTANTS = st.integers(0, 36_000).map(lambda second: NOON + timedelta(seconds=second))
FACTS = st.lists(
    st.builds(
        Fact,
        st.sampled_from(What),
        INSTANTS,
        st.integers(-10_000_000, 10_000_000),
        st.just(NOON),
    ),
    max_size=25,
)
PASTS = st.sampled_from([Past(), Past(PAST), Past(PAST, Fraction(1, 50))])


@given(FACTS, PASTS, st.integers(0, 36_000))
def test_hours_add_up_to_the_whole_whatever_happened(
    facts: list[Fact], past: Past, seconds: int
) -> None:
    now = NOON + timedelta(seconds=seconds)
    table = estimate([fact for fact in facts if fact.at <= now], now, past)
    hours = by_hour([table, table], edges_of(NOON, now))
    assert sum(hour.win_cents for hour in hours) == 2 * table.win_cents(NOON, now)
    assert sum(hour.drop_cents for hour in hours) == 2 * table.drop_cents(NOON, now)
    error = error_of([table, table], NOON - timedelta(1), now)
    assert error.cents >= 0
    assert error.known + error.unknown == 2 * bool(table.during(NOON - timedelta(1), now))


@given(FACTS, st.integers(-5_000_000, 5_000_000))
def test_more_cash_in_a_counted_stretch_is_as_much_more_win(facts: list[Fact], cents: int) -> None:
    """The identity of `win`: neither course nor moves change what a dollar in the box is worth."""
    kept = [fact for fact in facts if fact.what not in (What.GUESS, What.CLOSED)]
    guess = Fact(What.GUESS, at(-0.5), 0, since=at(-1))
    kept = [fact for fact in kept if fact.what not in (What.OPENED, What.COUNTED, What.RECOUNTED)]
    frame = [Fact(What.OPENED, at(-1), 0), guess, *kept, Fact(What.CLOSED, at(12), 0)]
    more = [*frame, Fact(What.BUY_IN, at(11), cents)]
    before, after = (estimate(item, at(13)).win_cents(at(-2), at(13)) for item in (frame, more))
    assert after - before == cents


@given(INSTANTS, INSTANTS, st.integers(), st.lists(INSTANTS, max_size=5))
def test_the_parts_of_a_span_add_up(
    one: datetime, other: datetime, cents: int, cuts: list[datetime]
) -> None:
    span = Span(min(one, other), max(one, other), cents)
    edges = [at(-1), *sorted(cuts), at(12)]
    parts = [within([span], a, b) for a, b in pairwise(edges)]
    assert sum(parts) == cents
