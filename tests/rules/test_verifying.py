"""The record is verified by itself: all of it each night, what is new each hour."""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from pitboss.rules.day.verifying import Begun, Reach, due_reach, last_night
from pitboss.rules.settings.in_force import in_force

PIT = ZoneInfo("America/New_York")
FIVE = datetime(2026, 5, 1, 5, tzinfo=PIT)


@pytest.mark.parametrize(
    ("now", "whole", "either", "due"),
    [
        (FIVE, None, None, Reach.WHOLE),
        (FIVE, None, FIVE, Reach.WHOLE),
        (FIVE, FIVE, FIVE, None),
        (FIVE, FIVE - timedelta(seconds=1), FIVE, Reach.WHOLE),
        (FIVE - timedelta(seconds=1), FIVE - timedelta(hours=23), FIVE, None),
        (FIVE + timedelta(hours=1), FIVE, FIVE, Reach.NEW),
        (FIVE + timedelta(minutes=59), FIVE, FIVE, None),
        (FIVE + timedelta(hours=2), FIVE, None, Reach.NEW),
        (FIVE + timedelta(hours=2), FIVE, FIVE + timedelta(hours=1, minutes=30), None),
    ],
)
def test_what_is_due(
    now: datetime, whole: datetime | None, either: datetime | None, due: Reach | None
) -> None:
    assert due_reach(now, PIT, 5, Begun(whole, either)) is due


def test_a_night_is_the_houses_own_also_when_its_clocks_change() -> None:
    before = datetime(2026, 3, 8, 4, 59, tzinfo=PIT)
    assert last_night(before, PIT, 5) == datetime(2026, 3, 7, 5, tzinfo=PIT)
    assert last_night(before + timedelta(minutes=2), PIT, 5) == datetime(2026, 3, 8, 5, tzinfo=PIT)


def test_the_hour_of_the_night_is_the_houses() -> None:
    assert in_force([], FIVE).nightly_verification_hour == 5
