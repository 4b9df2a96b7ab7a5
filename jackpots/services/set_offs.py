"""A win set off against markers: the patron signs, and what it takes off the debt isn’t paid out.

The win, its tax and its forms stay as if it were paid. It takes effect with the payment of the win,
so that nothing is taken off a debt for a win that is rejected after all.
"""

from __future__ import annotations

from datetime import datetime

from django.db import models

from inventory.models import PaymentInstrument
from inventory.services.marker_payments import still_owed, taken_off
from inventory.services.patrons import lock_patron
from pitboss.models import Slip
from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.day.win import PayoutSource
from pitboss.rules.flows.flows import SlipStatus
from pitboss.rules.patrons.payment_means import Means
from pitboss.rules.refusal import CONFLICT, Refusal

SET_OFF = "marker_set_off"


def set_off_begun(win: Slip) -> Slip | None:
    """Return the set-off of a win, signed by all or not yet; none that was voided."""
    begun = (SlipStatus.OPEN.value, SlipStatus.DONE.value)
    return win.referred_by.filter(kind=SET_OFF, status__in=begun).first()


def set_off_of(win: Slip) -> Slip | None:
    """Return the set-off of a win that all have signed, if there is one."""
    return win.referred_by.filter(kind=SET_OFF, status=SlipStatus.DONE.value).first()


def set_off_cents(win: Slip) -> int:
    """Return how much of a win goes to its winner’s markers."""
    slip = set_off_of(win)
    return int(slip.details["amount_cents"]) if slip is not None else 0


def set_off_refusals(
    win: Slip, source: PayoutSource, patron_id: int | None, pays_cents: int
) -> list[Refusal]:
    """Return why a win may not be paid with the set-off that was signed for it, or without one."""
    slip = set_off_begun(win)
    if slip is None:
        return []
    if slip.status == SlipStatus.OPEN.value:
        return [
            Refusal("set_off_under_way", f"{slip} isn’t signed. Sign or void it first.", CONFLICT)
        ]
    refusals = []
    if source is not PayoutSource.CAGE:
        refusals.append(
            Refusal("set_off_at_cage", f"{slip} sets this win off. The cage pays it.", CONFLICT)
        )
    if patron_id != slip.details["patron"]:
        refusals.append(
            Refusal(
                "set_off_of_another", f"{slip} is about someone else. Check the winner.", CONFLICT
            )
        )
    if slip.details["amount_cents"] > pays_cents:
        refusals.append(
            Refusal(
                "set_off_too_large",
                f"The winner gets {format_money(pays_cents)} now, less than "
                f"{slip} sets off. Void the set-off, or enter less.",
            )
        )
    return refusals


def apply_set_off(win: Slip, at: datetime) -> list[models.Model]:
    """Take a win that is paid now off its winner’s markers. Raises Refused."""
    slip = set_off_of(win)
    if slip is None:
        return []
    patron = lock_patron(slip.details["patron"])
    entries = taken_off(slip, still_owed(slip, patron), at)
    instrument = PaymentInstrument.objects.create(
        patron=patron,
        means=Means.SET_OFF.value,
        amount_cents=slip.details["amount_cents"],
        free_at=at,
        slip=slip,
        at=at,
    )
    return [instrument, *entries]
