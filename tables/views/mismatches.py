"""The proof of a payout that differs, and the pad on which a supervisor settles it."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from pitboss.access import page
from pitboss.api import http_status
from pitboss.middleware import PitRequest
from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.payouts.mismatches import Way
from pitboss.rules.refusal import Refused
from pitboss.rules.roles import Role, may_act_as
from pitboss.services.pads import attested_by
from pitboss.views.forms import dollars_of, pen_of, text
from pitboss.views.pads import pad_of
from tables.selectors.mismatches import MismatchProof, mismatches, proof_of
from tables.services.mismatches import settle_mismatch


@require_http_methods(["GET", "POST"])
@page("mismatch")
def mismatch(request: PitRequest, mismatch_id: int) -> HttpResponse:
    """Show how a payout differs, and take the signature of the person who settles it."""
    found = get_object_or_404(mismatches(), pk=mismatch_id)
    asked = request.GET.get("way")
    way = Way.OVERRIDDEN if asked == Way.OVERRIDDEN.value else Way.CORRECTED
    refused: Refused | None = None
    if request.method == "POST":
        try:
            settle_mismatch(
                mismatch_id=found.pk,
                way=way,
                reason=text(request.POST, "reason"),
                found_cents=dollars_of(request.POST, "found") if "found" in request.POST else None,
                pen=pen_of(request),
            )
        except Refused as error:
            refused = error
            # Someone may have been quicker: the page shows by now who settled it.
            found = get_object_or_404(mismatches(), pk=mismatch_id)
        else:
            messages.success(request, f"{found.table}: settled as {way.value}.")
            return redirect("inbox")
    proof = proof_of(found)
    context = {
        "heading": f"Payout, {found.table}",
        "back": {"url": reverse("table", args=[found.table.name]), "label": found.table.name},
        "proof": proof,
        "ways": _ways(proof, way),
        "pad": _pad(request, proof, way, refused) if _may_settle(request, proof) else None,
        "refusals": refused.refusals if refused else (),
        "quicker": refused is not None and "already_settled" in refused.codes,
    }
    status = http_status(refused) if refused else 200
    return render(request, "tables/mismatch.html", context, status=status)


def _may_settle(request: PitRequest, proof: MismatchProof) -> bool:
    """Tell whether the page offers the pad; who may sign on it, the rules judge."""
    return proof.settlement is None and may_act_as(request.role, Role.SUPERVISOR)


def _ways(proof: MismatchProof, way: Way) -> list[dict[str, Any]]:
    own = reverse("mismatch", args=[proof.mismatch.pk])
    return [
        {"label": "Put it right", "url": own, "is_current": way is Way.CORRECTED},
        {
            "label": "Leave as paid",
            "url": f"{own}?way={Way.OVERRIDDEN.value}",
            "is_current": way is Way.OVERRIDDEN,
        },
    ]


def _pad(
    request: PitRequest, proof: MismatchProof, way: Way, refused: Refused | None
) -> dict[str, Any]:
    own = reverse("mismatch", args=[proof.mismatch.pk])
    paid = format_money(proof.mismatch.paid_cents)
    owed_cents = proof.mismatch.owed_cents
    amount = {"name": "found", "label": "Owed, as you found it, $", "type": "text"}
    reason = {"name": "reason", "label": "Why"}
    inputs: tuple[dict[str, str], ...] = ()
    if way is Way.OVERRIDDEN:
        attested = attested_by("payout_left", paid=paid)
        button, inputs = f"Leave {paid} as paid", (reason,)
    elif owed_cents is None:
        attested = attested_by("payout_found")
        button, inputs = "Put right", (amount, reason)
    else:
        owed = format_money(owed_cents)
        attested = attested_by("payout_corrected", owed=owed)
        button = f"Corrected, {owed} paid"
    return pad_of(
        request,
        url=f"{own}?way={way.value}",
        attested=attested,
        button=button,
        refused=refused,
        inputs=inputs,
        badge=request.user.badge,
    )
