"""Whose badge it is, as a pad says it before the PIN is keyed."""

from __future__ import annotations

from pitboss.models import Person
from pitboss.rules.gaming_day import Period
from pitboss.rules.settings_in_force import SettingsInForce
from pitboss.selectors.licences import ending_of
from pitboss.services import house


def named(badge: str, when: Period, in_force: SettingsInForce) -> dict[str, str] | None:
    """Return name, role and licence of a badge, or None when nobody has it."""
    person = Person.objects.filter(badge=badge.strip()[:12]).first() if badge.strip() else None
    if person is None:
        return None
    ending = ending_of(person, when.gaming_day, in_force["people.licence_reminder"])
    return {
        "name": str(person),
        "role": house.role_in(person, when).label,
        "licence": person.licence_number,
        "licence_words": ending.words if ending else "",
    }
