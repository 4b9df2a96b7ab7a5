"""The floor log on a tablet: choose what it is, key what it asks, grant or decline a request."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from inventory.selectors.cash_log import strangers_of
from inventory.selectors.patrons import patrons_named
from pitboss.access import page
from pitboss.api import http_status
from pitboss.middleware import PitRequest
from pitboss.models import Table
from pitboss.rules.book.teaching import cards_of
from pitboss.rules.cheques.cheques import ordered, total_cents
from pitboss.rules.floor.book import FLOOR_KINDS
from pitboss.rules.floor.fields import Facts, Field, read_facts
from pitboss.rules.floor.log import FloorKind, Ground, LogGroup, SignedWhen, ground_refusals
from pitboss.rules.patrons.cash_log import LOOKS
from pitboss.rules.refusal import Refusal, Refused, refuse
from pitboss.services import house
from pitboss.services.pads import Attests, attested_by
from pitboss.services.signing import Pen
from pitboss.slips.addresses import row_id
from pitboss.slips.fields import drawn, given_of, kept
from pitboss.views.forms import (
    new_request_id,
    pen_of,
    request_id_after,
    text,
)
from pitboss.views.pads import pad_of
from pitboss.views.raising import table_named
from tables.models import FloorEntry, FloorRequest
from tables.selectors.floor_log import asked_of, facts_of
from tables.selectors.orders import keys_out, orders_standing
from tables.services.approvals import grant_all
from tables.services.floor_log import NewEntry, Tap, answer, enter, ground_of, standing_at

# As many payouts as a table ever waits for at the same moment.
_ASKED_MAX = 50
# As many descriptions of the day as a list offers.
_STRANGERS_MAX = 20
_SIGNATURE = "signature_missing"
# What a signer reads and ticks before cash that takes a patron's day over the limit.
_WARNING = "warning_unseen"
_SEEN = {"name": "seen", "label": "I reviewed the warning, and the ID was collected or requested."}


@require_GET
@page("floor_note")
def floor_choose(request: PitRequest, name: str) -> HttpResponse:
    """Show what can be approved, noted or timed at a table, each one tap away."""
    table = table_named(name)
    ground = ground_of(table, house.now())
    context = {
        "heading": f"Floor log of {table}",
        "back": {"url": reverse("table", args=[name]), "label": name},
        "groups": [
            {"title": group.heading, "acts": acts}
            for group in LogGroup
            if (acts := [_choice(table, kind, ground) for kind in _kinds_of(group)])
        ],
        **asked_of(table),
        "standing": [
            *(entry.sentence for entry in standing_at(table, request.period).values()),
            *(entry.sentence for entry in orders_standing(table)),
            *keys_out(table.pit),
        ],
        "round_url": reverse("round", args=[name]) if ground.has_round else "",
        "prove_url": reverse("prove", args=[name]),
        "reference_url": reverse("reference", args=[name]),
        "log_url": f"{reverse('floor-log')}?table={table.name}",
    }
    return render(request, "tables/floor_choose.html", context)


def _kinds_of(group: LogGroup) -> list[FloorKind]:
    return [kind for kind in FLOOR_KINDS.values() if kind.group is group and kind.is_entered]


def _choice(table: Table, kind: FloorKind, ground: Ground) -> dict[str, Any]:
    refusal = "" if table.is_open or kind.at_closed_table else "It is closed."
    if not refusal:
        # What asks nothing is judged before it is tapped.
        against = kind.barred(ground) if kind.asks else ground_refusals(kind, {}, ground)
        refusal = " ".join(item.message for item in against)
    return {
        "label": kind.title,
        "words": kind.words,
        "url": reverse("floor-enter", args=[table.name, kind.code]),
        "refusal": refusal,
        # Nothing to key, and nothing to read that is not known by heart: the tap is the entry.
        "is_entry": not kind.asks
        and kind.signed is SignedWhen.NEVER
        and (kind.group is LogGroup.NOD or not kind.guide),
        "request_id": new_request_id(),
    }


@require_http_methods(["GET", "POST"])
@page("floor_note")
def floor_enter(request: PitRequest, name: str, code: str) -> HttpResponse:
    """Key what one kind of entry asks, and make it by a tap, or on the pad where it is signed."""
    table, kind = table_named(name), FLOOR_KINDS.get(code)
    if kind is None:
        raise Http404("Floor log entry not found.")
    if request.method == "GET":
        return _form(request, table, kind)
    try:
        given = given_of(kind.asks, request.POST)
        new = NewEntry(code, given, **asdict(_whose(request.POST)))
        entry = enter(table_id=table.pk, new=new, hand=_hand(request))
    except Refused as refused:
        return _form(request, table_named(name), kind, refused)
    messages.success(request, said_of(entry))
    return redirect("table", name=name)


@require_GET
@page("floor_note")
def floor_send(request: PitRequest, name: str, code: str) -> HttpResponse:
    """Show which cheques to send for what is keyed so far. It stores nothing."""
    table, kind = table_named(name), FLOOR_KINDS.get(code)
    if kind is None:
        raise Http404("Floor log entry not found.")
    try:
        facts = read_facts(kind.asks, given_of(kind.asks, request.GET))
        context = _sending(kind, facts, ground_of(table, house.now()))
    except Refused:
        # Not all is keyed yet.
        context = {"sends": None}
    return render(request, "tables/_floor_send.html", context)


@require_http_methods(["GET", "POST"])
@page("floor_note")
def floor_request(request: PitRequest, request_id: int) -> HttpResponse:
    """Show what a terminal asks for, and take a yes or a no."""
    asked = get_object_or_404(
        FloorRequest.objects.select_related("table__pit", "dealer", "terminal"), pk=request_id
    )
    if request.method == "GET":
        return _asked(request, asked)
    is_granted = request.POST.get("act") != "decline"
    try:
        entry = answer(
            asked=asked,
            is_granted=is_granted,
            hand=_hand(request),
            reason=text(request.POST, "why"),
            **asdict(_whose(request.POST)),
        )
    except Refused as refused:
        return _asked(request, asked, refused)
    messages.success(request, said_of(entry))
    return _back(request, asked.table.name)


def _back(request: PitRequest, name: str) -> HttpResponse:
    """Go back to where the tap was: the board, or the table's page."""
    if request.POST.get("on") == "board":
        return redirect("board")
    return redirect("table", name=name)


