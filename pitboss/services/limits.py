"""Limits of one person: one manager proposes how much they sign for, another approves it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import models

from pitboss.models import Person, PersonLimit, Signature, Slip
from pitboss.rules.flows import SlipStatus
from pitboss.rules.house_flows import LIMIT_CHANGE
from pitboss.rules.limits import LIMITED_KINDS, limit_words
from pitboss.rules.refusal import Refusal, Refused
from pitboss.rules.roles import Role
from pitboss.rules.setting_kinds import Amount
from pitboss.services import house
from pitboss.services.effects import effect
from pitboss.services.holding import demand_ahead, read_time, time_on, time_stored, time_words
from pitboss.services.locks import lock_person
from pitboss.services.signing import Entry, Judgement, NewSlip, Pen, raise_slip
from pitboss.services.staffing import demand_another, demand_rank

AMOUNT = Amount(100, 1_000_000_000, none_means=limit_words(None))


def new_limit(person: Person, *, kind: str, keyed: str, holds_from: str) -> NewSlip:
    """Return the limit that a manager keyed, about to be proposed. Raises Refused."""
    the_property = house.the_property()
    refusals: list[Refusal] = []
    most_cents, starts = None, None
    if kind not in LIMITED_KINDS:
        refusals.append(
            Refusal("kind_unknown", f"Choose what is limited: {' or '.join(LIMITED_KINDS)}.")
        )
    try:
        most_cents = AMOUNT.read(keyed)
    except Refused as refused:
        refusals.extend(refused.refusals)
    try:
        starts = read_time(holds_from, the_property.zone, house.now())
    except Refused as refused:
        refusals.extend(refused.refusals)
    if refusals:
        raise Refused(refusals)
    current = house.own_limit_of(person, kind, starts or house.now())
    return NewSlip(
        LIMIT_CHANGE.kind,
        None,
        {},
        details={
            "about": f"{kind}s of {person.first_name} {person.last_name}",
            "says": [
                ["Who", f"{person.first_name} {person.last_name}, {Role(person.role).label}"],
                ["Instead of", limit_words(current)],
                ["Signs for at most", f"{limit_words(most_cents)} in one {kind}"],
                ["Holds from", time_words(starts, the_property.zone)],
            ],
            "person": person.pk,
            "kind": kind,
            "most_cents": most_cents,
            "holds_from": time_stored(starts),
        },
    )


def propose_limit(new: NewSlip, *, reason: str, pen: Pen, shown: str) -> Slip:
    """Propose a limit, signed by a manager of that person. Raises Refused."""
    return raise_slip(
        new,
        pen=pen,
        shown=shown,
        judge=lambda table, original: Judgement(limit_refusals(new.details)),
        entry=Entry(reason=reason),
    )


def limit_refusals(details: Mapping[str, Any], own: Slip | None = None) -> list[Refusal]:
    """Return why a limit may not be set so. `own` is the slip that says it."""
    person = Person.objects.get(pk=details["person"])
    refusals = []
    if not person.is_active:
        refusals.append(Refusal("not_employed", f"{person} no longer works here."))
    starts = time_on(details) or house.now()
    if house.own_limit_of(person, details["kind"], starts) == details["most_cents"]:
        refusals.append(
            Refusal("nothing_changes", "This is the limit already. Choose another amount.")
        )
    waiting = (
        Slip.objects.filter(
            kind=LIMIT_CHANGE.kind,
            status=SlipStatus.OPEN.value,
            details__person=person.pk,
            details__kind=details["kind"],
        )
        .exclude(pk=own.pk if own else 0)
        .first()
    )
    if waiting is not None:
        refusals.append(
            Refusal("already_proposed", f"{waiting} proposes a limit. Approve or refuse it first.")
        )
    return refusals


@effect("limit_begins")
def _limit_begins(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    _demand_manager(slip, signature)
    return []


@effect("limit_holds")
def _limit_holds(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Let an approved limit hold. Raises Refused when it no longer can."""
    _demand_manager(slip, signature)
    person = lock_person(slip.details["person"])
    starts = demand_ahead(slip.details, at)
    refusals = limit_refusals(slip.details, own=slip)
    if refusals:
        raise Refused(refusals)
    return [
        PersonLimit.objects.create(
            person=person,
            kind=slip.details["kind"],
            most_cents=slip.details["most_cents"],
            holds_from=starts,
            slip=slip,
        )
    ]


def _demand_manager(slip: Slip, signature: Signature) -> None:
    person = Person.objects.get(pk=slip.details["person"])
    demand_another(person.pk, signature)
    demand_rank(Role(signature.role), Role(person.role), person)
