"""The house's settings: what holds today, what held before, and a change put to two people."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET

from pitboss.access import may_open, page
from pitboss.kinds.setting import setting_shown
from pitboss.middleware import PitRequest
from pitboss.rules.cheques.sets import CHEQUE_CHANGE
from pitboss.rules.settings.book import BOOK
from pitboss.selectors.first_steps import first_steps
from pitboss.selectors.house import open_changes_of_cheques, sets_of_the_house, tasks_now
from pitboss.selectors.search import SOUGHT_MAX
from pitboss.services.house import has_opened, now, the_property
from pitboss.slips.addresses import new_url


@require_GET
@page("house")
def settings_list(request: PitRequest) -> HttpResponse:
    """List every setting by task, with the value in effect, or those that are sought."""
    sought = request.GET.get("find", "")[:SOUGHT_MAX].strip()
    tasks = tasks_now(sought)
    context = {
        "tasks": tasks,
        "sought": sought,
        "found": sum(len(subject["settings"]) for task in tasks for subject in task["subjects"]),
        "is_beginning": not has_opened(),
        "has_webhooks": may_open(request.role, "webhooks"),
        "has_systems": may_open(request.role, "systems"),
    }
    return render(request, "pitboss/house.html", context)


@require_GET
@page("house")
def house_cheques(request: PitRequest) -> HttpResponse:
    """List every cheque of the house: how it looks, and since or from when it is in play."""
    context = {
        "heading": "House cheques",
        "back": {"url": reverse("house"), "label": "House"},
        "sets": sets_of_the_house(the_property(), now()),
        "proposed": open_changes_of_cheques(),
        "change_url": new_url(CHEQUE_CHANGE) if may_open(request.role, CHEQUE_CHANGE) else "",
    }
    return render(request, "pitboss/house_cheques.html", context)


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
    """Show one setting: what it is, its history, and the form for a change."""
    if key not in BOOK:
        raise Http404(f"Setting {key[:60]} not found.")
    return render(request, "pitboss/setting.html", setting_shown(request, key, request.GET))
