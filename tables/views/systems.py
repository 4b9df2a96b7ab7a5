"""Other systems of the house: what each may do, and what it called last."""

from __future__ import annotations

from django.db.models import Max
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_GET

from pitboss.access import page
from pitboss.middleware import PitRequest
from pitboss.models import Device
from pitboss.slips.addresses import new_url
from tables.kinds.system_access import SCOPES, SYSTEM_ACCESS
from tables.models import Scope, SystemCall, SystemScope
from tables.services.systems import has_scope

SHOWN = 100


def _systems() -> list[Device]:
    """Return the devices that were ever granted a scope, or that called as if they had one."""
    granted = SystemScope.objects.values("device")
    called = SystemCall.objects.values("device")
    return list(Device.objects.filter(pk__in=granted.union(called)).order_by("name"))


def _may(device: Device) -> list[str]:
    return [SCOPES[scope.value] for scope in Scope if has_scope(device, scope)]


@require_GET
@page("systems")
def systems(request: PitRequest) -> HttpResponse:
    """List other systems, what they may do, and when each called last."""
    last = dict(SystemCall.objects.values_list("device").annotate(Max("at")))
    context = {
        "heading": "Systems",
        "back": {"url": reverse("house"), "label": "House"},
        "systems": [
            {"device": device, "may": _may(device), "called": last.get(device.pk)}
            for device in _systems()
        ],
        "change_url": new_url(SYSTEM_ACCESS.kind) if request.role in SYSTEM_ACCESS.open_to else "",
    }
    return render(request, "tables/systems.html", context)


@require_GET
@page("systems")
def system(request: PitRequest, device_id: int) -> HttpResponse:
    """Show what a system called last, and how it was answered."""
    device = get_object_or_404(Device, pk__in=[item.pk for item in _systems()], id=device_id)
    context = {
        "heading": device.name,
        "back": {"url": reverse("systems"), "label": "Systems"},
        "may": _may(device),
        "calls": [
            {"row": call, "what": SCOPES[call.scope]}
            for call in SystemCall.objects.filter(device=device).order_by("-id")[:SHOWN]
        ],
    }
    return render(request, "tables/system.html", context)
