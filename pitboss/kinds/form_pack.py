"""Packs of numbered forms: accounting issues them to a pit or the cage, and takes them back.

The numbers come from the server. What is not entered late comes back on a return: unused, or void
with the reason.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final
from uuid import uuid4

from django.db import models
from django.urls import reverse

from pitboss.kinds.outage import FORM_READERS
from pitboss.middleware import PitRequest
from pitboss.models import PaperForm, Signature, Slip
from pitboss.paper.forms import Form, Part, Shows
from pitboss.rules.day.outages import FORM_PACK as PACK
from pitboss.rules.day.outages import FORM_RETURN as RETURN
from pitboss.rules.day.outages import (
    PACK_MAX,
    THE_CAGE,
    FormEnd,
    form_number,
    pack_refusals,
    read_range,
)
from pitboss.rules.floor.fields import Number, Words
from pitboss.rules.flows.flows import (
    Need,
    PlanFacts,
    Promise,
    Readers,
    SlipStatus,
    Step,
    void_witnessed,
)
from pitboss.rules.refusal import Refusal, Refused
from pitboss.rules.roles import AT_THE_CAGE, KEEPING_BOOKS, SUPERVISING, WATCHING, Place, Role
from pitboss.selectors.outages import fallback_kinds, holder_words, holders, next_number
from pitboss.services.drafts import NewSlip
from pitboss.services.outages import end_forms
from pitboss.services.signing import set_status
from pitboss.slips.addresses import own_url
from pitboss.slips.kind import Kind, Look, Raising

_TO_CAGE: Final = "to_cage"
_RANGE_MAX: Final = 2_000


def _is_for_cage(facts: PlanFacts) -> bool:
    return _TO_CAGE in facts.marks


def _is_for_pit(facts: PlanFacts) -> bool:
    return _TO_CAGE not in facts.marks


def _facts(raising: Raising) -> PlanFacts:
    to_cage = raising.new().details["holder"] == THE_CAGE
    return PlanFacts({}, marks=frozenset({_TO_CAGE} if to_cage else ()))


def _drafted(raising: Raising) -> NewSlip:
    code, forms = raising.given["code"], raising.given["forms"]
    holder = raising.given["holder"]
    kind = fallback_kinds().get(code)
    title = kind.on_paper.title if kind and kind.on_paper else code
    first = next_number(code)
    last = first + forms - 1
    return NewSlip(
        raising.kind.kind,
        None,
        {},
        details={
            "code": code,
            "first": first,
            "last": last,
            "holder": holder,
            "holder_words": holder_words(holder),
            "says": [
                ["Forms", f"{forms} {title.lower()} forms"],
                ["First", form_number(code, first)],
                ["Last", form_number(code, last)],
                ["Issued to", holder_words(holder)],
            ],
        },
    )


def _refusals(raising: Raising) -> list[Refusal]:
    details = raising.new().details
    refusals = []
    kind = fallback_kinds().get(details["code"])
    if kind is None or kind.on_paper is None:
        refusals.append(Refusal("form_kind", "Choose which form to issue."))
    elif details["holder"] != THE_CAGE and not kind.on_paper.at_a_table:
        refusals.append(Refusal("form_holder", "Only the cage uses this form. Issue it there."))
    if details["holder"] not in [name for name, _ in holders()]:
        refusals.append(Refusal("form_holder", "Choose the pit or the cage that gets the forms."))
    forms = details["last"] - details["first"] + 1
    return [*refusals, *pack_refusals(forms, details["first"], next_number(details["code"]))]


def _issued(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Put the numbers of a pack on file; from here on each of them has to end."""
    numbers = range(slip.details["first"], slip.details["last"] + 1)
    rows = [PaperForm(pack=slip, code=slip.details["code"], number=number) for number in numbers]
    return list(PaperForm.objects.bulk_create(rows))


