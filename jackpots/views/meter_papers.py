"""Propose what a meter is, or what it shows: look at it in words first, then sign."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from jackpots.models import Meter
from jackpots.selectors.meters import meter_now
from jackpots.services.meter_changes import (
    new_adjustment,
    new_terms,
    propose_adjustment,
    propose_terms,
)
from pitboss.access import page
from pitboss.api import http_status
from pitboss.middleware import PitRequest
from pitboss.models import Slip, Table
from pitboss.rules.cheques import format_money
from pitboss.rules.meter_flows import METER_ADJUSTMENT, METER_CHANGE
from pitboss.rules.meters import ADJUSTING, Cause, MeterSource, MeterTerms, rate_words, read_terms
from pitboss.rules.paytables import METERS
from pitboss.rules.refusal import Refused, refuse
from pitboss.rules.setting_kinds import Amount
from pitboss.services.shown import request_shown
from pitboss.services.signing import NewSlip
from pitboss.services.table_changes import rules_in_force
from pitboss.views.forms import pen_of, text
from pitboss.views.pads import pad_of

_FIELDS = ("name", "bet", "source", "start", "reset", "rate", "reserve", "maximum")
_AMOUNT = Amount(100, 100_000_000_000)


@require_http_methods(["GET", "POST"])
@page("meter_terms")
def meter_terms(request: PitRequest, meter_id: int | None = None) -> HttpResponse:
    """Key what a meter is; with ?look, see it in words and sign."""
    meter = get_object_or_404(Meter, pk=meter_id) if meter_id is not None else None
    given = request.POST if request.method == "POST" else request.GET
    keyed = _keyed(given) if "look" in given else _as_keyed(meter)
    looked = _look(
        request, given, lambda: new_terms(read_terms(keyed), meter), propose=propose_terms
    )
    if isinstance(looked, Slip):
        return redirect("slip", serial=looked.serial)
    new, refused = looked
    own = reverse("meter-terms", args=[meter.pk]) if meter else reverse("meter-new")
    context: dict[str, Any] = {
        "heading": f"Terms of {meter}" if meter else "Start a meter",
        "back": {"url": reverse("meter", args=[meter.pk]), "label": meter.name}
        if meter
        else {"url": reverse("meters"), "label": "Meters"},
        "meter": meter,
        "keyed": keyed,
        "bets": _bets(),
        "sources": {source.value: source.words for source in MeterSource},
        "tables": _tables(request, keyed),
        "says": new.details["says"] if new else None,
        "pad": _pad(request, own, METER_CHANGE.steps[0].attests, new, keyed, refused),
        "refusals": refused.refusals if refused else (),
    }
    return render(
        request,
        "jackpots/meter_terms.html",
        context,
        status=http_status(refused) if refused else 200,
    )


def _look(
    request: PitRequest,
    given: QueryDict,
    make: Callable[[], NewSlip],
    *,
    propose: Callable[..., Slip],
) -> Slip | tuple[NewSlip | None, Refused | None]:
    """Return the slip once it is proposed; before, what would be, and what stands against it."""
    if "look" not in given:
        return None, None
    new: NewSlip | None = None
    try:
        new = make()
        if request.method != "POST":
            return new, None
        slip = propose(
            new,
            reason=text(request.POST, "reason"),
            pen=pen_of(request),
            shown=text(request.POST, "shown"),
        )
    except Refused as refused:
        return new, refused
    messages.success(request, f"{slip.serial} waits for another person.")
    return slip


def _keyed(given: QueryDict) -> dict[str, str]:
    keyed = {name: given.get(name, "")[:80] for name in _FIELDS}
    # A form that was looked at carries its tables as one text.
    return keyed | {"tables": " ".join(given.getlist("tables"))[:4_000]}


def _as_keyed(meter: Meter | None) -> dict[str, str]:
    if meter is None:
        return {"source": "pitboss", "tables": ""}
    terms: MeterTerms = meter.terms()
    most = terms.maximum_cents
    return {
        "name": terms.name,
        "bet": f"{terms.wager}:{terms.level}",
        "source": terms.source.value,
        "start": format_money(terms.start_cents).removeprefix("$"),
        "reset": format_money(terms.reset_cents).removeprefix("$"),
        "rate": rate_words(terms.rate_ppm),
        "reserve": rate_words(terms.reserve_ppm),
        "maximum": "" if most is None else format_money(most).removeprefix("$"),
        "tables": " ".join(terms.tables),
    }


def _bets() -> dict[str, str]:
    return {
        f"{wager}:{level}": f"{wager.replace('_', ' ').title()}, {level.lower()}"
        for wager, levels in METERS.items()
        for level in levels
    }


def _tables(request: PitRequest, keyed: dict[str, str]) -> list[dict[str, Any]]:
    """Return the tables that take a bet with a meter, and whether each was ticked."""
    ticked = keyed.get("tables", "").split()
    tables = []
    for table in Table.objects.select_related("pit"):
        try:
            bets = rules_in_force(table, request.house).side_bets
        except Refused:
            continue
        if any(wager in bets for wager in METERS):
            tables.append({"name": table.name, "pit": table.pit, "is_on": table.name in ticked})
    return tables


@require_http_methods(["GET", "POST"])
@page("meter_amount")
def meter_amount(request: PitRequest, meter_id: int) -> HttpResponse:
    """Key what a meter shall show and why; with ?look, see it in words and sign."""
    meter = get_object_or_404(Meter, pk=meter_id)
    given = request.POST if request.method == "POST" else request.GET
    keyed = {"amount": given.get("amount", "")[:40], "cause": given.get("cause", "")[:16]}
    looked = _look(
        request,
        given,
        lambda: new_adjustment(meter, _cause(keyed["cause"]), _cents(keyed["amount"])),
        propose=propose_adjustment,
    )
    if isinstance(looked, Slip):
        return redirect("slip", serial=looked.serial)
    new, refused = looked
    own = reverse("meter-amount", args=[meter.pk])
    causes = (Cause.POSTED,) if meter.is_posted else ADJUSTING
    context = {
        "heading": f"Amount of {meter}",
        "back": {"url": reverse("meter", args=[meter.pk]), "label": meter.name},
        "meter": meter,
        "now_shown": meter_now(meter),
        "keyed": keyed,
        "causes": {cause.value: cause.words for cause in causes},
        "says": new.details["says"] if new else None,
        "pad": _pad(request, own, METER_ADJUSTMENT.steps[0].attests, new, keyed, refused),
        "refusals": refused.refusals if refused else (),
    }
    return render(
        request,
        "jackpots/meter_amount.html",
        context,
        status=http_status(refused) if refused else 200,
    )


def _cause(keyed: str) -> Cause:
    try:
        return Cause(keyed)
    except ValueError:
        raise refuse("unknown_cause", "Choose why the meter changes.") from None


def _cents(keyed: str) -> int:
    cents = _AMOUNT.read(keyed)
    assert cents is not None, "an amount that may not be none was read as none"
    return cents


def _pad(
    request: PitRequest,
    own: str,
    sentence: str,
    new: NewSlip | None,
    keyed: dict[str, str],
    refused: Refused | None,
) -> dict[str, Any] | None:
    """Return the pad once the proposal stands in words."""
    if new is None:
        return None
    return pad_of(
        request,
        url=own,
        sentence=sentence,
        button="Propose",
        refused=refused,
        inputs=({"name": "reason", "label": "Reason"},),
        fields={**keyed, "look": "1"},
        shown=request_shown(new, None),
        refuse={"url": own, "label": "Key it again"},
    )
