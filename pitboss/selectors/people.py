"""Whose badge it is, as a pad says it before the PIN is keyed."""

from __future__ import annotations

from pitboss.models import Person
from pitboss.rules.gaming_day import Period
from pitboss.services import house


def named(badge: str, when: Period) -> dict[str, str] | None:
    """Return name, role and licence of a badge, or None when nobody has it."""
    person = Person.objects.filter(badge=badge.strip()[:12]).first() if badge.strip() else None
    if person is None:
        return None
    return {
        "name": str(person),
        "role": house.role_in(person, when).label,
        "licence": person.licence_number,
    }
