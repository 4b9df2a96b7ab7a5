"""A patron's own loss limit: the loss in one gaming day at which someone speaks to them.

What is stricter counts from the first signature. What is looser, or ends it, waits for a second
person: a patron who is losing does not talk one supervisor out of it.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.db import models

from inventory.kinds.of_a_patron import of_patron, patron_locked, patron_of
from inventory.services.patrons import lock_patron
from pitboss.models import Signature, Slip
from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.floor.fields import Money
from pitboss.rules.flows.flows import Need, Promise, Readers, SlipStatus, Step
from pitboss.rules.ratings.play_alerts import is_stricter
from pitboss.rules.refusal import Refusal
from pitboss.rules.roles import AT_THE_CAGE, HOSTING, KEEPING_BOOKS, SUPERVISING, Role
from pitboss.services.drafts import NewSlip
from pitboss.slips.kind import Kind, Raising
from tables.kinds.comp import PAPER, back_to_card, to_card
from tables.models import LossLimit
from tables.services.play_watch import own_loss_limit

_ENTERING: Final = (
    Role.SUPERVISOR,
    Role.PIT_MANAGER,
    Role.SHIFT_MANAGER,
    Role.CASHIER,
    Role.CAGE_MANAGER,
    Role.HOST,
    Role.HOST_MANAGER,
    Role.COMPLIANCE,
)
_CONFIRMING: Final = (Role.SHIFT_MANAGER, Role.COMPLIANCE)


def _words(cents: int | None) -> str:
    return "none" if cents is None else f"{format_money(cents)} a gaming day"


def _refusals(raising: Raising) -> list[Refusal]:
    patron = patron_of(raising)
    pending = Slip.objects.filter(
        kind=raising.kind.kind, status=SlipStatus.OPEN.value, details__patron=patron.pk
    ).first()
    if pending is not None:
        words = f"{pending} is pending for {patron}. Sign or decline it first."
        return [Refusal("already_proposed", words)]
    if raising.given.get("loss_cents") == own_loss_limit(patron):
        return [Refusal("nothing_changes", "This is already on record. Enter a different limit.")]
    return []


def _drafted(raising: Raising) -> NewSlip:
    patron = patron_of(raising)
    body, before = raising.given.get("loss_cents"), own_loss_limit(patron)
    return NewSlip(
        raising.kind.kind,
        None,
        {},
        details={
            "about": f"{patron}, {_words(body)}",
            "says": [
                ["Patron", patron.full_name],
                ["Own loss limit", _words(body)],
                ["Instead of", _words(before)],
            ],
            "patron": patron.pk,
            "loss_cents": body,
        },
    )


def _entered(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Let a stricter limit count at once."""
    patron = lock_patron(slip.details["patron"])
    if not is_stricter(slip.details["loss_cents"], own_loss_limit(patron)):
        return []
    return [_limited(slip, at)]


def _confirmed(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    lock_patron(slip.details["patron"])
    return [] if LossLimit.objects.filter(slip=slip).exists() else [_limited(slip, at)]


def _limited(slip: Slip, at: datetime) -> LossLimit:
    details = slip.details
    return LossLimit.objects.create(
        patron_id=details["patron"], loss_cents=details["loss_cents"], since=at, slip=slip
    )


LOSS_LIMIT = Kind(
    "loss_limit",
    title="Own loss limit",
    series="LL",
    desk="people",
    open_to=SUPERVISING | AT_THE_CAGE | HOSTING | {Role.COMPLIANCE},
    lit_by="board",
    at_a_table=False,
    begins=of_patron,
    locks=patron_locked,
    asked=(
        Money(
            name="loss_cents",
            label="Loss in a gaming day ($)",
            hint="Leave blank for no limit.",
            is_needed=False,
        ),
    ),
    refusals=_refusals,
    drafted=_drafted,
    steps=(
        Step(
            "entered",
            done="Entered",
            do="Enter",
            by=_ENTERING,
            at=None,
            attests="I certify that this patron requested the limit on this slip and that I did "
            "not advise the patron to raise a limit or to remove one.",
            then="loss_limit_entered",
        ),
        Step(
            "confirmed",
            done="Confirmed",
            do="Confirm",
            by=_CONFIRMING,
            at=None,
            why=Need(
                "A second person confirms a patron’s own limit. Until then a higher one "
                "doesn’t count."
            ),
            attests="I certify that I confirmed with this patron, or from the patron's written "
            "request, that the limit on this slip is the one the patron wants.",
            then="loss_limit_confirmed",
        ),
    ),
    void=(
        Step(
            "refused",
            done="Declined",
            do="Decline",
            by=_CONFIRMING,
            at=None,
            needs_reason=True,
            attests="I decline this request for the reason I entered. A lower limit that took "
            "effect when it was entered remains in effect.",
            then="slip_voided",
        ),
    ),
    effects={"loss_limit_entered": _entered, "loss_limit_confirmed": _confirmed},
    readers=Readers(
        SUPERVISING | AT_THE_CAGE | HOSTING | KEEPING_BOOKS | {Role.COMPLIANCE}, names_patron=True
    ),
    promises=(Promise(2, 1),),
    paper=PAPER,
    heading=lambda raising: f"Own loss limit of {patron_of(raising)}",
    back=back_to_card,
    raised=lambda slip: f"{slip.serial} signed. A lower limit counts now.",
    goes_on=to_card,
)
