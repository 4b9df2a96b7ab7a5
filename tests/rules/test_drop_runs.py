"""Drop runs: every reason why a box stays on its table, by a single change; the schedule."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, time
from typing import Any

import pytest

from pitboss.rules.drop.runs import (
    TAGS_MAX,
    BoxPlace,
    ScanFacts,
    ScannedBox,
    end_refusals,
    read_tags,
    scan_refusals,
    start_refusals,
)
from pitboss.rules.drop.schedule import (
    LINES_MAX,
    DropTime,
    DropTimes,
    is_on_schedule,
    overdue_since,
    schedule_refusals,
    times_of,
)
from pitboss.rules.refusal import Refused

RIGHT = ScanFacts(
    table="BJ-11",
    tables=("BJ-11", "BJ-12"),
    settled=(),
    is_open=True,
    is_watched=True,
    is_joined=True,
    pit="Pit 1",
    by_officer=True,
    old_tag="4011",
    new_tag="4471",
    old=ScannedBox("4011", BoxPlace.TABLE, "BJ-11"),
    new=ScannedBox("4471", BoxPlace.TROLLEY),
    on_table="4011",
)


def test_two_right_scans_pull_a_box() -> None:
    assert scan_refusals(RIGHT) == []
    # A table whose box no one has scanned yet takes any that is on file and not elsewhere.
    first = replace(RIGHT, old=ScannedBox("4011", BoxPlace.STORE), on_table="")
    assert scan_refusals(first) == []


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"is_open": False}, "run_ended"),
        ({"is_watched": False}, "not_watched"),
        ({"is_joined": False}, "pit_not_joined"),
        ({"by_officer": False}, "not_the_officer"),
        ({"tables": ("BJ-12",)}, "not_on_the_run"),
        ({"settled": ("BJ-11",)}, "already_scanned"),
        ({"old": None}, "unknown_box"),
        ({"old": None, "old_tag": ""}, "box_missing"),
        ({"old": ScannedBox("4012", BoxPlace.TABLE, "BJ-12")}, "other_table"),
        ({"old": ScannedBox("4099", BoxPlace.STORE)}, "other_box"),
        ({"old": ScannedBox("4011", BoxPlace.COUNT_ROOM), "on_table": ""}, "box_not_counted"),
        ({"new": None}, "unknown_box"),
        ({"new": None, "new_tag": ""}, "box_missing"),
        ({"new": ScannedBox("4011", BoxPlace.STORE)}, "same_box"),
        ({"new": ScannedBox("4471", BoxPlace.TABLE, "BJ-12")}, "box_on_a_table"),
        ({"new": ScannedBox("4471", BoxPlace.COUNT_ROOM)}, "box_not_counted"),
    ],
)
def test_each_reason_why_a_box_is_not_pulled(change: dict[str, Any], code: str) -> None:
    assert [refusal.code for refusal in scan_refusals(replace(RIGHT, **change))] == [code]


def test_a_run_starts_with_pits_tables_and_free_boxes() -> None:
    free = ScannedBox("4471", BoxPlace.STORE)
    assert start_refusals(["Pit 1"], ["BJ-11"], {}, [], [free]) == []
    assert [refusal.code for refusal in start_refusals([], [], {}, [], [])] == ["pits_missing"]
    assert [refusal.code for refusal in start_refusals(["Pit 1"], [], {}, [], [])] == [
        "nothing_to_pull"
    ]
    wrong = start_refusals(
        ["Pit 1"],
        ["BJ-11"],
        {"Pit 1": "DR-1"},
        ["4499"],
        [ScannedBox("4012", BoxPlace.TABLE, "BJ-12")],
    )
    assert [refusal.code for refusal in wrong] == ["pit_on_a_run", "unknown_box", "box_on_a_table"]


def test_a_run_ends_when_every_table_is_explained() -> None:
    assert end_refusals([], []) == []
    found = end_refusals(["BJ-11", "BJ-12"], ["BJ-12"])
    assert [refusal.code for refusal in found] == ["tables_left", "dealer_waits"]


def test_tags_are_read_one_by_one_or_by_their_ends() -> None:
    assert read_tags("0099-0101 b.7") == (["0099", "0100", "0101", "B.7"], [])
    tags, refusals = read_tags("4001-3999 b_7 -x")
    assert tags == ["4001-3999"]
    assert [refusal.code for refusal in refusals] == ["bad_tag", "bad_tag"]
    many = read_tags(f"1-{TAGS_MAX} 9001")
    assert [refusal.code for refusal in many[1]] == ["too_many_tags"]


def test_the_label_of_a_place_is_words() -> None:
    assert BoxPlace.COUNT_ROOM.label == "count room"


FIVE = [DropTime(time(5))]


def at(day: int, hour: int, minute: int = 0) -> datetime:
    return datetime(2026, 5, day, hour, minute, tzinfo=UTC)


def test_a_pit_has_its_own_times_or_those_of_the_house() -> None:
    schedule = DropTimes().read("05:00\n06:00 Pit 2")
    assert times_of(schedule, "Pit 1") == FIVE
    assert times_of(schedule, "pit 2") == [DropTime(time(6), "Pit 2")]
    assert DropTimes().text(schedule) == "05:00\n06:00 Pit 2"
    assert DropTimes().words([]) == "none"
    assert is_on_schedule([], UTC, at(1, 19))


@pytest.mark.parametrize("keyed", ["25:00", "05:61 Pit 1", "five", "\n".join(["05:00"] * 41)])
def test_a_time_that_is_none_is_refused(keyed: str) -> None:
    assert len(keyed.splitlines()) <= LINES_MAX + 1
    with pytest.raises(Refused) as refused:
        DropTimes().read(keyed)
    assert set(refused.value.codes) == {"times_malformed"}


@pytest.mark.parametrize(
    ("now", "since", "days", "missed"),
    [
        (at(2, 5, 30), at(1, 12), 1, None),
        (at(2, 5, 31), at(1, 12), 1, at(2, 5)),
        (at(2, 5, 31), at(2, 4, 30), 1, None),
        (at(2, 4, 59), at(1, 4, 30), 1, None),
        (at(2, 5, 31), at(1, 12), 2, None),
        (at(3, 5, 31), at(1, 12), 2, at(3, 5)),
    ],
)
def test_a_drop_is_overdue_half_an_hour_after_its_time(
    now: datetime, since: datetime, days: int, missed: datetime | None
) -> None:
    assert overdue_since(FIVE, UTC, now, since, days) == missed


def test_no_drop_is_overdue_without_a_schedule() -> None:
    assert overdue_since([], UTC, at(2, 5, 31), at(1, 12), 1) is None


def test_a_pull_at_another_time_needs_a_reason() -> None:
    assert schedule_refusals(FIVE, UTC, at(1, 5, 10), "") == []
    assert schedule_refusals(FIVE, UTC, at(1, 19), "full") == []
    assert [refusal.code for refusal in schedule_refusals(FIVE, UTC, at(1, 19), "")] == [
        "off_schedule"
    ]