@require_POST
@page("floor_note")
def approve_all(request: PitRequest, name: str) -> HttpResponse:
    """Approve all payouts that a table waits for, those that were on the screen."""
    table = table_named(name)
    asked = [row_id(item) for item in request.POST.getlist("asked")[:_ASKED_MAX]]
    granted: list[FloorEntry] = []
    try:
        tap = Tap(request.user, request.device, pen_of(request).request_id)
        granted, refusals = grant_all(table=table, asked=[item for item in asked if item], tap=tap)
    except Refused as refused:
        refusals = list(refused.refusals)
    if granted:
        count = f"{len(granted)} payout{'s' if len(granted) > 1 else ''}"
        messages.success(request, f"Granted: {count} at {table}.")
    for refusal in refusals:
        messages.error(request, refusal.message)
    return _back(request, name)


def said_of(entry: FloorEntry) -> str:
    """Return the confirmation of an entry."""
    return f"{entry.outcome.capitalize()}: {entry.sentence}"


@dataclass(frozen=True, slots=True)
class _Whose:
    """Who was named, or how they were described, and whether a warning was read."""

    patron_id: int | None
    stranger_id: int | None
    description: str
    is_confirmed: bool


def _whose(post: QueryDict) -> _Whose:
    """Return whose it is, as it was entered. Raises Refused."""
    find = text(post, "find").strip()
    found = list(patrons_named(find)[:2]) if find else []
    if find and not found:
        raise refuse("unknown_patron", f"No patron on file is called {find}. Describe them.")
    if len(found) > 1:
        raise refuse("who_unclear", f"Several patrons are named {find}. Scan the player card.")
    same_as = None if found else row_id(post.get("same_as", ""))
    described = "" if found or same_as else _described(post)
    return _Whose(found[0].pk if found else None, same_as, described, post.get("seen") == "yes")


def _described(post: QueryDict) -> str:
    """Return a description, quick picks first, as one text."""
    picked = [text(post, f"looks_{name}") for name in LOOKS]
    picture = text(post, "picture").strip()
    said = [*picked, text(post, "description"), f"picture {picture}" if picture else ""]
    return ", ".join(" ".join(item.split()) for item in said if item.strip())


