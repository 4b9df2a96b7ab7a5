"""Who lets a device in, and when its token gives way to a new one."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from pitboss.rules.people.devices import TokenPolicy, may_ask, second_refusals
from pitboss.rules.roles import Place, Role

NINE = datetime(2026, 5, 1, 9, tzinfo=UTC)
POLICY = TokenPolicy(holds=timedelta(days=90), rotates_after=timedelta(days=7))


def test_managers_and_administrators_ask_for_devices() -> None:
    assert {role for role in Role if may_ask(role)} == {
        Role.PIT_MANAGER,
        Role.SHIFT_MANAGER,
        Role.CAGE_MANAGER,
        Role.SECURITY_MANAGER,
        Role.SURVEILLANCE_MANAGER,
        Role.ADMINISTRATOR,
    }


@pytest.mark.parametrize(
    ("place", "first", "second", "codes"),
    [
        (Place.PIT, Role.SHIFT_MANAGER, Role.SHIFT_MANAGER, []),
        (Place.PIT, Role.ADMINISTRATOR, Role.SUPERVISOR, []),
        (Place.PIT, Role.ADMINISTRATOR, Role.DEALER, ["not_of_the_place"]),
        (Place.CAGE, Role.SHIFT_MANAGER, Role.CASHIER, []),
        (Place.CAGE, Role.CAGE_MANAGER, Role.SECURITY_MANAGER, []),
        (Place.CAGE, Role.CAGE_MANAGER, Role.DEALER, ["wrong_role"]),
        (Place.CAGE, Role.SHIFT_MANAGER, Role.PIT_MANAGER, ["not_of_the_place"]),
        (Place.SURVEILLANCE, Role.SHIFT_MANAGER, Role.SURVEILLANCE, []),
        (Place.SURVEILLANCE, Role.SHIFT_MANAGER, Role.SECURITY_MANAGER, ["not_of_the_place"]),
        (Place.SECURITY, Role.SECURITY_MANAGER, Role.SECURITY, []),
        (Place.OFFICE, Role.SHIFT_MANAGER, Role.SHIFT_MANAGER, []),
        (Place.OFFICE, Role.ADMINISTRATOR, Role.AUDITOR, []),
        (Place.OFFICE, Role.ADMINISTRATOR, Role.ADMINISTRATOR, ["not_of_the_place"]),
    ],
)
def test_one_of_the_two_works_where_the_device_stands(
    place: Place, first: Role, second: Role, codes: list[str]
) -> None:
    assert [refusal.code for refusal in second_refusals(place, first, second)] == codes


@pytest.mark.parametrize(
    ("age", "since_offer", "is_due"),
    [
        (timedelta(days=6, hours=23), None, False),
        (timedelta(days=7), None, True),
        (timedelta(days=7), timedelta(minutes=9), False),
        (timedelta(days=7), timedelta(minutes=10), True),
        (None, None, False),
    ],
)
def test_a_token_gives_way_when_it_is_old_and_its_successor_did_not_just_leave(
    age: timedelta | None, since_offer: timedelta | None, is_due: bool
) -> None:
    made_at = None if age is None else NINE - age
    offered_at = None if since_offer is None else NINE - since_offer
    assert POLICY.is_due(made_at, offered_at, NINE) is is_due
