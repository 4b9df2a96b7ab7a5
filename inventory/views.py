"""Fills on the screen: asked for at the table, prepared at the cage, carried, sent back."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from inventory.selectors import tray_holding
from inventory.services.fills import (
    fill_refusals,
    new_fill,
    new_return,
    request_fill,
    send_back,
)
from pitboss.access import page
from pitboss.api import http_status
from pitboss.live import poll_url, polled, whole_floor
from pitboss.middleware import PitRequest
from pitboss.models import Slip, Table
from pitboss.rules.cheques import (
    BY_CENTS,
    BY_THE_UNIT_FROM_CENTS,
    STACK_CHEQUES,
    format_money,
    needs_top_sign,
    ordered,
    suggest_to_par,
    total_cents,
)
from pitboss.rules.fill_flows import FILL, FILL_RETURN
from pitboss.rules.refusal import Refused
from pitboss.rules.roles import Place
from pitboss.selectors.slips import lines_of
from pitboss.selectors.waiting import waiting_at
from pitboss.services.signing import NewSlip, request_shown
from pitboss.views.forms import cheques_of, new_request_id, pen_of, text
from pitboss.views.inbox import item_of
from pitboss.views.pads import pad_of


def _table(name: str) -> Table:
    return get_object_or_404(Table.objects.select_related("pit"), name=name)


@require_http_methods(["GET", "POST"])
@page("fill")
def fill_new(request: PitRequest, name: str) -> HttpResponse:
    """Choose the cheques of a fill, suggested to par; then sign for it."""
    table = _table(name)
    replaces = _replaced(request)
    if request.method == "GET":
        asked = _start(request, table, replaces)
        return _ask(request, table, asked, replaces)
    try:
        asked = cheques_of(request.POST)
        refusals = fill_refusals(table, asked, replaces)
        if refusals:
            raise Refused(refusals)
    except Refused as refused:
        return _ask(request, table, _keyed(request), replaces, refused)
    return _pad(request, table, asked, replaces)


@require_POST
@page("fill")
def fill_sign(request: PitRequest, name: str) -> HttpResponse:
    """Raise the fill with the supervisor's badge and PIN."""
    table = _table(name)
    replaces = _replaced(request)
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
        return _pad(request, _table(name), asked, replaces, refused)
    messages.success(request, f"Fill {fill.serial} asked. {_waits(fill)}")
    return redirect("table", name=name)


def _waits(fill: Slip) -> str:
    top = any(step["name"] == "top_signed" for step in fill.plan)
    return "Waits for the pit manager." if top else "Waits for the cage."


def _replaced(request: PitRequest) -> Slip | None:
    serial = request.POST.get("replaces") or request.GET.get("replaces")
    return get_object_or_404(Slip, serial=serial, kind=FILL.kind) if serial else None


def _start(request: PitRequest, table: Table, replaces: Slip | None) -> dict[int, int]:
    start = request.GET.get("start", "par")
    if replaces is not None:
        return replaces.cheques_by_cents
    if start == "last":
        last = Slip.objects.filter(table=table, kind=FILL.kind).order_by("-id").first()
        return last.cheques_by_cents if last else {}
    if start == "empty":
        return {}
    return suggest_to_par(tray_holding(table), table.par_cheques)


def _keyed(request: PitRequest) -> dict[int, int]:
    """Return what of a refused form can be shown again."""
    keyed = {}
    for cents in BY_CENTS:
        value = request.POST.get(f"cheques_{cents}", "").strip()
        if value.isascii() and value.isdigit() and len(value) < 7:
            keyed[cents] = int(value)
    return keyed


def _ask(
    request: PitRequest,
    table: Table,
    asked: dict[int, int],
    replaces: Slip | None,
    refused: Refused | None = None,
) -> HttpResponse:
    held = tray_holding(table)
    own = reverse("fill-new", args=[table.name])
    start = request.GET.get("start", "par")
    rows = [
        {
            "cents": cents,
            "held": held.get(cents, 0),
            "par": table.par_cheques.get(cents, 0),
            "asked": asked.get(cents, 0),
            "step": 1 if cents >= BY_THE_UNIT_FROM_CENTS else STACK_CHEQUES,
            "most": None,
        }
        for cents in ordered(table.par_cheques.keys() | asked.keys() | held.keys())
    ]
    context = {
        "heading": f"Fill for {table.name}",
        "back": {"url": reverse("table", args=[table.name]), "label": table.name},
        "ask": {
            "url": f"{own}?replaces={replaces.serial}" if replaces else own,
            "request_id": new_request_id(),
            "keep": f"fill-{table.name}",
            "starts": [
                {"label": label, "url": f"{own}?start={key}", "is_current": start == key}
                for key, label in (("par", "To par"), ("last", "Last fill"), ("empty", "Empty"))
            ],
            "rows": rows,
            "total_cents": total_cents(asked),
            "tray_cents": total_cents(held),
            "button_text": f"Ask for {format_money(total_cents(asked))}",
            "facts": [
                {
                    "name": "Top-sign",
                    "value": "pit manager" if needs_top_sign(asked) else "not below $5,000 cheques",
                }
            ],
            "note": f"Replaces {replaces.serial}, which went back." if replaces else None,
        },
        "refusals": refused.refusals if refused else (),
    }
    return render(
        request, "inventory/fill_new.html", context, status=http_status(refused) if refused else 200
    )


