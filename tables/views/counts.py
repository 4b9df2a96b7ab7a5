"""Count a tray on the screen: the dealer calls, the pad takes it blind, the dealer signs."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from pitboss.access import page
from pitboss.api import http_status
from pitboss.middleware import PitRequest
from pitboss.models import Slip, Table
from pitboss.rules.cheques import BY_CENTS, STACK_CHEQUES, ordered, total_cents
from pitboss.rules.counting import CountBy, read_colour, read_count
from pitboss.rules.flow_book import FLOWS
from pitboss.rules.refusal import Refusal, Refused
from pitboss.rules.tray_flows import CLOSER, COUNT, OPENER, RECOUNT, SHIFT_COUNT
from pitboss.selectors.slips import lines_of
from pitboss.services.shown import request_shown
from pitboss.views.forms import cheques_of, new_request_id, pen_of, text
from pitboss.views.pads import pad_of
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
_PARTS = ("stacks", "odd", "cheques", "dollars")


def _table(name: str) -> Table:
    return get_object_or_404(Table.objects.select_related("pit"), name=name)


@require_http_methods(["GET", "POST"])
@page("count")
def count_pad(request: PitRequest, name: str, kind: str) -> HttpResponse:
    """Take a count colour by colour, as the dealer calls it; then the dealer signs for it."""
    table = _table(name)
    refusals = count_refusals(kind, table)
    if request.method == "GET" and refusals:
        return _page(request, table, kind, None, Refused(refusals))
    if request.method == "GET":
        return _pad_page(request, table, kind, _handed_back(request.GET))
    keyed = {name: value for name, value in request.POST.items() if isinstance(value, str)}
    try:
        counted = read_count(keyed.get("by", ""), _colours(request, table), keyed)
        if refusals:
            raise Refused(refusals)
    except Refused as refused:
        return _pad_page(request, table, kind, keyed, refused)
    return _sign_page(request, table, kind, counted)


@require_POST
@page("count")
def count_sign(request: PitRequest, name: str, kind: str) -> HttpResponse:
    """Raise the count with the badge and PIN of whoever counted."""
    table = _table(name)
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
        return _sign_page(request, _table(name), kind, counted, refused)
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
    by = keyed.get("by", "")
    has_all = len(colours) == len(BY_CENTS)
    count = {
        "url": url,
        "request_id": new_request_id(),
        "keep": f"count-{kind}-{table.name}",
        "by": by if by in list(CountBy) else CountBy.STACKS.value,
        "rows": [_row(cents, by, keyed) for cents in colours],
        "button": "Done, sign",
        "note": _NOTE,
        "fields": {"colours": "all"} if has_all else {},
        "more": None if has_all else {"url": f"{url}?colours=all", "label": "Other colours…"},
    }
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
        # What is wrong with one colour stands in its row.
        "refusals": [each for each in refusals if each.code not in _IN_A_ROW],
    }
    return render(
        request, "tables/count.html", context, status=http_status(refused) if refused else 200
    )


_IN_A_ROW = frozenset({"not_counted", "bad_count", "bad_amount", "not_a_multiple"})


def _row(cents: int, by: str, keyed: dict[str, str]) -> dict[str, Any]:
    read = read_colour(CountBy(by), cents, keyed) if by in list(CountBy) else 0
    return {
        "cents": cents,
        **{part: keyed.get(f"{part}_{cents}", "")[:12] for part in _PARTS},
        "error": read.message if isinstance(read, Refusal) else "",
    }


def _sign_page(
    request: PitRequest,
    table: Table,
    kind: str,
    counted: dict[int, int],
    refused: Refused | None = None,
) -> HttpResponse:
    """Show what was counted, and the pad for whoever counted it."""
    flow = FLOWS[kind]
    step = flow.steps[0]
    new = new_count(kind, table, counted)
    url = reverse(ADDRESSES[kind], args=[table.name])
    fields = {f"cheques_{cents}": counted.get(cents, 0) for cents in _sent_on(table, counted)}
    draft = Slip(kind=kind, cheques={str(c): n for c, n in counted.items()})
    there = dealer_at(table)
    heading, _ = _HEADINGS[kind]
    context = {
        "heading": heading.format(table.name),
        "back": {"url": reverse("table", args=[table.name]), "label": table.name},
        "slip": {
            "title": flow.title,
            "number": "",
            "facts": _facts(request, table, dict(new.details)),
            "lines": lines_of(draft, colours=table.par_cheques),
            "total_cents": total_cents(counted),
            "total_count": sum(counted.values()),
            "steps": [],
            "panel": final_check(table, counted) if kind == CLOSER.kind else None,
        },
        "pad": pad_of(
            request,
            url=reverse(f"{ADDRESSES[kind]}-sign", args=[table.name]),
            sentence=step.attests,
            button=f"Sign as {' or '.join(role.label for role in step.roles)}",
            refused=refused,
            badge=there.dealer.badge if there else "",
            shown=request_shown(new, table),
            fields=fields,
            refuse={"url": f"{url}?{urlencode(fields)}", "label": "Key it again"},
        ),
        "refusals": refused.refusals if refused else (),
        "quicker": bool(refused and "stale_screen" in refused.codes),
    }
    return render(
        request, "inventory/slip.html", context, status=http_status(refused) if refused else 200
    )


def _sent_on(table: Table, counted: dict[int, int]) -> list[int]:
    """Return the colours whose counts travel with the pad, empty tubes included."""
    return ordered(table.par_cheques.keys() | counted.keys())


def _facts(request: PitRequest, table: Table, details: dict[str, Any]) -> list[dict[str, str]]:
    facts = [
        {"name": "Table", "value": f"{table}, {table.pit}"},
        {"name": "Gaming day", "value": f"{request.period.gaming_day:%a %d %b %Y}"},
        {"name": "Shift", "value": request.period.shift},
    ]
    if details.get("sequence"):
        facts.append({"name": "Opening today", "value": str(details["sequence"])})
    if details.get("outside"):
        facts.append({"name": "Outside the count", "value": ", ".join(details["outside"])})
    return facts
