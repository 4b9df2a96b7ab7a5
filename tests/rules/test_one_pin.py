"""A tap stands for a PIN right after one's own signature, and for nothing else."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from pitboss.rules.people.one_pin import Following, OnePin, PriorSignature
from pitboss.rules.settings.in_force import SettingsInForce

AT_NINE = datetime(2026, 5, 1, 21, tzinfo=UTC)
MINUTE = OnePin(60)
BY_PIN = PriorSignature(signature_id=11, person_id=1, device_id=5, at=AT_NINE, follows=None)
BY_TAP = PriorSignature(
    signature_id=12, person_id=1, device_id=5, at=AT_NINE + timedelta(seconds=20), follows=11
)
TAP = Following(
    follows=11,
    person_id=1,
    device_id=5,
    at=AT_NINE + timedelta(seconds=60),
    kind="marker",
    step={"name": "cheques_given"},
    pin_set_at=AT_NINE,
)


def codes(tap: Following, *signed: PriorSignature, terms: OnePin = MINUTE) -> list[str]:
    return [refusal.code for refusal in terms.refusals(tap, signed)]


def test_a_tap_is_enough_right_after_ones_own_signature() -> None:
    assert codes(TAP, BY_PIN) == []
    assert codes(replace(TAP, pin_set_at=None), BY_PIN) == []
    # A chain of taps lasts as long as the PIN at its beginning.
    assert codes(replace(TAP, follows=12), BY_PIN, BY_TAP) == []
    late = replace(TAP, follows=12, at=AT_NINE + timedelta(seconds=61))
    assert codes(late, BY_PIN, BY_TAP) == ["pin_needed"]


@pytest.mark.parametrize(
    "changed",
    [
        {"follows": 0},
        {"follows": 10},
        {"person_id": 2},
        {"device_id": 6},
        {"device_id": None},
        {"at": AT_NINE - timedelta(seconds=1)},
        {"at": AT_NINE + timedelta(seconds=61)},
        {"step": {"name": "patron_signed", "drawn": True}},
        # A change of a setting may ask a passkey.
        {"kind": "setting_change", "step": {"name": "approved"}},
        {"pin_set_at": AT_NINE + timedelta(seconds=1)},
    ],
)
def test_a_pin_is_asked_for_anything_else(changed: dict[str, Any]) -> None:
    assert codes(replace(TAP, **changed), BY_PIN) == ["pin_needed"]


def test_a_pin_is_asked_after_nothing_after_anyone_else_and_where_the_house_wants_it() -> None:
    assert codes(TAP) == ["pin_needed"]
    assert codes(TAP, BY_PIN, replace(BY_PIN, signature_id=12, person_id=2)) == ["pin_needed"]
    assert codes(replace(TAP, follows=12), replace(BY_PIN, person_id=2), BY_TAP) == ["pin_needed"]
    # What it follows is not among the signatures of this slip.
    assert codes(replace(TAP, follows=12), BY_TAP) == ["pin_needed"]
    assert codes(replace(TAP, at=AT_NINE), BY_PIN, terms=OnePin(0)) == ["pin_needed"]


def test_a_house_that_says_nothing_lets_a_pin_stand_for_a_minute() -> None:
    assert SettingsInForce({}).one_pin == MINUTE
    assert SettingsInForce({"people.one_pin": 0}).one_pin == OnePin(0)
