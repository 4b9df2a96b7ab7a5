"""Count a tray on the screen: the dealer calls, the pad takes it blind, the dealer signs."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from pitboss.access import page
from pitboss.api import http_status
from pitboss.middleware import PitRequest
from pitboss.models import Table
from pitboss.rules.cheques import BY_CENTS, STACK_CHEQUES, ordered
from pitboss.rules.refusal import Refused
from pitboss.rules.tray_flows import CLOSER, COUNT, OPENER, RECOUNT, SHIFT_COUNT
from pitboss.views.count_pads import beyond_rows, count_pad_of, counted_of, keyed_of
from pitboss.views.forms import cheques_of, pen_of, text
from pitboss.views.raising import raise_page, table_named
from tables.selectors.counts import final_check
from tables.services.dealers import dealer_at
from tables.services.trays import count_refusals, new_count, raise_count

# The address of each count, and what its pad says.
ADDRESSES = {
    OPENER.kind: "opener",
    CLOSER.kind: "closer",
    COUNT.kind: "count",
    SHIFT_COUNT.kind: "shift-count",
    RECOUNT.kind: "recount",
}
_HEADINGS = {
    OPENER.kind: ("Open {}", "Opener"),
    CLOSER.kind: ("Close {}", "Closer"),
    COUNT.kind: ("Count {}", "Mid-shift"),
    SHIFT_COUNT.kind: ("Count {}", "Shift change"),
    RECOUNT.kind: ("Recount {}", "Stays closed"),
}
_NOTE = (
    "Blind count: what the book says is not shown until both have signed. "
    "Kept on this tablet if the line drops."
)


@require_http_methods(["GET", "POST"])
@page("count")
def count_pad(request: PitRequest, name: str, kind: str) -> HttpResponse:
    """Take a count colour by colour, as the dealer calls it; then the dealer signs for it."""
    table = table_named(name)
    refusals = count_refusals(kind, table)
    if request.method == "GET" and refusals:
        return _page(request, table, kind, None, Refused(refusals))
    if request.method == "GET":
        return _pad_page(request, table, kind, _handed_back(request.GET))
    keyed = keyed_of(request.POST)
    try:
        counted = counted_of(keyed, _colours(request, table))
        if refusals:
            raise Refused(refusals)
    except Refused as refused:
        return _pad_page(request, table, kind, keyed, refused)
    return _sign_page(request, table, kind, counted)


@require_POST
@page("count")
def count_sign(request: PitRequest, name: str, kind: str) -> HttpResponse:
    """Raise the count with the badge and PIN of whoever counted."""
    table = table_named(name)
    counted: dict[int, int] = {}
    try:
        counted = cheques_of(request.POST)
        slip = raise_count(
            kind,
            table=table,
            counted=counted,
            pen=pen_of(request),
            shown=text(request.POST, "shown"),
        )
    except Refused as refused:
        return _sign_page(request, table_named(name), kind, counted, refused)
    messages.success(request, f"{slip.title} {slip.serial} counted. The supervisor verifies it.")
    return redirect("slip", serial=slip.serial)


def _colours(request: PitRequest, table: Table) -> list[int]:
    """Return the colours of the pad: those of the table's par, or every one of the house.

    Never those that the book says are there: the pad would tell what to find.
    """
    asked_all = "all" in (request.GET.get("colours"), request.POST.get("colours"))
    return list(BY_CENTS) if asked_all or not table.par else ordered(table.par_cheques)


def _handed_back(query: QueryDict) -> dict[str, str]:
    """Return the fields of a count that goes back to the pad to be keyed again."""
    keyed: dict[str, str] = {}
    for cents in BY_CENTS:
        value = query.get(f"cheques_{cents}", "")
        if value.isascii() and value.isdigit() and len(value) < 7:
            full, odd = divmod(int(value), STACK_CHEQUES)
            keyed |= {f"stacks_{cents}": str(full), f"odd_{cents}": str(odd)}
    return keyed


def _pad_page(
    request: PitRequest,
    table: Table,
    kind: str,
    keyed: dict[str, str],
    refused: Refused | None = None,
) -> HttpResponse:
    colours = _colours(request, table)
    url = reverse(ADDRESSES[kind], args=[table.name])
    has_all = len(colours) == len(BY_CENTS)
    count = count_pad_of(
        url=url,
        keep=f"count-{kind}-{table.name}",
        colours=colours,
        note=_NOTE,
        keyed=keyed,
        fields={"colours": "all"} if has_all else {},
        more=None if has_all else {"url": f"{url}?colours=all", "label": "Other colours…"},
    )
    return _page(request, table, kind, count, refused)


def _page(
    request: PitRequest,
    table: Table,
    kind: str,
    count: dict[str, Any] | None,
    refused: Refused | None,
) -> HttpResponse:
    heading, word = _HEADINGS[kind]
    refusals = refused.refusals if refused else ()
    context = {
        "heading": heading.format(table.name),
        "chip": {"kind": "half", "word": word},
        "back": {"url": reverse("table", args=[table.name]), "label": table.name},
        "count": count,
        "refusals": beyond_rows(refusals),
    }
    return render(
        request, "tables/count.html", context, status=http_status(refused) if refused else 200
    )


def _sign_page(
    request: PitRequest,
    table: Table,
    kind: str,
    counted: dict[int, int],
    refused: Refused | None = None,
) -> HttpResponse:
    """Show what was counted, and the pad for whoever counted it."""
    new = new_count(kind, table, counted)
    url = reverse(ADDRESSES[kind], args=[table.name])
    fields = {f"cheques_{cents}": counted.get(cents, 0) for cents in _sent_on(table, counted)}
    there = dealer_at(table)
    heading, _ = _HEADINGS[kind]
    return raise_page(
        request,
        new,
        table,
        heading=heading.format(table.name),
        url=reverse(f"{ADDRESSES[kind]}-sign", args=[table.name]),
        fields=fields,
        back={"url": reverse("table", args=[table.name]), "label": table.name},
        panel=final_check(table, counted) if kind == CLOSER.kind else None,
        facts=_facts(dict(new.details)),
        colours=table.par_cheques,
        refused=refused,
        badge=there.dealer.badge if there else "",
        refuse={"url": f"{url}?{urlencode(fields)}", "label": "Key it again"},
    )


def _sent_on(table: Table, counted: dict[int, int]) -> list[int]:
    """Return the colours whose counts travel with the pad, empty tubes included."""
    return ordered(table.par_cheques.keys() | counted.keys())


def _facts(details: dict[str, Any]) -> list[dict[str, str]]:
    facts = []
    if details.get("sequence"):
        facts.append({"name": "Opening today", "value": str(details["sequence"])})
    if details.get("outside"):
        facts.append({"name": "Outside the count", "value": ", ".join(details["outside"])})
    return facts
