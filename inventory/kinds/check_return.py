"""A check that the bank returned: accounting enters it, straight from the bank.

It is a check that paid markers, or one of a batch: a marker too, or a check that went there again.
What the check had paid is owed again, and the patron’s credit is suspended in the same transaction,
so that no marker goes out on a line that a bad check seemed to free. It stays suspended until two
people restore it.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Final

from django.db import models
from django.shortcuts import get_object_or_404

from inventory.kinds.marker import OWED_READERS
from inventory.models import (
    CheckDeposit,
    MarkerEntry,
    MarkerMove,
    PatronStanding,
    ReturnedCheck,
    ReturnedDeposit,
)
from inventory.selectors.checks import at_the_bank, parts_of, serial_of
from inventory.selectors.credit import standing_of
from inventory.services.patrons import lock_patron
from pitboss.middleware import PitRequest
from pitboss.models import Signature, Slip
from pitboss.paper.forms import HOUSE_FORM
from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.flows.flows import Promise, SlipStatus, Step
from pitboss.rules.patrons.patrons import Standing
from pitboss.rules.refusal import CONFLICT, Refusal, Refused
from pitboss.rules.roles import Role
from pitboss.services.drafts import NewSlip
from pitboss.slips.addresses import id_of, new_url
from pitboss.slips.correcting import correction_of
from pitboss.slips.kind import Kind, Look, Raising

BATCH: Final = "check_deposit"


def _original(raising: Raising) -> Slip:
    assert raising.original is not None, "a return is of a payment or of a batch"
    return raising.original


def _deposit(raising: Raising) -> CheckDeposit | None:
    deposit: CheckDeposit | None = raising.given.get("deposit")
    return deposit


def _begins(request: PitRequest, raising: Raising) -> Raising:
    """Return a return of the check of a batch that the address names, if it names one."""
    if _original(raising).kind != BATCH or (named := id_of(request.GET, "check")) is None:
        return raising
    batch = CheckDeposit.objects.select_related("marker__slip", "instrument__slip", "patron")
    deposit = get_object_or_404(batch, pk=named, slip=_original(raising))
    return replace(
        raising,
        given={**raising.given, "deposit": deposit},
        named={**raising.named, "check": deposit.pk},
    )


def _chooses(request: PitRequest, raising: Raising) -> Look | None:
    """Choose which check of a batch came back."""
    original = _original(raising)
    if original.kind != BATCH or _deposit(raising) is not None:
        return None
    return "inventory/check_return.html", {
        "checks": [
            {
                "serial": serial_of(item),
                "patron": item.patron,
                "amount_cents": item.amount_cents,
                "url": new_url(raising.kind.kind, of=original.serial, check=item.pk),
            }
            for item in at_the_bank({"slip": original})
        ]
    }


def _drafted(raising: Raising) -> NewSlip:
    deposit, original = _deposit(raising), _original(raising)
    if deposit is not None:
        patron, cents = deposit.patron, deposit.amount_cents
        name, check, parts = patron.full_name, serial_of(deposit), parts_of(deposit)
        more = {"deposit": deposit.pk, "patron": patron.pk}
    else:
        paid = original.details
        cents, parts, name = paid["amount_cents"], paid["parts"], paid["patron_name"]
        check = f"{paid['issuer']}, {paid['reference']}"
        more = {"patron": paid["patron"]}
    return NewSlip(
        raising.kind.kind,
        None,
        {},
        original.pk,
        details={
            "about": f"{name}, {format_money(cents)}",
            "says": [
                ["Patron", name],
                ["Check", check],
                ["Returned", format_money(cents)],
                ["From now on", Standing.SUSPENDED.label],
            ],
            **more,
            "amount_cents": cents,
            "parts": parts,
            "standing": Standing.SUSPENDED.value,
        },
    )


def _refusals(raising: Raising) -> list[Refusal]:
    return _return_refusals(_original(raising), _deposit(raising))


def _return_refusals(original: Slip, deposit: CheckDeposit | None) -> list[Refusal]:
    if original.status != SlipStatus.DONE.value:
        return [Refusal("not_paid", f"{original} isn’t complete. Void it instead.", CONFLICT)]
    if deposit is not None:
        came_back = deposit not in at_the_bank({"slip": original})
    else:
        came_back = ReturnedCheck.objects.filter(instrument__slip=original).exists()
    if came_back:
        what = serial_of(deposit) if deposit else original
        return [
            Refusal(
                "already_returned", f"{what} was already returned. Choose another check.", CONFLICT
            )
        ]
    return _correction_refusals(original, deposit)


def _correction_refusals(original: Slip, deposit: CheckDeposit | None) -> list[Refusal]:
    """Return that what a check paid is owed again by a correction, where one has moved it."""
    paid = original
    if deposit is not None:
        if deposit.instrument is None:
            return []
        paid = deposit.instrument.slip
    later = correction_of(paid)
    if later is None or later.status != SlipStatus.DONE.value:
        return []
    words = (
        f"{later} corrected what this check paid. Have the cage correct {later} to $0, and stop "
        "the patron’s credit."
    )
    return [Refusal("payment_corrected", words, CONFLICT)]


def _returned(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Let what the check had paid be owed again, and stop the patron’s credit. Raises Refused."""
    original = slip.refers_to
    assert original is not None, "a return is of a payment or of a batch"
    patron = lock_patron(slip.details["patron"])
    deposit = CheckDeposit.objects.filter(pk=slip.details.get("deposit")).first()
    if refusals := _return_refusals(original, deposit):
        raise Refused(refusals)
    rows: list[models.Model] = [_came_back(slip, original, deposit, at)]
    for marker_id, _, cents in slip.details["parts"]:
        rows.append(
            MarkerEntry.objects.create(
                marker_id=marker_id,
                move=MarkerMove.RETURNED.value,
                amount_cents=cents,
                slip=slip,
                gaming_day=slip.gaming_day,
                shift=slip.shift,
                at=at,
            )
        )
    if standing_of(patron) is Standing.CLEAR:
        rows.append(
            PatronStanding.objects.create(
                patron=patron, standing=Standing.SUSPENDED.value, since=at, slip=slip
            )
        )
    return rows


