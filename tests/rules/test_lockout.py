"""The lock-out: five wrong on one device, ten anywhere, twelve at one door with any badges."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from pitboss.rules.people.lockout import (
    Door,
    LockoutPolicy,
    WrongTry,
    badge_locked_until,
    door_locked_until,
    tries_left,
)

POLICY = LockoutPolicy()
NINE = datetime(2026, 5, 1, 9, tzinfo=UTC)
HERE, THERE, ELSEWHERE = Door(1, "10.0.0.1"), Door(2, "10.0.0.2"), Door(3)
OUTSIDE, FURTHER_OUT = Door(None, "203.0.113.9"), Door(None, "203.0.113.10")
DAN = "104"


def wrong(*minutes: float, door: Door = HERE, badge: str = DAN) -> list[WrongTry]:
    return [WrongTry(NINE + timedelta(minutes=m), badge, door) for m in minutes]


def at(minute: float) -> datetime:
    return NINE + timedelta(minutes=minute)


def locked(attempts: list[WrongTry], door: Door, now: datetime) -> datetime | None:
    return badge_locked_until(POLICY, attempts, DAN, door, now)


def left(attempts: list[WrongTry], door: Door, now: datetime) -> int:
    return tries_left(POLICY, attempts, DAN, door, now)


def test_nothing_wrong_leaves_five_tries() -> None:
    assert locked([], HERE, NINE) is None
    assert left([], HERE, NINE) == 5


def test_a55_four_wrong_leave_one_and_the_fifth_locks_this_device_only() -> None:
    assert left(wrong(0, 1, 2, 3), HERE, at(3)) == 1
    five = wrong(0, 1, 2, 3, 4)
    assert locked(five, HERE, at(4)) == at(19)
    assert left(five, HERE, at(4)) == 0
    assert locked(five, THERE, at(4)) is None
    assert left(five, THERE, at(4)) == 5


def test_a_device_is_one_door_wherever_its_requests_come_from() -> None:
    five = [*wrong(0, 1, 2), *wrong(3, 4, door=Door(1, "198.51.100.1"))]
    assert locked(five, HERE, at(4)) == at(19)


def test_a55_a_lock_holds_its_fifteen_minutes_from_the_last_attempt() -> None:
    """The first attempts grow old sooner than the lock does, and must not open it."""
    five = wrong(0, 1, 2, 3, 4)
    assert locked(five, HERE, at(15.5)) == at(19)
    assert left(five, HERE, at(18.99)) == 0
    assert locked(five, HERE, at(19)) is None
    assert left(five, HERE, at(19)) == 5


def test_a55_ten_wrong_anywhere_lock_the_badge_everywhere() -> None:
    ten = [*wrong(0, 1, 2, 3), *wrong(4, 5, 6, 7, door=THERE), *wrong(8, 9, door=ELSEWHERE)]
    nowhere_yet = Door(4)
    assert left(ten[:9], nowhere_yet, at(8)) == 1
    assert locked(ten, nowhere_yet, at(9)) == at(24)
    assert left(ten, nowhere_yet, at(9)) == 0


def test_what_is_tried_outside_locks_nothing_on_a_device() -> None:
    many = [*wrong(*range(5), door=OUTSIDE), *wrong(*range(5, 10), door=FURTHER_OUT)]
    assert locked(many, OUTSIDE, at(10)) == at(24)
    assert locked(many, Door(None, "203.0.113.11"), at(10)) == at(24)
    assert locked(many, HERE, at(10)) is None
    assert left(many, HERE, at(10)) == 5


def test_what_is_tried_on_devices_counts_on_devices() -> None:
    ten = [*wrong(*range(5)), *wrong(*range(5, 10), door=THERE)]
    assert locked(ten, ELSEWHERE, at(10)) == at(24)
    assert locked(ten, OUTSIDE, at(10)) is None


def test_one_pin_tried_with_many_badges_locks_the_door() -> None:
    for door, other in ((HERE, THERE), (OUTSIDE, FURTHER_OUT)):
        sprayed = [
            wrong_try
            for number in range(12)
            for wrong_try in wrong(number, door=door, badge=str(number))
        ]
        assert door_locked_until(POLICY, sprayed[:11], door, at(11)) is None
        assert left(sprayed[:11], door, at(11)) == 1
        assert door_locked_until(POLICY, sprayed, door, at(11)) == at(26)
        assert left(sprayed, door, at(11)) == 0
        assert door_locked_until(POLICY, sprayed, other, at(11)) is None
        assert left(sprayed, other, at(11)) == 5


def test_a_badge_locked_here_and_everywhere_is_locked_until_the_later_end() -> None:
    here, there = wrong(0, 1, 2, 3, 4), wrong(5, 6, 7, 8, 9, door=THERE)
    assert locked([*here, *there], HERE, at(9)) == at(24)


def test_attempts_too_far_apart_lock_nothing() -> None:
    assert locked(wrong(0, 4, 8, 12, 15), HERE, at(15)) is None
    assert locked(wrong(0, 4, 8, 12, 16), HERE, at(16)) is None
    assert left(wrong(0, 4, 8, 12, 16), HERE, at(16)) == 1


@given(
    guesses=st.lists(
        st.tuples(
            st.integers(0, 3_600),
            st.sampled_from([HERE, THERE, OUTSIDE, FURTHER_OUT]),
            st.sampled_from(["1", "2", "3", "4"]),
        ),
        max_size=120,
    )
)
def test_a55_no_guesser_gets_more_tries_in_fifteen_minutes_than_the_house_allows(
    guesses: list[tuple[int, Door, str]],
) -> None:
    """Play guesses against the rule; each that is let through is wrong and counts."""
    through: list[WrongTry] = []
    for second, door, badge in sorted(guesses, key=lambda guess: guess[0]):
        now = NINE + timedelta(seconds=second)
        if (
            badge_locked_until(POLICY, through, badge, door, now) is None
            and door_locked_until(POLICY, through, door, now) is None
        ):
            through.append(WrongTry(now, badge, door))
    for last in through:
        window = [a for a in through if timedelta(0) <= last.at - a.at < POLICY.locked_for]
        for door in (HERE, THERE, OUTSIDE, FURTHER_OUT):
            here = [a for a in window if a.door == door]
            assert len(here) <= POLICY.wrong_across_badges
            for badge in ("1", "2", "3", "4"):
                assert sum(a.badge == badge for a in here) <= POLICY.wrong_on_device
                anywhere = [a for a in window if a.badge == badge]
                for inside in (True, False):
                    same = sum(a.door.is_enrolled == inside for a in anywhere)
                    assert same <= POLICY.wrong_anywhere
