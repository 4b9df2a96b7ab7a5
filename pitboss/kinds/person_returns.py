"""Someone whose account was suspended or removed comes back: two managers bring them."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from django.db import models

from pitboss.kinds.of_a_person import managed_person, of_person, person_of
from pitboss.kinds.of_the_house import GRANTING, READERS, pending_words
from pitboss.models import Signature, Slip
from pitboss.paper.forms import HOUSE_FORM
from pitboss.rules.floor.urgency import Urgency
from pitboss.rules.flows.flows import BY_ANOTHER, Promise, Step
from pitboss.rules.flows.house_flows import REFUSED
from pitboss.rules.people.proofs import Proved
from pitboss.rules.refusal import CONFLICT, Refusal, Refused
from pitboss.rules.roles import Role
from pitboss.selectors.accounts import standing_of
from pitboss.services.accounts import restore
from pitboss.services.drafts import NewSlip
from pitboss.slips.kind import Kind, Raising


def _drafted(raising: Raising) -> NewSlip:
    person = person_of(raising)
    return NewSlip(
        raising.kind.kind,
        None,
        {},
        details={
            "about": f"{person.first_name} {person.last_name}",
            "says": [
                ["Badge", person.badge],
                ["Role", Role(person.role).label],
                ["Account", standing_of(person.pk).words or "in use"],
            ],
            "person": person.pk,
        },
    )


def return_refusals(person_id: int) -> list[Refusal]:
    """Return why someone can't come back: their account is in use, or they left."""
    if standing_of(person_id).is_stopped:
        return []
    return [
        Refusal(
            "not_suspended",
            "This account isn’t suspended. Someone who left is added again by two managers.",
            CONFLICT,
        )
    ]


def _proposed(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    managed_person(slip, signature)
    return []


def _returned(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Let the account be used again. Raises Refused where it is in use already."""
    person = managed_person(slip, signature)
    if refusals := return_refusals(person.pk):
        raise Refused(refusals)
    return [restore(person, at, slip=slip)]


PERSON_RETURNS = Kind(
    "person_returns",
    title="Account restored",
    series="HB",
    open_to=frozenset(GRANTING),
    lit_by="people",
    at_a_table=False,
    desk="people",
    changes_house=True,
    begins=of_person,
    drafted=_drafted,
    refusals=lambda raising: return_refusals(person_of(raising).pk),
    refuses_at_once=True,
    urgency=Urgency.FORM,
    proves=Proved.PEOPLE,
    steps=(
        Step(
            "proposed",
            done="Proposed",
            do="Propose",
            by=GRANTING,
            at=None,
            needs_reason=True,
            attests="I know this person and certify that they work here and need this access.",
            then="person_return_begins",
        ),
        Step(
            "approved",
            done="Approved",
            do="Approve",
            why=BY_ANOTHER,
            by=GRANTING,
            at=None,
            attests="I verified that this person works here and approve that the account is "
            "restored.",
            then="person_returned",
        ),
    ),
    void=(replace(REFUSED[0], by=GRANTING),),
    effects={"person_return_begins": _proposed, "person_returned": _returned},
    readers=READERS,
    promises=(Promise(2, 1),),
    paper=HOUSE_FORM,
    heading=lambda raising: f"{person_of(raising)} comes back",
    raised=pending_words,
)