def _came_back(
    slip: Slip, original: Slip, deposit: CheckDeposit | None, at: datetime
) -> models.Model:
    """Write down what came back: a check that paid markers, the first time, or one of a batch."""
    instrument = original.instrument if deposit is None else None
    if deposit is not None and deposit.attempt == 1:
        instrument = deposit.instrument
    if instrument is not None:
        return ReturnedCheck.objects.create(instrument=instrument, slip=slip, at=at)
    assert deposit is not None, "what came back paid markers, or was in a batch"
    return ReturnedDeposit.objects.create(deposit=deposit, slip=slip, at=at)


CHECK_RETURN = Kind(
    "check_return",
    title="Check returned by the bank",
    series="CB",
    open_to=frozenset({Role.ACCOUNTING}),
    lit_by="credit_desk",
    at_a_table=False,
    refers_to=("marker_payment_check", "marker_payment_issued", "marker_payment_mail", BATCH),
    must_refer=True,
    offers="Returned by the bank…",
    begins=_begins,
    chooses=_chooses,
    refusals=_refusals,
    refuses_at_once=True,
    drafted=_drafted,
    steps=(
        Step(
            "returned",
            done="Returned",
            do="Return",
            # Who takes checks and who collects on them never opens what the bank sends back.
            by=Role.ACCOUNTING,
            at=None,
            needs_reason=True,
            reason_label="Why the bank returned it",
            attests="I certify that I received this check back from the bank, unpaid, and that "
            "no one who takes or collects checks had it before me.",
            then="check_returned",
        ),
    ),
    effects={"check_returned": _returned},
    readers=OWED_READERS,
    promises=(Promise(1, 1),),
    paper=replace(
        HOUSE_FORM,
        caption="Patron credit",
        refers_as="Returned from",
        referred_as="Returned by the bank",
    ),
    heading=lambda raising: f"{raising.original} returned by the bank",
    raised=lambda slip: f"{slip.serial} entered. The patron’s credit is suspended.",
)