def _pack_voided(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Void a pack that no one has received: its numbers stay used, and are void."""
    numbers = range(slip.details["first"], slip.details["last"] + 1)
    rows = end_forms(slip, slip, numbers, FormEnd.VOID, at)
    set_status(slip, SlipStatus.VOIDED)
    return list(rows)


def _pack_look(request: PitRequest, raising: Raising, refused: Refused | None) -> Look:
    given = request.POST if refused else request.GET
    return "pitboss/form_pack_new.html", {
        "url": own_url(raising),
        "request_id": str(uuid4()),
        "codes": [
            {
                "value": code,
                "label": kind.on_paper.title if kind.on_paper else code,
                "is_chosen": given.get("code") == code,
            }
            for code, kind in fallback_kinds().items()
        ],
        "holders": [
            {"value": name, "label": words, "is_chosen": given.get("holder") == name}
            for name, words in holders()
        ],
        "forms": given.get("forms", "50"),
        "most": PACK_MAX,
    }


_RECEIVED: Final = (
    "I received these forms. I checked the first and the last number, and that none is missing."
)

FORM_PACK = Kind(
    PACK,
    title="Form pack",
    series="FP",
    open_to=frozenset({Role.ACCOUNTING}),
    lit_by="outages",
    desk="house",
    at_a_table=False,
    asked=(
        Words(name="code", label="Form", most=2),
        Number(name="forms", label="How many", least=1, most=PACK_MAX),
        Words(name="holder", label="Issued to", most=60),
    ),
    refusals=_refusals,
    facts=_facts,
    drafted=_drafted,
    steps=(
        Step(
            "issued",
            done="Issued",
            do="Issue",
            by=Role.ACCOUNTING,
            at=Place.OFFICE,
            attests="I issue the numbered forms listed on this slip to the holder named on it.",
            then="pack_issued",
        ),
        Step(
            "received",
            done="Received by the pit",
            do="Receive",
            by=Role.SUPERVISOR,
            at=Place.PIT,
            when=_is_for_pit,
            why=Need("Accounting issues forms; the pit that keeps them signs for them."),
            attests=_RECEIVED,
        ),
        Step(
            "received_cage",
            done="Received by the cage",
            do="Receive",
            by=Role.CASHIER,
            at=Place.CAGE,
            when=_is_for_cage,
            why=Need("Accounting issues forms; the cage that keeps them signs for them."),
            attests=_RECEIVED,
        ),
    ),
    shows_unneeded=False,
    void=(
        Step(
            "voided",
            done="Voided",
            do="Void",
            by=Role.ACCOUNTING,
            at=Place.OFFICE,
            may_repeat="issued",
            needs_reason=True,
            attests="I void this pack. I certify that every form in it was destroyed.",
        ),
        void_witnessed(
            (Role.SHIFT_MANAGER, Role.CAGE_MANAGER, Role.SURVEILLANCE), then="pack_voided"
        ),
    ),
    effects={"pack_issued": _issued, "pack_voided": _pack_voided},
    readers=Readers(SUPERVISING | AT_THE_CAGE | KEEPING_BOOKS | WATCHING),
    promises=(Promise(2, 2),),
    paper=Form(
        parts=(
            Part("Original", "To accounting, with the register of forms."),
            Part("Copy", "In the pack, with the forms."),
        ),
        shows=Shows.FACTS,
        caption="Forms for outages",
    ),
    look=_pack_look,
    heading=lambda raising: "Issue a form pack",
    raised=lambda pack: f"Form pack {pack.serial} issued. Print the forms and hand them over.",
    goes_on=lambda pack: reverse("outages"),
)


def _pack_of(raising: Raising) -> Slip:
    assert raising.original is not None, "forms come back to their pack"
    return raising.original


def _read(raising: Raising, name: str, issued: range) -> tuple[list[int], list[Refusal]]:
    try:
        return read_range(raising.given.get(name, ""), issued), []
    except Refused as refused:
        return [], list(refused.refusals)


def _returned(raising: Raising) -> tuple[list[int], list[int], list[Refusal]]:
    pack = _pack_of(raising)
    issued = range(pack.details["first"], pack.details["last"] + 1)
    unused, bad_unused = _read(raising, "unused", issued)
    void, bad_void = _read(raising, "void", issued)
    return unused, void, [*bad_unused, *bad_void]


def _return_drafted(raising: Raising) -> NewSlip:
    pack = _pack_of(raising)
    unused, void, _ = _returned(raising)
    return NewSlip(
        raising.kind.kind,
        None,
        {},
        pack.pk,
        details={
            "pack": pack.serial,
            "holder": pack.details["holder"],
            "unused": unused,
            "void": void,
            "why": raising.given.get("why", ""),
            "says": [
                ["Pack", pack.serial],
                ["Returned unused", _numbers(pack, unused)],
                ["Void", _numbers(pack, void)],
                *([["Why void", raising.given["why"]]] if raising.given.get("why") else []),
            ],
        },
    )


def _numbers(pack: Slip, numbers: list[int]) -> str:
    """Say numbers of a pack, those that follow each other as from and to.

    Every number is read off the page by the person who counts the forms.
    """
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    code = pack.details["code"]
    named = [
        form_number(code, run[0])
        if len(run) == 1
        else f"{form_number(code, run[0])} to {form_number(code, run[-1])} ({len(run)})"
        for run in runs
    ]
    return ", ".join(named) or "none"


def _return_refusals(raising: Raising) -> list[Refusal]:
    unused, void, refusals = _returned(raising)
    if not refusals and not unused and not void:
        refusals.append(Refusal("no_forms", "Enter the forms that come back."))
    both = sorted(set(unused) & set(void))
    if both:
        named = ", ".join(map(str, both))
        refusals.append(Refusal("form_twice", f"Entered twice: {named}. Enter each form once."))
    if void and not raising.given.get("why", "").strip():
        refusals.append(Refusal("void_reason", "Enter why these forms are void."))
    return refusals


def _return_facts(raising: Raising) -> PlanFacts:
    to_cage = _pack_of(raising).details["holder"] == THE_CAGE
    return PlanFacts({}, marks=frozenset({_TO_CAGE} if to_cage else ()))


def _came_home(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """End the forms that accounting has counted in. Raises Refused for one that ended otherwise."""
    pack = slip.refers_to
    assert pack is not None, "forms come back to their pack"
    return [
        *end_forms(slip, pack, slip.details["unused"], FormEnd.UNUSED, at),
        *end_forms(slip, pack, slip.details["void"], FormEnd.VOID, at),
    ]


def _return_shows(slip: Slip) -> Mapping[str, Any]:
    return {"unused": slip.details["unused"], "void": slip.details["void"]}


_BROUGHT: Final = (
    "I return these forms. I counted them. The void ones are marked VOID, or the reason says where "
    "they are."
)

FORM_RETURN = Kind(
    RETURN,
    title="Forms returned",
    series="FP",
    open_to=SUPERVISING | AT_THE_CAGE,
    lit_by="outages",
    desk="house",
    at_a_table=False,
    refers_to=(PACK,),
    must_refer=True,
    offers="Return forms…",
    asked=(
        Words(name="unused", label="Returned unused", is_needed=False, most=_RANGE_MAX),
        Words(name="void", label="Void", is_needed=False, most=_RANGE_MAX),
        Words(name="why", label="Why void", is_needed=False),
    ),
    refusals=_return_refusals,
    facts=_return_facts,
    drafted=_return_drafted,
    steps=(
        Step(
            "returned",
            done="Returned",
            do="Return",
            by=(Role.SUPERVISOR, Role.CASHIER),
            at=None,
            attests=_BROUGHT,
        ),
        Step(
            "counted_in",
            done="Counted in",
            do="Count in",
            by=Role.ACCOUNTING,
            at=Place.OFFICE,
            why=Need("Accounting keeps the numbered forms and counts them in."),
            attests="I counted the forms listed on this slip number by number, and I accept them.",
            then="forms_came_home",
        ),
    ),
    void=(
        Step(
            "voided",
            done="Voided",
            do="Void",
            by=(Role.SUPERVISOR, Role.CASHIER, Role.ACCOUNTING),
            at=None,
            may_repeat="returned",
            needs_reason=True,
            attests="I void this return. The forms are to be listed again.",
        ),
        void_witnessed((Role.PIT_MANAGER, Role.CAGE_MANAGER, Role.ACCOUNTING, Role.SURVEILLANCE)),
    ),
    effects={"forms_came_home": _came_home},
    readers=Readers(FORM_READERS),
    promises=(Promise(2, 2),),
    paper=Form(
        parts=(Part("Original", "To accounting, with the forms."),),
        refers_as="Forms of",
        referred_as="Forms returned on",
        shows=Shows.FACTS,
        caption="Forms for outages",
    ),
    heading=lambda raising: f"Return forms of {_pack_of(raising).serial}",
    raised=lambda slip: f"{slip.serial} signed. Accounting counts the forms in.",
    shows=_return_shows,
)
