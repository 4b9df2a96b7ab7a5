"""Who works here: people added, changed and imported by two managers, put out by one at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any

from django.db import models
from django.db.models import Q

from pitboss.models import Person, Signature, Slip
from pitboss.rules.flows import SlipStatus
from pitboss.rules.house_flows import PERSON_CHANGE, PERSON_LEAVES
from pitboss.rules.refusal import Refusal, Refused, refuse
from pitboss.rules.roles import Role
from pitboss.rules.staffing import COLUMNS, PersonFields, may_manage
from pitboss.services.effects import effect
from pitboss.services.locks import lock_person
from pitboss.services.signing import Entry, Judgement, NewSlip, Pen, raise_slip
from pitboss.services.standing import set_status


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
    )


def new_people(people: Sequence[PersonFields]) -> NewSlip:
    """Return the addition of people who do not work here yet, about to be proposed."""
    names = [f"{each.first_name} {each.last_name}" for each in people]
    says = (
        [[name, words] for name, words in people[0].words().items()]
        if len(people) == 1
        else [["People", str(len(people))]]
        + [
            [each.badge, f"{name}, {each.role.label}"]
            for each, name in zip(people, names, strict=True)
        ]
    )
    return NewSlip(
        PERSON_CHANGE.kind,
        None,
        {},
        details={
            "about": f"add {names[0] if len(names) == 1 else f'{len(names)} people'}",
            "says": says,
            "people": [{"id": None, "was": None, "is": each.stored()} for each in people],
        },
    )


def new_change(person: Person, changed: PersonFields) -> NewSlip:
    """Return a change of one person, about to be proposed."""
    was = fields_of(person)
    before, after = was.words(), changed.words()
    says = [
        [name, f"{words}, instead of {before[name]}"]
        for name, words in after.items()
        if words != before[name]
    ]
    return NewSlip(
        PERSON_CHANGE.kind,
        None,
        {},
        details={
            "about": f"{person.first_name} {person.last_name}",
            "says": says,
            "people": [{"id": person.pk, "was": was.stored(), "is": changed.stored()}],
        },
    )


def propose_people(new: NewSlip, *, reason: str, pen: Pen, shown: str) -> Slip:
    """Propose that people are added or changed, signed by a manager. Raises Refused."""
    return raise_slip(
        new,
        pen=pen,
        shown=shown,
        judge=lambda table, original: Judgement(people_refusals(new.details)),
        entry=Entry(reason=reason),
    )


def people_refusals(details: Mapping[str, Any]) -> list[Refusal]:
    """Return why people may not be added or changed so: every reason, for each of them."""
    refusals = []
    for each in details["people"]:
        wanted = each["is"]
        if wanted == each["was"]:
            refusals.append(Refusal("nothing_changes", "Nothing is different. Change something."))
        others = Person.objects.exclude(pk=each["id"])
        for column in ("badge", "employee_number"):
            holder = others.filter(**{column: wanted[column]}).first()
            if holder is not None:
                what = column.replace("_", " ")
                refusals.append(
                    Refusal(
                        f"{column}_taken", f"{holder} has the {what} {wanted[column]}. Use another."
                    )
                )
        if (
            each["id"] is not None
            and fields_of(Person.objects.get(pk=each["id"])).stored() != each["was"]
        ):
            refusals.append(
                Refusal("person_changed", "This person was changed meanwhile. Look again.")
            )
    return refusals


def new_leaving(person: Person) -> NewSlip:
    """Return the end of somebody's work here, about to be signed."""
    return NewSlip(
        PERSON_LEAVES.kind,
        None,
        {},
        details={
            "about": f"{person.first_name} {person.last_name}",
            "says": [["Badge", person.badge], ["Role", Role(person.role).label]],
            "person": person.pk,
        },
    )


def put_out(person: Person, *, reason: str, pen: Pen, shown: str) -> Slip:
    """Stop somebody from signing anything, at once. Another manager confirms it. Raises Refused."""
    new = new_leaving(person)
    return raise_slip(
        new,
        pen=pen,
        shown=shown,
        judge=lambda table, original: Judgement(_leaving_refusals(person.pk)),
        entry=Entry(reason=reason),
    )


def _leaving_refusals(person_id: int) -> list[Refusal]:
    if not Person.objects.get(pk=person_id).is_active:
        return [Refusal("already_out", "This person no longer works here.")]
    return []


@effect("person_change_begins")
def _person_change_begins(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    for each in slip.details["people"]:
        _demand_manager_of(each, signature)
    return []


@effect("person_changed")
def _person_changed(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Add and change people as the slip says, all of them or none."""
    for each in slip.details["people"]:
        _demand_manager_of(each, signature)
        if each["id"] is not None:
            lock_person(each["id"])
    refusals = people_refusals(slip.details)
    if refusals:
        raise Refused(refusals)
    for each in slip.details["people"]:
        values = dict(each["is"])
        ends = values.pop("licence_ends")
        values["licence_ends"] = date.fromisoformat(ends) if ends else None
        if each["id"] is None:
            # Without PIN and password: both are set by the person, before a witness.
            Person.objects.create(**values)
        else:
            Person.objects.filter(pk=each["id"]).update(**values)
    return []


@effect("person_put_out")
def _person_put_out(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    person = lock_person(slip.details["person"])
    demand_another(person.pk, signature)
    demand_rank(Role(signature.role), Role(person.role), person)
    Person.objects.filter(pk=person.pk).update(is_active=False)
    return []


@effect("person_stays_out")
def _person_stays_out(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    return []


@effect("person_taken_back")
def _person_taken_back(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    person = lock_person(slip.details["person"])
    demand_rank(Role(signature.role), Role(person.role), person)
    Person.objects.filter(pk=person.pk).update(is_active=True)
    set_status(slip, SlipStatus.VOIDED)
    return []


def _demand_manager_of(each: Mapping[str, Any], signature: Signature) -> None:
    """Refuse a signer who has no say over somebody's old role or new one, or who is that person."""
    if each["id"] is not None:
        demand_another(each["id"], signature)
    for version in (each["was"], each["is"]):
        if version is not None:
            name = f"{version['first_name']} {version['last_name']}"
            demand_rank(Role(signature.role), Role(version["role"]), name)


def demand_another(person_id: int, signature: Signature) -> None:
    """Refuse somebody who signs about themselves. Raises Refused."""
    if signature.person_id == person_id:
        raise refuse("own_papers", "Nobody signs changes about themselves. Ask another manager.")


def demand_rank(manager: Role, role: Role, whose: object) -> None:
    """Refuse a signer who has no say over people of a role. Raises Refused."""
    if not may_manage(manager, role):
        raise refuse(
            "wrong_role",
            f"A {manager.label} has no say over a {role.label}. For {whose} this is signed by a "
            "manager of that department or a shift manager.",
        )


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