def _patron_fields(post: QueryDict) -> dict[str, str]:
    """Return what was keyed of whose it is, to be posted again."""
    return {name: post.get(name, "") for name in _patron_names()}


def _patron_names() -> list[str]:
    """Return the names of the fields that say whose it is."""
    return ["find", "same_as", "description", "picture", *(f"looks_{name}" for name in LOOKS)]


def _whose_asked(kind: FloorKind, post: QueryDict) -> dict[str, Any]:
    """Return how a page asks whose it is: the day's descriptions, quick picks, what was entered."""
    if not kind.names_patron:
        return {}
    day = house.period_at(house.now()).gaming_day
    return {
        **_patron_fields(post),
        "strangers": [
            {"id": str(stranger.pk), "description": stranger.description}
            for stranger in strangers_of(day)
            .filter(patron_now=None)
            .order_by("-pk")[:_STRANGERS_MAX]
        ],
        "looks": [
            {
                "name": f"looks_{name}",
                "label": name.capitalize(),
                "choices": choices,
                "chosen": post.get(f"looks_{name}", ""),
            }
            for name, choices in LOOKS.items()
        ],
    }


def _hand(request: PitRequest) -> Tap | Pen:
    """Return who makes the entry: the badge on the pad if there is one, else who is signed in."""
    pen = pen_of(request)
    if "pin" in request.POST:
        return pen
    return Tap(request.user, request.device, pen.request_id)


def _form(
    request: PitRequest, table: Table, kind: FloorKind, refused: Refused | None = None
) -> HttpResponse:
    url = reverse("floor-enter", args=[table.name, kind.code])
    refusals = refused.refusals if refused else ()
    wants_pad = kind.signed is SignedWhen.ALWAYS or _is_to_sign(refused) or "pin" in request.POST
    given, facts = _read(kind, request.POST)
    sending: Mapping[str, Any] = {"sends": None}
    ground = ground_of(table, house.now())
    if facts is not None:
        sending = _sending(kind, facts, ground)
    if wants_pad and facts is None and kind.asks:
        wants_pad = False
    context = {
        "heading": f"{kind.title}, {table}",
        "back": {"url": reverse("floor-choose", args=[table.name]), "label": "Floor log"},
        "table": table,
        "kind": kind,
        "url": url,
        "send_url": reverse("floor-send", args=[table.name, kind.code]),
        # No one's name or looks stand in an address.
        "send_params": ",".join(("not csrfmiddlewaretoken", "request_id", *_patron_names())),
        "request_id": request_id_after(refused, request.POST),
        "fields": [
            _drawn(field, request, given, ground) for field in kind.asks if field.shape != "cheques"
        ],
        "taught": cards_of(ground.taught_at, kind.teaches),
        **_cheque_table(kind, given, request.house.cheques.paying_keys),
        **_whose_asked(kind, request.POST),
        "button": "Grant" if kind.is_approval else "Note it",
        "refusals": [refusal for refusal in refusals if refusal.code != _SIGNATURE],
        **sending,
    }
    if wants_pad:
        context["sentence"] = kind.sentence(facts or {})
        context["pad"] = pad_of(
            request,
            url=url,
            attested=_attested(kind, table),
            says=(("Entry", kind.sentence(facts or {})),),
            button=f"Sign as {kind.by.label}",
            # What the tap was refused for is the signature that is keyed now.
            refused=refused if "pin" in request.POST else None,
            badge=request.user.badge,
            fields=kept(request.POST),
            confirm=_confirm(refused, request.POST),
            refuse={
                "url": reverse("floor-enter", args=[table.name, kind.code]),
                "label": "Not now",
            },
        )
    status = http_status(refused) if refused and not _is_to_sign(refused) else 200
    return render(request, "tables/floor_enter.html", context, status=status)


