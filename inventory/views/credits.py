"""Credits on the screen: sent from the table, and refused by the cage."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from inventory.selectors.cheques import tray_holding
from inventory.services.credits import (
    credit_refusals,
    new_credit,
    new_credit_return,
    request_credit,
    send_credit_back,
)
from inventory.views.asking import (
    Asking,
    ask_page,
    fields_of,
    keyed_cheques,
    raise_page,
    replaced_by_this,
    table_named,
)
from pitboss.access import page
from pitboss.middleware import PitRequest
from pitboss.models import Slip, Table
from pitboss.rules.cheques import suggest_credit_to_par
from pitboss.rules.credit_flows import CREDIT
from pitboss.rules.refusal import Refused
from pitboss.views.forms import cheques_of, pen_of, text

_ASKING = Asking(
    flow=CREDIT,
    new_url="credit-new",
    sign_url="credit-sign",
    sign=-1,
    verb="Send to the cage",
    button="Send {}",
    starts=(("par", "Down to par"), ("empty", "Empty")),
)


@require_http_methods(["GET", "POST"])
@page("credit")
def credit_new(request: PitRequest, name: str) -> HttpResponse:
    """Choose the cheques of a credit, suggested down to par; then sign for it."""
    table = table_named(name)
    replaces = replaced_by_this(request, CREDIT)
    if request.method == "GET":
        return ask_page(request, _ASKING, table, _start(request, table, replaces), replaces)
    try:
        asked = cheques_of(request.POST)
        refusals = credit_refusals(table, asked, replaces)
        if refusals:
            raise Refused(refusals)
    except Refused as refused:
        return ask_page(request, _ASKING, table, keyed_cheques(request.POST), replaces, refused)
    return _pad(request, table, asked, replaces)


@require_POST
@page("credit")
def credit_sign(request: PitRequest, name: str) -> HttpResponse:
    """Raise the credit with the supervisor's badge and PIN."""
    table = table_named(name)
    replaces = replaced_by_this(request, CREDIT)
    asked: dict[int, int] = {}
    try:
        asked = cheques_of(request.POST)
        credit = request_credit(
            table=table,
            cheques=asked,
            pen=pen_of(request),
            shown=text(request.POST, "shown"),
            replaces=replaces,
        )
    except Refused as refused:
        return _pad(request, table_named(name), asked, replaces, refused)
    top = any(step["name"] == "top_signed" for step in credit.plan)
    waits = "Waits for the pit manager." if top else "The dealer proves it next."
    messages.success(request, f"Credit {credit.serial} asked. {waits}")
    # The dealer signs on the same tablet, so the slip comes up for them at once.
    return redirect("slip", serial=credit.serial)


def _start(request: PitRequest, table: Table, replaces: Slip | None) -> dict[int, int]:
    if replaces is not None:
        return replaces.cheques_by_cents
    if proposed := keyed_cheques(request.GET):
        return proposed
    if request.GET.get("start") == "empty":
        return {}
    return suggest_credit_to_par(tray_holding(table), table.par_cheques)


def _pad(
    request: PitRequest,
    table: Table,
    asked: dict[int, int],
    replaces: Slip | None,
    refused: Refused | None = None,
) -> HttpResponse:
    return raise_page(
        request,
        new_credit(table, asked, replaces),
        table,
        heading=f"Credit for {table.name}",
        url=reverse("credit-sign", args=[table.name]),
        fields=fields_of(asked, replaces),
        refused=refused,
        back={"url": reverse("credit-new", args=[table.name]), "label": table.name},
    )


@require_http_methods(["GET", "POST"])
@page("credit_return")
def credit_return(request: PitRequest, serial: str) -> HttpResponse:
    """Send a credit that differs back to its table with the officer who brought it."""
    credit = get_object_or_404(
        Slip.objects.select_related("table__pit"), serial=serial, kind=CREDIT.kind
    )
    assert credit.table is not None
    refused: Refused | None = None
    if request.method == "POST":
        try:
            back = send_credit_back(
                credit=credit,
                reason=text(request.POST, "reason"),
                pen=pen_of(request),
                shown=text(request.POST, "shown"),
            )
        except Refused as error:
            refused = error
        else:
            messages.success(request, f"{credit.serial} goes back. Return {back.serial}.")
            return redirect("slip", serial=back.serial)
    return raise_page(
        request,
        new_credit_return(credit),
        credit.table,
        heading=f"Send back {credit.serial}",
        url=reverse("credit-return", args=[serial]),
        fields={},
        refused=refused,
        inputs=({"name": "reason", "label": "What is wrong"},),
        back={"url": reverse("slip", args=[serial]), "label": "Credit"},
    )
