"""A wrong entry of the cash log taken out of the sums: never edited, reversed.

One person says what is wrong with it, another approves; both entries stay in the log.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Final

from django.db import models
from django.shortcuts import get_object_or_404
from django.urls import reverse

from inventory.kinds.marker import OWED_READERS
from inventory.models import CashEntry
from inventory.selectors.cash_log import whose
from inventory.services.cash_log import reversal_refusals, reverse_cash
from inventory.services.currency_reports import lock_whose
from pitboss.middleware import PitRequest
from pitboss.models import Signature, Slip
from pitboss.paper.forms import Form, Part, Shows
from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.flows.flows import BY_ANOTHER, Promise, SlipStatus, Step
from pitboss.rules.patrons.cash_log import CashKind
from pitboss.rules.refusal import Refusal
from pitboss.rules.roles import AT_THE_CAGE, SUPERVISING, Role
from pitboss.services import house
from pitboss.services.drafts import NewSlip
from pitboss.slips.addresses import id_of
from pitboss.slips.kind import Kind, Raising

_APPROVING: Final = (Role.PIT_MANAGER, Role.CAGE_MANAGER, Role.COMPLIANCE)


def _entry_of(raising: Raising) -> CashEntry:
    entry: CashEntry = raising.given["entry"]
    return entry


def _begins(request: PitRequest, raising: Raising) -> Raising:
    """Return a correction of the entry that the address names."""
    entries = CashEntry.objects.select_related("patron", "stranger", "table")
    entry = get_object_or_404(entries, pk=id_of(request.GET, "entry"))
    return replace(raising, given={"entry": entry}, named={"entry": entry.pk})


def _locked(raising: Raising) -> Raising:
    entry = _entry_of(raising)
    lock_whose(entry.patron, entry.stranger)
    return raising


def _drafted(raising: Raising) -> NewSlip:
    entry = _entry_of(raising)
    at = entry.at.astimezone(house.the_property().zone)
    cash, amount = CashKind(entry.kind).label, format_money(entry.amount_cents)
    return NewSlip(
        raising.kind.kind,
        None,
        {},
        details={
            "entry": entry.pk,
            "about": f"{cash} {amount}",
            "says": [
                ["Whose", whose(entry.patron, entry.stranger).name],
                ["Cash", f"{cash}, {amount}"],
                ["Logged", f"{at:%a, %b %-d, %Y, %H:%M} by {entry.signed_as}"],
                ["Where", str(entry.table or "cage")],
            ],
        },
    )


def _refusals(raising: Raising) -> list[Refusal]:
    entry = _entry_of(raising)
    refusals = reversal_refusals(entry)
    waiting = Slip.objects.filter(
        kind=raising.kind.kind, status=SlipStatus.OPEN.value, details__entry=entry.pk
    ).first()
    if waiting is not None:
        words = f"{waiting} is pending. Approve or decline it first."
        refusals.append(Refusal("already_proposed", words))
    return refusals


def _reversed(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Take an entry out of the sum of its own gaming day, whenever that was."""
    entry = CashEntry.objects.select_related("patron", "stranger", "table").get(
        pk=slip.details["entry"]
    )
    return reverse_cash(entry, slip, signature, at)


def _back(raising: Raising) -> dict[str, str]:
    entry = _entry_of(raising)
    day, person = entry.gaming_day.isoformat(), whose(entry.patron, entry.stranger)
    return {"url": reverse("cash-person", args=[day, person.key]), "label": "Person"}


CASH_CORRECTION = Kind(
    "cash_correction",
    title="Cash log correction",
    series="CL",
    corrects=True,
    open_to=SUPERVISING | AT_THE_CAGE,
    lit_by="cash_log",
    at_a_table=False,
    begins=_begins,
    locks=_locked,
    refusals=_refusals,
    refuses_at_once=True,
    drafted=_drafted,
    steps=(
        Step(
            "proposed",
            done="Proposed",
            do="Propose",
            by=(Role.SUPERVISOR, Role.CASHIER),
            at=None,
            needs_reason=True,
            reason_label="What is wrong with it",
            attests="I certify that this cash log entry is wrong, for the reason I entered.",
        ),
        Step(
            "approved",
            done="Approved",
            do="Approve",
            why=BY_ANOTHER,
            by=_APPROVING,
            at=None,
            attests="I investigated this entry and approve removing it from the day’s total. "
            "Both entries stay on record.",
            then="cash_reversed",
        ),
    ),
    void=(
        Step(
            "refused",
            done="Refused",
            do="Refuse",
            by=(*_APPROVING, Role.SUPERVISOR, Role.CASHIER),
            at=None,
            may_repeat="proposed",
            needs_reason=True,
            attests="I investigated this entry and certify that it is correct. It stays in the "
            "day’s total.",
            then="slip_voided",
        ),
    ),
    effects={"cash_reversed": _reversed},
    readers=OWED_READERS,
    promises=(Promise(2, 1),),
    paper=Form(
        parts=(Part("Original", "To accounting with the cash log of the day."),),
        shows=Shows.FACTS,
        caption="Cash log",
    ),
    heading=lambda raising: f"Reverse entry {_entry_of(raising).pk}",
    back=_back,
    raised=lambda slip: f"{slip.serial} is pending. Another person must approve it.",
)
