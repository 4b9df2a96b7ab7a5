"""A check that the bank returned: accounting enters it, straight from the bank.

What the check had paid is owed again, and the patron’s credit is suspended in the same transaction,
so that no marker goes out on a line that a bad check seemed to free. It stays suspended until two
people restore it.
"""

from __future__ import annotations

from datetime import datetime

from django.db import models

from inventory.kinds.marker import OWED_READERS
from inventory.models import MarkerEntry, MarkerMove, PatronStanding, ReturnedCheck
from inventory.selectors.credit import standing_of
from inventory.services.patrons import lock_patron
from pitboss.models import Signature, Slip
from pitboss.paper.forms import HOUSE_FORM
from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.flows.flows import Promise, SlipStatus, Step
from pitboss.rules.patrons.patrons import Standing
from pitboss.rules.refusal import CONFLICT, Refusal, Refused
from pitboss.rules.roles import Role
from pitboss.services.drafts import NewSlip
from pitboss.slips.kind import Kind, Raising


def _payment(raising: Raising) -> Slip:
    assert raising.original is not None, "a return is of a payment"
    return raising.original


def _drafted(raising: Raising) -> NewSlip:
    paid = _payment(raising)
    cents = paid.details["amount_cents"]
    return NewSlip(
        raising.kind.kind,
        None,
        {},
        paid.pk,
        details={
            "about": f"{paid.details['patron_name']}, {format_money(cents)}",
            "says": [
                ["Patron", paid.details["patron_name"]],
                ["Check", f"{paid.details['issuer']}, {paid.details['reference']}"],
                ["Returned", format_money(cents)],
                ["From now on", Standing.SUSPENDED.label],
            ],
            "patron": paid.details["patron"],
            "amount_cents": cents,
            "parts": paid.details["parts"],
            "standing": Standing.SUSPENDED.value,
        },
    )


def _refusals(raising: Raising) -> list[Refusal]:
    return _return_refusals(_payment(raising))


def _return_refusals(paid: Slip) -> list[Refusal]:
    if paid.status != SlipStatus.DONE.value:
        return [Refusal("not_paid", f"{paid} isn’t complete. Void it instead.", CONFLICT)]
    if ReturnedCheck.objects.filter(instrument__slip=paid).exists():
        return [Refusal("already_returned", f"{paid} was already returned.", CONFLICT)]
    return []


def _returned(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Let what the check had paid be owed again, and stop the patron’s credit. Raises Refused."""
    paid = slip.refers_to
    assert paid is not None, "a return is of a payment"
    patron = lock_patron(slip.details["patron"])
    if refusals := _return_refusals(paid):
        raise Refused(refusals)
    rows: list[models.Model] = [
        ReturnedCheck.objects.create(instrument=paid.instrument, slip=slip, at=at)
    ]
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


CHECK_RETURN = Kind(
    "check_return",
    title="Check returned by the bank",
    series="CB",
    open_to=frozenset({Role.ACCOUNTING}),
    lit_by="markers",
    at_a_table=False,
    refers_to=("marker_payment_check", "marker_payment_issued"),
    must_refer=True,
    offers="Returned by the bank…",
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
    paper=HOUSE_FORM,
    heading=lambda raising: f"{raising.original} returned by the bank",
    raised=lambda slip: f"{slip.serial} entered. The patron’s credit is suspended.",
)
