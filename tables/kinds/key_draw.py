"""A sensitive key leaves its hook: custodian and takers sign, and the custodian takes it back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, time, timedelta
from typing import Any

from django.db import models
from django.http import Http404
from django.urls import reverse

from pitboss.middleware import PitRequest
from pitboss.models import Signature, Slip
from pitboss.paper.forms import Form, Part, Shows
from pitboss.rules.floor.fields import TimeOfDay
from pitboss.rules.floor.keys import (
    CUSTODIANS,
    KEYS,
    TAKERS,
    Key,
    apart_refusals,
    custodian_refusals,
    drawing_refusals,
    due_at,
    taker_refusals,
)
from pitboss.rules.flows.flows import Need, PlanFacts, Promise, Readers, Step
from pitboss.rules.refusal import Refusal, Refused
from pitboss.rules.roles import GUARDING, KEEPING_BOOKS, SUPERVISING, WATCHING, Role
from pitboss.services import house
from pitboss.services.drafts import NewSlip
from pitboss.services.locks import lock_person
from pitboss.slips.kind import Kind, Raising
from tables.models import KeyTaken
from tables.selectors.count_sessions import open_sessions
from tables.selectors.keys import DRAW, keys_had, out_on

_TWO = "two_take_it"
_TAKING = ("taken", "taken_too")


def _key(raising: Raising) -> Key:
    key: Key = raising.given["key"]
    return key


def _begins(request: PitRequest, raising: Raising) -> Raising:
    """Return the draw of the key that the address names."""
    key = KEYS.get(request.GET.get("key", ""))
    if key is None:
        raise Http404("Key not found.")
    return replace(
        raising,
        given={**raising.given, "key": key},
        named={**raising.named, "key": key.code},
    )


def _back_by(given: Mapping[str, Any], now: datetime) -> datetime | None:
    """Return the next time at which the clock of the house shows what was entered."""
    if not given.get("back_by"):
        return None
    here = now.astimezone(house.the_property().zone)
    at = datetime.combine(here.date(), time.fromisoformat(given["back_by"]), here.tzinfo)
    return at if at > here else at + timedelta(days=1)


def _drafted(raising: Raising) -> NewSlip:
    key, now = _key(raising), house.now().replace(second=0, microsecond=0)
    back_by = _back_by(raising.given, now)
    due = due_at(key, now, house.period_at(now).ends, back_by)
    here = due.astimezone(house.the_property().zone)
    return NewSlip(
        DRAW,
        None,
        {},
        details={
            "about": key.title,
            "says": [
                ["Key", key.title],
                ["Taken by", " and ".join(role.label for role in key.takers)],
                ["Back by", f"{here:%b %-d, %H:%M}"],
            ],
            "key": key.code,
            "due": due.isoformat(),
            "custodians": [role.value for role in key.custodians],
        },
    )


def _refusals(raising: Raising) -> list[Refusal]:
    key = _key(raising)
    return drawing_refusals(key, is_out=out_on(key), has_session=bool(open_sessions()))


def _facts(raising: Raising) -> PlanFacts:
    marks = frozenset({_TWO} if len(_key(raising).takers) > 1 else ())
    return PlanFacts({}, marks=marks)


def _two_take_it(facts: PlanFacts) -> bool:
    return _TWO in facts.marks


def _handed_out(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    _demand_custodian(slip, signature)
    return []


def _demand_custodian(slip: Slip, signature: Signature) -> None:
    if refusals := custodian_refusals(KEYS[slip.details["key"]], Role(signature.role)):
        raise Refused(refusals)


def _taken(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Put the key into someone's hand, unless they had its counterpart today. Raises Refused."""
    key = KEYS[slip.details["key"]]
    lock_person(signature.person_id)
    day = house.period_at(at).gaming_day
    before = slip.signatures.filter(track="main", step__in=_TAKING).exclude(pk=signature.pk)
    roles = [Role(role) for role in before.order_by("id").values_list("role", flat=True)]
    refusals = [
        *taker_refusals(key, roles, Role(signature.role)),
        *apart_refusals(key, keys_had(signature.person_id, day), str(signature.person)),
        *drawing_refusals(key, is_out="", has_session=bool(open_sessions())),
    ]
    if refusals:
        raise Refused(refusals)
    return [
        KeyTaken.objects.create(
            slip=slip, key=key.code, person=signature.person, gaming_day=day, at=at
        )
    ]


def _returned(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    _demand_custodian(slip, signature)
    return []


KEY_DRAW = Kind(
    DRAW,
    title="Key",
    series="KY",
    open_to=frozenset(CUSTODIANS) | GUARDING | {Role.SHIFT_MANAGER},
    lit_by="keys",
    at_a_table=False,
    desk="house",
    begins=_begins,
    asked=(
        TimeOfDay(
            name="back_by",
            label="Back by",
            hint="Leave it empty for the usual time.",
            is_needed=False,
        ),
    ),
    drafted=_drafted,
    refusals=_refusals,
    facts=_facts,
    steps=(
        Step(
            "handed_out",
            done="Handed out",
            do="Hand out",
            by=CUSTODIANS,
            at=None,
            attests="I am the custodian of this key. I hand it out to the people who sign below.",
            then="key_handed_out",
        ),
        Step(
            "taken",
            done="Taken",
            do="Take the key",
            by=TAKERS,
            at=None,
            attests="I took this key. I keep it with me until I return it.",
            then="key_taken",
        ),
        Step(
            "taken_too",
            done="Taken with",
            do="Take the key with them",
            by=TAKERS,
            at=None,
            when=_two_take_it,
            why=Need("This key takes two people. Only one has signed."),
            attests="I took this key together with the person who signed above, and stay with it.",
            then="key_taken",
        ),
        Step(
            "returned",
            done="Returned",
            do="Receive the key",
            by=CUSTODIANS,
            at=None,
            may_repeat=("handed_out", "taken", "taken_too"),
            attests="I received this key back and hung it on its hook.",
            then="key_returned",
        ),
    ),
    void=(
        Step(
            "voided",
            done="Voided",
            do="Void",
            by=CUSTODIANS,
            at=None,
            may_repeat="handed_out",
            needs_reason=True,
            attests="I void this slip. I certify that the key is on its hook.",
            then="slip_voided",
        ),
    ),
    effects={
        "key_handed_out": _handed_out,
        "key_taken": _taken,
        "key_returned": _returned,
    },
    shows_unneeded=False,
    readers=Readers(
        SUPERVISING
        | GUARDING
        | WATCHING
        | KEEPING_BOOKS
        | {Role.CASHIER, Role.CAGE_MANAGER, Role.COUNT_TEAM, Role.COMPLIANCE}
    ),
    promises=(Promise(2, 1), Promise(3, 1, having="taken_too")),
    paper=Form(parts=(Part("Original", "To the key log."),), shows=Shows.FACTS, caption="Keys"),
    heading=lambda raising: f"Hand out: {_key(raising).title}",
    back=lambda raising: {"url": reverse("keys"), "label": "Keys"},
    raised=lambda slip: f"{slip.serial} signed. The people who take the key sign next.",
)
