"""A stay shared out over its hours: whole cents that come to the whole, whatever it was."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from pitboss.rules.ratings.hours import HOUR, StayPlayed, hours_of, shared_out, whole_cents
from pitboss.rules.ratings.reckoning import half_up

CENTS = st.integers(-(10**9), 10**9)
FRACTIONS = st.fractions(-(10**6), 10**6, max_denominator=10**6)


@given(CENTS, st.lists(st.integers(0, HOUR), min_size=1, max_size=30))
def test_shares_add_up_and_each_is_within_a_cent_of_its_part(total: int, parts: list[int]) -> None:
    shares = shared_out(total, parts)
    assert sum(shares) == total
    if sum(parts):
        for part, share in zip(parts, shares, strict=True):
            assert abs(Fraction(total * part, sum(parts)) - share) <= 1
            assert part or not share


@given(st.dictionaries(st.sampled_from("abcdef"), FRACTIONS, min_size=1))
def test_wagers_in_whole_cents_come_to_their_rounded_sum(amounts: dict[str, Fraction]) -> None:
    cents = whole_cents(amounts)
    assert sum(cents.values()) == half_up(sum(amounts.values(), Fraction(0)))
    assert sum(whole_cents(amounts, 7).values()) == 7
    assert list(cents) == list(amounts)


@given(
    st.lists(
        st.tuples(st.integers(0, 10**6), st.integers(0, 50_000), CENTS, st.integers(0, 10**7)),
        min_size=1,
        max_size=8,
    )
)
def test_the_hours_of_a_table_come_to_its_stays(
    stays: list[tuple[int, int, int, int]],
) -> None:
    played = [
        StayPlayed((since, since + lasted), lasted, {"main": action}, {"main": theo})
        for since, lasted, theo, action in stays
    ]
    held = [stay.span for stay in played]
    hours = hours_of(opened=[], held=held, rounds=[span[0] for span in held], stays=played)
    assert sum(hour.rated for hour in hours.values()) == sum(stay.seconds for stay in played)
    assert sum(hour.seats for hour in hours.values()) == sum(stay.seconds for stay in played)
    assert sum(hour.theo.get("main", 0) for hour in hours.values()) == sum(
        theo for _, _, theo, _ in stays
    )
    assert sum(hour.rounds for hour in hours.values()) == len(stays)
    assert list(hours) == sorted(hours)
    assert all(begins % HOUR == 0 for begins in hours)


def test_an_hour_with_nothing_in_it_is_left_out() -> None:
    found = hours_of(opened=[(0, 0)], held=[(3_600, 9_000)], rounds=[3_700], stays=[])
    assert [(begins, hour.seats, hour.rounds) for begins, hour in found.items()] == [
        (3_600, 3_600, 1),
        (7_200, 1_800, 0),
    ]
