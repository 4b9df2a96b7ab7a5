"""The access review of each quarter: for everyone of a department keep, change or remove."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum, unique
from typing import Final

from pitboss.rules.refusal import NOT_YOURS, Refusal
from pitboss.rules.roles import Role, may_manage

OVERDUE_DAYS: Final = 14


@unique
class AccessVerdict(StrEnum):
    """What becomes of someone's access."""

    KEEP = "keep"
    CHANGE = "change"
    REMOVE = "remove"

    @property
    def label(self) -> str:
        return self.value.capitalize()


@dataclass(frozen=True, slots=True)
class Department:
    """People who are reviewed together, and who signs for them."""

    name: str
    title: str
    roles: tuple[Role, ...]
    heads: tuple[Role, ...]


DEPARTMENTS: Final[Mapping[str, Department]] = {
    department.name: department
    for department in (
        Department(
            "pit",
            "Pit",
            (Role.DEALER, Role.SUPERVISOR, Role.PIT_MANAGER, Role.SHIFT_MANAGER),
            (Role.SHIFT_MANAGER,),
        ),
        Department("cage", "Cage", (Role.CASHIER, Role.CAGE_MANAGER), (Role.CAGE_MANAGER,)),
        Department(
            "security",
            "Security",
            (Role.SECURITY, Role.SECURITY_MANAGER),
            (Role.SECURITY_MANAGER,),
        ),
        Department(
            "surveillance",
            "Surveillance",
            (Role.SURVEILLANCE, Role.SURVEILLANCE_MANAGER),
            (Role.SURVEILLANCE_MANAGER,),
        ),
        Department("count", "Count room", (Role.COUNT_TEAM,), (Role.ACCOUNTING,)),
        Department("hosts", "Hosts", (Role.HOST, Role.HOST_MANAGER), (Role.HOST_MANAGER,)),
        Department(
            "office",
            "Accounting, compliance, audit and IT",
            (
                Role.ACCOUNTING,
                Role.CONTROLLER,
                Role.COLLECTOR,
                Role.COMPLIANCE,
                Role.AUDITOR,
                Role.ADMINISTRATOR,
            ),
            (Role.ACCOUNTING, Role.SURVEILLANCE_MANAGER),
        ),
    )
}
HEADS: Final = tuple(
    dict.fromkeys(head for department in DEPARTMENTS.values() for head in department.heads)
)


@dataclass(frozen=True, slots=True, order=True)
class Quarter:
    """Three months of a year."""

    year: int
    number: int

    def __str__(self) -> str:
        return f"{self.year}-Q{self.number}"

    @property
    def label(self) -> str:
        return f"Q{self.number} {self.year}"

    @property
    def last_day(self) -> date:
        """Return its last day, by which its review is due.

        >>> Quarter(2026, 4).last_day, Quarter(2026, 1).last_day
        (datetime.date(2026, 12, 31), datetime.date(2026, 3, 31))
        """
        if self.number == 4:
            return date(self.year, 12, 31)
        return date(self.year, 3 * self.number + 1, 1) - timedelta(days=1)

    @property
    def before(self) -> Quarter:
        return Quarter(self.year, self.number - 1) if self.number > 1 else Quarter(self.year - 1, 4)

    def is_overdue(self, today: date) -> bool:
        """Tell whether a review that no one finished is red.

        >>> Quarter(2026, 1).is_overdue(date(2026, 4, 14))
        False
        >>> Quarter(2026, 1).is_overdue(date(2026, 4, 15))
        True
        """
        return today > self.last_day + timedelta(days=OVERDUE_DAYS)


def quarter_of(day: date) -> Quarter:
    """Return the quarter of a day.

    >>> str(quarter_of(date(2026, 5, 1)))
    '2026-Q2'
    """
    return Quarter(day.year, (day.month + 2) // 3)


@dataclass(frozen=True, slots=True)
class ReviewLine:
    """Someone on a review: who they are to the house, and what was entered for them."""

    person: int
    name: str
    role: Role
    verdict: str = ""


def line_refusals(lines: Iterable[ReviewLine], entered: Iterable[str]) -> list[Refusal]:
    """Return why a review is not complete: each of its people has one of three answers."""
    lines = list(lines)
    known = {str(line.person) for line in lines}
    refusals = [
        Refusal("verdict_missing", f"{line.name}: choose keep, change or remove.")
        for line in lines
        if line.verdict not in {access_verdict.value for access_verdict in AccessVerdict}
    ]
    if set(entered) - known:
        refusals.append(
            Refusal("review_changed", "People changed while you had this open. Review them again.")
        )
    if not lines:
        refusals.append(
            Refusal("nobody_to_review", "No one works in this department. No review is needed.")
        )
    return refusals


def removal_refusals(lines: Iterable[ReviewLine], head: Role, head_id: int) -> list[Refusal]:
    """Return why a head may not remove the access of these people.

    >>> dan = ReviewLine(4, "D. Danson", Role.DEALER, "remove")
    >>> removal_refusals([dan], Role.SHIFT_MANAGER, 8)
    []
    >>> [each.code for each in removal_refusals([dan], Role.SHIFT_MANAGER, 4)]
    ['own_papers']
    """
    refusals = []
    for line in lines:
        if line.verdict != AccessVerdict.REMOVE.value:
            continue
        if line.person == head_id:
            refusals.append(
                Refusal("own_papers", "You can’t remove your own access. Ask another manager.")
            )
        elif not may_manage(head, line.role):
            refusals.append(
                Refusal(
                    "wrong_role",
                    f"As {head.label} you can’t remove {line.name}, {line.role.label}. Choose "
                    "change, and ask a manager who can.",
                    NOT_YOURS,
                )
            )
    return refusals
