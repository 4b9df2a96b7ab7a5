"""A request that its own pit takes back before the cage issues it: one supervisor, and a reason.

Nothing has moved, so no one witnesses it. The number of the request stays used. Once it is issued,
or proved at the table, it is voided by two people as before.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.db import models

from inventory.kinds.carrying import CARRIED_READERS
from inventory.services.errands import end_offer, original_of
from pitboss.models import Signature, Slip
from pitboss.paper.forms import Form, Part
from pitboss.rules.flows.flows import Promise, SlipStatus, Step, Track
from pitboss.rules.refusal import CONFLICT, Refusal, Refused
from pitboss.rules.roles import SUPERVISING, Place, Role
from pitboss.services.drafts import NewSlip
from pitboss.services.standing import end_waits, set_status
from pitboss.slips.kind import Kind, Raising, to_table

# What may be signed on a request that is taken back: no one has prepared a cheque by then.
_BEFORE: Final = frozenset({"requested", "top_signed"})


def _drafted(raising: Raising) -> NewSlip:
    original = raising.original
    assert original is not None, "a cancellation is of a request"
    return NewSlip(
        raising.kind.kind,
        original.table_id,
        original.cheques_by_cents,
        original.pk,
        details={"says": [["Cancels", f"{original.title} {original.serial}"]]},
    )


def _refusals(raising: Raising) -> list[Refusal]:
    assert raising.original is not None, "a cancellation is of a request"
    return _standing_refusals(raising.original)


def _standing_refusals(original: Slip) -> list[Refusal]:
    """Return why a request is not taken back by one person: it is over, or it went on."""
    if original.status != SlipStatus.OPEN.value:
        words = f"{original.serial} is {original.status}. There is nothing to cancel."
        return [Refusal("slip_closed", words, CONFLICT)]
    signed = original.signatures.all()
    if any(
        signature.track != Track.MAIN.value or signature.step not in _BEFORE for signature in signed
    ):
        words = f"{original.serial} was already prepared. Two people must void it."
        return [Refusal("already_issued", words, CONFLICT)]
    return []


def _canceled(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """End the request. The number stays used. Raises Refused."""
    original = original_of(slip)
    refusals = _standing_refusals(original)
    if refusals:
        raise Refused(refusals)
    set_status(original, SlipStatus.VOIDED)
    end_waits(original, at)
    return end_offer(original, signature, at)


REQUEST_CANCELLATION = Kind(
    "request_cancellation",
    title="Canceled request",
    series="R",
    open_to=SUPERVISING,
    lit_by="board",
    refers_to=("fill", "credit"),
    must_refer=True,
    withdraws=_BEFORE,
    refusals=_refusals,
    refuses_at_once=True,
    drafted=_drafted,
    steps=(
        Step(
            "canceled",
            done="Canceled",
            do="Cancel",
            by=Role.SUPERVISOR,
            at=Place.PIT,
            needs_reason=True,
            attests="I cancel this request. I certify that no cheques were prepared on it.",
            then="request_canceled",
        ),
    ),
    effects={"request_canceled": _canceled},
    readers=CARRIED_READERS,
    promises=(Promise(1, 1),),
    paper=Form(
        parts=(Part("Original", "To accounting with the request that it cancels."),),
        refers_as="Cancels",
        referred_as="Canceled by",
    ),
    heading=lambda raising: f"Cancel {raising.original}",
    raised=lambda slip: f"{slip.refers_to} is canceled. Its number won’t be reused.",
    goes_on=to_table,
)
