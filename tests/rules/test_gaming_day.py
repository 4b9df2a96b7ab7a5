"""Gaming days and shifts, also on the nights when the clocks change."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.rules.day.gaming_day import Clock, Shift, day_start, gaming_day, period

THREE_SHIFTS = (Shift("Day", time(6)), Shift("Swing", time(14)), Shift("Grave", time(22)))
NEW_YORK = Clock(ZoneInfo("America/New_York"), THREE_SHIFTS)


def local(clock: Clock, text: str, *, fold: int = 0) -> datetime:
    naive = datetime.fromisoformat(text)
    return naive.replace(tzinfo=clock.zone, fold=fold).astimezone(UTC)


@pytest.mark.parametrize(
    ("at", "day", "shift"),
    [
        ("2026-05-02 05:59:59.999999", date(2026, 5, 1), "Grave"),
        ("2026-05-02 06:00", date(2026, 5, 2), "Day"),
        ("2026-05-02 06:01", date(2026, 5, 2), "Day"),
        ("2026-05-02 13:59:59", date(2026, 5, 2), "Day"),
        ("2026-05-02 14:00", date(2026, 5, 2), "Swing"),
        ("2026-05-02 22:00", date(2026, 5, 2), "Grave"),
        ("2026-05-03 00:00", date(2026, 5, 2), "Grave"),
        # Clocks go forward at two in the night of 8 March, back in the night of 1 November.
        ("2026-03-08 05:59", date(2026, 3, 7), "Grave"),
        ("2026-03-08 06:01", date(2026, 3, 8), "Day"),
        ("2026-11-01 05:59", date(2026, 10, 31), "Grave"),
        ("2026-11-01 06:01", date(2026, 11, 1), "Day"),
        ("2026-12-31 23:59", date(2026, 12, 31), "Grave"),
        ("2027-01-01 05:59", date(2026, 12, 31), "Grave"),
    ],
)
def test_a50_the_gaming_day_turns_at_six_by_the_wall_clock(at: str, day: date, shift: str) -> None:
    now = local(NEW_YORK, at)
    found = period(NEW_YORK, now)
    assert (found.gaming_day, found.shift) == (day, shift)
    assert found.began <= now < found.ends <= day_start(NEW_YORK, day + timedelta(days=1))
    assert gaming_day(NEW_YORK, now) == day


@pytest.mark.parametrize(
    ("day", "hours"),
    [(date(2026, 3, 7), 23), (date(2026, 10, 31), 25), (date(2026, 5, 1), 24)],
)
def test_a50_a_gaming_day_with_a_clock_change_is_an_hour_shorter_or_longer(
    day: date, hours: int
) -> None:
    length = day_start(NEW_YORK, day + timedelta(days=1)) - day_start(NEW_YORK, day)
    assert length == timedelta(hours=hours)
    assert gaming_day(NEW_YORK, day_start(NEW_YORK, day)) == day


def test_a50_a_day_that_starts_in_the_hour_that_comes_twice_starts_once() -> None:
    clock = Clock(
        ZoneInfo("America/New_York"), (Shift("Day", time(1, 30)), Shift("Late", time(13)))
    )
    first_half_past_one = local(clock, "2026-11-01 01:30")
    minutes = [first_half_past_one + timedelta(minutes=n) for n in range(-90, 150)]
    days = [gaming_day(clock, now) for now in minutes]
    assert days == [date(2026, 10, 31)] * 90 + [date(2026, 11, 1)] * 150
    # The second 01:10 is after the first 01:30, and stays in the new day.
    assert gaming_day(clock, local(clock, "2026-11-01 01:10", fold=1)) == date(2026, 11, 1)


def test_a50_a_day_that_starts_in_the_hour_left_out_starts_when_the_clock_jumps() -> None:
    clock = Clock(ZoneInfo("America/New_York"), (Shift("Day", time(2, 30)),))
    assert local(clock, "2026-03-08 03:30") == day_start(clock, date(2026, 3, 8))
    assert gaming_day(clock, local(clock, "2026-03-08 03:29")) == date(2026, 3, 7)
    assert gaming_day(clock, local(clock, "2026-03-08 03:30")) == date(2026, 3, 8)


def test_a50_clocks_that_go_back_over_midnight_do_not_bring_yesterday_back() -> None:
    """In Newfoundland clocks once went back at one minute past midnight, to the day before."""
    clock = Clock(ZoneInfo("America/St_Johns"), (Shift("Day", time(0)),))
    midnight = local(clock, "2010-11-07 00:00")
    assert (midnight + timedelta(minutes=2)).astimezone(clock.zone).date() == date(2010, 11, 6)
    assert gaming_day(clock, midnight - timedelta(seconds=1)) == date(2010, 11, 6)
    assert gaming_day(clock, midnight + timedelta(minutes=2)) == date(2010, 11, 7)


def test_a_shift_that_starts_in_the_hour_left_out_ends_when_the_next_begins() -> None:
    shifts = (Shift("Day", time(6)), Shift("Late", time(2, 30)), Shift("Last", time(3)))
    clock = Clock(ZoneInfo("America/New_York"), shifts)
    before = period(clock, local(clock, "2026-03-08 01:59"))
    assert (before.shift, before.ends) == ("Day", local(clock, "2026-03-08 03:00"))
    assert period(clock, before.ends).shift == "Last"


@given(
    start=st.times().map(lambda at: at.replace(second=0, microsecond=0)),
    zone=st.sampled_from(
        ["America/New_York", "Europe/Berlin", "Australia/Lord_Howe", "America/Havana",
         "Asia/Beirut", "America/St_Johns", "Asia/Kathmandu", "UTC"]
    ),
    now=st.datetimes(datetime(2005, 1, 1), datetime(2030, 1, 1)),  # noqa: DTZ001
    later=st.timedeltas(timedelta(0), timedelta(hours=30)),
)  # fmt: skip
def test_a50_time_never_runs_back(start: time, zone: str, now: datetime, later: timedelta) -> None:
    clock = Clock(ZoneInfo(zone), (Shift("Only", start),))
    now = now.replace(tzinfo=UTC)
    today = period(clock, now)
    assert today.began <= now < today.ends
    assert today.gaming_day <= gaming_day(clock, now + later)
    assert gaming_day(clock, today.ends) > today.gaming_day


@pytest.mark.parametrize(
    "shifts",
    [
        (),
        (Shift("Day", time(6)), Shift("Day", time(14))),
        (Shift("Day", time(6)), Shift("Swing", time(6))),
        (Shift("Day", time(6)), Shift("Grave", time(22)), Shift("Swing", time(14))),
    ],
)
def test_shifts_that_make_no_day_are_refused(shifts: tuple[Shift, ...]) -> None:
    with pytest.raises(ValueError, match="shift"):
        Clock(ZoneInfo("UTC"), shifts)


def test_a_wall_time_without_a_zone_is_no_instant() -> None:
    with pytest.raises(ValueError, match="time zone"):
        gaming_day(NEW_YORK, datetime(2026, 5, 1, 6))  # noqa: DTZ001
