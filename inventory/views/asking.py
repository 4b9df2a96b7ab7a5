"""What fills, credits and the cage's slips share: choose the cheques, then sign for the slip."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import urlencode

from inventory.selectors.cheques import asked_already, tray_holding
from pitboss.api import http_status
from pitboss.middleware import PitRequest
from pitboss.models import Slip, Table
from pitboss.rules.cheques import (
    BY_CENTS,
    BY_THE_UNIT_FROM_CENTS,
    STACK_CHEQUES,
    combined,
    format_money,
    needs_top_sign,
    ordered,
    total_cents,
)
from pitboss.rules.flows import Flow
from pitboss.rules.refusal import Refusal, Refused
from pitboss.services.signing import NewSlip, Pen
from pitboss.views.forms import cheques_of, new_request_id, pen_of, text
from pitboss.views.raising import raise_page, table_named

Cheques = Mapping[int, int]


def _replaced_by_this(request: PitRequest, flow: Flow) -> Slip | None:
    """Return the slip that came back and that the new one replaces, if the address names one."""
    serial = request.POST.get("replaces") or request.GET.get("replaces")
    return get_object_or_404(Slip, serial=serial, kind=flow.kind) if serial else None


def keyed_cheques(fields: QueryDict) -> dict[int, int]:
    """Return what can be shown of a refused form, or of an address that proposes cheques."""
    keyed = {}
    for cents in BY_CENTS:
        value = fields.get(f"cheques_{cents}", "").strip()
        if value.isascii() and value.isdigit() and len(value) < 7:
            keyed[cents] = int(value)
    return keyed


@dataclass(frozen=True, slots=True)
class Asking:
    """How one kind of slip is asked for at a table."""

    flow: Flow
    # Where it is chosen and where it is signed, by the names of their addresses.
    new_url: str
    sign_url: str
    # 1 when cheques come into the tray, -1 when they leave it.
    sign: int
    verb: str
    # With {} where the amount goes.
    button: str
    starts: tuple[tuple[str, str], ...]
    # The services: a slip about to be raised, why not, and the raising itself.
    new: Callable[[Table, Cheques, Slip | None], NewSlip]
    refusals: Callable[[Table, Cheques, Slip | None], Sequence[Refusal]]
    raised: Callable[..., Slip]
    # What is suggested for a tray that holds this and should hold that.
    suggested: Callable[[Cheques, Cheques], dict[int, int]]


def choose(request: PitRequest, asking: Asking, name: str) -> HttpResponse:
    """Show the tray's colours to choose from, then the pad."""
    table = table_named(name)
    replaces = _replaced_by_this(request, asking.flow)
    if request.method == "GET":
        start = _start(request, asking, table, replaces)
        return _ask_page(request, asking, table, start, replaces)
    try:
        asked = cheques_of(request.POST)
        refusals = asking.refusals(table, asked, replaces)
        if refusals:
            raise Refused(refusals)
    except Refused as refused:
        keyed = keyed_cheques(request.POST)
        return _ask_page(request, asking, table, keyed, replaces, refused)
    return _pad(request, asking, table, asked, replaces)


def raise_asked(request: PitRequest, asking: Asking, name: str) -> Slip | HttpResponse:
    """Raise what was chosen with the signer's badge and PIN; or answer why not, on the pad."""
    table = table_named(name)
    replaces = _replaced_by_this(request, asking.flow)
    asked: dict[int, int] = {}
    try:
        asked = cheques_of(request.POST)
        return asking.raised(
            table=table,
            cheques=asked,
            pen=pen_of(request),
            shown=text(request.POST, "shown"),
            replaces=replaces,
        )
    except Refused as refused:
        return _pad(request, asking, table_named(name), asked, replaces, refused)


def _start(
    request: PitRequest, asking: Asking, table: Table, replaces: Slip | None
) -> dict[int, int]:
    start = request.GET.get("start", "par")
    if proposed := keyed_cheques(request.GET):
        return proposed
    if replaces is not None:
        return replaces.cheques_by_cents
    if start == "last":
        last = Slip.objects.filter(table=table, kind=asking.flow.kind).order_by("-id").first()
        return last.cheques_by_cents if last else {}
    if start == "empty":
        return {}
    # What was asked for already is as good as in the tray, or out of it: nobody asks twice.
    coming = [
        {cents: asking.sign * count for cents, count in slip.cheques_by_cents.items()}
        for slip in asked_already(table, asking.flow.kind)
    ]
    return asking.suggested(combined(tray_holding(table), *coming), table.par_cheques)


def _pad(
    request: PitRequest,
    asking: Asking,
    table: Table,
    asked: dict[int, int],
    replaces: Slip | None,
    refused: Refused | None = None,
) -> HttpResponse:
    fields = fields_of(asked, replaces)
    own = reverse(asking.new_url, args=[table.name])
    return raise_page(
        request,
        asking.new(table, asked, replaces),
        table,
        heading=f"{asking.flow.title} for {table.name}",
        url=reverse(asking.sign_url, args=[table.name]),
        fields=fields,
        refused=refused,
        badge=request.user.badge,
        back={"url": reverse("table", args=[table.name]), "label": table.name},
        refuse={"url": f"{own}?{urlencode(fields)}", "label": "Change it"},
    )


