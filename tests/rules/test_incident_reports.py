"""Incidents and the regulator's clock, by the rules alone."""

from __future__ import annotations

import pytest

from pitboss.rules.floor.incident_reports import (
    INCIDENT_KINDS,
    incident_refusals,
    incident_settings,
)


@pytest.mark.parametrize(
    ("kind", "seat", "codes"),
    [
        ("past_posting", 6, []),
        ("fire", None, []),
        ("past_posting", 0, ["seat_unknown"]),
        ("gossip", None, ["incident_unknown"]),
    ],
)
def test_a151_an_incident_is_of_a_kind_and_a_seat(
    kind: str, seat: int | None, codes: list[str]
) -> None:
    assert [refusal.code for refusal in incident_refusals(kind, seat)] == codes


def test_a151_each_kind_has_a_clock_and_forbidden_acts_an_hour() -> None:
    clocks = {setting.key: setting.default for setting in incident_settings()}
    assert len(clocks) == len(INCIDENT_KINDS)
    assert clocks["incident.clock.past_posting"] == 60
    assert clocks["incident.clock.shoe"] == 0
