"""A limit of one person: one manager proposes how much they sign for, another approves it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from django.db import models
from django.shortcuts import get_object_or_404
from django.urls import reverse

from pitboss.kinds.of_the_house import READERS, pending_words
from pitboss.middleware import PitRequest
from pitboss.models import Person, PersonLimit, Signature, Slip
from pitboss.paper.forms import HOUSE_FORM
from pitboss.rules.floor.fields import Words
from pitboss.rules.floor.urgency import Urgency
from pitboss.rules.flows.flows import BY_ANOTHER, Promise, SlipStatus, Step
from pitboss.rules.flows.house_flows import LIMIT_CHANGE, MANAGERS, REFUSED
from pitboss.rules.flows.limits import LIMITED_KINDS, limit_words, limited_per
from pitboss.rules.people.proofs import Proved
from pitboss.rules.refusal import NOT_YOURS, Refusal, Refused
from pitboss.rules.roles import Role
from pitboss.rules.settings.kinds import Amount
from pitboss.selectors.limits import limit_history, limits_of
from pitboss.services import house
from pitboss.services.drafts import NewSlip
from pitboss.services.holding import demand_ahead, read_time, time_on, time_stored, time_words
from pitboss.services.locks import lock_person
from pitboss.services.staffing import demand_another, demand_rank
from pitboss.slips.addresses import id_of, new_url
from pitboss.slips.kind import Kind, Look, Raising

_AMOUNT: Final = Amount(100, 1_000_000_000, none_means=limit_words(None))
_FIELDS: Final = ("kind", "most", "from")


def _person(raising: Raising) -> Person:
    person: Person = raising.given["person"]
    return person


def _begins(request: PitRequest, raising: Raising) -> Raising:
    """Return a limit of the person whom its address names."""
    person = get_object_or_404(Person, pk=id_of(request.GET, "person"))
    return replace(
        raising,
        given={**raising.given, "person": person},
        named={**raising.named, "person": person.pk},
    )


def _drafted(raising: Raising) -> NewSlip:
    entered = (raising.given.get(name, "") for name in _FIELDS)
    return drafted_limit(_person(raising), *entered)


def _refusals(raising: Raising) -> list[Refusal]:
    """Return why a limit may not be proposed, what cannot be read included."""
    try:
        return _limit_refusals(raising.new().details)
    except Refused as refused:
        return list(refused.refusals)


def drafted_limit(person: Person, kind: str, entered: str, holds_from: str) -> NewSlip:
    """Draft the limit that a manager entered. Raises Refused with every reason."""
    the_property = house.the_property()
    refusals: list[Refusal] = []
    most_cents, starts = None, None
    if kind not in LIMITED_KINDS:
        refusals.append(
            Refusal("kind_unknown", f"Choose what is limited: {' or '.join(LIMITED_KINDS)}.")
        )
    try:
        most_cents = _AMOUNT.read(entered)
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
        LIMIT_CHANGE,
        None,
        {},
        details={
            "about": f"{kind}s of {person.first_name} {person.last_name}",
            "says": [
                ["Who", f"{person.first_name} {person.last_name}, {Role(person.role).label}"],
                ["Instead of", limit_words(current)],
                ["Signs for at most", f"{limit_words(most_cents)} {limited_per(kind)}"],
                ["Effective", time_words(starts, the_property.zone)],
            ],
            "person": person.pk,
            "kind": kind,
            "most_cents": most_cents,
            "holds_from": time_stored(starts),
        },
    )


def _limit_refusals(details: Mapping[str, Any], own: Slip | None = None) -> list[Refusal]:
    """Return why a limit may not be set so. `own` is the slip that says it."""
    person = Person.objects.get(pk=details["person"])
    refusals = []
    if not person.is_active:
        refusals.append(
            Refusal(
                "not_employed", f"{person} no longer works here. Choose someone else.", NOT_YOURS
            )
        )
    starts = time_on(details) or house.now()
    if house.own_limit_of(person, details["kind"], starts) == details["most_cents"]:
        refusals.append(
            Refusal("nothing_changes", "This is already the limit. Choose another amount.")
        )
    waiting = (
        Slip.objects.filter(
            kind=LIMIT_CHANGE,
            status=SlipStatus.OPEN.value,
            details__person=person.pk,
            details__kind=details["kind"],
        )
        .exclude(pk=own.pk if own else 0)
        .first()
    )
    if waiting is not None:
        refusals.append(
            Refusal(
                "already_proposed", f"{waiting} is already pending. Approve or decline it first."
            )
        )
    return refusals


def _limit_begins(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    _demand_manager(slip, signature)
    return []


def _limit_holds(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Let an approved limit hold. Raises Refused when it no longer can."""
    _demand_manager(slip, signature)
    person = lock_person(slip.details["person"])
    starts = demand_ahead(slip.details, at)
    refusals = _limit_refusals(slip.details, own=slip)
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


def limits_shown(request: PitRequest, person: Person, entered: Mapping[str, str]) -> dict[str, Any]:
    """Return someone's limits as their page shows them, with what was entered for another."""
    name = f"{person.first_name} {person.last_name}"
    return {
        "heading": f"{name} limits",
        "back": {"url": reverse("person-edit", args=[person.pk]), "label": name},
        "url": new_url(LIMIT_CHANGE, person=person.pk),
        "person": person,
        "limits": limits_of(person, request.house),
        "history": limit_history(person),
        "kinds": LIMITED_KINDS,
        "hint": _AMOUNT.hint,
        "keyed": {name: entered.get(name, "") for name in _FIELDS},
        "may_propose": request.role in MANAGERS and person.is_active,
    }


def _look(request: PitRequest, raising: Raising, refused: Refused | None) -> Look:
    entered = request.POST if refused else request.GET
    return "pitboss/limits.html", limits_shown(request, _person(raising), entered)


def _back(raising: Raising) -> dict[str, str]:
    return {"url": reverse("person-limits", args=[_person(raising).pk]), "label": "Limits"}


LIMIT_KIND = Kind(
    LIMIT_CHANGE,
    title="Limit",
    series="HL",
    open_to=frozenset(MANAGERS),
    lit_by="people",
    at_a_table=False,
    desk="people",
    is_change=True,
    changes_house=True,
    begins=_begins,
    asked=tuple(
        Words(name=name, label=name.capitalize(), most=40, is_needed=False) for name in _FIELDS
    ),
    drafted=_drafted,
    refusals=_refusals,
    urgency=Urgency.FORM,
    proves=Proved.PEOPLE,
    steps=(
        Step(
            "proposed",
            done="Proposed",
            do="Propose",
            by=MANAGERS,
            at=None,
            needs_reason=True,
            attests="I propose this signing limit for this person, effective at the time shown.",
            then="limit_begins",
        ),
        Step(
            "approved",
            done="Approved",
            do="Approve",
            why=BY_ANOTHER,
            by=MANAGERS,
            at=None,
            attests="I know what this person signs for and approve this limit.",
            then="limit_holds",
        ),
    ),
    void=REFUSED,
    effects={"limit_begins": _limit_begins, "limit_holds": _limit_holds},
    readers=READERS,
    promises=(Promise(2, 1),),
    paper=HOUSE_FORM,
    look=_look,
    heading=lambda raising: f"{_person(raising)} limits",
    back=_back,
    raised=pending_words,
)
