"""A leave of absence: two managers set its days, and the account is suspended for them."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime

from django.db import models

from pitboss.kinds.of_a_person import managed_person, of_person, person_of
from pitboss.kinds.of_the_house import GRANTING, READERS, pending_words
from pitboss.models import AccountEvent, Person, Signature, Slip
from pitboss.paper.forms import HOUSE_FORM
from pitboss.rules.floor.fields import Day
from pitboss.rules.floor.urgency import Urgency
from pitboss.rules.flows.flows import BY_ANOTHER, Promise, Step
from pitboss.rules.flows.house_flows import REFUSED
from pitboss.rules.people.dormant import AccountStep, leave_refusals
from pitboss.rules.people.proofs import Proved
from pitboss.rules.refusal import Refusal, Refused
from pitboss.services import house
from pitboss.services.drafts import NewSlip
from pitboss.services.locks import lock_staff
from pitboss.services.staffing import staffing_refusals_of
from pitboss.slips.kind import Kind, Raising

_ASKED = (
    Day(name="first", label="First day"),
    Day(name="last", label="Last day", hint="The account works again on the day after."),
)


def _drafted(raising: Raising) -> NewSlip:
    person, given = person_of(raising), raising.given
    return NewSlip(
        raising.kind.kind,
        None,
        {},
        details={
            "about": f"{person.first_name} {person.last_name}",
            "says": [
                ["Badge", person.badge],
                *([field.label, field.words(given[field.name])] for field in _ASKED),
            ],
            "person": person.pk,
            "first": given["first"],
            "last": given["last"],
        },
    )


def _refusals(raising: Raising) -> list[Refusal]:
    person, given = person_of(raising), raising.given
    return absence_refusals(person, given["first"], given["last"])


def absence_refusals(person: Person, first: str, last: str) -> list[Refusal]:
    """Return why someone may not be on leave for these days."""
    today = house.period_at(house.now()).gaming_day
    refusals = leave_refusals(date.fromisoformat(first), date.fromisoformat(last), today)
    if not person.is_active:
        refusals.append(
            Refusal(
                "already_out", "This account is already suspended or removed. Restore it first."
            )
        )
    return refusals + staffing_refusals_of([(person, None)])


def _proposed(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    managed_person(slip, signature)
    return []


def _approved(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Set the days. The account is suspended as soon as the first has come."""
    lock_staff()
    person, details = managed_person(slip, signature), slip.details
    if refusals := absence_refusals(person, details["first"], details["last"]):
        raise Refused(refusals)
    return [
        AccountEvent.objects.create(
            person=person,
            step=AccountStep.LEAVE.value,
            first=date.fromisoformat(details["first"]),
            last=date.fromisoformat(details["last"]),
            slip=slip,
            at=at,
        )
    ]


LEAVE_OF_ABSENCE = Kind(
    "leave_of_absence",
    title="Leave of absence",
    series="HV",
    open_to=frozenset(GRANTING),
    lit_by="people",
    at_a_table=False,
    desk="people",
    changes_house=True,
    begins=of_person,
    asked=_ASKED,
    drafted=_drafted,
    refusals=_refusals,
    urgency=Urgency.FORM,
    proves=Proved.PEOPLE,
    steps=(
        Step(
            "proposed",
            done="Proposed",
            do="Propose",
            by=GRANTING,
            at=None,
            attests="I certify that this person is away on these days. The account is suspended "
            "for them.",
            then="leave_proposed",
        ),
        Step(
            "approved",
            done="Approved",
            do="Approve",
            why=BY_ANOTHER,
            by=GRANTING,
            at=None,
            attests="I approve this leave. The account works again on the day after it.",
            then="leave_approved",
        ),
    ),
    void=(replace(REFUSED[0], by=GRANTING),),
    effects={"leave_proposed": _proposed, "leave_approved": _approved},
    readers=READERS,
    promises=(Promise(2, 1),),
    paper=HOUSE_FORM,
    heading=lambda raising: f"Leave of {person_of(raising)}",
    raised=pending_words,
)
