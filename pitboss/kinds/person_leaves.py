"""Someone leaves: one manager stops them at once, another says that it was right."""

from __future__ import annotations

from datetime import datetime

from django.db import models

from pitboss.kinds.of_a_person import managed_person, of_person, person_of
from pitboss.kinds.of_the_house import READERS
from pitboss.models import Person, Signature, Slip
from pitboss.paper.forms import HOUSE_FORM
from pitboss.rules.floor.urgency import Urgency
from pitboss.rules.flows.flows import BY_THE_UNINVOLVED, Promise, SlipStatus, Step
from pitboss.rules.flows.house_flows import PEOPLE_MANAGERS
from pitboss.rules.people.proofs import Proved
from pitboss.rules.refusal import Refusal, Refused
from pitboss.rules.roles import Role
from pitboss.services.drafts import NewSlip
from pitboss.services.locks import lock_staff
from pitboss.services.staff_words import compare_told
from pitboss.services.staffing import staffing_refusals_of
from pitboss.services.standing import set_status
from pitboss.slips.kind import Kind, Raising


def _drafted(raising: Raising) -> NewSlip:
    person = person_of(raising)
    return NewSlip(
        raising.kind.kind,
        None,
        {},
        details={
            "about": f"{person.first_name} {person.last_name}",
            "says": [["Badge", person.badge], ["Role", Role(person.role).label]],
            "person": person.pk,
        },
    )


def leaving_refusals(person_id: int) -> list[Refusal]:
    """Return why someone may not go: they have gone, or the house could not go on without them."""
    person = Person.objects.get(pk=person_id)
    if not person.is_active:
        return [
            Refusal("already_out", "This person no longer works here. There is nothing to remove.")
        ]
    return staffing_refusals_of([(person, None)])


def _person_put_out(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    lock_staff()
    person = managed_person(slip, signature)
    # Looked at again: another may have gone since this was judged.
    refusals = leaving_refusals(person.pk)
    if refusals:
        raise Refused(refusals)
    Person.objects.filter(pk=person.pk).update(is_active=False)
    compare_told(person.employee_number, at=at, signature=signature)
    return []


def _person_stays_out(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    managed_person(slip, signature)
    return []


def _person_taken_back(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    person = managed_person(slip, signature)
    Person.objects.filter(pk=person.pk).update(is_active=True)
    compare_told(person.employee_number, at=at, signature=signature)
    set_status(slip, SlipStatus.VOIDED)
    return []


PERSON_LEAVES = Kind(
    "person_leaves",
    title="Leaves",
    series="HP",
    open_to=frozenset(PEOPLE_MANAGERS),
    lit_by="people",
    at_a_table=False,
    desk="people",
    changes_house=True,
    begins=of_person,
    drafted=_drafted,
    refusals=lambda raising: leaving_refusals(person_of(raising).pk),
    urgency=Urgency.FORM,
    proves=Proved.PEOPLE,
    steps=(
        Step(
            "put_out",
            done="Access removed",
            do="Remove access",
            by=PEOPLE_MANAGERS,
            at=None,
            needs_reason=True,
            attests="I remove this person’s authority to sign, effective immediately.",
            then="person_put_out",
        ),
        Step(
            "confirmed",
            done="Confirmed",
            do="Confirm",
            why=BY_THE_UNINVOLVED,
            by=PEOPLE_MANAGERS,
            at=None,
            attests="I investigated this action and confirm that it is correct.",
            then="person_stays_out",
        ),
    ),
    void=(
        Step(
            "taken_back",
            done="Reversed",
            do="Reverse",
            by=PEOPLE_MANAGERS,
            at=None,
            needs_reason=True,
            attests="I certify that this action was in error. The person’s authority is restored.",
            then="person_taken_back",
        ),
    ),
    effects={
        "person_put_out": _person_put_out,
        "person_stays_out": _person_stays_out,
        "person_taken_back": _person_taken_back,
    },
    readers=READERS,
    promises=(Promise(2, 1),),
    paper=HOUSE_FORM,
    heading=lambda raising: f"{person_of(raising)} leaves",
    raised=lambda slip: (
        f"Access removed for {slip.details['about']}. {slip.serial} is waiting to be confirmed."
    ),
)