def _pad(
    request: PitRequest,
    table: Table,
    asked: dict[int, int],
    replaces: Slip | None,
    refused: Refused | None = None,
) -> HttpResponse:
    fields = {f"cheques_{cents}": count for cents, count in asked.items()}
    if replaces is not None:
        fields["replaces"] = replaces.serial  # type: ignore[assignment]
    return _raise_page(
        request,
        new_fill(table, asked, replaces),
        table,
        heading=f"Fill for {table.name}",
        url=reverse("fill-sign", args=[table.name]),
        fields=fields,
        refused=refused,
        back_url=reverse("fill-new", args=[table.name]),
    )


def _raise_page(
    request: PitRequest,
    new: NewSlip,
    table: Table,
    *,
    heading: str,
    url: str,
    fields: dict[str, Any],
    back_url: str,
    refused: Refused | None = None,
    inputs: tuple[dict[str, str], ...] = (),
) -> HttpResponse:
    """Show a slip about to be raised, and the pad for its first signature."""
    flow = FILL if new.kind == FILL.kind else FILL_RETURN
    step = flow.steps[0]
    draft = Slip(kind=new.kind, cheques={str(c): n for c, n in new.cheques.items()})
    context = {
        "heading": heading,
        "back": {"url": back_url, "label": table.name},
        "slip": {
            "title": flow.title,
            "number": "number comes with the signature",
            "facts": [
                {"name": "Table", "value": f"{table}, {table.pit}"},
                {"name": "Gaming day", "value": f"{request.period.gaming_day:%a %d %b %Y}"},
                {"name": "Shift", "value": request.period.shift},
            ],
            "lines": lines_of(draft),
            "total_cents": total_cents(new.cheques),
            "total_count": sum(new.cheques.values()),
            "steps": [],
        },
        "pad": pad_of(
            request,
            url=url,
            sentence=step.attests,
            button=f"Sign as {step.roles[0].label}",
            refused=refused,
            badge=request.user.badge,
            inputs=inputs,
            shown=request_shown(new, table),
            fields=fields,
            refuse={"url": back_url, "label": "Not now"},
        ),
        "refusals": refused.refusals if refused else (),
        "quicker": bool(refused and "stale_screen" in refused.codes),
    }
    return render(
        request, "inventory/slip.html", context, status=http_status(refused) if refused else 200
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
    return _raise_page(
        request,
        new_return(fill),
        fill.table,
        heading=f"Send back {fill.serial}",
        url=reverse("fill-return", args=[serial]),
        fields={},
        refused=refused,
        inputs=({"name": "reason", "label": "What is wrong"},),
        back_url=reverse("slip", args=[serial]),
    )


_CAGE_GROUPS = {"issued": "Prepare", "counted_in": "Count what came back", "carried": "Hand over"}


@require_GET
@page("cage")
def cage(request: PitRequest) -> HttpResponse:
    """Show what the cage prepares, hands over and counts, longest wait first."""
    return render(request, "inventory/cage.html", _cage(request))


@require_GET
@polled(whole_floor)
@page("cage")
def cage_poll(request: PitRequest) -> HttpResponse:
    """Send the cage's queue again when something moved."""
    return render(request, "inventory/_cage_poll.html", _cage(request))


def _cage(request: PitRequest) -> dict[str, Any]:
    poll = poll_url(reverse("cage-poll"), whole_floor({}))
    return {"groups": _groups(Place.CAGE, _CAGE_GROUPS), "poll_url": poll}


@require_GET
@page("security")
def security(request: PitRequest) -> HttpResponse:
    """Show what security carries: from the cage to a table, and back."""
    return render(request, "inventory/security.html", _security(request))


@require_GET
@polled(whole_floor)
@page("security")
def security_poll(request: PitRequest) -> HttpResponse:
    """Send security's queue again when something moved."""
    return render(request, "inventory/_security_poll.html", _security(request))


_SECURITY_GROUPS = {
    "carried": "Fetch at the cage",
    "carried_back": "Take back to the cage",
    "agreed": "Being counted at the table",
}


def _security(request: PitRequest) -> dict[str, Any]:
    poll = poll_url(reverse("security-poll"), whole_floor({}))
    groups = [*_groups(Place.CAGE, _SECURITY_GROUPS), *_groups(Place.PIT, _SECURITY_GROUPS)]
    return {"groups": groups, "poll_url": poll}


def _groups(place: Place, headings: dict[str, str]) -> list[dict[str, Any]]:
    """Return the queue of a place in groups by step, longest wait first."""
    waits = (
        waiting_at(place)
        .filter(slip__isnull=False, step__in=headings)
        .select_related("slip__table__pit")
        .prefetch_related("slip__signatures")
    )
    cards: dict[str, list[dict[str, Any]]] = {step: [] for step in headings}
    for wait in waits:
        cards[wait.step].append({**item_of(wait), "why": ""})
    return [{"heading": headings[step], "cards": group} for step, group in cards.items() if group]
