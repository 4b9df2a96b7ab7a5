"""A list put in force: compliance signs what it changes; a second person where many rows vanish."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from django.db import models
from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.urls import reverse

from inventory.models import ListUpload, ListVersion
from inventory.selectors.exclusion import title_of
from inventory.services.exclusion_lists import (
    Brought,
    brought_in,
    diff_with,
    end_stale,
    put_in_force,
)
from pitboss.middleware import PitRequest
from pitboss.models import Signature, Slip
from pitboss.paper.forms import Form, Part, Shows
from pitboss.rules.flows.flows import Need, PlanFacts, Promise, Readers, SlipStatus, Step
from pitboss.rules.patrons.exclusion import ListKind
from pitboss.rules.patrons.exclusion_lists import Diff
from pitboss.rules.refusal import CONFLICT, Refusal, refuse
from pitboss.rules.roles import Role
from pitboss.services.drafts import NewSlip
from pitboss.services.journal import plain_time
from pitboss.slips.addresses import id_of
from pitboss.slips.kind import Kind, Raising

# So many of each are named on the slip; the file has them all.
_NAMED_MAX = 12
_VANISHING = "many_vanish"


def _upload_of(raising: Raising) -> ListUpload:
    upload: ListUpload = raising.given["upload"]
    return upload


def _begins(request: PitRequest, raising: Raising) -> Raising:
    """Return the import of the file that the address names."""
    upload = get_object_or_404(ListUpload, pk=id_of(request.GET, "upload"))
    return replace(raising, given={"upload": upload}, named={"upload": upload.pk})


def _named(ids: tuple[str, ...]) -> str:
    more = f" and {len(ids) - _NAMED_MAX:,} more" if len(ids) > _NAMED_MAX else ""
    return f"{len(ids):,}" + (f": {', '.join(ids[:_NAMED_MAX])}{more}" if ids else "")


def _drafted(raising: Raising) -> NewSlip:
    upload = _upload_of(raising)
    brought = brought_in(upload)
    people, diff = brought.people, diff_with(brought)
    label = title_of(brought.kind, brought.source)
    return NewSlip(
        raising.kind.kind,
        None,
        {},
        details={
            "about": f"{label}, {len(people):,} rows",
            "says": [
                ["List", label],
                ["Rows", f"{len(people):,}, before {diff.stood:,}"],
                ["Added", _named(diff.added)],
                ["Changed", _named(diff.changed)],
                ["Removed", _named(diff.removed)],
                ["File", f"SHA-256 {upload.content_hash}"],
            ],
            "upload": upload.pk,
            "list": upload.list,
            "sha256": upload.content_hash,
            "diff": _counts(diff),
            **_signed(brought),
        },
    )


def _signed(brought: Brought) -> dict[str, str]:
    """Return who signed a list of another property, and when."""
    if brought.made_at is None:
        return {}
    return {"source": brought.source, "made_at": plain_time(brought.made_at)}


def _counts(diff: Diff) -> dict[str, int]:
    return {
        "stood": diff.stood,
        "added": len(diff.added),
        "changed": len(diff.changed),
        "removed": len(diff.removed),
    }


def _refusals(raising: Raising) -> list[Refusal]:
    upload = _upload_of(raising)
    refusals = []
    if ListVersion.objects.filter(upload=upload).exists():
        refusals.append(
            Refusal(
                "already_imported", "This file is already in effect. Choose a newer one.", CONFLICT
            )
        )
    signed = _signed(brought_in(upload))
    if signed and _newer(raising, upload, signed).exists():
        refusals.append(
            Refusal(
                "list_older",
                f"A newer list of {signed['source']} is in effect. Ask them for today’s.",
                CONFLICT,
            )
        )
    waiting = Slip.objects.filter(
        kind=raising.kind.kind, status=SlipStatus.OPEN.value, details__list=upload.list
    ).first()
    if waiting is not None:
        refusals.append(
            Refusal("already_proposed", f"{waiting} is pending. Sign or decline it first.")
        )
    return refusals


def _newer(raising: Raising, upload: ListUpload, signed: dict[str, str]) -> QuerySet[Slip]:
    """Return the slips by which the same property's list was imported as it is now, or later."""
    return Slip.objects.filter(
        kind=raising.kind.kind,
        status=SlipStatus.DONE.value,
        details__list=upload.list,
        details__source=signed["source"],
        details__made_at__gte=signed["made_at"],
    )


def _facts(raising: Raising) -> PlanFacts:
    many = diff_with(brought_in(_upload_of(raising))).needs_second
    return PlanFacts({}, marks=frozenset({_VANISHING} if many else ()))


def _many_vanish(facts: PlanFacts) -> bool:
    return _VANISHING in facts.marks


def _ends(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Let the file count, once all have signed what it changes. Raises Refused."""
    if slip.status != SlipStatus.DONE.value:
        return []  # A second person signs first.
    upload = ListUpload.objects.get(pk=slip.details["upload"])
    if _counts(diff_with(brought_in(upload))) != slip.details["diff"]:
        raise refuse(
            "list_changed",
            "The list changed since this file was compared. Decline it and import again.",
            CONFLICT,
        )
    rows = put_in_force(upload, slip, at)
    end_stale(ListKind(upload.list), slip, signature.person, at)
    return rows


def _raised(slip: Slip) -> str:
    if slip.status == SlipStatus.DONE.value:
        return f"{slip.serial} is in effect."
    return (
        f"{slip.serial} is pending. More than 5% of the rows are removed, so someone else must "
        "sign."
    )


LIST_IMPORT = Kind(
    "list_import",
    title="Exclusion list",
    series="XL",
    desk="people",
    open_to=frozenset({Role.COMPLIANCE}),
    lit_by="compliance",
    at_a_table=False,
    begins=_begins,
    refusals=_refusals,
    refuses_at_once=True,
    facts=_facts,
    drafted=_drafted,
    steps=(
        Step(
            "imported",
            done="Imported",
            do="Import",
            by=Role.COMPLIANCE,
            at=None,
            attests="I received this list from its source, reviewed what it changes, and import "
            "it.",
            then="list_imported",
        ),
        Step(
            "seconded",
            done="Second signature",
            do="Sign second",
            by=(Role.COMPLIANCE, Role.SHIFT_MANAGER),
            at=None,
            when=_many_vanish,
            why=Need("More than 5% of the rows are removed. A second person must sign."),
            attests="I compared this list with its source and certify that the removed rows are "
            "no longer on it.",
            then="list_imported",
        ),
    ),
    void=(
        Step(
            "refused",
            done="Refused",
            do="Refuse",
            by=(Role.COMPLIANCE, Role.SHIFT_MANAGER),
            at=None,
            may_repeat="imported",
            needs_reason=True,
            attests="I decline this list. The list in force stays.",
            then="slip_voided",
        ),
    ),
    effects={"list_imported": _ends},
    readers=Readers(frozenset({Role.COMPLIANCE, Role.SHIFT_MANAGER, Role.AUDITOR})),
    promises=(Promise(1, 1), Promise(2, 1, having="seconded")),
    paper=Form(
        parts=(Part("Original", "To compliance, with the file of the list."),),
        shows=Shows.FACTS,
        caption="Exclusion",
    ),
    heading=lambda raising: f"{ListKind(_upload_of(raising).list).label} list",
    back=lambda raising: {"url": reverse("exclusion-lists"), "label": "Lists"},
    raised=_raised,
    goes_on=lambda slip: (
        reverse("exclusion-lists")
        if slip.status == SlipStatus.DONE.value
        else reverse("slip", args=[slip.serial])
    ),
)
