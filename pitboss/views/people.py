"""People and devices: PINs offered, badges unlocked, rank granted, devices let in and out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from pitboss.access import page
from pitboss.api import http_status
from pitboss.middleware import PitRequest
from pitboss.models import ActingRole, Device, Person, Pit, Table
from pitboss.rules.refusal import Refused, refuse
from pitboss.rules.roles import Place, Role, department, rank
from pitboss.selectors.licences import ending_of
from pitboss.services.devices import offer_device, offer_token, revoke_device
from pitboss.services.people import grant_acting_role, offer_pin, unlock_badge
from pitboss.services.staffing import search_people
from pitboss.views.forms import pen_of, text
from pitboss.views.pads import pad_of


@require_GET
@page("people")
def people(request: PitRequest) -> HttpResponse:
    """List everyone, or whom ?q= finds, with what can be done for them."""
    words = request.GET.get("q", "")[:60].replace("\x00", "")
    today, days = request.period.gaming_day, request.house["people.licence_reminder"]
    acting = dict(
        ActingRole.objects.filter(
            gaming_day=request.period.gaming_day, shift=request.period.shift
        ).values_list("person_id", "role")
    )
    rows = [
        {
            "person": person,
            "role": Role(acting.get(person.pk, person.role)).label,
            "is_acting": person.pk in acting,
            "has_pin": bool(person.pin_hash),
            "is_licensed": person.licence_ends is None or today <= person.licence_ends,
            "ending": ending_of(person, today, days),
        }
        for person in search_people(words)
    ]
    ending_count = sum(row["ending"] is not None for row in rows)
    wants_ending = "ending" in request.GET
    if wants_ending:
        rows = [row for row in rows if row["ending"] is not None]
    context = {
        "rows": rows,
        "heading": "People",
        "words": words,
        "ending_count": ending_count,
        "wants_ending": wants_ending,
    }
    return render(request, "pitboss/people.html", context)


@require_POST
@page("people")
def pin_offer(request: PitRequest, person_id: int) -> HttpResponse:
    """Give somebody a one-time code with which they set their own PIN before a witness."""
    person = get_object_or_404(Person, pk=person_id)
    try:
        code = offer_pin(person_id=person.pk, actor=request.user, device=request.device)
    except Refused as refused:
        return _refused(request, refused, "people", "People")
    context = {
        "heading": f"PIN of {person}",
        "code": code,
        "sentence": f"{person} keys this code at “Set a PIN”, with a witness of higher rank. "
        "It holds for twelve hours and works once.",
        "back": {"url": reverse("people"), "label": "People"},
    }
    return render(request, "pitboss/code.html", context)


@require_http_methods(["GET", "POST"])
@page("people")
def acting_role(request: PitRequest, person_id: int) -> HttpResponse:
    """Let somebody act in another role until the shift ends, signed by a shift manager."""
    person = get_object_or_404(Person, pk=person_id)
    choices = [
        {"value": role.value, "label": role.label}
        for role in department(Role(person.role))
        if role != person.role and rank(role) < rank(Role.SHIFT_MANAGER)
    ]

    def act() -> None:
        wanted = text(request.POST, "role")
        if wanted not in (choice["value"] for choice in choices):
            raise refuse("role_out_of_reach", f"{person} cannot act in that role.")
        pen = pen_of(request)
        grant_acting_role(
            person_id=person.pk, role=Role(wanted), badge=pen.badge, pin=pen.pin, device=pen.device
        )

    return _signed_act(
        request,
        act,
        heading=f"Acting role of {person}",
        sentence=f"{person} acts in this role until the shift ends.",
        button="Sign as shift manager",
        done=f"{person} acts in another role until the shift ends.",
        select={"name": "role", "label": "Role for this shift", "choices": choices},
    )


@require_http_methods(["GET", "POST"])
@page("people")
def badge_unlock(request: PitRequest, person_id: int) -> HttpResponse:
    """Forgive the wrong attempts of a badge, signed by security or a shift manager."""
    person = get_object_or_404(Person, pk=person_id)

    def act() -> None:
        pen = pen_of(request)
        unlock_badge(
            badge=person.badge, actor_badge=pen.badge, actor_pin=pen.pin, device=pen.device
        )

    return _signed_act(
        request,
        act,
        heading=f"Unlock badge {person.badge}",
        sentence=f"I know who tried, and that {person} may sign again.",
        button="Unlock",
        done=f"Badge {person.badge} is unlocked.",
    )


def _signed_act(
    request: PitRequest,
    act: Callable[[], None],
    *,
    heading: str,
    sentence: str,
    button: str,
    done: str,
    select: dict[str, Any] | None = None,
) -> HttpResponse:
    """Show a pad for one act on people, and carry it out when it is signed."""
    refused: Refused | None = None
    if request.method == "POST":
        try:
            act()
        except Refused as error:
            refused = error
        else:
            messages.success(request, done)
            return redirect("people")
    context = {
        "heading": heading,
        "back": {"url": reverse("people"), "label": "People"},
        "pad": pad_of(
            request,
            url=request.path,
            sentence=sentence,
            button=button,
            refused=refused,
            select=select,
        ),
        "refusals": refused.refusals if refused else (),
    }
    return render(
        request, "pitboss/signed_act.html", context, status=http_status(refused) if refused else 200
    )


@require_http_methods(["GET", "POST"])
@page("devices")
def devices(request: PitRequest) -> HttpResponse:
    """List the devices, and offer a one-time code that lets a new one in."""
    context: dict[str, Any] = {
        "heading": "Devices",
        "devices": Device.objects.select_related("pit", "table", "enrolled_by"),
        "places": _places(),
    }
    if request.method == "GET":
        return render(request, "pitboss/devices.html", context)
    place, _, number = text(request.POST, "place").partition(":")
    number = number if number.isdecimal() and number.isascii() and len(number) < 10 else ""
    table = Table.objects.filter(pk=number).first() if place == _TERMINAL and number else None
    pit = Pit.objects.filter(pk=number).first() if place == Place.PIT and number else None
    try:
        if table is None and place not in (each.value for each in Place):
            raise refuse("place_unknown", "Choose where the device stands.")
        code = offer_device(
            name=text(request.POST, "name"),
            place=Place.PIT if table else Place(place),
            pit=pit,
            table=table,
            actor=request.user,
        )
    except Refused as refused:
        context["refusals"] = refused.refusals
        return render(request, "pitboss/devices.html", context, status=http_status(refused))
    return _code_of_device(request, "New device", code, is_terminal=table is not None)


def _code_of_device(
    request: PitRequest, heading: str, code: str, *, is_terminal: bool
) -> HttpResponse:
    where = "the table's terminal" if is_terminal else "the device at “Enrol this device”"
    context = {
        "heading": heading,
        "code": code,
        "sentence": f"Key this code on {where}. It holds for fifteen minutes and works once.",
        "back": {"url": reverse("devices"), "label": "Devices"},
    }
    return render(request, "pitboss/code.html", context)


# A place of the form's own: the terminal of one table.
_TERMINAL = "table"


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


@require_POST
@page("devices")
def device_renew(request: PitRequest, device_id: int) -> HttpResponse:
    """Offer a one-time code with which a device gets a new token."""
    device = get_object_or_404(Device, pk=device_id)
    try:
        code = offer_token(device_id=device.pk, actor=request.user)
    except Refused as refused:
        return _refused(request, refused, "devices", "Devices")
    is_terminal = device.table_id is not None
    return _code_of_device(request, f"New token of {device}", code, is_terminal=is_terminal)


@require_POST
@page("devices")
def device_revoke(request: PitRequest, device_id: int) -> HttpResponse:
    """Put a device out at once."""
    device = get_object_or_404(Device, pk=device_id)
    try:
        revoke_device(device_id=device.pk, actor=request.user)
    except Refused as refused:
        return _refused(request, refused, "devices", "Devices")
    messages.success(request, f"{device} is out.")
    return redirect("devices")


def _refused(request: PitRequest, refused: Refused, url_name: str, label: str) -> HttpResponse:
    context = {
        "wrong": str(refused),
        "to_do": f"Go back to {label}.",
        "home_url": reverse(url_name),
    }
    return render(request, "pitboss/error.html", context, status=http_status(refused))
