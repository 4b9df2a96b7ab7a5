"""Name the winner of a win and compare them with the lists; and what lies withheld."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods

from inventory.kinds.of_a_patron import chosen_patron, patron_search
from jackpots.models import WithheldEnd
from jackpots.selectors.jackpots import jackpots
from jackpots.services.winners import name_winner
from jackpots.services.withheld import in_the_place
from pitboss.access import may_open, page
from pitboss.api import http_status
from pitboss.middleware import PitRequest
from pitboss.rules.patrons.exclusion import Ending
from pitboss.rules.refusal import Refused
from pitboss.slips.addresses import new_url


@require_http_methods(["GET", "POST"])
@page("winner")
def winner(request: PitRequest, serial: str) -> HttpResponse:
    """Look the winner up, and by one tap compare them with the lists before anything is paid."""
    slip = get_object_or_404(jackpots(), slip__serial=serial).slip
    url = reverse("winner", args=[serial])
    back = {"url": reverse("slip", args=[serial]), "label": serial}
    patron = chosen_patron(request)
    if patron is None:
        template, found = patron_search(request, url, {})
        return render(request, template, {"heading": "Who won", "back": back, **found})
    refused: Refused | None = None
    if request.method == "POST":
        try:
            name_winner(
                slip=slip,
                patron=patron,
                person=request.user,
                device=request.device,
                role=request.role,
            )
        except Refused as error:
            refused = error
        else:
            messages.success(request, f"{patron} isn’t on a list. Go on with {serial}.")
            return redirect("slip", serial=serial)
    context = {
        "heading": "Who won",
        "back": back,
        "url": url,
        "serial": serial,
        "patron": patron,
        "refusals": refused.refusals if refused else (),
    }
    return render(
        request, "jackpots/winner.html", context, status=http_status(refused) if refused else 200
    )


@require_GET
@page("withheld")
def withheld(request: PitRequest) -> HttpResponse:
    """Show what lies in the place called withheld, its sum, and what went from there last."""
    kept = list(in_the_place())
    context = {
        "heading": "Withheld winnings",
        "kept": [
            {
                "withheld": withheld_win,
                "is_blocked": hasattr(withheld_win, "end"),
                "url": new_url("withheld_outcome", withheld=withheld_win.pk)
                if may_open(request.role, "withheld_outcome") and not hasattr(withheld_win, "end")
                else "",
            }
            for withheld_win in kept
        ],
        "total_cents": sum(withheld_win.amount_cents for withheld_win in kept),
        "ended": [
            {"end": withheld_end, "label": Ending(withheld_end.ending).label}
            for withheld_end in WithheldEnd.objects.select_related(
                "withheld__slip", "slip"
            ).order_by("-pk")[:20]
        ],
    }
    return render(request, "jackpots/withheld.html", context)
