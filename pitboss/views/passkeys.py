"""Passkeys: a person's own list, the challenge for an act, and the second half of a sign-in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from pitboss.access import page
from pitboss.api import http_status
from pitboss.middleware import PitRequest, passkey_host
from pitboss.models import Passkey, Person
from pitboss.rules.refusal import Refused, refuse
from pitboss.services import house
from pitboss.services.pads import attested_by
from pitboss.services.passkeys import (
    act_hash,
    add_passkey,
    options_to_add,
    options_to_prove,
    passkeys_of,
    prove_sign_in,
    remove_passkey,
)
from pitboss.services.pins import prove_pin, signed_act
from pitboss.views.door import PASSKEY_PENDING, begin
from pitboss.views.forms import pen_of, text
from pitboss.views.pads import pad_of

_PENDING_SECONDS = 300
# Asked for apart from the fields of the form that it is about.
_PATH, _ADDING = "passkey_path", "passkey_adding"


@never_cache
@require_POST
def passkey_ask(request: PitRequest) -> HttpResponse:
    """Give a browser the challenge for the form it is about to send; 204 when none is asked.

    On an enrolled device, or for the person whose password was right a moment ago: no one else
    learns which passkeys a badge has.
    """
    covers = act_hash(
        text(request.POST, _PATH),
        {name: request.POST.getlist(name) for name in request.POST if name not in (_PATH, _ADDING)},
    )
    host = passkey_host(request)
    if _ADDING in request.POST and request.user.is_authenticated:
        return _json(options_to_add(request.user, covers=covers, host=host))
    person = _asked_person(request)
    if person is None or not passkeys_of(person):
        return HttpResponse(status=204)
    return _json(options_to_prove(person, covers=covers, host=host))


def _asked_person(request: PitRequest) -> Person | None:
    if text(request.POST, _PATH) == reverse("passkey-sign-in"):
        return _pending(request)[0]
    if not house.is_usable(request.device):
        return None
    return Person.objects.filter(badge=text(request.POST, "badge").strip()).first()


def _json(options: str) -> HttpResponse:
    return HttpResponse(options, content_type="application/json")


def _pending(request: PitRequest) -> tuple[Person | None, str]:
    """Return who has given a password and not yet a passkey, and where they want to go."""
    person_id, since, wanted = request.session.get(PASSKEY_PENDING) or (0, 0, "")
    if house.now().timestamp() - since > _PENDING_SECONDS:
        return None, ""
    return Person.objects.filter(pk=person_id).first(), wanted


@never_cache
@require_http_methods(["GET", "POST"])
def passkey_sign_in(request: PitRequest) -> HttpResponse:
    """Sign in with a passkey, after the password."""
    person, wanted = _pending(request)
    if person is None:
        return redirect("login")
    context: dict[str, Any] = {"person": person}
    if request.method == "GET":
        return render(request, "pitboss/passkey_sign_in.html", context)
    try:
        prove_sign_in(person, device=request.device)
    except Refused as refused:
        context["refusals"] = refused.refusals
        return render(request, "pitboss/passkey_sign_in.html", context, status=http_status(refused))
    return begin(request, person, wanted)


@require_http_methods(["GET", "POST"])
@page("own")
def passkeys(request: PitRequest) -> HttpResponse:
    """List one's own passkeys, and add one under signature."""

    def act() -> str:
        pen = pen_of(request)
        with signed_act(
            act="add_passkey", badge=pen.badge, pin=pen.pin, device=pen.device
        ) as person:
            if person.pk != request.user.pk:
                raise refuse("not_yours", "Add a passkey with your own badge and PIN.")
            key = add_passkey(person, name=text(request.POST, "name"), device=pen.device)
        return f"Passkey “{key}” added."

    return _signed(
        request,
        act,
        "pitboss/passkeys.html",
        {"heading": "Passkeys", "keys": passkeys_of(request.user)},
        attested=attested_by("add_passkey"),
        button="Add a passkey",
        inputs=({"name": "name", "label": "Name, such as “Key on my ring”", "type": "text"},),
        passkey="add",
    )


@require_http_methods(["GET", "POST"])
@page("own")
def passkey_remove(request: PitRequest, passkey_id: int) -> HttpResponse:
    """Remove one's own passkey with the own PIN."""
    key = get_object_or_404(Passkey, pk=passkey_id, person=request.user, removed_at=None)

    def act() -> str:
        pen = pen_of(request)
        with signed_act(
            act="remove_own_passkey", badge=pen.badge, pin=pen.pin, device=pen.device
        ) as person:
            if person.pk != request.user.pk:
                raise refuse("not_yours", "Remove it with your own badge and PIN.")
            remove_passkey(key.pk, by=person, device=pen.device)
        return f"Passkey “{key}” removed."

    return _signed(
        request,
        act,
        "pitboss/signed_act.html",
        {
            "heading": f"Remove passkey “{key}”",
            "back": {"url": reverse("passkeys"), "label": "Passkeys"},
        },
        attested=attested_by("remove_own_passkey", key=key),
        button="Remove it",
    )


@require_http_methods(["GET", "POST"])
@page("people")
def passkey_revoke(request: PitRequest, person_id: int) -> HttpResponse:
    """Remove all passkeys of someone who lost them, signed by two people who outrank them."""
    person = get_object_or_404(Person, pk=person_id)

    def act() -> str:
        pen, policy = pen_of(request), request.house.lockout
        witness = prove_pin(
            badge=text(request.POST, "witness_badge"),
            pin=request.POST.get("witness_pin", ""),
            device=request.device,
            policy=policy,
        )
        with signed_act(
            act="revoke_passkey", badge=pen.badge, pin=pen.pin, device=pen.device
        ) as by:
            keys = passkeys_of(person)
            if not keys:
                raise refuse(
                    "passkey_unknown", f"{person} has no passkey to remove. Choose someone else."
                )
            for key in keys:
                remove_passkey(key.pk, by=by, witness=witness, device=pen.device)
        return f"{person} has no passkey any more."

    return _signed(
        request,
        act,
        "pitboss/signed_act.html",
        {
            "heading": f"{person} passkeys",
            "back": {"url": reverse("people"), "label": "People"},
        },
        attested=attested_by("revoke_passkey", person=person),
        button="Remove them",
        inputs=(
            {"name": "witness_badge", "label": "Badge of the second person", "type": "text"},
            {"name": "witness_pin", "label": "PIN of the second person", "type": "password"},
        ),
        passkey="prove",
    )


def _signed(
    request: PitRequest,
    act: Callable[[], str],
    template: str,
    context: dict[str, Any],
    **pad: Any,
) -> HttpResponse:
    """Show a pad for one act about passkeys, and carry it out when it is signed."""
    refused: Refused | None = None
    if request.method == "POST":
        try:
            messages.success(request, act())
            return redirect("passkeys")
        except Refused as error:
            refused = error
    kept = pad.pop("inputs", ())
    shown = {"url": request.path, "refused": refused, "inputs": kept, **pad}
    context |= {
        "pad": pad_of(request, **shown),
        "refusals": refused.refusals if refused else (),
    }
    return render(request, template, context, status=http_status(refused) if refused else 200)
