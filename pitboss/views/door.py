"""The door: sign in, change person, lock a tablet, enroll a device."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login as begin_session
from django.contrib.auth import logout as end_session
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import Resolver404, resolve, reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import override
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from pitboss.access import may_open, page
from pitboss.api import http_status
from pitboss.middleware import (
    HANDED,
    LOCKED_BY_HAND,
    SHOWN_LOCKED,
    SIGNED_HERE,
    PitRequest,
    bind_session,
    open_when_handed,
    person_refused,
    remember_device,
    stay_open,
    stays_readable,
)
from pitboss.models import Person, Pit
from pitboss.rules.people.languages import first_known
from pitboss.rules.refusal import NOT_YOURS, Refusal, Refused
from pitboss.rules.roles import Place, Role
from pitboss.selectors.people import named
from pitboss.services import house
from pitboss.services.devices import enrol_device
from pitboss.services.first_run import is_due
from pitboss.services.identity_provider import demand_badge_sign_in, is_set_up
from pitboss.services.passkeys import asks_at_sign_in
from pitboss.services.people import begin_visit, end_visit
from pitboss.services.pin_offers import has_unread_pins
from pitboss.services.pins import prove_password, prove_pin
from pitboss.services.visits import SESSION_LASTS

_HOME_OF_PLACE = {
    Place.CAGE: "cage",
    Place.SECURITY: "security",
    Place.SURVEILLANCE: "surveillance",
}
# Who has given a password and not yet a passkey: person, since when, and where they want to go.
PASSKEY_PENDING = "passkey_pending"


@page("own")
def home(request: PitRequest) -> HttpResponse:
    """Go where this person works: their device's own screen, else the first they may open."""
    place = Place(request.device.place) if request.device else None
    if place == Place.OFFICE and may_open(request.role, "house") and not house.has_opened():
        return redirect("first-steps")
    wished = _HOME_OF_PLACE.get(place) if place else None
    for name in (
        wished,
        "board",
        "cage",
        "security",
        "compliance",
        "count_room",
        "hosts",
        "credit_desk",
        "inbox",
    ):
        if name is not None and may_open(request.role, name):
            return redirect(name.replace("_", "-"))
    return redirect("devices")


@never_cache
@require_http_methods(["GET", "POST"])
def login(request: PitRequest) -> HttpResponse:
    """Sign in with badge and password. Anyone signed in before is out, session and all."""
    if is_due():
        return redirect("setup")
    wanted = request.POST.get("next") or request.GET.get("next") or ""
    context = door_context(request, wanted)
    if request.method == "GET":
        sentence = request.session.pop("refusal", "")
        if sentence:
            context["refusals"] = [Refusal("not_employed", sentence, NOT_YOURS)]
        return render(request, "pitboss/login.html", context)
    badge = request.POST.get("badge", "")
    try:
        person = prove_password(
            badge=badge,
            password=request.POST.get("password", ""),
            device=request.device,
            policy=house.settings_at(house.now()).lockout,
        )
        admit(person)
        demand_badge_sign_in(person, device=request.device)
    except Refused as refused:
        context |= {"badge": badge, "refusals": refused.refusals}
        return render(request, "pitboss/login.html", context, status=http_status(refused))
    return begin_or_ask(request, person, wanted)


def door_context(request: PitRequest, wanted: str) -> dict[str, Any]:
    """Return what the page to sign in shows, with the house sign-in where it can be used."""
    has_provider = is_set_up() and request.device is not None
    return {"next": wanted, "has_provider": has_provider, **_demo_door(request)}


def begin_or_ask(request: PitRequest, person: Person, wanted: str) -> HttpResponse:
    """Begin the work of a person who was let in, or ask for their passkey first."""
    now = house.now()
    role = house.role_in(person, house.period_at(now))
    if asks_at_sign_in(person, house.settings_at(now), role):
        request.session[PASSKEY_PENDING] = [person.pk, now.timestamp(), wanted]
        return redirect("passkey-sign-in")
    return begin(request, person, wanted)


def begin(request: PitRequest, person: Person, wanted: str) -> HttpResponse:
    """Begin the work of a person, who first reads what others did about their PIN."""
    begin_work(request, person)
    if has_unread_pins(person) or _pin_ends_soon(person):
        return redirect("own-secrets")
    return redirect(own_address(request, wanted))


def _pin_ends_soon(person: Person) -> bool:
    """Tell whether a person sets a new PIN within days, or has to already."""
    now = house.now()
    age = house.settings_at(now).pin_age
    return age.is_over(person.pin_set_at, now) or age.days_left(person.pin_set_at, now) is not None


def begin_work(request: PitRequest, person: Person) -> None:
    """Begin the session of a person who was proven; nothing of the one before stays."""
    if request.user.is_authenticated:
        end_visit(person=request.user, device=request.device)
    end_session(request)
    begin_session(request, person)
    bind_session(request)
    # However busy it is, a session ends: its end is set once.
    request.session.set_expiry(house.now() + SESSION_LASTS)
    begin_visit(person=person, device=request.device, session_key=request.session.session_key or "")


def admit(person: Person) -> None:
    """Refuse a person who may not work today. Raises Refused."""
    sentence = person_refused(person, house.period_at(house.now()))
    if sentence:
        raise Refused([Refusal("not_employed", sentence, NOT_YOURS)])


def _demo_door(request: PitRequest) -> dict[str, Any]:
    """Return what the demo's door lists; a real one lists no one."""
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
        where = own_address(request, request.POST.get("next", ""))
        request.session["locked"] = where
        request.session.pop(HANDED, None)
        request.session.pop(SIGNED_HERE, None)
        if "by_hand" in request.POST:
            request.session[LOCKED_BY_HAND] = True
        return redirect(where if _stays(request, where) else "lock")
    if not request.session.get("locked"):
        return redirect("home")
    return _locked(request)


def _stays(request: PitRequest, where: str) -> bool:
    """Tell whether the page that a tablet was locked on goes on being shown."""
    try:
        view = resolve(urlsplit(where).path).func
    except Resolver404:
        return False
    return stays_readable(request, view)


@never_cache
@require_POST
@page("own")
def unlock(request: PitRequest) -> HttpResponse:
    """Open a locked tablet with the PIN of the person who is signed in on it.

    A PIN is asked for on enrolled devices alone; elsewhere the password opens what it opened.
    """
    badge, device, policy = request.user.badge, request.device, request.house.lockout
    try:
        if device is None:
            password = request.POST.get("password", "")
            prove_password(badge=badge, password=password, device=device, policy=policy)
        else:
            pin = request.POST.get("pin", "")
            prove_pin(badge=badge, pin=pin, device=device, policy=policy)
    except Refused as refused:
        return _locked(request, refused)
    stay_open(request, house.now())
    for mark in (LOCKED_BY_HAND, SHOWN_LOCKED, HANDED, SIGNED_HERE):
        request.session.pop(mark, None)
    return redirect(request.session.pop("locked", "home"))


@require_POST
@page("own")
def awake(request: PitRequest) -> HttpResponse:
    """Hear that someone is at the tablet, who reads or types and sends nothing yet."""
    return HttpResponse(status=204)


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


@open_when_handed
@require_GET
@page("own")
def badge_name(request: PitRequest) -> HttpResponse:
    """Say whose badge was scanned, before the PIN is keyed."""
    badge = request.GET.get("badge", "").replace("\x00", "")
    person = named(badge, request.period, request.house)
    with override(first_known(request.GET.get("lang"))):
        return render(request, "_badge_name.html", {"person": person, "unknown": person is None})


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
