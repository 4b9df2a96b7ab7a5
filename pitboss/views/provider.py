"""The house sign-in: to the identity provider of the house and back."""

from __future__ import annotations

from dataclasses import asdict

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from pitboss.api import http_status
from pitboss.middleware import PitRequest
from pitboss.rules.refusal import CONFLICT, Refused, refuse
from pitboss.services.identity_provider import SignInAsked, begin, is_set_up, person_back
from pitboss.views.door import admit, begin_or_ask, door_context

# In a session: what the browser was sent to the provider with, and where its person wants to go.
_ASKED, _WANTED = "provider_asked", "provider_wanted"


@never_cache
@require_GET
def provider_sign_in(request: PitRequest) -> HttpResponse:
    """Send a browser of an enrolled device to the provider."""
    _demand_provider()
    wanted = request.GET.get("next", "")
    try:
        address, asked = begin(back_to=_back_to(request), device=request.device)
    except Refused as refused:
        return _at_the_door(request, refused, wanted)
    request.session[_ASKED] = asdict(asked)
    request.session[_WANTED] = wanted
    return redirect(address)


@never_cache
@require_GET
def provider_back(request: PitRequest) -> HttpResponse:
    """Begin the work of the person whom the provider has proven.

    Our cookies do not travel with an address that another site leads to. So the page that the
    provider leads to leads here once more, and that time they do.
    """
    _demand_provider()
    if "here" not in request.GET:
        address = f"{request.path}?{request.GET.urlencode()}&here=1"
        return render(request, "pitboss/provider_back.html", {"address": address})
    kept = request.session.pop(_ASKED, None)
    wanted = request.session.pop(_WANTED, "")
    try:
        if "error" in request.GET:
            raise refuse(
                "provider_refused",
                "The identity provider did not sign you in. Try again.",
                CONFLICT,
            )
        person = person_back(
            asked=SignInAsked(**kept) if kept else None,
            state=request.GET.get("state", ""),
            code=request.GET.get("code", ""),
            back_to=_back_to(request),
            device=request.device,
        )
        admit(person)
    except Refused as refused:
        return _at_the_door(request, refused, wanted)
    return begin_or_ask(request, person, wanted)


def _demand_provider() -> None:
    if not is_set_up():
        raise Http404


def _back_to(request: PitRequest) -> str:
    """Return where the provider sends the browser back to: the address that it has on file."""
    return request.build_absolute_uri(reverse("provider-back"))


def _at_the_door(request: PitRequest, refused: Refused, wanted: str) -> HttpResponse:
    context = door_context(request, wanted) | {"refusals": refused.refusals}
    return render(request, "pitboss/login.html", context, status=http_status(refused))
