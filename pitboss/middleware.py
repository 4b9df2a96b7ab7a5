"""On which device a request comes, and whether the person behind it may still work here."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django_htmx.middleware import HtmxDetails

from pitboss.models import Device, Person
from pitboss.models.sealed import RecordAltered
from pitboss.rules.day.gaming_day import Period
from pitboss.rules.people.sources import source_of
from pitboss.rules.roles import Place, Role
from pitboss.rules.settings.in_force import SettingsInForce
from pitboss.services import house
from pitboss.services.afterward import keep_what_was_left
from pitboss.services.devices import next_token, tablet_by_token
from pitboss.services.locks import SentForm, sent_form
from pitboss.services.pads import Sent, sent_pad
from pitboss.services.passkeys import Presented, act_hash, presenting
from pitboss.services.row_seals import tell_of_altered
from pitboss.services.source import coming_from

DEVICE_COOKIE = "pitboss_device"
DEVICE_COOKIE_AGE = 400 * 24 * 3600
# In a session: the device that it began on, and when an idle tablet locks.
_DEVICE = "device"
OPEN_UNTIL = "open_until"
# In a locked session: that it was locked by hand, and that its board stays readable meanwhile.
LOCKED_BY_HAND = "locked_by_hand"
SHOWN_LOCKED = "shown_locked"
# In the session of a tablet that a patron has in hand: the one page that it shows.
HANDED = "handed"
# In a session: the last signature that its person gave on this tablet, which a tap may follow.
SIGNED_HERE = "signed_here"
_PAGE_LOCKS_FIRST = 15
_NOTED_EVERY = 5


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
    # Whether the board is shown on a tablet that waits for a PIN.
    is_locked: bool
    # The next token of the device, when this answer brings it.
    next_token: str | None


def person_refused(person: Person, when: Period) -> str:
    """Return why a signed-in person may no longer go on, or nothing. Asked at every request."""
    if not person.is_active:
        return f"{person} no longer works here."
    if not house.may_work(person, when):
        return (
            f"License {person.licence_number} expired on {person.licence_ends:%b %-d, %Y}. "
            "Call the shift manager."
        )
    return ""


def address_of(request: HttpRequest) -> str:
    """Return the address that a request comes from, past the house's own proxies."""
    return source_of(
        peer=request.META.get("REMOTE_ADDR", ""),
        forwarded_for=request.META.get("HTTP_X_FORWARDED_FOR", ""),
        trusted=settings.TRUSTED_PROXIES,
    )


def passkey_host(request: HttpRequest) -> str:
    """Return the name that passkeys are made for: the site's own, or one above all its names."""
    return settings.PASSKEY_HOST or request.get_host().partition(":")[0]


def _presented(request: HttpRequest) -> Presented | None:
    """Return the passkey's answer that came with a form, and what it must have been asked for."""
    if request.method != "POST" or not request.POST.get("passkey"):
        return None
    return Presented(
        answer=request.POST["passkey"],
        act_hash=act_hash(request.path, dict(request.POST.lists())),
        host=passkey_host(request),
        origin=f"{request.scheme}://{request.get_host()}",
    )


class FloorMiddleware:
    """Name the device; stop at once the person who left, lost the license or locked the tablet."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        sent_form.set(None)
        sent_pad.set(None)
        try:
            with coming_from(address_of(request)), presenting(_presented(request)):
                response = self.get_response(request)
        finally:
            timezone.deactivate()
            sent_form.set(None)
            sent_pad.set(None)
            # Whatever the request met, its transactions have ended.
            tell_of_altered()
            keep_what_was_left()
        token = getattr(request, "next_token", None)
        if token is not None:
            remember_device(response, token)
        if getattr(request, "role", None) is not None:
            # The way back asks the server again: the tablet may be in a patron's hand by then.
            response.headers.setdefault("Cache-Control", "no-store")
        return response

    def process_view(
        self, request: Any, view: Callable[..., HttpResponse], args: Any, kwargs: Any
    ) -> HttpResponse | None:
        if getattr(view, "answers_for_itself", False):
            return None
        request.device = tablet_by_token(request.COOKIES.get(DEVICE_COOKIE, ""))
        sent_form.set(_sent_form(request))
        if request.method == "POST":
            # What is signed from here on is signed on the pad of this form, or not at all.
            sent_pad.set(Sent(request.get_full_path(), request.POST))
        if not request.user.is_authenticated:
            return None
        if "pin" in request.POST:
            # Another may have had the tablet in hand since: no tap follows what was signed before.
            request.session.pop(SIGNED_HERE, None)
        now = house.now()
        the_property = request.the_property = house.the_property()
        # Every time on a screen is the house's own, whatever clock a tablet carries.
        timezone.activate(the_property.zone)
        request.house = the_property.settings_at(now)
        request.period = the_property.period_at(now)
        try:
            request.role = house.role_in(request.user, request.period)
            sentence = person_refused(request.user, request.period) or _device_refused(request)
        except RecordAltered as altered:
            sentence = str(altered)
        if sentence:
            logout(request)
            return _to_the_door(request, sentence)
        is_automatic = getattr(view, "is_automatic", False)
        is_the_lock = getattr(view, "open_when_locked", False)
        if not is_the_lock and judge_idle(request, now, is_automatic=is_automatic):
            if not stays_readable(request, view):
                _note_wish(request, is_automatic=is_automatic)
                return redirect("lock")
            request.is_locked = request.session[SHOWN_LOCKED] = True
        if not (is_the_lock or is_automatic) and (own := _only_page(request, view)):
            return redirect(own)
        if request.device is not None and not is_automatic and request.method == "GET":
            self._rotate(request, now)
        return None

    def _rotate(self, request: PitRequest, now: datetime) -> None:
        """Give a tablet its next token with the page that it asked for, when one is due."""
        policy, device = request.house.tokens, request.device
        # In the demo any browser may be any device: one that rotated would shut out the others.
        if device is None or request.htmx or settings.IS_DEMO:
            return
        if policy.is_due(device.token_made_at, device.next_token_at, now):
            request.next_token = next_token(device, policy, now)


def _only_page(request: PitRequest, view: Callable[..., HttpResponse]) -> str:
    """Return where a tablet in a patron's hand stays, unless it is there or signs there."""
    own: str = request.session.get(HANDED, "")
    if not own or getattr(view, "open_when_handed", False):
        return ""
    return "" if request.get_full_path() == own else own


