"""The minute that a replay shows is one of its day, and none to come."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from pitboss.rules.day.replay import STEPS_MINUTES, moment_of

SIX = datetime(2026, 5, 1, 10, tzinfo=UTC)
ENDS = SIX + timedelta(days=1)


@given(st.none() | st.integers(), st.integers(-3_000, 3_000))
def test_no_replay_shows_what_has_not_happened(minute: int | None, now: int) -> None:
    at = SIX + timedelta(minutes=now)
    moment = moment_of(minute, SIX, ENDS, at)
    if now < 1:
        assert moment is None
        return
    assert moment is not None
    assert SIX < moment.at <= min(at, ENDS)
    for step, to in moment.steps():
        assert step in STEPS_MINUTES
        assert to == moment.minute + step
        assert 0 <= to <= moment.last


def test_the_first_and_the_last_minute_of_a_day() -> None:
    first = moment_of(0, SIX, ENDS, ENDS)
    assert first is not None
    assert first.at == SIX + timedelta(minutes=1)
    assert [step for step, _ in first.steps()] == [1, 5, 15, 60]
    last = moment_of(None, SIX, ENDS, ENDS + timedelta(days=2))
    assert last is not None
    assert last.at == ENDS
    assert [step for step, _ in last.steps()] == [-60, -15, -5, -1]
