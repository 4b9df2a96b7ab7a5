"""Demo only: let this browser be any device of the property in one tap."""

from __future__ import annotations

import secrets

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_POST

from pitboss.models import Device, Pit
from pitboss.rules.canonical import digest
from pitboss.rules.roles import Place
from pitboss.services import house
from pitboss.views.door import remember_device


@require_POST
def be_device(request: HttpRequest, place: str) -> HttpResponse:
    """Enrol this browser as a device of a place. The address exists in the demo alone."""
    if place not in (each.value for each in Place):
        raise Http404("No such place.")
    pit = None
    if place == Place.PIT and request.POST.get("pit", "").isdigit():
        pit = get_object_or_404(Pit, pk=request.POST["pit"])
    token = secrets.token_urlsafe(32)
    Device.objects.create(
        name=f"{pit.name if pit else place.capitalize()} demo {secrets.token_hex(3)}",
        place=place,
        pit=pit,
        token_hash=digest(token),
        enrolled_at=house.now(),
    )
    messages.success(request, f"This browser is now a device of the {place}.")
    response = redirect("home")
    remember_device(response, token)
    return response
