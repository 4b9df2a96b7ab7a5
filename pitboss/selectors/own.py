"""What a person's own page tells them besides what waits: registered by the app that knows it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pitboss.models import Person
from pitboss.rules.day.gaming_day import Period
from pitboss.rules.roles import Role
from pitboss.rules.settings.in_force import SettingsInForce

Own = Callable[[Person, Period, SettingsInForce], dict[str, Any] | None]
_OWN_WITH: dict[Role, Own] = {}


def own_with(role: Role) -> Callable[[Own], Own]:
    """Register what a role is told of itself: what a template of its own shows, or nothing."""

    def register(function: Own) -> Own:
        assert role not in _OWN_WITH, f"a {role.label} is told two things"
        _OWN_WITH[role] = function
        return function

    return register


def own_of(
    person: Person, role: Role, when: Period, in_force: SettingsInForce
) -> dict[str, Any] | None:
    """Return what someone is told of themselves."""
    tell = _OWN_WITH.get(role)
    return tell(person, when, in_force) if tell else None
