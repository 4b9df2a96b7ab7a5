"""The door: sign in, change person, lock a tablet, set a PIN, enrol a device."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login as begin_session
from django.contrib.auth import logout as end_session
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from pitboss.access import may_open, page
from pitboss.api import http_status
from pitboss.middleware import (
    DEVICE_COOKIE,
    DEVICE_COOKIE_AGE,
    PitRequest,
    person_refused,
)
from pitboss.models import Person, Pit
from pitboss.rules.refusal import Refusal, Refused
from pitboss.rules.roles import Place, Role
from pitboss.selectors.first_steps import has_opened
from pitboss.selectors.people import named
from pitboss.services import house
from pitboss.services.devices import enrol_device
from pitboss.services.first_run import is_due
from pitboss.services.people import begin_visit, end_visit, set_pin
from pitboss.services.pins import prove_password, prove_pin

_HOME_OF_PLACE = {
    Place.CAGE: "cage",
    Place.SECURITY: "security",
    Place.SURVEILLANCE: "surveillance",
}
_BACKEND = "django.contrib.auth.backends.ModelBackend"


@page("own")
def home(request: PitRequest) -> HttpResponse:
    """Go where this person works: their device's own screen, else the first they may open."""
    place = Place(request.device.place) if request.device else None
    if place == Place.OFFICE and may_open(request.role, "house") and not has_opened():
        return redirect("first-steps")
    wished = _HOME_OF_PLACE.get(place) if place else None
    for name in (wished, "board", "cage", "security", "compliance", "count_room", "inbox"):
        if name is not None and may_open(request.role, name):
            return redirect(name.replace("_", "-"))
    return redirect("devices")


@never_cache
@require_http_methods(["GET", "POST"])
def login(request: PitRequest) -> HttpResponse:
    """Sign in with badge and password. Whoever was signed in before is out, session and all."""
    if is_due():
        return redirect("setup")
    wanted = request.POST.get("next") or request.GET.get("next") or ""
    context: dict[str, Any] = {"next": wanted, **_demo_door(request)}
    if request.method == "GET":
        sentence = request.session.pop("refusal", "")
        if sentence:
            context["refusals"] = [Refusal("not_employed", sentence)]
        return render(request, "pitboss/login.html", context)
    badge = request.POST.get("badge", "")
    try:
        person = prove_password(
            badge=badge,
            password=request.POST.get("password", ""),
            device=request.device,
            policy=house.settings_at(house.now()).lockout,
        )
        _admit(person)
    except Refused as refused:
        context |= {"badge": badge, "refusals": refused.refusals}
        return render(request, "pitboss/login.html", context, status=http_status(refused))
    begin_work(request, person)
    return redirect(own_address(request, wanted))


def begin_work(request: PitRequest, person: Person) -> None:
    """Begin the session of a person who was proven; nothing of the one before stays."""
    if request.user.is_authenticated:
        end_visit(person=request.user, device=request.device)
    end_session(request)
    begin_session(request, person, backend=_BACKEND)
    begin_visit(person=person, device=request.device)


def _admit(person: Person) -> None:
    sentence = person_refused(person, house.period_at(house.now()))
    if sentence:
        raise Refused([Refusal("not_employed", sentence)])


def _demo_door(request: PitRequest) -> dict[str, Any]:
    """Return what the demo's door lists; a real one lists nobody."""
    if not settings.IS_DEMO:
        return {}
    from pitboss.demo import PASSWORD, PIN, listed_people

    here = request.device
    places: list[tuple[Place, int | str, str]] = [
        (Place.PIT, pit.pk, pit.name) for pit in Pit.objects.all()
    ]
    places += [(place, "", place.value.capitalize()) for place in Place if place != Place.PIT]
    return {
        "demo_pin": PIN,
        "demo_people": [
            {"badge": p.badge, "name": str(p), "role": Role(p.role).label, "password": PASSWORD}
            for p in listed_people()
        ],
        "demo_places": [
            {
                "place": place.value,
                "pit": pit,
                "label": label,
                "is_current": here is not None and (here.place, here.pit_id or "") == (place, pit),
            }
            for place, pit, label in places
        ],
    }


@require_POST
@page("own")
def logout(request: PitRequest) -> HttpResponse:
    """Change person: nothing of the one before stays on the tablet."""
    end_visit(person=request.user, device=request.device)
    end_session(request)
    return redirect("login")


