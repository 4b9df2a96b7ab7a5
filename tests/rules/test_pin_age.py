"""How old a PIN may be that signs."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from pitboss.rules.people.pin_age import REMIND_DAYS, PinAge
from pitboss.rules.settings.in_force import in_force

SET = datetime(2026, 5, 1, 9, tzinfo=UTC)
AGE = PinAge(90)


def test_a_pin_signs_for_its_days_and_not_a_second_longer() -> None:
    ends = SET + timedelta(days=90)
    assert not AGE.is_over(SET, ends - timedelta(seconds=1))
    assert AGE.is_over(SET, ends)
    assert AGE.refusals("A. Ruiz", SET, ends - timedelta(seconds=1)) == []
    assert [refusal.code for refusal in AGE.refusals("A. Ruiz", SET, ends)] == ["pin_expired"]


def test_what_was_begun_before_is_finished_and_what_was_begun_after_is_not() -> None:
    late = SET + timedelta(days=91)
    assert AGE.refusals("A. Ruiz", SET, late, begun_at=SET) == []
    assert AGE.refusals("A. Ruiz", SET, late, begun_at=late)


def test_a_house_without_an_age_and_a_pin_of_unknown_age_never_end() -> None:
    late = SET + timedelta(days=999)
    assert not PinAge(0).is_over(SET, late)
    assert not AGE.is_over(None, late)
    assert AGE.days_left(None, late) is None


def test_the_end_is_announced_in_its_last_week_alone() -> None:
    ends = SET + timedelta(days=90)
    assert AGE.days_left(SET, ends - timedelta(days=REMIND_DAYS, seconds=1)) is None
    assert AGE.days_left(SET, ends - timedelta(days=REMIND_DAYS)) == REMIND_DAYS
    assert AGE.days_left(SET, ends) is None


def test_the_house_sets_the_age_of_a_pin() -> None:
    assert in_force([], SET).pin_age == AGE
