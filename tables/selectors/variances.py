"""Openers against closers: what each tray should have held, what was found, and who was told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from django.db.models import Prefetch, Q

from pitboss.models import FloorException, Slip
from pitboss.rules.cheques.cheques import difference, total_cents
from pitboss.rules.cheques.tray_counts import COMPARED_COUNTS, VARIANCE_STEPS
from pitboss.rules.flows.flows import SlipStatus
from pitboss.rules.roles import Role
from pitboss.services.exceptions import (
    REGULATOR_NOTICE,
    REPORTS_OF,
    TRAY_VARIANCE,
    VARIANCE_TROUBLES,
)

Cheques = Mapping[int, int]


@dataclass(frozen=True, slots=True)
class ComparedLine:
    """One color that differs: what the book says, and what was counted."""

    cents: int
    expected: int
    counted: int

    @property
    def change(self) -> int:
        return self.counted - self.expected

    @property
    def change_cents(self) -> int:
        return self.change * self.cents


def compared_lines(expected: Cheques, counted: Cheques) -> list[ComparedLine]:
    """Return the colors that differ, highest first.

    >>> compared_lines({500: 100, 100: 20}, {500: 94, 100: 20})
    [ComparedLine(cents=500, expected=100, counted=94)]
    """
    return [
        ComparedLine(cents, expected.get(cents, 0), counted.get(cents, 0))
        for cents in difference(expected, counted)
    ]


@dataclass(frozen=True, slots=True)
class Called:
    """Someone who was told of a variance, and what they signed to it."""

    role: str
    told_at: datetime
    signed_as: str
    signed_at: datetime | None
    words: str


@dataclass(frozen=True, slots=True)
class Pair:
    """A count of a locked tray, beside the last count before it."""

    slip: Slip
    expected: Cheques
    lines: Sequence[ComparedLine]
    called: Sequence[Called]
    variance: FloorException | None
    notice: FloorException | None
    # What security and surveillance owe to a table that opened with it.
    reports: Sequence[FloorException] = ()

    @property
    def closer_cents(self) -> int | None:
        return self.slip.refers_to.total_cents if self.slip.refers_to else None

    @property
    def moved_cents(self) -> int:
        """Return what fills and late papers brought or took since the closer."""
        return total_cents(self.expected) - (self.closer_cents or 0)

    @property
    def variance_cents(self) -> int:
        return self.slip.total_cents - total_cents(self.expected)

    @property
    def notice_due_at(self) -> datetime | None:
        return datetime.fromisoformat(self.notice.details["due_at"]) if self.notice else None

    @property
    def _troubles(self) -> tuple[FloorException | None, ...]:
        return (self.variance, self.notice, *self.reports)

    @property
    def is_open(self) -> bool:
        return any(trouble.resolved_at is None for trouble in self._troubles if trouble)

    @property
    def state(self) -> str:
        if self.slip.status == SlipStatus.VOIDED.value:
            return "void"
        if self.variance is None:
            return "equal"
        return "open" if self.is_open else "signed off"


def pairs_between(first: date, last: date) -> list[Pair]:
    """Return every opener and recount of some gaming days that two have signed, newest first.

    What one person counted and no one verified is left out: a count is blind until then. A void
    count is listed when it had found a variance. A fixed number of queries, however many days.
    """
    troubles = FloorException.objects.filter(code__in=VARIANCE_TROUBLES)
    slips = (
        Slip.objects.filter(
            Q(status=SlipStatus.DONE) | Q(floorexception__code=TRAY_VARIANCE),
            kind__in=COMPARED_COUNTS,
            gaming_day__range=(first, last),
        )
        .distinct()
        .select_related("table__pit", "refers_to")
        .prefetch_related(
            "signatures",
            "waits",
            Prefetch("floorexception_set", troubles.select_related("resolved_by")),
        )
        .order_by("-id")
    )
    return [_pair(slip) for slip in slips]


def _pair(slip: Slip) -> Pair:
    troubles = {
        floor_exception.code: floor_exception for floor_exception in slip.floorexception_set.all()
    }
    variance = troubles.get(TRAY_VARIANCE)
    counted = slip.cheques_by_cents
    expected = counted
    if variance is not None:
        expected = {int(cents): n for cents, n in variance.details["expected"].items()}
    return Pair(
        slip=slip,
        expected=expected,
        lines=compared_lines(expected, counted),
        called=[*_called(slip), *_asked_afterward(slip)],
        variance=variance,
        notice=troubles.get(REGULATOR_NOTICE),
        reports=[troubles[code] for code in REPORTS_OF.values() if code in troubles],
    )


def _called(slip: Slip) -> list[Called]:
    """Return who was told and when: a step is on their list from the moment it waits for them."""
    signed = {item.step: item for item in slip.signatures.all()}
    called = []
    for wait in sorted(slip.waits.all(), key=lambda wait: (wait.since, wait.pk)):
        if wait.step in VARIANCE_STEPS:
            signature = signed.get(wait.step)
            called.append(
                Called(
                    role=Role(wait.by[0]).label,
                    told_at=wait.since,
                    signed_as=signature.signed_as if signature else "",
                    signed_at=signature.signed_at if signature else None,
                    words=signature.reason if signature else "",
                )
            )
    return called


def _asked_afterward(slip: Slip) -> list[Called]:
    """Return who was told of a table that had opened, and what they answered."""
    roles = {code: role.label for role, code in REPORTS_OF.items()}
    if not any(step["name"] == "accepted" for step in slip.plan):
        roles[TRAY_VARIANCE] = Role.SHIFT_MANAGER.label
    return [
        Called(
            role=roles[floor_exception.code],
            told_at=floor_exception.opened_at,
            signed_as=floor_exception.resolved_by.signs_as if floor_exception.resolved_by else "",
            signed_at=floor_exception.resolved_at,
            words=floor_exception.resolution,
        )
        for floor_exception in slip.floorexception_set.all()
        if floor_exception.code in roles
    ]
