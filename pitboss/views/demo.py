"""Demo only: be any device and anyone of the property in one tap, and take the tour."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import wraps
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path, reverse
from django.views.decorators.http import require_GET, require_POST

from pitboss.demo import code_for, demo_device, demo_token
from pitboss.demo_posts import POSTS, TERMINAL_TABLE, TOUR
from pitboss.middleware import PitRequest, bind_session, remember_device
from pitboss.models import Device, Pit, Table
from pitboss.rules.roles import Place
from pitboss.services import house
from pitboss.services.devices import NewDevice
from pitboss.slips.addresses import id_of
from pitboss.views.door import begin_work, own_address

View = Callable[..., HttpResponse]
HIDDEN_COOKIE = "pitboss_demo_hidden"
_HIDDEN_SECONDS = 400 * 24 * 3600
_TOUR_COOKIE = "pitboss_tour"
_TOUR_COOKIE_READ = re.compile(r"([0-9]{9,10})\.((?:[0-9]-?){0,20})", re.ASCII)
# A demo that was begun again has nothing of an older one.
_TOUR_SECONDS = 24 * 3600


def _demo_only(view: View) -> View:
    """Open a view in the demo alone: elsewhere it has no address, and refuses all the same."""

    @wraps(view)
    def checked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not settings.IS_DEMO:
            raise Http404("Only a demo has this page.")
        return view(request, *args, **kwargs)

    return checked


@require_POST
@_demo_only
def be_device(request: PitRequest, place: str) -> HttpResponse:
    """Let this browser be the device of a place."""
    if place not in (item.value for item in Place):
        raise Http404("Place not found.")
    pit = None
    if place == Place.PIT and (number := id_of(request.POST, "pit")) is not None:
        pit = get_object_or_404(Pit, pk=number)
    messages.success(request, f"This browser is now a device of the {place}.")
    request.device = demo_device(Place(place), pit)
    if request.user.is_authenticated:
        bind_session(request)
    response = redirect("home")
    remember_device(response, demo_token(request.device))
    return response


@require_POST
@_demo_only
def be_somebody(request: PitRequest, post: str) -> HttpResponse:
    """Sign in as the person who works at a post of the demo, on the device that stands there."""
    if post not in POSTS:
        raise Http404("Post not found.")
    here = POSTS[post]
    request.device = demo_device(here.place, here.the_pit())
    begin_work(request, here.person())
    response = redirect(own_address(request, request.POST.get("next", ""), here.page or "home"))
    remember_device(response, demo_token(request.device))
    stop = id_of(request.POST, "stop")
    if stop is not None and stop < len(TOUR):
        begun = _tour_of(request)
        replace(begun, seen=begun.seen | {stop}).keep(response)
    return response


@require_POST
@_demo_only
def be_terminal(request: HttpRequest) -> HttpResponse:
    """Let this browser be the terminal of a table, by a code as a manager gets it."""
    table = get_object_or_404(Table, name=TERMINAL_TABLE)
    device = Device.objects.filter(table=table, revoked_at=None).order_by("pk").first()
    name = f"Terminal {table} {secrets.token_hex(2)}"
    code = code_for(device or NewDevice(name, Place.PIT, table=table))
    return redirect(f"{reverse('terminal')}#code={code}")


@require_GET
@_demo_only
def tour(request: HttpRequest) -> HttpResponse:
    """Say what to try in ten minutes, each stop one tap away, and tick what was done."""
    begun = _tour_of(request)
    done = {
        number
        for number, stop in enumerate(TOUR)
        if (number in begun.seen if stop.tick is None else stop.tick(begun.since))
    }
    context = {
        "stops": [{"stop": stop, "is_done": n in done} for n, stop in enumerate(TOUR)],
        "done": len(done),
        "heading": "A tour of the demo",
    }
    response = render(request, "pitboss/tour.html", context)
    begun.keep(response)
    return response


@dataclass(frozen=True, slots=True)
class _Tour:
    """Since when this browser is on the tour, and the stops that it looked at."""

    since: datetime
    seen: frozenset[int] = frozenset()

    def keep(self, response: HttpResponse) -> None:
        seen = "-".join(str(number) for number in sorted(self.seen))
        value = f"{int(self.since.timestamp())}.{seen}"
        response.set_cookie(_TOUR_COOKIE, value, max_age=_TOUR_SECONDS, samesite="Strict")


def _tour_of(request: HttpRequest) -> _Tour:
    found = _TOUR_COOKIE_READ.fullmatch(request.COOKIES.get(_TOUR_COOKIE, ""))
    if found is None:
        return _Tour(house.now())
    since, seen = found.groups()
    return _Tour(
        datetime.fromtimestamp(int(since), UTC), frozenset(map(int, filter(None, seen.split("-"))))
    )


@require_POST
@_demo_only
def show_bar(request: HttpRequest, wish: str) -> HttpResponse:
    """Hide the demo's bar on this browser, or show it again, and stay on the page."""
    response = redirect(own_address(request, request.POST.get("next", "")))
    if wish == "hide":
        response.set_cookie(HIDDEN_COOKIE, "1", max_age=_HIDDEN_SECONDS, samesite="Strict")
    else:
        response.delete_cookie(HIDDEN_COOKIE, samesite="Strict")
    return response


urlpatterns = [
    path("demo/device/<str:place>", be_device, name="demo-device"),
    path("demo/be/<str:post>", be_somebody, name="demo-be"),
    path("demo/terminal", be_terminal, name="demo-terminal"),
    path("demo/bar/<str:wish>", show_bar, name="demo-bar"),
    path("demo/tour/", tour, name="demo-tour"),
]
