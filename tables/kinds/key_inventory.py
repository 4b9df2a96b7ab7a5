"""The physical inventory of the keys: every three months two departments look at every hook."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from django.db import models
from django.urls import reverse

from pitboss.middleware import PitRequest
from pitboss.models import Signature, Slip
from pitboss.paper.forms import Form, Part, Shows
from pitboss.rules.floor.fields import Each
from pitboss.rules.floor.keys import KEYS, HookFound, inventory_refusals, inventory_wrong
from pitboss.rules.floor.urgency import Urgency
from pitboss.rules.flows.flows import Need, Promise, Readers, SlipStatus, Step
from pitboss.rules.refusal import CONFLICT, Refusal, Refused
from pitboss.rules.roles import GUARDING, KEEPING_BOOKS, Role
from pitboss.services.drafts import NewSlip
from pitboss.services.exceptions import KEY_MISSING, open_exception
from pitboss.slips.addresses import own_url
from pitboss.slips.kind import Kind, Look, Raising
from tables.selectors.keys import INVENTORY, draws_open

_SECONDING = (Role.ACCOUNTING, Role.CAGE_MANAGER, Role.PIT_MANAGER)


def _found(raising: Raising) -> Mapping[str, str]:
    found: Mapping[str, str] = raising.given.get("key", {})
    return {code: found.get(code, "") for code in KEYS}


def _drafted(raising: Raising) -> NewSlip:
    found = _found(raising)
    words = {hook_found.value: hook_found.label for hook_found in HookFound}
    return NewSlip(
        INVENTORY,
        None,
        {},
        details={
            "about": f"{len(found)} keys",
            "says": [[KEYS[code].title, words.get(where, "")] for code, where in found.items()],
            "found": dict(found),
            "out": [slip.details["key"] for slip in draws_open()],
        },
    )


def _refusals(raising: Raising) -> list[Refusal]:
    refusals = inventory_refusals(_found(raising))
    under_way = Slip.objects.filter(kind=INVENTORY, status=SlipStatus.OPEN.value).first()
    if under_way is not None:
        words = f"{under_way} is being signed. Sign or void it first."
        refusals.append(Refusal("count_under_way", words, CONFLICT))
    return refusals


def _verified(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Tell of keys that are not where they should be."""
    wrong = inventory_wrong(slip.details["found"], slip.details["out"])
    if wrong:
        open_exception(
            code=KEY_MISSING,
            sentence=f"{slip.serial}: not where they should be: {', '.join(wrong)}."[:500],
            details={"keys": wrong},
            at=at,
            person=signature.person,
            slip=slip,
        )
    return []


def _look(request: PitRequest, raising: Raising, refused: Refused | None) -> Look:
    chosen = request.POST if refused else request.GET
    return "tables/key_inventory.html", {
        "url": own_url(raising),
        "keys": [
            {"code": code, "title": key.title, "chosen": chosen.get(f"key_{code}", "")}
            for code, key in KEYS.items()
        ],
        "places": [
            {"value": hook_found.value, "label": hook_found.label} for hook_found in HookFound
        ],
    }


KEY_INVENTORY = Kind(
    INVENTORY,
    title="Key inventory",
    series="KZ",
    open_to=frozenset({Role.SECURITY_MANAGER, Role.SECURITY}),
    lit_by="keys",
    at_a_table=False,
    desk="house",
    asked=(Each(name="key", label="Keys"),),
    drafted=_drafted,
    refusals=_refusals,
    urgency=Urgency.FORM,
    steps=(
        Step(
            "counted",
            done="Counted",
            do="Count",
            by=Role.SECURITY,
            at=None,
            attests="I checked every hook and entered what I found.",
        ),
        Step(
            "verified",
            done="Verified",
            do="Verify",
            why=Need("Another department verifies the inventory of the keys."),
            by=_SECONDING,
            at=None,
            attests="I checked every hook myself and found the same.",
            then="keys_counted",
        ),
    ),
    void=(
        Step(
            "voided",
            done="Voided",
            do="Void",
            by=(Role.SECURITY, *_SECONDING),
            at=None,
            may_repeat="counted",
            needs_reason=True,
            attests="I void this inventory. The keys are counted again.",
            then="slip_voided",
        ),
    ),
    effects={"keys_counted": _verified},
    readers=Readers(
        GUARDING
        | KEEPING_BOOKS
        | {Role.CAGE_MANAGER, Role.PIT_MANAGER, Role.SHIFT_MANAGER, Role.COMPLIANCE}
    ),
    promises=(Promise(2, 2),),
    paper=Form(parts=(Part("Original", "To the key log."),), shows=Shows.FACTS, caption="Keys"),
    look=_look,
    heading=lambda raising: "Key inventory",
    back=lambda raising: {"url": reverse("keys"), "label": "Keys"},
    raised=lambda slip: f"{slip.serial} signed. Another department verifies it.",
)
