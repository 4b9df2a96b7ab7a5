"""What slips about a meter share: which it is, who signs them, and that a refusal is kept."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from django.db import transaction
from django.shortcuts import get_object_or_404
from django.urls import reverse

from jackpots.models import Meter
from jackpots.services.hits import pending_on
from pitboss.middleware import PitRequest
from pitboss.models import Slip
from pitboss.paper.forms import Part
from pitboss.rules.flows.flows import Readers, SlipStatus
from pitboss.rules.flows.house_flows import MANAGERS
from pitboss.rules.refusal import CONFLICT, Refusal, Refused
from pitboss.rules.roles import AT_THE_CAGE, KEEPING_BOOKS, SUPERVISING, WATCHING, Role
from pitboss.services import house, journal
from pitboss.services.drafts import Pen
from pitboss.slips.addresses import id_of
from pitboss.slips.kind import Raising

PROPOSERS: Final = (Role.PIT_MANAGER, Role.SHIFT_MANAGER)
# Accounting reads the meters, and hears of every change before it holds.
APPROVERS: Final = (*MANAGERS, Role.ACCOUNTING)
READERS: Final = Readers(
    SUPERVISING | AT_THE_CAGE | WATCHING | KEEPING_BOOKS | {Role.SECURITY_MANAGER}
)
PARTS: Final = (
    Part("Original", "Filed with the meter's own slips."),
    Part("Duplicate", "To accounting."),
)


def meter_of(raising: Raising) -> Meter:
    meter: Meter = raising.given["meter"]
    return meter


def of_meter(request: PitRequest, raising: Raising) -> Raising:
    """Return a slip about the meter that its address names."""
    meter = get_object_or_404(Meter, pk=id_of(request.GET, "meter"))
    return replace(
        raising,
        given={**raising.given, "meter": meter},
        named={**raising.named, "meter": meter.pk},
    )


def back_to_meter(raising: Raising) -> dict[str, str]:
    meter = raising.given.get("meter")
    if meter is None:
        return {"url": reverse("meters"), "label": "Meters"}
    return {"url": reverse("meter", args=[meter.pk]), "label": meter.name}


def waiting_refusals(kind: str, own: Slip | None, **about: Any) -> list[Refusal]:
    """Return that a slip already waits for the same thing."""
    waiting = (
        Slip.objects.filter(kind=kind, status=SlipStatus.OPEN.value, **about)
        .exclude(pk=own.pk if own else 0)
        .first()
    )
    if waiting is None:
        return []
    return [Refusal("already_proposed", f"{waiting} is pending. Approve or decline it first.")]


def pending_refusals(meter: Meter) -> list[Refusal]:
    """Return why nothing of a meter changes: a jackpot is pending on it."""
    return [
        Refusal(
            "jackpot_pending",
            f"{slip} is pending on {meter}. It can’t be changed until then.",
            CONFLICT,
        )
        for slip in pending_on(meter)
    ]


def refusal_kept(raising: Raising, refused: Refused, pen: Pen) -> None:
    """Keep in the journal of meters what someone tried to change, with before and after."""
    details = raising.new().details
    keep = ("meter", "was", "is", "cause", "before_cents", "after_cents")
    with transaction.atomic(durable=True):
        journal.write(
            chain=journal.METERS,
            kind=f"meter.{'terms' if 'is' in details else 'adjustment'}_refused",
            body={
                "codes": list(refused.codes),
                **{key: details[key] for key in keep if key in details},
            },
            at=house.now(),
        )


def pending_words(slip: Slip) -> str:
    return f"{slip.serial} is pending. Another person must approve it."