def open_when_handed(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Mark a view that a tablet in a patron's hand may ask: it shows nothing of the site."""
    view.open_when_handed = True  # type: ignore[attr-defined]
    return view


def bind_session(request: PitRequest) -> None:
    """Bind a session to the device that it began on: a key copied elsewhere opens nothing."""
    request.session[_DEVICE] = request.device.pk if request.device else None


def _device_refused(request: PitRequest) -> str:
    """Return why a session does not go on here, or nothing."""
    if _DEVICE not in request.session:
        # Begun before sessions were bound: it belongs to where it is seen first.
        bind_session(request)
    here = request.device.pk if request.device else None
    if request.session[_DEVICE] == here:
        return ""
    return "You signed in on another device, or this one is no longer enrolled. Sign in again."


def judge_idle(request: PitRequest, now: datetime, *, is_automatic: bool) -> bool:
    """Tell whether the tablet is locked; lock it when no one did anything for too long.

    The page locks itself a moment sooner and keeps what was typed. Here it is locked even if the
    page's script is gone. What a page asks by itself keeps nothing open.
    """
    session = request.session
    if session.get("locked"):
        return True
    until = session.get(OPEN_UNTIL)
    if until is not None and now.timestamp() > until:
        session["locked"] = request.get_full_path() if request.method == "GET" else "home"
        return True
    if not is_automatic:
        stay_open(request, now)
    return False


def readable_when_idle(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Mark a view that an idle tablet goes on showing where the house wants it so."""
    view.readable_when_idle = True  # type: ignore[attr-defined]
    return view


def stays_readable(request: PitRequest, view: Callable[..., HttpResponse]) -> bool:
    """Tell whether a view is shown on this tablet although it waits for a PIN.

    Never on one that someone locked by hand, and never on a device that is not enrolled.
    """
    place = Place(request.device.place) if request.device else None
    return (
        getattr(view, "readable_when_idle", False)
        and not request.session.get(LOCKED_BY_HAND)
        and request.house.board_stays(place)
    )


def _note_wish(request: PitRequest, *, is_automatic: bool) -> None:
    """Note what was tapped on a board that waits for a PIN: the PIN leads there."""
    is_page = request.method == "GET" and (not request.htmx or request.htmx.boosted)
    if is_page and not is_automatic and request.session.get(SHOWN_LOCKED):
        request.session["locked"] = request.get_full_path()


def stay_open(request: PitRequest, now: datetime) -> None:
    """Note that someone is at the tablet; written once in a while, not at each tap."""
    until = now.timestamp() + request.house["people.idle_lock"] + _PAGE_LOCKS_FIRST
    if until - request.session.get(OPEN_UNTIL, 0) >= _NOTED_EVERY:
        request.session[OPEN_UNTIL] = until


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


def _sent_form(request: PitRequest) -> SentForm | None:
    request_id = request_id_of(request)
    device = request.device
    return SentForm(request_id, device.pk if device else None) if request_id else None


def request_id_of(request: HttpRequest) -> UUID | None:
    """Return the id of the form that a request has sent; none where it sent none."""
    if request.method != "POST":
        return None
    try:
        return UUID(request.POST.get("request_id", ""))
    except ValueError:
        return None


def _to_the_door(request: HttpRequest, sentence: str) -> HttpResponse:
    request.session["refusal"] = sentence
    door = reverse(settings.LOGIN_URL)
    if getattr(request, "htmx", False):
        return HttpResponse(status=204, headers={"HX-Redirect": door})
    return HttpResponseRedirect(door)