@dataclass(frozen=True, slots=True)
class GoingBack:
    """How one kind of slip goes back with the officer who brought it."""

    flow: Flow
    url: str
    back_label: str
    new: Callable[[Slip], NewSlip]
    # Given the slip, what is wrong with it, who signs, and what they were shown.
    sent_back: Callable[[Slip, str, Pen, str], Slip]


def go_back(request: PitRequest, going: GoingBack, serial: str) -> HttpResponse:
    """Say what is wrong with a slip's cheques, and send them back."""
    slip = get_object_or_404(
        Slip.objects.select_related("table__pit"), serial=serial, kind=going.flow.kind
    )
    refused: Refused | None = None
    if request.method == "POST":
        try:
            back = going.sent_back(
                slip, text(request.POST, "reason"), pen_of(request), text(request.POST, "shown")
            )
        except Refused as error:
            refused = error
        else:
            messages.success(request, f"{slip.serial} goes back. Return {back.serial}.")
            return redirect("slip", serial=back.serial)
    return raise_page(
        request,
        going.new(slip),
        slip.table,
        heading=f"Send back {slip.serial}",
        url=reverse(going.url, args=[serial]),
        fields={},
        refused=refused,
        inputs=({"name": "reason", "label": "What is wrong"},),
        badge=request.user.badge,
        back={"url": reverse("slip", args=[serial]), "label": going.back_label},
    )


def _ask_page(
    request: PitRequest,
    asking: Asking,
    table: Table,
    asked: Mapping[int, int],
    replaces: Slip | None,
    refused: Refused | None = None,
) -> HttpResponse:
    """Show the tray's colours, to choose from."""
    held = tray_holding(table)
    own = reverse(asking.new_url, args=[table.name])
    proposed = keyed_cheques(request.GET)
    start = "" if replaces or proposed else request.GET.get("start", "par")
    has_all = "all" in (request.GET.get("colours"), request.POST.get("colours"))
    colours = BY_CENTS.keys() if has_all else table.par_cheques.keys() | asked.keys() | held.keys()
    # What the address names already, which more colours do not change.
    named = fields_of(proposed, replaces)
    more = urlencode({**({"start": start} if start else named), "colours": "all"})
    top_sign_from = request.house["approval.top_sign_from"]
    context = {
        "heading": f"{asking.flow.title} for {table.name}",
        "back": {"url": reverse("table", args=[table.name]), "label": table.name},
        "ask": {
            "url": f"{own}?replaces={replaces.serial}" if replaces else own,
            "request_id": new_request_id(),
            # By what the page began with: what was keyed for one purpose is not shown for another.
            "keep": f"{asking.flow.kind}-{table.name}-{urlencode(named)}",
            "fields": {"colours": "all"} if has_all else {},
            "more": None if has_all else {"url": f"{own}?{more}", "label": "Other colours…"},
            "sign": asking.sign,
            "verb": asking.verb,
            "button": asking.button,
            "starts": [
                {"label": label, "url": f"{own}?start={key}", "is_current": start == key}
                for key, label in asking.starts
            ]
            if replaces is None
            else [],
            "rows": [
                {
                    "cents": cents,
                    "held": held.get(cents, 0),
                    "par": table.par_cheques.get(cents, 0),
                    "asked": asked.get(cents, 0),
                    "step": 1 if cents >= BY_THE_UNIT_FROM_CENTS else STACK_CHEQUES,
                    "most": None,
                }
                for cents in ordered(colours)
            ],
            "total_cents": total_cents(asked),
            "tray_cents": total_cents(held),
            "button_text": asking.button.format(format_money(total_cents(asked))),
            "facts": [
                {
                    "name": "Top-sign",
                    "value": "pit manager"
                    if needs_top_sign(asked, top_sign_from)
                    else f"from {format_money(top_sign_from)} cheques up",
                }
            ],
            "note": _ask_note(asking, table, held, asked, replaces),
        },
        "refusals": refused.refusals if refused else (),
    }
    return render(
        request, "inventory/fill_new.html", context, status=http_status(refused) if refused else 200
    )


def _ask_note(
    asking: Asking,
    table: Table,
    held: Mapping[int, int],
    asked: Mapping[int, int],
    replaces: Slip | None,
) -> str | None:
    if replaces is not None:
        return f"Replaces {replaces.serial}, which went back."
    already = asked_already(table, asking.flow.kind)
    if already:
        slips = ", ".join(f"{slip.serial}, {format_money(slip.total_cents)}" for slip in already)
        return f"Asked for already: {slips}. What is suggested counts it in."
    beyond = [BY_CENTS[cents].name for cents in ordered(asked) if asked[cents] > held.get(cents, 0)]
    if asking.sign < 0 and beyond:
        # The tray wins between counts, so this is no reason to refuse.
        return f"More than the ledger has in the tray: {', '.join(beyond)}. The dealer proves it."
    return None


def fields_of(cheques: Mapping[int, int], replaces: Slip | None = None) -> dict[str, Any]:
    """Return the hidden fields that carry cheques from the choice to the signature."""
    fields: dict[str, Any] = {f"cheques_{cents}": count for cents, count in cheques.items()}
    if replaces is not None:
        fields["replaces"] = replaces.serial
    return fields
