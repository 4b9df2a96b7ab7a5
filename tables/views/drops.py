"""Drop boxes at the table: made to wait, and what a supervisor expects in them."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from pitboss.access import page
from pitboss.api import http_status
from pitboss.middleware import PitRequest
from pitboss.models import Table
from pitboss.rules.drop.compartments import LETTERS
from pitboss.rules.drop.figures import DROP_PULL, read_keyed
from pitboss.rules.refusal import Refused
from pitboss.services.pads import attested_by
from pitboss.slips.addresses import new_url
from pitboss.views.forms import new_request_id, pen_of, text
from pitboss.views.pads import pad_of
from pitboss.views.raising import table_named
from tables.selectors.compartments import standing_on
from tables.services.compartments import enable_compartment, lock_compartment
from tables.services.drops import (
    ask_to_wait,
    estimate_drop,
    lift_wait,
    wait_of,
)


@require_http_methods(["GET", "POST"])
@page("drop")
def drop_wait(request: PitRequest, name: str) -> HttpResponse:
    """Let the dealer make the drop team wait, or let it go on, with badge and PIN."""
    table = table_named(name)
    standing = wait_of(table)
    refused: Refused | None = None
    if request.method == "POST":
        lifting = request.POST.get("act") == "lift"
        try:
            pen = pen_of(request)
            if lifting:
                lift_wait(table=table, pen=pen)
            else:
                ask_to_wait(table=table, pen=pen)
        except Refused as error:
            refused = error
        else:
            said = "The hand is over. The box may go." if lifting else "The drop team is waiting."
            messages.success(request, said)
            return redirect(new_url(DROP_PULL, table=name))
    act = "lift" if standing else "wait"
    context = {
        "heading": f"Drop box of {table.name}",
        "back": {"url": new_url(DROP_PULL, table=name), "label": "Drop"},
        "pad": pad_of(
            request,
            url=reverse("drop-wait", args=[name]),
            attested=attested_by("drop_lift" if standing else "drop_wait", table=table),
            button="Release the box" if standing else "Ask them to wait",
            refused=refused,
            badge=request.user.badge,
            fields={"act": act},
        ),
        "refusals": refused.refusals if refused else (),
    }
    return render(
        request, "pitboss/signed_act.html", context, status=http_status(refused) if refused else 200
    )


@require_http_methods(["GET", "POST"])
@page("drop")
def drop_compartment(request: PitRequest, name: str) -> HttpResponse:
    """Lock the compartment of the shift that ends by a tap, then enable the next one, signed."""
    table = table_named(name)
    refused: Refused | None = None
    if request.method == "POST":
        letter = text(request.POST, "letter")
        try:
            if request.POST.get("act") == "lock":
                lock_compartment(
                    table=table,
                    letter=letter,
                    by=request.user,
                    device=request.device,
                    request_id=pen_of(request).request_id,
                )
                sentence = f"Compartment {letter} is locked."
            else:
                enable_compartment(table=table, letter=letter, pen=pen_of(request))
                sentence = f"Compartment {letter} is enabled."
        except Refused as error:
            refused = error
        else:
            messages.success(request, sentence)
            return redirect("drop-compartment", name=name)
    return render(
        request,
        "tables/drop_compartment.html",
        _compartments(request, table, refused),
        status=http_status(refused) if refused else 200,
    )


def _compartments(request: PitRequest, table: Table, refused: Refused | None) -> dict[str, Any]:
    standing, locked = standing_on(table)
    url = reverse("drop-compartment", args=[table.name])
    context: dict[str, Any] = {
        "heading": f"Compartments of {table.name}",
        "back": {"url": new_url(DROP_PULL, table=table.name), "label": "Drop"},
        "url": url,
        "table": table,
        "standing": standing,
        "request_id": new_request_id(),
        "refusals": refused.refusals if refused else (),
    }
    if standing is None:
        return context
    done = {segment.letter: segment for segment in locked}
    context["tiles"] = [
        {
            "letter": letter,
            "locked": done.get(letter),
            "is_now": letter == standing.letter and not standing.is_locked,
        }
        for letter in LETTERS[: standing.most]
    ]
    if standing.is_locked:
        context["pad"] = pad_of(
            request,
            url=url,
            attested=attested_by(
                "drop_compartment", table=table, before=standing.letter, letter=standing.following
            ),
            button=f"Enable compartment {standing.following}",
            refused=refused,
            badge=request.user.badge,
            fields={"act": "enable", "letter": standing.following},
        )
    return context


@require_http_methods(["GET", "POST"])
@page("estimate")
def drop_estimate(request: PitRequest, name: str) -> HttpResponse:
    """Key what a supervisor thinks is in the box, signed; the newest estimate counts."""
    table = table_named(name)
    refused: Refused | None = None
    if request.method == "POST":
        try:
            cash = read_keyed({"coupons": text(request.POST, "cash")})["coupons"]
            estimate_drop(table=table, cash_cents=cash, pen=pen_of(request))
        except Refused as error:
            refused = error
        else:
            messages.success(request, f"{table} estimate saved.")
            return redirect("table-win", name=name)
    context = {
        "heading": f"Estimate the drop of {table.name}",
        "back": {"url": reverse("table-win", args=[name]), "label": "Win"},
        "pad": pad_of(
            request,
            url=reverse("drop-estimate", args=[name]),
            attested=attested_by("drop_estimate", table=table),
            button="Sign as supervisor",
            refused=refused,
            badge=request.user.badge,
            inputs=({"name": "cash", "label": "Cash in the box, in dollars"},),
        ),
        "refusals": refused.refusals if refused else (),
    }
    return render(
        request, "pitboss/signed_act.html", context, status=http_status(refused) if refused else 200
    )
