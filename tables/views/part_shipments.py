"""A part of a fill: the cashier enters what ships, and the supervisor takes it or waits."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from inventory.kinds.carrying import keyed_cheques
from pitboss.access import may_open, page
from pitboss.api import http_status
from pitboss.middleware import PitRequest
from pitboss.models import FloorException, Slip
from pitboss.rules.cheques.cheques import ordered, total_cents
from pitboss.rules.cheques.part_shipments import left_over
from pitboss.rules.refusal import Refused, refuse
from pitboss.services.exceptions import PART_OFFERED
from pitboss.views.forms import cheques_of, new_request_id, pen_of, text
from tables.services.floor_log import Tap
from tables.services.part_shipments import FILL, answer_part, offer_part, unissued_refusals


@require_http_methods(["GET", "POST"])
@page("part_shipment")
def part_shipment(request: PitRequest, serial: str) -> HttpResponse:
    """Show what the cage can ship of a fill; take the cashier's offer, or the pit's answer."""
    fill = get_object_or_404(Slip.objects.select_related("table__pit"), serial=serial, kind=FILL)
    offer = (
        FloorException.objects.filter(code=PART_OFFERED, slip=fill, resolved_at=None)
        .select_related("slip", "opened_by")
        .first()
    )
    refused: Refused | None = None
    if request.method == "POST":
        try:
            messages.success(request, _done(request, fill, offer))
        except Refused as error:
            refused = error
        else:
            # The pit goes on with its table, and the cage with what waits there.
            assert fill.table is not None, "a fill is for a table"
            if may_open(request.role, "table"):
                return redirect("table", name=fill.table.name)
            return redirect("cage")
    return render(
        request,
        "tables/part_shipment.html",
        {
            "heading": f"Part of a fill, {fill.table}",
            "back": {"url": reverse("slip", args=[fill.serial]), "label": fill.serial},
            "url": reverse("part-shipment", args=[fill.serial]),
            "request_id": new_request_id(),
            "fill": fill,
            "offer": offer,
            "rows": _rows(request, fill, offer),
            "reason": text(request.POST, "reason") if refused else "",
            "is_waiting": not unissued_refusals(fill),
            "refusals": refused.refusals if refused else (),
            **_sums(fill, offer),
        },
        status=http_status(refused) if refused else 200,
    )


def _done(request: PitRequest, fill: Slip, offer: FloorException | None) -> str:
    """Do what was tapped, and say it. Raises Refused."""
    hand = Tap(request.user, request.device, pen_of(request).request_id)
    answer = text(request.POST, "answer")
    if not answer:
        ships = cheques_of(request.POST)
        offer_part(fill=fill, ships=ships, reason=text(request.POST, "reason"), hand=hand)
        return f"Offered to {fill.table}. Wait for the supervisor’s answer."
    # A resend finds its offer answered.
    last = offer or FloorException.objects.filter(code=PART_OFFERED, slip=fill).last()
    if last is None:
        raise refuse("nothing_offered", "The cage offered no part of this fill. Reload the page.")
    taken = answer_part(offer=last, is_taken=answer == "take", hand=hand)
    if taken is None:
        return f"{fill.serial} stays requested in full."
    return f"{taken.ships.serial} ships now. {taken.rest.serial} has the rest."


def _rows(request: PitRequest, fill: Slip, offer: FloorException | None) -> list[dict[str, Any]]:
    requested = fill.cheques_by_cents
    ships = keyed_cheques(request.POST) if request.method == "POST" else requested
    if offer is not None:
        ships = {int(cents): count for cents, count in offer.details["ships"].items()}
    return [
        {
            "cents": cents,
            "requested": requested[cents],
            "ships": ships.get(cents, 0),
            "rest": requested[cents] - ships.get(cents, 0),
        }
        for cents in ordered(requested)
    ]


def _sums(fill: Slip, offer: FloorException | None) -> dict[str, int]:
    if offer is None:
        return {}
    ships = {int(cents): count for cents, count in offer.details["ships"].items()}
    rest = left_over(fill.cheques_by_cents, ships)
    return {"ships_cents": total_cents(ships), "rest_cents": total_cents(rest)}
