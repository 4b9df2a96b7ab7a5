"""A box that is far from its estimate is an item for accounting (F17); forms lie in their box."""

from __future__ import annotations

from datetime import timedelta

import pytest

from pitboss.models import FloorException, Table
from pitboss.reports.report import ReportChoice, Tone
from pitboss.rules.roles import Place
from pitboss.services import house
from tables.reports.drop import box_papers, estimates
from tables.selectors.box_papers import copies_expected
from tables.services.drops import estimate_drop
from tests.floor.cast import Cast, ServerClock
from tests.floor.drop_box import count_and_post, pull
from tests.floor.house import change
from tests.floor.late_papers import approve, key
from tests.floor.tablets import signed_in
from tests.floor.tablets import words as words_of

pytestmark = pytest.mark.django_db


def estimate(cast: Cast, dollars: int) -> None:
    table = Table.objects.get(pk=cast.table.pk)
    estimate_drop(table=table, cash_cents=dollars * 100, pen=cast.pen(cast.alice))


@pytest.mark.parametrize(
    ("dollars", "words"),
    [
        (7_900, "has $2,100 less than the $10,000 estimated."),
        (8_000, None),
        (12_000, None),
        (12_100, "has $2,100 more than the $10,000 estimated."),
    ],
)
def test_f17_a_count_far_from_the_last_estimate_is_an_item(
    cast: Cast, server_clock: ServerClock, dollars: int, words: str | None
) -> None:
    cast.open_table({})
    # Of two guesses in a shift the newest counts.
    estimate(cast, 3_000)
    estimate(cast, 10_000)
    server_clock.move(minutes=5)
    cast.close_table({})
    count_and_post(cast, pull(cast), {"cash_10000": dollars * 100})
    found = FloorException.objects.filter(code="estimate_gap").values_list("sentence", flat=True)
    assert [item.partition(" has ")[2] for item in found] == (
        [words.removeprefix("has ")] if words else []
    )
    day = house.period_at(house.now()).gaming_day
    (row,) = estimates(ReportChoice(day, day)).sections[0].rows
    values = [cell.value for cell in row.cells]
    assert values[4:] == [1_000_000, dollars * 100, (dollars - 10_000) * 100, 200_000]
    assert (row.tone is Tone.BAD) is (words is not None)


def test_the_report_of_copies_names_each_that_was_not_where_it_belongs(
    cast: Cast, server_clock: ServerClock
) -> None:
    opener = cast.open_table({})
    closer = cast.close_table({})
    # Long enough before the pull that it can be in no other box.
    server_clock.move(minutes=20)
    codes = [f"{opener.serial}/O", f"{opener.serial}/O", "F-2026-009999/D"]
    count_and_post(cast, pull(cast), {"cash_10000": 100_000}, codes)
    day = house.period_at(house.now()).gaming_day
    (section,) = box_papers(ReportChoice(day, day)).sections
    named = [tuple(cell.value for cell in row.cells)[3:] for row in section.rows]
    assert named == [
        (f"{closer.serial}/C", "Missing", "Open"),
        ("F-2026-009999/D", "Of another box", "Open"),
        (f"{opener.serial}/O", "Found twice", "Open"),
    ]
    page = words_of(signed_in(cast.ruth, cast, Place.OFFICE).get("/reports/box-papers/"))
    assert "Copies not explained: 3 of 3." in page


def test_f17_the_house_says_how_far_and_no_estimate_is_no_gap(
    cast: Cast, server_clock: ServerClock
) -> None:
    change(cast, "drop.estimate_gap", "5,000")
    cast.open_table({})
    estimate(cast, 10_000)
    server_clock.move(minutes=5)
    cast.close_table({})
    count_and_post(cast, pull(cast), {"cash_10000": 790_000})
    server_clock.move(minutes=5)
    cast.open_table({})
    cast.close_table({})
    # The guess was of the box before.
    count_and_post(cast, pull(cast), {"cash_10000": 100_000})
    assert not FloorException.objects.filter(code="estimate_gap").exists()


def test_the_part_of_a_form_that_was_dropped_is_expected_in_the_box_of_its_time(
    cast: Cast, server_clock: ServerClock
) -> None:
    cast.open_table({})
    server_clock.move(minutes=40)
    slip = key(cast, "fill", house.now() - timedelta(minutes=20))
    approve(cast, slip)
    number = slip.details["paper_number"]
    server_clock.move(minutes=20)
    cast.close_table({10_000: 10})
    box = pull(cast)
    codes = [copy.code for copy in copies_expected([box])[box.serial]]
    assert f"{number}/D" in codes
    assert number not in codes
    count_and_post(cast, box, {"cash_10000": 100_000})
    assert not FloorException.objects.filter(code="drop_documents").exists()