@never_cache
@page("own")
def lock(request: PitRequest) -> HttpResponse:
    """Lock an idle tablet, or show that it is locked. Its person opens it by PIN."""
    if request.method == "POST":
        # Where it was, to be there again when it opens: what was keyed is kept by the tablet.
        request.session["locked"] = own_address(request, request.POST.get("next", ""))
        return redirect("lock")
    if not request.session.get("locked"):
        return redirect("home")
    return _locked(request)


@never_cache
@require_POST
@page("own")
def unlock(request: PitRequest) -> HttpResponse:
    """Open a locked tablet with the PIN of the person who is signed in on it."""
    try:
        prove_pin(
            badge=request.user.badge,
            pin=request.POST.get("pin", ""),
            device=request.device,
            policy=request.house.lockout,
        )
    except Refused as refused:
        return _locked(request, refused)
    return redirect(request.session.pop("locked", "home"))


def own_address(request: HttpRequest, wanted: str, otherwise: str = "home") -> str:
    """Return where to redirect to: an address of this site that was asked for, or otherwise."""
    is_ours = url_has_allowed_host_and_scheme(wanted, allowed_hosts={request.get_host()})
    return wanted if is_ours else otherwise


def _locked(request: PitRequest, refused: Refused | None = None) -> HttpResponse:
    context = {
        "open_url": reverse("unlock"),
        "leave_url": reverse("logout"),
        "refusals": refused.refusals if refused else (),
    }
    return render(
        request, "pitboss/lock.html", context, status=http_status(refused) if refused else 200
    )


for _view in (lock, unlock, logout):
    _view.open_when_locked = True  # type: ignore[attr-defined]


@require_GET
@page("own")
def badge_name(request: PitRequest) -> HttpResponse:
    """Say whose badge was scanned, before the PIN is keyed."""
    badge = request.GET.get("badge", "").replace("\x00", "")
    person = named(badge, request.period, request.house)
    return render(request, "_badge_name.html", {"person": person, "unknown": person is None})


@never_cache
@require_http_methods(["GET", "POST"])
def pin_enrol(request: PitRequest) -> HttpResponse:
    """Set one's own PIN with a one-time code, before a witness of higher rank."""
    context: dict[str, Any] = {"enrol_url": reverse("pin-enrol")}
    if request.method == "GET":
        return render(request, "pitboss/pin_enrol.html", context)
    post = request.POST
    try:
        if post.get("new_pin", "") != post.get("new_pin_again", ""):
            raise Refused([Refusal("pins_differ", "The two PINs differ. Key them again.")])
        person = set_pin(
            badge=post.get("person_badge", ""),
            code=post.get("code", ""),
            pin=post.get("new_pin", ""),
            witness_badge=post.get("badge", ""),
            witness_pin=post.get("pin", ""),
            device=request.device,
            password=post.get("new_password", ""),
        )
    except Refused as refused:
        context |= {
            "refusals": refused.refusals,
            "code": post.get("code", ""),
            "person_badge": post.get("person_badge", ""),
        }
        return render(request, "pitboss/pin_enrol.html", context, status=http_status(refused))
    messages.success(request, f"PIN of {person} set.")
    return redirect("login")


@never_cache
@require_http_methods(["GET", "POST"])
def device_enrol(request: HttpRequest) -> HttpResponse:
    """Bind this device to the place that a manager's one-time code names."""
    context: dict[str, Any] = {"enrol_url": reverse("device-enrol")}
    if request.method == "GET":
        return render(request, "pitboss/device_enrol.html", context)
    code = request.POST.get("code", "")
    try:
        device, token = enrol_device(code=code, as_tablet=True)
    except Refused as refused:
        context |= {"refusals": refused.refusals, "code": code}
        return render(request, "pitboss/device_enrol.html", context, status=http_status(refused))
    messages.success(request, f"This device is {device.name} now.")
    response = redirect("login")
    remember_device(response, token)
    return response


def remember_device(response: HttpResponse, token: str) -> None:
    """Give a browser the token of its device, out of reach of any script."""
    response.set_cookie(
        DEVICE_COOKIE,
        token,
        max_age=DEVICE_COOKIE_AGE,
        httponly=True,
        samesite="Strict",
        secure=settings.SESSION_COOKIE_SECURE,
    )
