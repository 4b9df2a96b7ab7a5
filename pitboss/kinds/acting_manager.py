"""An acting shift manager where there is none: two managers of two departments name one.

A manager of security or surveillance names a pit manager, a manager of another department agrees.
It lasts for the shift. What that person signs is on the list of the next shift manager.
"""

from __future__ import annotations

from datetime import datetime

from django.db import models

from pitboss.kinds.of_a_person import of_person, person_of
from pitboss.kinds.of_the_house import READERS
from pitboss.models import Signature, Slip
from pitboss.paper.forms import HOUSE_FORM
from pitboss.rules.flows.flows import BY_ANOTHER, Promise, SlipStatus, Step
from pitboss.rules.refusal import CONFLICT, NOT_YOURS, Refusal, Refused
from pitboss.rules.roles import (
    NAMING_FIRST,
    NAMING_MANAGERS,
    Role,
    naming_refusals,
)
from pitboss.services import house
from pitboss.services.drafts import NewSlip
from pitboss.services.locks import lock_person
from pitboss.services.people import begin_acting, watch_acting_manager
from pitboss.services.staffing import demand_another
from pitboss.slips.kind import Kind, Raising

KIND = "acting_manager"


def _drafted(raising: Raising) -> NewSlip:
    person, when = person_of(raising), house.period_at(house.now())
    name = f"{person.first_name} {person.last_name}"
    return NewSlip(
        KIND,
        None,
        {},
        details={
            "about": name,
            "says": [
                ["Acting shift manager", f"{name}, {Role(person.role).label}"],
                ["For", f"{when.shift} shift of {when.gaming_day:%b %-d, %Y}"],
            ],
            "person": person.pk,
            "gaming_day": when.gaming_day.isoformat(),
            "shift": when.shift,
        },
    )


def _refusals(raising: Raising) -> list[Refusal]:
    """Return why this person may not be named now."""
    person, when = person_of(raising), house.period_at(house.now())
    refusals = []
    if not house.may_work(person, when):
        refusals.append(
            Refusal(
                "not_employed",
                f"{person} isn’t cleared to work today. Choose someone else.",
                NOT_YOURS,
            )
        )
    if person.role != Role.PIT_MANAGER.value:
        refusals.append(
            Refusal("role_out_of_reach", "Only a pit manager can act as shift manager.")
        )
    if house.acting_now(when).filter(role=Role.SHIFT_MANAGER.value).exists():
        refusals.append(
            Refusal(
                "already_acting",
                "Someone already acts as shift manager now. Ask them to sign.",
                CONFLICT,
            )
        )
    waiting = Slip.objects.filter(
        kind=KIND, status=SlipStatus.OPEN.value, details__shift=when.shift
    )
    pending = waiting.filter(details__gaming_day=when.gaming_day.isoformat()).first()
    if pending is not None:
        refusals.append(
            Refusal("already_proposed", f"{pending} is already pending. Sign or decline it first.")
        )
    return refusals


def _named(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    demand_another(slip.details["person"], signature)
    return []


def _agreed(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Let the person act, for this shift. Raises Refused when the two may not name them."""
    demand_another(slip.details["person"], signature)
    first = slip.signatures.select_related("person").get(step="named")
    refusals = naming_refusals(Role(first.role), Role(signature.role))
    when = house.period_at(at)
    if (when.gaming_day.isoformat(), when.shift) != (
        slip.details["gaming_day"],
        slip.details["shift"],
    ):
        refusals.append(
            Refusal("shift_over", "The shift on this slip is over. Choose someone for this shift.")
        )
    if refusals:
        raise Refused(refusals)
    person = lock_person(slip.details["person"])
    acting = begin_acting(person, Role.SHIFT_MANAGER, first.person, at, named_on=slip)
    watch_acting_manager(acting, [first.person, signature.person])
    return [acting]


ACTING_MANAGER_KIND = Kind(
    KIND,
    title="Acting shift manager",
    series="HA",
    open_to=frozenset(NAMING_MANAGERS),
    lit_by="people",
    at_a_table=False,
    desk="people",
    begins=of_person,
    drafted=_drafted,
    refusals=_refusals,
    refuses_at_once=True,
    steps=(
        Step(
            "named",
            done="Named",
            do="Name",
            by=NAMING_FIRST,
            at=None,
            needs_reason=True,
            attests="I certify that no shift manager is on property. I name this person acting "
            "shift manager for this shift.",
            then="acting_manager_named",
        ),
        Step(
            "agreed",
            done="Agreed",
            do="Agree",
            why=BY_ANOTHER,
            by=NAMING_MANAGERS,
            at=None,
            attests="I certify that no shift manager is on property, and I agree that this "
            "person acts as shift manager for this shift.",
            then="acting_manager_agreed",
        ),
    ),
    void=(
        Step(
            "refused",
            done="Declined",
            do="Decline",
            by=NAMING_MANAGERS,
            at=None,
            may_repeat="named",
            needs_reason=True,
            attests="I decline this appointment. This slip names no acting shift manager.",
            then="slip_voided",
        ),
    ),
    effects={"acting_manager_named": _named, "acting_manager_agreed": _agreed},
    readers=READERS,
    promises=(Promise(2, 1),),
    paper=HOUSE_FORM,
    heading=lambda raising: f"{person_of(raising)} acts as shift manager",
    raised=lambda slip: f"{slip.serial} is pending. A manager of another department must agree.",
)
