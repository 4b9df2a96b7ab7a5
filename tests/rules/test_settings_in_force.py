"""What a house that has set nothing goes by, where several settings make one policy."""

from __future__ import annotations

from datetime import UTC, datetime

from pitboss.rules.floor.incident_reports import INCIDENT_KINDS
from pitboss.rules.patrons.sar import SarPolicy
from pitboss.rules.people.dormant import Dormancy
from pitboss.rules.settings.book import BOOK
from pitboss.rules.settings.in_force import SettingsInForce, in_force

HOUSE = in_force([], datetime(2026, 11, 16, tzinfo=UTC))


def test_policies_are_made_of_the_settings_that_they_name() -> None:
    assert HOUSE.sar_policy == SarPolicy()
    assert HOUSE.dormancy == Dormancy(
        BOOK["people.dormant_days"].default, BOOK["people.dormant_new_days"].default
    )


def test_the_pace_of_a_game_is_its_own_or_that_of_all() -> None:
    assert HOUSE.pace_of("classic") == dict(enumerate(BOOK["rating.pace"].default, start=1))
    own = [*range(210, 140, -10)]
    assert SettingsInForce({"pace.classic": own}).pace_of("classic")[1] == 210


def test_every_kind_of_incident_has_its_clock() -> None:
    for kind in INCIDENT_KINDS:
        assert HOUSE.incident_minutes(kind) >= 0
