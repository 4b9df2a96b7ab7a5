"""Roles: who may sign for whom, and who may stand by when a PIN is set."""

from __future__ import annotations

from itertools import product

import pytest

from pitboss.rules.roles import (
    Role,
    department,
    may_act_as,
    may_witness,
    rank,
    roles_that_may_act_as,
)

# Written out, so that a changed ladder shows here: required role, and who may sign in its place.
MAY_SIGN = {
    Role.DEALER: {Role.DEALER},
    Role.SUPERVISOR: {Role.SUPERVISOR, Role.PIT_MANAGER, Role.SHIFT_MANAGER},
    Role.PIT_MANAGER: {Role.PIT_MANAGER, Role.SHIFT_MANAGER},
    Role.SHIFT_MANAGER: {Role.SHIFT_MANAGER},
    Role.CASHIER: {Role.CASHIER, Role.CAGE_MANAGER},
    Role.CAGE_MANAGER: {Role.CAGE_MANAGER},
    Role.SECURITY: {Role.SECURITY, Role.SECURITY_MANAGER},
    Role.SECURITY_MANAGER: {Role.SECURITY_MANAGER},
    Role.SURVEILLANCE: {Role.SURVEILLANCE, Role.SURVEILLANCE_MANAGER},
    Role.SURVEILLANCE_MANAGER: {Role.SURVEILLANCE_MANAGER},
    Role.COUNT_TEAM: {Role.COUNT_TEAM},
    Role.ACCOUNTING: {Role.ACCOUNTING},
    Role.COMPLIANCE: {Role.COMPLIANCE},
    Role.AUDITOR: {Role.AUDITOR},
    Role.ADMINISTRATOR: {Role.ADMINISTRATOR},
}


@pytest.mark.parametrize("required", Role)
def test_only_these_roles_sign_where_one_is_asked_for(required: Role) -> None:
    assert {role for role in Role if may_act_as(role, required)} == MAY_SIGN[required]
    assert set(roles_that_may_act_as(required)) == MAY_SIGN[required]


def test_every_role_stands_on_one_ladder_with_a_rank() -> None:
    for role in Role:
        assert role in department(role)
        assert department(role)[rank(role) - 1] == role


def test_nobody_witnesses_an_equal_or_a_higher_rank() -> None:
    for witness, person in product(Role, Role):
        if may_witness(witness, person):
            assert witness != person
            assert not may_witness(person, witness) or Role.SHIFT_MANAGER in (witness, person)


@pytest.mark.parametrize(
    ("witness", "person", "expected"),
    [
        (Role.SECURITY_MANAGER, Role.SHIFT_MANAGER, True),
        (Role.PIT_MANAGER, Role.SHIFT_MANAGER, False),
        (Role.SHIFT_MANAGER, Role.SHIFT_MANAGER, False),
        (Role.SHIFT_MANAGER, Role.CASHIER, True),
        (Role.SHIFT_MANAGER, Role.AUDITOR, True),
        (Role.CAGE_MANAGER, Role.CASHIER, True),
        (Role.CAGE_MANAGER, Role.DEALER, False),
        (Role.SECURITY, Role.SECURITY_MANAGER, False),
        (Role.ADMINISTRATOR, Role.DEALER, False),
    ],
)
def test_a_pin_is_set_before_someone_of_higher_rank(
    witness: Role, person: Role, expected: bool
) -> None:
    assert may_witness(witness, person) is expected


def test_everyone_has_somebody_who_may_witness_their_pin() -> None:
    assert all(any(may_witness(witness, person) for witness in Role) for person in Role)


def test_roles_are_said_as_on_the_floor() -> None:
    assert Role.SECURITY.label == "security officer"
    assert Role.PIT_MANAGER.label == "pit manager"
