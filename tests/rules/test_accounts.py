"""Dormant accounts and access reviews, by the rules alone."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

from pitboss.rules.people.access_review import (
    DEPARTMENTS,
    AccessVerdict,
    Quarter,
    ReviewLine,
    line_refusals,
    quarter_of,
    removal_refusals,
)
from pitboss.rules.people.dormant import Dormancy, Why, leave_refusals
from pitboss.rules.roles import Role, may_manage

MAY = datetime(2026, 5, 1, tzinfo=UTC)
DAN = ReviewLine(4, "D. Danson", Role.DEALER, "keep")


@pytest.mark.parametrize(
    ("known", "used", "back", "days", "why"),
    [
        (0, None, None, 13, None),
        (0, None, None, 14, Why.NEVER_USED),
        (0, 0, None, 44, None),
        (0, 0, None, 45, Why.UNUSED),
        (0, 0, 30, 74, None),
        (0, 0, 30, 75, Why.UNUSED),
    ],
)
def test_a149_days_count_from_the_last_use(
    known: int, used: int | None, back: int | None, days: int, why: Why | None
) -> None:
    def at(day: int | None) -> datetime | None:
        return None if day is None else MAY + timedelta(days=day)

    found = Dormancy(45, 14).why(MAY, at(used), at(back), MAY + timedelta(days=days))
    assert found is why
    assert Dormancy(0, 0).why(MAY, at(used), at(back), MAY + timedelta(days=days)) is None


def test_every_reason_is_said() -> None:
    assert all(why.label for why in Why)


@pytest.mark.parametrize(
    ("first", "last", "codes"),
    [
        ((2026, 5, 2), (2026, 5, 20), []),
        ((2026, 5, 2), (2026, 5, 1), ["leave_ends_first"]),
        ((2026, 4, 2), (2026, 4, 20), ["leave_is_over"]),
        ((2026, 5, 2), (2027, 5, 3), ["leave_too_long"]),
    ],
)
def test_days_of_a_leave(
    first: tuple[int, int, int], last: tuple[int, int, int], codes: list[str]
) -> None:
    found = leave_refusals(date(*first), date(*last), MAY.date())
    assert [refusal.code for refusal in found] == codes


def test_quarters_follow_each_other() -> None:
    assert [quarter_of(date(2026, month, 1)).number for month in range(1, 13)] == [
        number for number in (1, 2, 3, 4) for _ in range(3)
    ]
    assert Quarter(2026, 1).before == Quarter(2025, 4)
    assert Quarter(2026, 3).before.label == "Q2 2026"
    assert Quarter(2025, 4) < Quarter(2026, 1)


def test_every_role_is_reviewed_once_and_each_head_may_remove_somebody_of_theirs() -> None:
    reviewed = [role for department in DEPARTMENTS.values() for role in department.roles]
    assert sorted(reviewed) == sorted(Role)
    for department in DEPARTMENTS.values():
        for head in department.heads:
            assert head is not Role.COMPLIANCE
            assert any(may_manage(head, role) for role in department.roles), department.name


def test_a_review_answers_for_everyone() -> None:
    assert line_refusals([DAN], ["4"]) == []
    codes = [refusal.code for refusal in line_refusals([ReviewLine(4, "D.", Role.DEALER)], ["9"])]
    assert codes == ["verdict_missing", "review_changed"]
    assert [refusal.code for refusal in line_refusals([], [])] == ["nobody_to_review"]


def test_a_head_removes_nobody_out_of_reach() -> None:
    heidi = ReviewLine(8, "H. Heidison", Role.SHIFT_MANAGER, AccessVerdict.REMOVE.value)
    assert removal_refusals([DAN, heidi], Role.SHIFT_MANAGER, 9) == []
    assert [refusal.code for refusal in removal_refusals([heidi], Role.SHIFT_MANAGER, 8)] == [
        "own_papers"
    ]
    trent = ReviewLine(3, "T.", Role.CAGE_MANAGER, AccessVerdict.REMOVE.value)
    found = removal_refusals([trent], Role.CAGE_MANAGER, 9)
    assert [(refusal.code, refusal.status) for refusal in found] == [("wrong_role", 403)]
    assert AccessVerdict.KEEP.label == "Keep"
