"""The lock-out: five wrong on one device, ten anywhere, for fifteen minutes from the last."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from pitboss.rules.lockout import Attempt, LockoutPolicy, locked_until, tries_left

POLICY = LockoutPolicy()
NINE = datetime(2026, 5, 1, 9, tzinfo=UTC)
HERE, THERE, ELSEWHERE = 1, 2, 3


def wrong(*minutes: float, device: int | None = HERE) -> list[Attempt]:
    return [Attempt(NINE + timedelta(minutes=m), device) for m in minutes]


def at(minute: float) -> datetime:
    return NINE + timedelta(minutes=minute)


def test_nothing_wrong_leaves_five_tries() -> None:
    assert locked_until(POLICY, [], HERE, NINE) is None
    assert tries_left(POLICY, [], HERE, NINE) == 5


def test_a55_four_wrong_leave_one_and_the_fifth_locks_this_device_only() -> None:
    assert tries_left(POLICY, wrong(0, 1, 2, 3), HERE, at(3)) == 1
    five = wrong(0, 1, 2, 3, 4)
    assert locked_until(POLICY, five, HERE, at(4)) == at(19)
    assert tries_left(POLICY, five, HERE, at(4)) == 0
    assert locked_until(POLICY, five, THERE, at(4)) is None
    assert tries_left(POLICY, five, THERE, at(4)) == 5


def test_a55_a_lock_holds_its_fifteen_minutes_from_the_last_attempt() -> None:
    """The first attempts grow old sooner than the lock does, and must not open it."""
    five = wrong(0, 1, 2, 3, 4)
    assert locked_until(POLICY, five, HERE, at(15.5)) == at(19)
    assert tries_left(POLICY, five, HERE, at(18.99)) == 0
    assert locked_until(POLICY, five, HERE, at(19)) is None
    assert tries_left(POLICY, five, HERE, at(19)) == 5


def test_a55_ten_wrong_anywhere_lock_the_badge_everywhere() -> None:
    ten = [
        *wrong(0, 1, 2, 3),
        *wrong(4, 5, 6, 7, device=THERE),
        *wrong(8, 9, device=None),
    ]
    assert tries_left(POLICY, ten[:9], ELSEWHERE, at(8)) == 1
    assert locked_until(POLICY, ten, ELSEWHERE, at(9)) == at(24)
    assert locked_until(POLICY, ten, None, at(9)) == at(24)
    assert tries_left(POLICY, ten, ELSEWHERE, at(9)) == 0


def test_a_badge_locked_here_and_everywhere_is_locked_until_the_later_end() -> None:
    here, there = wrong(0, 1, 2, 3, 4), wrong(5, 6, 7, 8, 9, device=THERE)
    assert locked_until(POLICY, [*here, *there], HERE, at(9)) == at(24)


def test_attempts_too_far_apart_lock_nothing() -> None:
    assert locked_until(POLICY, wrong(0, 4, 8, 12, 15), HERE, at(15)) is None
    assert locked_until(POLICY, wrong(0, 4, 8, 12, 16), HERE, at(16)) is None
    assert tries_left(POLICY, wrong(0, 4, 8, 12, 16), HERE, at(16)) == 1


@given(
    guesses=st.lists(
        st.tuples(st.integers(0, 3_600), st.sampled_from([HERE, THERE, None])), max_size=80
    )
)
def test_a55_no_guesser_gets_more_than_five_tries_on_a_device_in_fifteen_minutes(
    guesses: list[tuple[int, int | None]],
) -> None:
    """Play guesses against the rule; each that is let through is wrong and counts."""
    through: list[Attempt] = []
    for second, device in sorted(guesses, key=lambda guess: guess[0]):
        now = NINE + timedelta(seconds=second)
        if locked_until(POLICY, through, device, now) is None:
            through.append(Attempt(now, device))
    for last in through:
        window = [a for a in through if timedelta(0) <= last.at - a.at < POLICY.locked_for]
        assert len(window) <= POLICY.wrong_anywhere
        for device in (HERE, THERE, None):
            assert sum(a.device_id == device for a in window) <= POLICY.wrong_on_device
