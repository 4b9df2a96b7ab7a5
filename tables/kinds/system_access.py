"""A casino or hotel system gets a scope, or loses it: two people of two departments sign."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.db import models

from pitboss.models import Device, Signature, Slip
from pitboss.rules.floor.fields import Pick, Words
from pitboss.rules.flows.flows import Need, Promise, Readers, Step
from pitboss.rules.refusal import NOT_YOURS, Refusal, refuse
from pitboss.rules.roles import KEEPING_BOOKS, Place, Role
from pitboss.services.drafts import NewSlip
from pitboss.slips.kind import Kind, Raising
from tables.kinds.comp import PAPER
from tables.models import Scope, SystemScope
from tables.services.systems import has_scope

SCOPES: Final = {
    Scope.RATINGS_READ.value: "Read ratings",
    Scope.COMPS_READ.value: "Read comps and points",
    Scope.COMPS_REDEEM.value: "Redeem comps",
    Scope.PATRONS_WRITE.value: "Write names, tiers, and hosts of patrons",
    Scope.LEDGER_READ.value: "Read the journal entries of a closed day",
    Scope.STAFF_READ.value: "Read employees and their licenses",
    Scope.BOOKMARKS_READ.value: "Read what surveillance may bookmark",
    Scope.COUNTS_WRITE.value: "Deliver files of counting machines",
    Scope.STAFF_WRITE.value: "Report who joins, changes, or leaves",
    Scope.GROUP_READ.value: "Read signed statements of closed days for the group",
    Scope.LISTS_READ.value: "Read house bans and self-exclusions, signed, for another property",
}
_CHANGES: Final = {"grant": "Grant", "remove": "Remove"}


def _device(raising: Raising) -> Device | None:
    devices = Device.objects.filter(place=Place.OFFICE.value, table=None)
    return devices.filter(name=raising.given.get("device", "")).first()


def _refusals(raising: Raising) -> list[Refusal]:
    device = _device(raising)
    if device is None:
        return [
            Refusal(
                "unknown_device", "No device of the office has this name. Check Devices.", NOT_YOURS
            )
        ]
    scope = Scope(raising.given["scope"])
    if has_scope(device, scope) is (raising.given["change"] == "grant"):
        return [Refusal("nothing_changes", "That wouldn’t change anything. Choose another scope.")]
    return []


def _drafted(raising: Raising) -> NewSlip:
    device, given = _device(raising), raising.given
    if device is None:
        raise refuse(
            "unknown_device", "No device of the office has this name. Check Devices.", NOT_YOURS
        )
    return NewSlip(
        raising.kind.kind,
        None,
        {},
        details={
            "about": f"{device.name}, {given['scope']}",
            "says": [
                ["System", device.name],
                ["Scope", SCOPES[given["scope"]]],
                ["Change", _CHANGES[given["change"]]],
            ],
            "device": device.pk,
            "scope": given["scope"],
            "granted": given["change"] == "grant",
        },
    )


def _set(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    details = slip.details
    return [
        SystemScope.objects.create(
            device=Device.objects.get(pk=details["device"]),
            scope=details["scope"],
            granted=details["granted"],
            since=at,
            slip=slip,
        )
    ]


SYSTEM_ACCESS = Kind(
    "system_access",
    title="System access",
    series="SA",
    desk="house",
    open_to=frozenset({Role.HOST_MANAGER, Role.SHIFT_MANAGER}),
    lit_by="house",
    at_a_table=False,
    changes_house=True,
    is_change=True,
    asked=(
        Words(name="device", label="Device name", most=60),
        Pick(name="scope", label="Scope", choices=SCOPES),
        Pick(name="change", label="Change", choices=_CHANGES),
    ),
    refusals=_refusals,
    drafted=_drafted,
    steps=(
        Step(
            "proposed",
            done="Proposed",
            do="Propose",
            by=(Role.HOST_MANAGER, Role.SHIFT_MANAGER),
            at=None,
            needs_reason=True,
            attests="I propose this change of what another system may do.",
        ),
        Step(
            "approved",
            done="Approved",
            do="Approve",
            by=(Role.COMPLIANCE, Role.ACCOUNTING),
            at=None,
            why=Need("What another system may do is approved outside operations."),
            attests="I reviewed this change of what another system may do and approve it.",
            then="system_scope_set",
        ),
    ),
    void=(
        Step(
            "refused",
            done="Declined",
            do="Decline",
            by=(Role.COMPLIANCE, Role.ACCOUNTING, Role.HOST_MANAGER, Role.SHIFT_MANAGER),
            at=None,
            may_repeat="proposed",
            needs_reason=True,
            attests="I decline this change for the reason I entered. The access of the system "
            "stays as it was.",
            then="slip_voided",
        ),
    ),
    effects={"system_scope_set": _set},
    readers=Readers(KEEPING_BOOKS | {Role.HOST_MANAGER, Role.SHIFT_MANAGER, Role.COMPLIANCE}),
    promises=(Promise(2, 2),),
    paper=PAPER,
    raised=lambda slip: f"{slip.serial} proposed. Compliance or accounting approves it.",
)
