"""What templates draw the floor with: words for money and cheques, geometry for trays, clocks."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from pitboss.rules.cheques.cheques import DENOMINATIONS, TUBE_CHEQUES
from pitboss.rules.cheques.sets import COLOURS
from pitboss.templatetags.floor import (
    EDGE_SPOTS,
    bold_first,
    cheques,
    denomination,
    direction,
    edge_patterns,
    in_stacks,
    kept,
    money,
    ring,
    row_bar,
    signed_money,
    stacks_only,
    tray_bars,
    tubes,
    waited,
)

NOW = datetime(2026, 11, 14, 21, 47, tzinfo=UTC)


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (money(670_000), "$6,700"),
        (money(None), "–"),
        (signed_money(265_150), "+$2,651.50"),
        (signed_money(-92_500), "−$925"),
        (direction(1), "up"),
        (direction(-1), "down"),
        (direction(0), ""),
        (cheques(1), "1 cheque"),
        (cheques(1_040), "1,040 cheques"),
        (in_stacks(107), "5 stacks + 7 odd"),
        (in_stacks(20), "1 stack"),
        (in_stacks(7), "cheques"),
        (in_stacks(1), "cheque"),
        (stacks_only(107), "5 stacks + 7 odd"),
        (stacks_only(7), "7 odd"),
        (waited(161), "2:41"),
        (waited(3_725), "1:02:05"),
        (waited(-3), "0:00"),
        (denomination("2500").name, "$25 green"),
    ],
)
def test_amounts_counts_and_waits_are_said_as_the_floor_says_them(said: str, words: str) -> None:
    assert said == words


def test_a_refusal_is_bold_up_to_its_first_sentence_and_an_initial_ends_none() -> None:
    said = bold_first("R. Delacroix has signed this slip. The top-sign needs another person.")

    assert said == "<b>R. Delacroix has signed this slip.</b> The top-sign needs another person."
    assert bold_first("No such slip.") == "<b>No such slip.</b>"
    assert bold_first("<i>No</i> slip. Go.") == "<b>&lt;i&gt;No&lt;/i&gt; slip.</b> Go."


@pytest.mark.parametrize(
    ("seconds", "urgency", "dash"),
    [
        (0, "fine", "0.0 50.3"),
        (149, "fine", "25.0 50.3"),
        (150, "soon", "25.1 50.3"),
        (300, "late", "50.3 50.3"),
        (900, "late", "50.3 50.3"),
    ],
)
def test_a_ring_is_full_when_the_house_limit_is_reached(
    seconds: int, urgency: str, dash: str
) -> None:
    drawn = ring(NOW - timedelta(seconds=seconds), NOW, 300)

    assert (drawn.urgency, drawn.dash) == (urgency, dash)


def test_a_wait_without_a_limit_is_never_late_and_a_clock_ahead_shows_no_time() -> None:
    assert ring(NOW - timedelta(hours=3), NOW, None).urgency == "fine"
    assert ring(NOW + timedelta(seconds=5), NOW, 300).text == "0:00"


def test_a_tray_shows_every_cheque_it_holds_and_every_one_on_the_way() -> None:
    held = {100_000: 8, 2_500: 96, 500: 118, 100: 0}
    coming = {2_500: 100, 10_000: 40}

    laid = tubes(held, coming)

    for cents in held | coming:
        of_colour = [tube for tube in laid if tube.denomination.cents == cents]
        assert sum(tube.held for tube in of_colour) == held.get(cents, 0)
        assert sum(tube.coming for tube in of_colour) == coming.get(cents, 0)
        assert all(tube.held + tube.coming <= TUBE_CHEQUES for tube in of_colour)


def test_the_highest_colour_lies_in_the_middle_of_the_tray() -> None:
    laid = [tube.denomination.cents for tube in tubes({100_000: 8, 2_500: 96, 500: 118})]

    assert laid == [500, 2_500, 100_000, 2_500, 500]


def test_a_full_tube_has_a_spacer_at_every_twenty_and_stays_inside_its_glass() -> None:
    (tube,) = tubes({500: 60})

    assert [bool(run.spacer_y) for run in tube.runs] == [True, True, True]
    assert min(float(run.spacer_y) for run in tube.runs) >= 0

    (tube,) = tubes({500: 47})
    assert [bool(run.spacer_y) for run in tube.runs] == [True, True, False]


def test_what_is_on_the_way_is_drawn_above_what_is_there_inside_the_tube() -> None:
    (tube,) = tubes({2_500: 36}, {2_500: 24})

    top_of_cheques = min(float(run.y) for run in tube.runs)
    assert float(tube.coming_y) >= 0
    assert float(tube.coming_y) + float(tube.coming_height) <= top_of_cheques


def test_every_colour_has_edge_spots_of_its_own() -> None:
    patterns = edge_patterns()

    assert [pattern.denomination for pattern in patterns] == list(DENOMINATIONS)
    assert EDGE_SPOTS.keys() == set(COLOURS)
    assert len(set(EDGE_SPOTS.values())) == len(COLOURS)
    assert all(pattern.lower != pattern.upper for pattern in patterns)


def test_bars_are_measured_by_par_and_say_so_in_words() -> None:
    drawn = tray_bars({10_000: 55, 2_500: 240}, {10_000: 100, 2_500: 100, 500: 160})

    assert [bar.percent for bar in drawn.bars] == [55, 240, 0]
    assert [bar.is_low for bar in drawn.bars] == [True, False, True]
    assert [bar.height for bar in drawn.bars] == ["14.3", "31.0", "0.0"]
    assert drawn.words == (
        "Tray against par: $100 at 55% of par, $25 at 240% of par, $5 at 0% of par"
    )


def test_a_colour_without_par_is_drawn_but_never_low() -> None:
    (bar,) = tray_bars({100: 3}, {}).bars

    assert (bar.percent, bar.is_low, bar.height) == (None, False, "26.0")
    assert tray_bars({}, {}).words == "Tray against par: empty"


def test_what_is_asked_for_is_drawn_behind_what_is_held_and_never_past_the_row() -> None:
    bar = row_bar(96, 200, 100)
    assert (bar.held_width, bar.asked_x, bar.asked_width) == ("62.4", "62.4", "65.0")

    assert row_bar(180, 200, 400).asked_width == "33.0"
    assert row_bar(500, 200, 20).asked_width == "0.0"
    assert row_bar(0, 0, 20).asked_width == "130.0"


def test_numbers_are_kept_whole_and_what_people_wrote_stays_words() -> None:
    assert kept("06-R-0418 for BJ-24") == (
        '<span class="nowrap">06-R-0418</span> for <span class="nowrap">BJ-24</span>'
    )
    assert kept("<b>T. O-Neil</b>, 14-11-2026") == "&lt;b&gt;T. O-Neil&lt;/b&gt;, 14-11-2026"
