"""One's own PIN and password: set with an offer or the keys of the house, or changed alone."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from pitboss.access import on_a_device, page
from pitboss.api import http_status
from pitboss.middleware import PitRequest
from pitboss.rules.people.languages import LANGUAGES
from pitboss.rules.refusal import Refused, refuse
from pitboss.selectors.own_pins import pin_notices
from pitboss.services.break_glass import set_pin_by_keys
from pitboss.services.house import now
from pitboss.services.own_secrets import change_own_password, change_own_pin, choose_language
from pitboss.services.pin_offers import Wanted, Witness, read_pins, set_pin
from pitboss.services.pins import one_answer
from pitboss.views.door import own_address
from pitboss.views.forms import text


def _twice(request: PitRequest, name: str, what: str) -> str:
    """Return a new secret that was entered twice. Raises Refused."""
    entered = request.POST.get(name, "")
    if entered != request.POST.get(f"{name}_again", ""):
        raise refuse(f"{what}s_differ", f"The two {what}s don’t match. Enter the new {what} again.")
    return entered


def _wanted(request: PitRequest) -> Wanted:
    post = request.POST
    return Wanted(
        badge=post.get("person_badge", ""),
        code=post.get("code", ""),
        witness_code=post.get("witness_code", ""),
        pin=_twice(request, "new_pin", "PIN"),
        password=post.get("new_password", ""),
        old_secret=post.get("old_secret", ""),
    )


@sensitive_post_parameters()
@never_cache
@require_http_methods(["GET", "POST"])
@on_a_device
def pin_enrol(request: PitRequest) -> HttpResponse:
    """Set one's own PIN with both halves of a code, before the witness."""
    context: dict[str, Any] = {"enrol_url": reverse("pin-enrol"), "keys_url": reverse("pin-keys")}
    if request.method == "GET":
        return render(request, "pitboss/pin_enrol.html", context)
    post = request.POST
    try:
        second = post.get("second_badge", "")
        person = set_pin(
            _wanted(request),
            witness=Witness(post.get("badge", ""), post.get("pin", "")),
            second=Witness(second, post.get("second_pin", "")) if second else None,
            device=request.device,
        )
    except Refused as refused:
        context |= {
            "refusals": one_answer(refused).refusals,
            "code": post.get("code", ""),
            "witness_code": post.get("witness_code", ""),
            "person_badge": post.get("person_badge", ""),
            "second_badge": post.get("second_badge", ""),
        }
        return render(
            request, "pitboss/pin_enrol.html", context, status=http_status(one_answer(refused))
        )
    messages.success(request, f"PIN of {person} set. Sign in.")
    return redirect("login")


@sensitive_post_parameters()
@never_cache
@require_http_methods(["GET", "POST"])
@on_a_device
def pin_renew(request: PitRequest) -> HttpResponse:
    """Set a new PIN with the old one, at any pad: a dealer is signed in nowhere."""
    wanted = own_address(request, request.POST.get("next") or request.GET.get("next", ""))
    context: dict[str, Any] = {"renew_url": reverse("pin-renew"), "next": wanted}
    if request.method == "GET":
        return render(request, "pitboss/pin_renew.html", context)
    try:
        person = change_own_pin(
            badge=request.POST.get("badge", ""),
            old_pin=request.POST.get("old_pin", ""),
            new_pin=_twice(request, "new_pin", "PIN"),
            device=request.device,
        )
    except Refused as refused:
        told = one_answer(refused)
        context |= {"refusals": told.refusals, "badge": request.POST.get("badge", "")}
        return render(request, "pitboss/pin_renew.html", context, status=http_status(told))
    messages.success(request, f"New PIN of {person} set. Sign with it now.")
    return redirect(wanted)


@sensitive_post_parameters()
@never_cache
@require_http_methods(["GET", "POST"])
@on_a_device
def pin_by_keys(request: PitRequest) -> HttpResponse:
    """Set one's PIN with the code that the server printed when both keys were turned."""
    context: dict[str, Any] = {"enrol_url": reverse("pin-keys")}
    if request.method == "GET":
        return render(request, "pitboss/pin_keys.html", context)
    try:
        person = set_pin_by_keys(_wanted(request), device=request.device)
    except Refused as refused:
        context |= {
            "refusals": one_answer(refused).refusals,
            "person_badge": request.POST.get("person_badge", ""),
        }
        return render(
            request, "pitboss/pin_keys.html", context, status=http_status(one_answer(refused))
        )
    messages.success(request, f"PIN of {person} set. Sign in.")
    return redirect("login")


@sensitive_post_parameters()
@never_cache
@require_http_methods(["GET", "POST"])
@page("own")
def own_secrets(request: PitRequest) -> HttpResponse:
    """Change one's own PIN or password, proving the old one."""
    what = "password" if "new_password" in request.POST else "PIN"
    what = "language" if "language" in request.POST else what
    refused: Refused | None = None
    if request.method == "POST":
        try:
            if what == "language":
                choose_language(request.user, text(request.POST, "language"), device=request.device)
            elif what == "PIN":
                change_own_pin(
                    badge=request.user.badge,
                    old_pin=request.POST.get("old_pin", ""),
                    new_pin=_twice(request, "new_pin", "PIN"),
                    device=request.device,
                )
            else:
                person = change_own_password(
                    badge=request.user.badge,
                    old_password=request.POST.get("old_password", ""),
                    new_password=_twice(request, "new_password", "password"),
                    device=request.device,
                )
                update_session_auth_hash(request, person)
        except Refused as error:
            refused = error
        else:
            messages.success(request, f"Your {what} is changed.")
            return redirect("own-secrets")
    context = {
        "heading": "My PIN and password",
        "back": {"url": reverse("home"), "label": "Home"},
        "languages": LANGUAGES,
        "language_refusals": refused.refusals if refused and what == "language" else (),
        "pin_refusals": refused.refusals if refused and what == "PIN" else (),
        "password_refusals": refused.refusals if refused and what == "password" else (),
        "notices": pin_notices(request.user),
        "days_left": request.house.pin_age.days_left(request.user.pin_set_at, now()),
    }
    answer = render(
        request,
        "pitboss/own_secrets.html",
        context,
        status=http_status(refused) if refused else 200,
    )
    read_pins(request.user)
    return answer
