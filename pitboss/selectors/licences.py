"""Whose license ends soon, for themselves and for the person who renews it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

from pitboss.models import Person
from pitboss.rules.roles import Role, may_manage


@dataclass(frozen=True, slots=True)
class LicenceEnding:
    """A license that has ended, or will within the days of the house's reminder."""

    person: Person
    ends: date
    days_left: int

    @property
    def has_ended(self) -> bool:
        return self.days_left < 0

    @property
    def words(self) -> str:
        """Say how long it holds: through its last day."""
        if self.has_ended:
            return f"expired {self.ends:%b %-d, %Y}"
        left = {0: "today", 1: "tomorrow"}.get(self.days_left, f"in {self.days_left} days")
        return f"expires {left}, {self.ends:%b %-d, %Y}"


def ending_of(person: Person, today: date, within_days: int) -> LicenceEnding | None:
    """Return that a person's license ends soon, or None."""
    ends = person.licence_ends
    if not person.is_active or ends is None or ends > today + timedelta(days=within_days):
        return None
    return LicenceEnding(person, ends, (ends - today).days)


def endings_for(role: Role, today: date, within_days: int) -> list[LicenceEnding]:
    """Return the licenses that someone of a role would have renewed, soonest first."""
    people = Person.objects.filter(
        is_active=True, licence_ends__lte=today + timedelta(days=within_days)
    ).order_by("licence_ends", "last_name", "pk")
    return [
        ending
        for person in people
        if may_manage(role, Role(person.role))
        and (ending := ending_of(person, today, within_days)) is not None
    ]
