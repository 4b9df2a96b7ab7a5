"""Corrections of posted drop counts: what they move, whom they ask, who takes no part."""

from __future__ import annotations

import pytest

from pitboss.rules.drop.corrections import (
    VIDEO,
    drop_of,
    hold_text,
    marks_of,
    moved_cents,
    needs_video,
    nothing_refusals,
)
from pitboss.rules.drop.figures import read_figures
from pitboss.rules.flows.corrections import CLOSED_DAY, is_of_a_closed_day, signer_refusals
from pitboss.rules.flows.flows import PlanFacts

WAS = read_figures({"cash_10000": 800_000})


@pytest.mark.parametrize(
    ("figures", "drop", "moved"),
    [
        ({"cash_10000": 900_000}, 900_000, 100_000),
        ({"cash_10000": 700_000, "cash_2000": 100_000}, 800_000, 0),
        ({"cash_10000": 800_000, "foreign_cheques": 2_500}, 802_500, 2_500),
        ({"cash_10000": 750_000, "coupons": 50_000}, 750_000, 100_000),
    ],
)
def test_what_makes_up_for_another_figure_is_moved_too(
    figures: dict[str, int], drop: int, moved: int
) -> None:
    now = read_figures(figures)
    assert (drop_of(now), moved_cents(WAS, now)) == (drop, moved)


@pytest.mark.parametrize(
    ("moved", "is_closed", "marks"),
    [
        (49_999, False, set()),
        (50_000, False, {VIDEO}),
        (0, True, {CLOSED_DAY}),
        (50_000, True, {VIDEO, CLOSED_DAY}),
    ],
)
def test_the_video_is_asked_from_an_amount_on_and_a_closed_day_is_restated(
    moved: int, is_closed: bool, marks: set[str]
) -> None:
    found = marks_of(moved, 50_000, is_closed=is_closed)
    assert found == marks
    facts = PlanFacts({}, marks=found)
    assert (needs_video(facts), is_of_a_closed_day(facts)) == (VIDEO in marks, CLOSED_DAY in marks)


def test_a_correction_changes_a_line() -> None:
    assert [r.code for r in nothing_refusals(WAS, read_figures({"cash_10000": 800_000}))] == [
        "nothing_changes"
    ]
    assert nothing_refusals(WAS, read_figures({"cash_10000": 700_000})) == []


def test_who_signed_takes_no_part() -> None:
    (refusal,) = signer_refusals("116", {"116": "DC-2026-000001"})
    assert (refusal.code, "DC-2026-000001" in refusal.message) == ("signed_original", True)
    assert signer_refusals("117", {"116": "DC-2026-000001"}) == []


@pytest.mark.parametrize(
    ("win", "drop", "hold"),
    [
        (120_000, 800_000, "15.00%"),
        (220_000, 900_000, "24.44%"),
        (-5, 1_000, "−0.50%"),
        (1, 20_000, "0.01%"),
        (0, 0, "none"),
        (5, -1, "none"),
    ],
)
def test_hold_is_win_over_drop(win: int, drop: int, hold: str) -> None:
    assert hold_text(win, drop) == hold
