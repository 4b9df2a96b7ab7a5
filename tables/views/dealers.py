"""Dealers tap in and out on the supervisor's tablet."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from pitboss.access import page
from pitboss.api import http_status
from pitboss.middleware import PitRequest
from pitboss.models import Table
from pitboss.rules.refusal import Refused
from pitboss.services import house
from pitboss.services.pads import attested_by
from pitboss.views.forms import pen_of
from pitboss.views.pads import pad_of
from tables.selectors.relief import pit_string
from tables.services.dealers import dealer_at, tap_in, tap_out


@require_http_methods(["GET", "POST"])
@page("dealer")
def dealer(request: PitRequest, name: str) -> HttpResponse:
    """Take the badge and PIN of a dealer who comes to a table, or leaves it."""
    table = get_object_or_404(Table.objects.select_related("pit"), name=name)
    leaving = "out" in (request.GET.get("tap"), request.POST.get("tap"))
    refused: Refused | None = None
    if request.method == "POST":
        try:
            pen = pen_of(request)
            if leaving:
                left = tap_out(
                    table_id=table.pk, badge=pen.badge, pin=pen.pin, device=request.device
                )
                sentence = (
                    f"{left.dealer} tapped out." if left else "That dealer already tapped out."
                )
            else:
                came = tap_in(
                    table_id=table.pk, badge=pen.badge, pin=pen.pin, device=request.device
                )
                sentence = f"{came.dealer} deals at {table}."
        except Refused as error:
            refused = error
        else:
            messages.success(request, sentence)
            return redirect("table", name=name)
    there = dealer_at(table)
    string = pit_string(table.pit, request.period, request.house, house.now())
    relief = string.relief_of(table.name)
    comes = string.people.get(relief.by) if relief is not None and relief.by else None
    signs = (there.dealer if there else None) if leaving else comes
    own = reverse("dealer", args=[name])
    context = {
        "heading": f"Dealer at {table}",
        "back": {"url": reverse("table", args=[name]), "label": table.name},
        "there": there,
        "comes": comes,
        "string_url": reverse("pit-dealers", args=[table.pit_id]),
        "taps": [
            {"label": "Tap in", "url": own, "is_current": not leaving},
            {"label": "Tap out", "url": f"{own}?tap=out", "is_current": leaving},
        ],
        "pad": pad_of(
            request,
            url=f"{own}?tap=out" if leaving else own,
            attested=attested_by("tap_out" if leaving else "tap_in", table=table),
            button="Tap out" if leaving else "Tap in",
            refused=refused,
            badge=signs.badge if signs else "",
        ),
        "refusals": refused.refusals if refused else (),
    }
    return render(
        request, "tables/dealer.html", context, status=http_status(refused) if refused else 200
    )
