"""Who works here: what the house knows of them, and who has a say over whom."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import models
from django.db.models import Q

from pitboss.models import Person, Signature
from pitboss.rules.people.staffing import COLUMNS, PersonFields
from pitboss.rules.refusal import NOT_YOURS, Refusal, Refused, refuse
from pitboss.rules.roles import (
    Role,
    can_be_managed,
    granting_refusals,
    may_manage,
    staffing_refusals,
)
from pitboss.services import house


def fields_of(person: Person) -> PersonFields:
    """Return what the house knows of a person, as it would be keyed."""
    return PersonFields(
        badge=person.badge,
        first_name=person.first_name,
        last_name=person.last_name,
        role=Role(person.role),
        employee_number=person.employee_number,
        licence_number=person.licence_number,
        licence_ends=person.licence_ends,
        identity=person.identity,
    )


def staffing_refusals_of(moves: Sequence[tuple[Person, Role | None]]) -> list[Refusal]:
    """Return why the house could not go on once these people have these roles, or have gone."""
    before = house.able_people()
    after = dict(before)
    for person, role in moves:
        if person.is_active and person.pin_hash:
            after[Role(person.role)] -= 1
            if role is not None:
                after[role] = after.get(role, 0) + 1
    return staffing_refusals(before, after)


def demand_another(person_id: int, signature: Signature) -> None:
    """Refuse someone who signs about themselves. Raises Refused."""
    if signature.person_id == person_id:
        raise refuse("own_papers", "You can’t sign changes about yourself. Ask another manager.")


def demand_rank(manager: Role, role: Role, whose: object, *, is_new: bool = False) -> None:
    """Refuse a signer who has no say over people of a role. Raises Refused.

    Until a house has two people who look after the independent departments, its shift managers add
    the first of them.
    """
    founding = is_new and not can_be_managed(role, house.able_people())
    if not may_manage(manager, role, founding=founding):
        raise refuse(
            "wrong_role",
            f"As {manager.label} you can’t sign about {whose}, {role.label}. "
            "“Who may do what” under People lists who can.",
            NOT_YOURS,
        )


def demand_granting(manager: Role) -> None:
    """Refuse a signer who reviews access and gives none. Raises Refused."""
    refusals = granting_refusals(manager)
    if refusals:
        raise Refused(refusals)


def search_people(words: str) -> models.QuerySet[Person]:
    """Return the people whose name, badge, role or number holds each of these words."""
    found = Person.objects.all()
    for word in words.split()[:5]:
        holds = Q()
        for column in COLUMNS:
            if column != "licence_ends":
                holds |= Q(**{f"{column}__icontains": word})
        found = found.filter(holds)
    return found
