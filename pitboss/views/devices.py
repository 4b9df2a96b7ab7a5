"""Devices: let in by two people, given a new token, unlocked, put out."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from pitboss.access import page
from pitboss.api import http_status
from pitboss.middleware import PitRequest
from pitboss.models import Device, DeviceEnrolment, Pit, Table
from pitboss.rules.refusal import Refused, refuse
from pitboss.rules.roles import Place
from pitboss.services import house
from pitboss.services.devices import (
    NewDevice,
    let_in,
    offer_device,
    offer_token,
    revoke_device,
    tell_rounds,
    terminals_telling,
    unlock_device,
)
from pitboss.services.pads import Attests, attested_by
from pitboss.views.forms import pen_of, text
from pitboss.views.pads import pad_of, tried

# A place of the form's own: the terminal of one table.
_TERMINAL = "table"


@require_http_methods(["GET", "POST"])
@page("devices")
def devices(request: PitRequest) -> HttpResponse:
    """List the devices, and let a manager ask for a new one."""
    refused: Refused | None = None
    if request.method == "POST":
        try:
            pen = pen_of(request)
            offer = offer_device(
                new=_keyed(request), badge=pen.badge, pin=pen.pin, device=pen.device
            )
        except Refused as error:
            refused = error
        else:
            return redirect("device-let-in", offer.pk)
    waiting = DeviceEnrolment.objects.filter(code_hash=None, expires_at__gt=house.now())
    context: dict[str, Any] = {
        "heading": "Devices",
        "devices": Device.objects.select_related("pit", "table", "enrolled_by", "let_in_by"),
        "telling": terminals_telling(),
        "offers": waiting.select_related("pit", "table", "offered_by"),
        "pad": pad_of(
            request,
            url=reverse("devices"),
            attested=attested_by("offer_device"),
            button="Ask for a device",
            refused=refused,
            passkey="prove",
            inputs=({"name": "name", "label": "Device name"},),
            select={"name": "place", "label": "Place", "choices": _places()},
        ),
        "refusals": refused.refusals if refused else (),
    }
    return render(
        request, "pitboss/devices.html", context, status=http_status(refused) if refused else 200
    )


def _keyed(request: PitRequest) -> NewDevice:
    """Return the device that was asked for. Raises Refused."""
    place, _, number = text(request.POST, "place").partition(":")
    number = number if number.isdecimal() and number.isascii() and len(number) < 10 else ""
    table = Table.objects.filter(pk=number).first() if place == _TERMINAL and number else None
    pit = Pit.objects.filter(pk=number).first() if place == Place.PIT and number else None
    if table is None and place not in (item.value for item in Place):
        raise refuse("place_unknown", "Choose where the device is used.")
    name = text(request.POST, "name")
    return NewDevice(name, Place.PIT if table else Place(place), pit, table)


def _places() -> list[dict[str, str]]:
    return [
        *({"value": f"pit:{pit.pk}", "label": pit.name} for pit in Pit.objects.all()),
        *(
            {"value": place.value, "label": place.value.capitalize()}
            for place in Place
            if place != Place.PIT
        ),
        *(
            {"value": f"{_TERMINAL}:{table.pk}", "label": f"Terminal of {table.name}"}
            for table in Table.objects.all()
        ),
    ]


@require_http_methods(["GET", "POST"])
@page("devices")
def device_let_in(request: PitRequest, offer_id: int) -> HttpResponse:
    """Let the second person sign for a device; their screen then shows its code, once."""
    offer = get_object_or_404(DeviceEnrolment.objects.select_related("offered_by"), pk=offer_id)
    refused: Refused | None = None
    if request.method == "POST":
        pen = pen_of(request)
        try:
            code = let_in(offer_id=offer.pk, badge=pen.badge, pin=pen.pin, device=pen.device)
        except Refused as error:
            refused = error
        else:
            return _code(request, offer, code)
    act = "device_renewed" if offer.renews_id else "device_added"
    return _signed(
        request,
        refused,
        heading=str(offer),
        attested=attested_by(act, device=offer.name, person=offer.offered_by),
        button="Sign and show the code",
    )


def _code(request: PitRequest, offer: DeviceEnrolment, code: str) -> HttpResponse:
    where = "the table's terminal" if offer.table_id else "the device at “Enroll this device”"
    context = {
        "heading": str(offer),
        "code": code,
        "sentence": f"Enter this code on {where}. It works once and expires in 15 minutes.",
        "back": {"url": reverse("devices"), "label": "Devices"},
    }
    return render(request, "pitboss/code.html", context)


@require_http_methods(["GET", "POST"])
@page("devices")
def device_renew(request: PitRequest, device_id: int) -> HttpResponse:
    """Ask for a new token for a device; another person signs for it."""
    device = get_object_or_404(Device, pk=device_id)
    pen_act = {"device_id": device.pk}
    made: list[DeviceEnrolment] = []

    def act() -> None:
        pen = pen_of(request)
        made.append(offer_token(**pen_act, badge=pen.badge, pin=pen.pin, device=pen.device))

    refused = tried(request, act)
    if made:
        return redirect("device-let-in", made[0].pk)
    return _signed(
        request,
        refused,
        heading=f"New token for {device}",
        attested=attested_by("offer_token", device=device),
        button="Ask for a new token",
    )


@require_http_methods(["GET", "POST"])
@page("device_unlock")
def device_unlock(request: PitRequest, device_id: int) -> HttpResponse:
    """Forgive the wrong attempts on a device, signed by security or a shift manager."""
    device = get_object_or_404(Device, pk=device_id)

    def act() -> None:
        pen = pen_of(request)
        unlock_device(device_id=device.pk, badge=pen.badge, pin=pen.pin, device=pen.device)

    refused = tried(request, act)
    if request.method == "POST" and refused is None:
        messages.success(request, f"{device} is unlocked.")
        return redirect("home")
    return _signed(
        request,
        refused,
        heading=f"Unlock {device}",
        attested=attested_by("unlock_device", device=device),
        button="Unlock",
    )


def _signed(
    request: PitRequest, refused: Refused | None, *, heading: str, attested: Attests, button: str
) -> HttpResponse:
    context = {
        "heading": heading,
        "back": {"url": reverse("devices"), "label": "Devices"},
        "pad": pad_of(
            request,
            url=request.path,
            attested=attested,
            button=button,
            refused=refused,
            passkey="prove",
        ),
        "refusals": refused.refusals if refused else (),
    }
    return render(
        request, "pitboss/signed_act.html", context, status=http_status(refused) if refused else 200
    )


@require_POST
@page("devices")
def device_revoke(request: PitRequest, device_id: int) -> HttpResponse:
    """Put a device out at once."""
    device = get_object_or_404(Device, pk=device_id)
    try:
        revoke_device(device_id=device.pk, actor=request.user)
    except Refused as refused:
        return _refused(request, refused)
    messages.success(request, f"{device} removed.")
    return redirect("devices")


def _refused(request: PitRequest, refused: Refused) -> HttpResponse:
    context = {
        "wrong": str(refused),
        "to_do": "Go back to Devices.",
        "home_url": reverse("devices"),
    }
    return render(request, "pitboss/error.html", context, status=http_status(refused))


@require_POST
@page("devices")
def device_rounds(request: PitRequest, device_id: int) -> HttpResponse:
    """Say whether a terminal reports every round of its table."""
    device = get_object_or_404(Device, pk=device_id)
    every = request.POST.get("every") == "yes"
    try:
        tell_rounds(device_id=device.pk, every=every, actor=request.user)
    except Refused as refused:
        return _refused(request, refused)
    which = "every round" if every else "some rounds"
    messages.success(request, f"{device} counts as reporting {which} from now on.")
    return redirect("devices")
