"""The pure rules of outages: numbers of forms, ranges, the frame, and what is missing."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from pitboss.rules.day.outages import (
    NUMBER_MAX,
    PACK_MAX,
    THE_CAGE,
    Frame,
    check_digit,
    close_refusals,
    due_refusals,
    form_number,
    frame_of,
    is_money_overdue,
    pack_refusals,
    read_form_number,
    read_range,
    start_refusals,
)
from pitboss.rules.refusal import Refused

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
FRAME = Frame("OU-2026-000001", ("Pit 1",), NOON, NOON + HOUR)


def test_every_digit_misread_and_every_two_swapped_is_found_but_nine_and_nought() -> None:
    number = "000319"
    digit = check_digit(int(number))
    for place in range(6):
        for other in "0123456789":
            wrong = number[:place] + other + number[place + 1 :]
            assert (check_digit(int(wrong)) == digit) == (wrong == number)
    for place in range(5):
        swapped = number[:place] + number[place + 1] + number[place] + number[place + 2 :]
        assert (check_digit(int(swapped)) == digit) == (swapped == number)


@pytest.mark.parametrize("keyed", ["", "P-MK-31-5", "MK-000031-5", "P-mk-000031", "P-MKX-000031-5"])
def test_what_is_no_number_of_a_form_is_refused(keyed: str) -> None:
    with pytest.raises(Refused) as caught:
        read_form_number(keyed)
    assert caught.value.codes == ("form_number_malformed",)


def test_a127_a_wrong_digit_is_refused() -> None:
    assert str(read_form_number("P-MK-000031-5")) == "P-MK-000031-5"
    with pytest.raises(Refused) as caught:
        read_form_number("P-MK-000031-7")
    assert caught.value.codes == ("form_digit_wrong",)


@pytest.mark.parametrize(
    ("keyed", "codes"),
    [
        ("5-3", ("form_not_of_pack",)),
        ("9-11", ("form_not_of_pack",)),
        ("0", ("form_not_of_pack",)),
        ("1-999999", ("form_not_of_pack",)),
        ("1 2 1", ("form_twice",)),
        ("1-3 2", ("form_twice",)),
        ("one", ("form_number_malformed",)),
        ("x 11", ("form_number_malformed", "form_not_of_pack")),
    ],
)
def test_a_range_that_cannot_be_is_refused_with_every_reason(
    keyed: str, codes: tuple[str, ...]
) -> None:
    with pytest.raises(Refused) as caught:
        read_range(keyed, range(1, 11))
    assert caught.value.codes == codes


def test_a_pack_has_the_next_numbers_and_no_more_than_there_are() -> None:
    assert pack_refusals(50, 51, 51) == []
    assert [r.code for r in pack_refusals(0, 1, 1)] == ["pack_size"]
    assert [r.code for r in pack_refusals(PACK_MAX + 1, 1, 1)] == ["pack_size"]
    assert [r.code for r in pack_refusals(1, 1, 2)] == ["numbers_taken"]
    assert [r.code for r in pack_refusals(2, NUMBER_MAX, NUMBER_MAX)] == ["numbers_used_up"]


def test_an_outage_has_a_scope_a_start_of_today_and_nothing_that_is_down_already() -> None:
    down = [("Pit 2", "OU-2026-000001")]
    assert start_refusals(["Pit 1"], NOON, NOON, down, 7) == []
    assert [r.code for r in start_refusals([], NOON, NOON, down, 7)] == ["scope_missing"]
    ahead = start_refusals(["Pit 1"], NOON + HOUR, NOON, down, 7)
    assert [r.code for r in ahead] == ["starts_ahead"]
    old = start_refusals(["Pit 1"], NOON - 169 * HOUR, NOON, down, 7)
    assert [r.code for r in old] == ["started_long_ago"]
    twice = start_refusals(["Pit 1", "Pit 2"], NOON, NOON, down, 7)
    assert [r.code for r in twice] == ["already_down"]


def test_paper_is_used_inside_an_outage_only() -> None:
    assert frame_of([FRAME], "Pit 1", NOON) is FRAME
    assert frame_of([FRAME], "Pit 1", NOON + HOUR) is FRAME
    running = Frame("OU-2026-000002", (THE_CAGE,), NOON, None)
    assert frame_of([FRAME, running], THE_CAGE, NOON + 9 * HOUR) is running
    for holder, at in (
        ("Pit 1", NOON - timedelta(seconds=1)),
        ("Pit 1", NOON + HOUR + timedelta(seconds=1)),
        ("Pit 2", NOON),
        (THE_CAGE, NOON - HOUR),
    ):
        with pytest.raises(Refused) as caught:
            frame_of([FRAME, running], holder, at)
        assert caught.value.codes == ("outside_outage",)
    closed = Frame("OU-2026-000003", ("Pit 1",), NOON, NOON + HOUR, is_closed=True)
    with pytest.raises(Refused) as caught:
        frame_of([closed], "Pit 1", NOON)
    assert caught.value.codes == ("outage_closed",)


def test_a_form_is_entered_within_the_days_of_the_house() -> None:
    last = NOON + HOUR + timedelta(days=7)
    assert due_refusals(FRAME, last, 7) == []
    assert [r.code for r in due_refusals(FRAME, last + timedelta(seconds=1), 7)] == [
        "true_time_too_old"
    ]
    running = Frame("OU-2026-000002", ("Pit 1",), NOON, None)
    assert due_refusals(running, last + timedelta(days=9), 7) == []
    assert not is_money_overdue(running, last, 24)


def test_a129_the_missing_are_named_and_of_many_how_many_more() -> None:
    few = [form_number("MK", number) for number in (1, 2, 3)]
    assert all(number in close_refusals(few)[0].message for number in few)
    many = [form_number("MK", number) for number in range(1, 31)]
    assert "and 10 more" in close_refusals(many)[0].message
