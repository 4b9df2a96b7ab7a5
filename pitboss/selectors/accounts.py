"""How accounts stand: when each was used last, and whether it is suspended or on leave."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime

from django.db import models
from django.db.models import OuterRef, Subquery

from pitboss.models import AccountEvent, Attempt, Person, Visit
from pitboss.rules.people.dormant import AccountStep, Why


@dataclass(frozen=True, slots=True)
class AccountStanding:
    """What the events of someone's account come to."""

    known_since: datetime | None = None
    last: AccountEvent | None = None
    back_since: datetime | None = None
    leave: AccountEvent | None = None

    @property
    def is_stopped(self) -> bool:
        """Tell whether the account was suspended or removed, and not restored since."""
        return self.last is not None and self.last.step in _STOPS

    @property
    def words(self) -> str:
        """Say how the account stands, or nothing.

        >>> AccountStanding().words
        ''
        """
        if self.last is None or self.last.step not in _STOPS:
            return ""
        if self.last.why == Why.ON_LEAVE.value and self.leave is not None:
            return f"on leave to {self.leave.last:%b %-d}"
        return f"suspended, {Why(self.last.why).label}"

    def leave_on(self, day: date) -> AccountEvent | None:
        """Return the leave of absence that a day belongs to."""
        leave = self.leave
        if leave is None or leave.first is None or leave.last is None:
            return None
        return leave if leave.first <= day <= leave.last else None


_STOPS = frozenset({AccountStep.SUSPENDED.value, AccountStep.REMOVED.value})


def standings(people: Iterable[int] | None = None) -> Mapping[int, AccountStanding]:
    """Return how accounts stand, by person; of those that have events. One query."""
    events = AccountEvent.objects.order_by("id")
    if people is not None:
        events = events.filter(person__in=list(people))
    found: dict[int, dict[str, object]] = {}
    for event in events:
        parts = found.setdefault(event.person_id, {})
        if event.step == AccountStep.KNOWN.value:
            parts["known_since"] = event.at
        elif event.step == AccountStep.LEAVE.value:
            parts["leave"] = event
        else:
            parts["last"] = event
            if event.step == AccountStep.RESTORED.value:
                parts["back_since"] = event.at
    return {person: AccountStanding(**parts) for person, parts in found.items()}  # type: ignore[arg-type]


def standing_of(person_id: int) -> AccountStanding:
    """Return how one account stands."""
    return standings([person_id]).get(person_id, AccountStanding())


def with_last_use(people: models.QuerySet[Person]) -> models.QuerySet[Person]:
    """Return people, each with `last_right` and `last_visit`: how they proved themselves last."""
    right = Attempt.objects.filter(badge=OuterRef("badge"), outcome=Attempt.Outcome.RIGHT)
    visits = Visit.objects.filter(person=OuterRef("pk")).order_by("-began_at")
    return people.annotate(
        last_right=Subquery(right.order_by("-at").values("at")[:1]),
        last_visit=Subquery(visits.values("began_at")[:1]),
    )


def last_use(person: Person) -> datetime | None:
    """Return when a person of `with_last_use` was last seen."""
    seen = (getattr(person, "last_right", None), getattr(person, "last_visit", None))
    return max((item for item in seen if item is not None), default=None)


def begun_at() -> datetime | None:
    """Return since when accounts are watched here."""
    events = AccountEvent.objects.filter(step=AccountStep.KNOWN.value)
    return events.order_by("at").values_list("at", flat=True).first()
