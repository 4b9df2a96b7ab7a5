"""What HR says of someone, beside what is on file, with the form that makes it so filled in."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.urls import reverse

from pitboss.middleware import PitRequest
from pitboss.models import FloorException, Person
from pitboss.rules.flows.house_flows import PERSON_CHANGE
from pitboss.rules.people.told import DIFFERS, LEFT
from pitboss.rules.roles import Role
from pitboss.selectors.accounts import standing_of
from pitboss.services.staff_words import differences_of, newest_fields
from pitboss.slips.addresses import new_url

TOLD = frozenset({DIFFERS, LEFT})


def told_look(request: PitRequest, trouble: FloorException) -> dict[str, Any] | None:
    """Return what a notice of HR shows; none for another exception."""
    if trouble.code not in TOLD:
        return None
    number = trouble.details["employee_number"]
    differing = differences_of(number)
    person = Person.objects.filter(employee_number=number).first()
    is_asked = request.role.value in trouble.details["managers"]
    return {
        "rows": [
            {
                "title": each.title,
                "is_now": _in_words(each.column, each.is_now),
                "said": _in_words(each.column, each.said),
            }
            for each in differing
        ],
        "act": _act(number, person, trouble.code) if differing and is_asked else None,
    }


def _in_words(column: str, value: str) -> str:
    """Say a role and a date as they are said elsewhere; “none” stays."""
    if column == "role" and value in set(Role):
        return Role(value).label
    if column == "licence_ends" and value[:1].isdigit():
        return f"{date.fromisoformat(value):%b %-d, %Y}"
    return value


def _act(number: str, person: Person | None, code: str) -> dict[str, str]:
    """Return the form that makes HR's word so: two managers sign it."""
    if person is not None and code == LEFT:
        return {"url": new_url("person_leaves", person=person.pk), "label": "Remove access…"}
    if person is not None and not person.is_active and not standing_of(person.pk).is_stopped:
        return {"url": reverse("person-edit", args=[person.pk]), "label": "View person"}
    filled = {f"new_{column}": value for column, value in newest_fields(number).items()}
    if person is not None:
        url = new_url(PERSON_CHANGE, person=person.pk, **filled)
        return {"url": url, "label": "Fill in the change…"}
    url = new_url(PERSON_CHANGE, new_employee_number=number, **filled)
    return {"url": url, "label": "Fill in the new person…"}
