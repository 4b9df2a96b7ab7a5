"""People: PINs offered, badges unlocked, rank granted."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any, Final

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods

from pitboss.access import may_open, page
from pitboss.api import http_status
from pitboss.middleware import PitRequest
from pitboss.models import Person
from pitboss.rules.refusal import Refused, refuse
from pitboss.rules.roles import GRANTS_NO_ACCESS, NAMING_MANAGERS, Role, acting_roles
from pitboss.selectors.accounts import standings
from pitboss.selectors.licences import ending_of
from pitboss.services.house import acting_now, now
from pitboss.services.pads import Attests, attested_by
from pitboss.services.people import end_acting_role, grant_acting_role, unlock_badge
from pitboss.services.pin_offers import live_offers, offer_pin, witness_pin
from pitboss.services.staffing import search_people
from pitboss.views.forms import pen_of, text
from pitboss.views.pads import pad_of


@require_GET
@page("people")
def people(request: PitRequest) -> HttpResponse:
    """List everyone, or whom ?q= finds, with what can be done for them."""
    words = request.GET.get("q", "")[:60].replace("\x00", "")
    today, days = request.period.gaming_day, request.house["people.licence_reminder"]
    acting = dict(acting_now(request.period).values_list("person_id", "role"))
    stopped = {
        pk: account_standing
        for pk, account_standing in standings().items()
        if account_standing.is_stopped
    }
    offered = set(live_offers(now()).values_list("person_id", flat=True))
    rows = [
        {
            "person": person,
            "has_offer": person.pk in offered,
            "role": Role(acting.get(person.pk, person.role)).label,
            "is_acting": person.pk in acting,
            "may_be_named": request.role in NAMING_MANAGERS
            and person.role == Role.PIT_MANAGER.value,
            "has_pin": bool(person.pin_hash),
            "is_licensed": person.licence_ends is None or today <= person.licence_ends,
            "ending": ending_of(person, today, days),
            "standing": stopped[person.pk].words if person.pk in stopped else "",
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
        "may_add": request.role not in GRANTS_NO_ACCESS,
        "may_restore": may_open(request.role, "person_returns"),
        "may_review": may_open(request.role, "access_reviews"),
    }
    return render(request, "pitboss/people.html", context)


@require_http_methods(["GET", "POST"])
@page("people")
def pin_offer(request: PitRequest, person_id: int) -> HttpResponse:
    """Offer someone a new PIN, signed; show the offerer's half of its code."""
    person = get_object_or_404(Person, pk=person_id)

    def act() -> HttpResponse:
        pen = pen_of(request)
        half = offer_pin(person_id=person.pk, badge=pen.badge, pin=pen.pin, device=pen.device)
        return _half(
            request,
            f"PIN offer for {person}",
            half,
            f"First of two codes. Give it to {person} in person. A witness signs under "
            "People and gets the second code. Both are needed at “Set a PIN” within 12 "
            "hours.",
        )

    return _signed_act(
        request,
        act,
        heading=f"Offer {person} a new PIN",
        attested=attested_by("offer_pin", person=person),
        button="Sign and show code",
    )


@require_http_methods(["GET", "POST"])
@page("people")
def pin_witness(request: PitRequest, person_id: int) -> HttpResponse:
    """Sign that one stands by while someone sets their PIN; show the witness's half."""
    person = get_object_or_404(Person, pk=person_id)

    def act() -> HttpResponse:
        pen = pen_of(request)
        half = witness_pin(person_id=person.pk, badge=pen.badge, pin=pen.pin, device=pen.device)
        return _half(
            request,
            f"PIN of {person}",
            half,
            f"Second of two codes. {person} enters both at “Set a PIN”, with you standing by. "
            "You sign there again.",
        )

    return _signed_act(
        request,
        act,
        heading=f"Witness {person}’s new PIN",
        attested=attested_by("witness_pin", person=person),
        button="Sign and show code",
    )


def _half(request: PitRequest, heading: str, half: str, sentence: str) -> HttpResponse:
    context = {
        "heading": heading,
        "code": half,
        "sentence": sentence,
        "back": {"url": reverse("people"), "label": "People"},
    }
    return render(request, "pitboss/code.html", context)