def _asked(
    request: PitRequest, asked: FloorRequest, refused: Refused | None = None
) -> HttpResponse:
    kind, table = FLOOR_KINDS[asked.kind], asked.table
    said = FloorEntry.objects.filter(answers=asked).select_related("by").first()
    ground = ground_of(table, house.now())
    url = reverse("floor-request", args=[asked.pk])
    is_signed = kind.needs_signature(asked.facts, ground.settings) and not kind.names_patron
    # Whose it is is said first, where that can be told; then it is signed.
    is_signed = is_signed or _is_to_sign(refused) or "pin" in request.POST
    refusals = [
        refusal for refusal in (refused.refusals if refused else ()) if refusal.code != _SIGNATURE
    ]
    against: list[Refusal] = []
    is_open = said is None and not hasattr(asked, "withdrawal")
    if is_open and refused is None:
        against = ground_refusals(kind, asked.facts, ground)
    context = {
        "heading": f"{table} asks",
        "back": {"url": reverse("table", args=[table.name]), "label": table.name},
        "asked": asked,
        "kind": kind,
        "said": said,
        "url": url,
        "request_id": request_id_after(refused, request.POST),
        "facts": facts_of(asked.kind, asked.facts),
        "taught": cards_of(ground.taught_at, kind.teaches),
        "why": request.POST.get("why", ""),
        **_whose_asked(kind, request.POST),
        "refusals": refusals or against,
        **_sending(kind, asked.facts, ground),
    }
    if is_signed and is_open:
        context["pad"] = pad_of(
            request,
            url=url,
            attested=_attested(kind, table),
            says=(("Entry", asked.sentence),),
            button=f"Grant, sign as {kind.by.label}",
            refused=refused if "pin" in request.POST else None,
            badge=request.user.badge,
            fields={"act": "grant", **_patron_fields(request.POST)},
            confirm=_confirm(refused, request.POST),
        )
    return render(
        request,
        "tables/floor_request.html",
        context,
        status=http_status(refused) if refused else 200,
    )


def _attested(kind: FloorKind, table: Table) -> Attests:
    return attested_by("floor_approve" if kind.is_approval else "floor_log", table=table)


def _is_to_sign(refused: Refused | None) -> bool:
    """Tell whether a signature is all that is missing, or a signature and a warning to read."""
    if refused is None or _SIGNATURE not in refused.codes:
        return False
    return set(refused.codes) <= {_SIGNATURE, _WARNING}


def _confirm(refused: Refused | None, post: QueryDict) -> dict[str, str] | None:
    """Return the box to tick where a warning stands before the signature."""
    is_warned = refused is not None and _WARNING in refused.codes
    return _SEEN if is_warned or "seen" in post else None


def _read(kind: FloorKind, post: QueryDict) -> tuple[dict[str, object], Facts | None]:
    """Return what was keyed, and what it says where it can be read."""
    given: dict[str, object] = {}
    try:
        given = given_of(kind.asks, post)
        return given, read_facts(kind.asks, given)
    except Refused:
        return given, None


def _sending(kind: FloorKind, facts: Facts, ground: Ground) -> dict[str, Any]:
    cheques = kind.sends(facts, ground)
    return {
        "sends": [{"cents": cents, "count": cheques[cents]} for cents in ordered(cheques)],
        "sends_cents": total_cents(cheques),
    }


def _cheque_table(
    kind: FloorKind, given: Mapping[str, object], colours: Iterable[int]
) -> dict[str, Any]:
    """Return the cheques that a form asks for: a row a denomination, a column a field."""
    fields = [field for field in kind.asks if field.shape == "cheques"]
    keyed = {field.name: _as_cheques(given.get(field.name)) for field in fields}
    return {
        "columns": [{"name": field.name, "label": field.label} for field in fields],
        "rows": [
            {
                "cents": cents,
                "cells": [
                    {"name": f"{field.name}_{cents}", "label": field.label}
                    | {"value": keyed[field.name].get(str(cents), "")}
                    for field in fields
                ],
            }
            for cents in colours
        ],
    }


def _as_cheques(value: object) -> Mapping[str, object]:
    return value if isinstance(value, Mapping) else {}


def _drawn(
    field: Field, request: PitRequest, given: Mapping[str, object], ground: Ground
) -> dict[str, Any]:
    """Return a field as the form draws it, with what was keyed or what most likely will be."""
    value = given.get(field.name, "")
    if not request.POST:
        value = {
            "coupon_badge": request.user.badge,
            "coupon_initials": f"{request.user.first_name[:1]}{request.user.last_name[:1]}",
            "dated": ground.gaming_day.isoformat(),
            # The round that was just proved.
            "round": request.GET.get("round", "")[:9],
        }.get(field.name, "")
    return drawn(field, {field.name: value})
