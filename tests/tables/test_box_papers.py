"""The papers of a drop box are those that the printed forms send there, and each is named."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from pitboss.models import FloorException, Slip
from pitboss.paper.forms import InBox
from pitboss.rules.flows.book import FLOWS
from pitboss.rules.roles import Place
from pitboss.slips.addresses import new_url
from pitboss.slips.kind import form_of
from tables.selectors.box_papers import BoxFound, copies_expected, papers_judged
from tests.floor.cage import send_credit
from tests.floor.cast import Cast, ServerClock, refused
from tests.floor.drop_box import begin_count, count_and_post, count_tray, pull, verify
from tests.floor.tablets import signed_in, words

pytestmark = pytest.mark.django_db
TRAY = {10_000: 100, 2_500: 100}
LESS = {10_000: 100, 2_500: 60}
BOX = {"cash_10000": 900_000}


def codes(box: Slip) -> list[str]:
    return [copy.code for copy in copies_expected([box])[box.serial]]


def a_night(cast: Cast, clock: ServerClock) -> Slip:
    """Fill, open, credit and count BJ-11, then pull its box."""
    fill = cast.ask(TRAY)
    cast.deliver(fill)
    cast.open_table(TRAY)
    send_credit(cast)
    clock.move(minutes=20)
    count_tray(cast, LESS)
    return pull(cast)


def test_a114_openers_fills_both_credit_copies_and_the_count_are_expected(
    cast: Cast, server_clock: ServerClock
) -> None:
    first = a_night(cast, server_clock)
    serial = {slip.kind: slip.serial for slip in Slip.objects.order_by("-pk")}
    expected = codes(first)
    assert sorted(expected) == sorted(
        [
            f"{serial['opener']}/O",
            f"{serial['fill']}/D",
            f"{serial['credit']}/D",
            f"{serial['credit']}/A",
            f"{serial['count']}/O",
        ]
    )
    found = [code for code in expected if code != f"{serial['credit']}/A"]
    count = count_and_post(cast, first, BOX, found)
    floor_exception = FloorException.objects.get()
    assert floor_exception.slip == count
    assert floor_exception.details == {
        "missing": [f"{serial['credit']}/A"],
        "foreign": [],
        "double": [],
        "unreadable": 0,
    }
    assert f"{serial['credit']}/A (credit, acknowledgment) is missing" in floor_exception.sentence
    server_clock.move(hours=1)
    again = count_tray(cast, LESS)
    assert codes(pull(cast)) == [f"{serial['count']}/D", f"{again.serial}/O"]


def test_a114_an_honest_count_opens_no_exception(cast: Cast, server_clock: ServerClock) -> None:
    first = a_night(cast, server_clock)
    count_and_post(cast, first, BOX, codes(first))
    server_clock.move(hours=1)
    cast.close_table(LESS)
    server_clock.move(minutes=30)
    second = pull(cast)
    count_and_post(cast, second, BOX, codes(second))
    assert not FloorException.objects.exists()


def closed_then_pulled(cast: Cast, clock: ServerClock, minutes: int) -> tuple[Slip, str]:
    """Close BJ-11, pull its box after so many minutes, post it without the closer; open again."""
    cast.deliver(cast.ask(TRAY))
    cast.open_table(TRAY)
    clock.move(hours=2)
    closer = cast.close_table(TRAY)
    clock.move(minutes=minutes)
    first = pull(cast)
    code = f"{closer.serial}/C"
    count_and_post(cast, first, BOX, [item for item in codes(first) if item != code])
    clock.move(hours=1)
    cast.open_table(TRAY)
    clock.move(hours=1)
    cast.close_table(TRAY)
    clock.move(minutes=30)
    return pull(cast), code


def test_a115_a_closer_near_the_pull_may_be_in_the_next_box(
    cast: Cast, server_clock: ServerClock
) -> None:
    second, code = closed_then_pulled(cast, server_clock, 4)
    assert not FloorException.objects.exists(), "it may be in the next box"
    count = count_and_post(cast, second, BOX, [*codes(second), code])
    assert not FloorException.objects.exists()
    page = words(signed_in(cast.ruth, cast, Place.OFFICE).get(f"/slips/{count.serial}/"))
    assert "dropped near a pull" in page


def test_a115_a_closer_long_before_the_pull_is_missing_and_then_strange(
    cast: Cast, server_clock: ServerClock
) -> None:
    second, code = closed_then_pulled(cast, server_clock, 20)
    assert FloorException.objects.get().details["missing"] == [code]
    count = count_and_post(cast, second, BOX, [*codes(second), code])
    floor_exception = FloorException.objects.get(slip=count)
    assert floor_exception.details["foreign"] == [code]
    assert "belongs in another box of BJ-11" in floor_exception.sentence


def test_a_paper_dropped_just_after_the_pull_is_a_note_and_the_cages_part_is_strange(
    cast: Cast, server_clock: ServerClock
) -> None:
    first = a_night(cast, server_clock)
    server_clock.move(minutes=3)
    fill = cast.ask(TRAY)
    cast.deliver(fill)
    other = f"{fill.serial}/D"
    papers, _ = papers_judged([first], {first.serial: BoxFound([*codes(first), other])})[
        first.serial
    ]
    # Dropped minutes after the pull it is a note; its original belongs to the cage.
    assert papers.notes == (other,)
    kept = f"{fill.serial}/O"
    papers, _ = papers_judged([first], {first.serial: BoxFound([*codes(first), kept])})[
        first.serial
    ]
    assert papers.foreign == ((kept, "does not go into a drop box"),)


def test_a_paper_found_in_two_boxes_or_unreadable_is_named(
    cast: Cast, server_clock: ServerClock
) -> None:
    first = a_night(cast, server_clock)
    count_and_post(cast, first, BOX, codes(first))
    server_clock.move(hours=1)
    cast.close_table(LESS)
    server_clock.move(minutes=30)
    second = pull(cast)
    double, expected = codes(first)[0], codes(second)
    with refused("documents_differ"):
        begin_count(cast, second, {**BOX, "documents": 4}, [*expected, double])
    pieces = {**BOX, "documents": len(expected) + 2}
    count = begin_count(cast, second, pieces, [*expected, double], unreadable=1)
    verify(cast, count, pieces)
    cast.sign(count, "posted", cast.ruth, Place.OFFICE)
    floor_exception = FloorException.objects.get()
    assert floor_exception.details["double"] == [double]
    assert floor_exception.details["unreadable"] == 1
    assert "1 unreadable" in floor_exception.sentence


def test_the_papers_of_many_boxes_are_read_in_a_fixed_number_of_queries(
    cast: Cast, server_clock: ServerClock
) -> None:
    boxes = [a_night(cast, server_clock)]
    for _ in range(2):
        server_clock.move(hours=1)
        count_tray(cast, LESS)
        boxes.append(pull(cast))
    found = {box.serial: BoxFound(codes(box)) for box in boxes}

    def queries(some: list[Slip]) -> int:
        with CaptureQueriesContext(connection) as queries:
            papers_judged(some, found)
        return len(queries)

    assert queries(boxes[1:2]) == queries(boxes)


def test_every_part_that_is_printed_for_a_drop_box_says_so_to_the_count_room() -> None:
    for kind in FLOWS:
        parts = form_of(kind).parts
        letters = [part.code("X") for part in parts]
        assert len(set(letters)) == len(letters), f"{kind}: two parts have one code"
        for part in parts:
            goes = part.goes.lower()
            is_dropped = "drop box" in goes or "dropped" in goes
            # What lies in the tray under the lid goes into the box with the count made from it.
            is_told = part.box is not InBox.NO and part.name != "Next opener"
            assert is_dropped == is_told, f"{kind}: {part.name} goes {part.goes}"


def test_the_count_team_has_the_list_before_it_counts(
    cast: Cast, server_clock: ServerClock
) -> None:
    first = a_night(cast, server_clock)
    page = words(
        signed_in(cast.paul, cast, Place.OFFICE).get(new_url("drop_count", of=first.serial))
    )
    for code in codes(first):
        assert f'data-code="{code}"' in page
