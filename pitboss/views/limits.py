"""How much one person may sign for: their own limits, and a change put to two managers."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from pitboss.access import page
from pitboss.api import http_status
from pitboss.middleware import PitRequest
from pitboss.models import Person
from pitboss.rules.house_flows import LIMIT_CHANGE, MANAGERS
from pitboss.rules.limits import LIMITED_KINDS
from pitboss.rules.refusal import Refused
from pitboss.selectors.limits import limit_history, limits_of
from pitboss.services.limits import AMOUNT, limit_refusals, new_limit, propose_limit
from pitboss.services.shown import request_shown
from pitboss.services.signing import NewSlip
from pitboss.views.forms import pen_of, text
from pitboss.views.pads import pad_of


@require_GET
@page("people")
def person_limits(request: PitRequest, person_id: int) -> HttpResponse:
    """Show somebody's limits; with ?kind=, the change about to be signed."""
    person = get_object_or_404(Person, pk=person_id)
    if "kind" not in request.GET:
        return _render(request, person)
    keyed = {name: request.GET.get(name, "")[:40] for name in ("kind", "most", "from")}
    try:
        new = _new(person, keyed)
        refusals = limit_refusals(new.details)
        if refusals:
            raise Refused(refusals)
    except Refused as refused:
        return _render(request, person, keyed=keyed, refused=refused)
    return _render(request, person, keyed=keyed, new=new)


@require_POST
@page("people")
def limit_propose(request: PitRequest, person_id: int) -> HttpResponse:
    """Propose a limit with the badge and PIN on the pad."""
    person = get_object_or_404(Person, pk=person_id)
    keyed: dict[str, str] = {}
    new = None
    try:
        keyed = {name: text(request.POST, name) for name in ("kind", "most", "from")}
        new = _new(person, keyed)
        slip = propose_limit(
            new,
            reason=text(request.POST, "reason"),
            pen=pen_of(request),
            shown=text(request.POST, "shown"),
        )
    except Refused as refused:
        return _render(request, person, keyed=keyed, new=new, refused=refused)
    messages.success(request, f"{slip.serial} waits for another manager.")
    return redirect("slip", serial=slip.serial)


def _new(person: Person, keyed: dict[str, str]) -> NewSlip:
    return new_limit(person, kind=keyed["kind"], keyed=keyed["most"], holds_from=keyed["from"])


def _render(
    request: PitRequest,
    person: Person,
    *,
    keyed: dict[str, str] | None = None,
    new: NewSlip | None = None,
    refused: Refused | None = None,
) -> HttpResponse:
    own_url = reverse("person-limits", args=[person.pk])
    pad = None
    if new is not None and keyed is not None:
        pad = pad_of(
            request,
            url=reverse("limit-propose", args=[person.pk]),
            sentence=LIMIT_CHANGE.steps[0].attests,
            button="Propose",
            refused=refused,
            inputs=({"name": "reason", "label": "Reason"},),
            fields=keyed,
            shown=request_shown(new, None),
            refuse={"url": own_url, "label": "Change it again"},
        )
    name = f"{person.first_name} {person.last_name}"
    context: dict[str, Any] = {
        "heading": f"Limits of {name}",
        "back": {"url": reverse("person-edit", args=[person.pk]), "label": name},
        "own_url": own_url,
        "person": person,
        "limits": limits_of(person, request.house),
        "history": limit_history(person),
        "kinds": LIMITED_KINDS,
        "hint": AMOUNT.hint,
        "keyed": keyed or {},
        "may_propose": request.role in MANAGERS and person.is_active,
        "says": new.details["says"] if new else None,
        "pad": pad,
        "refusals": refused.refusals if refused else (),
    }
    return render(
        request, "pitboss/limits.html", context, status=http_status(refused) if refused else 200
    )
