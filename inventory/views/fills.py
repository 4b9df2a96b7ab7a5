"""Fills on the screen: asked for at the table, and sent back from it."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from inventory.selectors.cheques import tray_holding
from inventory.services.fills import (
    fill_refusals,
    new_fill,
    new_return,
    request_fill,
    send_back,
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
from pitboss.rules.cheques import suggest_to_par
from pitboss.rules.fill_flows import FILL
from pitboss.rules.refusal import Refused
from pitboss.views.forms import cheques_of, pen_of, text

_ASKING = Asking(
    flow=FILL,
    new_url="fill-new",
    sign_url="fill-sign",
    sign=1,
    verb="Ask the cage for",
    button="Ask for {}",
    starts=(("par", "To par"), ("last", "Last fill"), ("empty", "Empty")),
)


@require_http_methods(["GET", "POST"])
@page("fill")
def fill_new(request: PitRequest, name: str) -> HttpResponse:
    """Choose the cheques of a fill, suggested to par; then sign for it."""
    table = table_named(name)
    replaces = replaced_by_this(request, FILL)
    if request.method == "GET":
        return ask_page(request, _ASKING, table, _start(request, table, replaces), replaces)
    try:
        asked = cheques_of(request.POST)
        refusals = fill_refusals(table, asked, replaces)
        if refusals:
            raise Refused(refusals)
    except Refused as refused:
        return ask_page(request, _ASKING, table, keyed_cheques(request.POST), replaces, refused)
    return _pad(request, table, asked, replaces)


@require_POST
@page("fill")
def fill_sign(request: PitRequest, name: str) -> HttpResponse:
    """Raise the fill with the supervisor's badge and PIN."""
    table = table_named(name)
    replaces = replaced_by_this(request, FILL)
    asked: dict[int, int] = {}
    try:
        asked = cheques_of(request.POST)
        fill = request_fill(
            table=table,
            cheques=asked,
            pen=pen_of(request),
            shown=text(request.POST, "shown"),
            replaces=replaces,
        )
    except Refused as refused:
        return _pad(request, table_named(name), asked, replaces, refused)
    messages.success(request, f"Fill {fill.serial} asked. {_waits(fill)}")
    return redirect("table", name=name)


def _waits(fill: Slip) -> str:
    top = any(step["name"] == "top_signed" for step in fill.plan)
    return "Waits for the pit manager." if top else "Waits for the cage."


def _start(request: PitRequest, table: Table, replaces: Slip | None) -> dict[int, int]:
    start = request.GET.get("start", "par")
    if replaces is not None:
        return replaces.cheques_by_cents
    if proposed := keyed_cheques(request.GET):
        return proposed
    if start == "last":
        last = Slip.objects.filter(table=table, kind=FILL.kind).order_by("-id").first()
        return last.cheques_by_cents if last else {}
    if start == "empty":
        return {}
    return suggest_to_par(tray_holding(table), table.par_cheques)


def _pad(
    request: PitRequest,
    table: Table,
    asked: dict[int, int],
    replaces: Slip | None,
    refused: Refused | None = None,
) -> HttpResponse:
    return raise_page(
        request,
        new_fill(table, asked, replaces),
        table,
        heading=f"Fill for {table.name}",
        url=reverse("fill-sign", args=[table.name]),
        fields=fields_of(asked, replaces),
        refused=refused,
        back={"url": reverse("fill-new", args=[table.name]), "label": table.name},
    )


@require_http_methods(["GET", "POST"])
@page("fill")
def fill_return(request: PitRequest, serial: str) -> HttpResponse:
    """Send a wrong fill back with the officer who brought it."""
    fill = get_object_or_404(
        Slip.objects.select_related("table__pit"), serial=serial, kind=FILL.kind
    )
    assert fill.table is not None
    refused: Refused | None = None
    if request.method == "POST":
        try:
            back = send_back(
                fill=fill,
                reason=text(request.POST, "reason"),
                pen=pen_of(request),
                shown=text(request.POST, "shown"),
            )
        except Refused as error:
            refused = error
        else:
            messages.success(request, f"{fill.serial} goes back. Return {back.serial}.")
            return redirect("slip", serial=back.serial)
    return raise_page(
        request,
        new_return(fill),
        fill.table,
        heading=f"Send back {fill.serial}",
        url=reverse("fill-return", args=[serial]),
        fields={},
        refused=refused,
        inputs=({"name": "reason", "label": "What is wrong"},),
        back={"url": reverse("slip", args=[serial]), "label": fill.table.name},
    )
