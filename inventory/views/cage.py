"""The cage's own slips on the screen: its count, house cheques received and destroyed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from inventory.selectors.cheques import cage_counts_found
from inventory.services.cage import (
    cage_refusals,
    count_the_cage,
    destroy_house_cheques,
    new_cage_slip,
    receive_house_cheques,
)
from inventory.views.asking import fields_of
from pitboss.access import page
from pitboss.api import http_status
from pitboss.middleware import PitRequest
from pitboss.models import Slip
from pitboss.rules.cage_flows import CAGE_COUNT, HOUSE_DESTRUCTION, HOUSE_RECEIPT
from pitboss.rules.cheques import BY_CENTS
from pitboss.rules.flows import Flow
from pitboss.rules.refusal import Refused
from pitboss.services.signing import Pen
from pitboss.views.count_pads import beyond_rows, count_pad_of, counted_of, keyed_of
from pitboss.views.forms import cheques_of, pen_of, text
from pitboss.views.raising import raise_page

_COLOURS = list(BY_CENTS)
_BLIND = "Nobody is shown what the ledger expects before both have signed."
_EVERY_BOX = "Count every box, whatever the paper beside it says."


@dataclass(frozen=True, slots=True)
class _CageSlip:
    """How one of the cage's own slips is counted and signed for."""

    flow: Flow
    heading: str
    # Names of the addresses of its two screens.
    count_url: str
    sign_url: str
    note: str
    # What the first signer writes beside their name, if anything.
    reason_label: str
    # Raise it: what was counted, what was written, who signs, what they were shown.
    sign: Callable[[Mapping[int, int], str, Pen, str], Slip]
    next_words: str


_COUNT = _CageSlip(
    flow=CAGE_COUNT,
    heading="Count the cage",
    count_url="cage-count",
    sign_url="cage-count-sign",
    note=_BLIND,
    reason_label="",
    sign=lambda counted, _, pen, shown: count_the_cage(counted=counted, pen=pen, shown=shown),
    next_words="A second person counts it too.",
)
_RECEIPT = _CageSlip(
    flow=HOUSE_RECEIPT,
    heading="Receive house cheques",
    count_url="house-receipt",
    sign_url="house-receipt-sign",
    note=_EVERY_BOX,
    reason_label="Maker and invoice",
    sign=lambda counted, reason, pen, shown: receive_house_cheques(
        counted=counted, maker=reason, pen=pen, shown=shown
    ),
    next_words="Security counts them too.",
)
_DESTRUCTION = _CageSlip(
    flow=HOUSE_DESTRUCTION,
    heading="Destroy house cheques",
    count_url="house-destruction",
    sign_url="house-destruction-sign",
    note="Count what leaves for good. Security counts it again and sees it destroyed.",
    reason_label="Why they are destroyed",
    sign=lambda counted, reason, pen, shown: destroy_house_cheques(
        counted=counted, reason=reason, pen=pen, shown=shown
    ),
    next_words="Security counts them and sees them destroyed.",
)


@require_http_methods(["GET", "POST"])
@page("cage_count")
def cage_count(request: PitRequest) -> HttpResponse:
    """Count the cage, colour by colour, then sign for it."""
    return _count(request, _COUNT)


@require_POST
@page("cage_count")
def cage_count_sign(request: PitRequest) -> HttpResponse:
    """Raise the count with the first person's badge and PIN."""
    return _sign(request, _COUNT)


@require_http_methods(["GET", "POST"])
@page("cage_count")
def house_receipt(request: PitRequest) -> HttpResponse:
    """Count new cheques in, then sign for them."""
    return _count(request, _RECEIPT)


@require_POST
@page("cage_count")
def house_receipt_sign(request: PitRequest) -> HttpResponse:
    """Raise the receipt with a cashier's badge and PIN."""
    return _sign(request, _RECEIPT)


@require_http_methods(["GET", "POST"])
@page("cage_count")
def house_destruction(request: PitRequest) -> HttpResponse:
    """Count cheques out that are to be destroyed, then sign for them."""
    return _count(request, _DESTRUCTION)


@require_POST
@page("cage_count")
def house_destruction_sign(request: PitRequest) -> HttpResponse:
    """Raise the destruction with the cage manager's badge and PIN."""
    return _sign(request, _DESTRUCTION)


@require_GET
@page("cage")
def cage_counts(request: PitRequest) -> HttpResponse:
    """Show what the last verified counts found, and what had gone over the window unseen."""
    context = {
        "heading": "Counts of the cage",
        "back": {"url": reverse("cage"), "label": "Cage"},
        "counts": cage_counts_found(),
    }
    return render(request, "inventory/cage_counts.html", context)


def _count(request: PitRequest, slip: _CageSlip) -> HttpResponse:
    refused: Refused | None = None
    if request.method == "POST":
        try:
            counted = counted_of(keyed_of(request.POST), _COLOURS)
            refusals = cage_refusals(slip.flow, counted)
            if refusals:
                raise Refused(refusals)
        except Refused as error:
            refused = error
        else:
            return _pad(request, slip, counted)
    context = {
        "heading": slip.heading,
        "back": {"url": reverse("cage"), "label": "Cage"},
        "count": count_pad_of(
            url=reverse(slip.count_url),
            keep=slip.flow.kind,
            colours=_COLOURS,
            note=slip.note,
            keyed=keyed_of(request.POST),
        ),
        "refusals": beyond_rows(refused.refusals) if refused else (),
    }
    status = http_status(refused) if refused else 200
    return render(request, "inventory/cage_count.html", context, status=status)


def _sign(request: PitRequest, slip: _CageSlip) -> HttpResponse:
    counted: dict[int, int] = {}
    try:
        counted = cheques_of(request.POST)
        raised = slip.sign(
            counted, text(request.POST, "reason"), pen_of(request), text(request.POST, "shown")
        )
    except Refused as refused:
        return _pad(request, slip, counted, refused)
    messages.success(request, f"{raised.serial} signed. {slip.next_words}")
    return redirect("slip", serial=raised.serial)


def _pad(
    request: PitRequest,
    slip: _CageSlip,
    counted: dict[int, int],
    refused: Refused | None = None,
) -> HttpResponse:
    inputs = ({"name": "reason", "label": slip.reason_label},) if slip.reason_label else ()
    return raise_page(
        request,
        new_cage_slip(slip.flow, counted),
        None,
        heading=slip.heading,
        url=reverse(slip.sign_url),
        fields=fields_of(counted),
        refused=refused,
        inputs=inputs,
        badge=request.user.badge,
        back={"url": reverse(slip.count_url), "label": "Cage"},
    )
