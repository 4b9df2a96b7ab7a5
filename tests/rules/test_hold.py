"""Hold and its band, against figures that were worked out by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.rules.day.hold import (
    Band,
    Experience,
    band_of,
    hold_basis_points,
    statistical_drop,
)

DAYS = st.lists(
    st.tuples(st.integers(-10_000_000, 10_000_000), st.integers(1, 50_000_000)),
    min_size=2,
    max_size=30,
)


def experience(days: list[tuple[int, int]]) -> Experience:
    return Experience(
        days=len(days),
        win_cents=sum(win for win, _ in days),
        drop_cents=sum(drop for _, drop in days),
        squares_cents=int(sum(Fraction(win * win, drop) for win, drop in days)),
    )


@pytest.mark.parametrize(
    ("win_cents", "drop_cents", "hold"),
    [
        (180_500, 1_000_000, 1_805),
        (-180_500, 1_000_000, -1_805),
        (1, 20_000, 1),
        (-1, 20_000, 0),
        (0, 1, 0),
        (5, 0, None),
    ],
)
def test_hold_is_win_over_drop_to_a_hundredth_of_a_percent(
    win_cents: int, drop_cents: int, hold: int | None
) -> None:
    assert hold_basis_points(win_cents, drop_cents) == hold


@pytest.mark.parametrize(
    ("marker_cash_cents", "drop_cents", "hold"),
    [(0, 1_500_000, 5_000), (100_000, 1_400_000, 5_357)],
)
def test_a152_markers_are_drop_and_cash_that_pays_one_is_not(
    marker_cash_cents: int, drop_cents: int, hold: int
) -> None:
    dropped = statistical_drop(1_200_000, 300_000, marker_cash_cents)
    assert dropped == drop_cents
    assert hold_basis_points(750_000, dropped) == hold


def test_a_game_that_never_strays_has_a_band_without_width() -> None:
    past = experience([(200_000, 1_000_000)] * 30)
    assert past.expected == Fraction(1, 5)
    assert band_of(past, 500_000) == Band(2_000, 2_000, 2_000)


def test_four_times_the_drop_halves_the_band() -> None:
    past = experience([(100_000, 1_000_000), (300_000, 1_000_000), (200_000, 1_000_000)] * 10)
    # 20 of 30 days stray by $1,000 on $10,000: v = 20 · 1000² / 10,000 / 29 dollars.
    assert past.variance_cents == Fraction(20 * 100_000**2, 29 * 1_000_000)
    narrow, wide = band_of(past, 4_000_000), band_of(past, 1_000_000)
    assert wide == Band(2_000, 373, 3_627)
    assert narrow == Band(2_000, 1_187, 2_813)


def test_without_a_drop_there_is_no_band_and_too_little_is_no_experience() -> None:
    assert band_of(experience([(1, 10), (2, 10)]), 0) is None
    with pytest.raises(ValueError, match="two days"):
        Experience(days=1, win_cents=1, drop_cents=10, squares_cents=0)
    with pytest.raises(ValueError, match="two days"):
        Experience(days=2, win_cents=1, drop_cents=0, squares_cents=0)


def test_the_edge_of_a_band_still_lies_in_it() -> None:
    band = Band(2_000, 1_000, 3_000)
    assert band.holds(1_000)
    assert band.holds(3_000)
    assert not band.holds(999)
    assert not band.holds(3_001)


@given(DAYS, st.integers(1, 10**12))
def test_a_band_lies_around_what_is_expected_whatever_was_won(
    days: list[tuple[int, int]], drop_cents: int
) -> None:
    past = experience(days)
    assert past.variance_cents >= 0
    direct = sum((win - past.expected * drop) ** 2 / drop for win, drop in days)
    # The squares are rounded down to a cent once.
    assert 0 <= direct / (past.days - 1) - past.variance_cents <= Fraction(1, past.days - 1)
    band = band_of(past, drop_cents)
    assert band is not None
    assert band.low <= band.expected <= band.high
    assert band.high - band.expected == band.expected - band.low
