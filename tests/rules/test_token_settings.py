"""How long the token of a device holds is a choice of the house."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from pitboss.rules.settings.in_force import in_force


def test_a_token_holds_and_rotates_as_the_house_has_set() -> None:
    tokens = in_force([], datetime(2026, 11, 16, tzinfo=UTC)).tokens
    assert tokens.holds == timedelta(days=90)
    assert tokens.rotates_after == timedelta(days=7)
