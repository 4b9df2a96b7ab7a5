"""What a correction makes of the check, the wire or the front money that a payment was made with.

The newest slip says what was paid with it. A check that is at the bank is left alone until it has
cleared or come back: its return would take off what the correction has put elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from django.db import models

from inventory.models import CheckDeposit, DepositAccount, Patron, PaymentInstrument, ReturnedCheck
from pitboss.models import Slip
from pitboss.rules.flows.corrections import CheckFacts, check_refusals
from pitboss.rules.patrons.payment_means import Means
from pitboss.rules.refusal import Refusal
from pitboss.services import house
from pitboss.slips.correcting import chain_of
from tables.services.deposit_changes import Put, deposit_changes

# Payments on markers that were made with neither cash nor cheques.
BY_MEANS: Final = (
    "marker_payment_check",
    "marker_payment_issued",
    "marker_payment_mail",
    "marker_payment_wire",
    "marker_payment_front",
)


def _newest(original: Slip) -> PaymentInstrument:
    """Return what a payment was made with, as it or its newest correction says."""
    found = PaymentInstrument.objects.filter(slip__in=chain_of(original)).order_by("id").last()
    assert found is not None, "a payment by these means keeps what it was made with"
    return found


def _went_to_the_bank(instrument: PaymentInstrument) -> bool:
    return CheckDeposit.objects.filter(instrument=instrument).exists()


def instrument_refusals(original: Slip, at: datetime) -> list[Refusal]:
    """Return why a payment is not corrected now, by where its check is."""
    instrument = _newest(original)
    is_out = _went_to_the_bank(instrument) and instrument.free_at > at
    zone = house.the_property().zone
    return check_refusals(
        CheckFacts(
            is_returned=ReturnedCheck.objects.filter(instrument=instrument).exists(),
            at_bank_until=instrument.free_at.astimezone(zone).date() if is_out else None,
        )
    )


def means_of(root: Slip) -> dict[str, Any]:
    """Return what a correction repeats of how the payment was made."""
    return {key: root.details[key] for key in ("means", "issuer", "reference")}


def front_money_changes(
    root: Slip, was: tuple[Patron, int], now: tuple[Patron, int]
) -> list[dict[str, Any]]:
    """Return what goes back into one patron's front money and comes out of another's."""
    if root.details["means"] != Means.FRONT_MONEY.value:
        return []
    return deposit_changes(_taken_from(*was), _taken_from(*now))


def _taken_from(patron: Patron, cents: int) -> Put:
    return patron, DepositAccount.FRONT_MONEY, -cents


def instrument_changed(
    slip: Slip, original: Slip, patron: Patron, details: Mapping[str, Any], at: datetime
) -> list[models.Model]:
    """Write what was paid with it as a correction says, until when the line is not free of it."""
    before = _newest(original)
    if not details["amount_cents"] or _went_to_the_bank(before):
        # Nothing was paid with it, or nothing of it waits any more.
        return []
    is_check = before.means == Means.PERSONAL_CHECK.value
    return [
        PaymentInstrument.objects.create(
            patron=patron,
            means=before.means,
            amount_cents=details["amount_cents"],
            issuer=before.issuer,
            reference=before.reference,
            free_at=max(at, before.free_at) if is_check else at,
            slip=slip,
            at=at,
        )
    ]
