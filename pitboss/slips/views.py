"""Raise a slip of any kind on the screen: enter, review, sign, once for all of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from pitboss.access import kind_page, page
from pitboss.api import http_status
from pitboss.context import rail_place
from pitboss.middleware import PitRequest
from pitboss.models import Slip
from pitboss.rules.floor.fields import read_facts
from pitboss.rules.flows.asks import ASKS
from pitboss.rules.refusal import Refused
from pitboss.slips.addresses import SUGGESTED, own_url
from pitboss.slips.counts import asks_a_count, carried, count_look
from pitboss.slips.fields import drawn, given_of, kept
from pitboss.slips.kind import Kind, Look, Raising
from pitboss.slips.raising import raise_kind
from pitboss.views.forms import new_request_id, pen_of, said_of, text
from pitboss.views.raising import raise_page, table_named
from pitboss.views.taps import keep_signed


@require_http_methods(["GET", "POST"])
@kind_page
def slip_new(request: PitRequest, kind: Kind) -> HttpResponse:
    """Ask what a kind of slip asks; then show what it will say, with the pad; then raise it."""
    raising = _begun(request, kind)
    if kind.chooses is not None and (choice := kind.chooses(request, raising)) is not None:
        return _page(request, raising, choice)
    if request.method == "GET":
        if kind.suggests is not None and SUGGESTED in request.GET:
            suggested = dict(kind.suggests(request, raising))
            if suggested:
                return _reviewed(request, replace(raising, cheques=suggested))
        refused = _refused(request, raising) if kind.refuses_at_once else None
        return (_ask_page if kind.asked else _pad)(request, raising, refused)
    try:
        raising = _entered(request, raising)
    except Refused as refused:
        # No one signs what could not be read: it is asked again, with the signature not taken.
        return _ask_page(request, raising, refused)
    if "shown" not in request.POST and not kind.is_signed_where_asked:
        return _reviewed(request, raising)
    try:
        return _raised(request, raising)
    except Refused as refused:
        again = _begun(request, kind, raising)
        if kind.is_signed_where_asked:
            return _ask_page(request, again, refused)
        try:
            return _pad(request, again, refused)
        except Refused as gone:
            # What was reviewed cannot be raised any more: there is nothing to sign.
            return _ask_page(request, again, gone)


@page("slip")
def moved(
    request: PitRequest,
    /,
    kind: str,
    name: str = "",
    serial: str = "",
    patron_id: int | None = None,
    **named: str | int,
) -> HttpResponse:
    """Lead from where one kind was raised to where all are, with what was sent there."""
    query = request.GET.copy()
    replaces = query.pop("replaces", [request.POST.get("replaces", "")])[-1]
    patron = patron_id or request.POST.get("patron", "")
    named |= {"table": name, "of": serial or replaces, "patron": str(patron)}
    for key, value in named.items():
        if value:
            query[key] = str(value)
    address = HttpResponse(status=308)
    address["Location"] = f"{reverse('slip-new', args=[kind])}?{query.urlencode()}"
    return address


def _begun(request: PitRequest, kind: Kind, entered: Raising | None = None) -> Raising:
    """Return what the address names: the table and the other slip, as they are now."""
    original = None
    if serial := request.GET.get("of"):
        slips = Slip.objects.select_related("table__pit")
        original = get_object_or_404(slips, serial=serial, kind__in=kind.refers_to)
    elif kind.must_refer:
        raise Http404("Open it from the slip that it is about.")
    table = original.table if original and kind.at_a_table else None
    if table is None and kind.at_a_table:
        table = table_named(request.GET.get("table", ""))
    badge = request.user.badge
    begun = replace(entered or kind.at(), table=table, original=original, badge=badge)
    return kind.begins(request, begun) if kind.begins else begun


def _entered(request: PitRequest, raising: Raising) -> Raising:
    """Return what was entered for a slip. Raises Refused."""
    row = raising.kind.asked
    given = read_facts(row, given_of(row, request.POST, raising.table, request.FILES))
    cheques = {int(cents): count for cents, count in given.pop("cheques", {}).items()}
    entered = replace(raising, cheques=cheques, given={**raising.given, **given})
    becomes = raising.kind.becomes
    return becomes(entered) if becomes else entered


def _reviewed(request: PitRequest, raising: Raising) -> HttpResponse:
    """Show what was entered with the pad for it, or ask again."""
    refused = _refused(request, raising)
    if refused is not None and raising.kind.asked:
        return _ask_page(request, raising, refused)
    return _pad(request, raising, refused)


def _refused(request: PitRequest, raising: Raising) -> Refused | None:
    refusals = [*raising.kind.refusals(raising)]
    if raising.table is not None:
        ships = raising.kind.ships
        refusals += request.house.cheques.refusals(
            raising.cheques, ships=ships, table=raising.table.name
        )
    return Refused(refusals) if refusals else None


def _raised(request: PitRequest, raising: Raising) -> HttpResponse:
    kind = raising.kind
    slip = raise_kind(
        raising,
        pen=pen_of(request),
        shown=text(request.POST, "shown"),
        reason=text(request.POST, "reason"),
        said=said_of(request.POST),
    )
    # What is sent again may have been signed by others since.
    keep_signed(request, slip.signatures.earliest("pk"))
    messages.success(request, kind.raised(slip))
    return redirect(kind.goes_on(slip))


def _ask_page(
    request: PitRequest, raising: Raising, refused: Refused | None = None
) -> HttpResponse:
    look = raising.kind.look or (count_look if asks_a_count(raising.kind) else _plain_look)
    return _page(request, raising, look(request, raising, refused), refused)


def _page(
    request: PitRequest, raising: Raising, look: Look, refused: Refused | None = None
) -> HttpResponse:
    template, context = look
    shown = {
        "heading": raising.kind.heading(raising),
        "back": _back(raising),
        "refusals": refused.refusals if refused else (),
        **context,
    }
    return render(request, template, shown, status=http_status(refused) if refused else 200)


def _plain_look(request: PitRequest, raising: Raising, refused: Refused | None) -> Look:
    """Ask field by field."""
    given: Mapping[str, Any] = request.POST if refused else request.GET
    return "pitboss/slip_new.html", {
        "url": own_url(raising),
        "request_id": new_request_id(),
        "fields": [drawn(field, given) for field in raising.kind.asked],
    }


def _pad(request: PitRequest, raising: Raising, refused: Refused | None = None) -> HttpResponse:
    kind, first = raising.kind, raising.kind.steps[0]
    fields = carried(raising, request.POST) if asks_a_count(kind) else kept(request.POST)
    # A text is signed as it was read, out of a file too, and is too long for an address.
    texts = {field.name for field in kind.asked if field.shape == "text"}
    again = {name: value for name, value in fields.items() if name not in texts}
    fields |= {name: raising.given[name] for name in texts if name in raising.given}
    # Those cheques are signed that were shown, even if they came of an amount.
    fields |= {f"cheques_{cents}": str(n) for cents, n in raising.cheques.items()}
    new = raising.new()
    inputs = [{"name": "reason", "label": first.reason_label}] if first.needs_reason else []
    inputs += [
        {"name": f"said_{name}", "label": ASKS[name].label, "type": "text"} for name in first.asks
    ]
    shown: dict[str, Any] = {
        "inputs": tuple(inputs),
        "badge": request.user.badge,
        **kind.review(raising, new),
    }
    return raise_page(
        request,
        new,
        raising.table,
        heading=kind.heading(raising),
        url=own_url(raising),
        fields=fields,
        refused=refused,
        back=_back(raising),
        refuse={"url": own_url(raising, **again), "label": "Change it"} if kind.asked else None,
        **shown,
    )


def _back(raising: Raising) -> Mapping[str, str]:
    if raising.kind.back is not None:
        return raising.kind.back(raising)
    original = raising.original
    if original is not None and raising.kind.must_refer and raising.kind.at_a_table:
        return {"url": reverse("slip", args=[original.serial]), "label": original.title}
    if raising.table is not None:
        name = raising.table.name
        return {"url": reverse("table", args=[name]), "label": name}
    return rail_place(raising.kind.lit_by)