@require_http_methods(["GET", "POST"])
@page("people")
def acting_role(request: PitRequest, person_id: int) -> HttpResponse:
    """Let someone act in another role for a time, signed by a manager."""
    person = get_object_or_404(Person, pk=person_id)
    choices = _acting_choices(Role(person.role), request.period.ends - now())

    def act() -> HttpResponse:
        wanted = text(request.POST, "role")
        if wanted not in (choice["value"] for choice in choices):
            raise refuse("role_out_of_reach", f"{person} can’t act in that role. Choose another.")
        role, _, hours = wanted.partition("+")
        pen = pen_of(request)
        grant_acting_role(
            person_id=person.pk,
            role=Role(role),
            badge=pen.badge,
            pin=pen.pin,
            device=pen.device,
            until=now() + timedelta(hours=int(hours)) if hours else None,
        )
        return _done(request, f"{person} acts as {Role(role).label} now.")

    return _signed_act(
        request,
        act,
        heading=f"Acting role of {person}",
        attested=attested_by("grant_acting_role", person=person),
        button="Sign as manager",
        select={"name": "role", "label": "Role and time", "choices": choices},
    )


# The hours that a pit plans its dual-rates by.
_HOURS: Final = (1, 2, 4)


def _acting_choices(role: Role, left: timedelta) -> list[dict[str, str]]:
    """Return the roles that someone may be let act in, each to the end of the shift or shorter."""
    roles = acting_roles(role)
    if role == Role.PIT_MANAGER:
        roles = (*roles, Role.SHIFT_MANAGER)
    hours = [hour for hour in _HOURS if timedelta(hours=hour) < left]
    return [
        choice
        for item in roles
        for choice in (
            {"value": item.value, "label": f"{item.label}, until the shift ends"},
            *(
                {
                    "value": f"{item.value}+{many}",
                    "label": f"{item.label}, {many} hour{'' if many == 1 else 's'}",
                }
                for many in hours
            ),
        )
    ]


@require_http_methods(["GET", "POST"])
@page("people")
def acting_end(request: PitRequest, person_id: int) -> HttpResponse:
    """End an acting role before its time, signed by who has it or by a manager."""
    person = get_object_or_404(Person, pk=person_id)

    def act() -> HttpResponse:
        pen = pen_of(request)
        end_acting_role(person_id=person.pk, badge=pen.badge, pin=pen.pin, device=pen.device)
        return _done(request, f"{person} no longer acts in another role.")

    return _signed_act(
        request,
        act,
        heading=f"End the acting role of {person}",
        attested=attested_by("end_acting_role", person=person),
        button="End acting role",
    )


@require_http_methods(["GET", "POST"])
@page("people")
def badge_unlock(request: PitRequest, person_id: int) -> HttpResponse:
    """Forgive the wrong attempts of a badge, signed by security or a shift manager."""
    person = get_object_or_404(Person, pk=person_id)

    def act() -> HttpResponse:
        pen = pen_of(request)
        unlock_badge(
            badge=person.badge, actor_badge=pen.badge, actor_pin=pen.pin, device=pen.device
        )
        return _done(request, f"Badge {person.badge} is unlocked.")

    return _signed_act(
        request,
        act,
        heading=f"Unlock badge {person.badge}",
        attested=attested_by("unlock_badge", person=person),
        button="Unlock",
    )


def _done(request: PitRequest, sentence: str) -> HttpResponse:
    messages.success(request, sentence)
    return redirect("people")


def _signed_act(
    request: PitRequest,
    act: Callable[[], HttpResponse],
    *,
    heading: str,
    attested: Attests,
    button: str,
    select: dict[str, Any] | None = None,
) -> HttpResponse:
    """Show a pad for one act on people, and carry it out when it is signed."""
    refused: Refused | None = None
    if request.method == "POST":
        try:
            return act()
        except Refused as error:
            refused = error
    context = {
        "heading": heading,
        "back": {"url": reverse("people"), "label": "People"},
        "pad": pad_of(
            request,
            passkey="prove",
            url=request.path,
            attested=attested,
            button=button,
            refused=refused,
            select=select,
        ),
        "refusals": refused.refusals if refused else (),
    }
    return render(
        request, "pitboss/signed_act.html", context, status=http_status(refused) if refused else 200
    )


def _refused(request: PitRequest, refused: Refused, url_name: str, label: str) -> HttpResponse:
    context = {
        "wrong": str(refused),
        "to_do": f"Go back to {label}.",
        "home_url": reverse(url_name),
    }
    return render(request, "pitboss/error.html", context, status=http_status(refused))
