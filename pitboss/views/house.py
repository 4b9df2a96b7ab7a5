"""The house's settings: what holds today, what held before, and a change put to two people."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from pitboss.access import page
from pitboss.api import http_status
from pitboss.middleware import PitRequest
from pitboss.rules.house_flows import MANAGERS, SETTING_CHANGE
from pitboss.rules.refusal import Refused
from pitboss.rules.setting import Setting
from pitboss.rules.setting_kinds import Choice, ShiftList
from pitboss.rules.settings_book import BOOK
from pitboss.rules.tax_house import PayerCard, TreatyList
from pitboss.selectors.first_steps import first_steps, has_opened
from pitboss.selectors.house import history_of, open_proposals, subjects_now
from pitboss.services.setting_changes import new_change, proposal_refusals, propose_setting
from pitboss.services.shown import request_shown
from pitboss.services.signing import NewSlip
from pitboss.views.forms import pen_of, text
from pitboss.views.pads import pad_of


@require_GET
@page("house")
def settings_list(request: PitRequest) -> HttpResponse:
    """List every setting by subject, with the value that holds."""
    context = {"subjects": subjects_now(), "is_beginning": not has_opened()}
    return render(request, "pitboss/house.html", context)


@require_GET
@page("house")
def first_steps_list(request: PitRequest) -> HttpResponse:
    """Lead a new property to its first opened table."""
    context = {
        "heading": "First steps",
        "back": {"url": reverse("house"), "label": "House"},
        "steps": first_steps(request.role),
        "has_opened": has_opened(),
    }
    return render(request, "pitboss/first_steps.html", context)


@require_GET
@page("house")
def setting(request: PitRequest, key: str) -> HttpResponse:
    """Show one setting; with ?value=, the change about to be proposed and the pad to sign it."""
    found = _setting(key)
    if "value" not in request.GET:
        return _render(request, found)
    keyed = {"value": request.GET["value"][:2_000], "from": request.GET.get("from", "")[:40]}
    try:
        new = new_change(key=key, keyed=keyed["value"], holds_from=keyed["from"])
        refusals = proposal_refusals(new.details)
        if refusals:
            raise Refused(refusals)
    except Refused as refused:
        return _render(request, found, keyed=keyed, refused=refused)
    return _render(request, found, keyed=keyed, new=new)


@require_POST
@page("house")
def setting_propose(request: PitRequest, key: str) -> HttpResponse:
    """Propose a value with the badge and PIN on the pad."""
    found = _setting(key)
    keyed: dict[str, str] = {}
    new = None
    try:
        keyed = {"value": text(request.POST, "value"), "from": text(request.POST, "from")}
        new = new_change(key=key, keyed=keyed["value"], holds_from=keyed["from"])
        slip = propose_setting(
            new,
            reason=text(request.POST, "reason"),
            pen=pen_of(request),
            shown=text(request.POST, "shown"),
        )
    except Refused as refused:
        return _render(request, found, keyed=keyed, new=new, refused=refused)
    messages.success(request, f"{slip.serial} waits for another manager.")
    return redirect("slip", serial=slip.serial)


def _setting(key: str) -> Setting:
    if key not in BOOK:
        raise Http404(f"There is no setting {key[:60]}.")
    return BOOK[key]


def _render(
    request: PitRequest,
    found: Setting,
    *,
    keyed: dict[str, str] | None = None,
    new: NewSlip | None = None,
    refused: Refused | None = None,
) -> HttpResponse:
    value = request.house[found.key]
    pad = None
    if new is not None and keyed is not None:
        pad = pad_of(
            request,
            url=reverse("setting-propose", args=[found.key]),
            sentence=SETTING_CHANGE.steps[0].attests,
            button="Propose",
            refused=refused,
            inputs=({"name": "reason", "label": "Reason"},),
            fields=keyed,
            shown=request_shown(new, None),
            refuse={"url": reverse("setting", args=[found.key]), "label": "Change it again"},
        )
    waiting = next((s for s in open_proposals() if s.details["key"] == found.key), None)
    context: dict[str, Any] = {
        "heading": found.title,
        "back": {"url": reverse("house"), "label": "House"},
        "setting": found,
        "words": found.words(value),
        "default_words": found.words(found.default),
        "keyed": keyed or {"value": found.kind.text(value), "from": ""},
        "choices": found.kind.choices if isinstance(found.kind, Choice) else None,
        "is_long": isinstance(found.kind, ShiftList | PayerCard | TreatyList),
        "history": history_of(found),
        "may_propose": request.role in MANAGERS and waiting is None,
        "waiting": waiting,
        "says": new.details["says"] if new else None,
        "pad": pad,
        "refusals": refused.refusals if refused else (),
    }
    return render(
        request, "pitboss/setting.html", context, status=http_status(refused) if refused else 200
    )
