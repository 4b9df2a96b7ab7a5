"""Markers on the screen: issued at a table, paid there or at the cage."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_http_methods

from inventory.models import Patron
from inventory.selectors.credit import credit_of
from inventory.selectors.marker_slips import marker_panel
from inventory.selectors.patrons import patron_of_card, patrons_named
from inventory.services.cash_log import Transaction, outlook_of
from inventory.services.marker_payments import (
    new_payment,
    payable,
    take_payment,
    taking_refusals,
)
from inventory.services.markers import cut_of, issue_marker, marker_refusals, new_marker
from inventory.views.asking import keyed_cheques
from inventory.views.patrons import found_of
from pitboss.access import page
from pitboss.api import http_status
from pitboss.middleware import PitRequest
from pitboss.models import Table
from pitboss.rules.cash_log import CashKind
from pitboss.rules.cheques import BY_CENTS, ordered
from pitboss.rules.refusal import Refused
from pitboss.services import house
from pitboss.services.signing import NewSlip
from pitboss.views.forms import cheques_of, dollars_of, pen_of, text
from pitboss.views.raising import raise_page, table_named


def chosen_patron(request: PitRequest) -> Patron | None:
    """Return the patron whom the address or the form names, or whose card was swiped."""
    given = request.POST.get("patron") or request.GET.get("patron", "")
    if given.isascii() and given.isdigit() and len(given) < 19:
        return get_object_or_404(Patron, pk=int(given))
    return patron_of_card(request.GET.get("q", "").replace("\x00", ""))


def choose_patron(
    request: PitRequest, heading: str, url: str, back: Mapping[str, str]
) -> HttpResponse:
    """Look the patron up first: a card that is swiped leads on at once."""
    asked = request.GET.get("q", "").replace("\x00", "")[:80]
    found = [found_of(patron) for patron in patrons_named(asked)]
    for each in found:
        each["url"] = f"{url}?patron={each['patron'].pk}"
    context = {"heading": heading, "back": back, "asked": asked, "found": found, "url": url}
    return render(request, "inventory/patron_choose.html", context)


@require_http_methods(["GET", "POST"])
@page("marker")
def marker_new(request: PitRequest, name: str) -> HttpResponse:
    """Issue a marker: the patron, the amount with what remains, then the supervisor signs."""
    table = table_named(name)
    url = reverse("marker-new", args=[name])
    back = {"url": reverse("table", args=[name]), "label": name}
    patron = chosen_patron(request)
    if patron is None:
        return choose_patron(request, f"Marker for {name}", url, back)
    refused: Refused | None = None
    new: NewSlip | None = None
    if request.method == "POST":
        try:
            new = _marker(request, table, patron)
            if "pin" in request.POST:
                slip = issue_marker(new, pen=pen_of(request), shown=text(request.POST, "shown"))
                messages.success(request, f"Marker {slip.serial} issued. {_next_words(new)}")
                return redirect("slip", serial=slip.serial)
            refusals = marker_refusals(new, table, patron, request.user.badge)
            if refusals:
                raise Refused(refusals)
        except Refused as error:
            refused = error
    if new is not None and (refused is None or "pin" in request.POST):
        return _marker_pad(request, table, patron, new, refused)
    context = {
        "heading": f"Marker for {name}",
        "back": {"url": url, "label": "Patron"},
        "found": found_of(patron),
        "url": url,
        "keyed": {"amount": request.POST.get("amount", ""), "over": "over" in request.POST},
        "refusals": refused.refusals if refused else (),
    }
    status = http_status(refused) if refused else 200
    return render(request, "inventory/marker_new.html", context, status=status)


def _marker(request: PitRequest, table: Table, patron: Patron) -> NewSlip:
    """Return the marker that was keyed: its amount, cut from this tray. Raises Refused."""
    credit = credit_of(patron, house.now())
    amount_cents = dollars_of(request.POST, "amount")
    cheques = cheques_of(request.POST) or cut_of(table, amount_cents)
    over = "over" in request.POST and bool(credit.over_line_cents(amount_cents))
    return new_marker(table, patron, cheques, credit=credit, asks_authority=over)


def _next_words(new: NewSlip) -> str:
    if new.details["over_line_cents"]:
        return "Waits for an authority above the line."
    return "Hand the tablet to the patron."


def _marker_pad(
    request: PitRequest,
    table: Table,
    patron: Patron,
    new: NewSlip,
    refused: Refused | None,
) -> HttpResponse:
    url = reverse("marker-new", args=[table.name])
    fields: dict[str, Any] = {
        "patron": patron.pk,
        "amount": request.POST.get("amount", ""),
        **{f"cheques_{cents}": n for cents, n in new.cheques.items()},
    }
    if "over" in request.POST:
        fields["over"] = "yes"
    return raise_page(
        request,
        new,
        table,
        heading=f"Marker for {table.name}",
        url=url,
        fields=fields,
        back={"url": f"{url}?patron={patron.pk}", "label": "Amount"},
        refused=refused,
        badge=request.user.badge,
        panel=marker_panel(new.details),
    )


@require_http_methods(["GET", "POST"])
@page("marker_payment")
def marker_payment(request: PitRequest, name: str) -> HttpResponse:
    """Take a payment at a table: the dealer counts it, a supervisor verifies."""
    table = table_named(name)
    back = {"url": reverse("table", args=[name]), "label": name}
    return _payment(request, table, reverse("marker-payment", args=[name]), back)


@require_http_methods(["GET", "POST"])
@page("marker_payment_cage")
def marker_payment_cage(request: PitRequest) -> HttpResponse:
    """Take a payment at the cage, where the original lies."""
    back = {"url": reverse("cage"), "label": "Cage"}
    return _payment(request, None, reverse("marker-payment-cage"), back)


def _payment(
    request: PitRequest, table: Table | None, url: str, back: Mapping[str, str]
) -> HttpResponse:
    where = table.name if table else "the cage"
    patron = chosen_patron(request)
    if patron is None:
        return choose_patron(request, f"Marker payment at {where}", url, back)
    refused: Refused | None = None
    new: NewSlip | None = None
    if request.method == "POST":
        try:
            new = new_payment(
                table,
                patron,
                cheques=cheques_of(request.POST),
                cash_cents=dollars_of(request.POST, "cash"),
                first_serial=text(request.POST, "first"),
                waiver=text(request.POST, "waiver"),
            )
            if "pin" in request.POST:
                slip = take_payment(new, pen=pen_of(request), shown=text(request.POST, "shown"))
                messages.success(request, f"{slip.serial} received. A second person verifies it.")
                return redirect("slip", serial=slip.serial)
            refusals = taking_refusals(new, table, patron)
            if refusals:
                raise Refused(refusals)
        except Refused as error:
            refused = error
    if new is not None and (refused is None or "pin" in request.POST):
        return _payment_pad(request, table, patron, new, url, refused)
    # What was refused, or what the signer wants to change.
    keyed = request.POST or request.GET
    context = {
        "heading": f"Marker payment at {where}",
        "back": {"url": url, "label": "Patron"},
        "found": found_of(patron),
        "owed": payable(patron, at_table=table is not None),
        "elsewhere": payable(patron, at_table=table is None),
        "url": url,
        "colours": _colours(keyed_cheques(keyed)),
        "keyed": {name: keyed.get(name, "") for name in ("cash", "first", "waiver")},
        "refusals": refused.refusals if refused else (),
    }
    status = http_status(refused) if refused else 200
    return render(request, "inventory/marker_payment.html", context, status=status)


def _colours(keyed: Mapping[int, int]) -> list[dict[str, Any]]:
    """Return the colours that a payment may be in: all of the house, whatever the tray holds."""
    return [{"cents": cents, "count": keyed.get(cents, "")} for cents in ordered(BY_CENTS)]


def _payment_pad(
    request: PitRequest,
    table: Table | None,
    patron: Patron,
    new: NewSlip,
    url: str,
    refused: Refused | None,
) -> HttpResponse:
    fields: dict[str, Any] = {
        "patron": patron.pk,
        **{name: request.POST.get(name, "") for name in ("cash", "first", "waiver")},
        **{f"cheques_{cents}": n for cents, n in new.cheques.items()},
    }
    return raise_page(
        request,
        new,
        table,
        heading=f"Marker payment of {patron}",
        url=url,
        fields=fields,
        back={"url": f"{url}?patron={patron.pk}", "label": "Payment"},
        refuse={"url": f"{url}?{urlencode(fields)}", "label": "Change it"},
        refused=refused,
        note=_cash_note(request, table, patron, new.details["cash_cents"]),
    )


def _cash_note(
    request: PitRequest, table: Table | None, patron: Patron, cash_cents: int
) -> dict[str, str] | None:
    """Warn before the cash that takes the patron's day over the limit of a currency report."""
    if not cash_cents:
        return None
    paid = Transaction(CashKind.MARKER_PAYMENT, cash_cents, table, patron=patron)
    outlook = outlook_of(paid, request.period.gaming_day)
    if not outlook.needs_confirmation:
        return None
    return {"tone": "wait", "bold": "Currency report.", "text": outlook.sentence}
