"""Begin a new property on an empty installation; afterwards this page is gone."""

from __future__ import annotations

from typing import Any
from zoneinfo import available_timezones

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from pitboss.api import http_status
from pitboss.middleware import remember_device
from pitboss.rules.people.staffing import COLUMNS, column_title
from pitboss.rules.refusal import Refused, refuse
from pitboss.services.first_run import FIRST_PEOPLE, FirstPerson, begin_property, is_due
from pitboss.views.forms import text

_KEYED = tuple(column for column in COLUMNS if column != "role")


@never_cache
@require_http_methods(["GET", "POST"])
def setup(request: HttpRequest) -> HttpResponse:
    """Ask for the property, its first two managers and this device, all at once."""
    if not is_due():
        raise Http404("This property has begun.")
    refused: Refused | None = None
    if request.method == "POST":
        try:
            device, token = begin_property(
                code=text(request.POST, "code"),
                name=text(request.POST, "name"),
                time_zone=text(request.POST, "time_zone"),
                people=[_person(request, number) for number in range(1, FIRST_PEOPLE + 1)],
                device_name=text(request.POST, "device_name"),
            )
        except Refused as error:
            refused = error
        else:
            messages.success(request, f"The property has begun. This device is {device.name}.")
            response = redirect("login")
            remember_device(response, token)
            return response
    context: dict[str, Any] = {
        "keyed": {name: request.POST.get(name, "") for name in ("code", "name", "device_name")},
        "zone": request.POST.get("time_zone", "America/New_York"),
        "zones": sorted(zone for zone in available_timezones() if "/" in zone),
        "people": [
            {
                "number": number,
                "fields": [
                    {
                        "name": f"{column}_{number}",
                        "label": column_title(column).capitalize(),
                        "type": "date" if column == "licence_ends" else "text",
                        "is_needed": not column.startswith("licence"),
                        "value": request.POST.get(f"{column}_{number}", ""),
                    }
                    for column in _KEYED
                ],
            }
            for number in range(1, FIRST_PEOPLE + 1)
        ],
        "refusals": refused.refusals if refused else (),
    }
    return render(
        request, "pitboss/setup.html", context, status=http_status(refused) if refused else 200
    )


def _person(request: HttpRequest, number: int) -> FirstPerson:
    pin = text(request.POST, f"pin_{number}")
    if pin != text(request.POST, f"pin_again_{number}"):
        raise refuse(
            "pins_differ", f"Manager {number}: the two PINs don’t match. Enter them again."
        )
    return FirstPerson(
        keyed={column: text(request.POST, f"{column}_{number}") for column in _KEYED},
        pin=pin,
        password=text(request.POST, f"password_{number}"),
    )
