"""Roles: who may sign for whom, and who may stand by when a PIN is set."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest

from pitboss.rules.roles import (
    INDEPENDENT,
    MAY_OFFER,
    MAY_WITNESS,
    WATCHERS,
    Role,
    can_be_managed,
    can_get_a_pin,
    department,
    may_act_as,
    may_grant,
    may_manage,
    may_offer,
    may_unlock,
    may_witness,
    rank,
    roles_that_may_act_as,
    staffing_refusals,
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
    Role.HOST: {Role.HOST, Role.HOST_MANAGER},
    Role.HOST_MANAGER: {Role.HOST_MANAGER},
    Role.ACCOUNTING: {Role.ACCOUNTING, Role.CONTROLLER},
    Role.CONTROLLER: {Role.CONTROLLER},
    Role.COLLECTOR: {Role.COLLECTOR},
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


OPERATIONS = [role for role in Role if role not in INDEPENDENT]
# One of each, and two of those of whom a house always has two: the least that a normal house is.
A_NORMAL_HOUSE = {
    **dict.fromkeys(Role, 1),
    Role.SHIFT_MANAGER: 2,
    Role.SUPERVISOR: 2,
    Role.DEALER: 2,
}


def test_the_independent_departments_are_these() -> None:
    assert {
        Role.SURVEILLANCE,
        Role.SURVEILLANCE_MANAGER,
        Role.ACCOUNTING,
        Role.CONTROLLER,
        Role.COMPLIANCE,
        Role.AUDITOR,
        Role.ADMINISTRATOR,
    } == INDEPENDENT


@pytest.mark.parametrize("may", [may_offer, may_witness, may_manage])
def test_no_rank_of_operations_reaches_an_independent_department(may: Callable[..., bool]) -> None:
    reached = [(by, of) for by, of in product(OPERATIONS, INDEPENDENT) if may(by, of)]
    assert reached == []


def test_no_rank_of_operations_grants_one_in_an_independent_department() -> None:
    asked = product(OPERATIONS, INDEPENDENT, Role)
    assert [row for row in asked if may_grant(*row)] == []


def test_only_security_and_the_independent_unlock_an_independent_badge() -> None:
    for person in INDEPENDENT:
        able = {role for role in Role if may_unlock(role, person)}
        assert able == {Role.SECURITY, Role.SECURITY_MANAGER, *WATCHERS}


def test_a_shift_manager_founds_the_independent_departments_and_reaches_no_further() -> None:
    for may in (may_offer, may_witness, may_manage):
        for by, of in product(Role, Role):
            founds = by == Role.SHIFT_MANAGER and of in INDEPENDENT
            assert may(by, of, founding=True) == (founds or may(by, of)), (may, by, of)


@pytest.mark.parametrize("person", Role)
def test_a_witness_is_of_another_department_unless_the_pin_is_of_the_pit(person: Role) -> None:
    witnesses = [role for role in Role if may_witness(role, person)]
    of_the_pit = person in department(Role.DEALER)
    for witness in witnesses:
        assert of_the_pit or department(witness) != department(person)
        assert not of_the_pit or witness not in department(person) or rank(witness) > rank(person)


@pytest.mark.parametrize("person", Role)
def test_every_role_has_two_who_offer_and_two_who_witness_in_a_normal_house(person: Role) -> None:
    for roles in (MAY_OFFER[person], MAY_WITNESS[person]):
        assert len(set(roles)) == len(roles)
        assert sum(A_NORMAL_HOUSE[role] - (role == person) for role in roles) >= 2
    assert can_get_a_pin(person, A_NORMAL_HOUSE)
    assert can_be_managed(person, A_NORMAL_HOUSE)


@pytest.mark.parametrize("person", Role)
def test_who_lost_both_secrets_finds_two_witnesses_of_two_departments_and_another_to_offer(
    person: Role,
) -> None:
    assert len({department(role) for role in MAY_WITNESS[person]}) >= 2
    everyone = {*MAY_OFFER[person], *MAY_WITNESS[person]}
    assert sum(A_NORMAL_HOUSE[role] - (role == person) for role in everyone) >= 3


def test_nobody_gets_a_pin_from_one_person_alone() -> None:
    for person, only in product(Role, Role):
        assert not can_get_a_pin(person, {only: 1})
        assert not can_get_a_pin(person, {only: 1, person: 1}) or only == person


def test_the_person_is_none_of_the_two_who_give_them_a_pin() -> None:
    assert not can_get_a_pin(Role.SHIFT_MANAGER, {Role.SHIFT_MANAGER: 1, Role.CAGE_MANAGER: 1})
    assert can_get_a_pin(Role.SHIFT_MANAGER, {Role.SHIFT_MANAGER: 2, Role.CAGE_MANAGER: 1})


@pytest.mark.parametrize(
    ("before", "after", "codes"),
    [
        ({Role.SHIFT_MANAGER: 3}, {Role.SHIFT_MANAGER: 2}, []),
        ({Role.SHIFT_MANAGER: 2}, {Role.SHIFT_MANAGER: 1}, ["too_few_shift_managers"]),
        ({Role.SHIFT_MANAGER: 1}, {}, ["too_few_shift_managers"]),
        # A house that is below it already may go on, and up again.
        ({Role.SHIFT_MANAGER: 1}, {Role.SHIFT_MANAGER: 1, Role.DEALER: 1}, []),
        (
            {Role.SURVEILLANCE: 2, Role.ACCOUNTING: 1, Role.ADMINISTRATOR: 1},
            {Role.SURVEILLANCE: 2, Role.ADMINISTRATOR: 1},
            ["no_one_to_witness"],
        ),
        # A role that nobody has any more needs no witness.
        (
            {Role.AUDITOR: 1, Role.ACCOUNTING: 1, Role.ADMINISTRATOR: 1},
            {Role.ACCOUNTING: 1, Role.ADMINISTRATOR: 1},
            [],
        ),
    ],
)
def test_a_house_keeps_those_who_can_give_pins(
    before: dict[Role, int], after: dict[Role, int], codes: list[str]
) -> None:
    assert [refusal.code for refusal in staffing_refusals(before, after)] == codes


def test_roles_are_said_as_on_the_floor() -> None:
    assert Role.SECURITY.label == "security officer"
    assert Role.PIT_MANAGER.label == "pit manager"
