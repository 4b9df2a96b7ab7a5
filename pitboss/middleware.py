"""On which device a request comes, and whether the person behind it may still work here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django_htmx.middleware import HtmxDetails

from pitboss.models import Device, Person
from pitboss.rules.gaming_day import Period
from pitboss.rules.roles import Role
from pitboss.rules.settings_in_force import SettingsInForce
from pitboss.services import house
from pitboss.services.devices import tablet_by_token

DEVICE_COOKIE = "pitboss_device"
DEVICE_COOKIE_AGE = 400 * 24 * 3600


class PitRequest(HttpRequest):
    """A request of the floor: signed in, on a device or on none."""

    htmx: HtmxDetails
    user: Person
    device: Device | None
    # The settings in force when the request began, the gaming day and shift, and who one is in it.
    house: SettingsInForce
    period: Period
    # Set by a page that has read what waits for this person, for the shell to show.
    waiting_count: int
    role: Role


def person_refused(person: Person, when: Period) -> str:
    """Return why a signed-in person may no longer go on, or nothing. Asked at every request."""
    if not person.is_active:
        return f"{person} no longer works here."
    if not house.may_work(person, when):
        return (
            f"Licence {person.licence_number} ended on {person.licence_ends:%d %b %Y}. "
            "Call the shift manager."
        )
    return ""


class FloorMiddleware:
    """Name the device; stop at once whoever left, lost the licence or locked the tablet."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        try:
            return self.get_response(request)
        finally:
            timezone.deactivate()

    def process_view(
        self, request: Any, view: Callable[..., HttpResponse], args: Any, kwargs: Any
    ) -> HttpResponse | None:
        if getattr(view, "answers_for_itself", False):
            return None
        request.device = tablet_by_token(request.COOKIES.get(DEVICE_COOKIE, ""))
        if not request.user.is_authenticated:
            return None
        now = house.now()
        the_property = house.the_property()
        # Every time on a screen is the house's own, whatever clock a tablet carries.
        timezone.activate(the_property.zone)
        request.house = the_property.settings_at(now)
        request.period = the_property.period_at(now)
        request.role = house.role_in(request.user, request.period)
        sentence = person_refused(request.user, request.period)
        if sentence:
            logout(request)
            return _to_the_door(request, sentence)
        if request.session.get("locked") and not getattr(view, "open_when_locked", False):
            return redirect("lock")
        return None


def _to_the_door(request: HttpRequest, sentence: str) -> HttpResponse:
    request.session["refusal"] = sentence
    door = reverse(settings.LOGIN_URL)
    if getattr(request, "htmx", False):
        return HttpResponse(status=204, headers={"HX-Redirect": door})
    return HttpResponseRedirect(door)
